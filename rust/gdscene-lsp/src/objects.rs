//! The object of a section: its class and its script.

use godot_project::{FileId, NodeInTree, Project, PropertyInfo, Shader, ValueType, Variable};
use godot_tscn::{Document, Section, TagKind};

use crate::at;

/// A node or resource.
#[derive(Clone, Debug, Default)]
pub(crate) struct Object {
    /// Its class, one of Godot's.
    pub(crate) class: Option<String>,
    /// Its script, if that is a file.
    pub(crate) script: Option<FileId>,
    /// Its shader, if it is a material and the shader is a file.
    shader: Option<FileId>,
}

/// A property that an object has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) holds: ValueType,
    /// The default, as Godot writes it.
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
        let file = |key| file_in(project, path, document, section, key);
        match section.kind() {
            TagKind::Node => {
                let node = at::node_path(section).map(|node| Self::node(project, path, &node));
                let node = node.unwrap_or_default();
                Self { class: class.or(node.class), ..node }
            }
            TagKind::Resource => {
                let header = document.sections().next();
                let class = header.and_then(|header| at::text(header, "type"));
                Self { class, script: file("script"), shader: file("shader") }
            }
            TagKind::SubResource => Self { class, script: file("script"), shader: file("shader") },
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
            Some(Self { class, script: node.script(project).ok().flatten(), shader: None })
        });
        found.unwrap_or_default()
    }

    /// Its properties that a file may hold: those of scripts and shaders first.
    pub(crate) fn members(&self, project: &Project) -> Vec<Member> {
        let mut members = self.variables(project);
        members.extend(self.shader_parameters(project));
        let classes = project.classes();
        let class = self.class.as_deref().unwrap_or("");
        for declaring in classes.lineage(class) {
            let stored = declaring
                .property_names()
                .filter(|name| declaring.property(name).is_some_and(PropertyInfo::is_stored));
            members.extend(
                stored.filter_map(|name| self.native_member(project, name, declaring.name())),
            );
        }
        members
    }

    /// The property with a key, those of elements (`bones/0/name`) included.
    pub(crate) fn member(&self, project: &Project, key: &str) -> Option<Member> {
        let own = self.variables(project).into_iter().chain(self.shader_parameters(project));
        let found = own.into_iter().find(|member| member.name == key);
        found.or_else(|| self.native_member(project, key, self.class.as_deref()?))
    }

    fn native_member(&self, project: &Project, key: &str, declared_by: &str) -> Option<Member> {
        let (classes, class) = (project.classes(), self.class.as_deref()?);
        Some(Member {
            name: key.to_owned(),
            holds: ValueType::of_native_property(classes, class, key)?,
            default: classes.default(class, key).map(str::to_owned),
            declared_by: declared_by.to_owned(),
        })
    }

    /// The exported variables of its script and of the base scripts.
    fn variables(&self, project: &Project) -> Vec<Member> {
        let Some(script) = self.script else { return Vec::new() };
        let chain = project.scripts().chain(project, script);
        let mut members = Vec::new();
        for file in self.scripts(project) {
            let Some(declared) = project.scripts().script(file) else { continue };
            let exported = declared.variables.iter().filter(|variable| variable.is_exported);
            members.extend(exported.map(|variable: &Variable| Member {
                name: variable.name.clone(),
                holds: ValueType::of_variable(project, &chain, variable),
                default: variable.value.clone(),
                declared_by: project.path(file).to_owned(),
            }));
        }
        members
    }

    /// The parameters of its shader, if that is a file.
    fn shader_parameters(&self, project: &Project) -> Vec<Member> {
        let Some(file) = self.shader else { return Vec::new() };
        let Some(shader) = Shader::in_file(project, file) else { return Vec::new() };
        let uniforms = shader.uniforms.into_iter().filter(|uniform| uniform.is_of_material);
        let member = |uniform: godot_project::Uniform| Member {
            name: format!("shader_parameter/{}", uniform.name),
            holds: uniform.holds,
            default: None,
            declared_by: project.path(file).to_owned(),
        };
        uniforms.map(member).collect()
    }

    /// Its script and the base scripts.
    pub(crate) fn scripts(&self, project: &Project) -> Vec<FileId> {
        self.script
            .map_or_else(Vec::new, |script| project.scripts().files_of_chain(project, script))
    }
}

/// The file that a property of a section names.
fn file_in(
    project: &Project,
    path: &str,
    document: &Document<'_>,
    section: Section<'_>,
    key: &str,
) -> Option<FileId> {
    let property = section.properties().find(|property| *property.key() == *key.as_bytes())?;
    let reference = section.reference_in(property.value_span())?;
    let resource = at::resource(document, TagKind::ExtResource, &document.target(reference))?;
    let target = at::text(resource, "path")?;
    match project.resolve(path, &target) {
        godot_project::ResolvedPath::File(file) => Some(file),
        _ => None,
    }
}
