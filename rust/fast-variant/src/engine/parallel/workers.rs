//! The threads that work on one call.
//!
//! Our own pool: rayon's global one could never be stopped, and a library that is unloaded while
//! its threads still run ends the process.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use engine_kernels::spin_lock;
use engine_kernels::tuning::{COUNTED_THREADS, WORKER_STACK_LEN};
use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};

use crate::threads::Thread;

static POOL: Mutex<Pool> = Mutex::new(Pool { is_open: false, pool: None, threads: Vec::new() });

#[derive(Default)]
struct Pool {
    /// There may be threads.
    is_open: bool,
    pool: Option<Arc<ThreadPool>>,
    threads: Vec<Thread<()>>,
}

/// Runs `work` in the pool, which is started if necessary; without a pool, right here.
pub(crate) fn install<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let _busy = Busy::new();
    match pool() {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// Runs `work` here, while the other cores run `help`. Returns when all of them are done.
pub(crate) fn with_help<R>(work: impl FnOnce() -> R, help: impl Fn() + Sync) -> R {
    let Some(pool) = pool() else { return work() };
    let _busy = Busy::new();
    pool.in_place_scope(|scope| {
        for _ in 1..pool.current_num_threads() {
            scope.spawn(|_| help());
        }
        work()
    })
}

/// Works on all items, here and on the other cores, until `work` breaks for one. Items that other threads have begun by then
/// are finished.
pub(crate) fn try_for_each<T>(
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> ControlFlow<()> + Sync,
) -> ControlFlow<()> {
    let items = Mutex::new(items.fuse());
    let is_broken = AtomicBool::new(false);
    let next = || {
        let mut items = spin_lock(&items);
        items.next().filter(|_| !is_broken.load(Ordering::Relaxed))
    };
    let run = || {
        while let Some(item) = next() {
            count_part();
            if work(item).is_break() {
                is_broken.store(true, Ordering::Relaxed);
            }
        }
    };
    with_help(run, run);
    if is_broken.into_inner() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Whether the threads have nothing to do. A call that asks for help while they have waits until they come.
pub(crate) fn are_free() -> bool {
    BUSY.load(Ordering::Relaxed) == 0
}

/// A call that the threads work on.
struct Busy;

static BUSY: AtomicUsize = AtomicUsize::new(0);

impl Busy {
    fn new() -> Busy {
        BUSY.fetch_add(1, Ordering::Relaxed);
        Busy
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        BUSY.fetch_sub(1, Ordering::Relaxed);
    }
}

/// How many threads work on one call.
pub(crate) fn count() -> usize {
    pool().map_or(1, |pool| pool.current_num_threads())
}

/// How many parts each of the threads has worked on, by the number of the thread. Each has its own cache
/// lines.
static PARTS: [Count; COUNTED_THREADS] = [const { Count(AtomicU64::new(0)) }; COUNTED_THREADS];

#[repr(align(128))]
struct Count(AtomicU64);

/// Counts a part of a value, or a value of many, that is about to be worked on, if it is by one of the threads.
#[inline]
pub(crate) fn count_part() {
    if let Some(Count(parts)) = rayon::current_thread_index().and_then(|index| PARTS.get(index)) {
        parts.fetch_add(1, Ordering::Relaxed);
    }
}

/// How many parts each of the threads has worked on so far.
pub(crate) fn parts() -> impl Iterator<Item = u64> {
    PARTS.iter().take(count()).map(|Count(parts)| parts.load(Ordering::Relaxed))
}

/// Frees values that a call no longer needs, parallel to the next work.
pub(crate) fn discard<T: Send + 'static>(value: T) {
    if let Some(pool) = pool() {
        pool.spawn(move || drop(value));
    }
}

/// The pool, which is made when it is first asked for.
fn pool() -> Option<Arc<ThreadPool>> {
    let mut workers = lock(&POOL);
    if workers.pool.is_none() && workers.is_open {
        let Pool { pool, threads, .. } = &mut *workers;
        let start = |thread: ThreadBuilder| {
            let name = format!("fast_variant {}", thread.index());
            let builder = thread::Builder::new().name(name).stack_size(WORKER_STACK_LEN);
            threads.push(Thread::spawn(builder, || thread.run())?);
            Ok(())
        };
        *pool = ThreadPoolBuilder::new().spawn_handler(start).build().ok().map(Arc::new);
    }
    workers.pool.clone()
}

/// From now on there may be threads.
pub(crate) fn open() {
    lock(&POOL).is_open = true;
}

/// Stops the threads and waits until they are gone, or the time is over. From now on, the pool has no threads.
pub(crate) fn shut_down(deadline: Instant) {
    let before = std::mem::take(&mut *lock(&POOL));
    // They end when the last call that uses the pool is done.
    drop(before.pool);
    for thread in before.threads {
        thread.join_until(deadline);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn there_are_threads_from_open_to_shut_down() {
        let _alone = crate::threads::alone();
        let sum = || {
            let sum = AtomicUsize::new(0);
            let outcome = try_for_each(0..100, |item| {
                sum.fetch_add(item, Ordering::Relaxed);
                ControlFlow::Continue(())
            });
            assert!(outcome.is_continue());
            sum.into_inner()
        };
        assert_eq!((sum(), count()), (4950, 1), "all by the caller's thread");
        for _ in 0..3 {
            open();
            assert_eq!(sum(), 4950);
            assert!(install(rayon::current_thread_index).is_some());
            assert!(!lock(&POOL).threads.is_empty());
            shut_down(Instant::now() + Duration::from_secs(60));
            assert!(lock(&POOL).threads.is_empty());
            assert_eq!(install(rayon::current_thread_index), None);
        }
    }

    #[test]
    fn a_break_is_reported() {
        let work =
            |item| if item < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        assert!(try_for_each(0..100, work).is_break());
    }
}
