//! The documentation of the repository has none of the forms that [`testkit::words`] lists.

use std::fs;
use std::path::{Path, PathBuf};

use testkit::words::unwanted_form;

/// The folder of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files below `folder` with this extension. What others wrote, or a program did, is not ours to word.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            let is_ours =
                !["target", "fixtures", "bin", "node_modules"].iter().any(|other| name == *other);
            if is_ours && !name.to_string_lossy().starts_with('.') {
                found.extend(files(&path, extension));
            }
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found
}

/// The paragraphs of Markdown, without its code blocks.
fn paragraphs(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut is_code = false;
    for line in text.lines() {
        is_code ^= line.trim_start().starts_with("```");
        if line.trim().is_empty() || is_code {
            all.push(String::new());
        } else if let Some(last) = all.last_mut() {
            *last += line.trim();
            last.push(' ');
        }
    }
    all
}

/// The comments that are shown as documentation, each as a paragraph.
fn documentation(text: &str, mark: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.trim_start().strip_prefix(mark).unwrap_or_default());
    paragraphs(&lines.collect::<Vec<_>>().join("\n"))
}

#[track_caller]
fn check(found: Vec<PathBuf>, texts: impl Fn(&str) -> Vec<String>) {
    let mut complaints = Vec::new();
    assert!(!found.is_empty());
    for path in found {
        for text in texts(&fs::read_to_string(&path).unwrap()) {
            if let Some(form) = unwanted_form(&text) {
                let start: String = text.chars().take(90).collect();
                complaints.push(format!("{}: {form}\n    in: {start}", path.display()));
            }
        }
    }
    assert!(complaints.is_empty(), "{} forms:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn documents() {
    let mut all = files(&root().join("rust"), "md");
    all.extend(files(&root().join("addons"), "md"));
    all.extend(
        ["README.md", "CHANGELOG.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md"]
            .map(|name| root().join(name)),
    );
    check(all, paragraphs);
}

#[test]
fn the_addon() {
    check(files(&root().join("addons"), "gd"), |text| documentation(text, "## "));
}

#[test]
fn classes() {
    check(files(&root().join("rust/fast-variant/src"), "rs"), |text| documentation(text, "/// "));
}
