//! Uses in scenes and resources.

use godot_tscn::{Edit, Section, TagKind};
use godot_variant::Value;
use hashbrown::HashSet;

use super::{ChangeKind, ChangedMember, ChangedUse, VersionChange, VersionChanges, once};
use crate::SceneContext;
use crate::assignments::Assignment;
use crate::settings::lossy;

impl VersionChanges<'_> {
    /// The uses in a scene or resource, in no order.
    pub fn in_scene(&self, context: &SceneContext<'_>) -> Vec<ChangedUse> {
        let mut uses = Vec::new();
        self.properties(context, &mut uses);
        self.class_names(context, &mut uses);
        self.defaults(context, &mut uses);
        self.signals(context, &mut uses);
        self.paths(context, &mut uses);
        once(uses)
    }

    fn properties(&self, context: &SceneContext<'_>, uses: &mut Vec<ChangedUse>) {
        for Assignment { section, property, key, object, .. } in context.assignments() {
            for change in self.named(key) {
                let is_of = |class| self.classes().inherits(class, change.class);
                if !change.is_of(ChangedMember::Property)
                    || change.kind == ChangeKind::Default
                    || change.is_for_csharp_only()
                    || !object.native().is_some_and(is_of)
                {
                    continue;
                }
                let mut found = ChangedUse::of(property.engine_key_span(), change);
                let has_new =
                    || section.properties().any(|other| other.key() == change.new.as_bytes());
                if change.is_plain_rename() && !has_new() {
                    let new = godot_tscn::key_text(change.new);
                    found.edits.push(Edit::replace(property.key_span(), new));
                }
                uses.push(found);
            }
        }
    }

    /// Changes of a class: each time for a removed one, else once for the first object of the class.
    fn class_names(&self, context: &SceneContext<'_>, uses: &mut Vec<ChangedUse>) {
        for found in context.class_uses() {
            for change in self.changes.iter().filter(|change| change.member.is_none()) {
                let is_gone = matches!(change.kind, ChangeKind::Removed | ChangeKind::Renamed);
                let is_meant = match is_gone {
                    true => found.class == change.class,
                    false => self.classes().inherits(&found.class, change.class),
                };
                if change.class.is_empty() || !is_meant || change.is_for_csharp_only() {
                    continue;
                }
                let count = if is_gone { found.places.len() } else { 1 };
                for (_, field) in &found.places[..count] {
                    let mut found = ChangedUse::of(field.value_span(), change);
                    if change.is_plain_rename() {
                        let new = format!("\"{}\"", change.new);
                        found.edits.push(Edit::replace(field.value_span(), new));
                    }
                    uses.push(found);
                }
            }
        }
    }

    /// The objects that leave a property at a default that changes: one use for each change.
    fn defaults(&self, context: &SceneContext<'_>, uses: &mut Vec<ChangedUse>) {
        let is_default = |change: &&&VersionChange| {
            change.kind == ChangeKind::Default && change.is_of(ChangedMember::Property)
        };
        for change in self.changes.iter().filter(is_default) {
            let mut found: Option<ChangedUse> = None;
            for class in context.class_uses() {
                if !self.classes().inherits(&class.class, change.class) {
                    continue;
                }
                let is_left = |section: &Section<'_>| {
                    let has = |key: &str| value(*section, key).is_some();
                    !has(change.name()) && self.is_in_use(context, *section, change)
                };
                let objects = class.places.iter().filter(|(section, _)| is_left(section));
                for (_, field) in objects {
                    match &mut found {
                        Some(found) => found.count += 1,
                        None => found = Some(ChangedUse::of(field.value_span(), change)),
                    }
                }
            }
            uses.extend(found);
        }
    }

    /// Whether a property matters for an object that leaves it at its default: `glow_levels/2` with `glow_enabled` only.
    fn is_in_use(
        &self,
        context: &SceneContext<'_>,
        section: Section<'_>,
        change: &VersionChange,
    ) -> bool {
        let switch = change.name().split('_').next().map(|first| format!("{first}_enabled"));
        let is_switch = |name: &String| {
            let property = self.classes().property(change.class, name);
            property.is_some_and(|property| property.type_name() == "bool")
        };
        let switch = switch.filter(is_switch);
        if switch.is_some_and(|switch| value(section, &switch).is_none_or(|value| value != b"true"))
        {
            return false;
        }
        // A mesh looks for its bones in its parent.
        let is_of_parent = (change.class, change.name()) == ("MeshInstance3D", "skeleton");
        let parent = section.field("parent").and_then(godot_tscn::Field::text);
        !is_of_parent
            || parent.is_some_and(|parent| {
                let parent = context.attached_at(&lossy(&parent));
                parent.native().is_none_or(|class| self.classes().inherits(class, "Skeleton3D"))
            })
    }

    /// Paths that name a property behind a node, as those of tracks do. The node is not looked up.
    fn paths(&self, context: &SceneContext<'_>, uses: &mut Vec<ChangedUse>) {
        for Assignment { property, .. } in context.assignments() {
            let Ok(Value::NodePath(path)) = property.value() else { continue };
            let Some(name) = path.subnames.first() else { continue };
            for change in self.named(name) {
                let is_changed =
                    change.is_of(ChangedMember::Property) && change.kind != ChangeKind::Default;
                if is_changed && !change.is_for_csharp_only() && self.is_telling(name, change) {
                    let mut found = ChangedUse::of(property.value_span(), change);
                    found.doubt = Some("the node of the path is not checked");
                    uses.push(found);
                }
            }
        }
    }

    fn signals(&self, context: &SceneContext<'_>, uses: &mut Vec<ChangedUse>) {
        let signals: HashSet<&str> = self
            .changes
            .iter()
            .filter(|change| change.is_of(ChangedMember::Signal))
            .map(|change| change.name())
            .collect();
        if signals.is_empty() {
            return;
        }
        for section in context.document.sections() {
            if section.kind() != TagKind::Connection {
                continue;
            }
            let (Some(field), Some(from)) = (section.field("signal"), section.field("from")) else {
                continue;
            };
            let text = |field: godot_tscn::Field<'_>| lossy(&field.text().unwrap_or_default());
            let name = text(field);
            if !signals.contains(&*name) {
                continue;
            }
            let object = context.attached_at(&text(from));
            for change in self.named(&name) {
                let is_of = |class| self.classes().inherits(class, change.class);
                if change.is_of(ChangedMember::Signal) && object.native().is_some_and(is_of) {
                    uses.push(ChangedUse::of(field.value_span(), change));
                }
            }
        }
    }
}

/// The text of a property's value.
fn value<'c>(section: Section<'c>, key: &str) -> Option<&'c [u8]> {
    let mut properties = section.properties();
    properties
        .find(|property| property.engine_key() == key.as_bytes())
        .map(godot_tscn::Property::source)
}
