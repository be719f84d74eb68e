//! The counts of an object, by the rows of the list that start with `$`. Numbers saturate.

use godot_variant::Value;
use hashbrown::HashMap;

use crate::budget::{Tally, Thing};
use crate::document::{Property, Section};
use crate::harmless::letters;
use crate::harmless::list::Class;
use crate::harmless::shape::{self, Shape};

/// The bytes of a tile of a map.
const TILE: u64 = 12;
/// The bytes of plain data that count as one value.
const DATA: u64 = 64;

/// The counts of an object of a class.
#[derive(Debug)]
pub(super) enum Count {
    /// `vertices 4*rings=32*amount=8/0.5`: the thing, a factor, and properties with their defaults and units.
    Product(Thing, u64, Vec<Factor>),
    /// `points path bake_interval=5`: the points of a curve, that far apart.
    Path(f64),
    /// `shapes collider`: a shape of the body above it, and as many as the points of its `polygon`.
    Collider,
    /// `draws amount=8 mesh`: the counts of the resources in some properties, times the value of a property, or once
    /// (`draws 1 libraries libraries/*`). A few lines may draw a large mesh a hundred thousand times.
    Draws(Option<Factor>, Vec<&'static str>),
}

/// A property (of a packed array, the number of elements), its default, and how much of it counts as one.
#[derive(Debug)]
pub(super) struct Factor {
    name: &'static str,
    default: f64,
    unit: f64,
}

impl Count {
    /// # Panics
    /// If the row makes no sense: the list is part of the program.
    pub(super) fn read(text: &'static str) -> Self {
        Self::parse(text)
            .unwrap_or_else(|| panic!("the list of harmless properties has the count {text:?}"))
    }

    fn parse(text: &'static str) -> Option<Self> {
        let (thing, rest) = text.split_once(' ')?;
        match (thing, rest) {
            ("shapes", "collider") => return Some(Self::Collider),
            ("draws", drawn) => {
                let (count, properties) = drawn.split_once(' ')?;
                let count = if count == "1" { None } else { Some(Factor::read(count)?) };
                return Some(Self::Draws(count, properties.split(' ').collect()));
            }
            _ => {}
        }
        if let Some(interval) = rest.strip_prefix("path bake_interval=") {
            return Some(Self::Path(interval.parse().ok()?));
        }
        let thing = Thing::from_name(thing)?;
        let mut parts = rest.split('*');
        let factor = parts.next()?.parse().ok()?;
        Some(Self::Product(thing, factor, parts.map(Factor::read).collect::<Option<_>>()?))
    }

    /// Whether it depends on a property.
    pub(super) fn names(&self, property: &str) -> bool {
        match self {
            Self::Product(_, _, factors) => factors.iter().any(|factor| factor.name == property),
            Self::Path(_) => matches!(property, "_data" | "bake_interval"),
            Self::Collider => property == "polygon",
            Self::Draws(count, properties) => {
                count.as_ref().is_some_and(|count| count.name == property)
                    || properties.iter().any(|name| is_named(property.as_bytes(), name))
            }
        }
    }

    /// Adds the counts of an object below a node of the class `above`, without the resources that it
    /// draws.
    pub(super) fn add_to(&self, tally: &mut Tally, section: Section<'_>, above: Option<&Class>) {
        match self {
            Self::Draws(..) => {}
            Self::Product(thing, factor, factors) => {
                let factors = factors.iter().map(|factor| factor.of(section));
                tally.add(*thing, factors.fold(*factor, u64::saturating_mul));
            }
            Self::Path(interval) => {
                let interval = number(section, "bake_interval").unwrap_or(*interval);
                tally.add(Thing::Points, (length(section) / interval) as u64);
            }
            Self::Collider => {
                // It may be cut into as many convex pieces.
                let shapes = number(section, "polygon").map_or(1, |points| points as u64);
                tally.add(Thing::Shapes, shapes);
                if !above.is_some_and(is_at_rest) {
                    tally.add(Thing::MovingShapes, shapes);
                }
            }
        }
    }

    /// The values with the resources that an object draws, and how often it draws each of them.
    pub(super) fn drawn<'d>(&self, section: Section<'d>) -> Option<(u64, Vec<Value>)> {
        let Self::Draws(count, names) = self else { return None };
        let is_drawn = |property: &Property<'d>| {
            names.iter().any(|name| is_named(&property.engine_key(), name))
        };
        let values = section.properties().filter(is_drawn).filter_map(|found| found.value().ok());
        Some((count.as_ref().map_or(1, |count| count.of(section)), values.collect()))
    }
}

/// Whether bodies of the class never move.
pub(super) fn is_at_rest(class: &Class) -> bool {
    matches!(class.name, "StaticBody2D" | "StaticBody3D")
}

impl Factor {
    fn read(text: &'static str) -> Option<Self> {
        let (name, rest) = text.split_once('=')?;
        let (default, unit) = rest.split_once('/').unwrap_or((rest, "1"));
        Some(Self { name, default: default.parse().ok()?, unit: unit.parse().ok()? })
    }

    fn of(&self, section: Section<'_>) -> u64 {
        (number(section, self.name).unwrap_or(self.default) / self.unit).max(1.0) as u64
    }
}

/// Adds the counts of the value of a property.
pub(super) fn add_value(tally: &mut Tally, key: &str, shape: &Shape, value: &Value, source: &[u8]) {
    let elements = shape::element_count(value) as u64;
    match (shape, value) {
        (Shape::Text, _) => letters::add_text(tally, shape::text(value).unwrap_or_default()),
        (Shape::RichText, _) => {
            letters::add_rich_text(tally, shape::text(value).unwrap_or_default());
        }
        (Shape::Data, _) => tally.add(Thing::Metadata, 1 + source.len() as u64 / DATA),
        (_, Value::PackedByteArray(_)) => tally.add(Thing::Tiles, elements.div_ceil(TILE)),
        (Shape::SpriteAnimations, _) => tally.add(Thing::Frames, shape::leaf_count(value)),
        (Shape::Named(_), Value::Dictionary(names)) => {
            tally.add(Thing::Resources, names.len() as u64);
        }
        (Shape::Track, _) if key.ends_with("/keys") => {
            tally.add(Thing::Keys, 1 + shape::leaf_count(value));
        }
        (Shape::Packed(..) | Shape::CurvePoints | Shape::PathPoints, _)
        | (Shape::Indices(_) | Shape::Outlines(..), _) => {
            tally.add(Thing::Points, shape::leaf_count(value));
        }
        _ => {}
    }
    tally.add(Thing::PathNames, names_in(value));
    if key == "polygons" && matches!(shape, Shape::Indices(_)) {
        tally.add(Thing::FreeEdges, free_edges(value));
    }
    if is_theme_item(key) {
        tally.add(Thing::ThemeItems, 1);
    } else if key.starts_with("surface_material_override/") {
        tally.add(Thing::Materials, 1);
    } else if key.starts_with("libraries/") || key.starts_with("_data/") {
        tally.add(Thing::Resources, 1);
    }
}

/// How many names the paths in a value have.
fn names_in(value: &Value) -> u64 {
    match value {
        Value::NodePath(path) => (path.names.len() + path.subnames.len()) as u64,
        Value::Array(array) => array.elements.iter().map(names_in).sum(),
        _ => 0,
    }
}

/// How many edges belong to one polygon only: navigation compares each with each of other meshes.
fn free_edges(polygons: &Value) -> u64 {
    let Value::Array(polygons) = polygons else { return 0 };
    let mut uses: HashMap<(i32, i32), u32> = HashMap::new();
    for polygon in &polygons.elements {
        let Value::PackedInt32Array(indices) = polygon else { continue };
        let next = indices.iter().cycle().skip(1);
        for (from, to) in indices.iter().zip(next) {
            *uses.entry((*from.min(to), *from.max(to))).or_default() += 1;
        }
    }
    uses.values().filter(|count| **count == 1).count() as u64
}

/// Whether a property is an item of a theme: `theme_override_colors/font_color`, `Label/colors/font_color`.
fn is_theme_item(key: &str) -> bool {
    let is_kind = |piece: &str| {
        matches!(piece, "colors" | "constants" | "font_sizes" | "fonts" | "icons" | "styles")
    };
    key.split_once('/').is_some_and(|(start, rest)| {
        start.starts_with("theme_override_") || rest.split('/').next().is_some_and(is_kind)
    })
}

/// Whether a property has this name; `*` at its end matches anything.
fn is_named(property: &[u8], name: &str) -> bool {
    match name.strip_suffix('*') {
        Some(start) => property.starts_with(start.as_bytes()),
        None => property == name.as_bytes(),
    }
}

/// The number that a property has.
pub(super) fn number(section: Section<'_>, name: &str) -> Option<f64> {
    let mut properties = section.properties();
    let property = properties.find(|property| property.engine_key().as_ref() == name.as_bytes())?;
    match property.value() {
        Ok(Value::Int(int)) => Some(int as f64),
        Ok(Value::Float(float)) => Some(float),
        Ok(value) => Some(shape::element_count(&value) as f64).filter(|count| *count > 0.0),
        Err(_) => None,
    }
}

/// At least the length of the curve through the points of `Curve2D` or `Curve3D`.
fn length(section: Section<'_>) -> f64 {
    let mut properties = section.properties();
    let data = properties.find(|property| property.engine_key().as_ref() == b"_data");
    let Some(Ok(value)) = data.map(crate::document::Property::value) else { return 0.0 };
    let Some([Some(points), _]) = shape::entries(&value, ["points", "tilts"]) else { return 0.0 };
    let points: Vec<[f64; 3]> = match points {
        Value::PackedVector2Array(points) => {
            points.iter().map(|[x, y]| [f64::from(*x), f64::from(*y), 0.0]).collect()
        }
        Value::PackedVector3Array(points) => {
            points.iter().map(|point| point.map(f64::from)).collect()
        }
        _ => return 0.0,
    };
    let size = |[x, y, z]: [f64; 3]| x.hypot(y).hypot(z);
    let handles: f64 = points.chunks_exact(3).map(|point| size(point[0]) + size(point[1])).sum();
    let places: Vec<_> = points.chunks_exact(3).map(|point| point[2]).collect();
    let steps = places
        .windows(2)
        .map(|pair| size(std::array::from_fn(|axis| pair[1][axis] - pair[0][axis])));
    handles + steps.sum::<f64>()
}
