//! What a file costs, so that a few lines cannot make the game take all memory, or hang.

use godot_variant::Value;
use hashbrown::HashMap;

use crate::document::{Section, TagKind};
use crate::harmless::crowd::Crowd;
use crate::harmless::list::Class;
use crate::harmless::weight::{MOST_COST, MOST_DEPTH, MOST_NODES, MOST_SCALE};
use crate::harmless::{Judge, paths, shape, tags};
use crate::model::node_tree::Parent;
use crate::span::Span;

/// How deep resources may lie in each other.
const MOST_NESTED: u32 = 12;
/// What any node and resource costs.
const OBJECT: u64 = 512;
/// What a resource costs at least each time that it is drawn.
const LEAST_DRAWN: u64 = 24;

/// A node or resource of the file.
struct Thing<'d> {
    section: Section<'d>,
    class: Option<&'static Class>,
    cost: u64,
    crowd: Crowd,
}

impl<'d> Judge<'_, 'd> {
    /// Weighs the file, and refuses it if it alone is too heavy.
    pub(super) fn weigh(&mut self) {
        self.weigh_sections();
        let weight = &self.judgement.weight;
        let cost = weight.node_cost.saturating_add(weight.resource_cost);
        let cost = cost.saturating_add(weight.crowd.cost());
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

    /// Notes what a value of a section costs.
    pub(super) fn add_content(&mut self, section: Section<'_>, cost: u64) {
        let known = self.contents.entry(section.index()).or_default();
        *known = known.saturating_add(cost);
    }

    fn weigh_sections(&mut self) {
        let mut nodes = self.context.node_tree.nodes.iter();
        let mut scales = self.scales().into_iter();
        let mut things = Vec::new();
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
            let cost = class.map_or(OBJECT, |class| {
                class.costs().map(|cost| cost.of(section, above)).fold(OBJECT, u64::saturating_add)
            });
            let is_local = section.properties().any(|property| {
                property.engine_key().as_ref() == b"resource_local_to_scene"
                    && property.source() == b"true"
            });
            let crowd = class.map(|class| Crowd::of(class.name, section, cost - OBJECT));
            let content = self.contents.get(&section.index()).copied().unwrap_or(0);
            let cost = cost.saturating_add(content);
            let weight = &mut self.judgement.weight;
            let is_once = section.kind() == TagKind::SubResource && !is_local;
            let total = if is_once { &mut weight.resource_cost } else { &mut weight.node_cost };
            *total = total.saturating_add(cost);
            if is_node {
                self.weigh_node(section, scales.next().unwrap_or(0));
            }
            things.push(Thing { section, class, cost, crowd: crowd.unwrap_or_default() });
        }
        self.weigh_drawn(&things);
    }

    /// Adds what nodes draw, as often as they do. Each resource stands before those that use it, so from the last section to
    /// the first it is known how often each is drawn.
    fn weigh_drawn(&mut self, things: &[Thing<'d>]) {
        let mut times: HashMap<Vec<u8>, u64> = HashMap::new();
        for thing in things.iter().rev() {
            let drawn = match thing.section.kind() {
                TagKind::SubResource => {
                    let id = thing.section.field_text("id").unwrap_or_default();
                    times.get(id.as_ref()).copied().unwrap_or(0)
                }
                // The resource that a file is there for: each time that the file is used.
                _ => 1,
            };
            self.judgement.weight.crowd.add(&thing.crowd, drawn);
            if thing.section.kind() == TagKind::SubResource {
                let cost = drawn.saturating_mul(thing.cost.max(LEAST_DRAWN));
                let total = &mut self.judgement.weight.node_cost;
                *total = total.saturating_add(cost);
            }
            for cost in thing.class.into_iter().filter(|_| drawn > 0).flat_map(Class::costs) {
                let Some((count, values)) = cost.drawn(thing.section) else { continue };
                let count = drawn.saturating_mul(count);
                for value in &values {
                    references(value, &mut |construct, id| {
                        self.add_drawn(&mut times, (construct, id), count);
                    });
                }
            }
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
        weight.nodes += 1;
        weight.depth = weight.depth.max(depth);
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
                let reason =
                    format!("resources are more than {MOST_NESTED} levels deep in each other");
                return self.refuse(definition.section.tag_span(), reason);
            }
            levels.insert(definition.id.to_vec(), level);
        }
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
