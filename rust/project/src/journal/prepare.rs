//! What is done before the first file changes: whatever can be in the way is found, and all new contents are on the disk.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::disk;
use super::error::{JournalError, Trouble};
use super::home::Home;
use super::place::{below, locate};
use super::record::{Content, Record};
use super::state::{Part, Progress, Route};
use crate::temporary::temporary_name_of;

/// What can be begun.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) record: Record,
    pub(super) progress: Progress,
}

/// Looks whether all can be done, and writes the journal and the new contents beside the files.
///
/// # Errors
/// When it cannot. Nothing is left then.
pub(super) fn prepare(home: &Home, record: Record) -> Result<Prepared, JournalError> {
    let record = Record { new_folders: missing_folders(home, &record), token: token(), ..record };
    let progress = Progress::of(home, &record);
    refuse(not_old(&record, &progress))?;
    refuse(in_the_way(home, &record, &progress))?;
    home.write_begun(&record)?;
    let written = write_texts(&record, &progress).and_then(|()| check_owners(&record, &progress));
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

/// Writes the new contents that are due beside their files.
///
/// # Errors
/// When one cannot be written, as on a full disk.
pub(super) fn write_texts(record: &Record, progress: &Progress) -> Result<(), Trouble> {
    let due = record.writes.par_iter().zip(&progress.writes).enumerate();
    due.filter(|(_, (_, (part, _)))| *part == Part::Old).try_for_each(
        |(index, (write, (_, place)))| {
            let Some(Content(after)) = &write.after else { return Ok(()) };
            let trouble = |error: io::Error| Trouble::new(write.path.clone(), error);
            let path = temporary_path(record, index, place).map_err(trouble)?;
            let written = write_text(&path, write.before.as_ref().map(|_| place.as_path()), after);
            written.map_err(trouble)
        },
    )
}

/// Removes the contents that were written beside their files and have not taken their names, and the folders that were made
/// for them.
pub(super) fn discard_texts(home: &Home, record: &Record, progress: &Progress) {
    for (index, (_, place)) in progress.writes.iter().enumerate() {
        if let Ok(path) = temporary_path(record, index, place)
            && fs::symlink_metadata(&path).is_ok_and(|found| found.is_file())
        {
            // The next run removes it as one that a killed run has left.
            let _ = disk::remove_file(&path);
        }
    }
    remove_if_empty(home, &record.new_folders);
}

/// Removes those of these folders in which nothing is left.
pub(super) fn remove_if_empty(home: &Home, folders: &[String]) {
    for folder in folders.iter().rev() {
        if let Ok(place) = locate(home.root(), folder) {
            disk::remove_empty_dir(&place);
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
fn check_owners(record: &Record, progress: &Progress) -> Result<(), Trouble> {
    for (index, (write, (_, place))) in record.writes.iter().zip(&progress.writes).enumerate() {
        if write.before.is_some()
            && let Ok(own) = temporary_path(record, index, place).and_then(fs::symlink_metadata)
            && is_protected(&own, place)
        {
            return Err(Trouble::new(write.path.clone(), OTHERS_FILE));
        }
    }
    Ok(())
}

const OTHERS_FILE: &str =
    "it belongs to another user, and only that one may replace it in its folder";

/// Whether the file at `place` can only be replaced by another user than the one whom the file `own` belongs to.
#[cfg(unix)]
fn is_protected(own: &fs::Metadata, place: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    const STICKY: u32 = 0o1000;
    let owner = |path: &Path| fs::symlink_metadata(path).map(|found| (found.uid(), found.mode()));
    let (Some(Ok((folder, mode))), Ok((file, _))) = (place.parent().map(owner), owner(place))
    else {
        return false;
    };
    mode & STICKY != 0 && ![0, folder, file].contains(&own.uid())
}

#[cfg(not(unix))]
fn is_protected(_: &fs::Metadata, _: &Path) -> bool {
    false
}

fn write_text(path: &Path, old: Option<&Path>, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    if !folder.is_dir() {
        fs::create_dir_all(folder)?;
    }
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if old.is_some() {
        // Until it has the permissions of the file.
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let mut file = disk::create(&options, path)?;
    if let Some(old) = old {
        file.set_permissions(fs::metadata(old)?.permissions())?;
    }
    disk::fill(&mut file, content)
}

fn refuse(troubles: Vec<Trouble>) -> Result<(), JournalError> {
    if troubles.is_empty() { Ok(()) } else { Err(JournalError::Refused(troubles)) }
}

/// What is not as the changes were made for.
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
            Part::Copied => troubles.push(Trouble::new(to.clone(), "it is there already")),
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

/// What cannot be changed.
fn in_the_way(home: &Home, record: &Record, progress: &Progress) -> Vec<Trouble> {
    let mut troubles = Vec::new();
    for (write, (_, place)) in record.writes.iter().zip(&progress.writes) {
        if write.before.is_some()
            && let Err(error) = check_writable(place)
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
        let found = fs::symlink_metadata(&route.from);
        if found.is_ok_and(|found| !found.is_symlink() && found.permissions().readonly()) {
            troubles.push(Trouble::new(path.clone(), "it is read-only"));
        }
    }
    troubles
}

fn check_writable(place: &Path) -> io::Result<()> {
    if fs::metadata(place)?.permissions().readonly() {
        return Err(io::Error::other("it is read-only"));
    }
    // To rename another over it would get around the protection of a file that must not be written.
    File::options().write(true).open(place).map(drop)
}

/// Whether something can be moved so. `folders` are those that are known to be writable, with what a file has that we make in
/// them.
fn check_route(
    home: &Home,
    route: &Route,
    folders: &mut BTreeMap<PathBuf, fs::Metadata>,
) -> io::Result<()> {
    let from = route.from.parent().unwrap_or(home.root());
    let to = route.to.ancestors().skip(1).find(|folder| folder.is_dir()).unwrap_or(home.root());
    for folder in [from, to] {
        // What is kept comes into a folder that is being made.
        if folder.starts_with(home.folder()) || folders.contains_key(folder) {
            continue;
        }
        let failed = |error: io::Error| {
            let reason = format!("`{}` cannot be changed: {error}", folder.display());
            io::Error::new(error.kind(), reason)
        };
        let own = tempfile::tempfile_in(folder).and_then(|file| file.metadata());
        folders.insert(folder.to_owned(), own.map_err(failed)?);
    }
    if folders.get(from).is_some_and(|own| is_protected(own, &route.from)) {
        return Err(io::Error::other(OTHERS_FILE));
    }
    let found = fs::symlink_metadata(&route.from)?;
    if found.is_symlink() && route.from.parent() != route.to.parent() && !is_in(home, &route.to) {
        let target = fs::read_link(&route.from)?;
        if target.is_relative() && !is_in(home, &route.from) {
            let reason =
                "it is a relative symbolic link, which would lead elsewhere; move it by hand";
            return Err(io::Error::other(reason));
        }
    }
    if found.is_dir() && !is_on_same_device(&route.from, to) {
        let reason = "it is a folder, and would come to another file system; move it by hand";
        return Err(io::Error::other(reason));
    }
    Ok(())
}

fn is_in(home: &Home, place: &Path) -> bool {
    place.starts_with(home.folder())
}

#[cfg(unix)]
fn is_on_same_device(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let device = |path: &Path| fs::symlink_metadata(path).map(|found| found.dev()).ok();
    device(one) == device(other)
}

#[cfg(not(unix))]
fn is_on_same_device(_: &Path, _: &Path) -> bool {
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
            let is_there = |place: PathBuf| fs::symlink_metadata(place).is_ok();
            if below(folder).is_some() && !locate(home.root(), folder).is_ok_and(is_there) {
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
