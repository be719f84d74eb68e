//! The known harmless contents of an untrusted file. All else is refused.
//!
//! The list (`data/harmless.txt`) names classes, their properties, and the shapes of their values. Code here checks the parts
//! that no list can contain: the contents of tags ([`tags`]), paths inside the scene ([`paths`]), the properties that
//! animations change ([`tracks`]), and the methods that signals call ([`connections`]). It also checks the tags of a rich text
//! ([`rich_text`]), and the amount of everything ([`budget`], [`weigh`]).
//!
//! The list contains harmless things, not dangerous ones: files of a few lines ran code although no rule knew them, and no
//! list of dangers is ever complete. The rules `SEC…` stay, because they say more of the reason. Nodes with their class in
//! another file may have only the properties of `=*`, because each file is judged without the others.
//!
//! Everything is looked at once, in time linear in the text.
//!
//! To add a class or property: its row in `data/harmless_review.txt`, and in `data/animated.txt` if animations may
//! change it; then `scripts/data/harmless.sh`. A new shape of value also needs `harmless/shape.rs` and, for files
//! that try it in Godot, `examples/harmless_files/values.rs`. Then `scripts/test/scenes/harmless.sh --record`;
//! entries that fail come off the list, with the reason.

mod connections;
mod counts;
mod letters;
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

use crate::budget::{Budget, Tally, Thing};
use crate::context::Context;
use crate::document::{Property, Section, TagKind};
use crate::span::Span;

pub(crate) use letters::Letters;
pub(crate) use weight::finish;
pub use weight::{Uses, Weight};

/// Something that is not known to be harmless: its place, and the reason.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) span: Span,
    pub(crate) reason: String,
}

/// Everything in a file that is not known to be harmless, and the weight of the rest.
#[derive(Debug, Default)]
pub(crate) struct Judgement {
    pub(crate) refusals: Vec<Refusal>,
    pub(crate) weight: Weight,
}

/// Reading stops after this number of refusals: a file with one is not safe.
const MOST_REFUSALS: usize = 1000;

/// The refusal of a text that is longer than the budget allows.
pub(crate) fn too_long(text: &[u8], budget: Option<&Budget>) -> Option<Refusal> {
    let mut tally = Tally::default();
    tally.add(Thing::Bytes, text.len() as u64);
    let excess = budget.copied().unwrap_or_default().exceeded(&tally).into_iter().next()?;
    Some(Refusal { span: Span::empty(0), reason: weigh::too_much(excess) })
}

/// Judges a parsed file.
pub(crate) fn judge(context: &Context<'_>) -> Judgement {
    let mut judge = Judge {
        context,
        least_depths: paths::least_depths(&context.node_tree),
        track_scales: HashMap::new(),
        loose_scale: 0,
        contents: HashMap::new(),
        judgement: Judgement::default(),
    };
    judge.file();
    let mut judgement = judge.judgement;
    judgement.refusals.sort_by_key(|refusal| refusal.span);
    judgement
}

/// The judged file, and the refusals so far.
struct Judge<'c, 'd> {
    context: &'c Context<'d>,
    /// How many nodes are above each node of the tree at least.
    least_depths: Vec<usize>,
    /// The factor by which tracks may enlarge nodes of the tree, by index, and unknown nodes, all together.
    track_scales: HashMap<u32, u64>,
    loose_scale: u64,
    /// The counts of the values of each section, by its index.
    contents: HashMap<u32, Tally>,
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
            self.refuse(second.section.tag_span(), "duplicate id");
        }
        let mut nodes = 0..;
        let mut ids = HashSet::new();
        for section in context.document.sections() {
            if self.is_full() {
                return;
            }
            self.tag(section);
            // By its id Godot finds the node again that a tag is about, wherever it hangs.
            let id = section.field("unique_id").and_then(crate::document::Field::int);
            if section.kind() == TagKind::Node && id.is_some_and(|id| !ids.insert(id)) {
                self.refuse(section.tag_span(), "two nodes have the same `unique_id`");
            }
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
                self.refuse(property.key_span(), "duplicate property");
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

/// The class with the properties of a section.
struct Holder {
    /// Nothing for a node with its class in another file.
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
        // A class that is not on the list is refused with its tag.
        let is_of_another_scene =
            section.kind() == TagKind::Node && section.field("type").is_none();
        Holder {
            class: if is_of_another_scene { list::class("*") } else { class },
            depth: node.and_then(|node| self.least_depths.get(node as usize).copied()),
            is_own: self.is_own(section),
        }
    }

    /// Whether the section may have properties of a script on the caller's list: that of the node itself, or of its scene.
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
