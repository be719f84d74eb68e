//! Things with names that other places use: the targets of references and renames.

use gdscene_refactor::RENAMED_KINDS;
use godot_project::names::KindOfName;
use godot_project::{Plan, Project};
use godot_tscn::{Document, ReferenceKind, Span, TagKind};

use crate::at::{self, At, Subject};
use crate::declared::{self, MemberKind, declaring};
use crate::names;
use crate::objects::Object;
use crate::snapshot::{Failure, File};

/// Something with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// An id of a text, which only that text uses.
    Id(TagKind, Vec<u8>),
    /// A node of the scene, by its path from the root.
    Node(String),
    /// A class of a script.
    Class(String),
    /// A member of the script at this path.
    Member(MemberKind, String, String),
    /// A file, by its path.
    File(String),
    /// A name that the whole project shares: an input action, a group, an audio bus.
    Shared(KindOfName, String),
}

impl Named {
    /// The thing with a name at a place of a scene, resource or script, and where its name is there.
    pub(crate) fn at(
        project: &Project,
        file: &File,
        document: Option<&Document<'_>>,
        offset: u32,
    ) -> Option<(Self, Span)> {
        if let Some(document) = document
            && let Some(at) = at::at(document, offset)
        {
            let named = Self::of(project, &file.path, document, &at)?;
            return Some((named, at::within_quotes(document, at.span)));
        }
        let name = names::at(project, file, document, offset);
        if let Some(name) = name.filter(|name| RENAMED_KINDS.contains(&name.kind.id)) {
            return Some((Self::Shared(name.kind.id, name.name), name.span));
        }
        document.is_none().then(|| Self::in_script(project, file, offset))?
    }

    /// The member that a script declares or uses at a place: one of its own or of a script that it extends.
    fn in_script(project: &Project, file: &File, offset: u32) -> Option<(Self, Span)> {
        let script = project.file(&file.path)?;
        project.scripts().script(script)?;
        let text = file.text.bytes();
        let span = declared::word(text, offset)?;
        let name = std::str::from_utf8(span.of(text)).ok()?;
        let (kind, declaring) = MemberKind::ALL
            .into_iter()
            .find_map(|kind| Some((kind, declaring(project, Some(script), kind, name)?)))?;
        let named = Self::Member(kind, project.path(declaring).to_owned(), name.to_owned());
        if declaring == script && declared::place(text, kind, name.as_bytes()) == Some(span) {
            return Some((named, span));
        }
        // The refactoring knows whether this word is the member, or a local variable with its name.
        let is_meant = named.rename(project, &file.path, &named.unused_name()).is_ok_and(|plan| {
            let changed = plan.files.iter().find(|changed| changed.path == file.path);
            changed.is_some_and(|changed| {
                changed
                    .edits()
                    .iter()
                    .any(|edit| edit.span.start <= span.start && span.end <= edit.span.end)
            })
        });
        is_meant.then_some((named, span))
    }

    /// The thing that a place of the scene or resource at `path` names; nothing for Godot's own
    /// things.
    fn of(project: &Project, path: &str, document: &Document<'_>, at: &At<'_>) -> Option<Self> {
        let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let member = |kind, object: Object, name: &[u8]| {
            let name = lossy(name);
            let script = declaring(project, object.script, kind, &name)?;
            Some(Self::Member(kind, project.path(script).to_owned(), name))
        };
        let node = |field| Some(Object::node(project, path, &at::text(at.section, field)?));
        match &at.subject {
            Subject::ExtResource(id) => Some(Self::Id(TagKind::ExtResource, id.to_vec())),
            Subject::SubResource(id) => Some(Self::Id(TagKind::SubResource, id.to_vec())),
            Subject::File(target) => match project.resolve(path, &lossy(target)) {
                godot_project::ResolvedPath::File(file) => {
                    Some(Self::File(project.path(file).to_owned()))
                }
                _ => None,
            },
            Subject::Class(name) => {
                let name = lossy(name);
                project.scripts().class(&name).map(|_| Self::Class(name))
            }
            Subject::NodeName => at::node_path(at.section).map(Self::Node),
            Subject::PathFromRoot(path) => Some(Self::Node(lossy(path))),
            Subject::PathFromNode(path) => {
                at::from_root(&at::node_path(at.section)?, &lossy(path)).map(Self::Node)
            }
            Subject::Property(name) => {
                let object = Object::of(project, path, document, at.section);
                member(MemberKind::Property, object, name)
            }
            Subject::Signal(name) => member(MemberKind::Signal, node("from")?, name),
            Subject::Method(name) => member(MemberKind::Method, node("to")?, name),
        }
    }

    /// The name that a new one takes the place of.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Id(_, id) => String::from_utf8_lossy(id).into_owned(),
            Self::Node(path) | Self::File(path) => {
                path.rsplit('/').next().unwrap_or(path).to_owned()
            }
            Self::Class(name) | Self::Member(_, _, name) | Self::Shared(_, name) => name.clone(),
        }
    }

    /// An unused name, to find the changes of a rename.
    pub(crate) fn unused_name(&self) -> String {
        let name = self.name();
        match (self, name.rsplit_once('.')) {
            _ if name == "." => "GdsceneReference".to_owned(),
            (Self::File(_), Some((stem, extension))) => {
                format!("{stem}_gdscene_reference.{extension}")
            }
            _ => format!("{name}_gdscene_reference"),
        }
    }

    /// The changes of a new name in the project. Ids stand in one text only, and are not for this.
    pub(crate) fn rename(
        &self,
        project: &Project,
        scene: &str,
        new: &str,
    ) -> Result<Plan, Failure> {
        let plan = match self {
            Self::Id(..) => {
                return Err(Failure::refused("rename an id in the text that defines it"));
            }
            Self::Node(path) => gdscene_refactor::rename_node(project, scene, path, new),
            Self::Class(name) => gdscene_refactor::rename_class(project, name, new),
            Self::Member(MemberKind::Property, script, name) => {
                gdscene_refactor::rename_property(project, script, name, new)
            }
            Self::Member(MemberKind::Method, script, name) => {
                gdscene_refactor::rename_method(project, script, name, new)
            }
            Self::Member(MemberKind::Signal, script, name) => {
                gdscene_refactor::rename_signal(project, script, name, new)
            }
            Self::Shared(kind, name) => gdscene_refactor::rename_name(project, *kind, name, new),
            Self::File(path) => {
                let folder = path.rsplit_once('/').map_or("res:/", |(folder, _)| folder);
                gdscene_refactor::move_files(project, path, &format!("{folder}/{new}"))
            }
        };
        plan.map_err(Failure::refused)
    }
}

/// The places of an id, its declaration first, without the quotes.
pub(crate) fn places_of_id(document: &Document<'_>, kind: TagKind, id: &[u8]) -> Vec<Span> {
    let mut places = Vec::new();
    if let Some(field) = at::resource(document, kind, id).and_then(|found| found.field("id")) {
        places.push(at::within_quotes(document, field.value_span()));
    }
    let wanted = match kind {
        TagKind::ExtResource => ReferenceKind::ExtResource,
        _ => ReferenceKind::SubResource,
    };
    let uses = document.references().iter();
    let uses = uses.filter(|found| found.kind == wanted && *document.target(found) == *id);
    places.extend(uses.map(|found| at::within_quotes(document, found.target)));
    places
}
