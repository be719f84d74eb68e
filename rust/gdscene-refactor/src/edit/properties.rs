//! `set`, `unset`, `add-resource`, `load-resource`

use godot_project::object_type::{METADATA, METADATA_NAMES, is_metadata_name};
use godot_project::settings::lossy;
use godot_project::{ObjectPath, Project, PropertyPath, ValueType};
use godot_tscn::{PartKind, PartRef, SectionId, TagKind, ValueTree, quoted_name};
use indexmap::IndexMap;

use crate::edit::Outcome;
use crate::edit::error::EditErrorKind;
use crate::edit::object::{Object, PropertyType};
use crate::edit::operation::ValueSpec;
use crate::edit::scene::{ResourceRef, SceneEdit, references};
use crate::edit::stored::Stored;
use crate::edit::value::{are_equal, example, shortened};

/// The field with the properties of a node that hold the paths of others for their variables.
pub(super) const NODE_PATHS: &str = "node_paths";

/// The target of a path to a property.
pub(super) struct PropertyPlace<'p> {
    /// The section that has the property, or would have it.
    pub(super) holder: Holder,
    pub(super) object: Object<'p>,
    pub(super) key: String,
}

/// An object with properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    /// A node, by its path, which may have no section yet.
    Node(String),
    /// A resource.
    Section(SectionId),
}

impl SceneEdit {
    /// `set`
    pub(super) fn set(
        &mut self,
        project: &Project,
        at: &str,
        value: &ValueSpec,
    ) -> Result<Outcome, EditErrorKind> {
        let place = self.place(project, at)?;
        let (text, id) = self.assign(project, &place, value)?;
        let what = format!("set `{at}` to {}", shortened(&text));
        Ok(Outcome { what, id, ..Outcome::default() })
    }

    /// `unset`
    pub(super) fn unset(&mut self, project: &Project, at: &str) -> Result<Outcome, EditErrorKind> {
        let place = self.place(project, at)?;
        if let Some(default) = place.object.unsaved_default(&place.key) {
            self.assign(project, &place, &ValueSpec::Godot(default.to_owned()))?;
            return Ok(Outcome { what: format!("unset `{at}`"), ..Outcome::default() });
        }
        let section = self.section_of(&place.holder);
        if !section.is_some_and(|section| self.take(&place.object, section, &place.key)) {
            let note = "the property was not set here; nothing changed".to_owned();
            let what = format!("unset `{at}`");
            return Ok(Outcome { what, notes: vec![note], ..Outcome::default() });
        }
        if let Holder::Node(path) = &place.holder {
            self.sync_layout(project, path, Some(&place.key))?;
        }
        self.sync_thread_group(project, &place)?;
        self.drop_if_empty(project, &place.holder);
        Ok(Outcome { what: format!("unset `{at}`"), ..Outcome::default() })
    }

    /// `add-resource`
    pub(super) fn add_resource(
        &mut self,
        project: &Project,
        at: &str,
        class: &str,
        properties: &IndexMap<String, ValueSpec>,
    ) -> Result<Outcome, EditErrorKind> {
        let place = self.place(project, at)?;
        let id = self.new_resource(project, class, properties)?;
        let text = format!("SubResource(\"{id}\")");
        self.check_class(project, &place, &text)?;
        self.put(project, &place, &text)?;
        let what = format!("added a new {class} as `{at}`");
        Ok(Outcome { what, id: Some(id), ..Outcome::default() })
    }

    /// `load-resource`
    pub(super) fn load_resource(
        &mut self,
        project: &Project,
        at: &str,
        path: &str,
    ) -> Result<Outcome, EditErrorKind> {
        let place = self.place(project, at)?;
        let id = self.load(project, path)?;
        let text = format!("ExtResource(\"{id}\")");
        self.check_class(project, &place, &text)?;
        self.put(project, &place, &text)?;
        let what = format!("set `{at}` to `{path}`");
        Ok(Outcome { what, id: Some(id), ..Outcome::default() })
    }

    /// The target of a path to a property, through the resources of this text.
    ///
    /// # Errors
    /// When there is no such node, resource or property, or it is in another file.
    pub(super) fn place<'p>(
        &self,
        project: &'p Project,
        at: &str,
    ) -> Result<PropertyPlace<'p>, EditErrorKind> {
        let path: PropertyPath = at.parse()?;
        if path.keys.is_empty() {
            let reason = format!("`{at}` does not name a property; write `{at}:property`");
            return Err(EditErrorKind::Refused(reason));
        }
        let (mut holder, mut object) = self.object(project, &path.object)?;
        let mut rest = path.keys.as_slice();
        loop {
            let section = self.section_of(&holder);
            let is_set = |key: &str| section.is_some_and(|own| self.value(own, key).is_some());
            let (key, behind) = object.first_key(rest, is_set);
            let property = object.known_property(&key)?;
            if behind.is_empty() {
                return Ok(PropertyPlace { holder, object, key });
            }
            let value = section.and_then(|section| self.value(section, &key));
            if property.is_plain(value.as_deref()) {
                return Err(EditErrorKind::Refused(format!(
                    "`{key}` in `{at}` is a value whose parts cannot be set separately; give the whole value{}",
                    example(&property.holds)
                )));
            }
            (holder, object) = self.step_into(project, at, &key, value.as_deref())?;
            rest = behind;
        }
    }

    /// The node or resource at a path.
    ///
    /// # Errors
    /// When there is none.
    pub(super) fn object<'p>(
        &self,
        project: &'p Project,
        path: &ObjectPath,
    ) -> Result<(Holder, Object<'p>), EditErrorKind> {
        let section = match path {
            ObjectPath::Node(path) => {
                let path = self.plain_path(path)?;
                let object = self.node_object(project, &path);
                let object = object.ok_or_else(|| self.no_node(project, &path))?;
                return Ok((Holder::Node(path), object));
            }
            ObjectPath::SubResource(id) => {
                self.check_references(&format!("SubResource({})", quoted_name(id)))?;
                self.subs[id]
            }
            ObjectPath::MainResource => self.main_resource().ok_or_else(|| {
                let reason = "the file is a scene; name a node, such as `.:property` for its root"
                    .to_owned();
                EditErrorKind::Refused(reason)
            })?,
        };
        Ok((Holder::Section(section), self.resource_object(project, section)))
    }

    /// The error that a node does not exist, with the probable intended one.
    pub(super) fn no_node(&self, project: &Project, path: &str) -> EditErrorKind {
        let (parent, name) = path.rsplit_once('/').unwrap_or((".", path));
        let base = self.base(project, parent);
        let own = self.nodes.find(parent).map(|parent| self.nodes.children(parent));
        let own = own.into_iter().flatten().map(|child| self.nodes.name(*child));
        let inner = base.as_ref().into_iter().flat_map(godot_project::NodeInTree::children);
        let names: Vec<&str> = own.chain(inner).collect();
        let near = godot_tscn::nearest(name.as_bytes(), names.iter().map(|name| name.as_bytes()));
        let near = near.map(|near| match parent {
            "." => lossy(near),
            parent => format!("{parent}/{}", lossy(near)),
        });
        EditErrorKind::not_found(format!("the node `{path}`"), near.as_deref())
    }

    /// The resource that a property holds.
    pub(super) fn step_into<'p>(
        &self,
        project: &'p Project,
        at: &str,
        key: &str,
        value: Option<&str>,
    ) -> Result<(Holder, Object<'p>), EditErrorKind> {
        let named = value.map(|value| references(value.as_bytes())).unwrap_or_default();
        let reason = match named.as_slice() {
            [ResourceRef::Sub(id)] => {
                let section = self.subs.get(id).copied().ok_or_else(|| {
                    EditErrorKind::not_found(format!("the sub_resource `{id}`"), None)
                })?;
                let object = self.resource_object(project, section);
                return Ok((Holder::Section(section), object));
            }
            [ResourceRef::External(id)] => {
                let path = self.exts.get(id).and_then(|section| self.text(*section, "path"));
                let path = path.unwrap_or_default();
                format!("`{key}` in `{at}` is the file `{path}`; change that file")
            }
            _ => {
                format!(
                    "`{key}` in `{at}` does not contain a resource of this file; add one with `add-resource`"
                )
            }
        };
        Err(EditErrorKind::Refused(reason))
    }

    /// The section of the owner of properties, if it has one.
    pub(super) fn section_of(&self, holder: &Holder) -> Option<SectionId> {
        match holder {
            Holder::Node(path) => self.nodes.section(self.nodes.find(path)?),
            Holder::Section(section) => Some(*section),
        }
    }

    /// Gives a property a value, and others that Godot saves for it or with it. Returns the value's text, and the id of a resource
    /// that was added or loaded for it.
    fn assign(
        &mut self,
        project: &Project,
        place: &PropertyPlace<'_>,
        value: &ValueSpec,
    ) -> Result<(String, Option<String>), EditErrorKind> {
        if let Some(stored) = self.stored_of_shorthand(project, place, value)? {
            let texts: Vec<String> = stored.iter().map(|(_, text)| text.clone()).collect();
            self.put_all(project, place, stored)?;
            return Ok((texts.join(", "), None));
        }
        let (text, id) = self.text_of(project, place, value)?;
        self.check_class(project, place, &text)?;
        let stored = self.stored(project, place, &text)?;
        self.put_all(project, place, stored)?;
        if let Holder::Node(path) = &place.holder {
            self.sync_layout(project, path, Some(&place.key))?;
        }
        self.sync_thread_group(project, place)?;
        Ok((text, id))
    }

    /// Gives properties of one object values.
    fn put_all(
        &mut self,
        project: &Project,
        place: &PropertyPlace<'_>,
        stored: Stored,
    ) -> Result<(), EditErrorKind> {
        for (key, text) in stored {
            let (holder, object) = (place.holder.clone(), place.object.clone());
            self.put(project, &PropertyPlace { holder, object, key }, &text)?;
        }
        Ok(())
    }

    /// Checks that a property takes the resources in a value, if that is known.
    fn check_class(
        &self,
        project: &Project,
        place: &PropertyPlace<'_>,
        text: &str,
    ) -> Result<(), EditErrorKind> {
        let Some(property) = place.object.property(&place.key) else { return Ok(()) };
        let tree = ValueTree::new(text.as_bytes());
        let mut wrong = None;
        each_resource(tree.root(), &property.holds, &mut |id, holds| {
            let section = match id {
                ResourceRef::External(id) => self.exts.get(&id),
                ResourceRef::Sub(id) => self.subs.get(&id),
            };
            let class = section.and_then(|section| self.text(*section, "type")).unwrap_or_default();
            if !PropertyType::of(holds.clone()).takes_resource(project, &class) {
                wrong.get_or_insert(class);
            }
        });
        let Some(class) = wrong else { return Ok(()) };
        Err(EditErrorKind::WrongValue {
            value: class,
            property: place.key.clone(),
            type_name: property.holds.to_string(),
            reason: "it is a resource of another class".to_owned(),
        })
    }

    /// Gives a property a value, or removes it if the value is its default.
    pub(super) fn put(
        &mut self,
        project: &Project,
        place: &PropertyPlace<'_>,
        text: &str,
    ) -> Result<(), EditErrorKind> {
        self.check_key(place)?;
        let default = self.default_of(project, &place.object, &place.key);
        if default.is_some_and(|default| are_equal(&default, text)) {
            if let Some(section) = self.section_of(&place.holder) {
                self.take(&place.object, section, &place.key);
                self.drop_if_empty(project, &place.holder);
            }
            return Ok(());
        }
        let section = match &place.holder {
            Holder::Node(path) => self.section_for(project, path)?,
            Holder::Section(section) => *section,
        };
        let old = self.value(section, &place.key);
        let index = self.index_of(&place.object, section, &place.key);
        self.document.set_property(section, &place.key, text, index);
        self.count(old.as_deref(), Some(text));
        self.has_new_bytes |= text.contains("PackedByteArray(");
        self.note_node_path(&place.object, section, &place.key);
        Ok(())
    }

    /// Checks that Godot takes a property with this name, which a file may have had before.
    fn check_key(&self, place: &PropertyPlace<'_>) -> Result<(), EditErrorKind> {
        let key = place.key.as_str();
        let is_taken = key.strip_prefix(METADATA).is_none_or(is_metadata_name)
            || place.object.scripts().any(|script| script.has_dynamic_properties)
            || self.document.is_godot_3();
        match is_taken {
            true => Ok(()),
            false => Err(EditErrorKind::Refused(format!(
                "`{key}` is not a valid metadata name; {METADATA_NAMES}"
            ))),
        }
    }

    /// The value of a property without a value here: from an instanced scene, or the default of the class or script.
    pub(super) fn default_of(
        &self,
        project: &Project,
        object: &Object<'_>,
        key: &str,
    ) -> Option<String> {
        let inherited = object.base.as_ref();
        if let Some(value) = inherited.and_then(|base| base.node().value(project, key)) {
            // Resources of another file are others, and so are paths that Godot keeps as nodes.
            return references(value.as_bytes()).is_empty().then_some(value);
        }
        let property = object.property(key)?;
        match (property.default, property.holds) {
            (Some(default), _) => Some(default),
            (None, ValueType::Object(_)) => Some("null".to_owned()),
            (None, _) => None,
        }
    }

    /// Removes a property. Returns whether it was there.
    pub(super) fn take(&mut self, object: &Object<'_>, section: SectionId, key: &str) -> bool {
        let old = self.value(section, key);
        let was_there = self.document.remove_property(section, key);
        self.count(old.as_deref(), None);
        self.note_node_path(object, section, key);
        was_there
    }

    /// The place where Godot writes a property among those of a section.
    pub(super) fn index_of(&self, object: &Object<'_>, section: SectionId, key: &str) -> usize {
        let rank = object.rank(key);
        let keys = self.document.properties(section).map(|(key, _)| lossy(&key));
        let keys: Vec<String> = keys.collect();
        keys.iter().rposition(|other| object.rank(other) <= rank).map_or(0, |before| before + 1)
    }

    /// Keeps the field `node_paths`, which lists the properties that hold the paths of nodes.
    fn note_node_path(&mut self, object: &Object<'_>, section: SectionId, key: &str) {
        if self.document.kind(section) != TagKind::Node {
            return;
        }
        let listed = self.document.field(section, NODE_PATHS).map(ValueTree::new);
        let listed = listed.as_ref().map(|tree| {
            tree.root().children().filter_map(|part| Some(lossy(&part.text()?))).collect()
        });
        let listed: Vec<String> = listed.unwrap_or_default();
        let is_node = |key: &str| {
            listed.iter().any(|listed| listed == key)
                || object.property(key).is_some_and(|property| property.holds.holds_nodes())
        };
        if !is_node(key) {
            return;
        }
        let keys = self.document.properties(section).map(|(key, _)| lossy(&key));
        let keys: Vec<String> = keys.filter(|key| is_node(key)).collect();
        if keys.is_empty() {
            self.document.remove_field(section, NODE_PATHS);
            return;
        }
        let quoted: Vec<String> = keys.iter().map(|key| quoted_name(key)).collect();
        let list = format!("PackedStringArray({})", quoted.join(", "));
        self.document.set_field(section, NODE_PATHS, list);
    }

    /// A new resource with its properties.
    pub(super) fn new_resource(
        &mut self,
        project: &Project,
        class: &str,
        properties: &IndexMap<String, ValueSpec>,
    ) -> Result<String, EditErrorKind> {
        let (class, script) = Self::known_class_of(project, class, "Resource")?;
        let (id, section) = self.add_sub(&class);
        if let Some(script) = script {
            let script = self.load(project, &script)?;
            let text = format!("ExtResource(\"{script}\")");
            self.document.set_property(section, "script", text.as_str(), usize::MAX);
            self.count(None, Some(&text));
        }
        self.set_all(project, &Holder::Section(section), properties)?;
        Ok(id)
    }

    /// Sets properties of a new object.
    pub(super) fn set_all(
        &mut self,
        project: &Project,
        holder: &Holder,
        properties: &IndexMap<String, ValueSpec>,
    ) -> Result<(), EditErrorKind> {
        for (key, value) in properties {
            let object = match holder {
                Holder::Node(path) => self.node_object(project, path),
                Holder::Section(section) => Some(self.resource_object(project, *section)),
            };
            let Some(object) = object else { continue };
            object.known_property(key)?;
            let place = PropertyPlace { holder: holder.clone(), object, key: key.clone() };
            self.assign(project, &place, value)?;
        }
        Ok(())
    }
}

/// Calls `each` with the references in a value, and the type of its place.
fn each_resource(
    value: PartRef<'_>,
    holds: &ValueType,
    each: &mut dyn FnMut(ResourceRef, &ValueType),
) {
    let inner = match value.kind() {
        PartKind::Typed => value.children().last().unwrap_or(value),
        _ => value,
    };
    match holds {
        ValueType::Array(element) => {
            inner.children().for_each(|part| each_resource(part, element, each));
        }
        ValueType::Dictionary(of_key, of_value) => {
            for (key, value) in inner.entries() {
                each_resource(key, of_key, each);
                each_resource(value, of_value, each);
            }
        }
        _ => {
            let id = |kind: &str| value.inner_text(kind).map(|id| lossy(&id));
            match (id("ExtResource"), id("SubResource")) {
                (Some(id), _) => each(ResourceRef::External(id), holds),
                (_, Some(id)) => each(ResourceRef::Sub(id), holds),
                _ => {}
            }
        }
    }
}
