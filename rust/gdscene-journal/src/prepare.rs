//! The work before the first file changes: finds all obstacles, and puts all new contents on the disk.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use cap_std::fs::{Metadata, OpenOptions};
use godot_project::beneath::{Beneath, Private, new_file};
use godot_project::inside::{below, locate};
use godot_project::temporary_name_of;
use rayon::prelude::*;

use super::disk;
use super::error::{JournalError, Trouble};
use super::home::Home;
use super::record::{Content, Record, RecordedWrite};
use super::state::{Part, Progress, Route};

/// A change that can begin.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) record: Record,
    pub(super) progress: Progress,
}

/// Checks that all steps are possible, and writes the journal and the new contents next to the
/// files.
///
/// # Errors
/// When it cannot. Nothing is left then.
pub(super) fn prepare(home: &Home, record: Record) -> Result<Prepared, JournalError> {
    let record = Record { new_folders: missing_folders(home, &record), token: token(), ..record };
    let progress = Progress::of(home, &record);
    refuse(not_old(&record, &progress))?;
    refuse(in_the_way(home, &record, &progress))?;
    home.write_begun(&record)?;
    let written =
        write_texts(home, &record, &progress).and_then(|()| check_owners(home, &record, &progress));
    // To write them took a while.
    let progress = Progress::of(home, &record);
    let checked = refuse(written.err().into_iter().collect())
        .and_then(|()| refuse(not_old(&record, &progress)));
    if let Err(error) = checked {
        discard_texts(home, &record, &progress);
        return Err(error);
    }
    Ok(Prepared { record, progress })
}

/// Writes the new contents next to their files.
///
/// # Errors
/// When one cannot be written, as on a full disk.
pub(super) fn write_texts(
    home: &Home,
    record: &Record,
    progress: &Progress,
) -> Result<(), Trouble> {
    let due = record.writes.par_iter().zip(&progress.writes).enumerate();
    due.filter(|(_, (_, (part, _)))| *part == Part::Old).try_for_each(
        |(index, (write, (_, place)))| {
            let Some(Content(after)) = &write.after else { return Ok(()) };
            let trouble = |error: io::Error| Trouble::new(write.path.clone(), error);
            let path = temporary_path(record, index, place).map_err(trouble)?;
            let old = write.before.as_ref().map(|_| place.as_path());
            let written = write_text(home.root(), &path, old, after);
            written.map_err(trouble)
        },
    )
}

/// Removes the new contents that are next to their files and have not taken their names, and the folders that were made for
/// them.
pub(super) fn discard_texts(home: &Home, record: &Record, progress: &Progress) {
    for (index, (_, place)) in progress.writes.iter().enumerate() {
        if let Ok(path) = temporary_path(record, index, place)
            && home.root().metadata(&path).is_ok_and(|found| found.is_file())
        {
            // The next run removes it as one that a killed run has left.
            let _ = disk::remove_file(home.root(), &path);
        }
    }
    remove_if_empty(home, &record.new_folders);
}

/// Removes those of these folders in which nothing is left.
pub(super) fn remove_if_empty(home: &Home, folders: &[String]) {
    for folder in folders.iter().rev() {
        if let Ok(place) = locate(home.root().path(), folder) {
            disk::remove_empty_dir(home.root(), &place);
        }
    }
}

/// Where the new content of a file is written.
///
/// # Errors
/// When the name is not one for that.
pub(super) fn temporary_path(record: &Record, index: usize, place: &Path) -> io::Result<PathBuf> {
    let name = temporary_name_of(&format!("{}{index:06x}", record.token));
    let name = name.ok_or_else(|| io::Error::other("too many files change at once"))?;
    Ok(place.with_file_name(name))
}

/// In a folder like `/tmp`, a file of another user can be written to, but not be replaced.
fn check_owners(home: &Home, record: &Record, progress: &Progress) -> Result<(), Trouble> {
    let root = home.root();
    for (index, (write, (_, place))) in record.writes.iter().zip(&progress.writes).enumerate() {
        if write.before.is_some()
            && let Ok(own) =
                temporary_path(record, index, place).and_then(|place| root.metadata(&place))
            && is_protected(root, &own, place)
        {
            return Err(Trouble::new(write.path.clone(), OTHERS_FILE));
        }
    }
    Ok(())
}

const OTHERS_FILE: &str =
    "it belongs to another user, and only this user can replace it in its folder";

/// Whether the file at `place` can only be replaced by another user than the one whom the file `own` belongs to.
#[cfg(unix)]
fn is_protected(root: &Beneath, own: &Metadata, place: &Path) -> bool {
    use cap_std::fs::MetadataExt;
    const STICKY: u32 = 0o1000;
    let folder = place.parent().and_then(|folder| root.folder_metadata(folder).ok());
    let (Some(folder), Ok(file)) = (folder, root.metadata(place)) else { return false };
    folder.mode() & STICKY != 0 && ![0, folder.uid(), file.uid()].contains(&own.uid())
}

#[cfg(not(unix))]
fn is_protected(_: &Beneath, _: &Metadata, _: &Path) -> bool {
    false
}

fn write_text(root: &Beneath, place: &Path, old: Option<&Path>, content: &[u8]) -> io::Result<()> {
    let folder = place.parent().unwrap_or(Path::new(""));
    if !root.is_dir(folder) {
        root.create_dir_all(folder)?;
    }
    let mut options = new_file();
    let mut permissions = None;
    if let Some(old) = old {
        // Until it has the permissions of the file.
        options.private();
        permissions = Some(root.open_file(old)?.metadata()?.permissions());
    }
    let mut file = disk::create(root, &mut options, place)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    disk::fill(&mut file, content)
}

fn refuse(troubles: Vec<Trouble>) -> Result<(), JournalError> {
    if troubles.is_empty() { Ok(()) } else { Err(JournalError::Refused(troubles)) }
}

/// The files that have changed since the plan.
fn not_old(record: &Record, progress: &Progress) -> Vec<Trouble> {
    let mut troubles = progress.neither();
    let changed = "it has changed since it was read";
    for (write, (part, _)) in record.writes.iter().zip(&progress.writes) {
        if matches!(part, Part::New | Part::Copied) {
            troubles.push(Trouble::new(write.path.clone(), changed));
        }
    }
    let moves = record.moves.iter().map(|moved| (&moved.from, &moved.to)).zip(&progress.moves);
    let kept = |kept: &'_ super::record::Kept| kept.path.clone();
    let removed = record.removals.iter().map(kept).zip(&progress.removals);
    let restored = record.restores.iter().map(kept).zip(&progress.restores);
    for ((from, to), (part, _)) in moves {
        match part {
            Part::Copied => troubles.push(Trouble::new(to.clone(), "it already exists")),
            Part::New => troubles.push(Trouble::new(from.clone(), "it is gone")),
            _ => {}
        }
    }
    for (path, (part, _)) in removed.chain(restored) {
        if matches!(part, Part::New | Part::Copied) {
            troubles.push(Trouble::new(path, changed));
        }
    }
    troubles
}

/// The obstacles to changes.
fn in_the_way(home: &Home, record: &Record, progress: &Progress) -> Vec<Trouble> {
    let mut troubles = Vec::new();
    let mut contents: BTreeMap<&Path, &RecordedWrite> = BTreeMap::new();
    for (write, (_, place)) in record.writes.iter().zip(&progress.writes) {
        // A link in the project may lead to it, too.
        let same = contents.insert(place, write).filter(|same| same.after != write.after);
        if let Some(same) = same {
            let reason =
                format!("it is the same file as `{}`, whose content must differ", same.path);
            troubles.push(Trouble::new(write.path.clone(), reason));
        }
        if write.before.is_some()
            && let Err(error) = check_writable(home.root(), place)
        {
            troubles.push(Trouble::new(write.path.clone(), error));
        }
    }
    let moves = record.moves.iter().map(|moved| &moved.from).zip(&progress.moves);
    let removals = record.removals.iter().map(|kept| &kept.path).zip(&progress.removals);
    let restores = record.restores.iter().map(|kept| &kept.path).zip(&progress.restores);
    let mut folders = BTreeMap::new();
    for (path, (_, route)) in moves.chain(removals.clone()).chain(restores) {
        let checked = check_route(home, route, &mut folders);
        troubles.extend(checked.err().map(|error| Trouble::new(path.clone(), error)));
    }
    for (path, (_, route)) in removals {
        let found = home.root().metadata(&route.from);
        if found.is_ok_and(|found| !found.is_symlink() && found.permissions().readonly()) {
            troubles.push(Trouble::new(path.clone(), "it is read-only"));
        }
    }
    troubles
}

fn check_writable(root: &Beneath, place: &Path) -> io::Result<()> {
    if root.metadata(place)?.permissions().readonly() {
        return Err(io::Error::other("it is read-only"));
    }
    // To rename another over it would get around the protection of a file that must not be written.
    root.open_with(place, OpenOptions::new().write(true)).map(drop)
}

/// Whether something can be moved so. `folders` are the folders known as writable, with the metadata of a file that we make
/// in them.
fn check_route(
    home: &Home,
    route: &Route,
    folders: &mut BTreeMap<PathBuf, Metadata>,
) -> io::Result<()> {
    let (root, top) = (home.root(), Path::new(""));
    let from = route.from.parent().unwrap_or(top);
    let to = route.to.ancestors().skip(1).find(|folder| root.is_dir(folder)).unwrap_or(top);
    for folder in [from, to] {
        // A kept file comes into a folder that is being made.
        if folder.starts_with(home.folder()) || folders.contains_key(folder) {
            continue;
        }
        let failed = |error: io::Error| {
            let reason =
                format!("`{}` cannot be changed: {error}", root.path().join(folder).display());
            io::Error::new(error.kind(), reason)
        };
        folders.insert(folder.to_owned(), probe(root, folder).map_err(failed)?);
    }
    if folders.get(from).is_some_and(|own| is_protected(root, own, &route.from)) {
        return Err(io::Error::other(OTHERS_FILE));
    }
    let found = root.metadata(&route.from)?;
    if found.is_symlink() && route.from.parent() != route.to.parent() && !is_in(home, &route.to) {
        let target = root.read_link(&route.from)?;
        if target.is_relative() && !is_in(home, &route.from) {
            let reason = "it is a relative symbolic link, which would lead to a different place; move it manually";
            return Err(io::Error::other(reason));
        }
    }
    if found.is_dir() && !is_on_same_device(&found, &root.folder_metadata(to)?) {
        let reason = "it is a folder, and would move to another file system; move it manually";
        return Err(io::Error::other(reason));
    }
    Ok(())
}

/// The metadata of a file that is made in this folder.
fn probe(root: &Beneath, folder: &Path) -> io::Result<Metadata> {
    let (_file, place) = root.create_temporary(folder, &mut new_file())?;
    let metadata = root.metadata(&place);
    root.remove_file(&place)?;
    metadata
}

fn is_in(home: &Home, place: &Path) -> bool {
    place.starts_with(home.folder())
}

#[cfg(unix)]
fn is_on_same_device(one: &Metadata, other: &Metadata) -> bool {
    use cap_std::fs::MetadataExt;
    one.dev() == other.dev()
}

#[cfg(not(unix))]
fn is_on_same_device(_: &Metadata, _: &Metadata) -> bool {
    true
}

/// The folders that have to be made, outer ones first.
fn missing_folders(home: &Home, record: &Record) -> Vec<String> {
    let new = record.writes.iter().filter(|write| write.before.is_none()).map(|write| &write.path);
    let moved = record.moves.iter().map(|moved| &moved.to);
    let restored = record.restores.iter().map(|kept| &kept.path);
    let routes = record.routes();
    let mut missing = BTreeSet::new();
    for path in new.chain(moved).chain(restored) {
        let start = "res://".len();
        for (end, _) in path.match_indices('/').filter(|(end, _)| *end > start) {
            let folder = &path[..end];
            let is_there = |place: PathBuf| home.root().is_there(&place);
            if below(folder).is_some() && !locate(home.root().path(), folder).is_ok_and(is_there) {
                missing.insert(record.new_path(&routes, folder));
            }
        }
    }
    missing.into_iter().collect()
}

/// The part of the names of temporary files that differs from run to run.
fn token() -> String {
    format!("{:04x}", RandomState::new().build_hasher().finish() & 0xffff)
}
