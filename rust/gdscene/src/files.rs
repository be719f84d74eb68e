//! Reads files, and writes them as a whole or not at all.

mod journal;

use std::collections::HashSet;
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use godot_project::{
    MAX_FILE_SIZE, is_of_system, open_stream, read_file, remove_stale_files, write_file,
};

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
        return Err(io::Error::new(
            ErrorKind::FileTooLarge,
            "cannot be read, because its data does not end",
        ));
    }
    Ok(text)
}

/// Writes a file as [`write_file`] does. Writes directly to special files, such as `/dev/stdout` or a pipe.
pub(crate) fn create_or_replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_of_system(path) {
        return open_stream(path)?.write_all(bytes);
    }
    // In a folder of another user, a link with this name may lead to any file of the user who runs this.
    if path.is_symlink() {
        let reason = "is a symbolic link, which is not followed; name the file itself";
        return Err(io::Error::new(ErrorKind::InvalidInput, reason));
    }
    match fs::metadata(path) {
        Ok(there) if !there.is_file() => open_stream(path)?.write_all(bytes),
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => write_file(path, bytes),
    }
}
/// The place on the disk of a file of the project in the folder `root`.
pub(crate) fn file_path(root: &Path, path: &str) -> PathBuf {
    root.join(path.strip_prefix("res://").unwrap_or(path))
}
