//! Doing work on many files on several threads, whose results come in the order of the files.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The number of files for each thread that are begun before the first of them is taken.
const EACH: usize = 8;

/// The files that are done, and those that wait.
struct Queue<T> {
    state: Mutex<QueueState<T>>,
    /// Told when there is room for one more result.
    room: Condvar,
    /// Told, alone, who takes results when the one at hand is done.
    ready: Condvar,
    count: usize,
    most: usize,
}

struct QueueState<T> {
    /// The first that nobody has begun.
    next: usize,
    /// The first that was not taken.
    taken: usize,
    /// The results that wait; nothing stands for work that failed to end.
    done: BTreeMap<usize, Option<T>>,
    stopped: bool,
}

/// Does `work` on each of `count` files, those that are not `alone` on `threads` threads. `take` gets the
/// results in order: none for those that it has to work on itself. At most a few results wait at any time.
pub(crate) fn in_order<T: Send, E>(
    count: usize,
    threads: usize,
    is_alone: impl Fn(usize) -> bool + Sync,
    work: impl Fn(usize) -> T + Sync,
    mut take: impl FnMut(usize, Option<T>) -> Result<(), E>,
) -> Result<(), E> {
    if threads <= 1 || count <= 1 {
        return (0..count).try_for_each(|one| take(one, None));
    }
    let state = QueueState { next: 0, taken: 0, done: BTreeMap::new(), stopped: false };
    let (room, ready) = (Condvar::new(), Condvar::new());
    let queue = Queue { state: Mutex::new(state), room, ready, count, most: threads * EACH };
    thread::scope(|scope| {
        let start = |_| {
            let run = || queue.work(&is_alone, &work);
            thread::Builder::new().spawn_scoped(scope, run).is_ok()
        };
        // With as many as there are to be had; without any, whoever called works alone.
        let has_help = (0..threads).map(start).filter(|started| *started).count() > 0;
        let result = (0..count).try_for_each(|one| {
            let result = if has_help && !is_alone(one) { queue.wait_for(one) } else { None };
            queue.pass(one);
            take(one, result)
        });
        queue.stop();
        result
    })
}

impl<T> Queue<T> {
    fn state(&self) -> MutexGuard<'_, QueueState<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works on one after the other until there are no more.
    fn work(&self, is_alone: &impl Fn(usize) -> bool, work: &impl Fn(usize) -> T) {
        while let Some(number) = self.begin() {
            if !is_alone(number) {
                let mut claim = Claim { queue: self, number, result: None };
                claim.result = Some(work(number));
            }
        }
    }

    /// The next to work on, once there is room for its result.
    fn begin(&self) -> Option<usize> {
        let has_to_wait = |state: &mut QueueState<T>| !state.stopped && state.next >= state.taken + self.most;
        let waited = self.room.wait_while(self.state(), has_to_wait);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        let number = state.next;
        state.next += 1;
        (!state.stopped && number < self.count).then_some(number)
    }

    fn wait_for(&self, number: usize) -> Option<T> {
        let is_missing = |state: &mut QueueState<T>| !state.done.contains_key(&number);
        let waited = self.ready.wait_while(self.state(), is_missing);
        waited.unwrap_or_else(PoisonError::into_inner).done.remove(&number).flatten()
    }

    fn pass(&self, number: usize) {
        self.state().taken = number + 1;
        self.room.notify_one();
    }

    fn stop(&self) {
        self.state().stopped = true;
        self.room.notify_all();
    }
}

/// Work that was begun, and is handed on however it ends.
struct Claim<'q, T> {
    queue: &'q Queue<T>,
    number: usize,
    result: Option<T>,
}

impl<T> Drop for Claim<'_, T> {
    fn drop(&mut self) {
        let is_next = {
            let mut state = self.queue.state();
            state.done.insert(self.number, self.result.take());
            state.taken == self.number
        };
        if is_next {
            self.queue.ready.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
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
    fn who_fails_is_asked_no_more() {
        let mut last = 0;
        let take = |number: usize, _: Option<usize>| {
            last = number;
            if number == 9 { Err("full") } else { Ok(()) }
        };
        assert_eq!(in_order(1000, 3, |_| false, |number| number, take), Err("full"));
        assert_eq!(last, 9);
    }
}
