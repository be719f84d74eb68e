//! A lock that is seldom held for long.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use crate::tuning::{LOCK_SPINS, SPINS_BEFORE_YIELD};

/// Locks a mutex that is seldom held for long: to sleep until it is free would take longer than to spin.
///
/// A poisoned mutex is locked like any other one: the panic is reported where it happened.
pub fn spin_lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    for _ in 0..LOCK_SPINS {
        match mutex.try_lock() {
            Ok(guard) => return guard,
            Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => wait_a_moment(),
        }
    }
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// And longer if another thread could use this core.
fn wait_a_moment() {
    for _ in 0..SPINS_BEFORE_YIELD {
        std::hint::spin_loop();
    }
    std::thread::yield_now();
}
