//! `get`

use std::fmt;

use gdscene_refactor::{ObjectValues, PropertyValue, ValueSource};
use godot_project::PropertyPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limits::Shown;
use crate::paths;
use crate::tool::{Call, Effect, Tool, ToolError};

pub(crate) struct Get;

/// What is read.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The scene or resource: `res://level.tscn`.
    file: String,
    /// The path of a node or property from the scene's root, which is `.`: `Player`, `Player:position`,
    /// `Player/Shape:shape:size`. In a resource file, `:` or `:speed`; for a resource inside the file, `::ID` or
    /// `::ID:size`.
    at: String,
    /// For a node or resource, also list properties with their default value.
    #[serde(default)]
    defaults: bool,
}

/// What a node or resource holds.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Report {
    /// Its file.
    file: String,
    /// Its class.
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    /// Its script.
    #[serde(skip_serializing_if = "Option::is_none")]
    script: Option<String>,
    /// The properties.
    properties: Shown<Property>,
}

/// A property.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Property {
    /// Its name.
    name: String,
    /// Its type, in Godot's spelling.
    #[serde(rename = "type")]
    type_name: String,
    /// The value in Godot's text form. A long one is cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    /// The source of the value: the file, an instanced or inherited scene, the script, or the class.
    from: &'static str,
    /// The file whose text or script sets the value, if it is a different file.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// The resource that the value refers to: a path, or `::ID`.
    #[serde(skip_serializing_if = "Option::is_none")]
    resource: Option<String>,
}

/// So many properties are told, and so many characters of the value of one of them, or of the only one.
const MAX_PROPERTIES: usize = 200;
const MAX_VALUE: usize = 500;
const MAX_ONLY_VALUE: usize = 7_000;

impl Tool for Get {
    type Arguments = Arguments;
    type Report = Report;

    const NAME: &'static str = "get";
    const TITLE: &'static str = "Read properties";
    const DESCRIPTION: &'static str = "Reads a property of a node or resource, or all set properties, as Godot's text, with the source of each value: the \
         scene, an instanced or inherited scene, or the default of the script or class. Paths may lead through resources.";
    const EFFECT: Effect = Effect::Reads;

    fn call(call: &mut Call<'_>, arguments: Arguments) -> Result<Report, ToolError> {
        let project = call.project()?;
        let file = paths::res_path(project, &arguments.file)?;
        paths::file(project, &file)?;
        // The resource that a file is has no other path.
        let at = if arguments.at == ":" { "" } else { arguments.at.as_str() };
        let path: PropertyPath = if at.is_empty() {
            PropertyPath { object: godot_project::ObjectPath::MainResource, keys: Vec::new() }
        } else {
            at.parse().map_err(ToolError::new)?
        };
        let is_one = !path.keys.is_empty();
        let found = gdscene_refactor::get(project, &file, &path).map_err(ToolError::new)?;
        Ok(Report::new(found, &file, is_one, arguments.defaults))
    }
}

impl Report {
    fn new(found: ObjectValues, asked: &str, is_one: bool, with_defaults: bool) -> Self {
        let is_meant = |value: &&PropertyValue| {
            is_one || with_defaults || matches!(value.from, ValueSource::File | ValueSource::Scene)
        };
        let max = if is_one { MAX_ONLY_VALUE } else { MAX_VALUE };
        let properties = found.properties.iter().filter(is_meant);
        let properties = properties.map(|value| Property::new(value, asked, max)).collect();
        Self {
            file: found.file,
            class: found.class,
            script: found.script,
            properties: Shown::new(properties, MAX_PROPERTIES, Property::len),
        }
    }
}

impl Property {
    fn new(found: &PropertyValue, asked: &str, max: usize) -> Self {
        let from = match found.from {
            ValueSource::File => "file",
            ValueSource::Scene => "scene",
            ValueSource::Script => "script",
            ValueSource::Class => "class",
            ValueSource::Computed => "computed",
        };
        Self {
            name: found.name.clone(),
            type_name: found.type_name.clone(),
            value: found.value.as_deref().map(|value| cut(value, max)),
            from,
            file: found.file.clone().filter(|file| file != asked),
            resource: found.resource.clone(),
        }
    }

    fn len(&self) -> usize {
        let texts = [&self.value, &self.file, &self.resource];
        let optional: usize = texts.into_iter().flatten().map(String::len).sum();
        self.name.len() + self.type_name.len() + optional + 15
    }
}

fn cut(value: &str, max: usize) -> String {
    match value.char_indices().nth(max) {
        Some((end, _)) => {
            let left = value[end..].chars().count();
            format!("{}… {left} more characters", &value[..end])
        }
        None => value.to_owned(),
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, type_name, value, from, .. } = self;
        let value = value.as_deref().unwrap_or("(not known)");
        write!(f, "{name}: {type_name} = {value}")?;
        if let Some(resource) = &self.resource {
            write!(f, " ({resource})")?;
        }
        match (&self.file, *from) {
            (Some(file), from) => write!(f, " [{from} {file}]"),
            (None, "file") => Ok(()),
            (None, from) => write!(f, " [{from}]"),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(class) = &self.class {
            write!(f, ", {class}")?;
        }
        if let Some(script) = &self.script {
            write!(f, " with {script}")?;
        }
        if self.properties.is_empty() {
            write!(f, "\nno property is set; `defaults` lists those that are not")?;
        }
        for property in &self.properties.items {
            write!(f, "\n{property}")?;
        }
        match self.properties.more {
            0 => Ok(()),
            more => write!(f, "\n… {more} more; ask for one by its name"),
        }
    }
}
