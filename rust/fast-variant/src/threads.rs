//! The threads of the library.
//!
//! The engine unloads the library when it ends, or reloads it. A thread that runs then would run code that is gone, and one
//! that has reported its end still has its last instructions before it. So each is joined, and counted until it is: as long as
//! there is one, the library stays (`entry.rs`).

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle, Result, sleep};
use std::time::{Duration, Instant};

/// How many threads were started and may still run.
static UNJOINED: AtomicUsize = AtomicUsize::new(0);
/// Those whose work is no longer wanted, and that cannot be stopped.
static ABANDONED: Mutex<Vec<Thread<()>>> = Mutex::new(Vec::new());

/// Whether there may be threads that run.
pub(crate) fn are_left() -> bool {
    UNJOINED.load(Ordering::SeqCst) > 0
}

/// A thread. Unless it is joined, the library is never unloaded.
pub(crate) struct Thread<T>(JoinHandle<T>);

impl<T: Send + 'static> Thread<T> {
    /// Starts a thread that runs `work`.
    ///
    /// # Errors
    /// The system has no more threads.
    pub(crate) fn spawn(
        builder: Builder,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> io::Result<Thread<T>> {
        UNJOINED.fetch_add(1, Ordering::SeqCst);
        builder.spawn(work).map(Thread).inspect_err(|_| {
            UNJOINED.fetch_sub(1, Ordering::SeqCst);
        })
    }

    /// Starts a thread with this name, if there are any.
    #[cfg(any(feature = "editor", test))]
    pub(crate) fn named(
        name: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<Thread<T>> {
        Thread::spawn(Builder::new().name(name.to_owned()), work).ok()
    }

    /// Whether its work is done.
    pub(crate) fn is_finished(&self) -> bool {
        self.0.is_finished()
    }

    /// Waits until the thread is gone.
    ///
    /// # Errors
    /// What it panicked with.
    pub(crate) fn join(self) -> Result<T> {
        let result = self.0.join();
        UNJOINED.fetch_sub(1, Ordering::SeqCst);
        result
    }

    /// Waits until the thread is gone, or the time is over.
    pub(crate) fn join_until(self, deadline: Instant) {
        const STEP: Duration = Duration::from_micros(100);
        while !self.is_finished() {
            if Instant::now() >= deadline {
                return;
            }
            sleep(STEP);
        }
        // A panic has been reported where it happened.
        let _ = self.join();
    }
}

/// Lets a thread go on whose work is no longer wanted, without waiting for it.
pub(crate) fn abandon(thread: Thread<()>) {
    let mut abandoned = abandoned();
    let (ended, running) = abandoned.drain(..).partition(Thread::is_finished);
    *abandoned = running;
    abandoned.push(thread);
    drop(abandoned);
    let ended: Vec<Thread<()>> = ended;
    for thread in ended {
        let _ = thread.join();
    }
}

/// Waits for the abandoned threads, or until the time is over.
pub(crate) fn join_abandoned(deadline: Instant) {
    let left = std::mem::take(&mut *abandoned());
    for thread in left {
        thread.join_until(deadline);
    }
}

fn abandoned() -> MutexGuard<'static, Vec<Thread<()>>> {
    ABANDONED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// For tests that start threads: there is one count.
#[cfg(test)]
pub(crate) fn alone() -> std::sync::MutexGuard<'static, ()> {
    static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn only_joined_threads_are_gone() {
        let _alone = alone();
        assert!(!are_left());
        let thread = Thread::named("returns", || 7).expect("a thread");
        assert!(are_left());
        assert_eq!(thread.join().expect("it does not panic"), 7);
        assert!(!are_left());

        let panics = Thread::named("panics", || panic!("as it should")).expect("a thread");
        let _: Result<()> = panics.join();
        assert!(!are_left(), "one that panicked is gone, too");

        let (end, ended) = mpsc::channel::<()>();
        let waits = Thread::named("waits", move || {
            let _ = ended.recv();
        })
        .expect("a thread");
        waits.join_until(Instant::now());
        assert!(are_left(), "it did not end in time");
        drop(end);
        assert!(are_left(), "nobody knows whether it has ended");
        UNJOINED.store(0, Ordering::SeqCst);

        let (end, ended) = mpsc::channel::<()>();
        let waits = Thread::named("abandoned", move || {
            let _ = ended.recv();
        })
        .expect("a thread");
        abandon(waits);
        assert!(are_left(), "it goes on");
        drop(end);
        join_abandoned(Instant::now() + Duration::from_secs(60));
        assert!(!are_left(), "it was waited for");
    }
}
