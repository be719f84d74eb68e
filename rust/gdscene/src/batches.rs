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
    let Ok(()) = in_batches(
        inputs,
        progress,
        |_, input| work(input),
        |done| {
            match done {
                Ok(done) => print(done),
                Err(problem) => {
                    failed += 1;
                    problem.report();
                }
            }
            Ok::<(), Infallible>(())
        },
    );
    failed
}

/// Does `work` for all inputs and their numbers on several threads. Passes the results to `print` in the order of the inputs, until
/// `print` fails.
pub(crate) fn in_batches<T: Send, E>(
    inputs: &[Input],
    progress: &Progress,
    work: impl Fn(usize, &Input) -> T + Sync,
    mut print: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    progress.set_files(inputs.len());
    let work = |(number, input)| {
        let done = work(number, input);
        progress.file_done();
        done
    };
    for (first, batch) in
        inputs.chunks(BATCH).enumerate().map(|(index, batch)| (index * BATCH, batch))
    {
        let numbered = batch.par_iter().enumerate().map(|(index, input)| (first + index, input));
        let done: Vec<T> = numbered.map(work).collect();
        progress.above(|| done.into_iter().try_for_each(&mut print))?;
    }
    Ok(())
}
