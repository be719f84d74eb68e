//! `project`

use std::fmt;

use godot_project::Project;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limits::Shown;
use crate::tool::{Call, Effect, Tool, ToolError};

pub(crate) struct ProjectFacts;

/// What of the project is told.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// List only scenes, resources, scripts, classes and input actions whose path or name contains this text.
    filter: Option<String>,
    /// The maximum number of items of each kind to list.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 500))]
    limit: usize,
}

fn default_limit() -> usize {
    40
}

/// What the project is.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Report {
    /// Its name.
    name: String,
    /// The Godot version of the project, if `project.godot` names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    godot_version: Option<String>,
    /// The folder of `project.godot`, which is `res://`.
    root: String,
    /// The main scene.
    #[serde(skip_serializing_if = "Option::is_none")]
    main_scene: Option<String>,
    /// Autoloads: `Name: res://…`.
    autoloads: Vec<String>,
    /// The enabled editor plugins.
    enabled_plugins: Vec<String>,
    /// Input actions, except Godot's own.
    input_actions: Shown<String>,
    /// Classes that scripts declare: `Name: res://…`.
    classes: Shown<String>,
    /// The text scenes.
    scenes: Shown<String>,
    /// The other text resources.
    resources: Shown<String>,
    /// The scripts.
    scripts: Shown<String>,
    /// The number of files in the project.
    file_count: usize,
}

impl Tool for ProjectFacts {
    type Arguments = Arguments;
    type Report = Report;

    const NAME: &'static str = "project";
    const TITLE: &'static str = "Look at the project";
    const DESCRIPTION: &'static str = "Describes the project: name, Godot version, main scene, autoloads, input actions, script classes, and its scenes, \
         resources and scripts. Call it first.";
    const EFFECT: Effect = Effect::Reads;

    fn call(call: &mut Call<'_>, arguments: Arguments) -> Result<Report, ToolError> {
        let project = call.project()?;
        let filter = arguments.filter.as_deref().map(str::to_lowercase);
        let is_wanted = |text: &String| {
            filter.as_deref().is_none_or(|filter| text.to_lowercase().contains(filter))
        };
        let limit = arguments.limit.clamp(1, 500);
        let shown =
            |all: Vec<String>| Shown::of_texts(all.into_iter().filter(is_wanted).collect(), limit);
        let settings = project.settings();
        let autoloads = settings.autoloads.iter();
        let root = project.root().map(|root| dunce::simplified(root).display().to_string());
        Ok(Report {
            name: settings.name.clone(),
            godot_version: settings.version.map(|version| version.to_string()),
            root: root.unwrap_or_default(),
            main_scene: main_scene(project),
            autoloads: autoloads.map(|found| format!("{}: {}", found.name, found.path)).collect(),
            enabled_plugins: settings.enabled_plugins.clone(),
            input_actions: shown(settings.input_actions.clone()),
            classes: shown(classes(project)),
            scenes: shown(files(project, &[".tscn", ".escn"])),
            resources: shown(files(project, &[".tres"])),
            scripts: shown(files(project, &[".gd", ".cs"])),
            file_count: project.files().len(),
        })
    }
}

/// Its path, also where the settings name it by its uid.
fn main_scene(project: &Project) -> Option<String> {
    let named = project.settings().main_scene.as_deref()?;
    let by_uid = || {
        let uid = godot_project::Uid::parse(named.as_bytes())?;
        Some(project.path(*project.files_with_uid(uid).first()?))
    };
    Some(by_uid().unwrap_or(named).to_owned())
}

fn classes(project: &Project) -> Vec<String> {
    let scripts = project.scripts();
    let mut classes: Vec<String> = scripts
        .class_names()
        .map(|name| match scripts.class(name) {
            Some(file) => format!("{name}: {}", project.path(file)),
            None => format!("{name}: several scripts"),
        })
        .collect();
    classes.sort();
    classes
}

fn files(project: &Project, endings: &[&str]) -> Vec<String> {
    let paths = project.files().map(|file| project.path(file));
    let is_meant = |path: &&str| {
        let path = path.to_ascii_lowercase();
        endings.iter().any(|ending| path.ends_with(ending))
    };
    paths.filter(is_meant).map(str::to_owned).collect()
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unknown = "no version named".to_owned();
        let version = self.godot_version.as_ref().map(|version| format!("Godot {version}"));
        writeln!(f, "{} ({})", self.name, version.unwrap_or(unknown))?;
        writeln!(f, "res:// is {}", self.root)?;
        writeln!(f, "main scene: {}", self.main_scene.as_deref().unwrap_or("none"))?;
        write!(f, "{} files", self.file_count)?;
        let lists = [(&self.autoloads, "autoloads"), (&self.enabled_plugins, "enabled plugins")];
        for (list, what) in lists {
            if !list.is_empty() {
                write!(f, "\n{what}: {}", list.join(", "))?;
            }
        }
        let lists = [
            (&self.input_actions, "input actions"),
            (&self.classes, "classes"),
            (&self.scenes, "scenes"),
            (&self.resources, "resources"),
            (&self.scripts, "scripts"),
        ];
        for (list, what) in lists {
            write!(f, "\n{what} ({}): {}", list.count(), list.items.join(", "))?;
            if list.more > 0 {
                write!(f, " … {} more; narrow by `filter`, or raise `limit`", list.more)?;
            }
        }
        Ok(())
    }
}
