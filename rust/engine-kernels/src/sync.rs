//! Locks and atomic numbers: those of the standard library, or loom's in its tests.

#[cfg(not(all(loom, test)))]
pub(crate) use std::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

#[cfg(all(loom, test))]
pub(crate) use loom::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

/// Locks a mutex that is seldom held for long: to sleep until it is free would take longer than to spin.
///
/// A poisoned mutex is locked like any other one: the panic is reported where it happened.
#[cfg(not(all(loom, test)))]
pub fn spin_lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    use std::sync::{PoisonError, TryLockError};

    use crate::tuning::LOCK_SPINS;

    for _ in 0..LOCK_SPINS {
        match mutex.try_lock() {
            Ok(guard) => return guard,
            Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => spin_wait(),
        }
    }
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Loom has a thread that spins try again without end.
#[cfg(all(loom, test))]
pub fn spin_lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no test panics while it holds a lock")
}

/// Waits a moment, and longer if another thread could use this core.
#[cfg(not(all(loom, test)))]
pub fn spin_wait() {
    for _ in 0..crate::tuning::SPINS_BEFORE_YIELD {
        std::hint::spin_loop();
    }
    std::thread::yield_now();
}

/// Lets loom run another thread.
#[cfg(all(loom, test))]
pub fn spin_wait() {
    loom::thread::yield_now();
}
