//! Parts that any thread works on, and of which one thread takes what comes of them, in order.

use std::sync::Mutex;

use super::super::workers::{self, lock_awake};
use super::Parts;

/// How many parts may be done, or be in work, before they are taken: what they hold is held twice for a while. More
/// threads than that could only wait for the one that takes.
pub(super) const WINDOW: usize = 3;

/// The parts on their way.
pub(super) struct Line<C, R>(Mutex<State<C, R>>);

struct State<C, R> {
    parts: Parts<C>,
    /// Part number `n` has place `n % WINDOW`.
    done: [Option<R>; WINDOW],
    taken: usize,
    /// Nobody waits for the rest any more.
    stopped: bool,
}

enum Next<P, R> {
    /// What came of the part whose turn it is.
    Done(R),
    /// A part with its number, and how many places it has.
    Part(usize, P, usize),
    Wait,
    End,
}

impl<P, R, C: FnMut() -> Option<(P, usize)>> Line<C, R> {
    pub(super) fn new(parts: Parts<C>) -> Line<C, R> {
        Line(Mutex::new(State { parts, done: Default::default(), taken: 0, stopped: false }))
    }

    /// Works on parts until there are no more. One thread `takes`, and ends when everything is taken.
    ///
    /// # Errors
    /// What `take` says; then nobody begins another part.
    pub(super) fn work<E>(
        &self,
        takes: bool,
        work: impl Fn(P, usize) -> R,
        take: &mut impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        let stop = StopOnDrop(self);
        loop {
            // In a variable, or the lock would be held until the part is done.
            let next = lock_awake(&self.0).next(takes);
            match next {
                Next::Done(result) => take(result)?,
                Next::Part(number, part, count) => {
                    workers::count_part();
                    let result = work(part, count);
                    lock_awake(&self.0).done[number % WINDOW] = Some(result);
                }
                Next::Wait => workers::wait(),
                Next::End => break,
            }
        }
        std::mem::forget(stop);
        Ok(())
    }
}

impl<P, R, C: FnMut() -> Option<(P, usize)>> State<C, R> {
    fn next(&mut self, takes: bool) -> Next<P, R> {
        if takes && let Some(result) = self.done[self.taken % WINDOW].take() {
            self.taken += 1;
            return Next::Done(result);
        }
        if self.stopped {
            return Next::End;
        }
        if self.parts.number - self.taken == WINDOW {
            return Next::Wait;
        }
        match self.parts.take() {
            Some((number, part, places)) => Next::Part(number, part, places.len()),
            None if takes && self.taken < self.parts.number => Next::Wait,
            None => Next::End,
        }
    }
}

/// Whoever leaves early, by a panic too, must not let the others wait for ever.
struct StopOnDrop<'l, C, R>(&'l Line<C, R>);

impl<C, R> Drop for StopOnDrop<'_, C, R> {
    fn drop(&mut self) {
        lock_awake(&self.0.0).stopped = true;
    }
}
