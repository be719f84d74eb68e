//! Godot's text of a value that an operation gives, with the resources that it names.

use godot_project::{FileId, Project, ValueType};
use serde_json::Value as Json;

use crate::edit::error::EditErrorKind;
use crate::edit::operation::ValueSpec;
use crate::edit::properties::PropertyPlace;
use crate::edit::scene::SceneEdit;
use crate::edit::value::{GODOT, is_path, of_godot, of_json, saved_type, shortened};

impl SceneEdit {
    /// Godot's text of a value, and the id of a resource that was added or loaded for it.
    pub(super) fn text_of(
        &mut self,
        project: &Project,
        place: &PropertyPlace<'_>,
        value: &ValueSpec,
    ) -> Result<(String, Option<String>), EditErrorKind> {
        let property = place.object.property(&place.key);
        let holds = property.map_or(ValueType::Unknown, |property| property.holds);
        self.text_of_type(project, value, &holds, &place.key)
    }

    /// An array or dictionary with its type in front, as scenes have it. A type that is a script is loaded.
    fn in_its_type(
        &mut self,
        project: &Project,
        holds: &ValueType,
        text: String,
    ) -> Result<String, EditErrorKind> {
        let mut ids = Vec::new();
        // Empty ones are the same for all types.
        if !matches!(text.as_str(), "[]" | "{}") {
            for script in scripts_of_elements(holds) {
                ids.push((script, self.load(project, project.path(script))?));
            }
        }
        let id = |script| ids.iter().find(|(known, _)| *known == script).map(|(_, id)| id.clone());
        Ok(match saved_type(holds, id) {
            Some(in_front) => format!("{in_front}({text})"),
            None => text,
        })
    }

    /// Godot's text of a value of a type.
    pub(super) fn text_of_type(
        &mut self,
        project: &Project,
        value: &ValueSpec,
        holds: &ValueType,
        key: &str,
    ) -> Result<(String, Option<String>), EditErrorKind> {
        let version = self.version(project);
        let (text, given) = match value {
            ValueSpec::Godot(text) => (of_godot(text, holds, version), text.clone()),
            ValueSpec::Json(json) => {
                let resolved = self.resolved(project, json, holds)?;
                (of_json(&resolved, holds, version), json.to_string())
            }
            ValueSpec::Load(path) => {
                let id = self.load(project, path)?;
                return Ok((format!("ExtResource(\"{id}\")"), Some(id)));
            }
            ValueSpec::New(class, properties) => {
                let id = self.new_resource(project, class, properties)?;
                return Ok((format!("SubResource(\"{id}\")"), Some(id)));
            }
        };
        let text = text.map_err(|reason| EditErrorKind::WrongValue {
            value: shortened(&given),
            property: key.to_owned(),
            type_name: holds.to_string(),
            reason,
        })?;
        let text = self.in_its_type(project, holds, text)?;
        self.check_references(&text)?;
        Self::check_loads(project, &text)?;
        Ok((text, None))
    }

    /// JSON in which the resources that it asks for, in arrays and dictionaries, are there and named by their ids. A path to a
    /// file is such a resource where the type is one.
    fn resolved(
        &mut self,
        project: &Project,
        json: &Json,
        holds: &ValueType,
    ) -> Result<Json, EditErrorKind> {
        let (of_elements, of_values) = match holds {
            ValueType::Array(element) => (element.as_ref(), &ValueType::Any),
            ValueType::Dictionary(_, value) => (&ValueType::Any, value.as_ref()),
            _ => (&ValueType::Any, &ValueType::Any),
        };
        let text = match json {
            Json::Array(elements) => {
                let elements =
                    elements.iter().map(|element| self.resolved(project, element, of_elements));
                return Ok(Json::Array(elements.collect::<Result<_, _>>()?));
            }
            Json::String(path) if is_path(path) && takes_files(holds) => {
                format!("ExtResource(\"{}\")", self.load(project, path)?)
            }
            Json::Object(entries) => match ValueSpec::try_from(json.clone()) {
                Ok(ValueSpec::Load(path)) => {
                    format!("ExtResource(\"{}\")", self.load(project, &path)?)
                }
                Ok(ValueSpec::New(class, properties)) => {
                    format!("SubResource(\"{}\")", self.new_resource(project, &class, &properties)?)
                }
                Ok(ValueSpec::Godot(_)) => return Ok(json.clone()),
                Ok(ValueSpec::Json(_)) => {
                    let entries = entries.iter().map(|(key, value)| {
                        Ok((key.clone(), self.resolved(project, value, of_values)?))
                    });
                    return Ok(Json::Object(entries.collect::<Result<_, EditErrorKind>>()?));
                }
                Err(reason) => return Err(EditErrorKind::Refused(reason)),
            },
            _ => return Ok(json.clone()),
        };
        Ok(serde_json::json!({ GODOT: text }))
    }
}

/// The scripts that are types of elements.
fn scripts_of_elements(holds: &ValueType) -> Vec<FileId> {
    let script = |of: &ValueType| match of {
        ValueType::Object(class) if !class.is_node => class.script,
        _ => None,
    };
    match holds {
        _ if holds.holds_nodes() => Vec::new(),
        ValueType::Array(element) => script(element).into_iter().collect(),
        ValueType::Dictionary(key, value) => {
            [script(key), script(value)].into_iter().flatten().collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a property holds resources that may be in files.
fn takes_files(holds: &ValueType) -> bool {
    matches!(holds, ValueType::Object(class) if !class.is_node)
}
