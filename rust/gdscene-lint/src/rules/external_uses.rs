//! Where a text uses its external resources, and what Godot loses there without their files.

use godot_project::SceneContext;
use godot_project::assignments::Assignment;
use godot_project::settings::lossy;
use godot_tscn::{PartKind, PartRef, Reference, ReferenceKind, Span, TagKind};
use hashbrown::HashMap;

/// What uses the external resources of a text, by id.
pub(super) struct ExternalUses<'u, 'c> {
    context: &'u SceneContext<'c>,
    by_id: HashMap<String, Vec<&'u Reference>>,
}

/// What Godot 4 loses without the file of an `ext_resource`, the least first. Godot 4.6.3 was asked for each;
/// the fixture of `missing-file` has one file for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Loss {
    Nothing,
    /// A dictionary has `null` for it.
    Null,
    /// The property of a node.
    Property,
    /// The property whose array has it; and because the parser goes on inside of the array, the next property or nodes.
    PropertyAndNext,
    /// The node that it makes, and what follows in the file.
    Rest,
    File,
}

impl<'u, 'c> ExternalUses<'u, 'c> {
    pub(super) fn of(context: &'u SceneContext<'c>) -> Self {
        let mut by_id: HashMap<String, Vec<&Reference>> = HashMap::new();
        for reference in context.document.references() {
            if reference.kind == ReferenceKind::ExtResource {
                let id = lossy(&context.document.target(reference));
                by_id.entry(id).or_default().push(reference);
            }
        }
        Self { context, by_id }
    }

    /// The uses of the resource with an id, each with the property that it is in, if it is in one.
    pub(super) fn uses_of(
        &self,
        id: &str,
    ) -> impl Iterator<Item = (&'u Reference, Option<&'u Assignment<'c>>)> {
        let uses = self.by_id.get(id).into_iter().flatten();
        uses.map(|reference| (*reference, self.assignment(reference)))
    }

    /// What Godot makes of a file in which the resource with an id cannot be loaded.
    pub(super) fn consequence_without(&self, id: &str) -> &'static str {
        if self.context.is_for_godot_3() {
            return "Godot does not load this file";
        }
        let losses = self.uses_of(id).map(|(reference, found)| self.loss(reference, found));
        match losses.max().unwrap_or(Loss::Nothing) {
            Loss::Nothing => "Godot logs an error whenever it loads this file",
            Loss::Null => "Godot uses `null` instead, and the next save makes that permanent",
            Loss::Property => "Godot drops the value, and the next save removes it",
            Loss::PropertyAndNext => {
                "Godot drops the array and the property or nodes after it, and the next save removes them"
            }
            Loss::Rest => {
                "Godot drops the instance and all that follows in this file, and the next save removes it"
            }
            Loss::File => "Godot does not load this file",
        }
    }

    fn assignment(&self, reference: &Reference) -> Option<&'u Assignment<'c>> {
        let all = self.context.assignments();
        let start = reference.target.start;
        let after = all.partition_point(|found| found.property.key_span().start <= start);
        let found = all.get(after.checked_sub(1)?)?;
        found.property.value_span().contains(reference.target).then_some(found)
    }

    fn loss(&self, reference: &Reference, found: Option<&Assignment<'c>>) -> Loss {
        let Some(found) = found else {
            let is_of_child = |section| {
                let section = self.context.section(section);
                section.kind() == TagKind::Node && section.field("parent").is_some()
            };
            return match reference.section.is_some_and(is_of_child) {
                true => Loss::Rest,
                // The root, or a value that a connection binds.
                false => Loss::File,
            };
        };
        let tree = found.property.value_tree();
        let containers = containers(tree.root(), reference.target);
        match containers.as_slice() {
            [.., PartKind::Dictionary] => Loss::Null,
            [] if found.section.kind() == TagKind::Node => Loss::Property,
            all if found.section.kind() == TagKind::Node
                && !all.contains(&PartKind::Dictionary) =>
            {
                Loss::PropertyAndNext
            }
            _ => Loss::File,
        }
    }
}

/// The arrays and dictionaries around a place in a value, from the outside.
fn containers(value: PartRef<'_>, place: Span) -> Vec<PartKind> {
    let mut found = Vec::new();
    let mut part = Some(value);
    while let Some(here) = part {
        if matches!(here.kind(), PartKind::Array | PartKind::Dictionary) {
            found.push(here.kind());
        }
        part = here.children().find(|child| child.span().contains(place));
    }
    found
}
