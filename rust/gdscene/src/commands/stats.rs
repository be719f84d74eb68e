//! `gdscene stats`

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;

use gdscene_lint::Workspace;
use godot_project::FileId;
use godot_tscn::TagKind;
use rayon::prelude::*;
use serde::Serialize;

use crate::commands::{Status, written};
use crate::inputs::report_skipped;
use crate::linter::open_above;
use crate::output::terminal::{complain, printable};
use crate::output::{size, to_json_pretty};

/// Count the contents of a project.
///
/// The output has the files by extension, the nodes, resources and connections in scenes, and the largest scenes and
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

/// The contents of a project.
#[derive(Debug, Default)]
struct Stats {
    /// How many files of each extension, and their bytes.
    files: BTreeMap<String, (usize, u64)>,
    tags: Tags,
    /// The largest text scenes and resources first.
    largest: Vec<Measured>,
    unread: usize,
}

/// The tags of scenes and resources.
#[derive(Clone, Copy, Debug, Default)]
struct Tags {
    nodes: usize,
    instances: usize,
    ext_resources: usize,
    sub_resources: usize,
    connections: usize,
}

/// A text scene or resource.
#[derive(Debug)]
struct Measured {
    path: String,
    bytes: u64,
    tags: Tags,
}

/// What `gdscene stats --json` prints. The keys of an object are in alphabetical order.
#[derive(Debug, Serialize)]
struct JsonStats<'s> {
    connections: usize,
    ext_resources: usize,
    files: JsonFiles<'s>,
    /// How many nodes are instances of scenes.
    instances: usize,
    /// The largest scenes and resources, the largest first; at most [`LARGEST`].
    largest: Vec<JsonLargest<'s>>,
    nodes: usize,
    sub_resources: usize,
    /// How many scenes and resources could not be read.
    unreadable: usize,
}

/// All files of the project, of all kinds.
#[derive(Debug, Serialize)]
struct JsonFiles<'s> {
    /// By extension, such as `.tscn`, in lower case; `-` for files without one.
    by_extension: BTreeMap<&'s str, JsonCount>,
    bytes: u64,
    count: usize,
}

#[derive(Debug, Serialize)]
struct JsonCount {
    bytes: u64,
    count: usize,
}

#[derive(Debug, Serialize)]
struct JsonLargest<'s> {
    bytes: u64,
    nodes: usize,
    /// `res://…`
    path: &'s str,
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
    let text = if args.json { to_json_pretty(&stats.json()) + "\n" } else { stats.text() };
    let status = if stats.unread > 0 { Status::Failure } else { Status::Clean };
    written(io::stdout().lock().write_all(text.as_bytes()), status)
}

impl Stats {
    fn of(workspace: &Workspace) -> Self {
        let mut stats = Self::default();
        let Some(project) = workspace.project() else { return stats };
        report_skipped(project.skipped());
        for file in project.files() {
            let entry = stats.files.entry(extension(project.path(file))).or_default();
            entry.0 += 1;
            entry.1 += project.size(file);
        }
        let files = project.text_files();
        let read = |file: &FileId| {
            let tags = project.read(*file).map(|text| Tags::of(&text));
            tags.map(|tags| Measured {
                path: project.path(*file).to_owned(),
                bytes: project.size(*file),
                tags,
            })
        };
        let found: Vec<io::Result<Measured>> = files.par_iter().map(read).collect();
        stats.unread = found.iter().filter(|found| found.is_err()).count();
        stats.largest = found.into_iter().flatten().collect();
        for file in &stats.largest {
            stats.tags.add(file.tags);
        }
        stats.largest.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.path.cmp(&b.path)));
        stats.largest.truncate(LARGEST);
        stats
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let (count, bytes) = self.total();
        let _ = writeln!(text, "{count:>9} files, {}", size(bytes));
        for (extension, (count, bytes)) in &self.files {
            let _ = writeln!(text, "{count:>9}   {}, {}", printable(extension), size(*bytes));
        }
        let Tags { nodes, instances, ext_resources, sub_resources, connections } = self.tags;
        let _ = writeln!(text, "\n{nodes:>9} nodes, {instances} of them instances of scenes");
        let _ = writeln!(text, "{ext_resources:>9} external resources");
        let _ = writeln!(text, "{sub_resources:>9} sub-resources");
        let _ = writeln!(text, "{connections:>9} connections");
        if !self.largest.is_empty() {
            let _ = writeln!(text, "\nthe largest scenes and resources");
        }
        for Measured { path, bytes, tags } in &self.largest {
            let _ =
                writeln!(text, "{:>9}   {}, {} nodes", size(*bytes), printable(path), tags.nodes);
        }
        if self.unread > 0 {
            let _ = writeln!(text, "\n{:>9} files could not be read", self.unread);
        }
        text
    }

    fn json(&self) -> JsonStats<'_> {
        let (count, bytes) = self.total();
        let by_extension = self
            .files
            .iter()
            .map(|(extension, &(count, bytes))| (extension.as_str(), JsonCount { bytes, count }));
        let largest = self.largest.iter().map(|file| JsonLargest {
            bytes: file.bytes,
            nodes: file.tags.nodes,
            path: &file.path,
        });
        JsonStats {
            connections: self.tags.connections,
            ext_resources: self.tags.ext_resources,
            files: JsonFiles { by_extension: by_extension.collect(), bytes, count },
            instances: self.tags.instances,
            largest: largest.collect(),
            nodes: self.tags.nodes,
            sub_resources: self.tags.sub_resources,
            unreadable: self.unread,
        }
    }

    fn total(&self) -> (usize, u64) {
        let sum = |(a, b): (usize, u64), (c, d): &(usize, u64)| (a + c, b + d);
        self.files.values().fold((0, 0), sum)
    }
}

impl Tags {
    fn of(text: &[u8]) -> Self {
        let mut tags = Self::default();
        for section in godot_tscn::parse(text).sections() {
            match section.kind() {
                TagKind::Node => {
                    tags.nodes += 1;
                    tags.instances += usize::from(section.field("instance").is_some());
                }
                TagKind::ExtResource => tags.ext_resources += 1,
                TagKind::SubResource => tags.sub_resources += 1,
                TagKind::Connection => tags.connections += 1,
                _ => {}
            }
        }
        tags
    }

    fn add(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.instances += other.instances;
        self.ext_resources += other.ext_resources;
        self.sub_resources += other.sub_resources;
        self.connections += other.connections;
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
