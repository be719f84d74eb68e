//! From the paths on the command line to the files to work on.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use ignore::{DirEntry, WalkBuilder, WalkState};

/// Something to work on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Target {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

/// A path that cannot be worked on, and why.
#[derive(Debug)]
pub(crate) struct Problem {
    /// The path, as given or found.
    pub(crate) path: PathBuf,
    /// The reason.
    pub(crate) reason: String,
}

impl Target {
    /// The name in messages.
    pub(crate) fn name(&self) -> Cow<'_, str> {
        match self {
            Self::Stdin => Cow::Borrowed("<stdin>"),
            Self::File(path) => path.to_string_lossy(),
        }
    }

    /// That this cannot be worked on.
    pub(crate) fn problem(&self, reason: impl Display) -> Problem {
        Problem { path: PathBuf::from(self.name().as_ref()), reason: reason.to_string() }
    }
}

impl Problem {
    /// Tells of it on standard error.
    pub(crate) fn report(&self) {
        eprintln!("gdscene: {}: {}", self.path.display(), self.reason);
    }
}

/// The files that `paths` stand for, each once, in the order of `paths` and then by name.
pub(crate) fn targets(paths: &[PathBuf]) -> (Vec<Target>, Vec<Problem>) {
    let (mut targets, mut problems) = (Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    for path in paths {
        let found = if path.as_os_str() == "-" {
            vec![Target::Stdin]
        } else {
            match fs::metadata(path) {
                Ok(metadata) if metadata.is_dir() => files_in(path, &mut problems),
                Ok(_) => vec![Target::File(path.clone())],
                Err(error) => {
                    let reason = error.to_string();
                    problems.push(Problem { path: path.clone(), reason });
                    continue;
                }
            }
        };
        targets.extend(found.into_iter().filter(|target| seen.insert(target.clone())));
    }
    (targets, problems)
}

/// The scenes, resources and settings files below `folder`, by name. To look into folders takes longer than to
/// check small files, so threads share it.
fn files_in(folder: &Path, problems: &mut Vec<Problem>) -> Vec<Target> {
    let (sender, receiver) = mpsc::channel();
    WalkBuilder::new(folder)
        .require_git(false)
        .ignore(false)
        .filter_entry(|entry| entry.depth() == 0 || !is_ignored_by_godot(entry))
        .build_parallel()
        .run(|| {
            let sender = sender.clone();
            Box::new(move |entry| {
                if let Some(found) = file_or_problem(entry, folder) {
                    // The receiver outlives the walk.
                    let _ = sender.send(found);
                }
                WalkState::Continue
            })
        });
    drop(sender);
    let (mut files, problem_count) = (Vec::new(), problems.len());
    for found in receiver {
        match found {
            Ok(path) => files.push(path),
            Err(problem) => problems.push(problem),
        }
    }
    files.sort_by_cached_key(|path| by_name(path));
    problems[problem_count..].sort_by(|a, b| a.reason.cmp(&b.reason));
    if files.is_empty() && problems.len() == problem_count {
        let reason = "no scene, resource or settings file in this folder".to_owned();
        problems.push(Problem { path: folder.to_owned(), reason });
    }
    files.into_iter().map(Target::File).collect()
}

/// What an entry of the folder is to us, if anything.
fn file_or_problem(
    entry: Result<DirEntry, ignore::Error>,
    folder: &Path,
) -> Option<Result<PathBuf, Problem>> {
    match entry {
        Ok(entry) => {
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            (is_file && is_text(entry.path())).then(|| Ok(plain(entry.path())))
        }
        Err(error) => Some(Err(Problem { path: folder.to_owned(), reason: error.to_string() })),
    }
}

/// Sorts paths as their components would be, in a fraction of the time.
fn by_name(path: &Path) -> Vec<u8> {
    let separator = |byte: &u8| if std::path::is_separator(*byte as char) { 0 } else { *byte };
    path.as_os_str().as_encoded_bytes().iter().map(separator).collect()
}

/// Godot leaves folders with a `.gdignore` file out of the project.
fn is_ignored_by_godot(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir()) && entry.path().join(".gdignore").exists()
}

fn is_text(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    ["tscn", "tres", "escn"].iter().any(|known| extension.eq_ignore_ascii_case(known))
        || tscn::is_config_path(&path.to_string_lossy())
}

/// The path without `./` in front.
fn plain(path: &Path) -> PathBuf {
    path.strip_prefix(".").unwrap_or(path).to_owned()
}
