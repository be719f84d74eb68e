//! Where paths of a project (`res://…`) lead on the disk. They may be crafted to write a file elsewhere.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use crate::write::real;

/// Code points that some file systems of Apple's ignore in names, so that `.git` is found under names that have them.
const IGNORED: &[char] = &[
    '\u{200c}', '\u{200d}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}',
    '\u{202e}', '\u{206a}', '\u{206b}', '\u{206c}', '\u{206d}', '\u{206e}', '\u{206f}', '\u{feff}',
];

/// The path below the project's folder of `path` (`res://…`), if Godot's editor shows it: without `.` and `..`, and neither
/// hidden nor in a hidden folder, such as git's.
pub fn below(path: &str) -> Option<&str> {
    let below = path.strip_prefix("res://")?;
    below.split('/').all(is_visible).then_some(below)
}

fn is_visible(name: &str) -> bool {
    let plain = name.trim_start_matches(IGNORED);
    // The short name of `.git` where Windows makes such.
    let is_git = plain.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("git~"));
    let is_separated = cfg!(windows) && name.contains(['\\', ':']);
    !plain.is_empty() && !plain.starts_with('.') && !is_git && !is_separated && !name.contains('\0')
}

/// The place of `path` (`res://…`), itself if it is a link, from the project's folder `root`, which is without links.
/// The folders on the way are without links, too. The file need not be there, nor those folders.
///
/// # Errors
/// When that is not below the project's folder.
pub fn locate(root: &Path, path: &str) -> io::Result<PathBuf> {
    let below =
        below(path).ok_or_else(|| refusal("is not a path of a visible file in the project"))?;
    let place = root.join(below);
    let (Some(folder), Some(name)) = (place.parent(), place.file_name()) else {
        return Err(refusal("is not a path of a file in the project"));
    };
    Ok(checked(root, &real(folder)?)?.join(name))
}

/// [`locate`], but where a link leads to that is there.
///
/// # Errors
/// As [`locate`].
pub fn locate_content(root: &Path, path: &str) -> io::Result<PathBuf> {
    let place = locate(root, path)?;
    let whole = root.join(&place);
    if whole.is_symlink() { checked(root, &fs::canonicalize(whole)?) } else { Ok(place) }
}

/// Whether a change may write the file at `path` (`res://…`) of the project in the folder `root`, which need not be there.
///
/// # Errors
/// When the path is not one of a visible file in the project, or a link on the path, or at its end, leads out of the
/// project or to a hidden file.
pub fn expect_inside(root: &Path, path: &str) -> io::Result<()> {
    locate_content(&fs::canonicalize(root)?, path).map(drop)
}

/// A real path from the project's folder, if it is below that and not hidden there.
fn checked(root: &Path, place: &Path) -> io::Result<PathBuf> {
    let inside = place.strip_prefix(root);
    let inside = inside.map_err(|_| refusal("a link leads out of the project's folder here"))?;
    let is_visible = |part: Component<'_>| is_visible(&part.as_os_str().to_string_lossy());
    if inside.components().all(is_visible) {
        return Ok(inside.to_owned());
    }
    Err(refusal("a link leads to a hidden file or folder here"))
}

fn refusal(reason: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, reason.to_owned())
}

#[cfg(test)]
mod tests {
    use super::below;

    #[test]
    fn paths() {
        for path in ["res://a.gd", "res://a/b c/größe.tscn", "res://a..b/c.", "res://git/a"] {
            assert_eq!(below(path), path.strip_prefix("res://"), "{path}");
        }
        for path in [
            "a.gd",
            "res://",
            "res:///etc/passwd",
            "res://a//b",
            "res://../a",
            "res://a/../../b",
            "res://./a",
            "res://.git/config",
            "res://a/.GIT/hooks/pre-commit",
            "res://.godot/gdscene/last",
            "res://GIT~1/config",
            "res://\u{200c}.git/config",
            "res://\u{200c}/a",
            "res://a\0b",
            "user://a",
            "uid://a",
            "res://a/",
        ] {
            assert_eq!(below(path), None, "{path}");
        }
    }
}
