//! The changes of the disk, one step after the other: the tests kill a process before each of them. Paths are from
//! the project's folder.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::time::SystemTime;

use cap_std::fs::OpenOptions;
use godot_project::beneath::{Beneath, Private, new_file};

/// Before each step.
fn step() {
    #[cfg(test)]
    super::tests::killed::step();
}

pub(super) fn create_dir(root: &Beneath, place: &Path) -> io::Result<()> {
    step();
    root.create_dir(place)
}

/// Makes a file that does not exist yet, and lets it reach the disk.
pub(super) fn write_new(root: &Beneath, place: &Path, parts: &[&[u8]]) -> io::Result<()> {
    step();
    let mut file = root.open_with(place, &mut new_file())?;
    for part in parts {
        step();
        file.write_all(part)?;
    }
    step();
    file.sync_all()
}

pub(super) fn create(root: &Beneath, options: &mut OpenOptions, place: &Path) -> io::Result<File> {
    step();
    root.open_with(place, options)
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

/// Gives a file the name of another, in the place of that.
pub(super) fn rename(root: &Beneath, from: &Path, to: &Path) -> io::Result<()> {
    step();
    root.rename(from, to)
}

/// Moves a file, link or folder to a name that must be free; a file or link also to another file system.
pub(super) fn transfer(root: &Beneath, from: &Path, to: &Path) -> io::Result<()> {
    step();
    let renamed = if is_same_entry(root, from, to) {
        root.rename(from, to)
    } else {
        root.rename_new(from, to)
    };
    match renamed {
        Err(error) if error.kind() == ErrorKind::CrossesDevices => {}
        result => return result,
    }
    let metadata = root.metadata(from)?;
    if metadata.is_file() {
        copy_new(root, from, to)?;
    } else if metadata.is_symlink() {
        step();
        root.link(&root.read_link(from)?, to)?;
    } else {
        let reason = "a folder cannot be moved to another file system";
        return Err(io::Error::new(ErrorKind::CrossesDevices, reason));
    }
    remove_file(root, from)
}

/// Copies a file to a name that must be free, with its permissions and its time.
fn copy_new(root: &Beneath, from: &Path, to: &Path) -> io::Result<()> {
    let mut old = root.open_file(from)?;
    let metadata = old.metadata()?;
    let folder = to.parent().unwrap_or(Path::new(""));
    let (mut copy, temporary) = root.create_temporary(folder, new_file().private())?;
    let mut write = || {
        io::copy(&mut old, &mut copy)?;
        copy.set_permissions(metadata.permissions())?;
        copy.set_modified(metadata.modified().unwrap_or_else(|_| SystemTime::now()))?;
        step();
        copy.sync_all()
    };
    let written = write().and_then(|()| {
        step();
        root.rename_new(&temporary, to)
    });
    if written.is_err() {
        // The next run removes it as one that a killed run has left.
        let _ = root.remove_file(&temporary);
    }
    written
}

/// Removes a file or link.
pub(super) fn remove_file(root: &Beneath, place: &Path) -> io::Result<()> {
    step();
    root.remove_file(place)
}

/// Removes a folder if there is nothing in it.
pub(super) fn remove_empty_dir(root: &Beneath, place: &Path) {
    step();
    // It may hold something, or be gone.
    let _ = root.remove_dir(place);
}

/// Removes a folder with all that is in it.
pub(super) fn remove_tree(root: &Beneath, place: &Path) -> io::Result<()> {
    step();
    match root.remove_all(place) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Lets new names reach the disk. Systems without a way to do that keep the order of renames.
pub(super) fn sync_names(root: &Beneath, folder: &Path) {
    step();
    // Some file systems cannot; the files themselves are whole.
    let _ = root.sync_names(folder);
}

/// Whether two files hold the same. Unreadable files are not equal.
pub(super) fn are_equal(root: &Beneath, one: &Path, other: &Path) -> bool {
    let content = |place: &Path| {
        let file = root.open_file(place).ok()?;
        let metadata = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
        Some((metadata.len(), io::BufReader::new(file).bytes()))
    };
    let (Some((len, mut one)), Some((other_len, mut other))) = (content(one), content(other))
    else {
        return false;
    };
    len == other_len
        && loop {
            match (one.next(), other.next()) {
                (None, None) => break true,
                (Some(Ok(one)), Some(Ok(other))) if one == other => {}
                _ => break false,
            }
        }
}

/// Whether both paths lead to one entry of a folder, as those do that differ in case only where case does not count.
pub(super) fn is_same_entry(root: &Beneath, one: &Path, other: &Path) -> bool {
    let differ_in_case = one != other
        && one.to_string_lossy().to_lowercase() == other.to_string_lossy().to_lowercase();
    differ_in_case && root.is_there(one) && root.is_there(other) && {
        // Where case counts, each of two that are there has an entry of its own.
        let is_named = |place| usize::from(has_name(root, place));
        is_named(one) + is_named(other) == 1
    }
}

/// Whether an entry of the folder is spelt so.
pub(super) fn has_name(root: &Beneath, place: &Path) -> bool {
    let names = place.parent().and_then(|folder| root.names(folder).ok());
    names.is_some_and(|names| names.iter().any(|name| Some(&**name) == place.file_name()))
}
