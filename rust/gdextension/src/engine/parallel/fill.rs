//! Large containers, filled by several threads at once.

use std::ops::Range;
use std::slice;
use std::sync::Mutex;

use engine_kernels::ordered_queue::OrderedQueue;
use engine_kernels::spin_lock;
use engine_kernels::tuning::ORDERED_WINDOW;
use engine_kernels::work_queue::WorkQueue;

use crate::engine::memory::string_cache::{Shelf, ShelfGuard, shelf};
use crate::engine::parallel::workers;

/// The threads that fill one container, the caller's among them, and what each of them has for itself.
#[derive(Default)]
pub(crate) struct Helpers {
    shelves: Vec<ShelfGuard>,
}

impl Helpers {
    /// `None` where there is nobody to help.
    pub(crate) fn new() -> Option<Helpers> {
        let threads = workers::count();
        if threads < 2 || !Helpers::are_free() {
            return None;
        }
        let shelves: Vec<_> = (0..threads).map_while(|_| shelf()).collect();
        (!shelves.is_empty()).then(|| Helpers { shelves })
    }

    /// Whether there may be somebody. In a debug build gdext wants whatever it makes made by the main thread.
    #[inline]
    pub(crate) fn are_free() -> bool {
        !cfg!(debug_assertions) && workers::are_free()
    }

    /// Whether nobody was asked.
    pub(crate) fn is_empty(&self) -> bool {
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
    pub(crate) fn work<'a, P, E: Send>(
        &'a mut self,
        cut: impl FnMut() -> Option<(P, usize)> + Send,
        work: impl Fn(P, Range<usize>, Option<&'a Shelf>) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        let queue = WorkQueue::new(cut);
        let desks = self.desks();
        let run = || {
            let (_, shelf) = desks.take();
            queue.work(|part, places| {
                workers::count_part();
                work(part, places, shelf)
            });
        };
        workers::with_help(run, run);
        queue.outcome()
    }

    /// As [`Helpers::work`], where what comes of the parts is to be had in order, and by the caller's thread: it is
    /// handed to `take` as soon as all before it was.
    ///
    /// # Errors
    /// What `take` says; then nothing more is done.
    pub(crate) fn work_in_order<'a, P, R: Send, E>(
        &'a mut self,
        cut: impl FnMut() -> Option<(P, usize)> + Send,
        work: impl Fn(P, usize, Option<&'a Shelf>) -> R + Sync,
        take: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        let queue = OrderedQueue::new(cut);
        let desks = self.desks();
        let counted = |shelf| {
            let work = &work;
            move |part, count| {
                workers::count_part();
                work(part, count, shelf)
            }
        };
        let run = || queue.work_and_take(counted(desks.take().1), take);
        workers::with_help(run, || {
            let (number, shelf) = desks.take();
            // Another thread could only wait for the one that takes.
            if number < ORDERED_WINDOW {
                queue.help(counted(shelf));
            }
        })
    }
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
        let mut desk = spin_lock(&self.0);
        let number = desk.taken;
        desk.taken += 1;
        let shelf = desk.shelves.next();
        (number, shelf.and_then(|shelf| shelf.as_ref()))
    }
}
