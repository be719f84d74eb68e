//! What a profiler counted, by text and size.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::callgrind::{TRIGGER, dumps, line_after};

/// The work for one more byte may grow by so much, in percent, where the text doubles. What is linear stays at 100, what is
/// quadratic goes to 200; tables and lists that grow in steps come near to 130.
const MOST_PERCENT: u64 = 145;
/// The same for merges, which look for partners in rounds: how many there are grows with the text, up to a fixed number.
const MOST_PERCENT_OF_MERGE: u64 = 160;

/// The bytes of a text, and the instructions that a function took for it.
type Count = (u64, u64);

/// Compares the counts in the dumps of callgrind in a folder, `out.1` and so on: for each function one for each of the files,
/// in their order. Those called `leaf` are there to warm up. Prints what grows too fast, and how many did not and did.
pub(crate) fn compare(folder: &Path, files: &[PathBuf]) -> io::Result<bool> {
    let mut counts: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for dump in dumps(folder)? {
        // The last one is made at the end of the program.
        let Some(function) = line_after(&dump, TRIGGER) else { continue };
        let count = line_after(&dump, "summary: ").and_then(|count| count.parse().ok());
        counts.entry(function.to_owned()).or_default().push(count.expect("a dump has a summary"));
    }
    assert!(!counts.is_empty(), "no function was counted");
    let (mut passed, mut failed) = (0, 0);
    for (function, counts) in counts {
        assert_eq!(counts.len(), files.len(), "{function} was not called once for each file");
        let mut by_shape: BTreeMap<&str, Vec<Count>> = BTreeMap::new();
        for (file, count) in files.iter().zip(counts) {
            let shape = file.file_stem().expect("it has a name");
            let shape = shape.to_str().expect("our own names are UTF-8");
            by_shape.entry(shape).or_default().push((fs::metadata(file)?.len(), count));
        }
        by_shape.remove("leaf");
        for (shape, counts) in by_shape {
            let [small, middle, large] = counts[..] else { panic!("{shape} has not three sizes") };
            let percent = growth(small, middle, large);
            let is_merge = function.ends_with("merge_all");
            let is_linear = percent <= if is_merge { MOST_PERCENT_OF_MERGE } else { MOST_PERCENT };
            (passed, failed) = (passed + u32::from(is_linear), failed + u32::from(!is_linear));
            if !is_linear {
                println!(
                    "FAIL: {function} for {shape}: {} instructions for {} bytes, {} for {}, {} for {}: each byte \
                     takes {percent} % where the text doubles",
                    small.1, small.0, middle.1, middle.0, large.1, large.0
                );
            }
        }
    }
    println!("{passed} passed, {failed} failed, 0 skipped");
    Ok(failed == 0)
}

/// The instructions for each byte between the middle and the large text, in percent of those that a byte takes before: between
/// the small and the middle one, or in the small one, whichever is more.
fn growth(small: Count, middle: Count, large: Count) -> u64 {
    /// What is less is noise.
    const LEAST: u64 = 100;
    let per_byte = |less: Count, more: Count| {
        more.1.saturating_sub(less.1) / more.0.saturating_sub(less.0).max(1)
    };
    let before = per_byte((0, 0), small).max(per_byte(small, middle)).max(LEAST);
    100 * per_byte(middle, large) / before
}
