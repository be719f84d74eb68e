//! What an object costs, by the rows of the list that start with `$`.
//!
//! A unit is about ten nanoseconds, or ten bytes: all that is allowed takes Godot a second and half a gigabyte. Numbers
//! saturate.

use godot_variant::Value;

use crate::document::{Property, Section};
use crate::harmless::glyphs::cost_of_text;
use crate::harmless::list::Class;
use crate::harmless::shape::{self, Shape};
use crate::harmless::weight::MOST_COST;

/// A cell of a map takes twelve bytes, and is a few vertices.
const BYTE: u64 = 2;
/// An empty container takes two letters, and many bytes.
const DATA: u64 = 8;

/// A product of properties: what an object of a class costs.
#[derive(Debug)]
pub(super) enum Cost {
    /// `4*rings=32*amount=8/0.5`: a factor, and properties with their defaults and units.
    Product(u64, Vec<Factor>),
    /// `path bake_interval=5`: the points of a curve, that far apart.
    Path(f64),
    /// `collider`: a shape of the body above it, and as many as the points of its `polygon`.
    Collider,
    /// `draws amount=8 mesh`: what the resources that some properties have cost, as often as a property says, or once
    /// (`draws 1 libraries libraries/*`): a few lines may draw a large mesh a hundred thousand times.
    Draws(Option<Factor>, Vec<&'static str>),
    /// `tracks`: those of an animation, which are worked out for each picture.
    Tracks,
}

/// What a track costs.
const TRACK: u64 = 32;

/// Physics keeps every pair of shapes that overlap, unless both are at rest. So many shapes have about two million pairs.
const SHAPE_AT_REST: u64 = MOST_COST / 8000;
pub(super) const SHAPE_IN_MOTION: u64 = MOST_COST / 1000;

/// A property (of a packed array, the number of elements), its default, and how much of it counts as one.
#[derive(Debug)]
pub(super) struct Factor {
    name: &'static str,
    default: f64,
    unit: f64,
}

impl Cost {
    /// # Panics
    /// If the row makes no sense: the list is part of the program.
    pub(super) fn read(text: &'static str) -> Self {
        let read = || {
            match text {
                "collider" => return Some(Self::Collider),
                "tracks" => return Some(Self::Tracks),
                _ => {}
            }
            if let Some(interval) = text.strip_prefix("path bake_interval=") {
                return Some(Self::Path(interval.parse().ok()?));
            }
            if let Some(drawn) = text.strip_prefix("draws ") {
                let (count, properties) = drawn.split_once(' ')?;
                let count = if count == "1" { None } else { Some(Factor::read(count)?) };
                return Some(Self::Draws(count, properties.split(' ').collect()));
            }
            let mut parts = text.split('*');
            let factor = parts.next()?.parse().ok()?;
            Some(Self::Product(factor, parts.map(Factor::read).collect::<Option<_>>()?))
        };
        read().unwrap_or_else(|| panic!("the list of harmless properties has the cost {text:?}"))
    }

    /// Whether it depends on a property.
    pub(super) fn names(&self, property: &str) -> bool {
        match self {
            Self::Product(_, factors) => factors.iter().any(|factor| factor.name == property),
            Self::Path(_) => matches!(property, "_data" | "bake_interval"),
            Self::Collider => property == "polygon",
            Self::Draws(count, properties) => {
                count.as_ref().is_some_and(|count| count.name == property)
                    || properties.iter().any(|name| is_named(property.as_bytes(), name))
            }
            Self::Tracks => false,
        }
    }

    /// What an object costs that hangs below a node of the class `above`, without what it draws.
    pub(super) fn of(&self, section: Section<'_>, above: Option<&Class>) -> u64 {
        match self {
            Self::Draws(..) => 0,
            Self::Product(factor, factors) => {
                factors.iter().map(|factor| factor.of(section)).fold(*factor, u64::saturating_mul)
            }
            Self::Path(interval) => {
                let interval = number(section, "bake_interval").unwrap_or(*interval);
                (length(section) / interval) as u64
            }
            Self::Collider => {
                let is_at_rest = above
                    .is_some_and(|class| matches!(class.name, "StaticBody2D" | "StaticBody3D"));
                let shapes = number(section, "polygon").map_or(1, |points| points as u64);
                shapes.saturating_mul(if is_at_rest { SHAPE_AT_REST } else { SHAPE_IN_MOTION })
            }
            Self::Tracks => {
                let keys = section.properties().map(Property::engine_key);
                keys.filter(|key| key.ends_with(b"/keys")).count() as u64 * TRACK
            }
        }
    }

    /// The values that hold what an object draws, and how often it draws each of them.
    pub(super) fn drawn<'d>(&self, section: Section<'d>) -> Option<(u64, Vec<Value>)> {
        let Self::Draws(count, names) = self else { return None };
        let is_drawn = |property: &Property<'d>| {
            names.iter().any(|name| is_named(&property.engine_key(), name))
        };
        let values = section.properties().filter(is_drawn).filter_map(|found| found.value().ok());
        Some((count.as_ref().map_or(1, |count| count.of(section)), values.collect()))
    }
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

/// What the content of a value costs.
pub(super) fn of_value(shape: &Shape, value: &Value, source: &[u8], character: u64) -> u64 {
    match (shape, value) {
        (Shape::Text | Shape::RichText, _) => {
            shape::text(value).map_or(0, |text| cost_of_text(text, character))
        }
        (_, Value::PackedByteArray(bytes)) => bytes.len() as u64 * BYTE,
        (Shape::Data, _) => (source.len() as u64).saturating_mul(DATA),
        _ => shape::element_count(value) as u64,
    }
}

/// Whether a property has this name, of which `*` at the end stands for anything.
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
