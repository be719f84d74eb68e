//! What has a name that other places use: what references are of, and what gets a new name.

use godot_project::{FileId, NodeInTree, Plan, Project};
use godot_tscn::{Document, ReferenceKind, Span, TagKind};

use crate::at::{self, At, Subject};
use crate::snapshot::Failure;

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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemberKind {
    Property,
    Method,
    Signal,
}

impl Named {
    /// What stands at a place of the scene at `path`; nothing for what is Godot's own.
    pub(crate) fn of(project: &Project, path: &str, at: &At<'_>) -> Option<Self> {
        let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let member = |kind, node: &str, name: &[u8]| {
            let name = lossy(name);
            let script = declaring_script(project, path, node, kind, &name)?;
            Some(Self::Member(kind, project.path(script).to_owned(), name))
        };
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
                member(MemberKind::Property, &at::node_path(at.section)?, name)
            }
            Subject::Signal(name) => {
                member(MemberKind::Signal, &at::text(at.section, "from")?, name)
            }
            Subject::Method(name) => member(MemberKind::Method, &at::text(at.section, "to")?, name),
        }
    }

    /// The name that a new one takes the place of.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Id(_, id) => String::from_utf8_lossy(id).into_owned(),
            Self::Node(path) | Self::File(path) => {
                path.rsplit('/').next().unwrap_or(path).to_owned()
            }
            Self::Class(name) | Self::Member(_, _, name) => name.clone(),
        }
    }

    /// A name that nothing has, to find out what a new one would change.
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

    /// What a new name changes in the project. Ids stand in one text only, and are not for this.
    pub(crate) fn rename(
        &self,
        project: &Project,
        scene: &str,
        new: &str,
    ) -> Result<Plan, Failure> {
        let plan = match self {
            Self::Id(..) => return Err(Failure::refused("an id is renamed in its text")),
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
            Self::File(path) => {
                let folder = path.rsplit_once('/').map_or("res:/", |(folder, _)| folder);
                gdscene_refactor::move_files(project, path, &format!("{folder}/{new}"))
            }
        };
        plan.map_err(Failure::refused)
    }
}

/// Where an id stands, its declaration first, without the quotes.
pub(crate) fn places_of_id(document: &Document<'_>, kind: TagKind, id: &[u8]) -> Vec<Span> {
    let mut places = Vec::new();
    if let Some(field) = at::resource(document, kind, id).and_then(|found| found.field("id")) {
        places.push(within_quotes(document, field.value_span()));
    }
    let wanted = match kind {
        TagKind::ExtResource => ReferenceKind::ExtResource,
        _ => ReferenceKind::SubResource,
    };
    let uses = document.references().iter();
    let uses = uses.filter(|found| found.kind == wanted && *document.target(found) == *id);
    places.extend(uses.map(|found| within_quotes(document, found.target)));
    places
}

/// A span without the quotes at its ends.
pub(crate) fn within_quotes(document: &Document<'_>, span: Span) -> Span {
    let source = span.of(document.text());
    match source {
        [b'"', .., b'"'] => Span::new(span.start + 1, span.end - 1),
        [b'&', b'"', .., b'"'] => Span::new(span.start + 2, span.end - 1),
        _ => span,
    }
}

/// The script of a node, or the one that it extends, which declares a member.
pub(crate) fn declaring_script(
    project: &Project,
    scene: &str,
    node: &str,
    kind: MemberKind,
    name: &str,
) -> Option<FileId> {
    let file = project.file(scene)?;
    let root = NodeInTree::root(project, project.tree(file)?);
    let place = root.find(project, node).place()?;
    let first = place.node().script(project).ok()??;
    scripts_from(project, first).find(|file| {
        project.scripts().script(*file).is_some_and(|script| match kind {
            MemberKind::Property => script.variable(name).is_some(),
            MemberKind::Method => script.function(name).is_some(),
            MemberKind::Signal => script.signal(name).is_some(),
        })
    })
}

/// A script and those that it extends, as far as they are files.
pub(crate) fn scripts_from(project: &Project, first: FileId) -> impl Iterator<Item = FileId> {
    // Scripts that extend each other in a circle have an end, too.
    const MAX_DEPTH: usize = 64;
    std::iter::successors(Some(first), |script| base_of(project, *script)).take(MAX_DEPTH)
}

fn base_of(project: &Project, script: FileId) -> Option<FileId> {
    match &project.scripts().script(script)?.base {
        godot_project::Base::Class(name) => project.scripts().class(name),
        godot_project::Base::Path(path, _) => match project.resolve(project.path(script), path) {
            godot_project::ResolvedPath::File(file) => Some(file),
            _ => None,
        },
        godot_project::Base::Unset => None,
    }
}
