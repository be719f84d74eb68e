//! `gdscene stats`

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;

use gdscene_lint::Workspace;
use godot_project::{FileId, Project};
use godot_tscn::TagKind;
use rayon::prelude::*;
use serde::Serialize;

use crate::commands::{Status, written};
use crate::inputs::report_skipped;
use crate::linter::open_above;
use crate::output::{size, to_json_pretty};
use crate::terminal::{complain, printable};

/// Count the contents of a project.
///
/// The output lists the files by extension, the nodes, resources and connections in scenes, and the largest scenes and
/// resources. `gdscene check --statistics` counts diagnostics.
#[derive(Debug, clap::Args)]
pub(crate) struct StatsArgs {
    /// A folder of a project.
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,

    /// Print one object, for programs.
    #[arg(long)]
    json: bool,
}

/// How many of the largest files are listed.
const LARGEST: usize = 10;

/// The contents of a project, or of one of its files, as `--json` prints them. The keys of an object are in alphabetical order.
#[derive(Debug, Default, Serialize)]
struct Stats {
    connections: usize,
    ext_resources: usize,
    files: Files,
    /// How many nodes are instances of scenes.
    instances: usize,
    /// The largest scenes and resources, the largest first; at most [`LARGEST`].
    largest: Vec<SceneFile>,
    nodes: usize,
    sub_resources: usize,
    /// How many scenes and resources could not be read.
    unreadable: usize,
}

/// All files of the project, of all kinds.
#[derive(Debug, Default, Serialize)]
struct Files {
    /// By extension, such as `.tscn`, in lower case; `-` for files without one.
    by_extension: BTreeMap<String, FileCount>,
    bytes: u64,
    count: usize,
}

#[derive(Debug, Default, Serialize)]
struct FileCount {
    bytes: u64,
    count: usize,
}

/// A text scene or resource.
#[derive(Debug, Serialize)]
struct SceneFile {
    bytes: u64,
    nodes: usize,
    /// `res://…`
    path: String,
}

pub(crate) fn run(args: &StatsArgs) -> Status {
    let workspace = match open_above(&args.path) {
        Ok(workspace) => workspace,
        Err(error) => {
            complain(error);
            return Status::Failure;
        }
    };
    let stats = Stats::of(&workspace);
    let text = if args.json { to_json_pretty(&stats) + "\n" } else { stats.text() };
    let status = if stats.unreadable > 0 { Status::Failure } else { Status::Clean };
    written(io::stdout().lock().write_all(text.as_bytes()), status)
}

impl Stats {
    fn of(workspace: &Workspace) -> Self {
        let Some(project) = workspace.project() else { return Self::default() };
        report_skipped(project.skipped());
        let files = project.text_files();
        let of_file = |file: &FileId| Self::of_file(project, *file);
        let mut stats = files.par_iter().map(of_file).reduce(Self::default, Self::and);
        stats.largest.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.path.cmp(&b.path)));
        stats.largest.truncate(LARGEST);
        for file in project.files() {
            stats.files.add(project.path(file), project.size(file));
        }
        stats
    }

    fn of_file(project: &Project, file: FileId) -> Self {
        let mut stats = Self::default();
        let Ok(text) = project.read(file) else { return Self { unreadable: 1, ..stats } };
        for section in godot_tscn::parse(&text).sections() {
            match section.kind() {
                TagKind::Node => {
                    stats.nodes += 1;
                    stats.instances += usize::from(section.field("instance").is_some());
                }
                TagKind::ExtResource => stats.ext_resources += 1,
                TagKind::SubResource => stats.sub_resources += 1,
                TagKind::Connection => stats.connections += 1,
                _ => {}
            }
        }
        let (bytes, path) = (project.size(file), project.path(file).to_owned());
        stats.largest.push(SceneFile { bytes, nodes: stats.nodes, path });
        stats
    }

    fn and(mut self, other: Self) -> Self {
        self.connections += other.connections;
        self.ext_resources += other.ext_resources;
        self.instances += other.instances;
        self.largest.extend(other.largest);
        self.nodes += other.nodes;
        self.sub_resources += other.sub_resources;
        self.unreadable += other.unreadable;
        self
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "{:>9} files, {}", self.files.count, size(self.files.bytes));
        for (extension, FileCount { bytes, count }) in &self.files.by_extension {
            let _ = writeln!(text, "{count:>9}   {}, {}", printable(extension), size(*bytes));
        }
        let Self { connections, ext_resources, instances, nodes, sub_resources, .. } = self;
        let _ = writeln!(text, "\n{nodes:>9} nodes, {instances} of them instances of scenes");
        let _ = writeln!(text, "{ext_resources:>9} external resources");
        let _ = writeln!(text, "{sub_resources:>9} sub-resources");
        let _ = writeln!(text, "{connections:>9} connections");
        if !self.largest.is_empty() {
            let _ = writeln!(text, "\nthe largest scenes and resources");
        }
        for SceneFile { bytes, nodes, path } in &self.largest {
            let _ = writeln!(text, "{:>9}   {}, {nodes} nodes", size(*bytes), printable(path));
        }
        if self.unreadable > 0 {
            let _ = writeln!(text, "\n{:>9} files could not be read", self.unreadable);
        }
        text
    }
}

impl Files {
    fn add(&mut self, path: &str, bytes: u64) {
        let counted = self.by_extension.entry(extension(path)).or_default();
        counted.bytes += bytes;
        counted.count += 1;
        self.bytes += bytes;
        self.count += 1;
    }
}

/// `.tscn`, in lower case; files without one have a dash.
fn extension(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((_, extension)) => format!(".{}", extension.to_lowercase()),
        None => "-".to_owned(),
    }
}
