//! `references`

use std::fmt;

use godot_project::{Dependencies, Project};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::changes::place_text;
use crate::limits::{Shown, excerpt};
use crate::paths;
use crate::tool::{Call, Effect, Tool, ToolError};
use crate::tools::rename::{self, Kind};

pub(crate) struct References;

/// Of what the references are looked for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The kind of the item.
    kind: Subject,
    /// The file, the scene of a node, or the script that declares a property, method or signal. Not needed for a class.
    file: Option<String>,
    /// The name; for a node, its path from the scene's root, such as `Player/Sprite`. Not needed for a file.
    name: Option<String>,
    /// The maximum number of references to list.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 200))]
    limit: usize,
}

fn default_limit() -> usize {
    50
}

/// What can be referred to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Subject {
    /// A file: the files that need it.
    File,
    /// A node of a scene.
    Node,
    /// A variable of a script.
    Property,
    /// A function of a script.
    Method,
    /// A signal of a script.
    Signal,
    /// A script class or a Godot class: the nodes of this class.
    Class,
}

/// What refers to it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Report {
    /// The item that the references refer to.
    subject: String,
    /// Certain references: `file:line:column: kind of reference`, or the files that need a file.
    references: Shown<String>,
    /// Uncertain references.
    doubtful: Shown<String>,
    /// For a file: its own dependencies.
    needs: Shown<String>,
}

impl Tool for References {
    type Arguments = Arguments;
    type Report = Report;

    const NAME: &'static str = "references";
    const TITLE: &'static str = "Find references";
    const DESCRIPTION: &'static str = "Finds references to a file, a node, a class, or a property, method or signal of a script: in scenes, resources, \
         animations, connections and scripts of the whole project. For a file, it also lists the file's own dependencies. Use \
         it before you remove something or change its meaning.";
    const EFFECT: Effect = Effect::Reads;

    fn call(call: &mut Call<'_>, arguments: Arguments) -> Result<Report, ToolError> {
        let project = call.project()?;
        let limit = arguments.limit.clamp(1, 200);
        let missing = |what: &str| ToolError(format!("`{what}` is missing"));
        if arguments.kind == Subject::File {
            let file = arguments.file.as_deref().ok_or_else(|| missing("file"))?;
            return of_file(project, file, limit);
        }
        let name = arguments.name.as_deref().ok_or_else(|| missing("name"))?;
        let kind = match arguments.kind {
            Subject::File | Subject::Class => Kind::Class,
            Subject::Node => Kind::Node,
            Subject::Property => Kind::Property,
            Subject::Method => Kind::Method,
            Subject::Signal => Kind::Signal,
        };
        if kind == Kind::Class && project.classes().class(name).is_some() {
            return Ok(of_class(project, name, limit));
        }
        of_name(project, kind, arguments.file.as_deref(), name, limit)
    }
}

fn of_file(project: &Project, given: &str, limit: usize) -> Result<Report, ToolError> {
    let dependencies = Dependencies::new(project);
    let path = paths::res_path(project, given)?;
    let texts = |files: Vec<godot_project::FileId>| {
        let texts = files.into_iter().map(|file| project.path(file).to_owned()).collect();
        Shown::of_texts(texts, limit)
    };
    let subject = format!("the file `{path}`");
    let missing = dependencies.referring_to_missing(&path);
    if project.file(&path).is_none() && !missing.is_empty() {
        return Ok(Report {
            subject: format!("{subject}, which is missing"),
            references: texts(missing.to_vec()),
            doubtful: Shown::default(),
            needs: Shown::default(),
        });
    }
    let file = paths::file(project, given)?;
    let needs = dependencies.of(file).iter().map(|needed| match &needed.target {
        godot_project::ResolvedPath::File(file) => project.path(*file).to_owned(),
        godot_project::ResolvedPath::Missing(path) => format!("{path} (missing)"),
        godot_project::ResolvedPath::Unseen(path) => format!("{path} (the editor does not see it)"),
        godot_project::ResolvedPath::Outside => "a file outside of the project".to_owned(),
    });
    Ok(Report {
        subject,
        references: texts(dependencies.dependents(file).to_vec()),
        doubtful: Shown::default(),
        needs: Shown::of_texts(needs.collect(), limit),
    })
}

/// The nodes of one of Godot's classes.
fn of_class(project: &Project, class: &str, limit: usize) -> Report {
    let mut found = Vec::new();
    for file in project.text_files() {
        let Some(tree) = project.tree(file) else { continue };
        for tag in tree.tags().iter().filter(|tag| tag.class.as_deref() == Some(class)) {
            let parent = tag.parent.as_deref().filter(|parent| *parent != ".");
            let parent = parent.map_or_else(String::new, |parent| format!("{parent}/"));
            let path = if tag.parent.is_some() { &tag.name } else { "." };
            found.push(format!("{}: {parent}{path}", project.path(file)));
        }
    }
    Report {
        subject: format!("nodes of the class `{class}` itself"),
        references: Shown::of_texts(found, limit),
        doubtful: Shown::default(),
        needs: Shown::default(),
    }
}

/// What a new name would change.
fn of_name(
    project: &Project,
    kind: Kind,
    file: Option<&str>,
    name: &str,
    limit: usize,
) -> Result<Report, ToolError> {
    let new_name = free_name(name.rsplit('/').next().unwrap_or(name));
    let new_name = if name == "." { "GdsceneReference" } else { &new_name };
    let plan = rename::plan(project, kind, file, name, new_name)?;
    let texts = |places: &[godot_project::Place]| {
        Shown::of_texts(places.iter().map(place_text).collect(), limit)
    };
    let of = file.map_or_else(String::new, |file| format!(" of `{}`", excerpt(file)));
    Ok(Report {
        subject: format!("`{}`{of}", excerpt(name)),
        references: texts(&plan.places),
        doubtful: texts(&plan.doubts),
        needs: Shown::default(),
    })
}

/// A name that nothing has, for a renaming that is never done.
fn free_name(name: &str) -> String {
    format!("{}_gdscene_reference", name.trim_start_matches('%'))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject, references, doubtful, needs } = self;
        write!(f, "{} references to {subject}", references.count())?;
        let lists = [(references, ""), (doubtful, "may refer to it"), (needs, "it needs")];
        for (list, what) in lists {
            if !list.is_empty() && !what.is_empty() {
                write!(f, "\n{what} ({}):", list.count())?;
            }
            for item in &list.items {
                write!(f, "\n{item}")?;
            }
            if list.more > 0 {
                write!(f, "\n… {} more; raise `limit`", list.more)?;
            }
        }
        Ok(())
    }
}
