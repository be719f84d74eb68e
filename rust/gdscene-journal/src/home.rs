//! The folder in which a project's journal is kept, and the lock.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use cap_std::fs::OpenOptions;
use godot_project::beneath::Beneath;
use godot_project::read::expect_file;
use godot_project::write::expect_no_link_to;

use super::disk;
use super::error::{JournalError, Trouble};
use super::prepare::discard_texts;
use super::record::{Record, Slot, Unusable};
use super::seal::Seal;
use super::state::Progress;

/// Godot's own folder in a project, and ours in it.
const FOLDERS: [&str; 2] = [".godot", ".godot/gdscene"];
/// Ours where Godot's is behind a link, which may lead anywhere.
const FOLDER_WITHOUT_GODOT: [&str; 1] = [".gdscene"];
const BEGUN: &str = "begun";
const PENDING: &str = "pending";
const LAST: &str = "last";
/// Files that remain to be removed.
const OLD: &str = "old";
const JOURNAL: &str = "journal";
const KEPT: &str = "kept";

/// How long another run is waited for, and how often it is looked for.
const PATIENCE: u32 = 20;
const PAUSE: Duration = Duration::from_millis(100);

/// Where the journal of a project is.
#[derive(Debug)]
pub(super) struct Home {
    root: Beneath,
    /// From the project's folder.
    folder: PathBuf,
    /// Held as long as this is there.
    _lock: Option<File>,
}

impl Home {
    /// The home of the project in the folder `root`, if it has one, for reading.
    pub(super) fn found(root: &Path) -> Result<Option<Self>, JournalError> {
        let root = Beneath::open(root).map_err(|error| unusable(root, &error))?;
        // One behind a link is not ours.
        let is_there = |folder: &&str| is_folder(&root, folder.as_ref()).unwrap_or(false);
        let folders = folders(&root);
        let folder = folders.last().filter(|_| folders.iter().all(is_there));
        Ok(folder.map(|folder| Self { folder: folder.into(), root, _lock: None }))
    }

    /// The home of the project in the folder `root`, which is made if it is missing, with the lock.
    pub(super) fn make(root: &Path) -> Result<Self, JournalError> {
        expect_no_link_to(root).map_err(|error| unusable(root, &error))?;
        let root = Beneath::open(root).map_err(|error| unusable(root, &error))?;
        let made = make_folder(&root).and_then(|folder| {
            let lock =
                open_lock(&root, &folder, OpenOptions::new().create(true).read(true).append(true))?;
            Ok((folder, lock))
        });
        let (folder, lock) = made.map_err(|error| unusable_in(&root, &error))?;
        wait_for(&lock)?;
        let home = Self { root, folder, _lock: Some(lock) };
        // Files that a killed run had written next to the files before it began.
        if !home.has_pending()
            && let Ok(record) = home.read(BEGUN)
        {
            discard_texts(&home, &record, &Progress::of(&home, &record));
        }
        for left in [BEGUN, OLD] {
            disk::remove_tree(&home.root, &home.folder.join(left)).map_err(|error| {
                let reason = format!("`{left}` cannot be removed: {error}");
                unusable_in(&home.root, &io::Error::new(error.kind(), reason))
            })?;
        }
        Ok(home)
    }

    /// The project's folder.
    pub(super) fn root(&self) -> &Beneath {
        &self.root
    }

    /// From the project's folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Proves who wrote the project's journals.
    pub(super) fn seal(&self) -> Result<Seal<'_>, JournalError> {
        Seal::of(self.root.path()).map_err(|error| unusable_in(&self.root, &error))
    }

    /// Whether changes are being made, or were when a run was killed.
    pub(super) fn has_pending(&self) -> bool {
        self.root.is_there(&self.folder.join(PENDING))
    }

    /// Whether changes are being prepared, or were when a run was killed.
    pub(super) fn has_begun(&self) -> bool {
        self.root.is_there(&self.folder.join(BEGUN))
    }

    /// Whether no run is at work, or the one at work ends soon. A program that this process starts holds copies of its
    /// locks for a moment, so a lock that is held once proves nothing.
    pub(super) fn is_free(&self) -> bool {
        let lock = open_lock(&self.root, &self.folder, OpenOptions::new().read(true));
        lock.map_or(true, |lock| wait_for(&lock).is_ok())
    }

    /// The running change.
    pub(super) fn pending(&self) -> Result<Record, JournalError> {
        self.read(PENDING)
    }

    /// The last change, if it can be undone.
    pub(super) fn last(&self) -> Result<Option<Record>, JournalError> {
        let is_there = self.root.is_there(&self.folder.join(LAST));
        is_there.then(|| self.read(LAST)).transpose()
    }

    /// The folder without which a killed run is forgotten, for people.
    pub(super) fn pending_folder(&self) -> PathBuf {
        self.root.path().join(&self.folder).join(PENDING)
    }

    /// Where a file that was removed is kept, from the project's folder.
    pub(super) fn slot(&self, slot: Slot) -> PathBuf {
        let (folder, number) = match slot {
            Slot::Pending(number) => (PENDING, number),
            Slot::Last(number) => (LAST, number),
        };
        self.folder.join(folder).join(KEPT).join(number.to_string())
    }

    /// Writes the journal of the next change.
    pub(super) fn write_begun(&self, record: &Record) -> Result<(), JournalError> {
        let journal = record.encoded(&self.seal()?)?;
        let begun = self.folder.join(BEGUN);
        let written = (|| {
            disk::create_dir(&self.root, &begun)?;
            disk::create_dir(&self.root, &begun.join(KEPT))?;
            let parts: Vec<&[u8]> = journal.chunks(1 << 20).collect();
            disk::write_new(&self.root, &begun.join(JOURNAL), &parts)?;
            disk::sync_names(&self.root, &begun);
            Ok(())
        })();
        written.map_err(|error: io::Error| unusable_in(&self.root, &error))
    }

    /// From now on it counts as to be done.
    pub(super) fn begin(&self) -> Result<(), JournalError> {
        disk::rename(&self.root, &self.folder.join(BEGUN), &self.folder.join(PENDING))
            .map_err(|error| unusable_in(&self.root, &error))?;
        disk::sync_names(&self.root, &self.folder);
        Ok(())
    }

    /// From now on it counts as done. With `is_kept` it becomes the last change.
    pub(super) fn close(&self, is_kept: bool) -> Result<(), JournalError> {
        let [pending, last, old] = [PENDING, LAST, OLD].map(|name| self.folder.join(name));
        let closed = (|| {
            if is_kept {
                if self.root.is_there(&last) {
                    disk::rename(&self.root, &last, &old)?;
                }
                disk::rename(&self.root, &pending, &last)?;
            } else {
                disk::rename(&self.root, &pending, &old)?;
            }
            disk::sync_names(&self.root, &self.folder);
            disk::remove_tree(&self.root, &old)
        })();
        let trouble = |error: io::Error| JournalError::Stuck {
            trouble: Trouble::at(&self.pending_folder(), &error),
        };
        closed.map_err(trouble)
    }

    fn read(&self, name: &str) -> Result<Record, JournalError> {
        let folder = self.folder.join(name);
        let path = || self.root.path().join(&folder);
        let damaged =
            |error: io::Error| JournalError::Damaged { path: path(), reason: error.to_string() };
        for part in [&folder, &folder.join(KEPT)] {
            if !is_folder(&self.root, part).map_err(damaged)? {
                let missing = self.root.path().join(part);
                let reason = format!("`{}` is missing", missing.display());
                return Err(JournalError::Damaged { path: path(), reason });
            }
        }
        let journal = self.root.read(&folder.join(JOURNAL)).map_err(damaged)?;
        Record::decoded(&journal, &self.seal()?).map_err(|unusable| match unusable {
            Unusable::Foreign => JournalError::Foreign { path: path() },
            Unusable::Damaged(reason) => JournalError::Damaged { path: path(), reason },
        })
    }
}

/// The folders to ours in a project, from its own.
fn folders(root: &Beneath) -> &'static [&'static str] {
    let is_link = root.metadata(FOLDERS[0].as_ref()).is_ok_and(|found| found.is_symlink());
    if is_link { &FOLDER_WITHOUT_GODOT } else { &FOLDERS }
}

/// Our folder in a project, which is made if it is missing.
fn make_folder(root: &Beneath) -> io::Result<PathBuf> {
    let unless_there = |made: io::Result<()>| match made {
        // Another run may be faster.
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    };
    let mut folder = PathBuf::new();
    for name in folders(root) {
        folder = name.into();
        if !is_folder(root, &folder)? {
            unless_there(disk::create_dir(root, &folder))?;
        }
    }
    let ignore = folder.join(".gitignore");
    if !root.is_there(&ignore) {
        // Some keep `.godot` in git.
        unless_there(disk::write_new(root, &ignore, &[b"*\n"]))?;
    }
    Ok(folder)
}

/// Whether there is a folder, which is not a link.
fn is_folder(root: &Beneath, place: &Path) -> io::Result<bool> {
    match root.metadata(place) {
        Ok(found) if found.is_dir() => Ok(true),
        Ok(found) => {
            let what = if found.is_symlink() {
                "a symbolic link, which is not followed"
            } else {
                "not a folder"
            };
            let name = place.file_name().unwrap_or_default().to_string_lossy();
            Err(io::Error::other(format!("`{name}` is {what}")))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// The file that the process locks that is at work.
fn open_lock(root: &Beneath, folder: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("`lock`: {error}"));
    let lock = root.open_with(&folder.join("lock"), options).map_err(named)?;
    expect_file(&lock.metadata()?).map_err(named)?;
    Ok(lock)
}

fn wait_for(lock: &File) -> Result<(), JournalError> {
    for _ in 0..PATIENCE {
        // Not every file system has locks; there, two runs at once cannot be distinguished.
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => sleep(PAUSE),
            _ => return Ok(()),
        }
    }
    Err(JournalError::Busy)
}

fn unusable(root: &Path, error: &io::Error) -> JournalError {
    JournalError::Unusable { path: root.to_owned(), reason: error.to_string() }
}

fn unusable_in(root: &Beneath, error: &io::Error) -> JournalError {
    let folder = folders(root).last().map_or_else(PathBuf::new, PathBuf::from);
    unusable(&root.path().join(folder), error)
}
