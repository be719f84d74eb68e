//! The library of the example `kept`, which tests load.

#![allow(unreachable_pub, reason = "each file of tests has a copy")]

use std::path::{Path, PathBuf};
use std::{env, fs};

/// A copy, because changes of a library affect the whole process.
pub fn library(name: &str) -> PathBuf {
    let test = env::current_exe().expect("a path");
    let built = test.ancestors().nth(2).expect("the profile's folder").join("examples/libkept.so");
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lib{name}.so"));
    fs::copy(&built, &copy).unwrap_or_else(|error| panic!("{}: {error}", built.display()));
    copy
}
