//! Reading files, and writing them so that none is ever half written.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::walk::{Problem, Target};

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

/// Puts `text` in the place of the file at `path`, whose permissions stay.
///
/// The text is first written to a file beside it, which then takes its name: whatever happens,
/// one of both is there as a whole. A symbolic link stays one. The new file belongs to who runs
/// this, and other hard links keep the old text: that is the price.
pub(crate) fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    // Renaming would get around the protection of a file that must not be written.
    let old = fs::OpenOptions::new().write(true).open(&path)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut new = NamedTempFile::new_in(folder)?;
    new.write_all(text)?;
    new.as_file().set_permissions(old.metadata()?.permissions())?;
    new.as_file().sync_all()?;
    drop(old);
    new.persist(&path)?;
    Ok(())
}
