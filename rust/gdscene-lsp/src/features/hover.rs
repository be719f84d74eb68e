//! The information on the thing at a place.

use std::fmt::Write as _;

use gdscene_lint::Workspace;
use godot_project::{FileId, ObjectPath, Project, PropertyPath};
use godot_tscn::{Document, Section, TagKind};
use ls_types::request::HoverRequest;
use ls_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};

use crate::at::{self, At, Subject};
use crate::declared::{self, MemberKind, declaring};
use crate::features::{Answer, links};
use crate::objects::Object;
use crate::snapshot::{Failure, File, Snapshot};
use crate::{documentation, findings, names};

impl Answer for HoverRequest {
    fn answer(snapshot: &Snapshot, params: HoverParams) -> Result<Option<Hover>, Failure> {
        let params = params.text_document_position_params;
        let file = snapshot.file(&params.text_document.uri)?;
        if findings::is_own_config(&file.path) {
            return Ok(None);
        }
        let offset = file.text.offset(params.position);
        let document = file.is_scene().then(|| godot_tscn::parse(file.text.bytes()));
        let at = document.as_ref().and_then(|document| at::at(document, offset));
        let mut span = at.as_ref().map(|at| at.span);
        let text = file.project.look_at_all(|workspace| {
            let mut texts = Vec::new();
            if let (Some(at), Some(document)) = (&at, &document) {
                let describer = Describer { snapshot, file: &file, document, workspace };
                texts.extend(describer.describe(at));
            }
            let project = workspace.project();
            let name =
                project.and_then(|project| names::at(project, &file, document.as_ref(), offset));
            if let (Some(project), Some(name)) = (project, name) {
                span.get_or_insert(name.span);
                texts.push(names::description(project, &name));
            }
            let found = workspace.diagnostics(&file.path, file.text.bytes());
            let here = |found: &&godot_tscn::Diagnostic| {
                found.span.start <= offset && offset <= found.span.end
            };
            for found in found.iter().filter(here) {
                span.get_or_insert(found.span);
                texts.extend(rule_page(workspace, found.code));
            }
            texts
        });
        if text.is_empty() {
            return Ok(None);
        }
        let kind = match snapshot.client.features.shows_markdown {
            true => MarkupKind::Markdown,
            false => MarkupKind::PlainText,
        };
        let value = text.join("\n\n---\n\n");
        let contents = HoverContents::Markup(MarkupContent { kind, value });
        Ok(Some(Hover { contents, range: span.map(|span| file.text.range(span)) }))
    }
}

/// The documentation of a rule.
fn rule_page(workspace: &Workspace, code: &str) -> Option<String> {
    let config = workspace.config();
    let rule = config.known_rules().find(|rule| rule.code == code)?;
    Some(format!("**{} {}**\n\n{}", rule.code, rule.name, rule.markdown()))
}

struct Describer<'f> {
    snapshot: &'f Snapshot,
    file: &'f File,
    document: &'f Document<'f>,
    workspace: &'f Workspace,
}

impl Describer<'_> {
    fn describe(&self, at: &At<'_>) -> Option<String> {
        let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match &at.subject {
            Subject::ExtResource(id) => {
                let section = at::resource(self.document, TagKind::ExtResource, id)?;
                let class = at::text(section, "type").unwrap_or_default();
                let path = at::text(section, "uid").and_then(|uid| self.target(&uid));
                let path = path.or_else(|| at::text(section, "path"))?;
                Some(format!("`{class}`\n\n{}", self.described_file(&path)))
            }
            Subject::SubResource(id) => {
                let section = at::resource(self.document, TagKind::SubResource, id)?;
                Some(self.described_resource(section))
            }
            Subject::File(path) => Some(self.described_file(&lossy(path))),
            Subject::Class(name) => self.described_class(&lossy(name)),
            Subject::Property(name) => self.described_property(at.section, &lossy(name)),
            Subject::Signal(name) => {
                let from = at::text(at.section, "from")?;
                self.described_signal(&from, &lossy(name))
            }
            Subject::Method(name) => {
                let (to, name) = (self.node(&at::text(at.section, "to")?)?, lossy(name));
                let text = self.documented_in_script(&to, MemberKind::Method, &name)?;
                Some(format!("`{name}`{text}"))
            }
            Subject::NodeName => {
                let path = at::node_path(at.section)?;
                self.described_node(&path).or_else(|| Some(format!("node `{path}`")))
            }
            Subject::PathFromRoot(path) => self.described_node(&lossy(path)),
            Subject::PathFromNode(path) => {
                let from = at::node_path(at.section)?;
                self.described_node(&at::from_root(&from, &lossy(path))?)
            }
        }
    }

    fn target(&self, path: &str) -> Option<String> {
        let project = self.workspace.project()?;
        links::target(project, &self.file.path, path).map(str::to_owned)
    }

    /// The kind and the size of a file.
    fn described_file(&self, path: &str) -> String {
        let Some(project) = self.workspace.project() else { return format!("`{path}`") };
        let Some(file) =
            links::target(project, &self.file.path, path).and_then(|path| project.file(path))
        else {
            return format!("`{path}`: file not found");
        };
        let mut text = format!("`{}`", project.path(file));
        let size = project.size(file);
        let _ = match size {
            0..1024 => write!(text, ", {size} bytes"),
            _ => write!(text, ", {} KiB", size / 1024),
        };
        if let Some(class) = project.resource_type(file) {
            let _ = write!(text, ", `{class}`");
        }
        if let Some((width, height)) = image_size(project, file) {
            let _ = write!(text, ", {width} × {height} pixels");
        }
        if let Some(uid) = project.uid(file) {
            let _ = write!(text, "\n\n`{uid}`");
        }
        text + &paragraph(self.script_documentation(project.path(file)).as_deref())
    }

    /// The documentation in a script.
    fn script_documentation(&self, path: &str) -> Option<String> {
        if !path.ends_with(".gd") {
            return None;
        }
        let (_, text) = self.snapshot.text_at(&self.file.project, path)?;
        declared::script_documentation(text.bytes())
    }

    /// The node at a path from the root.
    fn node(&self, path: &str) -> Option<Object> {
        Some(Object::node(self.workspace.project()?, &self.file.path, path))
    }

    /// The script that declares a member of an object, and its documentation of it.
    fn documented_in_script(
        &self,
        object: &Object,
        kind: MemberKind,
        name: &str,
    ) -> Option<String> {
        let project = self.workspace.project()?;
        let script = declaring(project, object.script, kind, name)?;
        let path = project.path(script);
        let (_, text) = self.snapshot.text_at(&self.file.project, path)?;
        let said = paragraph(declared::member_documentation(text.bytes(), kind, name).as_deref());
        Some(format!("\n\ndeclared by `{path}`{said}"))
    }

    fn described_signal(&self, node: &str, name: &str) -> Option<String> {
        let object = self.node(node)?;
        if let Some(text) = self.documented_in_script(&object, MemberKind::Signal, name) {
            return Some(format!("`{name}`{text}"));
        }
        let project = self.workspace.project()?;
        let class = object.class?;
        let declares =
            |class: &godot_project::Class<'_>| class.signal_names().any(|found| found == name);
        let declaring = project.classes().lineage(&class).find(declares)?;
        let said = self.said_of_member(declaring.name(), name);
        Some(format!("`{name}`\n\ndeclared by `{}`{said}", declaring.name()))
    }

    /// The text of the class reference, if it is for the project's Godot.
    fn said_of_member(&self, class: &str, name: &str) -> String {
        paragraph(documentation::of_member(class, name).filter(|_| self.is_documented()))
    }

    fn is_documented(&self) -> bool {
        let version = self.workspace.project().and_then(|project| project.settings().version);
        version.is_none_or(|version| version.major >= 4)
    }

    fn described_resource(&self, section: Section<'_>) -> String {
        let class = at::text(section, "type").unwrap_or_default();
        let mut shown = format!("```\n[sub_resource type=\"{class}\"]\n");
        for property in section.properties().take(12) {
            let source = String::from_utf8_lossy(property.source());
            let short: String = source.chars().take(80).collect();
            let more = if short.len() < source.len() { "…" } else { "" };
            let _ = writeln!(shown, "{} = {short}{more}", String::from_utf8_lossy(&property.key()));
        }
        shown.push_str("```");
        shown
    }

    /// The base and the purpose of a class; for a class of a script, the place of its declaration.
    fn described_class(&self, name: &str) -> Option<String> {
        let project = self.workspace.project()?;
        if let Some(file) = project.scripts().class(name) {
            let path = project.path(file);
            let said = paragraph(self.script_documentation(path).as_deref());
            return Some(format!("class `{name}` of `{path}`{said}"));
        }
        let classes = project.classes();
        let class = classes.class(name)?;
        let lineage: Vec<String> =
            classes.lineage(name).map(|class| format!("`{}`", class.name())).collect();
        let mut text = lineage.join(" < ");
        if !class.is_instantiable() {
            text.push_str("\n\nGodot cannot create an object of it.");
        }
        text += &paragraph(documentation::of_class(name).filter(|_| self.is_documented()));
        Some(text)
    }

    /// Type, value and default of a property, and where they come from.
    fn described_property(&self, section: Section<'_>, name: &str) -> Option<String> {
        let project = self.workspace.project()?;
        let object = match section.kind() {
            TagKind::Node => ObjectPath::Node(at::node_path(section)?),
            TagKind::SubResource => ObjectPath::SubResource(at::text(section, "id")?),
            TagKind::Resource => ObjectPath::MainResource,
            _ => return None,
        };
        let path = PropertyPath { object, keys: vec![name.to_owned()] };
        let values = gdscene_refactor::get(project, &self.file.path, &path).ok()?;
        let found = values.properties.first()?;
        let mut text = format!("```gdscript\nvar {name}: {}\n```", found.type_name);
        if let Some(class) = values.class.as_deref() {
            text.push_str(&self.declared_by(project, class, name));
        }
        let object = Object::of(project, &self.file.path, self.document, section);
        let of_script = self.documented_in_script(&object, MemberKind::Property, name);
        text.push_str(&of_script.unwrap_or_default());
        Some(text)
    }

    fn described_node(&self, path: &str) -> Option<String> {
        let project = self.workspace.project()?;
        let file = project.file(&self.file.path)?;
        let root = godot_project::NodeInTree::root(project, project.tree(file)?);
        let Some(place) = root.find(project, path).place() else {
            return Some(format!("node `{path}`: not found, or unknown"));
        };
        let mut text = format!("node `{path}`");
        if let Some(class) = place.node().class() {
            let _ = write!(text, ": `{class}`");
        }
        if let Ok(Some(script)) = place.node().script(project) {
            let _ = write!(text, "\n\nscript `{}`", project.path(script));
        }
        Some(text)
    }

    /// The class that declares a property, its default, and its purpose.
    fn declared_by(&self, project: &Project, class: &str, name: &str) -> String {
        let classes = project.classes();
        let declares =
            |class: &godot_project::Class<'_>| class.property_names().any(|found| found == name);
        let mut text = String::new();
        let declaring = classes.lineage(class).find(declares);
        if let Some(declaring) = &declaring {
            let _ = write!(text, "\n\ndeclared by `{}`", declaring.name());
        }
        if let Some(default) = classes.default(class, name) {
            let _ = write!(text, ", default `{default}`");
        }
        if let Some(declaring) = &declaring {
            text.push_str(&self.said_of_member(declaring.name(), name));
        }
        text
    }
}

/// A text below others, if there is one.
fn paragraph(text: Option<&str>) -> String {
    text.map_or_else(String::new, |text| format!("\n\n{text}"))
}

/// Width and height of an image, from the head of its file.
fn image_size(project: &Project, file: FileId) -> Option<(usize, usize)> {
    const MAX_SIZE: u64 = 64 << 20;
    let extension = project.path(file).rsplit_once('.')?.1.to_ascii_lowercase();
    let is_image = ["bmp", "dds", "exr", "hdr", "jpeg", "jpg", "ktx", "png", "tga", "webp"]
        .contains(&extension.as_str());
    if !is_image || project.size(file) > MAX_SIZE {
        return None;
    }
    let size = imagesize::blob_size(&project.read(file).ok()?).ok()?;
    Some((size.width, size.height))
}
