use super::{
    Fate, changes, counts, name_of, noise_words, overview, shortened, shortened_pair, subtrees,
    visible,
};
use crate::output::diff_samples::{file, files};

#[test]
fn what_became_of_nodes() {
    let files = files();
    let diff = files[0].diff.as_ref().unwrap();
    let nodes: Vec<(Fate, &str)> = diff
        .changes
        .iter()
        .zip(subtrees(diff))
        .filter(|(_, below)| below.is_some())
        .map(|(change, _)| (Fate::of(change), name_of(diff, change)))
        .filter(|(_, name)| !name.contains([':', '"']))
        .collect();
    let expected = [
        (Fate::Removed, "Sky"),
        (Fate::Renamed, "Hero"),
        (Fate::Moved, "Coins/Sprite"),
        (Fate::Changed, "Sign"),
        (Fate::Added, "Enemies"),
    ];
    for fate in expected {
        assert!(nodes.contains(&fate), "{fate:?} of {nodes:?}");
    }
    assert_eq!(nodes.len(), expected.len(), "{nodes:?}");
}

#[test]
fn subtrees_and_counts() {
    let node = |path: &str| {
        let (parent, name) = path.rsplit_once('/').unwrap_or((".", path));
        format!("\n[node name=\"{name}\" type=\"Node\" parent=\"{parent}\"]\n")
    };
    let scene = |paths: &[&str]| {
        let nodes: String = paths.iter().map(|path| node(path)).collect();
        format!("[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node\"]\n{nodes}")
    };
    let old = scene(&["Kept", "Gone", "Gone/A", "Gone/A/B", "Last"]);
    let new = scene(&["Kept", "New", "New/A", "New/B", "New/B/C", "Last", "Lone"]);
    let file = file("a.tscn", old.as_bytes(), new.as_bytes());
    let diff = file.diff.as_ref().unwrap();
    let mut below: Vec<(&str, Option<u32>)> = diff
        .changes
        .iter()
        .map(|change| &*change.name)
        .zip(subtrees(diff))
        .filter(|(_, below)| below.is_some())
        .collect();
    below.sort_unstable();
    assert_eq!(below, [("Gone", Some(2)), ("Lone", Some(0)), ("New", Some(3))]);
    assert_eq!(counts(changes(&file)), "5 nodes added, 3 removed");
    assert_eq!(overview(&[file]), "1 file differs: 5 nodes added, 3 removed.");
}

#[test]
fn a_file_that_is_new() {
    let file = file("a.tscn", b"", b"[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node\"]\n");
    let diff = file.diff.as_ref().unwrap();
    assert_eq!(counts(changes(&file)), "1 node added");
    assert!(diff.changes.iter().any(|change| name_of(diff, change) == "Root"));
}

#[test]
fn noise_is_counted() {
    let old = "[gd_scene load_steps=2 format=3]\n\n[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1\"]\n\n\
               [node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"1\")\n";
    let new = old.replace("load_steps=2 ", "").replace("\"1\"", "\"7_x\"");
    let file = file("a.tscn", old.as_bytes(), new.as_bytes());
    let words = noise_words(&file.diff.as_ref().unwrap().noise).unwrap();
    assert!(words.contains("ids of resources (1)") && words.contains("load_steps (1)"), "{words}");
    assert_eq!(noise_words(&[]), None);
    assert!(file.is_only_noise());
    let told = overview(&[file]);
    assert_eq!(told, format!("Of 1 file nothing but noise differs: {words}."));
}

#[test]
fn characters_that_cannot_be_seen() {
    assert_eq!(visible("é 線 ❤\u{fe0f} \\"), "é 線 ❤\u{fe0f} \\");
    assert_eq!(
        visible("a\nb\t\u{1b}\u{200b}\u{202e}\u{feff}\u{e0041}"),
        r"a\nb\t\u{1b}\u{200b}\u{202e}\u{feff}\u{e0041}"
    );
}

#[test]
fn short_values() {
    assert_eq!(shortened("abc", 0, 3), "abc");
    assert_eq!(shortened("abcd", 0, 3), "abc… (4 characters)");
    assert_eq!(shortened("abcdefg", 2, 3), "…cde… (7 characters)");
    assert_eq!(shortened_pair("ab", "ac", 10), ("ab".to_owned(), "ac".to_owned()));
    // A late difference is shown.
    let same = "é".repeat(300);
    let (old, new) = shortened_pair(&format!("{same}old"), &format!("{same}new"), 50);
    assert_eq!(
        (&*old, &*new),
        (&*format!("…{}old", "é".repeat(20)), &*format!("…{}new", "é".repeat(20)))
    );
    // One that is the beginning of the other.
    let (old, new) = shortened_pair(&same, &format!("{same}!"), 50);
    assert_ne!(old, new);
}
