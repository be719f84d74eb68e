//! Reading files, and writing them so that none is ever half written.

mod together;

use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::walk::{Problem, Target};

pub(crate) use together::{Change, write_together};

/// Reads a target to its end.
pub(crate) fn read(target: &Target) -> Result<Vec<u8>, Problem> {
    let text = match target {
        Target::File(path) => fs::read(path),
        Target::Stdin => {
            let mut text = Vec::new();
            io::stdin().lock().read_to_end(&mut text).map(|_| text)
        }
    };
    text.map_err(|error| target.problem(error))
}

/// Writes a file as a whole or not at all: in the place of the one at `path`, as [`replace`] does, or as
/// a new one. What is no file, such as `/dev/stdout` or a pipe, is written to as it stands.
pub(crate) fn create_or_replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if there.is_file() => replace(path, bytes),
        Ok(_) => fs::write(path, bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => create(path, bytes),
        Err(error) => Err(error),
    }
}

/// Writes a new file, with the permissions that a new file has.
fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A symbolic link that leads nowhere stays one.
    if path.is_symlink() {
        return fs::write(path, bytes);
    }
    let mut new = empty_file_beside(path)?;
    new.write_all(bytes)?;
    new.as_file().sync_all()?;
    new.persist(path)?;
    Ok(())
}

/// A file that may become the one at `path`, with the permissions that a new file has.
fn empty_file_beside(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666)); // less the umask
    builder.tempfile_in(folder_of(path))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Puts `text` in the place of the file at `path`, whose permissions stay.
///
/// The text is first written to a file beside it, which then takes its name: whatever happens,
/// one of both is there as a whole. A symbolic link stays one. The new file belongs to who runs
/// this, and other hard links keep the old text: that is the price.
pub(crate) fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    // Renaming would get around the protection of a file that must not be written.
    let old = fs::OpenOptions::new().write(true).open(&path)?;
    let mut new = NamedTempFile::new_in(folder_of(&path))?;
    new.write_all(text)?;
    new.as_file().set_permissions(old.metadata()?.permissions())?;
    new.as_file().sync_all()?;
    drop(old);
    new.persist(&path)?;
    Ok(())
}
