//! What must hold for a merge of any three texts: the body of the fuzz target `merge_texts`.

use godot_tscn::{MergeSide, Merged, SceneMoves, Severity, TagKind, Unresolved};

/// Between the texts of an input: a byte that UTF-8 does not have.
pub const SEPARATOR: u8 = 0xff;

/// As what the texts are merged. The name decides how.
const PATHS: [&str; 5] =
    ["a.tscn", "project.godot", "export_presets.cfg", "a.png.import", "a.gd.uid"];

/// Three texts become one: what only one side changed is as that side has it, a text without conflicts has no syntax errors, and
/// one with conflicts has each that is reported, until it is settled.
pub fn merge_texts(bytes: &[u8]) {
    check_unresolved(bytes);
    let [base, ours, theirs] = three_texts(bytes);
    for text in [base, ours, theirs] {
        check_unresolved(text);
    }
    check_moves(base, ours, theirs);
    for path in PATHS {
        check_changes_of_one_side(path, base, ours);
        check_changes_of_one_side(path, base, theirs);
        let Ok(merged) = godot_tscn::merge_file(path, base, ours, theirs) else { continue };
        if merged.conflicts.is_empty() {
            let errors: usize = [ours, theirs].map(|side| error_count(path, side)).iter().sum();
            let count = error_count(path, &merged.text);
            assert!(
                count <= errors,
                "{path}: merged without conflicts, with errors of neither side"
            );
        } else {
            check_conflicts(path, [base, ours, theirs], &merged);
        }
    }
}

/// Paths into a scene that changed follow, and where nothing moved a text stays as it is.
fn check_moves(old: &[u8], new: &[u8], text: &[u8]) {
    assert!(SceneMoves::between(old, old).is_empty());
    let none = SceneMoves::default();
    let mut moves = SceneMoves::between(old, new);
    moves.add_stale(text, &SceneMoves::between(new, old));
    moves.add_inside(b"A/B", &SceneMoves::between(new, text));
    for text in [old, new, text] {
        assert!(*godot_tscn::follow_instances(text, |_| Some(&none)) == *text);
        assert!(godot_tscn::lost_in_instances(text, |_| Some(&none)).is_empty());
        let followed = godot_tscn::follow_instances(text, |_| Some(&moves));
        let errors = [text, &*followed].map(|text| godot_tscn::parse(text).errors().len());
        assert!(errors[1] <= errors[0], "paths that follow break the text");
        assert_eq!(godot_tscn::instances(&followed).len(), godot_tscn::instances(text).len());
        let _ = godot_tscn::lost_in_instances(&followed, |_| Some(&moves));
    }
}

/// What is missing is as the text before it.
fn three_texts(bytes: &[u8]) -> [&[u8]; 3] {
    let mut texts = bytes.splitn(3, |byte| *byte == SEPARATOR);
    let base = texts.next().unwrap_or_default();
    let ours = texts.next().unwrap_or(base);
    [base, ours, texts.next().unwrap_or(ours)]
}

fn check_changes_of_one_side(path: &str, base: &[u8], side: &[u8]) {
    for texts in [[base, side, side], [base, base, side], [base, side, base]] {
        let merged = godot_tscn::merge_file(path, texts[0], texts[1], texts[2]);
        let merged = merged.expect("no text has to be read");
        assert!(merged.text == side && merged.conflicts.is_empty() && merged.notes.is_empty());
    }
    // Another end of the text takes the long way, in which texts that Godot loads stay as they are. It would be a change where
    // all lines end as on Windows, those in strings too.
    let is_out = base == side || base.contains(&b'\r');
    if is_out || [base, side].iter().any(|text| error_count(path, text) > 0) {
        return;
    }
    let spaced = [base, b"\n"].concat();
    if let Ok(merged) = godot_tscn::merge_file(path, base, side, &spaced) {
        assert_eq!(merged.conflicts, [], "{path}: theirs changed nothing");
        // Nodes that stand before their parents come behind them.
        let lines = [merged.text.as_slice(), side].map(|text| lines_of(text));
        assert!(lines[0] == lines[1], "{path}: ours is not as it was");
    }
    if let Ok(merged) = godot_tscn::merge_file(path, base, &spaced, side) {
        assert_eq!(merged.conflicts, [], "{path}: ours changed nothing");
    }
}

/// Conflicts are listed from 1, and stay until a side is chosen.
fn check_unresolved(text: &[u8]) {
    let left = godot_tscn::unresolved(text);
    let numbers = left.iter().map(|conflict| conflict.number);
    assert!(numbers.eq(1..=left.len()), "{left:?}");
    let resolved = godot_tscn::resolve_by(text, |_| None);
    assert_eq!((resolved.settled, resolved.left.len()), (0, left.len()));
    for side in [MergeSide::Base, MergeSide::Ours, MergeSide::Theirs] {
        let resolved = godot_tscn::resolve(text, side);
        assert_eq!(resolved.settled + resolved.left.len(), left.len());
    }
}

/// Each conflict that is reported stands in the file, which is read as well as before once they are settled.
fn check_conflicts(path: &str, texts: [&[u8]; 3], merged: &Merged) {
    // Settings files but `project.godot` get markers.
    let has_markers = !matches!(path, "a.tscn" | "project.godot");
    if has_markers {
        let count = lines_of(&merged.text).iter().filter(|line| **line == b"<<<<<<< ours").count();
        assert!(
            count >= merged.conflicts.len(),
            "{path}: {count} markers for {:?}",
            merged.conflicts
        );
        return;
    }
    let reported =
        merged.conflicts.iter().filter(|each| !each.place.starts_with("the merged text"));
    let (reported, left) = (reported.count(), godot_tscn::unresolved(&merged.text));
    if path == "a.tscn" && !takes_metadata(&merged.text) {
        return;
    }
    assert_eq!(left.len(), reported, "{path}: {left:?} of {:?}", merged.conflicts);
    let most: usize = texts.iter().map(|text| syntax_errors(path, text)).sum();
    for side in [MergeSide::Base, MergeSide::Ours, MergeSide::Theirs] {
        let resolved = godot_tscn::resolve(&merged.text, side);
        assert!(syntax_errors(path, &resolved.text) <= most, "{path}: broken after {side:?}");
        let left: Vec<Unresolved> = godot_tscn::unresolved(&resolved.text);
        assert_eq!(left.len(), resolved.left.len(), "{path}: {left:?} and {:?}", resolved.left);
        if side == MergeSide::Ours {
            assert!(left.is_empty(), "{path}: left after ours: {left:?}");
        }
    }
}

/// Whether the text has a node or resource that can hold conflicts. Godot loads none that has not.
fn takes_metadata(text: &[u8]) -> bool {
    let kinds = [TagKind::Node, TagKind::SubResource, TagKind::Resource];
    godot_tscn::parse(text).sections().any(|section| kinds.contains(&section.kind()))
}

/// All that are not empty, in the order of their bytes.
fn lines_of(text: &[u8]) -> Vec<&[u8]> {
    let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    let mut lines: Vec<&[u8]> = lines.filter(|line| !line.is_empty()).collect();
    lines.sort_unstable();
    lines
}

fn syntax_errors(path: &str, text: &[u8]) -> usize {
    match path.ends_with(".tscn") {
        true => godot_tscn::parse(text).errors().len(),
        false => godot_tscn::parse_config(text).errors().len(),
    }
}

fn error_count(path: &str, text: &[u8]) -> usize {
    let options = godot_tscn::LintOptions::for_path(path);
    match path {
        "a.tscn" => godot_tscn::lint(text, &options).count(Severity::Error),
        "a.gd.uid" => 0,
        _ => syntax_errors(path, text),
    }
}
