//! `gdscene deps`

mod graph;
mod tree;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use godot_project::{Dependencies, DependencyKind, FileId, Project, ProjectError, ResolvedPath};
use thiserror::Error;

use crate::commands::{Status, written};
use crate::inputs::report_skipped;
use crate::terminal::{complain, for_stdout};

/// List what a file depends on, or what depends on it.
///
/// The dependencies of a file are the external resources of scenes and resources, and the paths and uids in their text,
/// in scripts, shaders and project.godot. Missing files are marked. Paths that code builds at run time, and classes
/// that are used by name, are not found.
///
/// Examples:
///   gdscene deps main.tscn                        its dependencies, as a tree
///   gdscene deps --reverse player.gd              what depends on it
///   gdscene deps --graph dot . | dot -Tsvg        the whole project, as a picture
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct DepsArgs {
    /// A file of a project, or a folder for the whole project.
    #[arg(value_name = "FILE")]
    path: PathBuf,

    /// List the files that depend on this file instead.
    #[arg(long)]
    reverse: bool,

    /// Print the graph in a format for programs.
    #[arg(long, value_enum, value_name = "FORMAT")]
    graph: Option<GraphFormat>,
}

const EXIT_STATUS: &str = "Exit status:
  0  no missing files
  1  missing files
  2  wrong usage, or no project";

/// The formats of `gdscene deps --graph`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// Graphviz
    Dot,
    /// Lists of files and references
    Json,
    /// For Markdown
    Mermaid,
}

/// The part of a project that the command prints.
struct Subgraph {
    /// By path.
    files: BTreeMap<String, Presence>,
    references: Vec<Reference>,
}

/// Whether a file that is referred to exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    Present,
    /// Present, but the editor does not see it.
    Unseen,
    Missing,
}

/// From one file to another.
struct Reference {
    from: String,
    to: String,
    kind: DependencyKind,
}

/// What the command was asked about.
enum Subject {
    Project,
    File(FileId),
    /// A path without a file, to which files refer.
    Missing(String),
}

/// Why there is nothing to print.
#[derive(Debug, Error)]
enum DepsError {
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error("cannot print a whole project as a tree; name a file, or add --graph")]
    TreeOfProject,
    #[error("{path}: not in the project's folder")]
    OutsideProject { path: String },
    #[error("{path}: file not found in the project, or the editor does not see it")]
    NotInProject { path: String },
}

pub(crate) fn run(args: &DepsArgs) -> Status {
    match print(args) {
        Ok((text, status)) => {
            let text = for_stdout(text.into_bytes());
            written(io::stdout().lock().write_all(&text), status)
        }
        Err(error) => {
            complain(error);
            Status::Failure
        }
    }
}

fn print(args: &DepsArgs) -> Result<(String, Status), DepsError> {
    let (project, path) = open(&args.path)?;
    report_skipped(project.skipped());
    let dependencies = Dependencies::new(&project);
    let subject = subject(&project, &dependencies, path.as_deref(), args)?;
    let graph = Subgraph::new(&project, &dependencies, &subject, args.reverse);
    let is_missing = graph.files.values().any(|presence| *presence == Presence::Missing);
    let text = match (args.graph, path) {
        (Some(GraphFormat::Dot), _) => graph::dot(&graph),
        (Some(GraphFormat::Json), _) => graph::json(&graph),
        (Some(GraphFormat::Mermaid), _) => graph::mermaid(&graph),
        (None, Some(path)) => tree::draw(&graph, &path, args.reverse),
        (None, None) => return Err(DepsError::TreeOfProject),
    };
    let is_finding = is_missing && !args.reverse;
    Ok((text, if is_finding { Status::Findings } else { Status::Clean }))
}

/// The project of a path, and the path inside of it unless it is a folder.
fn open(path: &Path) -> Result<(Project, Option<String>), DepsError> {
    let text = path.to_string_lossy();
    if text.starts_with("res://") {
        return Ok((Project::open(".")?, Some(text.into_owned())));
    }
    let project = Project::open(path)?;
    if path.is_dir() {
        return Ok((project, None));
    }
    // Only the folder is resolved, because the file may have been deleted.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")));
    let root = project.root().map(fs::canonicalize);
    let inside = match (folder, root) {
        (Ok(folder), Some(Ok(root))) => folder
            .strip_prefix(root)
            .ok()
            .map(|inside| inside.join(path.file_name().unwrap_or_default())),
        _ => None,
    };
    let inside = inside.ok_or_else(|| DepsError::OutsideProject { path: text.into_owned() })?;
    let inside = inside.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
    Ok((project, Some(format!("res://{inside}"))))
}

fn subject(
    project: &Project,
    dependencies: &Dependencies,
    path: Option<&str>,
    args: &DepsArgs,
) -> Result<Subject, DepsError> {
    let Some(path) = path else {
        return Ok(Subject::Project);
    };
    match project.file(path) {
        Some(file) => Ok(Subject::File(file)),
        None if args.reverse && !dependencies.referring_to_missing(path).is_empty() => {
            Ok(Subject::Missing(path.to_owned()))
        }
        None => Err(DepsError::NotInProject { path: path.to_owned() }),
    }
}

impl Subgraph {
    fn new(
        project: &Project,
        dependencies: &Dependencies,
        subject: &Subject,
        is_reverse: bool,
    ) -> Self {
        let files = match subject {
            Subject::Project => project.files().collect(),
            Subject::File(file) if is_reverse => dependencies.all_dependents([*file]),
            Subject::File(file) => dependencies.all_needed([*file]),
            Subject::Missing(path) => {
                let first = dependencies.referring_to_missing(path).iter().copied();
                dependencies.all_dependents(first)
            }
        };
        let mut graph = Self { files: BTreeMap::new(), references: Vec::new() };
        if !matches!(subject, Subject::Project) {
            let all = files.iter().map(|file| (project.path(*file).to_owned(), Presence::Present));
            graph.files.extend(all);
        }
        for file in &files {
            for needed in dependencies.of(*file) {
                let (to, presence) = match &needed.target {
                    ResolvedPath::File(to) if is_reverse && files.binary_search(to).is_err() => {
                        continue;
                    }
                    ResolvedPath::File(to) => (project.path(*to), Presence::Present),
                    ResolvedPath::Unseen(to) => (to.as_str(), Presence::Unseen),
                    ResolvedPath::Missing(to) => (to.as_str(), Presence::Missing),
                    ResolvedPath::Outside => continue,
                };
                let is_subject = match subject {
                    Subject::Missing(path) => path == to,
                    _ => false,
                };
                if is_reverse && presence != Presence::Present && !is_subject {
                    continue;
                }
                let from = project.path(*file).to_owned();
                graph.files.insert(from.clone(), Presence::Present);
                graph.files.insert(to.to_owned(), presence);
                graph.references.push(Reference { from, to: to.to_owned(), kind: needed.kind });
            }
        }
        graph
    }
}

impl Presence {
    /// What is printed beside the path of a file that is not simply present.
    fn remark(self) -> Option<&'static str> {
        match self {
            Self::Present => None,
            Self::Unseen => Some("not seen by the editor"),
            Self::Missing => Some("missing"),
        }
    }
}
