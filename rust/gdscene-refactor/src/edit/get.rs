//! The values of properties, and their sources.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use godot_project::settings::lossy;
use godot_project::{ObjectPath, Project, PropertyInfo, PropertyPath, ResolvedPath, ValueType};
use serde::Serialize;

use crate::RefactorError;
use crate::edit::error::EditErrorKind;
use crate::edit::object::Object;
use crate::edit::scene::{ResourceRef, SceneEdit, references, scene_file};

/// The values of a node or resource.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ObjectValues {
    /// The file with the value: `res://…`, another file than the requested one if the path leads through a
    /// resource.
    pub file: String,
    /// The properties, in the order in which Godot saves them; the one that the path names, if it names one.
    pub properties: Vec<PropertyValue>,
    /// The path of its script.
    pub script: Option<String>,
    /// Its class.
    #[serde(rename = "type")]
    pub class: Option<String>,
}

/// The value of a property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PropertyValue {
    /// The file with the text or script that gives the value: `res://…`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The source of the value.
    pub from: ValueSource,
    /// The name.
    pub name: String,
    /// The resource that the value names: a path, or `::ID` in [`PropertyValue::file`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// As Godot spells it; the class, or several with `,` between, for a resource. `Variant` if it is unknown.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Godot's text of the value; none if it is unknown.
    pub value: Option<String>,
}

/// The source of a property's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueSource {
    /// The file.
    File,
    /// An instanced or inherited scene.
    Scene,
    /// The script, by the variable's first value.
    Script,
    /// The class, by its default.
    Class,
    /// Godot works it out from other properties, and does not save it.
    Computed,
}

/// A node or resource in a text.
struct Reader<'p> {
    project: &'p Project,
    scene: SceneEdit,
    object: Object<'p>,
    /// The values in the scene, or in the instanced ones: a text, and its file.
    stored: BTreeMap<String, (String, String)>,
}

/// The value of a property, or all values of a node or resource, in the file at `file` (`res://…`).
///
/// A path may lead through resources, into other files too: `Player:stats:health`.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
/// # write("project.godot", "config_version=5\n\n[application]\n\nconfig/features=PackedStringArray(\"4.6\")\n");
/// # write("a.tscn", "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"]\nposition = Vector2(3, 4)\n");
/// use gdscene_refactor::{ValueSource, get};
///
/// let project = godot_project::Project::open(folder.path()).unwrap();
/// let position = &get(&project, "res://a.tscn", &".:position".parse()?)?.properties[0];
/// assert_eq!((position.value.as_deref(), position.from), (Some("Vector2(3, 4)"), ValueSource::File));
/// let scale = &get(&project, "res://a.tscn", &".:scale".parse()?)?.properties[0];
/// assert_eq!((scale.value.as_deref(), scale.from), (Some("Vector2(1, 1)"), ValueSource::Class));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the file is broken or no text scene or resource, or the path leads nowhere.
pub fn get(
    project: &Project,
    file: &str,
    at: &PropertyPath,
) -> Result<ObjectValues, EditErrorKind> {
    let mut reader = Reader::open(project, file, &at.object)?;
    if at.keys.is_empty() {
        return Ok(reader.all());
    }
    let mut rest = at.keys.as_slice();
    loop {
        let (key, behind) = reader.object.first_key(rest, |key| reader.stored.contains_key(key));
        if behind.is_empty() {
            let value = reader.value(&key)?;
            return Ok(ObjectValues { properties: vec![value], ..reader.values() });
        }
        (reader, rest) = (reader.step_into(&key)?, behind);
    }
}

impl<'p> Reader<'p> {
    fn open(project: &'p Project, path: &str, at: &ObjectPath) -> Result<Self, EditErrorKind> {
        let scene = open(project, path)?;
        Self::of_object(project, scene, at)
    }

    fn of_object(
        project: &'p Project,
        scene: SceneEdit,
        at: &ObjectPath,
    ) -> Result<Self, EditErrorKind> {
        let (holder, object) = scene.object(project, at)?;
        let mut stored = BTreeMap::new();
        let base = object.base.iter().flat_map(|base| base.node().values(project));
        stored.extend(base.map(|(key, value, file)| (key, (value, file))));
        if let Some(section) = scene.section_of(&holder) {
            let own = scene.document.properties(section);
            let own = own.map(|(key, value)| {
                let (key, value) = (lossy(&key), lossy(value));
                (key, (value, scene.path.clone()))
            });
            stored.extend(own);
        }
        Ok(Self { project, scene, object, stored })
    }

    /// The resource that a property holds.
    fn step_into(mut self, key: &str) -> Result<Self, EditErrorKind> {
        let PropertyValue { value, file, .. } = self.value(key)?;
        let value = value.unwrap_or_default();
        let named = references(value.as_bytes());
        let [resource] = named.as_slice() else {
            let reason = format!("`{key}` does not contain a resource, but `{value}`");
            return Err(EditErrorKind::Refused(reason));
        };
        if let Some(file) = file.filter(|file| *file != self.scene.path) {
            self.scene = open(self.project, &file)?;
        }
        let Self { project, scene, .. } = self;
        match resource {
            ResourceRef::Sub(id) => {
                Self::of_object(project, scene, &ObjectPath::SubResource(id.clone()))
            }
            ResourceRef::External(id) => {
                let path = path_of(project, &scene, id).unwrap_or_default();
                Self::open(project, &path, &ObjectPath::MainResource)
            }
        }
    }

    /// The values of the node or resource itself.
    fn values(&self) -> ObjectValues {
        let script = self.object.script.as_ref().and_then(|chain| chain.file);
        ObjectValues {
            file: self.scene.path.clone(),
            properties: Vec::new(),
            script: script.map(|file| self.project.path(file).to_owned()),
            class: self.object.class.clone(),
        }
    }

    /// All properties.
    fn all(&self) -> ObjectValues {
        let mut keys: Vec<String> = self.stored.keys().cloned().collect();
        let variables = self.object.scripts().flat_map(|script| &script.variables);
        let exported = variables.filter(|variable| variable.is_exported);
        keys.extend(exported.map(|variable| variable.name.clone()));
        let classes = self.object.classes();
        for class in self.object.class.iter().flat_map(|name| classes.lineage(name)) {
            let stored = |name: &&str| class.property(name).is_some_and(PropertyInfo::is_stored);
            keys.extend(class.property_names().filter(stored).map(str::to_owned));
        }
        keys.sort_by_cached_key(|key| (self.object.rank(key), key.clone()));
        keys.dedup();
        let properties = keys.iter().filter_map(|key| self.value(key).ok()).collect();
        ObjectValues { properties, ..self.values() }
    }

    /// The value of a property.
    ///
    /// # Errors
    /// When there is no such property.
    fn value(&self, key: &str) -> Result<PropertyValue, EditErrorKind> {
        let known = self.object.property(key);
        let type_name =
            known.as_ref().map_or(&ValueType::Unknown, |known| &known.holds).to_string();
        let name = key.to_owned();
        if let Some((value, file)) = self.stored.get(key) {
            let from =
                if *file == self.scene.path { ValueSource::File } else { ValueSource::Scene };
            let (value, file) = (value.clone(), file.clone());
            let resource = self.resource(&file, &value);
            let (value, file) = (Some(value), Some(file));
            return Ok(PropertyValue { file, from, name, resource, type_name, value });
        }
        if known.is_none() {
            let near = self.object.nearest_property(key);
            let what = format!("the property `{key}` of {}", self.object.called());
            return Err(EditErrorKind::not_found(what, near.as_deref()));
        }
        let script = self.object.script.as_ref().and_then(|chain| chain.file);
        let of_script = self.object.variable(key).and(script);
        let from = match of_script {
            Some(_) => ValueSource::Script,
            None if self.is_computed(key) => ValueSource::Computed,
            None => ValueSource::Class,
        };
        let value = self.scene.default_of(self.project, &self.object, key);
        let value = value.filter(|_| from != ValueSource::Computed);
        let file = of_script.map(|file| self.project.path(file).to_owned());
        Ok(PropertyValue { file, from, name, resource: None, type_name, value })
    }

    /// Whether Godot does not save a property of the class.
    fn is_computed(&self, key: &str) -> bool {
        let class = self.object.class.as_deref().unwrap_or_default();
        self.object.classes().property(class, key).is_some_and(|found| !found.is_stored())
    }

    /// The resource that a value in a file names.
    fn resource(&self, file: &str, value: &str) -> Option<String> {
        let named = references(value.as_bytes());
        let [resource] = named.as_slice() else { return None };
        match resource {
            ResourceRef::Sub(id) => Some(format!("::{id}")),
            ResourceRef::External(id) if file == self.scene.path => {
                path_of(self.project, &self.scene, id)
            }
            ResourceRef::External(id) => {
                let facts = self.project.facts(self.project.file(file)?);
                let found = facts.ext_resources.iter().rfind(|found| found.id == *id)?;
                match self.project.resolve_external(file, found) {
                    ResolvedPath::File(file) => Some(self.project.path(file).to_owned()),
                    _ => found.path.clone(),
                }
            }
        }
    }
}

/// The path of an `ext_resource`: of the file that it leads to, or as written.
fn path_of(project: &Project, scene: &SceneEdit, id: &str) -> Option<String> {
    match scene.file_of(project, id) {
        Some(file) => Some(project.path(file).to_owned()),
        None => scene.text(*scene.exts.get(id)?, "path"),
    }
}

fn open(project: &Project, path: &str) -> Result<SceneEdit, EditErrorKind> {
    let file = scene_file(project, path)?;
    let unreadable = |source| RefactorError::Unreadable { path: path.to_owned(), source };
    let text: Arc<[u8]> = project.read(file).map_err(unreadable)?.as_ref().into();
    SceneEdit::new(path, Arc::clone(&text), Some(text))
}
