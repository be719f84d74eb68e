//! The properties that objects list, their order, and the types of the properties of their
//! elements.
//!
//! Godot saves properties in the order in which `Object::get_property_list` (core/object/object.cpp) lists them: those of bases
//! first. An object has some properties for each element that it holds, such as `bones/0/rotation`; the table has them as
//! patterns with a type, `bones/*/rotation=Quaternion`. These are the lists of objects with elements in Godot 4.6.3
//! (`scripts/data/class_db.sh`).

use std::borrow::Cow;
use std::sync::OnceLock;

use hashbrown::HashMap;

use super::ClassDb;
use super::class::{Class, PropertyInfo};

const ORDER: &str = include_str!("../../data/property_order.txt");
const THEME: &str = "theme_override_";
/// Elements that Godot does not sort: those of a shader have its order, those of a map the order in which they came.
const UNSORTED: [&str; 4] =
    ["shader_parameter/*", "instance_shader_parameters/*", "blend_shapes/*", "bone_map/*"];

/// Where a property is among those of its object. An unknown one comes after all others.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PropertyRank {
    is_unknown: bool,
    /// How many bases its class has.
    depth: usize,
    /// Its place in the list of its class, and for each `*` the element.
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Place(usize),
    Number(u64),
    Name(String),
}

impl ClassDb {
    /// Where the property `name` is among those of an object of this class.
    pub fn property_rank(&self, class: &str, name: &str) -> PropertyRank {
        let lineage: Vec<&str> = self.lineage(class).map(Class::name).collect();
        let rank = |index: usize, steps: Vec<Step>| PropertyRank {
            depth: lineage.len() - index,
            steps,
            is_unknown: false,
        };
        if let Some(item) = name.strip_prefix(THEME) {
            let is_themed = |class: &&str| matches!(*class, "Control" | "Window");
            let index = lineage.iter().position(is_themed).unwrap_or_default();
            let items = lineage.iter().find_map(|class| table().theme(class));
            let place = items.and_then(|items| items.iter().position(|known| *known == item));
            let place = place.unwrap_or(usize::MAX);
            return rank(index, vec![Step::Place(usize::MAX), Step::Place(place)]);
        }
        let listed = lineage
            .iter()
            .enumerate()
            .find_map(|(index, class)| Some(rank(index, table().list(class)?.steps(name)?)));
        let taken = || {
            let index = self.lineage(class).position(|class| class.takes(name))?;
            Some(rank(index, vec![Step::Place(usize::MAX)]))
        };
        let unknown = PropertyRank { is_unknown: true, ..PropertyRank::default() };
        listed.or_else(taken).unwrap_or(unknown)
    }

    /// The theme items of the class, such as `colors/font_color`, in Godot 4.6. Those of its bases are not among them.
    pub fn theme_items(&self, class: &str) -> &'static [&'static str] {
        let items = table().theme(class).filter(|_| !self.is_godot_3());
        items.map_or(&[], Vec::as_slice)
    }

    /// The property of an element, which is in no list of a class; nothing if it is unknown.
    pub(super) fn property_of_element(
        &self,
        class: &str,
        name: &str,
    ) -> Option<PropertyInfo<'static>> {
        if self.is_godot_3() {
            return None;
        }
        self.lineage(class).find_map(|class| {
            let list = table().list(class.name())?;
            let found = &list.properties[list.find(name)?.0];
            Some(PropertyInfo::of_element(found.name, found.type_name?))
        })
    }

    /// The overrides of theme items that a control of this class lists: `theme_override_colors/font_color`.
    pub fn theme_overrides(&self, class: &str) -> impl Iterator<Item = String> + use<> {
        let lineage = self.lineage(class);
        let items = lineage.map(Class::name).find_map(|class| table().theme(class));
        let items = items.filter(|_| !self.is_godot_3());
        items.into_iter().flatten().map(|item| format!("{THEME}{item}"))
    }

    pub(super) fn element_properties(
        &self,
        class: &str,
    ) -> impl Iterator<Item = PropertyInfo<'static>> + use<> {
        let list = table().list(class).filter(|_| !self.is_godot_3());
        let properties = list.into_iter().flat_map(|list| &list.properties);
        properties.filter_map(|found| Some(PropertyInfo::of_element(found.name, found.type_name?)))
    }
}

/// The text of each class, and its list once something asked for it: a scene names few of the classes.
#[derive(Default)]
struct Table {
    lists: HashMap<&'static str, (&'static str, OnceLock<List>)>,
    themes: HashMap<&'static str, (&'static str, OnceLock<Vec<&'static str>>)>,
}

impl Table {
    fn list(&self, class: &str) -> Option<&List> {
        let (words, list) = self.lists.get(class)?;
        Some(list.get_or_init(|| List::new(words)))
    }

    fn theme(&self, class: &str) -> Option<&Vec<&'static str>> {
        let (words, items) = self.themes.get(class)?;
        Some(items.get_or_init(|| words.split(' ').collect()))
    }
}

/// The properties of a class, without those of its bases.
struct List {
    properties: Vec<Listed>,
    by_name: HashMap<&'static str, usize>,
}

struct Listed {
    /// In which `*` is a number or a name.
    name: &'static str,
    /// For a property that is not in the table of classes.
    type_name: Option<&'static str>,
}

impl List {
    fn new(words: &'static str) -> Self {
        let properties: Vec<Listed> = words
            .split(' ')
            .map(|word| match word.split_once('=') {
                Some((name, type_name)) => Listed { name, type_name: Some(type_name) },
                None => Listed { name: word, type_name: None },
            })
            .collect();
        let by_name = properties.iter().enumerate().map(|(at, found)| (found.name, at)).collect();
        Self { properties, by_name }
    }

    /// The place of a property, and the elements that it names.
    fn find<'n>(&self, name: &'n str) -> Option<(usize, Vec<&'n str>)> {
        if let Some(at) = self.by_name.get(name) {
            return Some((*at, Vec::new()));
        }
        // Most elements have numbers: then no pattern has to be tried.
        let (pattern, numbers) = with_numbers_as_stars(name);
        if let Some(at) = self.by_name.get(pattern.as_ref()) {
            return Some((*at, numbers));
        }
        let patterns = self.properties.iter().enumerate();
        let matching = patterns.filter_map(|(at, found)| Some((at, elements(found.name, name)?)));
        matching.max_by_key(|(at, _)| self.properties[*at].name.len())
    }

    fn steps(&self, name: &str) -> Option<Vec<Step>> {
        let (at, elements) = self.find(name)?;
        let pattern = self.properties[at].name;
        let mut steps = Vec::new();
        if !UNSORTED.contains(&pattern) {
            for ((star, _), element) in pattern.match_indices('*').zip(elements) {
                let group = &pattern[..=star];
                let is_in_group = |found: &Listed| found.name.starts_with(group);
                steps.push(Step::Place(self.properties.iter().position(is_in_group)?));
                let number = element.parse().map(Step::Number);
                steps.push(number.unwrap_or_else(|_| Step::Name(element.to_owned())));
            }
        }
        steps.push(Step::Place(at));
        Some(steps)
    }
}

/// A name with `*` in the place of each number between `/`, `_` and `:`, and the numbers.
fn with_numbers_as_stars(name: &str) -> (Cow<'_, str>, Vec<&str>) {
    let is_border = |byte: u8| matches!(byte, b'/' | b'_' | b':');
    let (bytes, mut at) = (name.as_bytes(), 0);
    let (mut pattern, mut copied, mut numbers) = (String::new(), 0, Vec::new());
    while at < bytes.len() {
        let len = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let begins = at == 0 || is_border(bytes[at - 1]);
        let ends = bytes.get(at + len).is_none_or(|byte| is_border(*byte));
        if len > 0 && begins && ends {
            pattern.push_str(&name[copied..at]);
            pattern.push('*');
            numbers.push(&name[at..at + len]);
            copied = at + len;
        }
        at += len.max(1);
    }
    if numbers.is_empty() {
        return (Cow::Borrowed(name), numbers);
    }
    pattern.push_str(&name[copied..]);
    (Cow::Owned(pattern), numbers)
}

/// The text in the place of each `*`, if the name has the pattern. Only the last may contain a `/`.
fn elements<'n>(pattern: &str, name: &'n str) -> Option<Vec<&'n str>> {
    let mut parts = pattern.split('*');
    let mut rest = name.strip_prefix(parts.next()?)?;
    let mut found = Vec::new();
    while let Some(part) = parts.next() {
        let end = match part {
            "" if parts.clone().next().is_none() => rest.len(),
            _ => rest.find(part)?,
        };
        if part.is_empty() && end == 0 || !part.is_empty() && rest[..end].contains('/') {
            return None;
        }
        found.push(&rest[..end]);
        rest = &rest[end + part.len()..];
    }
    (rest.is_empty() && !found.is_empty()).then_some(found)
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table::default();
        for (class, words) in ORDER.lines().filter_map(|line| line.split_once('\t')) {
            match class.strip_suffix(":theme") {
                Some(class) => {
                    table.themes.insert(class, (words, OnceLock::new()));
                }
                None => {
                    table.lists.insert(class, (words, OnceLock::new()));
                }
            }
        }
        table
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes() -> &'static ClassDb {
        ClassDb::for_version(godot_tscn::GodotVersion::godot4(6))
    }

    #[track_caller]
    fn check_order(class: &str, sorted: &[&str]) {
        let ranks: Vec<_> =
            sorted.iter().map(|name| classes().property_rank(class, name)).collect();
        assert!(ranks.is_sorted_by(|one, other| one < other), "{ranks:?}");
    }

    #[test]
    fn bases_come_first_and_theme_items_behind_those_of_control() {
        check_order(
            "Button",
            &[
                "process_mode",
                "visible",
                "modulate",
                "anchor_left",
                "theme_type_variation",
                "theme_override_styles/normal",
                "theme_override_colors/font_color",
                "theme_override_colors/font_focus_color",
                "disabled",
                "text",
                "unknown",
            ],
        );
        // Properties that objects have on demand come after the rest of their class.
        check_order(
            "AnimationPlayer",
            &[
                "callback_mode_method",
                "libraries/",
                "libraries/a",
                "playback_auto_capture_duration",
            ],
        );
    }

    #[test]
    fn elements_are_in_order() {
        check_order(
            "Animation",
            &[
                "step",
                "tracks/0/type",
                "tracks/0/path",
                "tracks/0/keys",
                "tracks/1/type",
                "tracks/10/type",
            ],
        );
        check_order(
            "TileSetAtlasSource",
            &[
                "texture",
                "0:0/animation_columns",
                "0:0/0",
                "0:0/0/terrain_set",
                "0:0/0/terrain",
                "0:0/0/terrains_peering_bit/right_side",
                "0:0/1",
                "2:0/0",
                "10:0/0",
            ],
        );
        check_order(
            "AnimationNodeStateMachine",
            &[
                "states/Start/node",
                "states/a/node",
                "states/a/position",
                "states/b/node",
                "transitions",
            ],
        );
        check_order(
            "SpringBoneSimulator3D",
            &[
                "settings/0/joint_count",
                "settings/0/joints/0/radius",
                "settings/0/joints/1/radius",
                "settings/1/root_bone",
            ],
        );
        let of_shader = ["shader_parameter/b", "shader_parameter/a"];
        let ranks = of_shader.map(|name| classes().property_rank("ShaderMaterial", name));
        assert_eq!(ranks[0], ranks[1]);
    }

    #[test]
    fn elements_have_types() {
        for (class, name, type_name) in [
            ("Label", "theme_override_colors/font_color", "Color"),
            ("Animation", "tracks/3/path", "NodePath"),
            ("AnimationNodeStateMachine", "states/idle walk/position", "Vector2"),
            ("TileSet", "terrain_set_0/terrain_12/color", "Color"),
            ("TileSetAtlasSource", "0:12/0/physics_layer_0/polygon_0/points", "PackedVector2Array"),
            ("AnimationPlayer", "libraries/a/b", "AnimationLibrary"),
            ("PhysicalBone3D", "joint_constraints/bias", "float"),
        ] {
            let found = classes().property(class, name);
            assert_eq!(found.map(PropertyInfo::type_name), Some(type_name), "{name}");
        }
        for (class, name) in
            [("Node", "a/b"), ("Animation", "tracks/x"), ("TileSet", "terrain_set_0/x")]
        {
            assert_eq!(classes().property(class, name), None, "{name}");
        }
    }
}
