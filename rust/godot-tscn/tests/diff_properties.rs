//! What holds for all differences: edits by chance of real scenes, and what people made of scenes in public projects.

use std::fs;
use std::path::{Path, PathBuf};

use crate::merge_things::{Things, things};
use fastrand::Rng;
use godot_tscn::diff::{Change, Diff, Noise, State, ThingKind};
use godot_tscn::{TagKind, diff};
use testkit::shared::require_shared;

/// Scenes of the corpus with a few nodes and without anything odd, of Godot 4.
fn scenes(count: usize) -> Vec<String> {
    let Some(folder) = require_shared("corpus") else { return Vec::new() };
    let mut found = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<PathBuf> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "tscn") {
                found.extend(scene(&path));
            }
        }
    }
    Rng::with_seed(11).shuffle(&mut found);
    found.truncate(count);
    found
}

fn scene(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let document = godot_tscn::parse(text.as_bytes());
    let nodes = document.sections().filter(|section| section.kind() == TagKind::Node).count();
    let is_known = text.starts_with("[gd_scene") && text.contains("format=3");
    let is_sound = document.errors().is_empty();
    (is_known && is_sound && nodes >= 4 && text.len() < 200_000).then_some(text)
}

/// Edits by chance, at the ends of some nodes and at their first property, and what has to be told of them, a line each.
fn edited(text: &str, rng: &mut Rng) -> (String, Vec<String>) {
    let document = godot_tscn::parse(text.as_bytes());
    let (mut new, mut told, mut done) = (String::new(), Vec::new(), 0);
    let mut last_node = text.len();
    for section in document.sections().filter(|section| section.kind() == TagKind::Node) {
        let path = path_of(section);
        last_node = section.span().end as usize;
        let Some(first) = section.properties().next() else { continue };
        let value = first.value_span().range();
        let key = String::from_utf8(first.key().into_owned()).unwrap();
        let is_plain = !key.starts_with("metadata/_") && !key.contains("offset_");
        match rng.u8(..4) {
            0 if is_plain => {
                new += &text[done..value.start];
                new += "\"edited\"";
                done = value.end;
                told.push(format!("Node {path} {key} changed"));
            }
            1 if is_plain => {
                new += text[done..first.key_span().start as usize].trim_end_matches('\n');
                done = value.end;
                told.push(format!("Node {path} {key} removed"));
            }
            2 => {
                new += &text[done..last_node];
                new += "\nmetadata/told = 1";
                done = last_node;
                told.push(format!("Node {path} metadata/told added"));
            }
            _ => {}
        }
    }
    if rng.bool() {
        new += &text[done..last_node];
        new += "\n\n[node name=\"Told\" type=\"Node\" parent=\".\"]\nmetadata/it = 2\n";
        done = last_node;
        told.push("Node Told metadata/it added".to_owned());
    }
    new += &text[done..];
    told.sort();
    (new, told)
}

fn path_of(section: godot_tscn::Section<'_>) -> String {
    let text = |field: &str| {
        section.field_text(field).map(|text| String::from_utf8(text.into_owned()).unwrap())
    };
    let name = text("name").unwrap_or_default();
    match text("parent").as_deref() {
        None => ".".to_owned(),
        Some(".") => name,
        Some(parent) => format!("{parent}/{name}"),
    }
}

/// All entries, a line each.
fn lines(diff: &Diff) -> Vec<String> {
    let mut lines = Vec::new();
    for Change { kind, name, entries, .. } in &diff.changes {
        for entry in entries {
            let state = match (&entry.old, &entry.new) {
                (None, _) => "added",
                (_, None) => "removed",
                _ => "changed",
            };
            lines.push(format!("{kind:?} {name} {} {state}", entry.name));
        }
    }
    lines.sort();
    lines
}

#[test]
fn each_edit_is_told() {
    for (number, text) in scenes(250).into_iter().enumerate() {
        // Twins below one parent have one path.
        let document = godot_tscn::parse(text.as_bytes());
        let nodes = document.sections().filter(|section| section.kind() == TagKind::Node);
        let mut paths: Vec<String> = nodes.map(path_of).collect();
        paths.sort();
        if paths.windows(2).any(|pair| pair[0] == pair[1]) {
            continue;
        }
        let mut rng = Rng::with_seed(number as u64);
        let (new, told) = edited(&text, &mut rng);
        let found = diff(text.as_bytes(), new.as_bytes()).unwrap();
        assert_eq!(lines(&found), told, "{number}");
        assert_eq!(diff(new.as_bytes(), new.as_bytes()).unwrap(), Diff::default());
        // The other way round.
        let back = diff(new.as_bytes(), text.as_bytes()).unwrap();
        let turned = |line: &String| match line.rsplit_once(' ').unwrap() {
            (what, "added") => format!("{what} removed"),
            (what, "removed") => format!("{what} added"),
            _ => line.clone(),
        };
        let mut told: Vec<String> = told.iter().map(turned).collect();
        told.sort();
        assert_eq!(lines(&back), told, "{number}");
        let states = |diff: &Diff, state: State| {
            diff.changes.iter().filter(|change| change.state == state).count()
        };
        assert_eq!(states(&found, State::Added), states(&back, State::Removed));
        assert_eq!(found.noise, back.noise, "{number}");
        assert_eq!(found.tree.len(), back.tree.len());
    }
}

/// All texts of merges that people made, two by two.
fn pairs() -> Vec<(String, [Vec<u8>; 2])> {
    let Some(folder) = require_shared("merges") else { return Vec::new() };
    let index = fs::read_to_string(folder.join("INDEX.tsv")).unwrap();
    let mut pairs = Vec::new();
    for line in index.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let extension = columns[3].rsplit('.').next().unwrap();
        let read = |name: &str| {
            fs::read(folder.join(columns[0]).join(format!("{name}.{extension}"))).unwrap()
        };
        for (old, new) in
            [("base", "ours"), ("base", "theirs"), ("ours", "result"), ("theirs", "ours")]
        {
            pairs.push((format!("{} {old} {new}", columns[0]), [read(old), read(new)]));
        }
    }
    pairs
}

/// The properties of nodes that both texts have at one path, as far as their values say themselves what they are.
fn other_properties(old: &Things, new: &Things) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (name, before) in old {
        let (Some(path), Some(after)) = (name.strip_prefix("node "), new.get(name)) else {
            continue;
        };
        for key in before.keys().chain(after.keys().filter(|key| !before.contains_key(*key))) {
            let values = [before.get(key), after.get(key)];
            let is_told_elsewhere = values.iter().flatten().any(|value| {
                ["SubResource(", "NodePath(", "ExtResource("]
                    .iter()
                    .any(|name| value.contains(name))
            });
            if values[0] != values[1] && !key.starts_with('@') && !is_told_elsewhere {
                found.push((path.to_owned(), key.clone()));
            }
        }
    }
    found
}

/// What an independent comparison finds is told, or counted as noise.
#[test]
fn nothing_is_left_out() {
    let (mut told, mut quiet, mut refused) = (0, 0, 0);
    let pairs = pairs();
    if pairs.is_empty() {
        return;
    }
    for (number, [old, new]) in pairs {
        let Ok(found) = diff(&old, &new) else {
            refused += 1;
            continue;
        };
        assert_eq!(found.changes.is_empty() && found.noise.is_empty(), old == new, "{number}");
        let may_be_noise = found.noise.iter().any(|Noise { what, .. }| {
            ["state of the editor", "how values are written"].contains(what)
        });
        for (path, key) in other_properties(&things(&old), &things(&new)) {
            let has_entry = |change: &Change| {
                change.kind == ThingKind::Node
                    && (change.name == path || change.old_name.as_ref() == Some(&path))
                    && change.entries.iter().any(|entry| entry.name == key)
            };
            // Another node stands at the path now.
            let is_other = |change: &Change| {
                change.kind == ThingKind::Node
                    && (change.state != State::Changed || change.old_name.is_some())
            };
            if found.changes.iter().any(has_entry) {
                told += 1;
            } else if may_be_noise || found.changes.iter().any(is_other) {
                quiet += 1;
            } else {
                panic!("{number}: {path} {key} is not told");
            }
        }
    }
    println!("{told} told, {quiet} as noise or of other nodes, {refused} refused");
    assert!(told > quiet * 3, "{told} told, {quiet} not");
}

/// Texts that are broken in any way are compared or refused.
#[test]
fn broken_texts() {
    for (number, text) in scenes(40).into_iter().enumerate() {
        let mut rng = Rng::with_seed(number as u64);
        for _ in 0..20 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..rng.usize(1..8) {
                let at = rng.usize(..bytes.len());
                let end = (at + rng.usize(..40)).min(bytes.len());
                match rng.u8(..3) {
                    0 if end - at < bytes.len() => drop(bytes.drain(at..end)),
                    1 => {
                        let copy = bytes[at..end].to_vec();
                        let to = rng.usize(..bytes.len());
                        bytes.splice(to..to, copy);
                    }
                    _ => bytes[at] = b"[]\"=\n/0a"[rng.usize(..8)],
                }
            }
            let _ = diff(text.as_bytes(), &bytes);
            let _ = diff(&bytes, text.as_bytes());
            let _ = godot_tscn::readable(&bytes);
        }
    }
}
