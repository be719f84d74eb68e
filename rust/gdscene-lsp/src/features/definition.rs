//! Where something is declared.

use gdscene_lint::Workspace;
use godot_project::Project;
use godot_tscn::{Document, Section, TagKind};
use ls_types::request::GotoDefinition;
use ls_types::{GotoDefinitionParams, GotoDefinitionResponse, Location, Range};

use crate::at::{self, At, Subject};
use crate::declared::{self, MemberKind, declaring};
use crate::features::{Answer, links};
use crate::named::Named;
use crate::objects::Object;
use crate::snapshot::{Failure, File, Snapshot};
use crate::{names, uris};

impl Answer for GotoDefinition {
    fn answer(
        snapshot: &Snapshot,
        params: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>, Failure> {
        let params = params.text_document_position_params;
        let file = snapshot.file(&params.text_document.uri)?;
        let document = file.scene();
        let offset = file.text.offset(params.position);
        Ok(file.project.look_at_all(|workspace| {
            let project = workspace.project();
            let found = match &document {
                None => in_script(snapshot, &file, project?, offset),
                Some(document) => at::at(document, offset)
                    .and_then(|at| Finder { snapshot, file: &file, document, workspace }.find(&at)),
            };
            if let Some(found) = found {
                return Some(GotoDefinitionResponse::Scalar(found));
            }
            let project = project?;
            let name = names::at(project, &file, document.as_ref(), offset)?;
            let mut found = names::definitions(snapshot, &file, project, &name);
            match found.len() {
                0 => None,
                1 => found.pop().map(GotoDefinitionResponse::Scalar),
                _ => Some(GotoDefinitionResponse::Array(found)),
            }
        }))
    }
}

/// Where the member is declared that a script uses at a place.
fn in_script(snapshot: &Snapshot, file: &File, project: &Project, offset: u32) -> Option<Location> {
    let (Named::Member(kind, script, name), _) = Named::at(project, file, None, offset)? else {
        return None;
    };
    declaration(snapshot, file, &script, kind, name.as_bytes())
}

/// Where a script declares a member.
fn declaration(
    snapshot: &Snapshot,
    file: &File,
    script: &str,
    kind: MemberKind,
    name: &[u8],
) -> Option<Location> {
    let (uri, text) = snapshot.text_at(&file.project, script)?;
    let place = declared::place(text.bytes(), kind, name)?;
    Some(Location::new(uri, text.range(place)))
}

struct Finder<'f> {
    snapshot: &'f Snapshot,
    file: &'f File,
    document: &'f Document<'f>,
    workspace: &'f Workspace,
}

impl Finder<'_> {
    fn find(&self, at: &At<'_>) -> Option<Location> {
        match &at.subject {
            // From its declaration it goes on to the file.
            Subject::ExtResource(id) => {
                let section = at::resource(self.document, TagKind::ExtResource, id)?;
                match section.index() == at.section.index() {
                    true => self.in_file(section),
                    false => self.in_text(section),
                }
            }
            Subject::SubResource(id) => {
                self.in_text(at::resource(self.document, TagKind::SubResource, id)?)
            }
            Subject::File(path) => self.file(&String::from_utf8_lossy(path)),
            Subject::PathFromRoot(path) => self.node(&String::from_utf8_lossy(path)),
            Subject::PathFromNode(path) => {
                let from = at::node_path(at.section)?;
                self.node(&at::from_root(&from, &String::from_utf8_lossy(path))?)
            }
            Subject::Class(name) => {
                let project = self.project()?;
                let file = project.scripts().class(&String::from_utf8_lossy(name))?;
                self.start_of(project.path(file))
            }
            Subject::NodeName => self.instanced(at.section),
            Subject::Property(name) => {
                let object =
                    Object::of(self.project()?, &self.file.path, self.document, at.section);
                self.member(&object, MemberKind::Property, name)
            }
            Subject::Signal(name) => {
                self.member(&self.object("from", at)?, MemberKind::Signal, name)
            }
            Subject::Method(name) => self.member(&self.object("to", at)?, MemberKind::Method, name),
        }
    }

    /// The node that a field of a connection names.
    fn object(&self, field: &str, at: &At<'_>) -> Option<Object> {
        Some(Object::node(self.project()?, &self.file.path, &at::text(at.section, field)?))
    }

    fn project(&self) -> Option<&Project> {
        self.workspace.project()
    }

    fn in_text(&self, section: Section<'_>) -> Option<Location> {
        let range = self.file.text.range(section.tag_span());
        Some(Location::new(self.file.uri.clone(), range))
    }

    /// The file of an `ext_resource`, its uid first, as Godot looks for it.
    fn in_file(&self, section: Section<'_>) -> Option<Location> {
        let file = |name| self.file(&at::text(section, name)?);
        file("uid").or_else(|| file("path"))
    }

    fn file(&self, path: &str) -> Option<Location> {
        self.start_of(links::target(self.project()?, &self.file.path, path)?)
    }

    fn start_of(&self, path: &str) -> Option<Location> {
        let uri = uris::uri_in(self.workspace.root()?, path)?;
        Some(Location::new(uri, Range::default()))
    }

    /// The section of a node; of one that only an instanced scene has, that scene.
    fn node(&self, path: &str) -> Option<Location> {
        if let Some(section) = at::node(self.document, path) {
            return self.in_text(section);
        }
        let (parent, _) = path.rsplit_once('/')?;
        let mut parent = parent;
        loop {
            if let Some(section) = at::node(self.document, parent) {
                return self.instanced(section);
            }
            (parent, _) = parent.rsplit_once('/')?;
        }
    }

    /// The scene that a node is an instance of.
    fn instanced(&self, section: Section<'_>) -> Option<Location> {
        let field = section.field("instance")?;
        let reference = section.reference_in(field.value_span())?;
        let id = self.document.target(reference);
        self.in_file(at::resource(self.document, TagKind::ExtResource, &id)?)
    }

    /// Where the script of an object, or one that it extends, declares a member.
    fn member(&self, object: &Object, kind: MemberKind, name: &[u8]) -> Option<Location> {
        let project = self.project()?;
        let named = String::from_utf8_lossy(name);
        let script = declaring(project, object.script, kind, &named)?;
        declaration(self.snapshot, self.file, project.path(script), kind, name)
    }
}
