//! Three-way merge line by line, by `git merge-file`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use crate::git::program;

/// The program `git` on the PATH, except one in `folder`, which may be untrusted.
#[must_use]
pub fn git_program(folder: &Path) -> Option<PathBuf> {
    program(folder)
}

/// Merges three texts line by line, with git's conflict markers. Returns whether there are any.
///
/// # Errors
/// When there is no `git`, or it refuses the texts, such as binary ones.
pub fn merge_lines(base: &[u8], ours: &[u8], theirs: &[u8]) -> Result<(Vec<u8>, bool), String> {
    let here = env::current_dir().map_err(|error| error.to_string())?;
    let program =
        program(&here).ok_or("the program `git` was not found on the PATH; install it first")?;
    let folder = tempfile::Builder::new().prefix("gdscene-merge-").tempdir();
    let folder = folder.map_err(|error| format!("cannot make a temporary folder: {error}"))?;
    for (name, text) in [("base", base), ("ours", ours), ("theirs", theirs)] {
        let written = fs::write(folder.path().join(name), text);
        written.map_err(|error| format!("cannot write a temporary file: {error}"))?;
    }
    let output = command(&program, folder.path()).output().map_err(|error| error.to_string())?;
    match output.status.code() {
        // Beyond 127 it failed; below it is the number of conflicts.
        Some(count @ 0..=127) => Ok((output.stdout, count > 0)),
        _ => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}

/// A git that looks at no repository and at no configuration.
fn command(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).stdin(Stdio::null());
    let is_of_git = |name: &OsStr| name.to_string_lossy().to_uppercase().starts_with("GIT_");
    for (name, _) in env::vars_os().filter(|(name, _)| is_of_git(name)) {
        command.env_remove(name);
    }
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", folder.join("none"));
    command.env("GIT_CEILING_DIRECTORIES", folder);
    command.args(["merge-file", "-p", "-q", "-L", "ours", "-L", "base", "-L", "theirs"]);
    command.args(["ours", "base", "theirs"]);
    command
}

#[cfg(test)]
mod tests {
    use super::merge_lines;

    #[test]
    fn lines() {
        let base = b"1\n2\n3\n4\n5\n6\n";
        let ours = b"one\n2\n3\n4\n5\n6\n";
        let merged = merge_lines(base, ours, b"1\n2\n3\n4\n5\nsix\n").unwrap();
        assert_eq!(merged, (b"one\n2\n3\n4\n5\nsix\n".to_vec(), false));
        let (text, has_conflicts) = merge_lines(base, ours, b"ONE\n2\n3\n4\n5\n6\n").unwrap();
        assert!(has_conflicts && text.starts_with(b"<<<<<<< ours\none\n"));
        assert!(merge_lines(b"\0", b"\0a", b"\0b").is_err());
    }
}
