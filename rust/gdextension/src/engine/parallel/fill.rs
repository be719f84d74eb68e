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
pub(crate) struct Workers {
    shelves: Vec<ShelfGuard>,
}

impl Workers {
    /// `None` where no other thread can help.
    pub(crate) fn new() -> Option<Workers> {
        let threads = workers::count();
        if threads < 2 || !Workers::are_free() {
            return None;
        }
        let shelves: Vec<_> = (0..threads).map_while(|_| shelf()).collect();
        (!shelves.is_empty()).then_some(Workers { shelves })
    }

    /// Whether other threads may be free. In a debug build gdext wants all that it makes to be made by the main thread.
    #[inline]
    pub(crate) fn are_free() -> bool {
        !cfg!(debug_assertions) && workers::are_free()
    }

    fn slots(&mut self) -> WorkerSlots<'_> {
        WorkerSlots(Mutex::new(FreeSlots { shelves: self.shelves.iter_mut(), taken: 0 }))
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
        let slots = self.slots();
        let run = || {
            let (_, shelf) = slots.take();
            queue.work(|part, places| {
                workers::count_part();
                work(part, places, shelf)
            });
        };
        workers::with_help(run, run);
        queue.outcome()
    }

    /// As [`Workers::work`], where what comes of the parts is to be had in order, and by the caller's thread: it is
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
        let slots = self.slots();
        let counted = |shelf| {
            let work = &work;
            move |part, count| {
                workers::count_part();
                work(part, count, shelf)
            }
        };
        let run = || queue.work_and_take(counted(slots.take().1), take);
        workers::with_help(run, || {
            let (number, shelf) = slots.take();
            // Another thread could only wait for the one that takes.
            if number < ORDERED_WINDOW {
                queue.help(counted(shelf));
            }
        })
    }
}

/// What the threads take when they come.
struct WorkerSlots<'a>(Mutex<FreeSlots<'a>>);

struct FreeSlots<'a> {
    shelves: slice::IterMut<'a, ShelfGuard>,
    taken: usize,
}

impl<'a> WorkerSlots<'a> {
    /// The number of the thread, and a shelf that no other one gets, if there are enough.
    fn take(&self) -> (usize, Option<&'a Shelf>) {
        let mut free = spin_lock(&self.0);
        let number = free.taken;
        free.taken += 1;
        let shelf = free.shelves.next();
        (number, shelf.and_then(|shelf| shelf.as_ref()))
    }
}
