//! The companions of imported files: the textures of a model, the files that an import writes next
//! to its source.

use hashbrown::HashMap;
use memchr::memmem;

use super::FileKind;
use super::kinds::kind_of;
use crate::project::{FileId, Project};
use crate::res_path::{folder_of, name_of};
use crate::settings::{lossy, mentions};

/// Gives `found` the lines of a `.import` file that name the files that the import needs or makes.
pub(super) fn import(content: &[u8], mut found: impl FnMut(&[u8])) {
    for line in content.split(|byte| *byte == b'\n') {
        if !line.starts_with(b"source_file=") {
            found(line);
        }
    }
}

/// The data of imports on their sources.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// Dependencies without a name: a file that an import has written and its source, a model and the textures that
    /// its import has extracted.
    pub(super) pairs: Vec<(FileId, FileId)>,
    /// The missing results of imports, with the source.
    pub(super) made: HashMap<String, FileId>,
}

/// Looks through the `.import` files.
pub(super) fn parts(project: &Project) -> Parts {
    let mut models: HashMap<&str, Vec<FileId>> = HashMap::new();
    let mut images: Vec<FileId> = Vec::new();
    let mut parts = Parts::default();
    for file in project.files().filter(|file| project.import(*file).is_some()) {
        let path = project.path(file);
        let Some(content) =
            project.file(&format!("{path}.import")).and_then(|import| project.read(import).ok())
        else {
            continue;
        };
        match kind_of(project, file) {
            Some(FileKind::Model) => models.entry(folder_of(path)).or_default().push(file),
            Some(FileKind::Image) => images.push(file),
            _ => {}
        }
        for made in made_by(&content) {
            match project.file(&made) {
                Some(made) => parts.pairs.extend([(made, file), (file, made)]),
                None => _ = parts.made.insert(made, file),
            }
        }
    }
    // The importer of glTF writes an image inside `tree.glb` as `tree_bark.png`, and uses an existing one from then on
    // (`GLTFDocument::_parse_image_save_image`, modules/gltf/gltf_document.cpp, Godot 4.6.3).
    for image in images {
        let path = project.path(image);
        for model in models.get(folder_of(path)).into_iter().flatten() {
            let name = name_of(project.path(*model));
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            let rest = name_of(path).strip_prefix(stem);
            if rest.is_some_and(|rest| rest.starts_with('_')) {
                parts.pairs.push((*model, image));
            }
        }
    }
    parts
}

/// The files that an import writes next to its source: translations, meshes, materials, animations.
fn made_by(content: &[u8]) -> Vec<String> {
    let is_output = |line: &&[u8]| {
        line.starts_with(b"dest_files=") || memmem::find(line, b"save_to_file/path").is_some()
    };
    let lines = content.split(|byte| *byte == b'\n').filter(is_output);
    let paths = lines.flat_map(mentions).map(|path| lossy(path.as_bytes()));
    paths.collect()
}
