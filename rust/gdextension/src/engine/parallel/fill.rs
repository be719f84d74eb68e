//! Large containers, filled by several threads at once.

use std::ops::Range;
use std::slice;
use std::sync::Mutex;

use engine_kernels::ordered_queue::OrderedQueue;
use engine_kernels::spin_lock;
use engine_kernels::tuning::ORDERED_WINDOW;
use engine_kernels::work_queue::WorkQueue;

use crate::engine::memory::string_cache::{self, StringCache, StringCacheGuard};
use crate::engine::parallel::workers;

/// The threads that fill one container, the caller's among them, and what each of them has for itself.
pub(crate) struct Workers {
    caches: Vec<StringCacheGuard>,
}

impl Workers {
    /// `None` where no other thread can help.
    pub(crate) fn new() -> Option<Workers> {
        let threads = workers::count();
        if threads < 2 || !Workers::are_free() {
            return None;
        }
        let caches: Vec<_> = (0..threads).map_while(|_| string_cache::acquire()).collect();
        (!caches.is_empty()).then_some(Workers { caches })
    }

    /// Whether other threads may be free.
    #[inline]
    pub(crate) fn are_free() -> bool {
        workers::are_free()
    }

    fn slots(&mut self) -> WorkerSlots<'_> {
        WorkerSlots(Mutex::new(FreeSlots { caches: self.caches.iter_mut(), taken: 0 }))
    }

    /// Lets all threads take parts from `cut`, each with a number of places, until there are no more. `work` gets the
    /// part, its places, and a cache that no other thread has.
    ///
    /// # Errors
    /// What `work` says of the first part that failed; none that was cut behind it is begun then.
    pub(crate) fn work<'a, P, E: Send>(
        &'a mut self,
        cut: impl FnMut() -> Option<(P, usize)> + Send,
        work: impl Fn(P, Range<usize>, Option<&'a StringCache>) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        let queue = WorkQueue::new(cut);
        let slots = self.slots();
        let run = || {
            let (_, cache) = slots.take();
            queue.work(|part, places| {
                workers::count_part();
                work(part, places, cache)
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
        work: impl Fn(P, usize, Option<&'a StringCache>) -> R + Sync,
        take: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        let queue = OrderedQueue::new(cut);
        let slots = self.slots();
        let counted = |cache| {
            let work = &work;
            move |part, count| {
                workers::count_part();
                work(part, count, cache)
            }
        };
        let run = || queue.work_and_take(counted(slots.take().1), take);
        workers::with_help(run, || {
            let (number, cache) = slots.take();
            // Another thread could only wait for the one that takes.
            if number < ORDERED_WINDOW {
                queue.help(counted(cache));
            }
        })
    }
}

/// What the threads take when they come.
struct WorkerSlots<'a>(Mutex<FreeSlots<'a>>);

struct FreeSlots<'a> {
    caches: slice::IterMut<'a, StringCacheGuard>,
    taken: usize,
}

impl<'a> WorkerSlots<'a> {
    /// The number of the thread, and a cache that no other one gets, if there are enough.
    fn take(&self) -> (usize, Option<&'a StringCache>) {
        let mut free = spin_lock(&self.0);
        let number = free.taken;
        free.taken += 1;
        let cache = free.caches.next();
        (number, cache.and_then(|cache| cache.as_ref()))
    }
}
