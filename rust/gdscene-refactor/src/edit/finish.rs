//! The steps of Godot's saver for resources: it drops unused ones, orders the others and gives new ones their ids.

use std::collections::BTreeMap;
use std::mem;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use godot_project::Project;
use godot_project::settings::lossy;
use godot_tscn::{GodotVersion, PartRef, SectionId, TagKind, ValueTree, compare_ids, quoted_raw};
use godot_variant::Value;
use hashbrown::{HashMap, HashSet};

use crate::edit::error::EditErrorKind;
use crate::edit::resources::PLACEHOLDER;
use crate::edit::scene::{ResourceRef, SceneEdit, references};
use crate::ids::FreshIds;

const LOAD_STEPS: &str = "load_steps";

impl SceneEdit {
    /// Lets the text be as Godot would have saved it. Returns the final ids of resources for their temporary ones.
    pub(super) fn finish(
        &mut self,
        project: &Project,
    ) -> Result<BTreeMap<String, String>, EditErrorKind> {
        self.drop_unused();
        let order = self.discovery();
        let ids = self.final_ids(&order);
        self.place_subs(&order);
        self.rename_ids(&ids);
        self.place_exts();
        self.count_resources(project);
        self.pack_bytes();
        self.check_format();
        Ok(ids.into_iter().map(|(resource, id)| (name_of(resource), id)).collect())
    }

    /// Removes resources that have lost their last use.
    fn drop_unused(&mut self) {
        while let Some(resource) = self.left.pop() {
            if self.uses.get(&resource).is_some_and(|count| *count > 0) {
                continue;
            }
            let section = match &resource {
                ResourceRef::External(id) => self.exts.remove(id),
                ResourceRef::Sub(id) => self.subs.remove(id),
            };
            if let Some(section) = section {
                self.drop_section(section);
            }
            self.added.retain(|added| *added != resource);
        }
        // A resource that was made for a value which was then refused or replaced.
        let unused: Vec<ResourceRef> =
            self.added.iter().filter(|added| !self.is_used(added)).cloned().collect();
        if !unused.is_empty() {
            self.left = unused;
            self.drop_unused();
        }
    }

    fn is_used(&self, resource: &ResourceRef) -> bool {
        self.uses.get(resource).is_some_and(|count| *count > 0)
    }

    /// The resources in the order in which Godot's saver visits them; sub-resources after those that they contain
    /// (`ResourceFormatSaverTextInstance::_find_resources`).
    fn discovery(&self) -> Vec<ResourceRef> {
        let mut found = Discovery { scene: self, seen: HashSet::new(), order: Vec::new() };
        for section in self.document.sections() {
            match self.document.kind(section) {
                // The fields of a node have its instance, which comes first.
                TagKind::Node | TagKind::Connection => {
                    self.document.values(section).for_each(|value| found.value(value));
                }
                TagKind::Resource => found.properties(section),
                _ => {}
            }
        }
        found.order
    }

    /// Whether the sub-resources stand in the order in which Godot saves them.
    pub(super) fn is_in_godots_order(&self) -> bool {
        let wanted = self.discovery();
        let wanted = wanted.iter().filter_map(|resource| match resource {
            ResourceRef::Sub(id) => self.subs.get(id).copied(),
            ResourceRef::External(_) => None,
        });
        let found = self
            .document
            .sections()
            .filter(|section| self.document.kind(*section) == TagKind::SubResource);
        wanted.eq(found)
    }

    /// The ids of the new resources. The id of an external one contains its place among all, so that they are loaded in that
    /// order.
    fn final_ids(&self, order: &[ResourceRef]) -> BTreeMap<ResourceKey, String> {
        let is_number = self.document.is_godot_3();
        let own = |list: &HashMap<String, SectionId>| -> Vec<String> {
            list.keys().filter(|id| !id.starts_with(PLACEHOLDER)).cloned().collect()
        };
        let mut ext_ids = FreshIds::new(&self.path, own(&self.exts));
        let mut sub_ids = FreshIds::new(&format!("{}::", self.path), own(&self.subs));
        let mut ids = BTreeMap::new();
        let mut ext_count = 0;
        for resource in order {
            match resource {
                ResourceRef::External(id) => {
                    ext_count += 1;
                    if id.starts_with(PLACEHOLDER) {
                        let id = (false, id.clone());
                        ids.insert(id, ext_ids.id(&ext_count.to_string(), is_number));
                    }
                }
                ResourceRef::Sub(id) if id.starts_with(PLACEHOLDER) => {
                    let class = self.subs.get(id).and_then(|section| self.text(*section, "type"));
                    let id = (true, id.clone());
                    ids.insert(id, sub_ids.id(&class.unwrap_or_default(), is_number));
                }
                ResourceRef::Sub(_) => {}
            }
        }
        ids
    }

    /// Puts the sub-resources into Godot's order, if they had it; else only the new ones to their places.
    fn place_subs(&mut self, order: &[ResourceRef]) {
        let mut behind = None;
        for resource in order {
            let ResourceRef::Sub(id) = resource else { continue };
            let Some(section) = self.subs.get(id).copied() else { continue };
            let moves = self.has_godots_order || id.starts_with(PLACEHOLDER);
            if moves {
                let behind = behind.or_else(|| self.last_head());
                self.document.place(section, behind);
            }
            behind = Some(section);
        }
    }

    /// The last section in front of the sub-resources.
    fn last_head(&self) -> Option<SectionId> {
        let is_head = |section: &SectionId| {
            matches!(
                self.document.kind(*section),
                TagKind::GdScene | TagKind::GdResource | TagKind::ExtResource
            )
        };
        self.document.sections().take_while(is_head).last()
    }

    /// Gives the new resources their ids, wherever values name them.
    fn rename_ids(&mut self, ids: &BTreeMap<ResourceKey, String>) {
        if ids.is_empty() {
            return;
        }
        let replaced = |value: &str| {
            let mut value = value.to_owned();
            for resource in references(value.clone().as_bytes()) {
                let (is_sub, name, id) = match resource {
                    ResourceRef::External(id) => (false, "ExtResource", id),
                    ResourceRef::Sub(id) => (true, "SubResource", id),
                };
                if let Some(new) = ids.get(&(is_sub, id.clone())) {
                    let new = format!("{name}({})", quoted_raw(new));
                    value = value.replace(&format!("{name}({})", quoted_raw(&id)), &new);
                }
            }
            value
        };
        let sections: Vec<SectionId> = self.document.sections().collect();
        for section in sections {
            let is_new = |value: &[u8]| memchr::memchr(PLACEHOLDER as u8, value).is_some();
            if !self.document.values(section).any(is_new) {
                continue;
            }
            for field in ["instance", "binds"] {
                let value = self.document.field(section, field).filter(|value| is_new(value));
                if let Some(value) = value.map(lossy) {
                    self.document.set_field(section, field, replaced(&value));
                }
            }
            let changed: Vec<(String, String)> = self
                .document
                .properties(section)
                .filter(|(_, value)| is_new(value))
                .map(|(key, value)| (lossy(&key), lossy(value)))
                .collect();
            for (key, value) in changed {
                self.document.set_property(section, &key, replaced(&value), 0);
            }
        }
        for ((is_sub, old), new) in ids {
            let list = if *is_sub { &mut self.subs } else { &mut self.exts };
            if let Some(section) = list.remove(old) {
                list.insert(new.clone(), section);
                self.document.set_field(section, "id", quoted_raw(new));
            }
        }
        self.added.clear();
        self.ids_by_path = None;
    }

    /// Puts new external resources where their ids belong (`ResourceSort`).
    fn place_exts(&mut self) {
        let exts: Vec<SectionId> = self
            .document
            .sections()
            .filter(|section| self.document.kind(*section) == TagKind::ExtResource)
            .collect();
        let id = |section: SectionId| self.text(section, "id").unwrap_or_default();
        let mut sorted: Vec<(String, SectionId)> =
            exts.iter().map(|section| (id(*section), *section)).collect();
        let by_id = |one: &(String, SectionId), other: &(String, SectionId)| {
            compare_ids(one.0.as_bytes(), other.0.as_bytes())
        };
        let (old, new): (Vec<_>, Vec<_>) =
            sorted.iter().cloned().partition(|(_, section)| self.document.was_read(*section));
        if new.is_empty() || !old.is_sorted_by(|one, other| by_id(one, other).is_le()) {
            return;
        }
        sorted.sort_by(by_id);
        let mut behind = self.header();
        for (_, section) in sorted {
            self.document.place(section, Some(behind));
            behind = section;
        }
    }

    /// Keeps `load_steps`, which Godot wrote up to 4.5 where there are resources.
    fn count_resources(&mut self, project: &Project) {
        let header = self.header();
        let is_there = self.document.field(header, LOAD_STEPS).is_some();
        let is_old = self.version(project) < GodotVersion::godot4(6) && !self.has_node_ids(project);
        let count = self.exts.len() + self.subs.len();
        // A wrong count stays until an operation needs another number.
        let is_due = is_there || is_old && self.resource_count == 0;
        if !is_due || count == self.resource_count {
            return;
        }
        if count == 0 {
            self.document.remove_field(header, LOAD_STEPS);
        } else {
            self.document.set_field(header, LOAD_STEPS, (count + 1).to_string());
        }
    }

    /// Writes bytes as base64 where Godot does: all of a file that has [`MANY_BYTES`] in one value, or format 4 for another
    /// reason (`ResourceFormatSaverTextInstance::_find_resources`).
    fn pack_bytes(&mut self) {
        if !mem::take(&mut self.has_new_bytes) {
            return;
        }
        let mut found = Vec::new();
        for section in self.document.sections() {
            let values = self.document.properties(section);
            let holds_bytes =
                |value: &[u8]| memchr::memmem::find(value, b"PackedByteArray(").is_some();
            let values = values.filter(|(_, value)| holds_bytes(value));
            found.extend(values.map(|(key, value)| (section, lossy(&key), lossy(value))));
        }
        let is_long = |value: &str| {
            let tree = ValueTree::new(value.as_bytes());
            tree.parts().any(|part| bytes_of(part).is_some_and(|bytes| bytes.len() > MANY_BYTES))
        };
        let is_format_4 = self.document.field(self.header(), "format") == Some(b"4");
        if !is_format_4 && !self.needs_format_4() && !found.iter().any(|found| is_long(&found.2)) {
            return;
        }
        for (section, key, value) in found {
            let tree = ValueTree::new(value.as_bytes());
            let mut packed = value.clone();
            let parts: Vec<_> =
                tree.parts().filter_map(|part| Some((part.span(), bytes_of(part)?))).collect();
            for (span, bytes) in parts.into_iter().rev() {
                let text = format!("PackedByteArray(\"{}\")", BASE64_STANDARD.encode(bytes));
                packed.replace_range(span.start as usize..span.end as usize, &text);
            }
            if packed != value {
                self.document.set_property(section, &key, packed, 0);
            }
        }
    }

    /// Values that came with format 4 ask for it in the header; Godot writes 3 again when the last one goes.
    fn check_format(&mut self) {
        let header = self.header();
        let new = match self.document.field(header, "format") {
            Some(b"3") if self.needs_format_4() => "4",
            Some(b"4") if self.needed_format_4 && !self.needs_format_4() => "3",
            _ => return,
        };
        self.document.set_field(header, "format", new);
    }

    pub(super) fn needs_format_4(&self) -> bool {
        let is_new = |value: &[u8]| {
            memchr::memmem::find(value, b"PackedVector4Array(").is_some()
                || memchr::memmem::find(value, b"PackedByteArray(\"").is_some()
        };
        let mut sections = self.document.sections();
        sections.any(|section| self.document.properties(section).any(|(_, value)| is_new(value)))
    }
}

/// With more, Godot writes base64.
const MANY_BYTES: usize = 64;

/// The bytes of a `PackedByteArray`.
fn bytes_of(part: PartRef<'_>) -> Option<Vec<u8>> {
    if part.name() != b"PackedByteArray" {
        return None;
    }
    match godot_tscn::parse_value(part.source()).ok()? {
        Value::PackedByteArray(bytes) => Some(bytes),
        _ => None,
    }
}

/// Whether it is a sub-resource, and its id.
type ResourceKey = (bool, String);

fn name_of(resource: ResourceKey) -> String {
    resource.1
}

/// The way of Godot's saver through the resources.
struct Discovery<'s> {
    scene: &'s SceneEdit,
    seen: HashSet<ResourceRef>,
    order: Vec<ResourceRef>,
}

impl Discovery<'_> {
    fn value(&mut self, value: &[u8]) {
        for resource in references(value) {
            self.resource(resource);
        }
    }

    /// By their names, as the saver sorts them.
    fn properties(&mut self, section: SectionId) {
        for value in self.sorted_values(section) {
            self.value(&value);
        }
    }

    fn sorted_values(&self, section: SectionId) -> Vec<Vec<u8>> {
        let mut properties: Vec<_> = self.scene.document.properties(section).collect();
        properties.sort_by(|one, other| one.0.cmp(&other.0));
        let names = |value: &[u8]| memchr::memmem::find(value, b"Resource").is_some();
        let values = properties.into_iter().map(|(_, value)| value);
        values.filter(|value| names(value)).map(<[u8]>::to_vec).collect()
    }

    /// A resource, and before it those that it contains. Not by recursion: files decide how deep they
    /// nest.
    fn resource(&mut self, resource: ResourceRef) {
        enum Step {
            Enter(ResourceRef),
            Leave(ResourceRef),
        }
        let mut open = vec![Step::Enter(resource)];
        while let Some(step) = open.pop() {
            let resource = match step {
                Step::Leave(resource) => {
                    self.order.push(resource);
                    continue;
                }
                Step::Enter(resource) => resource,
            };
            if !self.seen.insert(resource.clone()) {
                continue;
            }
            let section = match &resource {
                ResourceRef::External(_) => None,
                ResourceRef::Sub(id) => self.scene.subs.get(id).copied(),
            };
            let inner = section.map(|section| self.sorted_values(section)).unwrap_or_default();
            open.push(Step::Leave(resource));
            let inner: Vec<ResourceRef> =
                inner.iter().flat_map(|value| references(value)).collect();
            open.extend(inner.into_iter().rev().map(Step::Enter));
        }
    }
}
