//! The weight of a file, so that a few lines cannot make the game take all memory, or hang.

use godot_variant::Value;
use hashbrown::HashMap;

use crate::budget::{Excess, Tally, Thing};
use crate::document::{Section, TagKind};
use crate::harmless::counts::{Count, is_at_rest};
use crate::harmless::list::Class;
use crate::harmless::{Judge, letters, paths, shape, tags, weight};
use crate::model::node_tree::Parent;
use crate::span::Span;

/// How deep resources may lie in each other.
const MOST_NESTED: u32 = 12;

/// A node or resource of the file.
struct Counted<'d> {
    section: Section<'d>,
    class: Option<&'static Class>,
    tally: Tally,
    is_once: bool,
}

impl<'d> Judge<'_, 'd> {
    /// Counts the contents of the file, and refuses it if it alone exceeds the budget.
    pub(super) fn weigh(&mut self) {
        let text = self.context.document.text().len() as u64;
        self.judgement.weight.once.add(Thing::Bytes, text);
        self.weigh_tags();
        self.weigh_objects();
        self.judgement.weight.fonts = self.letters();
        let weight = &self.judgement.weight;
        let mut tally = weight.each;
        tally.add_all(&weight.once, 1);
        weight::finish(&mut tally, weight.letters, &weight.fonts, weight.scale);
        for excess in self.context.budget.exceeded(&tally) {
            self.refuse(Span::empty(0), too_much(excess));
        }
        self.nesting();
    }

    /// Adds the counts of a value of a section.
    pub(super) fn add_content(
        &mut self,
        section: Section<'_>,
        (key, shape): (&str, &shape::Shape),
        value: &Value,
        source: &[u8],
    ) {
        let tally = self.contents.entry(section.index()).or_default();
        super::counts::add_value(tally, key, shape, value, source);
        if let (shape::Shape::Text | shape::Shape::RichText, Some(text)) =
            (shape, shape::text(value))
        {
            self.judgement.weight.letters += letters::distinct(text);
        }
    }

    /// The contents of tags besides objects.
    fn weigh_tags(&mut self) {
        let Judge { context, judgement, .. } = self;
        for section in context.document.sections() {
            let each = &mut judgement.weight.each;
            match section.kind() {
                TagKind::ExtResource => judgement.weight.once.add(Thing::Resources, 1),
                TagKind::Connection => {
                    each.add(Thing::Connections, 1);
                    let signal = section.field_text("signal").unwrap_or_default();
                    if matches!(signal.as_ref(), b"area_entered" | b"body_entered") {
                        each.add(Thing::Touches, 1);
                    }
                    each.add(Thing::Metadata, array_len(section, "binds"));
                }
                TagKind::Editable => each.add(Thing::Editable, 1),
                TagKind::Node => each.add(Thing::Groups, array_len(section, "groups")),
                _ => {}
            }
        }
    }

    fn weigh_objects(&mut self) {
        let mut nodes = self.context.node_tree.nodes.iter();
        let mut scales = self.scales().into_iter();
        let mut objects = Vec::new();
        for section in self.context.document.sections() {
            let class = match section.kind() {
                TagKind::Resource => self.context.header().and_then(tags::class_of),
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
            let mut tally = self.contents.get(&section.index()).copied().unwrap_or_default();
            if !is_node {
                tally.add(Thing::Resources, 1);
            }
            for count in class.into_iter().flat_map(Class::counts) {
                count.add_to(&mut tally, section, above);
            }
            if let Some(above) = above
                .filter(|_| class.is_some_and(|class| class.name.starts_with("CollisionShape")))
            {
                tally.add(Thing::MovingHulls, self.moving_hull(section, above));
            }
            if is_node {
                self.weigh_node(section, scales.next().unwrap_or(0));
            }
            let is_once = section.kind() == TagKind::SubResource && !is_local_to_scene(section);
            objects.push(Counted { section, class, tally, is_once });
        }
        self.weigh_drawn(&objects);
    }

    /// The counts of the hull of a body that may move.
    fn moving_hull(&self, section: Section<'d>, above: &Class) -> u64 {
        /// For a shape in another file.
        const UNKNOWN: u64 = 36;
        if is_at_rest(above) {
            return 0;
        }
        let mut properties = section.properties();
        let shape = properties.find(|property| property.engine_key().as_ref() == b"shape");
        let Some(tree) = shape.map(crate::document::Property::value_tree) else { return 0 };
        let Some(id) = tree.root().inner_text("SubResource") else { return UNKNOWN };
        let Some(shape) = self.context.sub_resources.find(&id) else { return 0 };
        let points = super::counts::number(shape.section, "points").unwrap_or(0.0);
        match shape.section.field_text("type").as_deref() {
            Some(b"ConvexPolygonShape3D") => (points * points / 64.0) as u64,
            Some(b"ConvexPolygonShape2D") => (points * points / 93_000.0) as u64,
            _ => 0,
        }
    }

    /// Adds the counts of the objects, those of resources as often as they are drawn. Each resource comes before its
    /// users, so from the last section to the first it is known how often each is drawn.
    fn weigh_drawn(&mut self, objects: &[Counted<'d>]) {
        let mut times: HashMap<Vec<u8>, u64> = HashMap::new();
        for object in objects.iter().rev() {
            let drawn = match object.section.kind() {
                TagKind::SubResource => {
                    let id = object.section.field_text("id").unwrap_or_default();
                    times.get(id.as_ref()).copied().unwrap_or(0)
                }
                // The resource that a file is there for: each time that the file is used.
                _ => 1,
            };
            self.add_object(object, drawn);
            for count in object.class.into_iter().filter(|_| drawn > 0).flat_map(Class::counts) {
                self.add_uses(&mut times, count, object.section, drawn);
            }
        }
    }

    fn add_object(&mut self, object: &Counted<'d>, drawn: u64) {
        let weight = &mut self.judgement.weight;
        if !object.is_once {
            weight.each.add_all(&object.tally, drawn.max(1));
            return;
        }
        let (each, rest) = object.tally.split();
        weight.once.add_all(&rest, 1);
        if drawn == 0 {
            weight.once.add_all(&each, 1);
        } else {
            weight.each.add_all(&each, drawn);
        }
    }

    fn add_uses(
        &mut self,
        times: &mut HashMap<Vec<u8>, u64>,
        count: &Count,
        section: Section<'d>,
        drawn: u64,
    ) {
        let Some((count, values)) = count.drawn(section) else { return };
        for value in &values {
            references(value, &mut |construct, id| {
                self.add_drawn(times, (construct, id), drawn.saturating_mul(count));
            });
        }
    }

    fn add_drawn(
        &mut self,
        times: &mut HashMap<Vec<u8>, u64>,
        (construct, id): (&str, &str),
        count: u64,
    ) {
        let known = if construct == "SubResource" {
            times.entry_ref(id.as_bytes()).or_default()
        } else if let Some(path) = self.ext_path(id.as_bytes()) {
            &mut self.judgement.weight.uses.entry(path).or_default().count
        } else {
            return;
        };
        *known = known.saturating_add(count);
    }

    fn weigh_node(&mut self, section: Section<'d>, scale: u64) {
        let depth = paths::depth(section) as u64;
        let instance = section.field("instance").and_then(|field| {
            let value = field.value().ok()?;
            let (_, id) = shape::reference(&value)?;
            self.ext_path(id.as_bytes())
        });
        let weight = &mut self.judgement.weight;
        weight.each.add(Thing::Nodes, 1);
        weight.each.raise(Thing::Depth, depth);
        weight.scale = weight.scale.max(scale);
        if let Some(path) = instance {
            let found = weight.uses.entry(path).or_default();
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
                let reason = format!("resources are nested more than {MOST_NESTED} levels deep");
                return self.refuse(definition.section.tag_span(), reason);
            }
            levels.insert(definition.id.to_vec(), level);
        }
    }
}

/// Why a file that brings too much of something is refused.
pub(super) fn too_much(excess: Excess) -> String {
    format!("the file exceeds the budget: {excess}")
}

/// Whether each instance of the scene has a copy of the resource.
fn is_local_to_scene(section: Section<'_>) -> bool {
    section.properties().any(|property| {
        property.engine_key().as_ref() == b"resource_local_to_scene" && property.source() == b"true"
    })
}

fn array_len(section: Section<'_>, field: &str) -> u64 {
    match section.field(field).and_then(|field| field.value().ok()) {
        Some(Value::Array(array)) => array.elements.len() as u64,
        _ => 0,
    }
}

/// Calls `each` with the references in a value, each in dictionaries and arrays, too.
fn references(value: &Value, each: &mut dyn FnMut(&str, &str)) {
    match value {
        Value::Array(array) => array.elements.iter().for_each(|element| references(element, each)),
        Value::Dictionary(dictionary) => {
            dictionary.iter().for_each(|(_, value)| references(value, each));
        }
        value => {
            if let Some((construct, id)) = shape::reference(value) {
                each(construct, id);
            }
        }
    }
}
