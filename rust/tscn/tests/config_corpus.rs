//! The settings files of 35 open projects.

use std::fs;

use testkit::shared::require_shared;

/// Godot 2's `project.godot`. It is in a grammar of its own, in which only the tokens are the same.
const GODOT_2: &str = "engine.cfg";

#[test]
fn every_settings_file_is_read_without_loss_and_error() {
    let Some(corpus) = require_shared("corpus") else { return };
    let (mut folders, mut count, mut wrong) = (vec![corpus.clone()], 0, Vec::new());
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
            let joined: Vec<u8> = tscn::config_tokens(&text)
                .iter()
                .flat_map(|token| token.span.of(&text))
                .copied()
                .collect();
            assert_eq!(joined, text, "{}", path.display());
            let name = path.strip_prefix(&corpus).unwrap().display().to_string();
            let file = tscn::parse_config(&text);
            if !file.errors().is_empty() && !name.ends_with(GODOT_2) {
                wrong.push(format!("{name}: {:?}", file.errors().first()));
            }
            count += 1;
        }
    }
    assert!(count > 3000, "only {count} files");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}
