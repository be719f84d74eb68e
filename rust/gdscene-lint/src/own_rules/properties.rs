//! Values of properties of nodes and resources, and which tests they pass.

use std::borrow::Cow;

use godot_project::object_type::{METADATA, Member, ObjectType};
use godot_project::{FileId, ResolvedPath};
use godot_tscn::{PartRef, Section, ValueTree};

use super::conditions::{Property, Truth, ValueTest, is_match};
use super::nodes::Place;
use super::objects::Objects;
use super::scene_text::Stored;
use super::values::{self, Found};

/// Whose text names resources by ids.
#[derive(Clone, Copy)]
enum Origin {
    Own,
    File(FileId),
    /// No text: it is a default.
    Default,
}

impl<'c> Objects<'_, 'c> {
    /// Whether a condition on a property holds of a node.
    pub(super) fn property_of_node(&self, place: &Place<'c>, property: &Property) -> Truth {
        self.is_value(&self.value(place, property.key), property)
    }

    /// The value of a node's property, and whose text has it.
    fn value(&self, place: &Place<'c>, key: usize) -> (Found<'static>, Origin) {
        let unknown = (Found::Unknown, Origin::Default);
        let name = self.own.keys[key].as_str();
        for said in place.node.said() {
            let Some(tag) = said.tag else { continue };
            if said.is_own {
                let section = self.context.tree().tags()[tag as usize].section;
                if let Some(source) = stored(self.context.section(section), name) {
                    let object = self.nodes().object(place);
                    return (self.given(&object, name, source), Origin::Own);
                }
                continue;
            }
            let Some((file, text, section)) = self.tag_of(said.path, tag) else { return unknown };
            match text.value(section, key) {
                Stored::Nothing => {}
                Stored::Long => return unknown,
                Stored::Value(source) => {
                    let object = self.nodes().object(place);
                    return (self.given(&object, name, source), Origin::File(file));
                }
            }
        }
        if place.node.is_opaque() {
            return unknown;
        }
        (self.without_text(&self.nodes().object(place), name), Origin::Default)
    }

    /// Whether a condition on a property holds of a `sub_resource` or `resource` section.
    pub(super) fn property_of_section(&self, section: Section<'_>, property: &Property) -> Truth {
        let name = self.own.keys[property.key].as_str();
        let object = self.context.attached(section);
        let found = match stored(section, name) {
            Some(source) => (self.given(&object, name, source), Origin::Own),
            None => (self.without_text(&object, name), Origin::Default),
        };
        self.is_value(&found, property)
    }

    /// A value that a text has.
    fn given(&self, object: &ObjectType<'_>, name: &str, source: &[u8]) -> Found<'static> {
        let tree = ValueTree::new(source);
        let is_default = match self.default(object, name) {
            Some(default) => {
                values::is_same(tree.root(), ValueTree::new(default.as_bytes()).root())
            }
            // Nearly all texts are empty by default.
            None => values::text(tree.root(), |_| None).is_some_and(|text| text.is_empty()),
        };
        Found::Value { source: Cow::Owned(source.to_owned()), is_set: !is_default }
    }

    /// The value of a property that no text has.
    fn without_text(&self, object: &ObjectType<'_>, name: &str) -> Found<'static> {
        if let Some(default) = self.default(object, name) {
            return Found::Value { source: Cow::Owned(default.into_bytes()), is_set: false };
        }
        match object.property(name) {
            Member::Native(_) | Member::Script(_) => Found::NotSet,
            Member::Unknown if name.starts_with(METADATA) => Found::NotSet,
            Member::Unknown | Member::Nothing => Found::Unknown,
        }
    }

    /// The value that a property has from the class or script.
    fn default(&self, object: &ObjectType<'_>, name: &str) -> Option<String> {
        match object.property(name) {
            Member::Native(_) => {
                let classes = self.context.project.classes();
                classes.default(object.native()?, name).map(str::to_owned)
            }
            Member::Script(variable) => {
                let value = variable.value.as_deref()?;
                // An expression may be anything.
                godot_tscn::parse_value(value.as_bytes()).is_ok().then(|| value.to_owned())
            }
            Member::Unknown | Member::Nothing => None,
        }
    }

    fn is_value(&self, (found, origin): &(Found<'_>, Origin), property: &Property) -> Truth {
        Truth::all(property.tests.iter().map(|test| self.passes(found, *origin, test)))
    }

    fn passes(&self, found: &Found<'_>, origin: Origin, test: &ValueTest) -> Truth {
        if let ValueTest::Set(wanted) = test {
            return match found.is_set() {
                Truth::Unknown => Truth::Unknown,
                is_set => Truth::of((is_set == Truth::Yes) == *wanted),
            };
        }
        let Found::Value { source, .. } = found else { return Truth::Unknown };
        let tree = ValueTree::new(source);
        let root = tree.root();
        let text = || values::text(root, |id| self.path_of_id(id, origin));
        let fits = |truth: Option<bool>| truth.map_or(Truth::Unknown, Truth::of);
        match test {
            ValueTest::OneOf(literals) => {
                let text = text();
                let is = |literal| values::is_literal(root, text.as_deref(), literal);
                Truth::of(literals.iter().any(is))
            }
            ValueTest::Range { min, max } => {
                fits(root.number().map(|number| (*min..=*max).contains(&number)))
            }
            ValueTest::Matches(pattern) => fits(text().map(|text| pattern.is_match(&text))),
            ValueTest::Path(globs) => {
                let is_resource = matches!(root.name(), b"ExtResource" | b"Resource")
                    || root.text().is_some_and(|text| text.starts_with(b"res://"));
                fits(text().filter(|_| is_resource).map(|path| is_match(globs, &path)))
            }
            ValueTest::Class(classes) => {
                let is = |class: &usize| self.is_resource_of(root, origin, *class);
                Truth::any(classes.iter().map(is))
            }
            ValueTest::Set(_) => Truth::Unknown,
        }
    }

    /// The path of the resource that a text names by an id.
    fn path_of_id(&self, id: &[u8], origin: Origin) -> Option<String> {
        match self.target_of_id(id, origin)? {
            (_, ResolvedPath::File(file)) => Some(self.context.project.path(file).to_owned()),
            (_, ResolvedPath::Unseen(path) | ResolvedPath::Missing(path)) => Some(path),
            (_, ResolvedPath::Outside) => None,
        }
    }

    /// The class that a tag gives the resource with an id, and the file.
    fn target_of_id(&self, id: &[u8], origin: Origin) -> Option<(String, ResolvedPath)> {
        match origin {
            Origin::Default => None,
            Origin::Own => {
                let class = self.context.external(id)?.resource_type.clone();
                Some((class, self.context.target_of_id(id)?.clone()))
            }
            Origin::File(file) => {
                let project = self.context.project;
                let mut known = project.facts(file).ext_resources.iter();
                let resource = known.rfind(|resource| resource.id.as_bytes() == id)?;
                let target = project.resolve_external(project.path(file), resource);
                Some((resource.resource_type.clone(), target))
            }
        }
    }

    fn is_resource_of(&self, root: PartRef<'_>, origin: Origin, class: usize) -> Truth {
        if let Some(id) = root.inner_text("ExtResource") {
            let Some((tag_class, target)) = self.target_of_id(&id, origin) else {
                return Truth::Unknown;
            };
            let file = match target {
                ResolvedPath::File(file) => Some(file),
                _ => None,
            };
            return self.is_external_of(&tag_class, file, class);
        }
        let Some(id) = root.inner_text("SubResource") else { return Truth::Unknown };
        match (origin, self.context.sub_resource(&id)) {
            (Origin::Own, Some(section)) => {
                self.is_of_class(&self.context.attached(section), &[class])
            }
            _ => Truth::Unknown,
        }
    }
}

/// The value that a section gives a property.
fn stored<'s>(section: Section<'s>, key: &str) -> Option<&'s [u8]> {
    let mut properties = section.properties();
    let property = properties.rfind(|property| *property.engine_key() == *key.as_bytes())?;
    Some(property.source())
}
