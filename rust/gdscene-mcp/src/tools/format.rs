//! `format`

use std::collections::BTreeSet;
use std::fmt;

use gdscene_journal::{Changes, Write};
use godot_project::FileId;
use godot_tscn::{FormatOptions, FormatRefusal};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::changes::ChangeReport;
use crate::limits::Shown;
use crate::paths::{self, FileOrFolder};
use crate::tool::{Call, Effect, Tool, ToolError};

pub(crate) struct Format;

/// What is formatted.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Files and folders, such as `res://levels` or `player.tscn`; `res://` is the whole project.
    #[schemars(length(min = 1))]
    paths: Vec<String>,
    /// Write nothing; report what would change.
    #[serde(default)]
    dry_run: bool,
}

/// What was formatted.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Report {
    /// The changes.
    #[serde(flatten)]
    changes: ChangeReport,
    /// Files that cannot be formatted, with the reasons.
    refused: Shown<String>,
}

const MAX_REFUSED: usize = 20;

impl Tool for Format {
    type Arguments = Arguments;
    type Report = Report;

    const NAME: &'static str = "format";
    const TITLE: &'static str = "Format scenes and resources";
    const DESCRIPTION: &'static str = "Rewrites scenes and resources (.tscn, .tres) in the form in which Godot saves them: order, spaces, numbers. Godot \
         loads exactly the same data afterwards. Files that Godot saved do not change.";
    const EFFECT: Effect = Effect::Tidies;

    fn call(call: &mut Call<'_>, arguments: Arguments) -> Result<Report, ToolError> {
        let files = text_files(call, &arguments.paths)?;
        let project = call.project()?;
        let (mut writes, mut refused) = (Vec::new(), Vec::new());
        for file in files {
            let path = project.path(file);
            match formatted(call, file) {
                Ok(Some(write)) => writes.push(write),
                Ok(None) => {}
                Err(reason) => refused.push(format!("{path}: {reason}")),
            }
        }
        let changes =
            Changes { title: "format".to_owned(), writes, is_undoable: true, ..Changes::default() };
        Ok(Report {
            changes: ChangeReport::of_changes(call, &changes, arguments.dry_run)?,
            refused: Shown::of_texts(refused, MAX_REFUSED),
        })
    }
}

/// The text scenes and resources at these paths.
fn text_files(call: &Call<'_>, given: &[String]) -> Result<BTreeSet<FileId>, ToolError> {
    let project = call.project()?;
    let text_files: BTreeSet<FileId> = project.text_files().into_iter().collect();
    let mut files = BTreeSet::new();
    for path in given {
        match paths::file_or_folder(project, path)? {
            FileOrFolder::File(file) if !text_files.contains(&file) => {
                let path = project.path(file);
                return Err(ToolError(format!("`{path}` is not a scene or resource that is text")));
            }
            FileOrFolder::File(file) => _ = files.insert(file),
            FileOrFolder::Folder(below) => {
                let is_meant =
                    |file: &FileId| text_files.contains(file) && !project.is_unchecked(*file);
                files.extend(below.into_iter().filter(is_meant));
            }
        }
    }
    Ok(files)
}

/// Nothing if the file is formatted already.
fn formatted(call: &Call<'_>, file: FileId) -> Result<Option<Write>, String> {
    let project = call.project().map_err(|error| error.0)?;
    let path = project.path(file);
    let text = project.read(file).map_err(|error| error.to_string())?;
    let mut options = FormatOptions::for_path(path);
    options.target = godot_tscn::project_target(&text, project.settings().version);
    match godot_tscn::format(&text, &options) {
        Ok(formatted) if formatted.is_changed => Ok(Some(Write {
            path: path.to_owned(),
            before: Some(text.as_ref().into()),
            after: Some(formatted.text.as_ref().into()),
        })),
        // An exporter writes it again.
        Ok(_) | Err(FormatRefusal::Escn) => Ok(None),
        Err(refusal) => Err(refusal.to_string()),
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.changes)?;
        for refused in &self.refused.items {
            write!(f, "\nnot formatted: {refused}")?;
        }
        match self.refused.more {
            0 => Ok(()),
            more => write!(f, "\n… {more} more not formatted"),
        }
    }
}
