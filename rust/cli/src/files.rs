//! Reads files, and writes them as a whole or not at all.

mod journal;

use std::collections::HashSet;
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use project::{MAX_FILE_SIZE, read_file, remove_stale_files, temporary_file, temporary_new_file};

use crate::inputs::{Input, Problem};

pub(crate) use journal::{
    finish_all_interrupted, finish_interrupted, problem, tell_of_interrupted,
};

/// Reads an input to its end.
pub(crate) fn read(input: &Input) -> Result<Vec<u8>, Problem> {
    let text = match input {
        Input::File(path) => read_file(path),
        Input::Stream(path) => read_stream(path),
        Input::Stdin => {
            let mut text = Vec::new();
            io::stdin().lock().read_to_end(&mut text).map(|_| text)
        }
    };
    text.map_err(|error| input.problem(error))
}

/// Removes temporary files that killed runs have left in the folders of the inputs.
pub(crate) fn clean_up(inputs: &[Input]) {
    let folders: HashSet<PathBuf> = inputs.iter().filter_map(Input::absolute_folder).collect();
    folders.iter().for_each(|folder| remove_stale_files(folder));
}

fn read_stream(path: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    fs::File::open(path)?.take(MAX_FILE_SIZE + 1).read_to_end(&mut text)?;
    if text.len() as u64 > MAX_FILE_SIZE {
        return Err(io::Error::new(ErrorKind::FileTooLarge, "does not end in a reasonable time"));
    }
    Ok(text)
}

/// Writes a file as a whole or not at all: in the place of the one at `path`, as [`replace`] does, or as
/// a new one. Writes directly to what is not a regular file, such as `/dev/stdout` or a pipe.
pub(crate) fn create_or_replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // In a folder of another user, a link with this name may lead to any file of the user who runs this. `/dev/stdout` is
    // a link, too.
    let is_of_system = ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder));
    if path.is_symlink() && !is_of_system {
        let reason = "is a symbolic link, which is not followed; name the file itself";
        return Err(io::Error::new(ErrorKind::InvalidInput, reason));
    }
    match fs::metadata(path) {
        Ok(there) if there.is_file() => replace(path, bytes),
        Ok(_) => fs::write(path, bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => create(path, bytes),
        Err(error) => Err(error),
    }
}

/// Writes a new file, with the permissions that a new file has.
fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut new = temporary_new_file(folder_of(path))?;
    new.write_all(bytes)?;
    new.as_file().sync_all()?;
    new.persist(path)?;
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Replaces the content of the file at `path`, and keeps its permissions.
///
/// The text is first written to a file beside it, which then takes its name, so that there is always either the old
/// file or the new one, and never a part. A symbolic link stays a link. The price: the new file belongs to the user who
/// runs this, and other hard links keep the old text.
pub(crate) fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    // Renaming would get around the protection of a file that must not be written.
    let old = fs::OpenOptions::new().write(true).open(&path)?;
    let mut new = temporary_file(folder_of(&path))?;
    new.write_all(text)?;
    new.as_file().set_permissions(old.metadata()?.permissions())?;
    new.as_file().sync_all()?;
    drop(old);
    new.persist(&path)?;
    Ok(())
}
