//! The resources of a text: found, shared, added, and no more used.

use godot_project::res_path::{LOADER_BASE, extension_of};
use godot_project::settings::lossy;
use godot_project::{FileId, Project, ResolvedPath, resolve_path};
use godot_tscn::{PartKind, SectionId, TagKind, ValueTree, quoted_raw};

use crate::edit::error::EditErrorKind;
use crate::edit::scene::{ResourceRef, SceneEdit, references};

impl SceneEdit {
    /// The `ext_resource` of a file, which is added if it is missing. Returns its id.
    ///
    /// # Errors
    /// When there is no such file, or it is the scene itself.
    pub(super) fn load(&mut self, project: &Project, path: &str) -> Result<String, EditErrorKind> {
        let file = found_file(project, &self.path, path)?;
        let path = project.path(file).to_owned();
        if path == self.path {
            let reason = format!("`{path}` cannot contain itself");
            return Err(EditErrorKind::Refused(reason));
        }
        if let Some(known) = self.id_of(project, &path) {
            return Ok(known);
        }
        let class = saved_class(project, file)?;
        let id = self.placeholder();
        let exts = self
            .document
            .sections()
            .filter(|section| matches!(self.document.kind(*section), TagKind::ExtResource));
        let behind = exts.last().unwrap_or_else(|| self.header());
        let section = self.document.insert("ext_resource", Some(behind));
        self.document.set_field(section, "type", quoted_raw(&class));
        if let Some(uid) = project.uid(file).filter(|_| !self.document.is_godot_3()) {
            self.document.set_field(section, "uid", quoted_raw(&uid.to_string()));
        }
        self.document.set_field(section, "path", quoted_raw(&path));
        self.document.set_field(section, "id", quoted_raw(&id));
        self.exts.insert(id.clone(), section);
        self.ids_by_path.get_or_insert_default().insert(path, id.clone());
        self.added.push(ResourceRef::External(id.clone()));
        Ok(id)
    }

    /// The id of the `ext_resource` that leads to a file.
    fn id_of(&mut self, project: &Project, path: &str) -> Option<String> {
        if self.ids_by_path.is_none() {
            let ids = self.exts.keys().filter_map(|id| {
                let file = self.file_of(project, id)?;
                Some((project.path(file).to_owned(), id.clone()))
            });
            self.ids_by_path = Some(ids.collect());
        }
        let id = self.ids_by_path.as_ref()?.get(path)?;
        self.exts.contains_key(id).then(|| id.clone())
    }

    /// A new `sub_resource` of a class. Something has to use it before all is done.
    pub(super) fn add_sub(&mut self, class: &str) -> (String, SectionId) {
        let id = self.placeholder();
        let is_before = |section: &SectionId| {
            matches!(
                self.document.kind(*section),
                TagKind::GdScene
                    | TagKind::GdResource
                    | TagKind::ExtResource
                    | TagKind::SubResource
            )
        };
        let behind = self.document.sections().filter(is_before).last();
        let section = self.document.insert("sub_resource", behind);
        self.document.set_field(section, "type", quoted_raw(class));
        self.document.set_field(section, "id", quoted_raw(&id));
        self.subs.insert(id.clone(), section);
        self.added.push(ResourceRef::Sub(id.clone()));
        (id, section)
    }

    /// Notes that a value comes in the place of another.
    pub(super) fn count(&mut self, old: Option<&str>, new: Option<&str>) {
        self.holds_node_paths |= new.is_some_and(|new| new.contains("NodePath"));
        for resource in new.map(|new| references(new.as_bytes())).into_iter().flatten() {
            *self.uses.entry(resource).or_default() += 1;
        }
        for resource in old.map(|old| references(old.as_bytes())).into_iter().flatten() {
            if let Some(count) = self.uses.get_mut(&resource) {
                *count -= 1;
            }
            self.left.push(resource);
        }
    }

    /// Whether all resources that a value names are in the text.
    ///
    /// # Errors
    /// With the first that is not.
    pub(super) fn check_references(&self, value: &str) -> Result<(), EditErrorKind> {
        for resource in references(value.as_bytes()) {
            let (list, tag, id) = match &resource {
                ResourceRef::External(id) => (&self.exts, "ext_resource", id),
                ResourceRef::Sub(id) => (&self.subs, "sub_resource", id),
            };
            if !list.contains_key(id) {
                let near = godot_tscn::nearest(id.as_bytes(), list.keys().map(String::as_bytes));
                let near = near.map(String::from_utf8_lossy);
                let what = format!("the {tag} `{id}`");
                return Err(EditErrorKind::not_found(what, near.as_deref()));
            }
        }
        Ok(())
    }

    /// Whether the files are there that a value loads by their paths: for one that is not, Godot refuses the whole file.
    ///
    /// # Errors
    /// With the first that is missing.
    pub(super) fn check_loads(project: &Project, value: &str) -> Result<(), EditErrorKind> {
        if !value.contains("Resource") {
            return Ok(());
        }
        let tree = ValueTree::new(value.as_bytes());
        let loads = tree.parts().filter(|part| {
            matches!(part.kind(), PartKind::Construct) && part.name() == b"Resource"
        });
        for load in loads {
            // A path, with a uid before or behind it: one of them is enough.
            let paths: Vec<String> =
                load.children().filter_map(|part| Some(lossy(&part.text()?))).collect();
            let is_missing = |path: &String| {
                path.is_empty()
                    || matches!(project.resolve(LOADER_BASE, path), ResolvedPath::Missing(_))
            };
            if let Some(path) = paths.first().filter(|_| paths.iter().all(is_missing)) {
                found_file(project, LOADER_BASE, path)?;
            }
        }
        Ok(())
    }

    /// An id that no file has. It is replaced when all is done.
    fn placeholder(&self) -> String {
        format!("\u{1}{}", self.added.len())
    }
}

/// The prefix of temporary ids of resources.
pub(super) const PLACEHOLDER: char = '\u{1}';

/// The file that a path leads to, as seen from `base`.
///
/// # Errors
/// When the resource is missing, with the probable intended one.
pub(super) fn found_file(
    project: &Project,
    base: &str,
    path: &str,
) -> Result<FileId, EditErrorKind> {
    match project.resolve(base, path) {
        ResolvedPath::File(file) => Ok(file),
        _ => {
            let absolute = resolve_path(base, path).unwrap_or_else(|| path.to_owned());
            let near = project.nearest_path(&absolute);
            Err(EditErrorKind::not_found(format!("the file `{path}`"), near))
        }
    }
}

/// The class of a file in `ext_resource` tags (`Resource::get_save_class`).
fn saved_class(project: &Project, file: FileId) -> Result<String, EditErrorKind> {
    let path = project.path(file);
    let known = project.resource_type(file);
    let class = match (known, &*extension_of(path)) {
        (_, "tscn" | "scn" | "escn") => "PackedScene",
        (_, "gd" | "cs") => "Script",
        (_, "gdshader") => "Shader",
        (_, "gdshaderinc") => "ShaderInclude",
        (Some(class), _) => class,
        (None, "json") => "JSON",
        (None, _) => {
            let reason = format!(
                "the type of `{path}` is unknown because Godot has not imported it; open the project in Godot once"
            );
            return Err(EditErrorKind::Refused(reason));
        }
    };
    let classes = project.classes();
    let saved = classes.lineage(class).find(|base| SAVED_AS.contains(&base.name()));
    Ok(saved.map_or(class, |base| base.name()).to_owned())
}

/// The classes with heirs that are all saved under their name, so that one can replace another (`OBJ_SAVE_TYPE` in the
/// sources of Godot 4.6.3).
const SAVED_AS: &[&str] = &[
    "AudioStream",
    "BitMap",
    "FastNoiseLite",
    "Gradient",
    "Material",
    "PhysicsMaterial",
    "RichTextEffect",
    "SceneReplicationConfig",
    "Script",
    "Shader",
    "ShaderInclude",
    "Shape2D",
    "Shape3D",
    "StyleBox",
    "Texture2D",
    "Translation",
    "VideoStream",
];
