//! What holds for all merges: edits by chance of real scenes and of broken ones.

use std::fs;
use std::path::{Path, PathBuf};

use crate::merge_things::things;
use fastrand::Rng;
use godot_tscn::TagKind;
use testkit::shared::require_shared;

/// A text in sections, which edits change.
#[derive(Clone)]
struct Sections {
    /// Each with its kind; the last of each has a number in the base, or none.
    list: Vec<(TagKind, Option<usize>, String)>,
}

/// Something that a user does. Each touches one section of the base.
#[derive(Clone, Debug)]
enum Deed {
    /// Sets metadata.
    Metadata(usize, String),
    /// Gives the first property another value.
    Change(usize, String),
    /// Removes the first property.
    Remove(usize),
    /// Adds a node below another.
    Node(usize, String),
    /// Adds a resource with this id, and a property with it.
    Resource(usize, String, u32),
}

impl Sections {
    fn of(text: &str) -> Self {
        let document = godot_tscn::parse(text.as_bytes());
        let section = |(index, section): (usize, godot_tscn::Section<'_>)| {
            (section.kind(), Some(index), text[section.span().range()].to_owned())
        };
        Self { list: document.sections().enumerate().map(section).collect() }
    }

    fn text(&self) -> String {
        self.list.iter().map(|(_, _, text)| format!("{text}\n\n")).collect()
    }

    fn at(&self, base: usize) -> usize {
        self.list.iter().position(|(_, number, _)| *number == Some(base)).unwrap()
    }

    fn apply(&mut self, deed: &Deed) {
        match deed {
            Deed::Metadata(at, name) => {
                let at = self.at(*at);
                self.list[at].2 += &format!("\nmetadata/{name} = \"{name}\"");
            }
            Deed::Change(at, value) => {
                let at = self.at(*at);
                self.replace_first(at, &format!("= \"{value}\""), false);
            }
            Deed::Remove(at) => {
                let at = self.at(*at);
                self.replace_first(at, "", true);
            }
            Deed::Node(at, name) => {
                let at = self.at(*at);
                let document = godot_tscn::parse(self.list[at].2.as_bytes());
                let tag = document.sections().next().unwrap();
                let text = |field: &str| {
                    tag.field_text(field).map(|text| String::from_utf8(text.into_owned()).unwrap())
                };
                let parent = match (text("parent").as_deref(), text("name").unwrap()) {
                    (None, _) => ".".to_owned(),
                    (Some("."), own) => own,
                    (Some(parent), own) => format!("{parent}/{own}"),
                };
                let node = format!("[node name=\"{name}\" type=\"Node\" parent=\"{parent}\"]");
                let end = self.list.iter().rposition(|(kind, ..)| *kind == TagKind::Node).unwrap();
                self.list.insert(end + 1, (TagKind::Node, None, node));
            }
            Deed::Resource(at, id, value) => {
                let at = self.at(*at);
                self.list[at].2 += &format!("\nmetadata/r{value} = SubResource(\"{id}\")");
                let resource =
                    format!("[sub_resource type=\"Curve\" id=\"{id}\"]\n_limits = [{value}, 1]");
                let is_head = |kind: &TagKind| {
                    matches!(kind, TagKind::GdScene | TagKind::ExtResource | TagKind::SubResource)
                };
                let end = self.list.iter().rposition(|(kind, ..)| is_head(kind)).unwrap();
                self.list.insert(end + 1, (TagKind::SubResource, None, resource));
            }
        }
    }

    /// Puts something in the place of the first property's value, or of the whole line.
    fn replace_first(&mut self, at: usize, new: &str, is_whole: bool) {
        let text = self.list[at].2.clone();
        let document = godot_tscn::parse(text.as_bytes());
        let property = document.sections().next().unwrap().properties().next().unwrap();
        let (key, value) = (property.key_span().range(), property.value_span().range());
        let rest = &text[value.end..];
        self.list[at].2 = match is_whole {
            true => format!("{}{}", text[..key.start].trim_end_matches('\n'), rest),
            false => format!("{} {new}{rest}", &text[..key.end]),
        };
    }
}

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
    let mut rng = Rng::with_seed(7);
    rng.shuffle(&mut found);
    found.truncate(count);
    found
}

fn scene(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let document = godot_tscn::parse(text.as_bytes());
    let nodes = document.sections().filter(|section| section.kind() == TagKind::Node).count();
    let is_known = text.starts_with("[gd_scene") && text.contains("format=3");
    let is_sound = document.errors().is_empty() && document.comments().is_empty();
    (is_known && is_sound && nodes >= 4 && text.len() < 200_000).then_some(text)
}

/// Deeds at sections whose place in the base is `parity` of two.
fn deeds(rng: &mut Rng, base: &Sections, parity: usize, name: &str) -> Vec<Deed> {
    let mut deeds = Vec::new();
    for (index, (kind, _, text)) in base.list.iter().enumerate() {
        let is_mine = index % 2 == parity && *kind == TagKind::Node;
        if !is_mine || rng.u8(..3) == 0 {
            continue;
        }
        let has_property = godot_tscn::parse(text.as_bytes())
            .sections()
            .next()
            .unwrap()
            .properties()
            .next()
            .is_some();
        let name = format!("{name}{index}");
        deeds.push(match rng.u8(..5) {
            0 if has_property => Deed::Change(index, name),
            1 if has_property => Deed::Remove(index),
            2 => Deed::Node(index, name),
            // Both sides take the same ids.
            3 => Deed::Resource(index, format!("Curve_{}", deeds.len()), rng.u32(..)),
            _ => Deed::Metadata(index, name),
        });
    }
    deeds
}

fn with(base: &Sections, deeds: &[Deed]) -> Sections {
    let mut sections = base.clone();
    for deed in deeds {
        sections.apply(deed);
    }
    sections
}

/// Without the ids of resources, which may have changed.
fn says(text: &str) -> crate::merge_things::Things {
    let mut things = things(text.as_bytes());
    things.retain(|name, _| !name.starts_with("sub_resource Curve_"));
    things
}

#[test]
fn independent_edits() {
    for (number, text) in scenes(300).into_iter().enumerate() {
        let mut rng = Rng::with_seed(number as u64);
        let base = Sections::of(&text);
        let (mine, yours) = (deeds(&mut rng, &base, 0, "o"), deeds(&mut rng, &base, 1, "t"));
        let (ours, theirs) = (with(&base, &mine), with(&base, &yours));
        let mut both = ours.clone();
        for deed in &yours {
            // Ids of theirs are free again in what is expected.
            match deed {
                Deed::Resource(at, id, value) => {
                    both.apply(&Deed::Resource(*at, format!("{id}_of_theirs"), *value));
                }
                deed => both.apply(deed),
            }
        }
        let expected = says(&both.text().replace("_of_theirs", "x"));
        let texts = [&base, &ours, &theirs].map(Sections::text);
        for (ours, theirs) in [(&texts[1], &texts[2]), (&texts[2], &texts[1])] {
            let merged =
                godot_tscn::merge(texts[0].as_bytes(), ours.as_bytes(), theirs.as_bytes()).unwrap();
            assert_eq!(merged.conflicts, [], "{number}: {mine:?} {yours:?}");
            assert_eq!(
                says(str::from_utf8(&merged.text).unwrap()),
                expected,
                "{number}: {mine:?} {yours:?}"
            );
        }
    }
}

#[test]
fn edits_of_the_same() {
    for (number, text) in scenes(100).into_iter().enumerate() {
        let base = Sections::of(&text);
        let has_property = |section: &&(TagKind, Option<usize>, String)| {
            section.0 == TagKind::Node
                && godot_tscn::parse(section.2.as_bytes())
                    .sections()
                    .next()
                    .unwrap()
                    .properties()
                    .next()
                    .is_some()
        };
        let Some((_, Some(at), _)) = base.list.iter().rfind(has_property) else { continue };
        let [ours, theirs] =
            ["o", "t"].map(|value| with(&base, &[Deed::Change(*at, value.into())]).text());
        let base = base.text();
        let merged =
            godot_tscn::merge(base.as_bytes(), ours.as_bytes(), theirs.as_bytes()).unwrap();
        assert_eq!(merged.conflicts.len(), 1, "{number}");
        assert_eq!(merged.conflicts[0].ours.as_deref(), Some("\"o\""));
        assert_eq!(merged.conflicts[0].theirs.as_deref(), Some("\"t\""));
        let resolve = |side| godot_tscn::resolve(&merged.text, side).text;
        assert_eq!(
            String::from_utf8(resolve(godot_tscn::MergeSide::Ours)).unwrap(),
            ours,
            "{number}"
        );
        assert_eq!(
            String::from_utf8(resolve(godot_tscn::MergeSide::Theirs)).unwrap(),
            theirs,
            "{number}"
        );
    }
}

#[test]
fn one_side_alone() {
    for (number, text) in scenes(100).into_iter().enumerate() {
        let mut rng = Rng::with_seed(number as u64);
        let base = Sections::of(&text);
        let changed = with(&base, &deeds(&mut rng, &base, 0, "o")).text();
        let merge = |base: &str, ours: &str, theirs: &str| {
            let merged =
                godot_tscn::merge(base.as_bytes(), ours.as_bytes(), theirs.as_bytes()).unwrap();
            assert_eq!(merged.conflicts, []);
            String::from_utf8(merged.text).unwrap()
        };
        assert_eq!(merge(&text, &changed, &changed), changed);
        assert_eq!(merge(&text, &text, &changed), changed);
        assert_eq!(merge(&text, &changed, &text), changed);
        // Other white space is no change; it takes the long way.
        let spaced = text.replacen("\n\n[node", "\n\n\n[node", 1);
        assert_eq!(merge(&text, &changed, &spaced), changed, "{number}");
    }
}

#[test]
fn broken_texts() {
    for (number, text) in scenes(60).into_iter().enumerate() {
        let mut rng = Rng::with_seed(number as u64);
        let broken = |rng: &mut Rng| {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..rng.usize(..8) {
                let at = rng.usize(..bytes.len());
                let end = (at + rng.usize(..40)).min(bytes.len());
                match rng.u8(..4) {
                    0 => drop(bytes.drain(at..end)),
                    1 => {
                        let copy = bytes[at..end].to_vec();
                        let to = rng.usize(..bytes.len());
                        bytes.splice(to..to, copy);
                    }
                    2 => bytes[at] = b"[]\"=\n/0a"[rng.usize(..8)],
                    _ => bytes.truncate(end.max(1)),
                }
            }
            bytes
        };
        for _ in 0..20 {
            let [base, ours, theirs] = [(); 3].map(|()| broken(&mut rng));
            if let Ok(merged) = godot_tscn::merge(&base, &ours, &theirs) {
                assert!(godot_tscn::parse(&merged.text).sections().len() > 0);
                for side in [godot_tscn::MergeSide::Ours, godot_tscn::MergeSide::Theirs] {
                    let _ = godot_tscn::resolve(&merged.text, side);
                }
            }
        }
    }
}
