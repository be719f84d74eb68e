//! The files of the project's folder, without the engine, so that threads can look.

use std::fs;
use std::path::{Path, PathBuf};

use memchr::memmem::Finder;
use rayon::prelude::*;
use tscn::LineIndex;

/// Text scenes and resources.
pub(crate) const SCENES: &[&str] = &["tscn", "escn", "tres"];
/// Text that may name other files.
const TEXTS: &[&str] = &[
    "tscn",
    "escn",
    "tres",
    "gd",
    "cs",
    "gdshader",
    "gdshaderinc",
    "godot",
    "cfg",
    "import",
    "json",
    "gdextension",
    "csv",
    "txt",
    "md",
];
/// Folders deeper than this are left out: a link may lead round.
const MAX_DEPTH: usize = 64;

/// A file of the project.
pub(crate) struct ProjectFile {
    /// `res://…`
    pub(crate) path: String,
    /// Where the system finds it.
    pub(crate) place: PathBuf,
}

/// A line that mentions a word.
pub(crate) struct Mention {
    pub(crate) path: String,
    /// From 1.
    pub(crate) line: i64,
    pub(crate) text: String,
}

/// The files below `root` with one of these extensions, by path. Leaves out what Godot does
/// (`EditorFileSystem::_should_skip_directory`, editor/file_system/editor_file_system.cpp).
pub(crate) fn find(root: &Path, extensions: &[&str]) -> Vec<ProjectFile> {
    let mut files = Vec::new();
    add_folder(root, "res://", extensions, 0, &mut files);
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

fn add_folder(
    folder: &Path,
    path: &str,
    extensions: &[&str],
    depth: usize,
    files: &mut Vec<ProjectFile>,
) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let place = entry.path();
        if name.starts_with('.') {
            continue;
        }
        if place.is_dir() {
            let is_ignored = depth == MAX_DEPTH
                || [".gdignore", "project.godot"].iter().any(|file| place.join(file).exists());
            if !is_ignored {
                add_folder(&place, &format!("{path}{name}/"), extensions, depth + 1, files);
            }
        } else if has_extension(&place, extensions) {
            files.push(ProjectFile { path: format!("{path}{name}"), place });
        }
    }
}

fn has_extension(place: &Path, extensions: &[&str]) -> bool {
    let extension = place.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| {
        extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
    })
}

/// The lines of the project's text files that have one of the `words`, each once.
pub(crate) fn mentions(root: &Path, words: &[String]) -> Vec<Mention> {
    let finders: Vec<_> = words.iter().filter(|word| !word.is_empty()).map(Finder::new).collect();
    let files = find(root, TEXTS);
    files.par_iter().flat_map_iter(|file| mentions_in(file, &finders)).collect()
}

fn mentions_in(file: &ProjectFile, finders: &[Finder<'_>]) -> Vec<Mention> {
    let Ok(text) = fs::read(&file.place) else { return Vec::new() };
    let mut places: Vec<usize> = finders
        .iter()
        .flat_map(|finder| {
            let len = finder.needle().len();
            let whole = |place: &usize| ends_word(&text, place + len);
            finder.find_iter(&text).filter(whole).collect::<Vec<_>>()
        })
        .collect();
    if places.is_empty() {
        return Vec::new();
    }
    places.sort_unstable();
    let lines = LineIndex::new(&text);
    let mut mentions: Vec<Mention> = Vec::new();
    for place in places {
        let line = i64::from(lines.position(place as u32).line);
        if mentions.last().is_none_or(|last| last.line != line) {
            let text = line_around(&text, place);
            mentions.push(Mention { path: file.path.clone(), line, text });
        }
    }
    mentions
}

/// Whether a path or uid that ends here goes no further.
fn ends_word(text: &[u8], end: usize) -> bool {
    let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'/' | b'.');
    !text.get(end).is_some_and(goes_on)
}

/// The line at `place`, shortened.
fn line_around(text: &[u8], place: usize) -> String {
    const MAX_LEN: usize = 200;
    let start = memchr::memrchr(b'\n', &text[..place]).map_or(0, |newline| newline + 1);
    let start = start.max(place.saturating_sub(MAX_LEN / 2));
    let end = memchr::memchr(b'\n', &text[place..]).map_or(text.len(), |newline| place + newline);
    let line = &text[start..end.min(start + MAX_LEN)];
    String::from_utf8_lossy(line).trim().to_owned()
}
