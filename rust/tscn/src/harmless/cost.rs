//! What a file costs, so that a few lines cannot make the game take all memory, or hang.
//!
//! A unit is about ten nanoseconds, or ten bytes: all that is allowed takes Godot a second and half a gigabyte. Numbers
//! saturate.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use variant::Value;

use crate::document::{Section, TagKind};
use crate::harmless::list::Class;
use crate::harmless::shape::{self, Shape};
use crate::harmless::{Judge, paths, tags};
use crate::model::node_tree::Parent;
use crate::span::Span;

/// What a file brings with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Weight {
    /// The nodes of the file itself. An instance counts as one.
    pub nodes: u64,
    /// How many nodes are above the deepest one.
    pub depth: u64,
    /// What the nodes cost, each time that the scene is instanced.
    pub node_cost: u64,
    /// What the resources cost, once.
    pub resource_cost: u64,
    /// The shapes of physics that may move, each time that the scene is instanced.
    pub moving_shapes: u64,
    /// The triangles, segments and cells of shapes that each moving shape may meet.
    pub triangles: u64,
    /// How much the nodes may enlarge what is below them, all together: the binary logarithm, in thousandths.
    pub scale: u64,
    /// The scenes that are instanced, by path.
    pub instances: BTreeMap<String, Instances>,
}

/// What a file makes of a scene that it instances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Instances {
    /// How many instances there are.
    pub count: u64,
    /// How many nodes are above the deepest one.
    pub depth: u64,
    /// How much the largest one is enlarged, as [`Weight::scale`].
    pub scale: u64,
}

/// The most nodes of all files together, and how deep they may hang.
pub(crate) const MOST_NODES: u64 = 20_000;
pub(crate) const MOST_DEPTH: u64 = 128;
/// How much nodes may enlarge what is below them, as [`Weight::scale`]: 16,384 times. What is larger than numbers can be
/// makes physics and navigation hang.
pub(crate) const MOST_SCALE: u64 = 14_000;
/// The most that all files together may cost.
pub(crate) const MOST_COST: u64 = 64 << 20;
/// How deep resources may lie in each other.
const MOST_NESTED: u32 = 12;
/// A character may be of a glyph that is drawn for it alone.
const CHARACTER: u64 = 4096;
/// What a mesh costs at least, and one of another file, which is weighed there.
const SMALL_MESH: u64 = 24;
const UNKNOWN_MESH: u64 = 1024;
/// A cell of a map takes twelve bytes, and is a few vertices.
const BYTE: u64 = 2;
/// An empty container takes two letters, and many bytes.
const DATA: u64 = 8;
/// What any node and resource costs.
const OBJECT: u64 = 512;

/// A product of properties: what an object of a class costs.
#[derive(Debug)]
pub(super) enum Cost {
    /// `4*rings=32*amount=8/0.5`: a factor, and properties with their defaults and units.
    Product(u64, Vec<Factor>),
    /// `path bake_interval=5`: the points of a curve, that far apart.
    Path(f64),
    /// `collider`: a shape of the body above it, and as many as the points of its `polygon`.
    Collider,
    /// `draws amount=8 mesh`: what the resource that some property has costs, as often as a property says, or once (`draws 1
    /// mesh`): a few lines may draw a large mesh a hundred thousand times.
    Draws(Option<Factor>, Vec<&'static str>),
}

/// Physics keeps every pair of shapes that overlap, unless both are at rest. So many shapes have about two million pairs.
const SHAPE_AT_REST: u64 = MOST_COST / 8000;
const SHAPE_IN_MOTION: u64 = MOST_COST / 1000;

/// What a cell of a `HeightMapShape3D` costs, in the list.
const CELL: u64 = 16;

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
            if text == "collider" {
                return Some(Self::Collider);
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
                    || properties.contains(&property)
            }
        }
    }

    /// What an object costs that hangs below a node of the class `above`, with the resources of these costs.
    fn of(
        &self,
        section: Section<'_>,
        above: Option<&Class>,
        resources: &HashMap<Vec<u8>, u64>,
    ) -> u64 {
        match self {
            Self::Product(factor, factors) => {
                factors.iter().map(|factor| factor.of(section)).fold(*factor, u64::saturating_mul)
            }
            Self::Draws(count, properties) => {
                let drawn = properties
                    .iter()
                    .map(|name| cost_of_resource(section, name, resources))
                    .fold(0, u64::saturating_add);
                drawn.saturating_mul(count.as_ref().map_or(1, |count| count.of(section)))
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
        }
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

impl Weight {
    /// What moving shapes cost that all meet all triangles.
    pub(crate) fn meeting_cost(moving_shapes: u64, triangles: u64) -> u64 {
        const MEETING: u64 = 256;
        moving_shapes.saturating_mul(triangles).saturating_mul(MEETING)
    }

    pub(super) fn add_resource_cost(&mut self, cost: u64) {
        self.resource_cost = self.resource_cost.saturating_add(cost);
    }

    /// Adds what the content of a value costs.
    pub(super) fn add_value(
        &mut self,
        shape: &Shape,
        value: &Value,
        source: &[u8],
        is_of_node: bool,
    ) {
        let cost = match (shape, value) {
            (Shape::Text | Shape::RichText, _) => {
                shape::text(value).map_or(0, |text| text.chars().count() as u64 * CHARACTER)
            }
            (_, Value::PackedByteArray(bytes)) => bytes.len() as u64 * BYTE,
            (Shape::Data, _) => (source.len() as u64).saturating_mul(DATA),
            _ => shape::element_count(value) as u64,
        };
        let total = if is_of_node { &mut self.node_cost } else { &mut self.resource_cost };
        *total = total.saturating_add(cost);
    }
}

impl<'d> Judge<'_, 'd> {
    /// Weighs the file, and refuses it if it alone is too heavy.
    pub(super) fn weigh(&mut self) {
        self.weigh_sections();
        let weight = &self.judgement.weight;
        let meeting = Weight::meeting_cost(weight.moving_shapes, weight.triangles);
        let cost = weight.node_cost.saturating_add(weight.resource_cost).saturating_add(meeting);
        let reason = if weight.nodes > MOST_NODES {
            Some(format!("the scene has {} nodes, more than {MOST_NODES}", weight.nodes))
        } else if weight.depth > MOST_DEPTH {
            Some(format!("the nodes are more than {MOST_DEPTH} levels deep"))
        } else if weight.scale > MOST_SCALE {
            Some("the nodes enlarge each other more than 16384 times".to_owned())
        } else if cost > MOST_COST {
            Some(format!(
                "the sizes and counts of the file add up to {cost}, more than {MOST_COST}"
            ))
        } else {
            None
        };
        if let Some(reason) = reason {
            self.refuse(Span::empty(0), reason);
        }
        self.nesting();
    }

    fn weigh_sections(&mut self) {
        let header_class = self.context.header().and_then(tags::class_of);
        let mut nodes = self.context.node_tree.nodes.iter();
        let mut scales = self.scales().into_iter();
        let mut resources: HashMap<Vec<u8>, u64> = HashMap::new();
        for section in self.context.document.sections() {
            let class = match section.kind() {
                TagKind::Resource => header_class,
                TagKind::SubResource | TagKind::Node => tags::class_of(section),
                _ => continue,
            };
            let is_node = section.kind() == TagKind::Node;
            let node = if is_node { nodes.next() } else { None };
            let above = node.and_then(|node| match node.parent {
                Parent::Known(parent) => {
                    tags::class_of(self.context.node_tree.nodes[parent as usize].section)
                }
                _ => None,
            });
            let cost = class.map_or(OBJECT, |class| {
                let costs = class.costs().map(|cost| cost.of(section, above, &resources));
                costs.fold(OBJECT, u64::saturating_add)
            });
            if section.kind() == TagKind::SubResource
                && let Some(id) = section.field_text("id")
            {
                resources.insert(id.into_owned(), cost);
            }
            let is_local = section.properties().any(|property| {
                property.engine_key().as_ref() == b"resource_local_to_scene"
                    && property.source() == b"true"
            });
            self.weigh_shapes(section, class, cost);
            let weight = &mut self.judgement.weight;
            let total =
                if is_node || is_local { &mut weight.node_cost } else { &mut weight.resource_cost };
            *total = total.saturating_add(cost);
            if is_node {
                self.weigh_node(section, scales.next().unwrap_or(0));
            }
        }
    }

    /// Counts what physics may have to compare with each other.
    fn weigh_shapes(&mut self, section: Section<'_>, class: Option<&Class>, cost: u64) {
        let weight = &mut self.judgement.weight;
        let triangles = match class.map(|class| class.name) {
            Some("HeightMapShape3D") => (cost - OBJECT) / CELL,
            Some("ConcavePolygonShape2D") => count(section, "segments") / 2,
            Some("ConcavePolygonShape3D") => count(section, "data") / 3,
            Some(
                "CollisionShape2D" | "CollisionShape3D" | "CollisionPolygon2D"
                | "CollisionPolygon3D",
            ) => {
                weight.moving_shapes += u64::from(cost >= SHAPE_IN_MOTION);
                0
            }
            _ => 0,
        };
        weight.triangles = weight.triangles.saturating_add(triangles);
    }

    fn weigh_node(&mut self, section: Section<'d>, scale: u64) {
        let depth = paths::depth(section) as u64;
        let instance = section.field("instance").and_then(|field| {
            let value = field.value().ok()?;
            let (_, id) = shape::reference(&value)?;
            self.ext_path(id.as_bytes())
        });
        let weight = &mut self.judgement.weight;
        weight.nodes += 1;
        weight.depth = weight.depth.max(depth);
        weight.scale = weight.scale.max(scale);
        if let Some(path) = instance {
            let found = weight.instances.entry(path).or_default();
            found.count += 1;
            found.depth = found.depth.max(depth);
            found.scale = found.scale.max(scale);
        }
    }

    /// Refuses resources that lie too deep in each other: the engine goes through them by recursion.
    fn nesting(&mut self) {
        let mut levels: HashMap<Vec<u8>, u32> = HashMap::new();
        for definition in &self.context.sub_resources.definitions {
            let inner = definition.section.references().iter();
            let inner =
                inner.filter_map(|found| levels.get(self.context.document.target(found).as_ref()));
            let level = 1 + inner.copied().max().unwrap_or(0);
            if level > MOST_NESTED {
                let reason =
                    format!("resources are more than {MOST_NESTED} levels deep in each other");
                return self.refuse(definition.section.tag_span(), reason);
            }
            levels.insert(definition.id.to_vec(), level);
        }
    }
}

/// How many elements a packed array has.
fn count(section: Section<'_>, name: &str) -> u64 {
    number(section, name).unwrap_or(0.0) as u64
}

/// What the resource that a property has costs.
fn cost_of_resource(section: Section<'_>, name: &str, resources: &HashMap<Vec<u8>, u64>) -> u64 {
    let mut properties = section.properties();
    let found = properties.find(|property| property.engine_key().as_ref() == name.as_bytes());
    let Some(Ok(value)) = found.map(crate::document::Property::value) else { return 0 };
    match shape::reference(&value) {
        Some(("SubResource", id)) => {
            resources.get(id.as_bytes()).map_or(SMALL_MESH, |cost| SMALL_MESH.max(*cost))
        }
        Some(_) => UNKNOWN_MESH,
        None => 0,
    }
}

/// The number that a property has.
fn number(section: Section<'_>, name: &str) -> Option<f64> {
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
