//! The crate's own files: clean ones have no diagnostic, the others those in their first line
//! (`; FINDS line:column CODE, …`). Put a file into the folder to test it.

use std::fs;
use std::path::{Path, PathBuf};

use godot_tscn::{Applicability, LineIndex, LintOptions};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(folder);
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

/// The diagnostics as `line:column CODE`.
fn diagnostics_of(path: &Path, text: &[u8]) -> Vec<String> {
    let index = LineIndex::new(text);
    let report = godot_tscn::lint(text, &LintOptions::for_path(path.to_str().unwrap()));
    report
        .diagnostics
        .iter()
        .map(|diagnostic| {
            let position = index.position(diagnostic.span.start);
            format!("{}:{} {}", position.line, position.column, diagnostic.code)
        })
        .collect()
}

#[test]
fn clean_files_have_no_finding() {
    for path in files("clean") {
        let mut found = diagnostics_of(&path, &fs::read(&path).unwrap());
        // That comments vanish in the editor is said of every file that has one.
        found.retain(|found| !found.ends_with("STY006"));
        assert!(found.is_empty(), "{}: {found:?}", path.display());
    }
}

#[test]
fn findings_are_those_that_the_file_names() {
    for path in files("findings") {
        let text = fs::read_to_string(&path).unwrap();
        let expected = text.lines().next().unwrap().strip_prefix("; FINDS ").unwrap();
        assert_eq!(
            diagnostics_of(&path, text.as_bytes()).join(", "),
            expected,
            "{}",
            path.display()
        );
    }
}

#[test]
fn safe_fixes_leave_nothing_to_fix() {
    for path in files("findings").into_iter().chain(files("clean")) {
        let mut text = fs::read(&path).unwrap();
        for _ in 0..10 {
            let report = godot_tscn::lint(&text, &LintOptions::default());
            text = godot_tscn::apply_fixes(&text, &report.diagnostics, Applicability::Safe).text;
        }
        let rest = godot_tscn::lint(&text, &LintOptions::default()).diagnostics;
        let is_safe = |fix: &godot_tscn::Fix| fix.applicability == Applicability::Safe;
        assert!(!rest.iter().any(|rest| rest.fix.as_ref().is_some_and(is_safe)), "{rest:?}");
    }
}

#[test]
fn every_prefix_is_lossless_and_linted() {
    for path in files("findings").into_iter().chain(files("clean")) {
        let text = fs::read(&path).unwrap();
        for end in 0..=text.len() {
            let prefix = &text[..end];
            let joined: Vec<u8> = godot_tscn::tokens(prefix)
                .iter()
                .flat_map(|token| token.span.of(prefix))
                .copied()
                .collect();
            assert_eq!(joined, prefix);
            godot_tscn::lint(prefix, &LintOptions::default());
        }
    }
}
