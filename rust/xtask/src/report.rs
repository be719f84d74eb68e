//! What a person reads of a run.

use std::io::Write;

use crate::{
    counts::Counts,
    run::{Outcome, read_log},
};

/// Words of lines that say why a test failed.
const FAILURES: [&str; 2] = ["FAIL", "panicked at"];
/// Words of lines that can say why a step failed. Steps that pass print such lines too.
const HINTS: [&str; 6] = ["error:", "error[", "ERROR", "did not", "differ", "Error:"];
/// How many lines of a failed step the end of a run repeats: lines with a reason, and last lines.
const SHOWN_REASONS: usize = 20;
const SHOWN_LAST_LINES: usize = 15;
const LONGEST_LINE: usize = 300;

/// Prints the line of a step that has ended.
pub(crate) fn line(number: usize, total: usize, outcome: &Outcome) {
    let Counts { passed, failed, skipped } = outcome.counts;
    let verdict = if outcome.is_ok { "ok" } else { "FAILED" };
    let (name, seconds) = (outcome.step.name, outcome.took.as_secs());
    eprintln!(
        "[{number:>2}/{total}] {name:<20} {verdict}: {passed} passed, {failed} failed, {skipped} skipped, {seconds} s"
    );
    for reason in skipped_tests(&read_log(&outcome.log)) {
        eprintln!("        {reason}");
    }
}

/// Prints why steps failed and the sum of all. Returns whether all tests passed.
pub(crate) fn print(outcomes: &[Outcome]) -> bool {
    let mut sum = Counts::default();
    for outcome in outcomes {
        sum += outcome.counts;
        if !outcome.is_ok {
            let output = read_log(&outcome.log);
            eprintln!("\n{}: {}", outcome.step.name, outcome.step.about);
            for line in reasons(&output) {
                eprintln!("    {line}");
            }
            eprintln!("    All that it printed: {}", outcome.log.display());
        }
    }
    println!("{} passed, {} failed, {} skipped", sum.passed, sum.failed, sum.skipped);
    // A closed pipe is no failure of a test.
    let _ = std::io::stdout().flush();
    sum.failed == 0 && sum.passed > 0
}

/// Lines `SKIPPED: reason`, each once, with how often it was printed.
fn skipped_tests(output: &str) -> Vec<String> {
    let mut reasons: Vec<(&str, usize)> = Vec::new();
    for reason in
        output.lines().filter_map(|line| line.find("SKIPPED: ").map(|place| &line[place..]))
    {
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, count)) => *count += 1,
            None => reasons.push((reason, 1)),
        }
    }
    reasons.into_iter().map(|(reason, count)| format!("{count} {}", shortened(reason))).collect()
}

/// The lines of a log that say why it failed, each once, failures first, and its last ones.
fn reasons(output: &str) -> Vec<String> {
    let lines: Vec<_> = output.lines().filter(|line| !line.trim().is_empty()).collect();
    let (first, last) = lines.split_at(lines.len().saturating_sub(SHOWN_LAST_LINES));
    let mut shown = Vec::new();
    for words in [&FAILURES[..], &HINTS[..]] {
        for line in first {
            let line = shortened(line);
            if shown.len() < SHOWN_REASONS
                && words.iter().any(|word| line.contains(word))
                && !line.ends_with("... ok")
                && !shown.contains(&line)
            {
                shown.push(line);
            }
        }
    }
    if !first.is_empty() {
        shown.push("...".to_owned());
    }
    shown.extend(last.iter().map(|line| shortened(line)));
    shown
}

fn shortened(line: &str) -> String {
    line.chars().take(LONGEST_LINE).collect()
}

#[cfg(test)]
mod tests {
    use super::{SHOWN_LAST_LINES, SHOWN_REASONS, reasons, skipped_tests};

    #[test]
    fn failures_come_before_hints_and_last_lines() {
        let mut output = "test a::differs ... ok\n".to_owned();
        output += &"ERROR: expected\n".repeat(2 * SHOWN_REASONS);
        output += "FAIL a: wrong\nfine\n";
        for number in 0..SHOWN_LAST_LINES {
            output += &format!("line {number}\n");
        }
        let shown = reasons(&output);
        assert_eq!(shown[..4], ["FAIL a: wrong", "ERROR: expected", "...", "line 0"]);
        assert_eq!(shown.len(), SHOWN_LAST_LINES + 3);
        assert_eq!(reasons("a\n\nb\n"), ["a", "b"]);
    }

    #[test]
    fn skipped_tests_are_counted_by_reason() {
        assert_eq!(
            skipped_tests("  SKIPPED: no data\nok\nSKIPPED: no data\n"),
            ["2 SKIPPED: no data"]
        );
    }
}
