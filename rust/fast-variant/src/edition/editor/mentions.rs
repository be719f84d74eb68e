//! Words in the files of the project's folder, without the engine, so that threads can look.

use std::path::{Path, PathBuf};

use godot_project::{FileSource, Folder, FoundFile, read_file};
use godot_tscn::LineIndex;
use memchr::memmem::Finder;
use rayon::prelude::*;

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

/// A file of the project.
struct ProjectFile {
    /// `res://…`
    path: String,
    /// Where the system finds it.
    place: PathBuf,
}

/// A line that mentions a word.
pub(super) struct Mention {
    pub(super) path: String,
    /// From 1.
    pub(super) line: i64,
    pub(super) text: String,
}

/// The files below `root` with one of these extensions, by path, if Godot's editor sees them.
fn find(root: &Path, extensions: &[&str]) -> Vec<ProjectFile> {
    let folder = Folder::new(root);
    let mut found = folder.list().map_or_else(|_| Vec::new(), |listing| listing.files);
    found.retain(|file| has_extension(&file.path, extensions));
    found.sort_by(|one, other| one.path.cmp(&other.path));
    let file =
        |file: FoundFile| ProjectFile { place: folder.file_path(&file.path), path: file.path };
    found.into_iter().map(file).collect()
}

fn has_extension(path: &str, extensions: &[&str]) -> bool {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| {
        extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
    })
}

/// The lines of the project's text files that have one of the `words`, each once.
pub(super) fn find_mentions(root: &Path, words: &[String]) -> Vec<Mention> {
    let finders: Vec<_> = words.iter().filter(|word| !word.is_empty()).map(Finder::new).collect();
    let files = find(root, TEXTS);
    files.par_iter().flat_map_iter(|file| mentions_in(file, &finders)).collect()
}

fn mentions_in(file: &ProjectFile, finders: &[Finder<'_>]) -> Vec<Mention> {
    let Ok(text) = read_file(&file.place) else { return Vec::new() };
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
