//! Work on many files: threads share it, and the results are printed in the order of the files.

use std::convert::Infallible;

use rayon::prelude::*;

use crate::output::progress::Progress;
use crate::walk::{Problem, Target};

/// How many files are worked on before their results are printed: output appears early, and memory stays bounded.
const BATCH: usize = 1024;

/// As [`in_batches`], for work that may fail. Reports failures between the results, and returns how many there were.
pub(crate) fn in_batches_fallible<T: Send>(
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

/// Does `work` for all targets on several threads, and passes the results to `print` in the order of the targets, until
/// `print` fails.
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
