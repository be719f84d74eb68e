//! Large containers, filled by several threads at once.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use super::large_pages::{self, Growth};
use super::shared::Shared;
use super::shelf::{Shelf, ShelfGuard, shelf};
use super::workers;

/// What each of the threads has for itself.
#[derive(Default)]
pub(super) struct Helpers {
    shelves: Vec<ShelfGuard>,
    /// How much each of them is about to decode.
    len: usize,
}

impl Helpers {
    /// For elements of about `len` bytes; `None` where there is nobody to help.
    pub(super) fn new(len: usize) -> Option<Helpers> {
        let threads = workers::count();
        if threads < 2 || !Helpers::are_free() {
            return None;
        }
        let shelves: Vec<_> = (0..threads).map_while(|_| shelf()).collect();
        (!shelves.is_empty()).then(|| Helpers { len: len / threads, shelves })
    }

    /// Whether there may be somebody. In a debug build gdext wants whatever it makes made by the main thread.
    #[inline]
    pub(super) fn are_free() -> bool {
        !cfg!(debug_assertions) && workers::are_free()
    }

    /// Whether nobody was asked.
    pub(super) fn is_empty(&self) -> bool {
        self.shelves.is_empty()
    }

    fn desks(&self) -> Desks<'_> {
        Desks { shelves: Shared(self.shelves.as_slice()), taken: AtomicUsize::new(0) }
    }

    /// Lets all threads take parts from `cut`, each with a number of places, until there are no more. `work` gets the
    /// part, its places, and a shelf that no other thread has.
    ///
    /// # Errors
    /// What `work` says of the first part that failed; none that was cut behind it is begun then.
    pub(super) fn work<'a, P, E: Send>(
        &'a self,
        cut: impl FnMut() -> Option<(P, usize)> + Send,
        work: impl Fn(P, Range<usize>, Option<&'a Shelf>) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        let parts = Mutex::new(Parts { cut, number: 0, next: 0 });
        let failure = Failure::default();
        let (desks, len) = (self.desks(), self.len);
        let run = || {
            let (_, shelf) = desks.take();
            // A function of its own, or the lock would be held until the part is done.
            let next = || lock(&parts).take();
            while let Some((number, part, places)) = next()
                && !failure.is_before(number)
            {
                if let Err(error) = work(part, places, shelf) {
                    failure.note(number, error);
                }
            }
        };
        workers::with_help(run, || {
            large_pages::prepare(len, Growth::Elements);
            run();
        });
        failure.outcome()
    }

    /// As [`Helpers::work`], where what comes of the parts is to be had in order, and by the caller's thread: it is
    /// handed to `take` as soon as all before it was.
    ///
    /// # Errors
    /// What `take` says; then nothing more is done.
    pub(super) fn work_in_order<'a, P, R: Send, E>(
        &'a self,
        cut: impl FnMut() -> Option<(P, usize)> + Send,
        work: impl Fn(P, usize, Option<&'a Shelf>) -> R + Sync,
        mut take: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        let parts = Parts { cut, number: 0, next: 0 };
        let queue = Mutex::new(Queue { parts, done: Default::default(), taken: 0, stopped: false });
        let (desks, len) = (self.desks(), self.len);
        let run = || {
            let _stop = StopOnDrop(&queue);
            let (_, shelf) = desks.take();
            let next = || lock(&queue).next(true);
            loop {
                match next() {
                    Next::Done(result) => take(result)?,
                    Next::Part(number, part, count) => {
                        let result = work(part, count, shelf);
                        lock(&queue).put(number, result);
                    }
                    Next::Wait => thread::yield_now(),
                    Next::End => return Ok(()),
                }
            }
        };
        workers::with_help(run, || {
            let (number, shelf) = desks.take();
            // More could only wait: one thread takes what all of them make.
            if number >= WINDOW {
                return;
            }
            large_pages::prepare(len, Growth::Entries);
            let stop = StopOnDrop(&queue);
            let next = || lock(&queue).next(false);
            loop {
                match next() {
                    Next::Part(number, part, count) => {
                        let result = work(part, count, shelf);
                        lock(&queue).put(number, result);
                    }
                    Next::Wait => thread::yield_now(),
                    Next::Done(_) | Next::End => break,
                }
            }
            std::mem::forget(stop);
        })
    }
}

/// What the threads take when they come.
struct Desks<'a> {
    shelves: Shared<&'a [ShelfGuard]>,
    taken: AtomicUsize,
}

impl<'a> Desks<'a> {
    /// The number of the thread, and the shelf that no other one has, if there are enough.
    fn take(&self) -> (usize, Option<&'a Shelf>) {
        let number = self.taken.fetch_add(1, Ordering::Relaxed);
        let shelf = self.shelves.0.get(number);
        (number, shelf.and_then(|shelf| shelf.as_ref()))
    }
}

/// How many parts may be done, or be in work, before they are taken: what they hold is held twice for a while.
const WINDOW: usize = 3;

/// Parts on their way.
struct Queue<C, R> {
    parts: Parts<C>,
    /// Part number `n` has place `n % WINDOW`.
    done: [Option<R>; WINDOW],
    taken: usize,
    /// Nobody waits for the rest any more.
    stopped: bool,
}

enum Next<P, R> {
    /// What comes of the part whose turn it is.
    Done(R),
    /// A part with its number, and how many places it has.
    Part(usize, P, usize),
    Wait,
    End,
}

impl<P, R, C: FnMut() -> Option<(P, usize)>> Queue<C, R> {
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

    fn put(&mut self, number: usize, result: R) {
        self.done[number % WINDOW] = Some(result);
    }
}

/// Whoever leaves early, by a panic too, must not let the others wait for ever.
struct StopOnDrop<'q, C, R>(&'q Mutex<Queue<C, R>>);

impl<C, R> Drop for StopOnDrop<'_, C, R> {
    fn drop(&mut self) {
        lock(self.0).stopped = true;
    }
}

/// What is not done yet.
struct Parts<C> {
    cut: C,
    number: usize,
    /// The first place of the next part.
    next: usize,
}

impl<P, C: FnMut() -> Option<(P, usize)>> Parts<C> {
    fn take(&mut self) -> Option<(usize, P, Range<usize>)> {
        let (part, count) = (self.cut)()?;
        let (number, first) = (self.number, self.next);
        (self.number, self.next) = (number + 1, first + count);
        Some((number, part, first..self.next))
    }
}

/// What went wrong in the first of the parts in which something did.
struct Failure<E> {
    number: AtomicUsize,
    error: Mutex<Option<(usize, E)>>,
}

impl<E> Default for Failure<E> {
    fn default() -> Failure<E> {
        Failure { number: AtomicUsize::new(usize::MAX), error: Mutex::new(None) }
    }
}

impl<E> Failure<E> {
    fn is_before(&self, number: usize) -> bool {
        self.number.load(Ordering::Relaxed) < number
    }

    fn note(&self, number: usize, error: E) {
        self.number.fetch_min(number, Ordering::Relaxed);
        let mut first = lock(&self.error);
        if first.as_ref().is_none_or(|(first, _)| number < *first) {
            *first = Some((number, error));
        }
    }

    fn outcome(self) -> Result<(), E> {
        let first = self.error.into_inner().unwrap_or_else(PoisonError::into_inner);
        first.map_or(Ok(()), |(_, error)| Err(error))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
