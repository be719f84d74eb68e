//! Lists that Godot's setters refuse or cut because of their length or content, in addition to the type of the
//! property.
//!
//! `scripts/test/scenes/lengths.sh` asks Godot about each row, with all lengths up to some groups.

mod conditions;
mod ranges;
mod relations;
mod sprites;
mod tiles;

use godot_tscn::{PartKind, PartRef, Property, Section, Span, TagKind, quote};

use self::conditions::{CONDITIONS, Condition};
use self::sprites::SpriteFrames;
use self::tiles::TileSets;
use crate::SceneContext;
use crate::class_db::Class;
use crate::keys::{Keys, is_short};

/// A list in a value that Godot does not take.
#[derive(Debug)]
pub struct WrongLength<'c> {
    /// The property that holds the list.
    pub property: Property<'c>,
    /// The list, or the dictionary that lacks it.
    pub span: Span,
    /// The problem, with the found length.
    pub problem: String,
    /// The effect in Godot.
    pub effect: Effect,
}

/// Godot's treatment of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The setter logs an error, and the property keeps its default.
    Refused,
    /// The setter does nothing, without a word in the log.
    Ignored,
    /// Something else.
    Other(String),
}

/// The requirement for a list.
struct Row {
    class: &'static str,
    /// The property; `*` is any name or number between slashes.
    property: &'static str,
    /// The key in the property's dictionary; the property itself if it is empty.
    key: &'static str,
    rule: Rule,
}

enum Rule {
    /// Elements come in groups: the size and the name of a group.
    Groups(usize, &'static str),
    /// With fewer elements it is nothing; perhaps it may have none at all.
    AtLeast { least: usize, or_none: bool },
    /// As many elements as another list of the dictionary has, times and divided by a number.
    AsMany { other: &'static str, times: usize, per: usize },
    /// The dictionary has these keys.
    Keys(&'static [&'static str]),
}

const fn row(class: &'static str, property: &'static str, key: &'static str, rule: Rule) -> Row {
    Row { class, property, key, rule }
}

/// By the setters of Godot 4.6.3. The keys of animations' tracks have a rule of their own, `FMT005`.
const ROWS: &[Row] = &[
    row("AnimationNodeBlendTree", "node_connections", "", Rule::Groups(3, "connection")),
    row("AnimationNodeStateMachine", "transitions", "", Rule::Groups(3, "transition")),
    row("AnimationPlayer", "blend_times", "", Rule::Groups(3, "blend time")),
    row("BitMap", "data", "", Rule::Keys(&["size", "data"])),
    row("ConcavePolygonShape2D", "segments", "", Rule::Groups(2, "segment")),
    row("ConcavePolygonShape3D", "data", "", Rule::Groups(3, "triangle")),
    row("Curve", "_data", "", Rule::Groups(5, "point")),
    row("Curve2D", "_data", "", Rule::Keys(&["points"])),
    row("Curve2D", "_data", "points", Rule::Groups(3, "point")),
    row("Curve3D", "_data", "", Rule::Keys(&["points", "tilts"])),
    row("Curve3D", "_data", "points", Rule::Groups(3, "point")),
    row("Curve3D", "_data", "tilts", Rule::AsMany { other: "points", times: 1, per: 3 }),
    row("GridMap", "data", "", Rule::Keys(&["cells"])),
    row("GridMap", "data", "cells", Rule::Groups(3, "cell")),
    row("Image", "data", "", Rule::Keys(&["width", "height", "format", "mipmaps", "data"])),
    row("LightmapGIData", "user_data", "", Rule::Groups(4, "user")),
    row("LightmapGIData", "probe_data", "tetrahedra", Rule::Groups(4, "tetrahedron")),
    row("LightmapGIData", "probe_data", "bsp", Rule::Groups(6, "node")),
    row("LightmapGIData", "probe_data", "sh", Rule::AsMany { other: "points", times: 9, per: 1 }),
    row("OccluderPolygon2D", "polygon", "", Rule::AtLeast { least: 2, or_none: false }),
    row("Polygon2D", "bones", "", Rule::Groups(2, "bone")),
    row(
        "TileSetAtlasSource",
        "*/*/physics_layer_*/polygon_*/points",
        "",
        Rule::AtLeast { least: 3, or_none: true },
    ),
    row("VisualShader", "nodes/*/connections", "", Rule::Groups(4, "connection")),
    row("TileSet", "tile_proxies/source_level", "", Rule::Groups(2, "proxy")),
    row("TileSet", "tile_proxies/coords_level", "", Rule::Groups(2, "proxy")),
    row("TileSet", "tile_proxies/alternative_level", "", Rule::Groups(2, "proxy")),
];

/// The lists of a text that Godot does not take. Where a script could read them, nothing is reported.
pub fn wrong_lengths<'c>(context: &SceneContext<'c>) -> Vec<WrongLength<'c>> {
    let mut found = Vec::new();
    let mut known = Known { section: u32::MAX, ..Known::default() };
    let mut tile_sets = TileSets::default();
    let mut sprite_frames = SpriteFrames::default();
    for assignment in context.assignments() {
        if known.section != assignment.section.index() {
            known = Known::of(context, assignment.section);
            if known.has_tiles {
                found.extend(tile_sets.outside(context, assignment.section));
            }
            if known.is_range
                && let Some(class) = assignment.object.native()
            {
                found.extend(ranges::cut_value(context, assignment.section, class));
            }
        }
        let (property, key) = (assignment.property, &*assignment.key);
        if !known.asks_about(property, key) {
            continue;
        }
        for row in known.rows.iter().filter(|row| is_of(row.property, key)) {
            let tree = property.value_tree();
            let wrong = row.wrong(tree.root());
            found.extend(wrong.map(|(span, problem, effect)| WrongLength {
                property,
                span,
                problem,
                effect,
            }));
        }
        if known.is_sprite && key == "animation" {
            found.extend(sprite_frames.animation(context, &known.keys, known.is_new, property));
        }
        if known.has_cells {
            found.extend(tile_sets.cells(context, &known.keys, property));
        }
        if let Some(class) = assignment.object.native().filter(|_| known.is_new) {
            let conditions = known.conditions.iter().filter(|found| found.property == key);
            let wrong = |found: &&Condition| found.wrong(context, class, &known.keys, property);
            found.extend(conditions.filter_map(wrong));
        }
        for relation in known.relations.iter().filter(|found| is_of(found.property, key)) {
            found.extend((relation.wrong)(&known.keys, property));
        }
    }
    found
}

/// The requirements for the lists of an object.
#[derive(Default)]
struct Known<'c> {
    section: u32,
    keys: Keys<'c>,
    /// Whether it is a `Range`, plays `SpriteFrames`, is a map of tiles, or has tiles of its own.
    is_range: bool,
    is_sprite: bool,
    has_cells: bool,
    has_tiles: bool,
    /// Whether the section makes the object, so that its other properties are as in a new one.
    is_new: bool,
    rows: Vec<&'static Row>,
    conditions: Vec<&'static Condition>,
    relations: Vec<&'static relations::Relation>,
}

impl<'c> Known<'c> {
    fn of(context: &SceneContext<'c>, section: Section<'c>) -> Self {
        let object = context.attached(section);
        let is_new = section.kind() != TagKind::Node || section.field("type").is_some();
        let mut known = Self { section: section.index(), is_new, ..Self::default() };
        let decides_itself = object.scripts().any(|script| script.has_dynamic_properties);
        let Some(native) = object.native().filter(|_| !decides_itself) else { return known };
        if !object.has_known_scripts() {
            return known;
        }
        for class in context.project.classes().lineage(native).map(Class::name) {
            match class {
                "AnimatedSprite2D" | "AnimatedSprite3D" => known.is_sprite = true,
                "Range" => known.is_range = true,
                "TileMap" | "TileMapLayer" => known.has_cells = true,
                "TileSetAtlasSource" => known.has_tiles = true,
                _ => {}
            }
            let of_class = |condition: &&Condition| condition.class == class;
            known.conditions.extend(CONDITIONS.iter().filter(of_class));
            known.rows.extend(ROWS.iter().filter(|row| row.class == class));
            let of_class = |relation: &&relations::Relation| relation.class == class;
            known.relations.extend(relations::RELATIONS.iter().filter(of_class));
        }
        if known.is_sprite
            || known.has_cells
            || !known.conditions.is_empty()
            || !known.rows.is_empty()
            || !known.relations.is_empty()
        {
            known.keys = Keys::of(section);
        }
        known
    }

    /// Whether a rule is about a property. If a section has a key several times, only the last one counts.
    fn asks_about(&self, property: Property<'_>, key: &str) -> bool {
        (self.has_cells && (key == "tile_map_data" || key.ends_with("tile_data"))
            || self.is_sprite && key == "animation"
            || self.conditions.iter().any(|condition| condition.property == key)
            || self.rows.iter().any(|row| is_of(row.property, key))
            || self.relations.iter().any(|relation| is_of(relation.property, key)))
            && self.keys.is_last(property)
    }
}

impl Row {
    fn wrong(&self, value: PartRef<'_>) -> Option<(Span, String, Effect)> {
        if let Rule::Keys(keys) = self.rule {
            let is_dictionary = value.kind() == PartKind::Dictionary;
            let missing = keys.iter().find(|key| value.get(key).is_none());
            let missing = quote(missing.filter(|_| is_dictionary)?.as_bytes());
            let problem = format!("{} has no {missing}", quote(self.property.as_bytes()));
            return Some((value.span(), problem, self.effect()));
        }
        let list = if self.key.is_empty() { value } else { value.get(self.key)? };
        let count = length(list)?;
        let name = self.property.rsplit('/').next().unwrap_or(self.property);
        let name = quote(if self.key.is_empty() { name } else { self.key }.as_bytes());
        let problem = match self.rule {
            Rule::Keys(_) => return None,
            Rule::Groups(size, what) => (!count.is_multiple_of(size)).then(|| {
                format!("each {what} in {name} has {size} elements, but {count} is not a multiple of {size}")
            }),
            Rule::AtLeast { least, or_none } => (count < least && !(or_none && count == 0)).then(|| {
                format!("{name} has {}; expected at least {least}", elements(count))
            }),
            Rule::AsMany { other, times, per } => {
                let expected = length(value.get(other)?)? * times / per;
                let other = quote(other.as_bytes());
                (count != expected).then(|| {
                    format!("{name} has {}; expected {expected} for {other}", elements(count))
                })
            }
        };
        Some((list.span(), problem?, self.effect()))
    }

    fn effect(&self) -> Effect {
        let other = match (self.class, self.key) {
            ("GridMap" | "VisualShader", "") => return Effect::Ignored,
            ("ConcavePolygonShape3D", _) => "Godot logs an error, and the shape does not collide",
            ("Curve3D", "tilts") => {
                "Godot drops tilts, or reads after the end of the list and may crash"
            }
            ("OccluderPolygon2D", _) => "Godot logs an error, and the polygon casts no shadow",
            _ => return Effect::Refused,
        };
        Effect::Other(other.to_owned())
    }
}

fn elements(count: usize) -> String {
    named(count, "element")
}

/// `1 point`, `3 points`
fn named(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// How many elements a list has. Nothing for a value that is not a list.
fn length(list: PartRef<'_>) -> Option<usize> {
    let each = match list.name() {
        b"PackedVector2Array" => 2,
        b"PackedVector3Array" => 3,
        b"PackedColorArray" | b"PackedVector4Array" => 4,
        _ => 1,
    };
    match list.kind() {
        PartKind::Array => Some(list.children().count()),
        PartKind::Typed => length(list.children().last()?),
        PartKind::Numbers | PartKind::Construct if list.name() == b"PackedByteArray" => {
            list.bytes().map(|bytes| bytes.len())
        }
        PartKind::Numbers if list.name().ends_with(b"Array") => Some(list.number_count() / each),
        PartKind::Construct if list.name() == b"PackedStringArray" => Some(list.children().count()),
        _ => None,
    }
}

/// A whole number, or a condition as 0 or 1.
fn whole_number(property: &Property<'_>) -> Option<i64> {
    is_short(property).then(|| whole_number_of(property.source()))?
}

fn whole_number_of(source: &[u8]) -> Option<i64> {
    match source {
        b"true" => Some(1),
        b"false" => Some(0),
        source => std::str::from_utf8(source).ok()?.parse().ok(),
    }
}

/// Whether a key is that of a row. A tile `1:0` is a name, too.
fn is_of(pattern: &str, key: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == key };
    let Some(key) = key.strip_prefix(start) else { return false };
    let end = key.find('/').unwrap_or(key.len());
    end > 0 && is_of(rest, &key[end..])
}
