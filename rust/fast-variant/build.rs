//! Lets the linker merge functions with the same compiled code, where it can: gdext makes one for each method of a class,
//! and many are alike. Each exported game carries the library.
//!
//! No function's address is compared here with that of another.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

const FOLD: &str = "link-arg=-Wl,--icf=all";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let is_here =
        variable("TARGET") == variable("HOST") && variable("TARGET").ends_with("linux-gnu");
    if is_here && variable("PROFILE") == "release" && linker_folds(Path::new(&variable("OUT_DIR")))
    {
        println!("cargo:rustc-cdylib-link-arg=-Wl,--icf=all");
    }
}

/// Whether the linker takes the option, as lld and mold do: seen by linking an empty library.
fn linker_folds(folder: &Path) -> bool {
    let (source, library) = (folder.join("empty.rs"), folder.join("empty.so"));
    if fs::write(&source, "").is_err() {
        return false;
    }
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(compiler);
    command.args(["--crate-type", "cdylib", "--crate-name", "empty", "-C", FOLD]);
    let output = command.arg("-o").arg(library).arg(source).output();
    output.is_ok_and(|output| output.status.success())
}
