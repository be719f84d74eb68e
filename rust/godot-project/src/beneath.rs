//! Files below one folder, reached without following a link.
//!
//! A project of strangers can hold a link at any place where a path that we make up is expected. Each folder on the
//! path to a file is opened from its parent, so a link fails instead of leading out, also when it appears meanwhile.
//! Links that belong to the project are resolved before (`journal/place.rs`), and their targets come here.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Component, Path, PathBuf};

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, OpenOptions};

use crate::read::{MAX_FILE_SIZE, expect_file, read_opened};
use crate::temporary_name::random_name;

/// A folder below which files are read and written. Paths are relative to it, and without `.` and `..`.
#[derive(Debug)]
pub struct Beneath {
    dir: Dir,
    /// Without links.
    path: PathBuf,
}

/// How often another name is tried for a new file.
const NAME_ATTEMPTS: u32 = 8;

impl Beneath {
    /// The folder at `path`, which may be a link.
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = fs::canonicalize(path)?;
        let dir = Dir::open_ambient_dir(&path, ambient_authority())?;
        Ok(Self { dir, path })
    }

    /// Where the folder is, without links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The thing at `place` itself: a link is not followed.
    pub fn metadata(&self, place: &Path) -> io::Result<Metadata> {
        let (folder, name) = self.parent(place)?;
        folder.symlink_metadata(name)
    }

    /// The metadata of a folder below this one, or of this one for an empty path.
    pub fn folder_metadata(&self, folder: &Path) -> io::Result<Metadata> {
        self.folder(folder)?.dir_metadata()
    }

    /// Whether there is something at `place`, even if it is a link.
    pub fn is_there(&self, place: &Path) -> bool {
        self.metadata(place).is_ok()
    }

    /// Whether `place` is a folder that no link leads to.
    pub fn is_dir(&self, place: &Path) -> bool {
        self.folder(place).is_ok()
    }

    /// The content of a regular file of at most [`MAX_FILE_SIZE`].
    pub fn read(&self, place: &Path) -> io::Result<Vec<u8>> {
        read_opened(self.open_file(place)?, MAX_FILE_SIZE)
    }

    /// Opens a file to read it. It need not be a regular one, but opening it does not wait.
    pub fn open_file(&self, place: &Path) -> io::Result<File> {
        self.open_with(place, OpenOptions::new().read(true))
    }

    /// Opens or makes a file.
    pub fn open_with(&self, place: &Path, options: &mut OpenOptions) -> io::Result<File> {
        let (folder, name) = self.parent(place)?;
        let file = folder.open_with(name, options.follow(FollowSymlinks::No).nonblock(true))?;
        Ok(file.into_std())
    }

    /// The names in a folder.
    pub fn names(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        let entries = self.folder(folder)?.entries()?;
        entries.map(|entry| Ok(entry?.file_name())).collect()
    }

    /// Creates a folder in one that exists.
    ///
    /// # Errors
    /// When that fails, or a link is on the way.
    pub fn create_dir(&self, place: &Path) -> io::Result<()> {
        let (folder, name) = self.parent(place)?;
        folder.create_dir(name)
    }

    /// Makes a folder, and those on the way to it.
    pub fn create_dir_all(&self, place: &Path) -> io::Result<()> {
        let mut made = PathBuf::new();
        for name in place.components() {
            made.push(name);
            match self.create_dir(&made) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
        }
        self.folder(place).map(drop)
    }

    /// Makes a file in `folder` under a name that cannot be guessed. It is locked until it is closed: a run regards an old file
    /// without a lock as the rest of a killed run.
    pub fn create_temporary(
        &self,
        folder: &Path,
        options: &mut OpenOptions,
    ) -> io::Result<(File, PathBuf)> {
        let mut attempts = 0..NAME_ATTEMPTS;
        loop {
            let place = folder.join(random_name()?);
            match self.open_with(&place, options) {
                Err(error)
                    if error.kind() == ErrorKind::AlreadyExists && attempts.next().is_some() => {}
                opened => {
                    let file = opened?;
                    // Not every file system has locks.
                    let _ = file.try_lock();
                    return Ok((file, place));
                }
            }
        }
    }

    /// Removes a file or link.
    pub fn remove_file(&self, place: &Path) -> io::Result<()> {
        let (folder, name) = self.parent(place)?;
        folder.remove_file_or_symlink(name)
    }

    /// Removes an empty folder.
    pub fn remove_dir(&self, place: &Path) -> io::Result<()> {
        let (folder, name) = self.parent(place)?;
        folder.remove_dir(name)
    }

    /// Removes whatever is at `place`, with all that is in it.
    pub fn remove_all(&self, place: &Path) -> io::Result<()> {
        let (folder, name) = self.parent(place)?;
        match folder.symlink_metadata(name) {
            Ok(found) if found.is_dir() => folder.remove_dir_all(name),
            Ok(_) => folder.remove_file_or_symlink(name),
            Err(error) => Err(error),
        }
    }

    /// Gives a file the name of another, in the place of that.
    pub fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let ((from, old), (to, new)) = (self.parent(from)?, self.parent(to)?);
        from.rename(old, &to, new)
    }

    /// [`Beneath::rename`] to a name that must be free.
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    pub fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        use rustix::fs::{RenameFlags, renameat_with};
        use rustix::io::Errno;
        let ((from_folder, old), (to_folder, new)) = (self.parent(from)?, self.parent(to)?);
        match renameat_with(&from_folder, old, &to_folder, new, RenameFlags::NOREPLACE) {
            // Not every file system knows the flag.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => self.rename_free(from, to),
            result => Ok(result?),
        }
    }

    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    pub(crate) fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.rename_free(from, to)
    }

    fn rename_free(&self, from: &Path, to: &Path) -> io::Result<()> {
        if self.is_there(to) { Err(ErrorKind::AlreadyExists.into()) } else { self.rename(from, to) }
    }

    /// Where a link leads to.
    pub fn read_link(&self, place: &Path) -> io::Result<PathBuf> {
        let (folder, name) = self.parent(place)?;
        folder.read_link_contents(name)
    }

    /// Makes a link to `target`, wherever that is.
    #[cfg(unix)]
    pub fn link(&self, target: &Path, place: &Path) -> io::Result<()> {
        let (folder, name) = self.parent(place)?;
        folder.symlink_contents(target, name)
    }

    #[cfg(not(unix))]
    pub(crate) fn link(&self, _: &Path, _: &Path) -> io::Result<()> {
        let reason = "a link cannot be moved to another file system";
        Err(io::Error::new(ErrorKind::CrossesDevices, reason))
    }

    /// Lets new names in a folder reach the disk.
    ///
    /// # Errors
    /// Some file systems cannot do that. Systems other than Unix have no way to.
    pub fn sync_names(&self, folder: &Path) -> io::Result<()> {
        #[cfg(unix)]
        {
            use rustix::fs::{Mode, OFlags, fsync, openat};
            // On some systems, the result of `folder` is only a place, and cannot be synced.
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            fsync(openat(self.folder(folder)?, c".", flags, Mode::empty())?)?;
        }
        let _ = folder;
        Ok(())
    }

    /// Writes a file as a whole or not at all: a new one, or in the place of an existing one, with its permissions.
    /// With `before`, only a file with that content is replaced.
    pub(crate) fn write(
        &self,
        place: &Path,
        before: Option<&[u8]>,
        content: &[u8],
    ) -> io::Result<()> {
        let is_other =
            |found: &Metadata| !(found.is_file() || found.is_dir() || found.is_symlink());
        if self.metadata(place).is_ok_and(|found| is_other(&found)) {
            // To open it is to touch it: who reads a pipe would see it end.
            return Err(io::Error::new(ErrorKind::InvalidInput, "is not a regular file"));
        }
        let permissions = match self.open_with(place, OpenOptions::new().write(true)) {
            Ok(old) => Some(permissions_to_keep(&old)?),
            Err(error) if error.kind() == ErrorKind::NotFound && before.is_none() => None,
            Err(error) => return Err(error),
        };
        if let Some(before) = before
            && self.read(place)? != before
        {
            return Err(io::Error::other("has changed since it was read; nothing was written"));
        }
        let folder = place.parent().unwrap_or(Path::new(""));
        let temporary = self.write_temporary(folder, permissions, content)?;
        let renamed = self.rename(&temporary, place);
        if renamed.is_err() {
            // The next run removes it as one that a killed run has left.
            let _ = self.remove_file(&temporary);
        }
        // The file is whole all the same.
        let _ = self.sync_names(folder);
        renamed
    }

    /// Writes a new file in `folder`, which has its place on the disk then.
    fn write_temporary(
        &self,
        folder: &Path,
        permissions: Option<fs::Permissions>,
        content: &[u8],
    ) -> io::Result<PathBuf> {
        let mut options = new_file();
        if permissions.is_some() {
            // Until it has those of the old file.
            options.private();
        }
        let (mut file, temporary) = self.create_temporary(folder, &mut options)?;
        let written = file.write_all(content).and_then(|()| {
            permissions.map_or(Ok(()), |permissions| file.set_permissions(permissions))?;
            file.sync_all()
        });
        if written.is_err() {
            // The next run removes it as one that a killed run has left.
            let _ = self.remove_file(&temporary);
        }
        written.map(|()| temporary)
    }

    /// A folder below this one, or this one for an empty path.
    fn folder(&self, place: &Path) -> io::Result<Dir> {
        let mut folder = self.dir.try_clone()?;
        for part in place.components() {
            let Component::Normal(name) = part else { return Err(not_below()) };
            folder = folder.open_dir_nofollow(name).map_err(|error| {
                let is_link = folder.symlink_metadata(name).is_ok_and(|found| found.is_symlink());
                if is_link { link_on_the_way(name) } else { error }
            })?;
        }
        Ok(folder)
    }

    /// The parent folder, and the name in it.
    fn parent<'p>(&self, place: &'p Path) -> io::Result<(Dir, &'p OsStr)> {
        match (place.parent(), place.file_name()) {
            (Some(folder), Some(name)) => Ok((self.folder(folder)?, name)),
            _ => Err(not_below()),
        }
    }
}

/// The permissions of a file that may be replaced. To rename another over it would get around the protection of a file that
/// must not be written.
fn permissions_to_keep(file: &File) -> io::Result<fs::Permissions> {
    let metadata = file.metadata()?;
    expect_file(&metadata)?;
    let permissions = metadata.permissions();
    if permissions.readonly() {
        return Err(io::Error::new(ErrorKind::PermissionDenied, "the file is read-only"));
    }
    Ok(permissions)
}

/// The options for a new file.
pub fn new_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    options
}

/// Files that only their owner can read.
pub trait Private {
    /// Lets only the owner read and write the created file.
    fn private(&mut self) -> &mut Self;
}

impl Private for OpenOptions {
    fn private(&mut self) -> &mut Self {
        #[cfg(unix)]
        cap_std::fs::OpenOptionsExt::mode(self, 0o600);
        self
    }
}

fn link_on_the_way(name: &OsStr) -> io::Error {
    let name = name.to_string_lossy();
    io::Error::new(
        ErrorKind::InvalidInput,
        format!("`{name}` is a symbolic link, which is not followed"),
    )
}

fn not_below() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "does not name a file below the folder")
}
