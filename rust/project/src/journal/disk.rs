//! What changes the disk, one step after the other: the tests kill a process before each of them.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::time::SystemTime;

use tempfile::TempPath;

use crate::temporary::temporary_file;

/// Before each step.
fn step() {
    #[cfg(test)]
    super::tests::killed::step();
}

pub(super) fn create_dir(path: &Path) -> io::Result<()> {
    step();
    fs::create_dir(path)
}

/// Makes a file that is not there yet, and lets it reach the disk.
pub(super) fn write_new(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    step();
    let mut file = File::create_new(path)?;
    for part in parts {
        step();
        file.write_all(part)?;
    }
    step();
    file.sync_all()
}

pub(super) fn create(options: &OpenOptions, path: &Path) -> io::Result<File> {
    step();
    options.open(path)
}

/// Writes to a new file, and lets it reach the disk.
pub(super) fn fill(file: &mut File, content: &[u8]) -> io::Result<()> {
    // A process can be killed, or the disk full, in the middle.
    let (first, rest) = content.split_at(content.len() / 2);
    step();
    file.write_all(first)?;
    step();
    file.write_all(rest)?;
    step();
    file.sync_all()
}

/// Gives a file its name, which must be free.
fn put_new(file: TempPath, path: &Path) -> io::Result<()> {
    step();
    file.persist_noclobber(path).map_err(|error| error.error)
}

/// Gives a file the name of another, in the place of that.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    step();
    fs::rename(from, to)
}

/// Moves a file, link or folder to a name that must be free; a file or link also to another file system.
pub(super) fn transfer(from: &Path, to: &Path) -> io::Result<()> {
    step();
    match rename_new(from, to) {
        Err(error) if error.kind() == ErrorKind::CrossesDevices => {}
        result => return result,
    }
    let metadata = fs::symlink_metadata(from)?;
    if metadata.is_file() {
        let folder = to.parent().unwrap_or(Path::new("."));
        let mut copy = temporary_file(folder)?;
        io::copy(&mut File::open(from)?, copy.as_file_mut())?;
        copy.as_file().set_permissions(metadata.permissions())?;
        copy.as_file().set_modified(metadata.modified().unwrap_or_else(|_| SystemTime::now()))?;
        step();
        copy.as_file().sync_all()?;
        put_new(copy.into_temp_path(), to)?;
    } else if metadata.is_symlink() {
        link(&fs::read_link(from)?, to)?;
    } else {
        let reason = "a folder cannot be moved to another file system";
        return Err(io::Error::new(ErrorKind::CrossesDevices, reason));
    }
    remove_file(from)
}

/// Removes a file or link.
pub(super) fn remove_file(path: &Path) -> io::Result<()> {
    step();
    fs::remove_file(path)
}

/// Removes a folder if there is nothing in it.
pub(super) fn remove_empty_dir(path: &Path) {
    step();
    // It may hold something, or be gone.
    let _ = fs::remove_dir(path);
}

/// Removes a folder with all that is in it.
pub(super) fn remove_tree(path: &Path) -> io::Result<()> {
    step();
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Lets new names reach the disk. Systems without a way to do that keep the order of renames.
pub(super) fn sync_names(folder: &Path) {
    step();
    if cfg!(unix)
        && let Ok(folder) = File::open(folder)
    {
        // Some file systems cannot; the files themselves are whole.
        let _ = folder.sync_all();
    }
}

/// Whether two files hold the same. What cannot be read does not.
pub(super) fn are_equal(one: &Path, other: &Path) -> bool {
    let content = |path: &Path| {
        let metadata = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some((metadata.len(), File::open(path).ok()?))
    };
    let (Some((len, one)), Some((other_len, other))) = (content(one), content(other)) else {
        return false;
    };
    let (mut one, mut other) = (io::BufReader::new(one).bytes(), io::BufReader::new(other).bytes());
    len == other_len
        && loop {
            match (one.next(), other.next()) {
                (None, None) => break true,
                (Some(Ok(one)), Some(Ok(other))) if one == other => {}
                _ => break false,
            }
        }
}

/// Renames to a name that must be free.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    if !is_same_entry(from, to) {
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            // Not every file system knows the flag.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            result => return Ok(result?),
        }
    }
    rename_free(from, to)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    rename_free(from, to)
}

fn rename_free(from: &Path, to: &Path) -> io::Result<()> {
    if fs::symlink_metadata(to).is_ok() && !is_same_entry(from, to) {
        return Err(ErrorKind::AlreadyExists.into());
    }
    fs::rename(from, to)
}

/// Whether both paths lead to one entry of a folder, as those do that differ in case only where case does not count.
pub(super) fn is_same_entry(one: &Path, other: &Path) -> bool {
    let differ_in_case = one != other
        && one.to_string_lossy().to_lowercase() == other.to_string_lossy().to_lowercase();
    differ_in_case && {
        let both = (fs::symlink_metadata(one), fs::symlink_metadata(other));
        let names = |path: &Path| {
            let entries = fs::read_dir(path.parent()?).ok()?.flatten();
            Some(entries.filter(|entry| Some(&*entry.file_name()) == path.file_name()).count())
        };
        // Where case counts, each of two that are there has an entry of its own.
        matches!(both, (Ok(_), Ok(_)))
            && names(one).zip(names(other)).is_some_and(|(a, b)| a + b == 1)
    }
}

#[cfg(unix)]
fn link(target: &Path, path: &Path) -> io::Result<()> {
    step();
    std::os::unix::fs::symlink(target, path)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> io::Result<()> {
    let reason = "a link cannot be moved to another file system";
    Err(io::Error::new(ErrorKind::CrossesDevices, reason))
}
