//! Doing work on many files on several threads, whose results come in the order of the files.

use crate::parts;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The number of files for each thread that are begun before the first of them is taken.
const EACH: usize = 8;

/// The most files that are begun before the first of them is taken: what is printed of each may wait in a
/// file that is open.
const MOST: usize = 64;

/// The files that are done, and those that wait.
struct Queue<T> {
    state: Mutex<QueueState<T>>,
    /// Told when there is room for one more result.
    room: Condvar,
    /// Told, alone, who takes results when the one that it waits for is done.
    ready: Condvar,
    count: usize,
    most: usize,
}

struct QueueState<T> {
    /// The first that nobody has begun.
    next: usize,
    /// The first that was not taken.
    taken: usize,
    /// The results that wait, from the first that was not taken on; nothing in place of one stands for work
    /// that failed to end.
    done: VecDeque<Option<Option<T>>>,
    /// The number of threads that wait for room.
    waiting: usize,
    /// True if who takes results waits for the first that was not taken.
    is_awaited: bool,
    stopped: bool,
}

/// The state of the result that is to be taken next.
enum Turn<T> {
    /// The result is here: nothing for work that failed to end.
    Ready(Option<T>),
    /// The result is not here, and whoever takes it works on this file meanwhile.
    Work(usize),
}

/// Does `work` on each of `count` files, those that are not `alone` on `threads` threads, of which the one
/// that calls is one: while it works on a file alone, the others go on with those behind it. `take` gets the
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
    let queue = Queue::new(count, threads.saturating_mul(EACH).min(MOST.max(threads)));
    thread::scope(|scope| {
        // Told to stop however this ends.
        let _stop = Stop(&queue);
        for _ in 1..threads {
            let run = || queue.work(&is_alone, &work);
            // With as many as there are to be had; without any, whoever called works alone.
            if parts::start(scope, Box::new(run)).is_none() {
                break;
            }
        }
        (0..count).try_for_each(|one| {
            let result = if is_alone(one) { None } else { queue.result(one, &is_alone, &work) };
            queue.pass(one);
            take(one, result)
        })
    })
}

impl<T> Queue<T> {
    fn new(count: usize, most: usize) -> Queue<T> {
        let done = VecDeque::new();
        let state = QueueState { next: 0, taken: 0, done, waiting: 0, is_awaited: false, stopped: false };
        Queue { state: Mutex::new(state), room: Condvar::new(), ready: Condvar::new(), count, most }
    }

    fn state(&self) -> MutexGuard<'_, QueueState<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works on one after the other until there are no more.
    fn work(&self, is_alone: &impl Fn(usize) -> bool, work: &impl Fn(usize) -> T) {
        while let Some(number) = self.begin() {
            self.work_on(number, is_alone, work);
        }
    }

    fn work_on(&self, number: usize, is_alone: &impl Fn(usize) -> bool, work: &impl Fn(usize) -> T) {
        if !is_alone(number) {
            let mut claim = Claim { queue: self, number, result: None };
            claim.result = Some(work(number));
        }
    }

    /// The next to work on, once there is room for its result.
    fn begin(&self) -> Option<usize> {
        let mut state = self.state();
        while !state.stopped && !state.has_room(self.most) {
            state.waiting += 1;
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
        let is_left = !state.stopped && state.next < self.count;
        is_left.then(|| state.begin_next())
    }

    /// The result of a file, whose turn it is. Until it is there, whoever asks works on files too.
    fn result(
        &self,
        number: usize,
        is_alone: &impl Fn(usize) -> bool,
        work: &impl Fn(usize) -> T,
    ) -> Option<T> {
        loop {
            match self.turn(number) {
                Turn::Ready(result) => return result,
                Turn::Work(other) => self.work_on(other, is_alone, work),
            }
        }
    }

    fn turn(&self, number: usize) -> Turn<T> {
        let mut state = self.state();
        loop {
            if let Some(result) = state.take(number) {
                return Turn::Ready(result);
            }
            if state.next < self.count && state.has_room(self.most) {
                return Turn::Work(state.begin_next());
            }
            state.is_awaited = true;
            state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.is_awaited = false;
        }
    }

    fn pass(&self, number: usize) {
        let is_waited_for = {
            let mut state = self.state();
            state.pass(number);
            // One that is alone is begun by whoever takes it.
            state.next = state.next.max(state.taken);
            state.waiting > 0
        };
        if is_waited_for {
            self.room.notify_one();
        }
    }
}

impl<T> QueueState<T> {
    const fn has_room(&self, most: usize) -> bool {
        self.next < self.taken + most
    }

    const fn begin_next(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    /// Keeps a result until it is taken.
    fn put(&mut self, number: usize, result: Option<T>) {
        let Some(place) = number.checked_sub(self.taken) else { return };
        if self.done.len() <= place {
            self.done.resize_with(place + 1, || None);
        }
        if let Some(entry) = self.done.get_mut(place) {
            *entry = Some(result);
        }
    }

    /// The result of that number, if it is there.
    fn take(&mut self, number: usize) -> Option<Option<T>> {
        self.done.get_mut(number.checked_sub(self.taken)?)?.take()
    }

    /// Takes note that all up to that number were taken.
    fn pass(&mut self, number: usize) {
        while self.taken <= number {
            self.taken += 1;
            self.done.pop_front();
        }
    }
}

/// The end of the work: nothing more is begun.
struct Stop<'q, T>(&'q Queue<T>);

impl<T> Drop for Stop<'_, T> {
    fn drop(&mut self) {
        self.0.state().stopped = true;
        self.0.room.notify_all();
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
        let is_awaited = {
            let mut state = self.queue.state();
            state.put(self.number, self.result.take());
            state.is_awaited && state.taken == self.number
        };
        if is_awaited {
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
}
