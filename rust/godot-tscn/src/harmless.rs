//! What is known to be harmless in an untrusted file. All else is refused.
//!
//! The list (`data/harmless.txt`) names classes, their properties, and the shapes of their values. What no list can say stands
//! in code here: what may be in tags ([`tags`]), which paths stay inside the scene ([`paths`]), what animations may change
//! ([`tracks`]), what signals may call ([`connections`]), which tags a rich text may have ([`rich_text`]), and what all of it
//! costs ([`weigh`]).
//!
//! Why a list of what is harmless, and not of what is dangerous: files of a few lines ran code although no rule knew them, and
//! no list of dangers is ever complete. The rules `SEC…` stay, because they say more of the reason. Nodes whose class another
//! file names may have the properties of `=*` only, as each file is judged without the others.
//!
//! Everything is looked at once, in time linear in the text.
//!
//! To add a class or property: its row in `data/harmless_review.txt`, and in `data/animated.txt` if animations may
//! change it; then `scripts/data/harmless.sh`. A new shape of value also needs `harmless/shape.rs` and, for files
//! that try it in Godot, `examples/harmless_files/values.rs`. Then `scripts/test/scenes/harmless.sh --record`; what
//! fails comes off the list, with the reason.

mod connections;
mod cost;
mod crowd;
mod glyphs;
mod list;
mod paths;
mod properties;
mod rich_text;
mod scale;
mod shape;
mod tags;
mod tracks;
mod weigh;
mod weight;

use hashbrown::{HashMap, HashSet};

use crate::context::Context;
use crate::document::{Property, Section, TagKind};
use crate::span::Span;

pub use weight::{Crowd, Uses, Weight};
pub(crate) use weight::{MOST_COST, MOST_DEPTH, MOST_NODES, MOST_SCALE};

/// Something that is not known to be harmless: where it stands, and why.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) span: Span,
    pub(crate) reason: String,
}

/// All that is not known to be harmless in a file, and what the rest of it weighs.
#[derive(Debug, Default)]
pub(crate) struct Judgement {
    pub(crate) refusals: Vec<Refusal>,
    pub(crate) weight: Weight,
}

/// Reading stops after so many refusals: a file with one is not safe.
const MOST_REFUSALS: usize = 1000;

/// Judges a parsed file.
pub(crate) fn judge(context: &Context<'_>) -> Judgement {
    let mut judge = Judge {
        context,
        least_depths: paths::least_depths(&context.node_tree),
        track_scales: HashMap::new(),
        loose_scale: 0,
        contents: HashMap::new(),
        character_cost: 0,
        judgement: Judgement::default(),
    };
    judge.character_cost = judge.cost_of_a_character();
    judge.file();
    let mut judgement = judge.judgement;
    judgement.refusals.sort_by_key(|refusal| refusal.span);
    judgement
}

/// The file that is judged, and what was found so far.
struct Judge<'c, 'd> {
    context: &'c Context<'d>,
    /// How many nodes are above each node of the tree at least.
    least_depths: Vec<usize>,
    /// How much tracks may enlarge nodes of the tree, by index, and nodes that are not known, all together.
    track_scales: HashMap<u32, u64>,
    loose_scale: u64,
    /// What the values of each section cost, by its index.
    contents: HashMap<u32, u64>,
    character_cost: u64,
    judgement: Judgement,
}

impl<'d> Judge<'_, 'd> {
    fn refuse(&mut self, span: Span, reason: impl Into<String>) {
        if !self.is_full() {
            self.judgement.refusals.push(Refusal { span, reason: reason.into() });
        }
    }

    fn is_full(&self) -> bool {
        self.judgement.refusals.len() >= MOST_REFUSALS
    }

    fn file(&mut self) {
        let context = self.context;
        let Some(header) = context.header() else {
            return self.refuse(
                Span::empty(0),
                "the text does not start with the header of a scene or resource",
            );
        };
        if !matches!(context.format(), Some(3 | 4)) {
            self.refuse(header.tag_span(), "the format is not 3 or 4, those of Godot 4");
        }
        for (second, _) in
            context.ext_resources.duplicates().chain(context.sub_resources.duplicates())
        {
            self.refuse(second.section.tag_span(), "the id is given twice");
        }
        let mut nodes = 0..;
        for section in context.document.sections() {
            if self.is_full() {
                return;
            }
            self.tag(section);
            let node = (section.kind() == TagKind::Node).then(|| nodes.next().unwrap_or(0));
            if let Some(node) = node {
                self.node_tag(section, node);
            }
            self.section(section, node);
        }
        self.animations();
        self.weigh();
    }

    /// The properties of a section; `node` is its index in the tree if it is a node.
    fn section(&mut self, section: Section<'d>, node: Option<u32>) {
        let takes_properties =
            matches!(section.kind(), TagKind::Node | TagKind::SubResource | TagKind::Resource);
        if let Some(first) = section.properties().next().filter(|_| !takes_properties) {
            return self.refuse(first.key_span(), "Godot reads no properties here");
        }
        let holder = self.holder(section, node);
        let mut seen = HashSet::new();
        for property in section.properties() {
            let key = property.engine_key();
            if property.engine_key_span() != property.key_span() {
                self.refuse(property.engine_key_span(), "lines without `=` become part of the key");
            }
            if !seen.insert(key.clone()) {
                // Not judged: each value is looked at once.
                self.refuse(property.key_span(), "the property is given twice");
                continue;
            }
            self.property(&holder, section, property, &key);
        }
    }

    /// Whether something is allowed by the list of who asks.
    fn lists_path(&self, path: &str) -> bool {
        self.context.allow_list.is_some_and(|list| list.lists_path(path))
    }
}

/// The class whose properties a section holds.
struct Holder {
    /// Nothing for a node whose class stands in another file.
    class: Option<&'static list::Class>,
    /// How many steps a path may go up, if the section is a node.
    depth: Option<usize>,
    /// Whether it may have properties of a script of the list of who asks.
    is_own: bool,
}

impl<'d> Judge<'_, 'd> {
    fn holder(&self, section: Section<'d>, node: Option<u32>) -> Holder {
        let class = match section.kind() {
            TagKind::Resource => self.context.header().and_then(tags::class_of),
            _ => tags::class_of(section),
        };
        // What is not on the list is refused with its tag.
        let is_of_another_scene =
            section.kind() == TagKind::Node && section.field("type").is_none();
        Holder {
            class: if is_of_another_scene { list::class("*") } else { class },
            depth: node.and_then(|node| self.least_depths.get(node as usize).copied()),
            is_own: self.is_own(section),
        }
    }

    /// Whether the section may have properties of a script that the list of who asks names: that of the node itself, or of
    /// the scene that it is a part of.
    fn is_own(&self, section: Section<'d>) -> bool {
        let is_listed = |property: Property<'_>| {
            let tree = property.value_tree();
            let path = tree.root().inner_text("ExtResource").and_then(|id| self.ext_path(&id));
            path.is_some_and(|path| self.lists_path(&path))
        };
        let is_of_another_scene =
            section.kind() == TagKind::Node && section.field("type").is_none();
        is_of_another_scene
            || section
                .properties()
                .any(|property| property.engine_key().as_ref() == b"script" && is_listed(property))
    }

    /// The path of the `ext_resource` with this id.
    fn ext_path(&self, id: &[u8]) -> Option<String> {
        let path = self.context.ext_resources.find(id)?.section.field_text("path")?;
        Some(String::from_utf8_lossy(&path).into_owned())
    }
}

#[cfg(test)]
mod tests;
