//! The kind of a file, by its name.

use std::fmt;

use crate::project::{FileId, Project};
use crate::res_path::FactsKind;
use crate::res_path::{extension_of, folder_of};

/// The kinds of files of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileKind {
    /// A scene: `.tscn`, `.scn`, `.escn`.
    Scene,
    /// A resource: `.tres`, `.res` and the like.
    Resource,
    /// A script.
    Script,
    /// A shader, or a part of one.
    Shader,
    /// A texture.
    Image,
    /// A sound, or a video.
    Sound,
    /// A 3D scene that Godot imports, or a part of one.
    Model,
    /// A font.
    Font,
    /// Anything else that Godot imports.
    Imported,
    /// A `.import` or `.uid` file without a file next to it.
    LeftOver,
}

impl FileKind {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Scene,
        Self::Resource,
        Self::Script,
        Self::Shader,
        Self::Image,
        Self::Sound,
        Self::Model,
        Self::Font,
        Self::Imported,
        Self::LeftOver,
    ];

    /// Its name, for people and programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scene => "scene",
            Self::Resource => "resource",
            Self::Script => "script",
            Self::Shader => "shader",
            Self::Image => "image",
            Self::Sound => "sound",
            Self::Model => "model",
            Self::Font => "font",
            Self::Imported => "imported",
            Self::LeftOver => "left-over",
        }
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The kind of a file; nothing for one that is not judged: data that scripts read, texts for people, companion files.
pub(super) fn kind_of(project: &Project, file: FileId) -> Option<FileKind> {
    let path = project.path(file);
    if let FactsKind::Import | FactsKind::Uid = FactsKind::of(path) {
        let beside = path.rsplit_once('.').map_or(path, |(beside, _)| beside);
        let is_there = project.file(beside).is_some() || project.source().exists(beside);
        return (!is_there).then_some(FileKind::LeftOver);
    }
    // Godot loads it as it is, so a script reads it.
    let importer = project.import(file).and_then(|import| import.importer.as_deref());
    if matches!(importer, Some("keep" | "skip")) {
        return None;
    }
    let extension = extension_of(path);
    let kind = match &*extension {
        "tscn" | "scn" | "escn" => FileKind::Scene,
        "tres" | "res" | "material" | "mesh" | "anim" | "theme" | "stylebox" | "multimesh"
        | "phymat" | "occ" | "lmbake" | "meshlib" | "tex" | "translation" | "curve" | "shape"
        | "world" | "sample" => FileKind::Resource,
        "gd" | "cs" | "gdns" | "vs" => FileKind::Script,
        "gdshader" | "gdshaderinc" | "shader" | "glsl" => FileKind::Shader,
        "png" | "jpg" | "jpeg" | "webp" | "svg" | "svgz" | "bmp" | "tga" | "exr" | "hdr"
        | "dds" | "ktx" => FileKind::Image,
        "wav" | "ogg" | "mp3" | "ogv" => FileKind::Sound,
        "glb" | "gltf" | "fbx" | "blend" | "dae" | "obj" | "mtl" => FileKind::Model,
        "bin" if has_gltf_beside(project, path) => FileKind::Model,
        "ttf" | "otf" | "ttc" | "otc" | "woff" | "woff2" | "pfb" | "pfm" | "fnt" | "font" => {
            FileKind::Font
        }
        _ if importer.is_some() => FileKind::Imported,
        _ => return None,
    };
    Some(kind)
}

fn has_gltf_beside(project: &Project, path: &str) -> bool {
    let folder = format!("{}/", folder_of(path));
    let mut beside = project.files_that_start_with(&folder);
    beside.any(|file| extension_of(project.path(file)) == "gltf")
}

/// The files next to `file` that mean nothing without it.
pub(super) fn companions(project: &Project, file: FileId) -> Vec<FileId> {
    let path = project.path(file);
    [".import", ".uid"].iter().filter_map(|end| project.file(&format!("{path}{end}"))).collect()
}
