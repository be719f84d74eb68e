//! From the paths on the command line to the files to work on.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Display;
use std::fs;
use std::path::{Component, Path, PathBuf};

use godot_project::{LINK, LeftOut, Skipped, WalkPolicy, Walked};
use godot_tscn::Profile;

use crate::terminal::complain;

/// Something to work on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Input {
    /// Standard input.
    Stdin,
    /// A file. If something else has taken its place when it is read, it is not read.
    File(PathBuf),
    /// A pipe or a device that the command line names, such as `<(git show :a.tscn)`.
    Stream(PathBuf),
}

/// The files that the paths on a command line lead to.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) inputs: Vec<Input>,
    /// The inputs that cannot be used.
    pub(crate) problems: Vec<Problem>,
    /// The inputs that are left out on purpose.
    pub(crate) left_out: LeftOut,
}

/// A path that cannot be worked on, and why.
#[derive(Debug)]
pub(crate) struct Problem {
    /// The path, as given or found.
    pub(crate) path: PathBuf,
    /// The reason.
    pub(crate) reason: String,
}

impl Input {
    /// The input that the command line names: `-` means standard input.
    pub(crate) fn named(path: &Path) -> Self {
        match path {
            path if path.as_os_str() == "-" => Self::Stdin,
            path if is_stream(path) => Self::Stream(path.to_owned()),
            path => Self::File(path.to_owned()),
        }
    }

    /// The name in messages.
    pub(crate) fn name(&self) -> Cow<'_, str> {
        match self {
            Self::Stdin => Cow::Borrowed("<stdin>"),
            Self::File(path) | Self::Stream(path) => path.to_string_lossy(),
        }
    }

    /// The folder of a file, as its path names it.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File(path) | Self::Stream(path) => path.parent(),
        }
    }

    /// [`Input::folder`], from the root of the file system and without `..`.
    pub(crate) fn absolute_folder(&self) -> Option<PathBuf> {
        absolute_folder(self.folder()?)
    }

    /// The problem that this cannot be used.
    pub(crate) fn problem(&self, reason: impl Display) -> Problem {
        Problem { path: PathBuf::from(self.name().as_ref()), reason: reason.to_string() }
    }
}

impl Problem {
    /// Reports it on standard error.
    pub(crate) fn report(&self) {
        complain(format_args!("{}: {}", self.path.display(), self.reason));
    }
}

#[cfg(unix)]
fn is_stream(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let kind = fs::metadata(path).map(|metadata| metadata.file_type());
    kind.is_ok_and(|kind| kind.is_fifo() || kind.is_char_device())
}

#[cfg(not(unix))]
fn is_stream(_: &Path) -> bool {
    false
}

/// A folder's path from the root of the file system and without `..`.
pub(crate) fn absolute_folder(folder: &Path) -> Option<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let absolute = std::path::absolute(folder).ok()?;
    // Links stay as they are, for Godot sees a linked folder where the link is.
    if absolute.components().any(|part| part == Component::ParentDir) {
        return fs::canonicalize(absolute).ok();
    }
    Some(absolute)
}

/// At most this number of skipped things is reported one by one.
const MAX_SKIPPED: usize = 10;

/// Reports the skipped parts of projects.
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

/// The files that `paths` stand for, each once, in the order of `paths` and then by name. Whatever
/// untrusted files say of that (`.gitignore`, `.gdignore`, names with a dot), none of them is left out.
///
/// In folders, these are the files that can be changed; [`inputs_to_check`] has the scripts too.
pub(crate) fn inputs(paths: &[PathBuf], profile: Profile) -> (Vec<Input>, Vec<Problem>) {
    let Found { inputs, problems, .. } = collect(paths, profile, |path| !is_script(path));
    (inputs, problems)
}

/// [`inputs`], and the scripts in folders, because their paths are checked.
pub(crate) fn inputs_to_check(paths: &[PathBuf], profile: Profile) -> Found {
    collect(paths, profile, |path| profile == Profile::Trusted || !is_script(path))
}

/// Whether a file is a script in GDScript.
pub(crate) fn is_script(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gd"))
}

fn collect(paths: &[PathBuf], profile: Profile, is_meant: impl Fn(&Path) -> bool) -> Found {
    let mut all = Found::default();
    let mut seen = HashSet::new();
    for path in paths {
        let found = if path.as_os_str() == "-" {
            vec![Input::Stdin]
        } else {
            let is_link = profile == Profile::Untrusted && path.is_symlink() && !path.is_dir();
            match fs::metadata(path) {
                _ if is_link => {
                    all.problems.push(Problem { path: path.clone(), reason: LINK.to_owned() });
                    continue;
                }
                Ok(metadata) if metadata.is_dir() => files_in(path, profile, &is_meant, &mut all),
                Ok(_) => vec![Input::named(path)],
                Err(error) => {
                    let reason = error.to_string();
                    all.problems.push(Problem { path: path.clone(), reason });
                    continue;
                }
            }
        };
        all.inputs.extend(found.into_iter().filter(|input| seen.insert(input.clone())));
    }
    all
}

/// The files below `folder` that are meant, by name.
fn files_in(
    folder: &Path,
    profile: Profile,
    is_meant: impl Fn(&Path) -> bool,
    all: &mut Found,
) -> Vec<Input> {
    let policy = match profile {
        Profile::Trusted => WalkPolicy::Check,
        Profile::Untrusted => WalkPolicy::Untrusted,
    };
    let walked = godot_project::walk(folder, policy).unwrap_or_else(|error| Walked {
        skipped: vec![(PathBuf::new(), error.to_string())],
        ..Walked::default()
    });
    let place = |path: &Path| plain(&folder.join(path));
    let meant = walked.files.iter().filter(|file| is_meant(&file.path));
    let mut files: Vec<PathBuf> = meant.map(|file| place(&file.path)).collect();
    files.sort_by_cached_key(|path| by_name(path));
    let mut skipped = walked.skipped;
    skipped.sort();
    if files.is_empty() && skipped.is_empty() {
        let LeftOut { ignored_files, ignored_folders, .. } = walked.left_out;
        let but =
            if ignored_files + ignored_folders > 0 { " that git does not ignore" } else { "" };
        let reason = format!("no scene, resource or settings file in this folder{but}");
        skipped.push((PathBuf::new(), reason));
    }
    let problem = |(path, reason): (PathBuf, String)| {
        let path = if path.as_os_str().is_empty() { folder.to_owned() } else { place(&path) };
        Problem { path, reason }
    };
    all.left_out.add(walked.left_out);
    all.problems.extend(skipped.into_iter().map(problem));
    files.into_iter().map(Input::File).collect()
}

/// Sorts paths as their components would be, in a fraction of the time.
fn by_name(path: &Path) -> Vec<u8> {
    let separator = |byte: &u8| if std::path::is_separator(*byte as char) { 0 } else { *byte };
    path.as_os_str().as_encoded_bytes().iter().map(separator).collect()
}

/// The path without `./` in front.
fn plain(path: &Path) -> PathBuf {
    path.strip_prefix(".").unwrap_or(path).to_owned()
}
