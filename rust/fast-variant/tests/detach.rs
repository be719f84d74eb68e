//! A library that has let go of its file goes on when the file is overwritten; one that has not, takes the process with it.
#![cfg(target_os = "linux")]
#![allow(unsafe_code)]

mod common;

use std::ffi::{CStr, CString, c_void};
use std::fs::{self, OpenOptions};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::{env, mem, ptr};

use common::library;

/// The first output of the process of [`overwrites`].
const LETS_GO: &str = "FAST_VARIANT_TEST_LETS_GO";
const TABLE_SUM: u64 = 7 << 20;
const COUNT: u64 = 1 << 16;

fn symbol(handle: *mut c_void, name: &CStr) -> *mut c_void {
    // SAFETY: the handle is that of a library that is loaded.
    let symbol = unsafe { libc::dlsym(handle, name.as_ptr()) };
    assert_ne!(symbol, ptr::null_mut(), "{name:?} is there");
    symbol
}

/// Not a test by itself: the next ones run it in a separate process.
#[test]
fn overwrites() {
    let Ok(lets_go) = env::var(LETS_GO) else { return };
    let library = library(&format!("overwritten_{lets_go}"));
    let path = CString::new(library.to_str().expect("a path of text")).expect("no NUL");
    // SAFETY: the library has no initialisers, and its functions are of these types.
    unsafe {
        let handle = libc::dlopen(path.as_ptr(), libc::RTLD_NOW);
        assert_ne!(handle, ptr::null_mut(), "{} can be loaded", library.display());
        let let_go: extern "C" fn() -> bool = mem::transmute(symbol(handle, c"let_go"));
        let use_memory: extern "C" fn() -> u64 = mem::transmute(symbol(handle, c"use_memory"));
        assert_eq!(use_memory(), TABLE_SUM + 3 * COUNT);
        if lets_go == "yes" {
            assert!(let_go() && let_go(), "it can be done, and twice");
            let maps = fs::read_to_string("/proc/self/maps").expect("it can be read");
            let left: Vec<_> =
                maps.lines().filter(|line| line.contains("overwritten_yes")).collect();
            assert!(left.iter().all(|line| line.contains(" ---p ")), "{left:#?}");
        }
        // As programs do that write into the file that is there.
        let file = OpenOptions::new().write(true).truncate(true).open(&library).expect("it opens");
        assert_eq!(use_memory(), TABLE_SUM + 4 * COUNT, "what was written before is there");
        drop(file);
        fs::write(&library, vec![0xcc; 4 << 20]).expect("is written");
        assert_eq!(use_memory(), TABLE_SUM + 5 * COUNT);
        assert_eq!(libc::dlclose(handle), 0);
    }
}

/// The signal with which the process ended, if it did.
fn signal_of_overwriting(lets_go: &str) -> Option<i32> {
    let status = Command::new(env::current_exe().expect("this program"))
        .args(["--exact", "overwrites"])
        .env(LETS_GO, lets_go)
        .stdout(Stdio::null())
        .status()
        .expect("a process");
    assert!(status.success() || status.signal().is_some(), "{status}");
    status.signal()
}

#[test]
fn what_has_let_go_survives() {
    assert_eq!(signal_of_overwriting("yes"), None);
}

#[test]
fn what_has_not_crashes() {
    assert_eq!(signal_of_overwriting("no"), Some(libc::SIGBUS));
}
