//! Which Godot runs. A project never chooses it: only the command line and the environment do.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, thread};

use godot_tscn::GodotVersion;
use thiserror::Error;

/// The variable that names the program.
const VARIABLE: &str = "GODOT";

/// The names of the program on the PATH.
const NAMES: [&str; 2] = ["godot", "godot4"];

/// A program that is no Godot may wait for ever.
const ANSWER_LIMIT: Duration = Duration::from_secs(60);

/// A Godot 4, and the version that it says it is.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) path: PathBuf,
    /// All of it: `4.6.3.stable.official`.
    pub(super) version: String,
    major: u32,
    minor: u32,
}

/// Why no Godot can run.
#[derive(Debug, Error)]
pub(crate) enum ProgramError {
    #[error(
        "--engine: found no `godot` on the PATH; name the program with --engine=PATH or the variable GODOT"
    )]
    NotFound,
    #[error("--engine: cannot run {}: {source}", path.display())]
    NotRunnable { path: PathBuf, source: io::Error },
    #[error("--engine: {} did not answer --version in {} seconds", path.display(), ANSWER_LIMIT.as_secs())]
    Silent { path: PathBuf },
    #[error("--engine: {} is not a Godot: it answers --version with `{answer}`", path.display())]
    NotGodot { path: PathBuf, answer: String },
    #[error("--engine: {} is Godot {version}; expected 4.2 or newer", path.display())]
    TooOld { path: PathBuf, version: String },
}

impl Program {
    /// The program at `path`, or the one that the environment names.
    pub(super) fn find(path: Option<&Path>) -> Result<Self, ProgramError> {
        let named = path.map(Path::to_owned);
        let named = named
            .or_else(|| env::var_os(VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from));
        let path = match named {
            // A name without a folder is looked for on the PATH, as a shell does.
            Some(name) if name.components().count() == 1 && !name.is_absolute() => {
                on_path(name.as_os_str()).unwrap_or(name)
            }
            Some(path) => path,
            None => NAMES
                .iter()
                .find_map(|name| on_path(OsStr::new(name)))
                .ok_or(ProgramError::NotFound)?,
        };
        let path = std::path::absolute(&path).unwrap_or(path);
        let answer = answer(&path)?;
        let line = answer.lines().last().unwrap_or_default().trim().to_owned();
        let Some((major, minor)) = numbers(&line) else {
            let answer = line.chars().take(60).collect();
            return Err(ProgramError::NotGodot { path, answer });
        };
        if (major, minor) < (4, 2) || major > 4 {
            return Err(ProgramError::TooOld { path, version: line });
        }
        Ok(Self { path, version: line, major, minor })
    }

    /// Whether this is the version that a project is for.
    pub(super) fn is(&self, version: GodotVersion) -> bool {
        (u32::from(version.major), u32::from(version.minor)) == (self.major, self.minor)
    }

    /// Whether it runs scripts in C#.
    pub(super) fn has_dotnet(&self) -> bool {
        self.version.contains("mono")
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.version.split(|char: char| !char.is_ascii_digit() && char != '.').next();
        write!(f, "Godot {}", number.unwrap_or_default().trim_end_matches('.'))
    }
}

/// The program of this name in a folder of the PATH. Relative folders are passed over: they may be in the project.
fn on_path(name: &OsStr) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    let mut file = name.to_owned();
    if Path::new(&file).extension().is_none_or(|end| end != env::consts::EXE_EXTENSION) {
        file.push(env::consts::EXE_SUFFIX);
    }
    let places = env::split_paths(&folders).filter(|folder| folder.is_absolute());
    places.map(|folder| folder.join(&file)).find(|place| is_program(place))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// What a program answers to `--version`, at most a few lines.
fn answer(path: &Path) -> Result<String, ProgramError> {
    let not_runnable = |source| ProgramError::NotRunnable { path: path.to_owned(), source };
    let mut command = Command::new(path);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(not_runnable)?;
    let output = child.stdout.take();
    let reader = thread::spawn(move || {
        let mut text = Vec::new();
        // A closed pipe is the end, too.
        let _ = output.map(|output| output.take(4096).read_to_end(&mut text));
        String::from_utf8_lossy(&text).into_owned()
    });
    let end = Instant::now() + ANSWER_LIMIT;
    while child.try_wait().map_err(not_runnable)?.is_none() && !reader.is_finished() {
        if Instant::now() > end {
            let _ = child.kill();
            let _ = child.wait();
            return Err(ProgramError::Silent { path: path.to_owned() });
        }
        thread::sleep(Duration::from_millis(5));
    }
    let text = reader.join().unwrap_or_default();
    let _ = child.kill();
    let _ = child.wait();
    Ok(text)
}

/// The first two numbers of `4.6.3.stable.official`, if it looks like a version of Godot.
fn numbers(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.split('.');
    let numbers = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let states = ["stable", "rc", "beta", "alpha", "dev", "custom_build"];
    let is_state = |part: &str| states.iter().any(|state| part.starts_with(state));
    parts.any(is_state).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn versions() {
        assert_eq!(numbers("4.6.3.stable.debian4.6.3+ds-2"), Some((4, 6)));
        assert_eq!(numbers("4.6.stable.mono.official.89cea1439"), Some((4, 6)));
        assert_eq!(numbers("4.7.beta2.official"), Some((4, 7)));
        assert_eq!(numbers("git version 2.39.5"), None);
        assert_eq!(numbers("3.12.1"), None);
        assert_eq!(numbers(""), None);
    }
}
