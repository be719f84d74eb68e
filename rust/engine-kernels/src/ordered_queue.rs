//! Parts that any thread works on, and whose results one thread takes in order.
//!
//! ```text
//! cut:      0  1  2  3  4 ...                      one after the other, under the lock
//! work:        [1]     [2]    [3]                  by any thread, at the same time
//! results:  [0: taken] [1: done] [2: in work]      ORDERED_WINDOW of them at most
//! take:     0, then 1, then 2 ...                  by one thread, in order
//! ```

use crate::sync::Mutex;
use crate::tuning::ORDERED_WINDOW;
use crate::work_queue::Numbered;
use crate::{spin_lock, spin_wait};

/// The parts on their way.
#[derive(Debug)]
pub struct OrderedQueue<C, R>(Mutex<State<C, R>>);

#[derive(Debug)]
struct State<C, R> {
    parts: Numbered<C>,
    /// The result of part number `n` has index `n % ORDERED_WINDOW`.
    results: [Option<R>; ORDERED_WINDOW],
    taken: usize,
    /// The thread that takes has ended, or one has panicked: the others are to end, too.
    stopped: bool,
}

enum Next<P, R> {
    /// The result of the part whose turn it is.
    Result(R),
    /// A part with its number, and how many places it has.
    Part(usize, P, usize),
    Wait,
    End,
}

impl<P, R, C: FnMut() -> Option<(P, usize)>> OrderedQueue<C, R> {
    /// `cut` gives the next part and how many places it takes; `None` when there are no more.
    pub fn new(cut: C) -> OrderedQueue<C, R> {
        OrderedQueue(Mutex::new(State {
            parts: Numbered::new(cut),
            results: Default::default(),
            taken: 0,
            stopped: false,
        }))
    }

    /// Works on parts, and hands all results to `take` in the order of their parts. Returns when
    /// all are taken. One thread has to call this, while any number of others [help](Self::help).
    ///
    /// # Errors
    /// That of `take`; no thread begins another part then.
    pub fn work_and_take<E>(
        &self,
        work: impl Fn(P, usize) -> R,
        mut take: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        self.run(true, work, &mut take)
    }

    /// Works on parts until there are none left.
    pub fn help(&self, work: impl Fn(P, usize) -> R) {
        let Ok(()) = self.run(false, work, &mut |_| Ok::<_, std::convert::Infallible>(()));
    }

    fn run<E>(
        &self,
        takes: bool,
        work: impl Fn(P, usize) -> R,
        take: &mut impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        let stop = StopOnDrop(self);
        loop {
            // In a variable, or the lock would be held until the part is done.
            let next = spin_lock(&self.0).next(takes);
            match next {
                Next::Result(result) => take(result)?,
                Next::Part(number, part, count) => {
                    let result = work(part, count);
                    spin_lock(&self.0).results[number % ORDERED_WINDOW] = Some(result);
                }
                Next::Wait => spin_wait(),
                Next::End => break,
            }
        }
        std::mem::forget(stop);
        Ok(())
    }
}

impl<P, R, C: FnMut() -> Option<(P, usize)>> State<C, R> {
    fn next(&mut self, takes: bool) -> Next<P, R> {
        if takes && let Some(result) = self.results[self.taken % ORDERED_WINDOW].take() {
            self.taken += 1;
            return Next::Result(result);
        }
        if self.stopped {
            return Next::End;
        }
        if self.parts.count - self.taken == ORDERED_WINDOW {
            return Next::Wait;
        }
        match self.parts.cut() {
            Some((number, part, places)) => Next::Part(number, part, places.len()),
            None if takes && self.taken < self.parts.count => Next::Wait,
            None => Next::End,
        }
    }
}

/// A thread that ends early, by a panic too, must not let the others wait for ever.
struct StopOnDrop<'q, C, R>(&'q OrderedQueue<C, R>);

impl<C, R> Drop for StopOnDrop<'_, C, R> {
    fn drop(&mut self) {
        spin_lock(&self.0.0).stopped = true;
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    const THREADS: usize = 3;
    const PARTS: usize = if cfg!(miri) { 20 } else { 1000 };

    fn counter() -> impl FnMut() -> Option<(usize, usize)> + Send {
        let mut numbers = 0..PARTS;
        move || numbers.next().map(|number| (number, 1))
    }

    /// Work that takes longer for some parts, so that they are done out of order.
    fn work(part: usize, _count: usize) -> usize {
        (0..part % 4).for_each(|_| thread::yield_now());
        part
    }

    #[test]
    fn results_come_in_the_order_of_their_parts() {
        let queue = OrderedQueue::new(counter());
        let mut taken = Vec::new();
        thread::scope(|scope| {
            for _ in 1..THREADS {
                scope.spawn(|| queue.help(work));
            }
            let take = |result| {
                taken.push(result);
                Ok::<_, ()>(())
            };
            assert_eq!(queue.work_and_take(work, take), Ok(()));
        });
        assert!(taken.into_iter().eq(0..PARTS));
    }

    #[test]
    fn no_more_parts_are_on_their_way_than_the_window_has() {
        let on_their_way = AtomicUsize::new(0);
        let mut numbers = 0..PARTS;
        let queue = OrderedQueue::new(|| {
            let number = numbers.next()?;
            // One that was taken may not be counted as such yet.
            assert!(on_their_way.fetch_add(1, Ordering::Relaxed) <= ORDERED_WINDOW);
            Some((number, 1))
        });
        thread::scope(|scope| {
            for _ in 1..THREADS {
                scope.spawn(|| queue.help(work));
            }
            let take = |_| {
                on_their_way.fetch_sub(1, Ordering::Relaxed);
                Ok::<_, ()>(())
            };
            assert_eq!(queue.work_and_take(work, take), Ok(()));
        });
    }

    #[test]
    fn an_error_of_the_one_that_takes_ends_all() {
        let queue = OrderedQueue::new(counter());
        thread::scope(|scope| {
            for _ in 1..THREADS {
                scope.spawn(|| queue.help(work));
            }
            let take = |result| if result < 5 { Ok(()) } else { Err(result) };
            assert_eq!(queue.work_and_take(work, take), Err(5));
        });
    }

    #[test]
    fn a_panic_in_the_one_that_takes_ends_all() {
        let queue = OrderedQueue::new(counter());
        thread::scope(|scope| {
            for _ in 1..THREADS {
                scope.spawn(|| queue.help(work));
            }
            let take = |_| -> Result<(), ()> { panic!("as it should") };
            let panics = catch_unwind(AssertUnwindSafe(|| queue.work_and_take(work, take)));
            assert!(panics.is_err());
        });
    }
}

/// Loom runs each of these in every order in which the threads can take the lock.
#[cfg(all(test, loom))]
mod loom_tests {
    use std::sync::Mutex;

    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    fn counter(count: usize) -> impl FnMut() -> Option<(usize, usize)> + Send {
        let mut numbers = 0..count;
        move || numbers.next().map(|number| (number, 1))
    }

    /// Another thread that helps with all parts, while this one takes results as long as `take` allows.
    fn run(count: usize, take: impl FnMut(usize) -> Result<(), usize>) -> Result<(), usize> {
        let queue = Arc::new(OrderedQueue::new(counter(count)));
        let other = Arc::clone(&queue);
        let help = thread::spawn(move || other.help(|part, _| part));
        let result = queue.work_and_take(|part, _| part, take);
        help.join().expect("the other thread ends, too");
        result
    }

    fn model(check: impl Fn() + Sync + Send + 'static) {
        let mut builder = loom::model::Builder::new();
        // More changes of the thread in one run find little else, and take hours.
        builder.preemption_bound = Some(3);
        builder.check(check);
    }

    #[test]
    fn results_come_in_order_and_both_threads_end() {
        model(|| {
            let taken = Mutex::new(Vec::new());
            let take = |result| {
                taken.lock().expect("no test panics").push(result);
                Ok(())
            };
            assert_eq!(run(3, take), Ok(()));
            assert_eq!(taken.into_inner().expect("no test panics"), [0, 1, 2]);
        });
    }

    #[test]
    fn both_threads_end_after_an_error() {
        model(|| {
            assert_eq!(run(3, |result| if result == 0 { Ok(()) } else { Err(result) }), Err(1))
        });
    }
}
