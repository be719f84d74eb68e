//! Which file refers to which.

use hashbrown::HashMap;
use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::Uid;
use crate::facts::FileFacts;
use crate::project::{FileId, Project, ResolvedPath};
use crate::res_path::FactsKind;
use crate::res_path::extension_of;

/// The `ext_resource` tags of all files.
#[derive(Debug, Default)]
pub struct Graph {
    edges: DiGraph<FileId, ()>,
    /// The uids by which a file is called at its path, though it does not have them.
    wanted_uids: HashMap<FileId, Vec<Uid>>,
    /// The files with an `ext_resource` tag that names a uid.
    callers: HashMap<Uid, Vec<FileId>>,
}

/// At most this number of uids of one file is noted: one is right, and a fix corrects the others,
/// file by file.
const MOST_WANTED: usize = 16;

impl Graph {
    pub(crate) fn new(project: &Project) -> Self {
        let mut graph = Self::default();
        for file in project.files() {
            graph.edges.add_node(file);
        }
        for file in project.files() {
            for (resource, target) in targets(project, file, project.facts(file)) {
                graph.note_caller(resource.uid, file);
                let ResolvedPath::File(to) = target else { continue };
                graph.edges.update_edge(node(file), node(to), ());
                if let Some(uid) =
                    resource.uid.filter(|uid| project.files_with_uid(*uid).is_empty())
                {
                    let wanted = graph.wanted_uids.entry(to).or_default();
                    if wanted.len() < MOST_WANTED && !wanted.contains(&uid) {
                        wanted.push(uid);
                    }
                }
            }
        }
        graph
    }

    fn note_caller(&mut self, uid: Option<Uid>, file: FileId) {
        let Some(uid) = uid else { return };
        let callers = self.callers.entry(uid).or_default();
        if callers.last() != Some(&file) {
            callers.push(file);
        }
    }

    /// The files with an `ext_resource` tag that leads to `file`.
    pub fn users(&self, file: FileId) -> impl Iterator<Item = FileId> {
        let users = self.edges.neighbors_directed(node(file), Direction::Incoming);
        users.map(|user| self.edges[user])
    }

    /// The files that name a uid in an `ext_resource` tag, by path.
    pub fn callers(&self, uid: Uid) -> &[FileId] {
        self.callers.get(&uid).map_or(&[], Vec::as_slice)
    }

    /// The uids that others believe `file` to have.
    pub fn wanted_uids(&self, file: FileId) -> &[Uid] {
        self.wanted_uids.get(&file).map_or(&[], Vec::as_slice)
    }
}

fn node(file: FileId) -> NodeIndex {
    NodeIndex::new(file.index())
}

/// The `ext_resource` tags of a file, and where they lead.
pub(crate) fn targets<'p>(
    project: &'p Project,
    file: FileId,
    facts: &'p FileFacts,
) -> impl Iterator<Item = (&'p crate::ExtResource, ResolvedPath)> {
    let base = project.path(file);
    facts.ext_resources.iter().map(move |found| (found, project.resolve_external(base, found)))
}

/// Whether a file without paths in the index may contain paths.
pub(crate) fn is_read_for_paths(path: &str) -> bool {
    FactsKind::of(path) == FactsKind::None && holds_paths(path)
}

/// Texts in which paths may stand.
fn holds_paths(path: &str) -> bool {
    const EXTENSIONS: &[&str] = &[
        "godot",
        "cfg",
        "gdextension",
        "gdshader",
        "gdshaderinc",
        "json",
        "txt",
        "csv",
        "ini",
        "xml",
        "md",
        "dialogue",
        "dtl",
        "yaml",
        "yml",
        "toml",
        "shader",
        "vs",
    ];
    EXTENSIONS.contains(&&*extension_of(path))
}
