//! What the object of a section is: its class and its script.

use godot_project::{FileId, NodeInTree, Project, Variable};
use godot_tscn::{Document, Section, TagKind};

use crate::at;
use crate::named::scripts_from;

/// What a node or resource is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Object {
    /// Its class, one of Godot's.
    pub(crate) class: Option<String>,
    /// Its script, if that is a file.
    pub(crate) script: Option<FileId>,
}

/// A property that an object has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) type_name: String,
    /// Godot's text of the value that it has when nothing is said.
    pub(crate) default: Option<String>,
    /// The class or script that declares it.
    pub(crate) declared_by: String,
}

impl Object {
    /// The object of a section in the file at `path`.
    pub(crate) fn of(
        project: &Project,
        path: &str,
        document: &Document<'_>,
        section: Section<'_>,
    ) -> Self {
        let class = at::text(section, "type");
        match section.kind() {
            TagKind::Node => {
                let node = at::node_path(section).map(|node| Self::node(project, path, &node));
                let node = node.unwrap_or_default();
                Self { class: class.or(node.class), ..node }
            }
            TagKind::Resource => {
                let header = document.sections().next();
                let class = header.and_then(|header| at::text(header, "type"));
                Self { class, script: script_in(project, path, document, section) }
            }
            TagKind::SubResource => {
                Self { class, script: script_in(project, path, document, section) }
            }
            _ => Self::default(),
        }
    }

    /// The node at a path from the root of the scene at `path`, those of instanced scenes too.
    pub(crate) fn node(project: &Project, path: &str, node: &str) -> Self {
        let found = project.file(path).and_then(|file| {
            let root = NodeInTree::root(project, project.tree(file)?);
            let place = root.find(project, node).place()?;
            let node = place.node();
            let class = node.class().map(str::to_owned);
            Some(Self { class, script: node.script(project).ok().flatten() })
        });
        found.unwrap_or_default()
    }

    /// Its properties that a file may hold: those of scripts first.
    pub(crate) fn members(&self, project: &Project) -> Vec<Member> {
        let mut members = Vec::new();
        for script in self.scripts(project) {
            let Some(declared) = project.scripts().script(script) else { continue };
            let exported = declared.variables.iter().filter(|variable| variable.is_exported);
            members.extend(exported.map(|variable| of_variable(variable, project.path(script))));
        }
        let classes = project.classes();
        let class = self.class.as_deref().unwrap_or("");
        for declaring in classes.lineage(class) {
            for name in declaring.property_names() {
                let Some(property) = declaring.property(name).filter(|found| found.is_stored())
                else {
                    continue;
                };
                members.push(Member {
                    name: name.to_owned(),
                    type_name: property.type_name().to_owned(),
                    default: classes.default(class, name).map(str::to_owned),
                    declared_by: declaring.name().to_owned(),
                });
            }
        }
        members
    }

    /// Its script, and those that it extends.
    pub(crate) fn scripts(&self, project: &Project) -> impl Iterator<Item = FileId> {
        self.script.into_iter().flat_map(|script| scripts_from(project, script))
    }
}

fn of_variable(variable: &Variable, script: &str) -> Member {
    Member {
        name: variable.name.clone(),
        type_name: variable.type_name.clone().unwrap_or_else(|| "Variant".to_owned()),
        default: variable.value.clone(),
        declared_by: script.to_owned(),
    }
}

/// The file that the property `script` of a section leads to.
fn script_in(
    project: &Project,
    path: &str,
    document: &Document<'_>,
    section: Section<'_>,
) -> Option<FileId> {
    let property = section.properties().find(|property| *property.key() == *b"script")?;
    let reference = section.reference_in(property.value_span())?;
    let resource = at::resource(document, TagKind::ExtResource, &document.target(reference))?;
    let target = at::text(resource, "path")?;
    match project.resolve(path, &target) {
        godot_project::ResolvedPath::File(file) => Some(file),
        _ => None,
    }
}
