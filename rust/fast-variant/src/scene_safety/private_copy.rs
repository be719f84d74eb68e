//! Loading just the bytes that were judged.
//!
//! Godot 4.4 to 4.6 load a text only from a file. So the bytes are written into a folder that no other user can read, under a
//! name that cannot be guessed, and loaded from there. In the copies, each `ext_resource` names the copy of its file, or the
//! game's own file as judged, and no uid.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use godot::builtin::GString;
use godot::classes::resource_loader::CacheMode;
use godot::classes::{Resource, ResourceLoader};
use godot::obj::{Gd, Singleton};
use godot_tscn::{Edit, FileEdits, TagKind};
use tempfile::TempDir;

use super::walk::JudgedFile;
use crate::by_name::globalize_path;

/// What the names of the folders begin with, in the user's folder of the game.
const PREFIX: &str = ".fast_variant_judged_";
/// Folders that are older were left by a process that is gone.
const OLD: Duration = Duration::from_secs(3600);

/// The copies of files that were judged, and their folder, which is taken away in the end.
pub(super) struct PrivateCopies {
    pub(super) folder: TempDir,
    /// Where the copy of each file is, in the order of the files.
    pub(super) places: Vec<String>,
}

impl PrivateCopies {
    /// Writes the copies.
    ///
    /// # Errors
    /// If there are no files, or a copy cannot be written.
    pub(super) fn write(files: &[JudgedFile]) -> Result<Self, String> {
        if files.is_empty() {
            return Err("no file was checked".to_owned());
        }
        let folder = private_folder()?;
        let places: Vec<String> = files
            .iter()
            .enumerate()
            .map(|(index, file)| place(folder.path(), index, &file.path))
            .collect();
        let by_path: HashMap<&str, String> =
            files.iter().map(|file| file.path.as_str()).zip(places.iter().cloned()).collect();
        for (file, place) in files.iter().zip(&places) {
            fs::write(place, copy(file, &by_path)).map_err(|error| {
                format!("the private copy of `{}` cannot be written: {error}", file.path)
            })?;
        }
        Ok(Self { folder, places })
    }
}

/// Loads the first of the files.
///
/// # Errors
/// If the copies cannot be written, or Godot cannot load them.
pub(super) fn load(files: &[JudgedFile]) -> Result<Gd<Resource>, String> {
    let copies = PrivateCopies::write(files)?;
    let mut loader = ResourceLoader::singleton();
    let loaded = loader.load_ex(copies.places[0].as_str()).cache_mode(CacheMode::IGNORE).done();
    // The others are in the cache under the names of their copies, as long as the first one holds them.
    let others =
        copies.places[1..].iter().filter_map(|place| loader.get_cached_ref(place.as_str()));
    for mut resource in others.chain(loaded.clone()) {
        resource.set_path(&GString::new());
    }
    loaded.ok_or_else(|| format!("Godot cannot load `{}`", files[0].path))
}

/// The place of the copy of a file.
fn place(folder: &Path, index: usize, path: &str) -> String {
    let extension = path.rsplit_once('.').map_or("tres", |(_, extension)| extension);
    folder.join(format!("{index}.{extension}")).to_string_lossy().replace('\\', "/")
}

/// A new folder that is taken away in the end. What earlier processes had to leave is taken away first.
fn private_folder() -> Result<TempDir, String> {
    let user = globalize_path("user://");
    fs::create_dir_all(&user).map_err(|error| format!("`user://` cannot be created: {error}"))?;
    remove_old(Path::new(&user));
    tempfile::Builder::new()
        .prefix(PREFIX)
        .tempdir_in(&user)
        .map_err(|error| format!("cannot create a folder for private copies in `user://`: {error}"))
}

fn remove_old(user: &Path) {
    for entry in fs::read_dir(user).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        // The metadata of the entry itself: a link is not followed.
        let is_old_folder = |found: fs::Metadata| {
            found.is_dir()
                && found.modified().is_ok_and(|time| time.elapsed().is_ok_and(|age| age > OLD))
        };
        if is_ours && entry.metadata().is_ok_and(is_old_folder) {
            // A folder that cannot be removed now will be removed by another run.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// The text of a file, with its references to the places of the copies.
fn copy(file: &JudgedFile, places: &HashMap<&str, String>) -> Vec<u8> {
    let document = godot_tscn::parse(&file.text);
    let targets: HashMap<_, _> = file
        .references
        .iter()
        .map(|(reference, target)| (reference.span, target.as_str()))
        .collect();
    let mut edits = Vec::new();
    for section in document.sections() {
        // A uid leads to a file of the project, or names this text as one.
        if section.kind() != TagKind::Node
            && let Some(uid) = section.field("uid")
        {
            edits.push(Edit::remove(uid.span()));
        }
        if section.kind() != TagKind::ExtResource {
            continue;
        }
        let path = section.field("path").map(godot_tscn::Field::value_span);
        if let Some((span, target)) = path.and_then(|span| Some((span, *targets.get(&span)?))) {
            let target = places.get(target).map_or(target, String::as_str);
            let quoted = target.replace('\\', "\\\\").replace('"', "\\\"");
            edits.push(Edit::replace(span, format!("\"{quoted}\"")));
        }
    }
    FileEdits::new(file.path.as_str(), file.text.as_slice(), edits).new_text()
}
