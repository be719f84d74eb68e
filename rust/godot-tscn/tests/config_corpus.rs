//! The settings files of real projects: the corpus.

use std::fs;

use godot_tscn::{LineIndex, LintOptions, Severity};
use testkit::shared::require_shared;

/// Godot 2's `project.godot`. It is in a grammar of its own, in which only the tokens are the same.
const GODOT_2: &str = "engine.cfg";

/// What is doubtful in them.
const WARNINGS: &[&str] = &[];

#[test]
fn every_settings_file_is_read_without_loss_and_error() {
    let Some(corpus) = require_shared("corpus") else { return };
    let (mut folders, mut wrong, mut warnings) = (vec![corpus.clone()], Vec::new(), Vec::new());
    let (mut count, mut linted, mut godot_2) = (0, 0, 0);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let extension = path.extension().and_then(|extension| extension.to_str());
            if !matches!(extension, Some("godot" | "import" | "gdextension" | "cfg")) {
                continue;
            }
            let text = fs::read(&path).unwrap();
            let joined: Vec<u8> = godot_tscn::config_tokens(&text)
                .iter()
                .flat_map(|token| token.span.of(&text))
                .copied()
                .collect();
            assert_eq!(joined, text, "{}", path.display());
            count += 1;
            let name = path.strip_prefix(&corpus).unwrap().display().to_string();
            if name.ends_with(GODOT_2) {
                godot_2 += 1;
                continue;
            }
            linted += usize::from(godot_tscn::is_config_path(&name));
            let report = godot_tscn::lint_config(&text, &LintOptions::for_path(&name));
            for found in report.diagnostics {
                let line = LineIndex::new(&text).position(found.span.start).line;
                let diagnostic = format!("{name}:{line} {}", found.code);
                match found.severity {
                    Severity::Error => wrong.push(format!("{diagnostic} {}", found.message)),
                    _ => warnings.push(diagnostic),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    warnings.sort();
    assert_eq!(warnings, WARNINGS);
    // Every file but Godot 2's is checked by its path, too.
    assert_eq!((count, linted, godot_2), (3246, 3156, 90));
}
