//! Fingerprints, by which services recognise a diagnostic from one run to the next, though lines move.

use std::collections::HashMap;

use crate::output::FileDiagnostics;
use crate::output::place::relative;

/// How many bytes of a line count: lines of packed arrays may have megabytes.
const LINE_LIMIT: usize = 512;

/// A fingerprint for each diagnostic of a file, in their order: 16 hexadecimal digits.
///
/// It is a hash of the file's path, the rule and the content of the line. So it stays the same when other lines are
/// added or removed. Diagnostics with the same hash are numbered.
pub(crate) fn fingerprints(file: &FileDiagnostics<'_>) -> Vec<String> {
    let path = relative(file.path);
    let mut counts: HashMap<u64, u32> = HashMap::new();
    let fingerprint = |diagnostic: &godot_tscn::Diagnostic| {
        let line = &file.text[file.index().line_start(diagnostic.span.start) as usize..];
        let line = &line[..line.len().min(LINE_LIMIT)];
        let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii();
        let parts = [path.as_bytes(), diagnostic.code.as_bytes(), line];
        let first = hash(&parts.join(&0));
        let count = counts.entry(first).or_default();
        *count += 1;
        let hash = if *count == 1 { first } else { hash(format!("{first} {count}").as_bytes()) };
        format!("{hash:016x}")
    };
    file.diagnostics.iter().map(fingerprint).collect()
}

/// Version 3 of the hash is the same on all machines, for ever.
fn hash(bytes: &[u8]) -> u64 {
    rapidhash::v3::rapidhash_v3(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use godot_tscn::LintOptions;

    fn of(text: &str) -> Vec<String> {
        let report = godot_tscn::lint(text.as_bytes(), &LintOptions::for_path("a.tscn"));
        fingerprints(&FileDiagnostics::new("a.tscn", text.as_bytes(), &report.diagnostics))
    }

    #[test]
    fn lines_may_move_and_equal_findings_differ() {
        let broken = "x = True\nx = True\n";
        let head = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n";
        let first = of(&format!("{head}{broken}"));
        assert!(first.len() > 2, "{first:?}");
        let moved = of(&format!("\n\n\n{head}y = 1\n{broken}"));
        assert_eq!(first, moved);
        let mut unique = first.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), first.len());
        assert!(first.iter().all(|print| print.len() == 16));
    }
}
