//! Samples for the tests of the formats of a diff.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use godot_tscn::diff::State;

use crate::output::file_diff::{ByLines, FileDiff};

/// The difference between two texts of a file; an empty text means that the file does not exist.
pub(crate) fn file(path: &str, old: &[u8], new: &[u8]) -> FileDiff {
    let state = match (old.is_empty(), new.is_empty()) {
        (true, _) => State::Added,
        (_, true) => State::Removed,
        _ => State::Changed,
    };
    let by_lines = |refusal: godot_tscn::DiffRefusal| {
        let mut hunks = Vec::new();
        crate::output::diff::hunks(&mut hunks, old, new);
        let hunks = String::from_utf8_lossy(&hunks).into_owned();
        ByLines { reason: refusal.to_string(), hunks }
    };
    let diff = godot_tscn::diff_file(path, old, new).map_err(by_lines);
    FileDiff { path: path.to_owned(), old_path: None, state, diff }
}

/// The files in `tests/fixtures/diff`.
pub(crate) fn files() -> Vec<FileDiff> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/diff");
    let read = |side: &str, name: &str| fs::read(folder.join(side).join(name)).unwrap_or_default();
    let names = [
        "level.tscn",
        "broken.tres",
        "coin.gd.uid",
        "coin.tscn",
        "icon.svg.import",
        "project.godot",
    ];
    names.iter().map(|name| file(name, &read("old", name), &read("new", name))).collect()
}

/// Texts that try to break out of where they stand. None is part of another.
pub(crate) const HOSTILE: &[&str] = &[
    "</script><script>alert(1)</script>",
    "</details></code></summary>",
    "<img src=x onerror=alert(2)>",
    "@octocat ",
    "#123 GH-7",
    "[click](javascript:alert(3))",
    "https://evil.example/x",
    "www.evil.example",
    "a@evil.example",
    "one | two \\| three \\",
    "`` ` ``` tick`",
    "`",
    "~~~",
    "**bold** _it_ &lt;b&gt; &#64;x",
    "-->",
    "]]>",
    "'single' \"",
    "\u{202e}txet\u{202c}",
    "ze\u{200b}ro\u{feff}",
    "\u{1b}[2J\u{7}",
    "\n\n# Heading\n\n- item\n\n    code\n\n",
    "\r\n| a |\r\n|---|\r\n",
    "  spaces  ",
];

/// A scene with each of [`HOSTILE`] as the name of a node, of its type, of a property, and as a value.
pub(crate) fn hostile() -> FileDiff {
    let scene = |value: &str| {
        let mut text = "[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node\"]\n".to_owned();
        for (index, hostile) in HOSTILE.iter().enumerate() {
            let quoted = hostile.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = write!(
                text,
                "\n[node name=\"{index}{quoted}\" type=\"{quoted}\" parent=\".\"]\n\"p{quoted}\" = \"{value}{quoted}\"\n"
            );
        }
        text
    };
    let mut file = file("hostile.tscn", scene("a").as_bytes(), scene("b").as_bytes());
    file.path = HOSTILE.concat();
    file.old_path = Some(format!("old {}", HOSTILE.concat()));
    file
}

/// A scene with `count` nodes, all moved.
pub(crate) fn many_nodes(count: usize, is_deep: bool) -> FileDiff {
    let scene = |x: usize| {
        let mut text = "[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node2D\"]\n".to_owned();
        let mut parent = ".".to_owned();
        for number in 0..count {
            let _ = write!(
                text,
                "\n[node name=\"N{number}\" type=\"Node2D\" parent=\"{parent}\"]\nposition = Vector2({x}, {number})\n"
            );
            match (is_deep, &*parent) {
                (true, ".") => parent = format!("N{number}"),
                (true, _) => parent = format!("{parent}/N{number}"),
                (false, _) => {}
            }
        }
        text
    };
    file("many.tscn", scene(1).as_bytes(), scene(2).as_bytes())
}

/// Merges of scenes and resources in public projects.
pub(crate) fn real() -> Vec<FileDiff> {
    let Some(folder) = testkit::shared::require_shared("merges") else { return Vec::new() };
    let index = fs::read_to_string(folder.join("INDEX.tsv")).unwrap();
    let compare = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let extension = columns[3].rsplit('.').next().unwrap();
        let read = |name: &str| {
            fs::read(folder.join(columns[0]).join(format!("{name}.{extension}"))).unwrap()
        };
        file(columns[3], &read("base"), &read("ours"))
    };
    index.lines().map(compare).collect()
}
