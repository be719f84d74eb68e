//! The list of classes, properties and shapes.

use std::sync::LazyLock;

use hashbrown::{HashMap, HashSet};

use crate::harmless::counts::Count;
use crate::harmless::shape::{InTracks, Shape};

/// A class that may be in an untrusted file.
#[derive(Debug)]
pub(super) struct Class {
    pub(super) name: &'static str,
    base: &'static str,
    /// Whether objects of it may be made: not for base classes.
    pub(super) can_be_made: bool,
    /// Its own properties. Those with patterns for names come last.
    properties: Vec<(&'static str, Shape)>,
    counts: Vec<Count>,
}

/// Written by `scripts/data/harmless.sh`.
const LIST: &str = include_str!("../../data/harmless.txt");

static CLASSES: LazyLock<HashMap<&'static str, Class>> = LazyLock::new(|| read(LIST));

/// The class with this name, if it is on the list. `*` means nodes with an unknown class.
pub(super) fn class(name: &str) -> Option<&'static Class> {
    CLASSES.get(name)
}

/// The effect that animations may have on a property with this name, in any class.
pub(super) fn in_tracks(name: &str) -> InTracks {
    IN_TRACKS.get(name).copied().unwrap_or(InTracks::Never)
}

/// The properties that animations may change, if the shape of the property allows it, in any class.
const ANIMATED: &str = include_str!("../../data/animated.txt");

static IN_TRACKS: LazyLock<HashMap<&'static str, InTracks>> = LazyLock::new(|| {
    let animated: HashSet<&str> = ANIMATED.lines().collect();
    let mut least = HashMap::new();
    for class in CLASSES.values() {
        for (name, shape) in &class.properties {
            let is_counted = class.counts.iter().any(|count| count.names(name));
            // An animation that changes how its own player works crashes Godot 4.6.3.
            let is_never = is_counted || class.name == "AnimationMixer" || !animated.contains(name);
            let here = if is_never { InTracks::Never } else { shape.in_tracks() };
            let found = least.entry(*name).or_insert(here);
            *found = here.min(*found);
        }
    }
    least
});

impl Class {
    /// The shape of the values of a property, if it is on the list.
    pub(super) fn property(&self, key: &str) -> Option<&'static Shape> {
        self.line().find_map(|class| class.own_property(key))
    }

    /// Whether it is `base` or inherits it.
    pub(super) fn inherits(&self, base: &str) -> bool {
        self.line().any(|class| class.name == base)
    }

    /// The counts of objects of the class, by its own rows and those of its bases.
    pub(super) fn counts(&self) -> impl Iterator<Item = &'static Count> {
        self.line().flat_map(|class| &class.counts)
    }

    /// The class and its bases.
    fn line(&self) -> impl Iterator<Item = &'static Class> + use<> {
        std::iter::successors(class(self.name), |found| class(found.base))
    }

    fn own_property(&'static self, key: &str) -> Option<&'static Shape> {
        if let Ok(index) = self.properties.binary_search_by_key(&(false, key), |row| order(row.0)) {
            return Some(&self.properties[index].1);
        }
        let patterns = self.properties.partition_point(|row| !is_pattern(row.0));
        let fits = |row: &&'static (&'static str, Shape)| matches(row.0, key);
        self.properties[patterns..].iter().find(fits).map(|row| &row.1)
    }
}

fn is_pattern(name: &str) -> bool {
    name.contains(['*', '#'])
}

fn order(name: &str) -> (bool, &str) {
    (is_pattern(name), name)
}

/// Whether the key has the pieces of the pattern: `*` means a name, `#` a number.
fn matches(pattern: &str, key: &str) -> bool {
    let mut pieces = key.split('/');
    let fits = pattern.split('/').all(|wanted| {
        pieces.next().is_some_and(|piece| match wanted {
            "*" => is_name(piece),
            "#" => is_index(piece),
            _ => piece == wanted,
        })
    });
    fits && pieces.next().is_none()
}

/// Letters, digits and the like, without the leading underscore of names that belong to an engine or editor.
/// `_edit_…` is stored by Godot's editor for itself.
fn is_name(piece: &str) -> bool {
    let is_plain =
        |character: char| character.is_alphanumeric() || matches!(character, '_' | '-' | ' ' | '.');
    !piece.is_empty()
        && (!piece.starts_with('_') || piece.starts_with("_edit_") || piece == "_lint_ignore")
        && piece.chars().all(is_plain)
}

/// A number as Godot writes it.
fn is_index(piece: &str) -> bool {
    let is_canonical = piece == "0" || !piece.starts_with('0');
    is_canonical
        && (1..=5).contains(&piece.len())
        && piece.bytes().all(|byte| byte.is_ascii_digit())
}

/// # Panics
/// If a row makes no sense. The list is part of the program, and a test reads it.
fn read(text: &'static str) -> HashMap<&'static str, Class> {
    let mut classes = HashMap::new();
    for block in text.split("\n=").skip(1) {
        let mut lines = block.lines();
        let head = lines.next().unwrap_or_default();
        let mut fields = head.split('\t');
        let (name, base) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        let can_be_made = fields.next() == Some("+");
        let mut class =
            Class { name, base, can_be_made, properties: Vec::new(), counts: Vec::new() };
        for line in lines {
            match line.strip_prefix('$') {
                Some(count) => class.counts.push(Count::read(count)),
                None => class.properties.push(row(line)),
            }
        }
        class.properties.sort_by(|left, right| order(left.0).cmp(&order(right.0)));
        classes.insert(name, class);
    }
    classes
}

fn row(line: &'static str) -> (&'static str, Shape) {
    let read = line.split_once('\t').and_then(|(name, shape)| Some((name, Shape::read(shape)?)));
    read.unwrap_or_else(|| panic!("the list of harmless properties has the row {line:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_animated_is_on_the_list() {
        let names = ANIMATED.lines().filter(|line| !line.starts_with('#'));
        let never: Vec<_> = names.filter(|name| in_tracks(name) == InTracks::Never).collect();
        assert_eq!(never, [] as [&str; 0]);
    }

    #[test]
    fn every_base_is_on_the_list() {
        assert!(CLASSES.len() > 150);
        for class in CLASSES.values() {
            let is_top = matches!(class.base, "" | "Object" | "RefCounted");
            assert!(is_top || super::class(class.base).is_some(), "{class:?}");
        }
    }

    /// `scripts/test/scenes/harmless.sh --record` shows objects of each class to a real engine.
    #[test]
    fn every_class_was_seen_in_the_engine() {
        const LEAST: usize = 10;
        let proof = include_str!("../../data/harmless_proof.txt");
        let seen: HashMap<&str, usize> = proof
            .lines()
            .filter_map(|line| line.split_once('\t'))
            .map(|(name, count)| (name, count.parse().unwrap()))
            .collect();
        let made = CLASSES.values().filter(|class| class.can_be_made);
        let missing: Vec<_> = made
            .map(|class| class.name)
            .filter(|name| seen.get(name).is_none_or(|count| *count < LEAST))
            .collect();
        assert_eq!(missing, [] as [&str; 0], "run scripts/test/scenes/harmless.sh --record");
        let engine = |text: &'static str| {
            let mut lines = text.lines();
            let line = lines.find_map(|line| line.strip_prefix("# Godot "));
            line.and_then(|line| line.split(',').next())
        };
        assert_eq!(engine(proof), engine(LIST), "the proof is one of another engine");
    }

    #[test]
    fn properties_are_found_in_bases_and_by_patterns() {
        let sprite = class("Sprite2D").unwrap();
        assert!(sprite.can_be_made && sprite.inherits("CanvasItem") && !sprite.inherits("Control"));
        for key in ["texture", "position", "metadata/a b", "metadata/_edit_lock_"] {
            assert!(sprite.property(key).is_some(), "{key}");
        }
        for key in
            ["", "metadata/", "metadata/a/b", "metadata/_custom_type_script", "scene_file_path"]
        {
            assert!(sprite.property(key).is_none(), "{key}");
        }
        assert!(!class("Texture2D").unwrap().can_be_made);
        assert!(class("HTTPRequest").is_none() && class("GDScript").is_none());
    }

    #[test]
    fn patterns() {
        for key in ["tracks/0/type", "tracks/99999/type"] {
            assert!(matches("tracks/#/type", key), "{key}");
        }
        for key in
            ["tracks/00/type", "tracks/-1/type", "tracks/0/type/x", "tracks//type", "tracks/1"]
        {
            assert!(!matches("tracks/#/type", key), "{key}");
        }
    }
}
