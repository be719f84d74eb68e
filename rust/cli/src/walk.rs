//! From the paths on the command line to the files to work on.

mod ignore_files;

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use ignore::{DirEntry, WalkBuilder, WalkState};
use project::Skipped;
use tscn::Profile;

use crate::output::terminal::complain;

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
        complain(format_args!("{}: {}", self.path.display(), self.reason));
    }
}

/// So many things that are skipped are told one by one.
const MAX_SKIPPED: usize = 10;

/// Tells what is not looked at in projects.
pub(crate) fn report_skipped<'s>(skipped: impl IntoIterator<Item = &'s Skipped>) {
    let mut skipped = skipped.into_iter();
    for Skipped { path, reason } in skipped.by_ref().take(MAX_SKIPPED) {
        complain(format_args!("{path}: {reason}; skipped"));
    }
    let more = skipped.count();
    if more > 0 {
        complain(format_args!("{more} more are skipped"));
    }
}

/// The files that `paths` stand for, each once, in the order of `paths` and then by name. What strangers say of their files
/// (`.gitignore`, `.gdignore`, names with a dot) leaves none of them out.
pub(crate) fn targets(paths: &[PathBuf], profile: Profile) -> (Vec<Target>, Vec<Problem>) {
    let (mut targets, mut problems) = (Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    for path in paths {
        let found = if path.as_os_str() == "-" {
            vec![Target::Stdin]
        } else {
            let is_link = profile == Profile::Untrusted && path.is_symlink() && !path.is_dir();
            match fs::metadata(path) {
                _ if is_link => {
                    problems.push(Problem { path: path.clone(), reason: LINK.to_owned() });
                    continue;
                }
                Ok(metadata) if metadata.is_dir() => files_in(path, profile, &mut problems),
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

/// It may lead to what is not the stranger's, and what is found in a file is shown.
const LINK: &str = "is a symbolic link, which is not followed in files from strangers";

/// The scenes, resources and settings files below `folder`, by name. To look into folders takes longer than to
/// check small files, so threads share it.
fn files_in(folder: &Path, profile: Profile, problems: &mut Vec<Problem>) -> Vec<Target> {
    let (sender, receiver) = mpsc::channel();
    let mut walk = WalkBuilder::new(folder);
    match profile {
        Profile::Untrusted => _ = walk.standard_filters(false),
        Profile::Trusted => {
            if let Err(problem) = ignore_files::check_above(folder) {
                problems.push(problem);
                return Vec::new();
            }
            let sender = sender.clone();
            walk.require_git(false).ignore(false).filter_entry(move |entry| {
                entry.depth() == 0
                    || may_look_into(entry).unwrap_or_else(|problem| {
                        // The receiver outlives the walk.
                        let _ = sender.send(Err(problem));
                        false
                    })
            });
        }
    }
    walk.build_parallel().run(|| {
        let sender = sender.clone();
        Box::new(move |entry| {
            if let Some(found) = file_or_problem(entry, folder, profile) {
                let _ = sender.send(found);
            }
            WalkState::Continue
        })
    });
    // The walk holds a sender, too.
    drop((sender, walk));
    let (mut files, problem_count) = (Vec::new(), problems.len());
    for found in receiver {
        match found {
            Ok(path) => files.push(path),
            Err(problem) => problems.push(problem),
        }
    }
    files.sort_by_cached_key(|path| by_name(path));
    problems[problem_count..].sort_by(|a, b| (&a.path, &a.reason).cmp(&(&b.path, &b.reason)));
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
    profile: Profile,
) -> Option<Result<PathBuf, Problem>> {
    let entry = match entry {
        Ok(entry) => entry,
        Err(error) => {
            return Some(Err(Problem { path: folder.to_owned(), reason: error.to_string() }));
        }
    };
    let (path, kind) = (entry.path(), entry.file_type()?);
    if kind.is_symlink() {
        // Elsewhere links are left out without a word, as the files that they lead to are found where they are.
        let matters = profile == Profile::Untrusted && (is_text(path) || path.is_dir());
        return matters.then(|| Err(Problem { path: plain(path), reason: LINK.to_owned() }));
    }
    if kind.is_dir() || !is_text(path) {
        return None;
    }
    if !kind.is_file() {
        return Some(Err(Problem { path: plain(path), reason: "is no regular file".to_owned() }));
    }
    Some(Ok(plain(path)))
}

/// Whether a folder is looked into, as every file is.
fn may_look_into(entry: &DirEntry) -> Result<bool, Problem> {
    if !entry.file_type().is_some_and(|kind| kind.is_dir()) {
        return Ok(true);
    }
    // Godot leaves such folders out of the project.
    if entry.path().join(".gdignore").exists() {
        return Ok(false);
    }
    ignore_files::check(entry.path())?;
    Ok(true)
}

/// Sorts paths as their components would be, in a fraction of the time.
fn by_name(path: &Path) -> Vec<u8> {
    let separator = |byte: &u8| if std::path::is_separator(*byte as char) { 0 } else { *byte };
    path.as_os_str().as_encoded_bytes().iter().map(separator).collect()
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
