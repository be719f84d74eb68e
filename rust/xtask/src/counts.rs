//! How many tests passed, failed and were skipped, read from what programs print.

use std::ops::AddAssign;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) skipped: usize,
}

impl Counts {
    /// The last line `N passed, N failed, N skipped`.
    pub(crate) fn of_script(output: &str) -> Option<Self> {
        output.lines().rev().find_map(|line| {
            let mut numbers = [0; 3];
            let mut parts = line.split(", ");
            for (number, what) in numbers.iter_mut().zip([" passed", " failed", " skipped"]) {
                *number = parts.next()?.strip_suffix(what)?.parse().ok()?;
            }
            parts.next().is_none().then_some(Self {
                passed: numbers[0],
                failed: numbers[1],
                skipped: numbers[2],
            })
        })
    }

    /// The sum of all lines `test result: ok. 12 passed; 0 failed; 3 ignored; ...`.
    ///
    /// A test that lacks data prints a line `SKIPPED: ...`. Cargo counts it as passed; it counts as skipped here.
    pub(crate) fn of_cargo(output: &str) -> Self {
        let mut sum = Self::default();
        for line in output.lines().filter(|line| line.starts_with("test result: ")) {
            let words: Vec<_> = line.split_whitespace().collect();
            let number = |what: &str| {
                let place = words.iter().position(|word| *word == what);
                place.and_then(|place| words[place.checked_sub(1)?].parse().ok()).unwrap_or(0)
            };
            sum += Self {
                passed: number("passed;"),
                failed: number("failed;"),
                skipped: number("ignored;"),
            };
        }
        let without_data = output.lines().filter(|line| line.starts_with("SKIPPED: ")).count();
        sum.passed = sum.passed.saturating_sub(without_data);
        sum.skipped += without_data;
        sum
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

#[cfg(test)]
mod tests {
    use super::Counts;

    fn counts(passed: usize, failed: usize, skipped: usize) -> Counts {
        Counts { passed, failed, skipped }
    }

    #[test]
    fn the_last_line_of_a_script_counts() {
        assert_eq!(
            Counts::of_script(
                "1 passed, 0 failed, 0 skipped\nok\n12 passed, 3 failed, 4 skipped\n"
            ),
            Some(counts(12, 3, 4))
        );
        for text in [
            "",
            "12 passed, 3 failed",
            "12 passed, 3 failed, 4 skipped, 5 s",
            "a passed, 3 failed, 4 skipped",
        ] {
            assert_eq!(Counts::of_script(text), None, "{text}");
        }
    }

    #[test]
    fn cargos_lines_are_summed_and_tests_without_data_are_skipped() {
        let output = "test result: ok. 10 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
                      SKIPPED: no data\n\
                      test result: FAILED. 2 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s\n";
        assert_eq!(Counts::of_cargo(output), counts(11, 3, 2));
        assert_eq!(Counts::of_cargo("error: could not compile\n"), counts(0, 0, 0));
    }
}
