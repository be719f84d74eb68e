//! A library that keeps itself in memory stays there when it is unloaded, and its code can be called; one that does not, is gone.
#![cfg(target_os = "linux")]
#![allow(unsafe_code)]

mod common;

use std::ffi::CString;
use std::path::Path;
use std::{fs, mem, ptr};

use common::library;

fn is_in_memory(library: &Path) -> bool {
    let maps = fs::read_to_string("/proc/self/maps").expect("it can be read");
    maps.contains(library.to_str().expect("a path of text"))
}

/// Loads and unloads it, and calls `keep` in between, if it is to.
fn load_and_unload(library: &Path, keeps: bool) -> unsafe extern "C" fn() -> bool {
    let path = CString::new(library.to_str().expect("a path of text")).expect("no NUL");
    // SAFETY: the library has no initialisers, and `keep` is of this type.
    unsafe {
        let handle = libc::dlopen(path.as_ptr(), libc::RTLD_NOW);
        assert_ne!(handle, ptr::null_mut(), "{} can be loaded", library.display());
        let keep = libc::dlsym(handle, c"keep".as_ptr());
        assert_ne!(keep, ptr::null_mut(), "there is `keep`");
        let keep = mem::transmute::<*mut libc::c_void, unsafe extern "C" fn() -> bool>(keep);
        assert!(is_in_memory(library));
        assert!(!keeps || keep(), "it can be kept");
        assert_eq!(libc::dlclose(handle), 0);
        keep
    }
}

#[test]
fn what_is_kept_stays() {
    let library = library("kept_once");
    let keep = load_and_unload(&library, true);
    assert!(is_in_memory(&library));
    // SAFETY: the code is there.
    assert!(unsafe { keep() }, "its code still runs");
}

#[test]
fn what_is_not_kept_goes() {
    let library = library("not_kept");
    load_and_unload(&library, false);
    assert!(!is_in_memory(&library));
}
