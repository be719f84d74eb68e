//! Working on many files: threads share them, what is printed comes in their order.

use std::convert::Infallible;

use rayon::prelude::*;

use crate::output::progress::Progress;
use crate::walk::{Problem, Target};

/// So many files are worked on before what was found is printed: output appears early, and memory
/// stays bounded.
const BATCH: usize = 1024;

/// As [`in_batches`], for work that may fail: that is reported in its place, and counted.
pub(crate) fn in_batches_that_may_fail<T: Send>(
    targets: &[Target],
    progress: &Progress,
    work: impl Fn(&Target) -> Result<T, Problem> + Sync,
    mut print: impl FnMut(T),
) -> usize {
    let mut failed = 0;
    let Ok(()) = in_batches(targets, progress, work, |done| {
        match done {
            Ok(done) => print(done),
            Err(problem) => {
                failed += 1;
                problem.report();
            }
        }
        Ok::<(), Infallible>(())
    });
    failed
}

/// Lets threads do `work` for all targets, and hands what comes of it to `print` in their order, until
/// that fails.
pub(crate) fn in_batches<T: Send, E>(
    targets: &[Target],
    progress: &Progress,
    work: impl Fn(&Target) -> T + Sync,
    mut print: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    progress.set_files(targets.len());
    let work = |target| {
        let done = work(target);
        progress.file_done();
        done
    };
    for batch in targets.chunks(BATCH) {
        let done: Vec<T> = batch.par_iter().map(work).collect();
        progress.above(|| done.into_iter().try_for_each(&mut print))?;
    }
    Ok(())
}
