//! The folder in which a project's journal is kept, and the lock.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use super::disk;
use super::error::{JournalError, Trouble};
use super::prepare::discard_texts;
use super::record::{Record, Slot};
use super::state::Progress;

/// Godot's own folder in a project, and ours in it.
const FOLDERS: [&str; 2] = [".godot", ".godot/gdscene"];
/// Ours where Godot's is behind a link, which may lead anywhere.
const FOLDER_WITHOUT_GODOT: [&str; 1] = [".gdscene"];
const BEGUN: &str = "begun";
const PENDING: &str = "pending";
const LAST: &str = "last";
/// What is only left to be removed.
const OLD: &str = "old";
const JOURNAL: &str = "journal";
const KEPT: &str = "kept";

/// How long another run is waited for, and how often it is looked for.
const PATIENCE: u32 = 20;
const PAUSE: Duration = Duration::from_millis(100);

/// Where the journal of a project is.
#[derive(Debug)]
pub(super) struct Home {
    /// The project's folder, without links.
    root: PathBuf,
    folder: PathBuf,
    /// Held as long as this is there.
    _lock: Option<File>,
}

impl Home {
    /// That of the project in the folder `root`, if it has one, to look into it.
    pub(super) fn found(root: &Path) -> Result<Option<Self>, JournalError> {
        let unusable = |error: io::Error| unusable(root, &error);
        let root = &fs::canonicalize(root).map_err(unusable)?;
        // One behind a link is not ours.
        let is_there = |folder: &&str| is_folder(&root.join(folder)).unwrap_or(false);
        let folders = folders(root);
        let folder = folders.last().filter(|_| folders.iter().all(is_there));
        let found = |folder| Self { root: root.clone(), folder: root.join(folder), _lock: None };
        Ok(folder.map(found))
    }

    /// That of the project in the folder `root`, which is made if it is not there, with the lock.
    pub(super) fn make(root: &Path) -> Result<Self, JournalError> {
        let root = &fs::canonicalize(root).map_err(|error| unusable(root, &error))?;
        let unusable = |error: io::Error| unusable(root, &error);
        let mut folder = root.clone();
        for name in folders(root) {
            folder = root.join(name);
            if !is_folder(&folder).map_err(unusable)? {
                match disk::create_dir(&folder) {
                    Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                        return Err(unusable(error));
                    }
                    _ => {}
                }
            }
        }
        let ignore = folder.join(".gitignore");
        if fs::symlink_metadata(&ignore).is_err() {
            // Some keep `.godot` in git. Another run may be faster.
            match disk::write_new(&ignore, &[b"*\n"]) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                    return Err(unusable(error));
                }
                _ => {}
            }
        }
        let lock = folder.join("lock");
        if lock.is_symlink() {
            return Err(unusable(io::Error::other("`lock` is a symbolic link")));
        }
        let lock = File::options().create(true).append(true).open(lock).map_err(unusable)?;
        wait_for(&lock)?;
        let home = Self { root: root.clone(), folder, _lock: Some(lock) };
        // What a run had written beside the files that was killed before it began.
        if !home.has_pending()
            && let Ok(record) = home.read(BEGUN)
        {
            discard_texts(&home, &record, &Progress::of(&home, &record));
        }
        for left in [BEGUN, OLD] {
            disk::remove_tree(&home.folder.join(left)).map_err(unusable)?;
        }
        Ok(home)
    }

    /// The project's folder, without links.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether changes are being made, or were when a run was killed.
    pub(super) fn has_pending(&self) -> bool {
        fs::symlink_metadata(self.folder.join(PENDING)).is_ok()
    }

    /// Whether changes are being prepared, or were when a run was killed.
    pub(super) fn has_begun(&self) -> bool {
        fs::symlink_metadata(self.folder.join(BEGUN)).is_ok()
    }

    /// Whether no run is at work.
    pub(super) fn is_free(&self) -> bool {
        File::open(self.folder.join("lock"))
            .is_ok_and(|lock| !matches!(lock.try_lock(), Err(TryLockError::WouldBlock)))
    }

    /// What is being done.
    pub(super) fn pending(&self) -> Result<Record, JournalError> {
        self.read(PENDING)
    }

    /// What was done last, if it can be taken back.
    pub(super) fn last(&self) -> Result<Option<Record>, JournalError> {
        let is_there = fs::symlink_metadata(self.folder.join(LAST)).is_ok();
        is_there.then(|| self.read(LAST)).transpose()
    }

    /// The folder without which a killed run is forgotten.
    pub(super) fn pending_folder(&self) -> PathBuf {
        self.folder.join(PENDING)
    }

    /// Where a file that was removed is kept.
    pub(super) fn slot(&self, slot: Slot) -> PathBuf {
        let (folder, number) = match slot {
            Slot::Pending(number) => (PENDING, number),
            Slot::Last(number) => (LAST, number),
        };
        self.folder.join(folder).join(KEPT).join(number.to_string())
    }

    /// Writes the journal of what is about to be done.
    pub(super) fn write_begun(&self, record: &Record) -> Result<(), JournalError> {
        let journal = record.encoded()?;
        let begun = self.folder.join(BEGUN);
        let written = (|| {
            disk::create_dir(&begun)?;
            disk::create_dir(&begun.join(KEPT))?;
            let parts: Vec<&[u8]> = journal.chunks(1 << 20).collect();
            disk::write_new(&begun.join(JOURNAL), &parts)?;
            disk::sync_names(&begun);
            Ok(())
        })();
        written.map_err(|error: io::Error| unusable(&self.root, &error))
    }

    /// From now on it counts as to be done.
    pub(super) fn begin(&self) -> Result<(), JournalError> {
        disk::rename(&self.folder.join(BEGUN), &self.folder.join(PENDING))
            .map_err(|error| unusable(&self.root, &error))?;
        disk::sync_names(&self.folder);
        Ok(())
    }

    /// From now on it counts as done. With `is_kept` it is what was done last.
    pub(super) fn close(&self, is_kept: bool) -> Result<(), JournalError> {
        let [pending, last, old] = [PENDING, LAST, OLD].map(|name| self.folder.join(name));
        let closed = (|| {
            if is_kept {
                if fs::symlink_metadata(&last).is_ok() {
                    disk::rename(&last, &old)?;
                }
                disk::rename(&pending, &last)?;
            } else {
                disk::rename(&pending, &old)?;
            }
            disk::sync_names(&self.folder);
            disk::remove_tree(&old)
        })();
        let trouble =
            |error: io::Error| JournalError::Stuck { trouble: Trouble::at(&pending, &error) };
        closed.map_err(trouble)
    }

    fn read(&self, name: &str) -> Result<Record, JournalError> {
        let folder = self.folder.join(name);
        let damaged = |reason: String| JournalError::Damaged { path: folder.clone(), reason };
        for part in [&folder, &folder.join(KEPT)] {
            match is_folder(part) {
                Ok(true) => {}
                Ok(false) => return Err(damaged(format!("`{}` is missing", part.display()))),
                Err(error) => return Err(damaged(error.to_string())),
            }
        }
        let journal = folder.join(JOURNAL);
        if journal.is_symlink() {
            return Err(damaged("it is a symbolic link".to_owned()));
        }
        Record::read(&journal).map_err(damaged)
    }
}

/// The folders to ours in a project, from its own.
fn folders(root: &Path) -> &'static [&'static str] {
    if root.join(FOLDERS[0]).is_symlink() { &FOLDER_WITHOUT_GODOT } else { &FOLDERS }
}

/// Whether there is a folder, which is not behind a link.
fn is_folder(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => Ok(true),
        Ok(found) => {
            let what = if found.is_symlink() {
                "a symbolic link, which is not followed"
            } else {
                "not a folder"
            };
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            Err(io::Error::other(format!("`{name}` is {what}")))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn wait_for(lock: &File) -> Result<(), JournalError> {
    for _ in 0..PATIENCE {
        // Not every file system has locks; there, two runs at once are not told apart.
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => sleep(PAUSE),
            _ => return Ok(()),
        }
    }
    Err(JournalError::Busy)
}

fn unusable(root: &Path, error: &io::Error) -> JournalError {
    let path = folders(root).last().map_or_else(|| root.to_owned(), |folder| root.join(folder));
    JournalError::Unusable { path, reason: error.to_string() }
}
