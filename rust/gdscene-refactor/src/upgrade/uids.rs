//! The uids of files, the current and the new ones.

use std::collections::BTreeMap;

use godot_project::res_path::{FactsKind, has_uid_beside};
use godot_project::{FileId, Project, ResolvedPath, Uid};
use godot_tscn::{Document, GodotVersion, Span};
use hashbrown::{HashMap, HashSet};

use super::is_text;
use crate::ids::FreshUids;

/// Which uid each file has, or gets.
pub(super) struct Uids {
    /// The new uids of files: in their headers, or in a `.uid` file.
    new: BTreeMap<FileId, Uid>,
    /// The `.uid` files that are made, by path.
    files: BTreeMap<String, Uid>,
    has_script_uids: bool,
}

impl Uids {
    /// Gives uids to those of `files` that have none, and can be read.
    pub(super) fn of(project: &Project, target: GodotVersion, files: &[FileId]) -> Self {
        let has_script_uids = target >= GodotVersion::godot4(4);
        let mut uids = Self { new: BTreeMap::new(), files: BTreeMap::new(), has_script_uids };
        let mut fresh = FreshUids::new(project);
        // Uids that other files use come first, so that no fresh uid equals them.
        let wanted: HashMap<FileId, Uid> =
            files.iter().filter_map(|file| Some((*file, wanted(project, *file)?))).collect();
        let mut given: HashSet<Uid> = HashSet::new();
        for file in files.iter().copied().filter(|file| project.uid(*file).is_none()) {
            let path = project.path(file);
            let is_beside = has_script_uids
                && has_uid_beside(path)
                && project.file(&format!("{path}.uid")).is_none();
            let is_in_header = is_text(path) && takes_uid(project, file);
            if !is_beside && !is_in_header {
                continue;
            }
            let Ok(content) = project.read(file) else { continue };
            let uid = match wanted.get(&file).filter(|uid| given.insert(**uid)) {
                Some(uid) => *uid,
                None => fresh.of_file(path, &content),
            };
            given.insert(uid);
            uids.new.insert(file, uid);
            if is_beside {
                uids.files.insert(format!("{path}.uid"), uid);
            }
        }
        uids
    }

    /// The `.uid` files that are made, with their content.
    pub(super) fn new_files(&self) -> impl Iterator<Item = (String, String)> {
        self.files.iter().map(|(path, uid)| (path.clone(), format!("{uid}\n")))
    }

    /// The edits that write the uids into the header and the `ext_resource` tags of a text.
    pub(super) fn edits(
        &self,
        project: &Project,
        file: FileId,
        document: &Document<'_>,
        edits: &mut Vec<(Span, String)>,
    ) {
        if let (Some(header), Some(uid)) = (document.sections().next(), self.new.get(&file))
            && header.field("uid").is_none()
        {
            edits.push((Span::empty(header.tag_span().end - 1), format!(" uid=\"{uid}\"")));
        }
        for resource in &project.facts(file).ext_resources {
            let ResolvedPath::File(target) = project.resolve_external(project.path(file), resource)
            else {
                continue;
            };
            let Some(uid) = self.uid(project, target) else { continue };
            // Two files with one uid must be corrected first, and so must a uid that leads to another file than the path.
            if project.files_with_uid(uid).len() > 1 {
                continue;
            }
            let section = document.section(resource.section);
            match (section.field("uid"), section.field("path")) {
                (None, Some(path)) => {
                    edits.push((Span::empty(path.name_span().start), format!("uid=\"{uid}\" ")));
                }
                (Some(field), _) if resource.uid != Some(uid) => {
                    edits.push((field.value_span(), format!("\"{uid}\"")));
                }
                _ => {}
            }
        }
    }

    fn uid(&self, project: &Project, file: FileId) -> Option<Uid> {
        if !self.has_script_uids && has_uid_beside(project.path(file)) {
            return None;
        }
        project.uid(file).or_else(|| self.new.get(&file).copied())
    }
}

/// The uid by which most others call the file.
fn wanted(project: &Project, file: FileId) -> Option<Uid> {
    let graph = project.graph();
    let wanted = graph.wanted_uids(file).iter();
    wanted.copied().max_by_key(|uid| (graph.callers(*uid).len(), std::cmp::Reverse(uid.number())))
}

/// Whether the text is one of Godot 4 that Godot loads.
fn takes_uid(project: &Project, file: FileId) -> bool {
    let facts = project.facts(file);
    let is_text = FactsKind::of(project.path(file)) == FactsKind::Text;
    is_text
        && facts.refusal.is_none()
        && !facts.is_incomplete
        && project.import(file).is_none()
        && is_of_godot_4(project, file)
}

fn is_of_godot_4(project: &Project, file: FileId) -> bool {
    let Ok(text) = project.read(file) else { return false };
    let end = memchr::memchr(b']', &text).map_or(0, |at| at + 1);
    let document = godot_tscn::parse(&text[..end]);
    let header = document.sections().next();
    let format =
        header.and_then(|header| header.field("format")).map_or(Some(3), godot_tscn::Field::int);
    header.is_some() && matches!(format, Some(3 | 4))
}
