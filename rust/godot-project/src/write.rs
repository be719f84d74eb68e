//! Writing one file of a project.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use crate::beneath::Beneath;
use crate::source::find_root;

/// Writes the file at `path` as a whole or not at all: a new one, or in the place of an existing one, with its
/// permissions. A symbolic link stays a link, and the file that it leads to is written.
///
/// The text is first written to a file next to it, which then takes its name. The price: the new file belongs to the
/// user who runs this, and other hard links keep the old text.
///
/// # Errors
/// When links lead out of the project of `path`, or out of its folder without a project: the author of a project must not
/// choose another file to write. And the system's errors. The file is as it was then.
pub fn write_file(path: &Path, content: &[u8]) -> io::Result<()> {
    let (boundary, place) = located(path)?;
    boundary.write(&place, None, content)
}

/// [`write_file`] in the place of a file with the content `before`.
///
/// # Errors
/// As [`write_file`], and when the file has another content.
pub fn replace_file(path: &Path, before: &[u8], content: &[u8]) -> io::Result<()> {
    let (boundary, place) = located(path)?;
    boundary.write(&place, Some(before), content)
}

/// Makes the folder at `path`, and those on the way to it.
///
/// # Errors
/// As [`write_file`].
pub fn create_folders(path: &Path) -> io::Result<()> {
    let (boundary, place) = located_folder(path)?;
    boundary.create_dir_all(&place)
}

/// Opens a pipe or device to write to it, or the target of `/dev/stdout` and the like. Does not wait for a program that reads
/// a pipe.
///
/// # Errors
/// When no program reads from a pipe, and, unless it is [`is_of_system`], when it is a regular file, or a link on Unix.
pub fn open_stream(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let follow = if is_of_system(path) { 0 } else { libc::O_NOFOLLOW };
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY | follow);
    }
    let file = options.open(path).map_err(|error| {
        #[cfg(unix)]
        if error.raw_os_error() == Some(libc::ENXIO) {
            return io::Error::new(error.kind(), "is a pipe that no program reads");
        }
        error
    })?;
    if !is_of_system(path) && file.metadata()?.is_file() {
        return Err(io::Error::other("has become a regular file meanwhile"));
    }
    #[cfg(unix)]
    {
        // From here on, the writer waits for the reader.
        let flags = rustix::fs::fcntl_getfl(&file)?;
        rustix::fs::fcntl_setfl(&file, flags - rustix::fs::OFlags::NONBLOCK)?;
    }
    Ok(file)
}

/// Whether the path means an open file of this process, as `/dev/stdout` and `/proc/self/fd/3` do, or a device. These are links of
/// the system.
pub fn is_of_system(path: &Path) -> bool {
    let is_below = |folder: &str| path.starts_with(folder);
    is_below("/proc") || is_below("/dev") && !is_below("/dev/shm")
}

/// The folder that a file must not leave, and where in it the file is.
fn located(path: &Path) -> io::Result<(Beneath, PathBuf)> {
    let named = without_parents(path)?;
    let folder = named.parent().unwrap_or(&named);
    below_boundary(folder, path)
}

/// The folder that the contents of `folder` must not leave, and the place of `folder` in it.
pub(crate) fn located_folder(folder: &Path) -> io::Result<(Beneath, PathBuf)> {
    below_boundary(&without_parents(folder)?, folder)
}

/// `path` in the project that `folder` is in, or else in `folder` itself, both as they are named.
fn below_boundary(folder: &Path, path: &Path) -> io::Result<(Beneath, PathBuf)> {
    let boundary = find_root(folder).unwrap_or_else(|| existing(folder).to_owned());
    expect_no_link_to(&boundary)?;
    let boundary = Beneath::open(&boundary)?;
    let place = real(path)?;
    match place.strip_prefix(boundary.path()) {
        Ok(inside) => Ok((boundary, inside.to_owned())),
        Err(_) => Err(leads_out(boundary.path(), &place)),
    }
}

/// Refuses a project that only a link out of another project leads to. It may be anybody's.
pub fn expect_no_link_to(root: &Path) -> io::Result<()> {
    let root = std::path::absolute(root)?;
    for link in root.ancestors().filter(|folder| folder.is_symlink()) {
        let Some(outer) = link.parent().and_then(find_root) else { continue };
        let place = fs::canonicalize(link)?;
        if !place.starts_with(fs::canonicalize(&outer)?) {
            return Err(leads_out(&outer, &place));
        }
    }
    Ok(())
}

fn leads_out(boundary: &Path, place: &Path) -> io::Error {
    let reason = format!(
        "symbolic links lead out of `{}`, to `{}`; to change that file, name it by this path",
        dunce::simplified(boundary).display(),
        dunce::simplified(place).display()
    );
    io::Error::new(ErrorKind::InvalidInput, reason)
}

/// A path as it is named, from the root of the file system and without `..`: with the links in it, so that a link in a project
/// counts as a part of it.
fn without_parents(path: &Path) -> io::Result<PathBuf> {
    let mut plain = PathBuf::new();
    for part in std::path::absolute(path)?.components() {
        if part == Component::ParentDir {
            plain.pop();
        } else {
            plain.push(part);
        }
    }
    Ok(plain)
}

/// The folder, or the nearest one above it that is there.
fn existing(folder: &Path) -> &Path {
    folder.ancestors().find(|folder| folder.exists()).unwrap_or(folder)
}

/// Where a file or folder really is, which need not be there, nor the folders on the way to it.
pub fn real(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let mut missing = Vec::new();
    let mut there = &*path;
    loop {
        match fs::canonicalize(there) {
            Ok(real) => return Ok(missing.iter().rev().fold(real, |path, name| path.join(name))),
            // A link that leads nowhere is there, too.
            Err(error) if error.kind() != ErrorKind::NotFound || there.is_symlink() => {
                return Err(error);
            }
            Err(error) => {
                missing.push(there.file_name().ok_or(error)?);
                there = there.parent().unwrap_or(Path::new("/"));
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::Path;

    use super::{replace_file, write_file};

    /// A project with links to a folder next to it, and that folder.
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
    fn names_reach_the_disk() {
        let folder = project();
        let beneath = crate::beneath::Beneath::open(folder.path()).unwrap();
        for inside in ["", "game", "game/sub"] {
            beneath.sync_names(Path::new(inside)).unwrap();
        }
        beneath.sync_names(Path::new("game/linked")).unwrap_err();
    }

    #[test]
    fn only_what_was_read_is_replaced() {
        let folder = project();
        let file = folder.path().join("game/a.tscn");
        replace_file(&file, b"other", b"new").unwrap_err();
        assert_eq!(read(&file), "old");
        replace_file(&file, b"old", b"new").unwrap();
        assert_eq!(read(&file), "new");
        fs::remove_file(&file).unwrap();
        replace_file(&file, b"new", b"newer").unwrap_err();
        assert!(!file.exists());
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
        replace_file(&pipe, b"", b"new").unwrap_err();
        // Not even opened, which who reads it would notice.
        let _reader = fs::File::options().read(true).write(true).open(&pipe).unwrap();
        let error = write_file(&pipe, b"new").unwrap_err().to_string();
        assert_eq!(error, "is not a regular file");
        write_file(&path("game/nowhere/a.tscn"), b"new").unwrap_err();
        assert_eq!(read(&path("game/a.tscn")), "old");
        assert_eq!(fs::read_dir(path("game")).unwrap().count(), 10, "nothing is left there");
    }
}
