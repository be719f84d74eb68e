//! `new`

use godot_project::res_path::extension_of;
use godot_project::settings::lossy;
use godot_project::{FileId, NodeInTree, Project};
use godot_tscn::{SectionId, TagKind, quoted_name, quoted_raw};
use indexmap::IndexMap;

use crate::edit::Outcome;
use crate::edit::error::EditErrorKind;
use crate::edit::nodes::Nodes;
use crate::edit::operation::ValueSpec;
use crate::edit::properties::Holder;
use crate::edit::resources::found_file;
use crate::edit::scene::SceneEdit;
use crate::edit::session::Session;
use crate::edit::tree::check_no_circle;
use crate::ids::{FreshNodeIds, FreshUids};
use crate::names::check_node_name;
use crate::new_path::NewPath;

impl Session<'_> {
    /// `new`
    pub(super) fn create(
        &mut self,
        path: &str,
        class: Option<&str>,
        inherits: Option<&str>,
        name: Option<&str>,
        properties: &IndexMap<String, ValueSpec>,
    ) -> Result<Outcome, EditErrorKind> {
        if self.scene_mut(path).is_some() || self.project().file(path).is_some() {
            return Err(EditErrorKind::Refused("it already exists".to_owned()));
        }
        NewPath { project: self.project(), path, old: None }.check()?;
        let scene = match &*extension_of(path) {
            "tscn" => new_scene(self.project(), path, class, inherits, name, properties)?,
            "tres" => {
                if inherits.is_some() || name.is_some() {
                    let reason = "a resource has no `inherits` and no `name`".to_owned();
                    return Err(EditErrorKind::Refused(reason));
                }
                new_resource(self.project(), path, class, properties)?
            }
            _ => {
                let reason = "expected a scene (.tscn) or a resource (.tres); create scripts and other text files in a text editor".to_owned();
                return Err(EditErrorKind::Refused(reason));
            }
        };
        self.add_file(path, scene);
        let what = match (class, inherits) {
            (Some(class), _) => format!("made `{path}` ({class})"),
            (None, Some(inherits)) => format!("made `{path}`, which inherits `{inherits}`"),
            (None, None) => format!("made `{path}`"),
        };
        Ok(Outcome { file: path.to_owned(), what, ..Outcome::default() })
    }
}

fn new_scene(
    project: &Project,
    path: &str,
    class: Option<&str>,
    inherits: Option<&str>,
    name: Option<&str>,
    properties: &IndexMap<String, ValueSpec>,
) -> Result<SceneEdit, EditErrorKind> {
    let mut scene = empty(project, path, "[gd_scene format=3]\n")?;
    let root = scene.document.insert("node", Some(scene.header()));
    let file_name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".tscn");
    let name = name.map_or_else(|| pascal_case(file_name), str::to_owned);
    check_node_name(&name)?;
    scene.document.set_field(root, "name", quoted_name(&name));
    let script = match (class, inherits) {
        (Some(class), None) => {
            let (native, script) = SceneEdit::known_class_of(project, class, "Node")?;
            scene.document.set_field(root, "type", quoted_raw(&native));
            script
        }
        (None, Some(base)) => {
            let file = found_file(project, path, base)?;
            if project.facts(file).scene.is_none() && project.import(file).is_none() {
                return Err(EditErrorKind::Refused(format!("`{base}` is not a scene")));
            }
            check_no_circle(project, file)?;
            let id = scene.load(project, base)?;
            let text = format!("ExtResource(\"{id}\")");
            scene.document.set_field(root, "instance", text.as_str());
            scene.count(None, Some(&text));
            inherited_editables(project, file, &mut scene);
            None
        }
        _ => {
            let reason =
                "give either `type`, the class of the root, or `inherits`, the scene to inherit"
                    .to_owned();
            return Err(EditErrorKind::Refused(reason));
        }
    };
    if scene.version(project) >= godot_tscn::GodotVersion::godot4(6) {
        let base = inherits.and_then(|base| found_file(project, path, base).ok());
        let tree = base.and_then(|base| project.tree(base));
        let id = tree.and_then(|tree| NodeInTree::root(project, tree).node().unique_id());
        let id = id.unwrap_or_else(|| FreshNodeIds::new(path, []).id());
        scene.document.set_field(root, "unique_id", id.to_string());
    }
    scene.nodes = Nodes::new(&scene.document);
    if let Some(script) = script {
        scene.attach(project, ".", &script)?;
    }
    scene.sync_layout(project, ".", None)?;
    scene.set_all(project, &Holder::Node(".".to_owned()), properties)?;
    Ok(scene)
}

/// Godot writes the editable instances of the base once more.
fn inherited_editables(project: &Project, base: FileId, scene: &mut SceneEdit) {
    let Ok(text) = project.read(base) else { return };
    for section in godot_tscn::parse(&text).sections() {
        let path = section.field("path").and_then(godot_tscn::Field::text);
        if let Some(path) = path.filter(|_| section.kind() == TagKind::Editable) {
            let path = lossy(&path);
            let last = scene.document.sections().last();
            let tag = scene.document.insert("editable", last);
            scene.document.set_field(tag, "path", quoted_name(&path));
            scene.editables.insert(path);
        }
    }
}

fn new_resource(
    project: &Project,
    path: &str,
    class: Option<&str>,
    properties: &IndexMap<String, ValueSpec>,
) -> Result<SceneEdit, EditErrorKind> {
    let class = class.ok_or_else(|| {
        EditErrorKind::Refused("`type` is missing: the class of the resource".to_owned())
    })?;
    let (native, script) = SceneEdit::known_class_of(project, class, "Resource")?;
    let header = match &script {
        Some(_) => format!("[gd_resource type=\"{native}\" script_class=\"{class}\" format=3]\n"),
        None => format!("[gd_resource type=\"{native}\" format=3]\n"),
    };
    let mut scene = empty(project, path, &header)?;
    let resource: SectionId = scene.document.insert("resource", Some(scene.header()));
    debug_assert_eq!(scene.document.kind(resource), TagKind::Resource);
    if let Some(script) = script {
        let id = scene.load(project, &script)?;
        let text = format!("ExtResource(\"{id}\")");
        scene.document.set_property(resource, "script", text.as_str(), 0);
        scene.count(None, Some(&text));
    }
    scene.set_all(project, &Holder::Section(resource), properties)?;
    Ok(scene)
}

/// A file with a header that has a uid.
fn empty(project: &Project, path: &str, header: &str) -> Result<SceneEdit, EditErrorKind> {
    let mut scene = SceneEdit::new(path, header.as_bytes().into(), None)?;
    let uid = FreshUids::new(project).of_file(path, header.as_bytes());
    let header = scene.header();
    scene.document.set_field(header, "uid", quoted_raw(&uid.to_string()));
    Ok(scene)
}

/// The name that Godot's editor gives to the root of a new scene: `boss_level` becomes `BossLevel`.
fn pascal_case(name: &str) -> String {
    let mut pascal = String::with_capacity(name.len());
    let mut is_start = true;
    for letter in name.chars() {
        if letter.is_alphanumeric() {
            if is_start {
                pascal.extend(letter.to_uppercase());
            } else {
                pascal.push(letter);
            }
            is_start = false;
        } else {
            is_start = true;
        }
    }
    if pascal.is_empty() { "Node".to_owned() } else { pascal }
}
