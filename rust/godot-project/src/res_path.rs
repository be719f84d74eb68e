//! Paths as Godot writes them: `res://folder/file.tscn`.

use std::borrow::Cow;
use std::path::{Component, Path};

/// The files that [`FileFacts::read`](crate::FileFacts::read) can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactsKind {
    /// A text scene or resource.
    Text,
    /// A script in GDScript or C#.
    Script,
    /// The settings of an import.
    Import,
    /// A file with the uid of another one.
    Uid,
    /// A binary scene or resource.
    Binary,
    /// Nothing is read.
    None,
}

/// The path of the file that `text` names in the file `base` (`res://…`): without `.`, `..` and
/// double slashes, and without a `::id` after the name. Nothing for a path outside `res://`, and
/// for a uid.
///
/// ```
/// use godot_project::resolve_path;
/// assert_eq!(resolve_path("res://a/b.tscn", "res://c//d.png").as_deref(), Some("res://c/d.png"));
/// assert_eq!(resolve_path("res://a/b.tscn", "d.png").as_deref(), Some("res://a/d.png"));
/// assert_eq!(resolve_path("res://a/b.tscn", "res://c.tscn::7").as_deref(), Some("res://c.tscn"));
/// assert_eq!(resolve_path("res://a/b.tscn", "res://../d.png"), None);
/// assert_eq!(resolve_path("res://a/b.tscn", "user://d.png"), None);
/// ```
///
/// `ResourceLoaderText::load` and `ProjectSettings::localize_path` (Godot 4.6.3).
pub fn resolve_path(base: &str, text: &str) -> Option<String> {
    if is_resolved(text) { Some(text.to_owned()) } else { resolve(base, text) }
}

/// Whether a path certainly equals the result of [`resolve_path`], as nearly all do.
fn is_resolved(path: &str) -> bool {
    let mut last = b'/';
    let is_plain = |byte| {
        let before = std::mem::replace(&mut last, byte);
        byte != b'\\' && !matches!((before, byte), (b'/', b'/' | b'.') | (b':', b':'))
    };
    path.strip_prefix("res://").is_some_and(|path| path.bytes().all(is_plain)) && last != b'/'
}

fn resolve(base: &str, text: &str) -> Option<String> {
    let text = text.split_once("::").map_or(text, |(path, _)| path);
    let (folder, path) = match text.strip_prefix("res://") {
        Some(path) => ("", path),
        None if text.contains("://") || is_absolute(text) => return None,
        None => (folder_of(base.strip_prefix("res://")?), text),
    };
    let mut parts: Vec<&str> = Vec::new();
    let separators = ['/', '\\'];
    for part in folder.split(separators).chain(path.split(separators)) {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop()?,
            _ => parts.push(part),
        }
    }
    let mut resolved = String::with_capacity("res://".len() + folder.len() + 1 + path.len());
    resolved.push_str("res:/");
    if parts.is_empty() {
        resolved.push('/');
    }
    for part in parts {
        resolved.push('/');
        resolved.push_str(part);
    }
    Some(resolved)
}

/// Where paths count from that are relative for the loader: `ResourceLoader::_validate_local_path`
/// (core/io/resource_loader.cpp, Godot 4.6.3).
pub const LOADER_BASE: &str = "res://project.godot";

/// The clean form of `relative`, a path below the project's folder, as `res://…`.
pub(crate) fn from_relative(relative: &Path) -> String {
    let mut path = String::from("res:/");
    for part in relative.components() {
        if let Component::Normal(name) = part {
            path.push('/');
            path.push_str(&name.to_string_lossy());
        }
    }
    path
}

/// The part before the last `/`.
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The part after the last `/`.
pub fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The part after the last `.` of the name, in lower case.
pub fn extension_of(path: &str) -> Cow<'_, str> {
    // It is short, and asked for often.
    let last = path.bytes().rposition(|byte| matches!(byte, b'.' | b'/'));
    let end = last.filter(|at| path.as_bytes()[*at] == b'.').map_or("", |at| &path[at + 1..]);
    if end.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(end.to_ascii_lowercase())
    } else {
        Cow::Borrowed(end)
    }
}

fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '\\']) || path.as_bytes().get(1) == Some(&b':')
}

/// Whether a file is a script in GDScript.
pub fn is_gdscript(path: &str) -> bool {
    extension_of(path) == "gd"
}

impl FactsKind {
    /// The kind of the file at `path`, by its extension.
    pub fn of(path: &str) -> Self {
        match &*extension_of(path) {
            "tscn" | "tres" | "escn" => Self::Text,
            "gd" | "cs" => Self::Script,
            "import" => Self::Import,
            "uid" => Self::Uid,
            "scn" | "res" => Self::Binary,
            _ => Self::None,
        }
    }
}

/// Whether Godot keeps the uid of a file in a file next to it, since 4.4: the loader of the file has no
/// `has_custom_uid_support` (`ResourceLoader::should_create_uid_file`, core/io/resource_loader.cpp, Godot 4.6.3).
pub fn has_uid_beside(path: &str) -> bool {
    matches!(&*extension_of(path), "gd" | "cs" | "gdshader" | "gdshaderinc" | "gdextension")
}

#[cfg(test)]
mod tests {
    use super::{is_resolved, resolve, resolve_path};

    #[test]
    fn what_is_resolved_stays_as_it_is() {
        let mut random = fastrand::Rng::with_seed(1);
        let pieces = ["a", "b.png", ".", "..", "/", "/", "\\", ":", "res://", "\u{e9}"];
        let mut resolved_count = 0;
        for _ in 0..20_000 {
            let mut path = String::from(if random.u8(..4) > 0 { "res://" } else { "" });
            (0..random.usize(..8)).for_each(|_| path += pieces[random.usize(..pieces.len())]);
            let expected = resolve("res://a/b.tscn", &path);
            assert_eq!(resolve_path("res://a/b.tscn", &path), expected, "{path}");
            resolved_count += usize::from(is_resolved(&path));
        }
        assert!(resolved_count > 1000, "only {resolved_count} paths were resolved already");
    }
}
