//! Writing one file of a project.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use crate::beneath::Beneath;
use crate::workspace::Workspace;

/// Writes the file at `path` as a whole or not at all: a new one, or in the place of the one that is there, whose
/// permissions it keeps. A symbolic link stays a link, and the file that it leads to is written.
///
/// The text is first written to a file beside it, which then takes its name. The price: the new file belongs to the user
/// who runs this, and other hard links keep the old text.
///
/// # Errors
/// When links lead out of the project that `path` lies in, or out of its folder if it lies in no project: whoever made a
/// project must not choose which other file is written. And what the system says. The file is as it was then.
pub fn write_file(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = named_folder(path)?;
    let boundary = Workspace::find_root(&folder).unwrap_or(folder);
    let place = real(path)?;
    let boundary = Beneath::open(&boundary)?;
    let Ok(inside) = place.strip_prefix(boundary.path()) else {
        let reason = format!(
            "symbolic links lead out of `{}`, to `{}`; name that file itself to change it",
            boundary.path().display(),
            place.display()
        );
        return Err(io::Error::new(ErrorKind::InvalidInput, reason));
    };
    boundary.write(inside, content)
}

/// The folder of a file as its path names it: with the links in it, so that a link in a project counts as a part of it.
fn named_folder(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let mut folder = PathBuf::new();
    for part in path.parent().unwrap_or(&path).components() {
        if part == Component::ParentDir {
            folder.pop();
        } else {
            folder.push(part);
        }
    }
    Ok(folder)
}

/// Where a file really is, which need not be there.
fn real(path: &Path) -> io::Result<PathBuf> {
    if path.is_symlink() {
        return fs::canonicalize(path);
    }
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            Ok(fs::canonicalize(folder)?.join(name))
        }
        _ => fs::canonicalize(path),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::Path;

    use super::write_file;

    /// A project with links to a folder beside it, and that folder.
    fn project() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let path = |path: &str| folder.path().join(path);
        for made in ["game/sub", "outside/deep", "game/other_game"] {
            fs::create_dir_all(path(made)).unwrap();
        }
        for file in [
            "game/project.godot",
            "game/a.tscn",
            "game/sub/b.tscn",
            "outside/c.tscn",
            "outside/deep/d.tscn",
            "game/other_game/project.godot",
        ] {
            fs::write(path(file), "old").unwrap();
        }
        for (target, link) in [
            ("../outside", "game/linked"),
            ("../outside/c.tscn", "game/c.tscn"),
            ("../outside/new.tscn", "game/dangling.tscn"),
            ("sub", "game/inner"),
            ("sub/b.tscn", "game/b.tscn"),
            ("../a.tscn", "game/other_game/a.tscn"),
            ("../../outside/deep", "game/sub/deep"),
        ] {
            symlink(target, path(link)).unwrap();
        }
        folder
    }

    fn read(path: &Path) -> String {
        fs::read_to_string(path).unwrap()
    }

    #[test]
    fn links_that_lead_out_are_refused() {
        let folder = project();
        for (written, victim) in [
            ("game/c.tscn", "outside/c.tscn"),
            ("game/linked/c.tscn", "outside/c.tscn"),
            ("game/linked/deep/d.tscn", "outside/deep/d.tscn"),
            ("game/sub/deep/d.tscn", "outside/deep/d.tscn"),
            ("game/inner/deep/d.tscn", "outside/deep/d.tscn"),
            ("game/sub/../linked/c.tscn", "outside/c.tscn"),
            ("game/other_game/a.tscn", "game/a.tscn"),
        ] {
            let error = write_file(&folder.path().join(written), b"new").unwrap_err().to_string();
            assert!(error.contains("symbolic links lead out of"), "{written}: {error}");
            assert_eq!(read(&folder.path().join(victim)), "old", "{written}");
        }
        for new in ["game/dangling.tscn", "game/linked/new.tscn"] {
            write_file(&folder.path().join(new), b"new").unwrap_err();
        }
        assert!(!folder.path().join("outside/new.tscn").exists());
        let names = fs::read_dir(folder.path().join("outside")).unwrap().count();
        assert_eq!(names, 2, "nothing is left there");
    }

    #[test]
    fn links_that_stay_inside_are_followed() {
        let folder = project();
        let path = |path: &str| folder.path().join(path);
        fs::set_permissions(path("game/sub/b.tscn"), fs::Permissions::from_mode(0o640)).unwrap();
        for (index, written) in
            ["game/b.tscn", "game/inner/b.tscn", "game/sub/b.tscn"].into_iter().enumerate()
        {
            let text = format!("new {index}");
            write_file(&path(written), text.as_bytes()).unwrap();
            assert_eq!(read(&path("game/sub/b.tscn")), text);
        }
        assert!(path("game/b.tscn").is_symlink() && path("game/inner").is_symlink());
        let mode = fs::metadata(path("game/sub/b.tscn")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        // The project's own folder may be reached by a link, and a file without a project in any way but a link.
        symlink(path("game"), path("link_to_game")).unwrap();
        write_file(&path("link_to_game/a.tscn"), b"newer").unwrap();
        assert_eq!(read(&path("game/a.tscn")), "newer");
        write_file(&path("outside/deep/../c.tscn"), b"newer").unwrap();
        assert_eq!(read(&path("outside/c.tscn")), "newer");
        write_file(&path("outside/made.tscn"), b"made").unwrap();
        assert_eq!(read(&path("outside/made.tscn")), "made");
    }

    #[test]
    fn what_must_not_be_written() {
        let folder = project();
        let path = |path: &str| folder.path().join(path);
        fs::set_permissions(path("game/a.tscn"), fs::Permissions::from_mode(0o444)).unwrap();
        write_file(&path("game/a.tscn"), b"new").unwrap_err();
        write_file(&path("game/sub"), b"new").unwrap_err();
        let pipe = path("game/pipe.tscn");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        write_file(&pipe, b"new").unwrap_err();
        write_file(&path("game/nowhere/a.tscn"), b"new").unwrap_err();
        assert_eq!(read(&path("game/a.tscn")), "old");
        assert_eq!(fs::read_dir(path("game")).unwrap().count(), 10, "nothing is left there");
    }
}
