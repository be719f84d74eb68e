//! `gdscene unused`

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use godot_project::{CachePlace, FileId, FileKind, Project, Unused, unused_files};
use serde::Serialize;

use crate::commands::prune::list_inside;
use crate::commands::refactor::{RefactorArgs, RunError, plain, res_path};
use crate::commands::{Counted, Status, written};
use crate::inputs::report_skipped;
use crate::output::plan::PlanFormat;
use crate::output::terminal::{complain, for_stdout, printable};
use crate::output::{size, to_json_pretty};

/// List the files of a project that nothing uses.
///
/// A file is used if the project's settings, export presets, or another file that is used name it: by path or uid, by the
/// name of a class, as a texture of a model, in a data file, in the `#include` of a shader, and so on. Files that may be
/// used, but where that cannot be told, are kept; --kept lists them with the reason. This judges scenes, resources,
/// scripts, shaders, images, sounds, models, fonts and what else Godot imports. It removes nothing: see `gdscene prune`.
///
/// Examples:
///   gdscene unused                     the project in this folder, the largest files first
///   gdscene unused --kept .            also what is kept, and why
///   gdscene unused --kind image art    images in one folder
///   gdscene unused --inside .          resources inside scenes and resources
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct UnusedArgs {
    /// A project, or a folder in it: all of the project is read, but only files in that folder are listed.
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,

    /// Only files of this kind; several are separated by commas.
    #[arg(long, value_parser = kinds(), value_delimiter = ',', value_name = "KIND")]
    kind: Vec<FileKind>,

    /// In which order to list the files.
    #[arg(long, value_enum, default_value_t, value_name = "ORDER")]
    sort: Order,

    /// Also list the files that may be used, each with the reason why it is kept.
    #[arg(long)]
    kept: bool,

    /// List unused `sub_resource`s and `ext_resource`s inside the files instead.
    #[arg(long, conflicts_with_all = ["kind", "kept", "sort"])]
    inside: bool,

    /// How to print the list.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    output: PlanFormat,
}

const EXIT_STATUS: &str = "Exit status: 0 everything is used or may be, 1 unused files are listed, 2 wrong usage or no project.";

/// Reads the name of a [`FileKind`].
pub(crate) fn kinds() -> impl TypedValueParser<Value = FileKind> {
    let value = |kind: FileKind| {
        let value = PossibleValue::new(kind.name());
        match kind {
            FileKind::Imported => value.help("Anything else that Godot imports"),
            FileKind::LeftOver => value.help("A .import or .uid file whose own file is gone"),
            _ => value,
        }
    };
    let named = |name: String| FileKind::ALL.into_iter().find(|kind| kind.name() == name);
    PossibleValuesParser::new(FileKind::ALL.map(value))
        .try_map(move |name| named(name).ok_or("there is no such kind"))
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Order {
    /// The largest first.
    #[default]
    Size,
    Path,
}

/// What is listed.
#[derive(Debug, Default, Serialize)]
struct Listed {
    unused: Vec<UnusedRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<Vec<KeptRow>>,
    notes: Vec<Note>,
    /// How many bytes the unused files have, with what is removed with them.
    bytes: u64,
}

#[derive(Debug, Serialize)]
struct UnusedRow {
    path: String,
    kind: &'static str,
    bytes: u64,
    /// Files beside it that go with it.
    companions: Vec<String>,
    /// Unused files that name it.
    named_by: Vec<String>,
}

#[derive(Debug, Serialize)]
struct KeptRow {
    path: String,
    kind: &'static str,
    bytes: u64,
    reason: String,
}

/// What limits what can be told.
#[derive(Debug, Serialize)]
struct Note {
    path: String,
    /// 0 if it is about the whole file.
    line: u32,
    text: String,
}

pub(crate) fn run(args: &UnusedArgs) -> Status {
    if args.inside {
        return list_inside(&args.path, &RefactorArgs::dry(args.output));
    }
    let place = plain(&args.path);
    let opened = Project::open_with_cache(&place, &CachePlace::Usual);
    let found = opened.map_err(RunError::from).and_then(|project| {
        report_skipped(project.skipped());
        let folder = folder_of(&project, &place)?;
        Ok((project, folder))
    });
    let (project, folder) = match found {
        Ok(found) => found,
        Err(error) => {
            complain(error);
            return Status::Failure;
        }
    };
    let listed = Listed::new(&project, &unused_files(&project), args, &folder);
    let text = match args.output {
        PlanFormat::Text => listed.text(),
        PlanFormat::Json => to_json_pretty(&listed),
    };
    let status = if listed.unused.is_empty() { Status::Clean } else { Status::Findings };
    written(io::stdout().lock().write_all(&for_stdout(text.into_bytes())), status)
}

/// The start of the paths below a folder of the project: `res://art/`, `res://`.
pub(crate) fn folder_of(
    project: &Project,
    place: &Path,
) -> Result<String, gdscene_refactor::RefactorError> {
    let path = res_path(project, &place.to_string_lossy())?;
    Ok(if project.file(&path).is_some() || path.ends_with('/') { path } else { format!("{path}/") })
}

impl Listed {
    fn new(project: &Project, found: &Unused, args: &UnusedArgs, folder: &str) -> Self {
        let path = |file: FileId| project.path(file).to_owned();
        let is_meant = |file: FileId, kind: FileKind| {
            project.path(file).starts_with(folder)
                && (args.kind.is_empty() || args.kind.contains(&kind))
        };
        let unused = found.unused.iter().filter(|row| is_meant(row.file, row.kind));
        let unused = unused.map(|row| UnusedRow {
            path: path(row.file),
            kind: row.kind.name(),
            bytes: row.size,
            companions: row.companions.iter().map(|file| path(*file)).collect(),
            named_by: row.named_by.iter().map(|file| path(*file)).collect(),
        });
        let kept = found.kept.iter().filter(|row| is_meant(row.file, row.kind));
        let kept = kept.map(|row| KeptRow {
            path: path(row.file),
            kind: row.kind.name(),
            bytes: row.size,
            reason: row.reason.to_string(),
        });
        let notes = found.notes.iter();
        let notes = notes.map(|(path, line, text)| Note {
            path: path.clone(),
            line: *line,
            text: text.clone(),
        });
        let mut listed = Self {
            unused: unused.collect(),
            kept: args.kept.then(|| kept.collect()),
            notes: notes.collect(),
            bytes: 0,
        };
        listed.bytes = listed.unused.iter().map(|row| row.bytes).sum();
        if args.sort == Order::Size {
            listed.unused.sort_by_key(|row| std::cmp::Reverse(row.bytes));
            listed
                .kept
                .iter_mut()
                .for_each(|kept| kept.sort_by_key(|row| std::cmp::Reverse(row.bytes)));
        }
        listed
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for row in &self.unused {
            let path = printable(&row.path);
            let _ = write!(text, "{:>9}  {:9} {path}", size(row.bytes), row.kind);
            match row.named_by.as_slice() {
                [] => {}
                [one] => _ = write!(text, "  (only named by {}, which is unused)", printable(one)),
                more => _ = write!(text, "  (only named by {} unused files)", more.len()),
            }
            text.push('\n');
        }
        for row in self.kept.iter().flatten() {
            let (path, reason) = (printable(&row.path), printable(&row.reason));
            let _ = writeln!(text, "{:>9}  {:9} {path}: kept, {reason}", size(row.bytes), row.kind);
        }
        for note in &self.notes {
            let path = printable(&note.path);
            let _ = match note.line {
                0 => writeln!(text, "note: {path}: {}", note.text),
                line => writeln!(text, "note: {path}:{line}: {}", note.text),
            };
        }
        let count = Counted(self.unused.len(), "unused file");
        let _ = write!(text, "{count}, {}", size(self.bytes));
        if let Some(kept) = &self.kept {
            let _ = write!(text, "; {} kept", kept.len());
        }
        text.push('\n');
        text
    }
}
