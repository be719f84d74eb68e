//! The places where a text uses its external resources, and Godot's losses there without their
//! files.

use godot_project::SceneContext;
use godot_project::assignments::Assignment;
use godot_project::settings::lossy;
use godot_tscn::{PartKind, PartRef, Reference, ReferenceKind, TagKind};
use hashbrown::HashMap;

/// The uses of the external resources of a text, by id.
pub(super) struct ExternalUses<'u, 'c> {
    context: &'u SceneContext<'c>,
    by_id: HashMap<String, Uses<'u, 'c>>,
}

struct Uses<'u, 'c> {
    /// The most that Godot loses without the file.
    loss: Loss,
    is_instanced: bool,
    properties: Vec<&'u Assignment<'c>>,
}

/// The loss of Godot 4 without the file of an `ext_resource`, the smallest first. Godot 4.6.3 was asked for
/// each; the fixture of `missing-file` has one file for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Loss {
    Nothing,
    /// A dictionary has `null` for it.
    Null,
    /// The property of a node.
    Property,
    /// The property with the array; and the next property or nodes, because the parser continues inside the array.
    PropertyAndNext,
    /// The node that it makes, and the rest of the file.
    Rest,
    File,
}

impl<'u, 'c> ExternalUses<'u, 'c> {
    pub(super) fn of(context: &'u SceneContext<'c>) -> Self {
        let mut found = Self { context, by_id: HashMap::new() };
        let all = context.assignments();
        let mut references = context.document.references().iter().peekable();
        while let Some(reference) = references.next() {
            if reference.kind != ReferenceKind::ExtResource {
                continue;
            }
            let start = reference.target.start;
            let after = all.partition_point(|found| found.property.key_span().start <= start);
            let assignment = after.checked_sub(1).and_then(|at| all.get(at));
            let assignment =
                assignment.filter(|found| found.property.value_span().contains(reference.target));
            match assignment {
                None => {
                    let uses = found.uses(&context.document.target(reference));
                    uses.is_instanced = true;
                    uses.loss = uses.loss.max(loss_outside(context, reference));
                }
                Some(assignment) => {
                    let end = assignment.property.value_span().end;
                    while references.next_if(|next| next.target.start < end).is_some() {}
                    let is_of_node = assignment.section.kind() == TagKind::Node;
                    let tree = assignment.property.value_tree();
                    found.walk(tree.root(), is_of_node, assignment);
                }
            }
        }
        found
    }

    /// Whether something outside properties uses the resource with an id: an instance, or a bind of a connection.
    pub(super) fn is_instanced(&self, id: &str) -> bool {
        self.by_id.get(id).is_some_and(|uses| uses.is_instanced)
    }

    /// The properties that use the resource with an id, each once.
    pub(super) fn properties_with(&self, id: &str) -> &[&'u Assignment<'c>] {
        self.by_id.get(id).map_or(&[], |uses| &uses.properties)
    }

    /// The effect in Godot if the resource with an id cannot be loaded.
    pub(super) fn consequence_without(&self, id: &str) -> &'static str {
        if self.context.is_for_godot_3() {
            return "Godot does not load this file";
        }
        match self.by_id.get(id).map_or(Loss::Nothing, |uses| uses.loss) {
            Loss::Nothing => "Godot logs an error whenever it loads this file",
            Loss::Null => "Godot uses `null` instead, and the next save makes it permanent",
            Loss::Property => "Godot drops the value, and the next save removes it",
            Loss::PropertyAndNext => {
                "Godot drops the array and the property or nodes after it, and the next save removes them"
            }
            Loss::Rest => {
                "Godot drops the instance and everything after it in this file, and the next save removes it"
            }
            Loss::File => "Godot does not load this file",
        }
    }

    fn uses(&mut self, id: &[u8]) -> &mut Uses<'u, 'c> {
        let new = || Uses { loss: Loss::Nothing, is_instanced: false, properties: Vec::new() };
        self.by_id.entry(lossy(id)).or_insert_with(new)
    }

    /// Notes all references in a value, in one walk: a value may have thousands.
    fn walk(&mut self, value: PartRef<'_>, is_of_node: bool, assignment: &'u Assignment<'c>) {
        let mut open = vec![(value, Around::Nothing)];
        while let Some((part, around)) = open.pop() {
            if let Some(id) = part.inner_text("ExtResource") {
                let uses = self.uses(&id);
                uses.loss = uses.loss.max(around.loss(is_of_node));
                if uses.properties.last().is_none_or(|last| !std::ptr::eq(*last, assignment)) {
                    uses.properties.push(assignment);
                }
                continue;
            }
            let around = around.and(part.kind());
            open.extend(part.children().map(|child| (child, around)));
        }
    }
}

/// The containers around a place in a value.
#[derive(Clone, Copy)]
enum Around {
    Nothing,
    Arrays,
    Dictionary,
    /// An array that a dictionary contains.
    Both,
}

impl Around {
    fn and(self, kind: PartKind) -> Self {
        match (kind, self) {
            (PartKind::Dictionary, _) => Self::Dictionary,
            (PartKind::Array, Self::Dictionary | Self::Both) => Self::Both,
            (PartKind::Array, _) => Self::Arrays,
            _ => self,
        }
    }

    fn loss(self, is_of_node: bool) -> Loss {
        match self {
            Self::Dictionary => Loss::Null,
            Self::Nothing if is_of_node => Loss::Property,
            Self::Arrays if is_of_node => Loss::PropertyAndNext,
            _ => Loss::File,
        }
    }
}

fn loss_outside(context: &SceneContext<'_>, reference: &Reference) -> Loss {
    let is_of_child = |section| {
        let section = context.section(section);
        section.kind() == TagKind::Node && section.field("parent").is_some()
    };
    match reference.section.is_some_and(is_of_child) {
        true => Loss::Rest,
        // The root, or a value that a connection binds.
        false => Loss::File,
    }
}
