//! The README is short, and its figures are those of the page that the benchmark writes.

use std::fs;
use std::path::Path;

/// A newcomer reads as much.
const MOST_LINES: usize = 150;

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).unwrap()
}

#[test]
fn it_is_short() {
    let lines = read("README.md").lines().count();
    assert!(lines <= MOST_LINES, "README.md has {lines} lines; expected at most {MOST_LINES}");
}

#[test]
fn its_figures_are_measured() {
    let (readme, page) = (read("README.md"), read("rust/docs/speed.md"));
    let rows: Vec<&str> = readme.lines().filter(|line| line.contains("x**")).collect();
    assert_eq!(rows.len(), 5);
    for row in rows {
        assert!(page.contains(row), "rust/docs/speed.md does not have the row {row}");
    }
}
