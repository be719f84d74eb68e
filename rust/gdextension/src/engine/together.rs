//! Large containers, filled by several threads at once.

mod in_order;

use std::convert::Infallible;
use std::ops::Range;
use std::slice;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use in_order::Line;

use super::shelf::{Shelf, ShelfGuard, shelf};
use super::workers;

/// The threads that fill one container, the caller's among them, and what each of them has for itself.
#[derive(Default)]
pub(super) struct Helpers {
    shelves: Vec<ShelfGuard>,
}

impl Helpers {
    /// `None` where there is nobody to help.
    pub(super) fn new() -> Option<Helpers> {
        let threads = workers::count();
        if threads < 2 || !Helpers::are_free() {
            return None;
        }
        let shelves: Vec<_> = (0..threads).map_while(|_| shelf()).collect();
        (!shelves.is_empty()).then(|| Helpers { shelves })
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

    fn desks(&mut self) -> Desks<'_> {
        Desks(Mutex::new(Desk { shelves: self.shelves.iter_mut(), taken: 0 }))
    }

    /// Lets all threads take parts from `cut`, each with a number of places, until there are no more. `work` gets the
    /// part, its places, and a shelf that no other thread has.
    ///
    /// # Errors
    /// What `work` says of the first part that failed; none that was cut behind it is begun then.
    pub(super) fn work<'a, P, E: Send>(
        &'a mut self,
        cut: impl FnMut() -> Option<(P, usize)> + Send,
        work: impl Fn(P, Range<usize>, Option<&'a Shelf>) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        let parts = Mutex::new(Parts { cut, number: 0, next: 0 });
        let failure = Failure::default();
        let desks = self.desks();
        let run = || {
            let (_, shelf) = desks.take();
            // A function of its own, or the lock would be held until the part is done.
            let next = || workers::lock_awake(&parts).take();
            while let Some((number, part, places)) = next()
                && !failure.is_before(number)
            {
                workers::count_part();
                if let Err(error) = work(part, places, shelf) {
                    failure.note(number, error);
                }
            }
        };
        workers::with_help(run, || {
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
        &'a mut self,
        cut: impl FnMut() -> Option<(P, usize)> + Send,
        work: impl Fn(P, usize, Option<&'a Shelf>) -> R + Sync,
        mut take: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        let line = Line::new(Parts { cut, number: 0, next: 0 });
        let desks = self.desks();
        let run = || {
            let (_, shelf) = desks.take();
            line.work(true, |part, count| work(part, count, shelf), &mut take)
        };
        workers::with_help(run, || {
            let (number, shelf) = desks.take();
            if number < in_order::WINDOW {
                let Ok(()) = line.work(false, |part, count| work(part, count, shelf), &mut nothing);
            }
        })
    }
}

/// What a thread takes that takes nothing.
fn nothing<R>(_result: R) -> Result<(), Infallible> {
    Ok(())
}

/// What the threads take when they come.
struct Desks<'a>(Mutex<Desk<'a>>);

struct Desk<'a> {
    shelves: slice::IterMut<'a, ShelfGuard>,
    taken: usize,
}

impl<'a> Desks<'a> {
    /// The number of the thread, and a shelf that no other one gets, if there are enough.
    fn take(&self) -> (usize, Option<&'a Shelf>) {
        let mut desk = workers::lock_awake(&self.0);
        let number = desk.taken;
        desk.taken += 1;
        let shelf = desk.shelves.next();
        (number, shelf.and_then(|shelf| shelf.as_ref()))
    }
}

/// What is not done yet: parts are cut off one after the other, and numbered.
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
        let mut first = workers::lock_awake(&self.error);
        if first.as_ref().is_none_or(|(first, _)| number < *first) {
            *first = Some((number, error));
        }
    }

    fn outcome(self) -> Result<(), E> {
        let first = self.error.into_inner().unwrap_or_else(PoisonError::into_inner);
        first.map_or(Ok(()), |(_, error)| Err(error))
    }
}
