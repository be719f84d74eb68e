//! Work on many files: threads share it, and the results are printed in the order of the files.

use std::convert::Infallible;

use rayon::prelude::*;

use crate::inputs::{Input, Problem};
use crate::output::progress::Progress;

/// How many files are worked on before their results are printed: output appears early, and memory stays bounded.
const BATCH: usize = 1024;

/// As [`in_batches`], for work that may fail. Reports failures between the results, and returns how many there were.
pub(crate) fn in_batches_fallible<T: Send>(
    inputs: &[Input],
    progress: &Progress,
    work: impl Fn(&Input) -> Result<T, Problem> + Sync,
    mut print: impl FnMut(T),
) -> usize {
    let mut failed = 0;
    let Ok(()) = in_batches(inputs, progress, work, |done| {
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

/// Does `work` for all inputs on several threads, and passes the results to `print` in the order of the inputs, until
/// `print` fails.
pub(crate) fn in_batches<T: Send, E>(
    inputs: &[Input],
    progress: &Progress,
    work: impl Fn(&Input) -> T + Sync,
    mut print: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    progress.set_files(inputs.len());
    let work = |input| {
        let done = work(input);
        progress.file_done();
        done
    };
    for batch in inputs.chunks(BATCH) {
        let done: Vec<T> = batch.par_iter().map(work).collect();
        progress.above(|| done.into_iter().try_for_each(&mut print))?;
    }
    Ok(())
}
