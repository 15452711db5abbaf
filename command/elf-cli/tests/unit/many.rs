//! Many files are shared among threads, and told of in their order.

use super::*;

#[test]
fn results_come_in_order_and_few_wait() {
    for threads in [1, 2, 5] {
        let mut taken = Vec::new();
        let began = Mutex::new(0);
        let work = |number: usize| {
            *began.lock().unwrap() += 1;
            number * 2
        };
        let take = |number: usize, result: Option<usize>| {
            assert_eq!(result.is_none(), threads == 1 || number.is_multiple_of(7));
            assert!(*began.lock().unwrap() <= number + 1 + threads * EACH);
            taken.push(result.unwrap_or(number * 2));
            Ok::<(), ()>(())
        };
        in_order(100, threads, |number| number % 7 == 0, work, take).unwrap();
        assert_eq!(taken, (0..100).map(|number| number * 2).collect::<Vec<_>>());
    }
}

#[test]
fn no_more_threads_work_than_are_asked_for() {
    let workers = Mutex::new(std::collections::HashSet::new());
    let work = |_: usize| {
        workers.lock().unwrap().insert(thread::current().id());
        thread::sleep(std::time::Duration::from_millis(1));
    };
    in_order(100, 3, |_| false, work, |_, _| Ok::<(), ()>(())).unwrap();
    let workers = workers.into_inner().unwrap();
    assert!(workers.len() <= 3 && workers.contains(&thread::current().id()), "{workers:?}");
}

#[test]
fn who_fails_is_asked_no_more() {
    let mut last = 0;
    let take = |number: usize, _: Option<usize>| {
        last = number;
        if number == 9 { Err("full") } else { Ok(()) }
    };
    assert_eq!(in_order(1000, 3, |_| false, |number| number, take), Err("full"));
    assert_eq!(last, 9);
}
