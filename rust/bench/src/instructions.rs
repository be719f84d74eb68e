//! The paths that people use most, each with an input of its own.
//!
//! `scripts/bench.sh instructions` runs this under callgrind once for each path, and collects only what happens in [`measured`]:
//! neither the making of the input nor the freeing of the result. The counts depend on the code and the compiler alone, not on
//! the machine nor on what else it does.
//!
//! No harness of a library: the one that drives callgrind (gungraun) brings more crates than the whole workspace has, and a
//! runner that has to be installed.

mod codec;
mod o3de;
mod project;
mod stored;
mod texts;
mod workloads;

use std::hint::black_box;
use std::io;

pub(crate) use self::project::write as write_project;
pub(crate) use self::stored::compare;

/// What can be measured.
pub(crate) struct Path {
    pub(crate) name: String,
    run: Box<dyn Fn() -> usize>,
}

impl Path {
    /// `run` makes the input, calls [`measured`] once, checks the result and says how many bytes it was about.
    fn new(name: impl Into<String>, run: impl Fn() -> usize + 'static) -> Self {
        Self { name: name.into(), run: Box::new(run) }
    }
}

pub(crate) fn all() -> Vec<Path> {
    let mut all = codec::paths();
    all.extend(texts::paths());
    all.extend(o3de::paths());
    all.extend(project::paths());
    all
}

/// Takes the path of that name and prints how many bytes it was about.
pub(crate) fn run(name: &str) -> io::Result<()> {
    let all = all();
    let path = all.iter().find(|path| path.name == name).ok_or_else(|| {
        let message = format!("`{name}` is not a valid path; `bench instructions list` prints all");
        io::Error::new(io::ErrorKind::InvalidInput, message)
    })?;
    println!("{}", (path.run)());
    Ok(())
}

/// Callgrind starts to count when this is entered, and writes down the counts when it is left. It finds it by its name.
#[inline(never)]
fn measured<T>(work: impl FnOnce() -> T) -> T {
    black_box(work())
}
