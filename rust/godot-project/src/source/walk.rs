//! The one walk through folders, for the command, the editor and the project index.
//!
//! A folder that a link leads to is looked into under the link's name, as Godot does, unless that leads round. But a few
//! folders with links to one another still make too many paths to walk, so entries that are reached through links are
//! counted.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirEntry, FileType, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::git_ignore::{GitIgnore, Ignored, Patterns};
use super::nanoseconds;
use super::surroundings::Surroundings;
use crate::read::special_kind;
use crate::res_path::FactsKind;
use crate::res_path::is_gdscript;

/// Which files below a folder are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkPolicy {
    /// All files that Godot's editor sees in the project with this root folder (`EditorFileSystem::_scan_new_dir` and
    /// `_should_skip_directory`, Godot 4.6.3): no hidden ones, none next to a `.gdignore`, and none of another project
    /// in a folder below.
    Project,
    /// The same of a project of untrusted files: git's files are not read, so none of its files is left out by a check.
    UntrustedProject,
    /// The files to check in a folder that the user names: those that Godot's editor sees in its projects, without files
    /// that git ignores and does not track, and without links, since their targets are checked in their own place.
    Check,
    /// All files to check, whatever the files themselves say of that. Links are not followed.
    Untrusted,
    /// All files but hidden ones in a folder that is compared with another, whatever the files themselves say of that. Links
    /// are not followed.
    Compared,
}

/// The result of [`walk`], in any order.
#[derive(Debug, Default)]
pub struct Walked {
    /// The files.
    pub files: Vec<WalkedFile>,
    /// Paths that were left out although their names look relevant, and the reason.
    pub skipped: Vec<(PathBuf, String)>,
    /// The parts that a check leaves out on purpose.
    pub left_out: LeftOut,
    /// The folder itself, without links in its path if the file system reports them.
    pub folder: PathBuf,
    /// The top folder of the git repository of the folder; nothing outside repositories, or if git's files are not read.
    pub repository: Option<PathBuf>,
}

/// How much [`WalkPolicy::Check`] leaves out. The contents of hidden folders, and of folders that are left out, are not
/// counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// The files to check that git ignores.
    pub ignored_files: usize,
    /// The folders that git ignores.
    pub ignored_folders: usize,
    /// The folders with a `.gdignore` file.
    pub gdignored_folders: usize,
}

/// A file below the folder.
#[derive(Debug)]
pub struct WalkedFile {
    /// The path from the folder.
    pub path: PathBuf,
    /// How many bytes it has; 0 unless the policy is one for a project.
    pub size: u64,
    /// When it was changed last, in nanoseconds since 1970; 0 unless the policy is one for a project.
    pub modified: u64,
    /// Whether a check of everything in the folder leaves the file out, as [`WalkPolicy::Check`] does.
    pub is_unchecked: bool,
}

/// At most this number of entries of folders is read that are reached through links only.
const MAX_LINKED: usize = 100_000;

/// This number of entries of a folder is read in one go; several threads share those of a large
/// folder.
const ENTRIES_AT_ONCE: usize = 512;

/// A folder to look into.
struct Open {
    /// From the first folder.
    path: PathBuf,
    /// The real folders in which the links lie that lead here.
    through: Arc<[PathBuf]>,
    git_ignore: Arc<GitIgnore>,
    /// Whether git ignores untracked files in it.
    is_ignored: bool,
    is_unchecked: bool,
}

/// The contents of a folder.
#[derive(Default)]
struct Content {
    walked: Walked,
    folders: Vec<Open>,
    /// How many entries were looked at.
    count: usize,
}

struct Walker<'w> {
    root: &'w Path,
    /// The root without links, from which git's patterns count.
    real_root: PathBuf,
    policy: WalkPolicy,
    /// Nothing if git's files are not read.
    patterns: Option<Patterns<'w>>,
}

/// The files below the folder `root`.
///
/// # Errors
/// When the folder itself cannot be read. One below it that cannot be read is skipped.
pub fn walk(root: &Path, policy: WalkPolicy) -> io::Result<Walked> {
    walk_in(root, policy, &Surroundings::default())
}

/// [`walk`], with possibly known surroundings of the folder.
pub(super) fn walk_in(
    root: &Path,
    policy: WalkPolicy,
    surroundings: &Surroundings,
) -> io::Result<Walked> {
    // Some file systems cannot resolve links.
    let real_root = fs::canonicalize(root).or_else(|_| std::path::absolute(root))?;
    let patterns = policy.reads_git().then(|| Patterns::new(&real_root, surroundings));
    let walker = Walker { root, real_root, policy, patterns };
    let mut all = Content::default();
    all.walked.folder.clone_from(&walker.real_root);
    let first = walker.first(&mut all);
    // A command that finds nothing it may look at says why.
    if first.is_unchecked && policy == WalkPolicy::Check {
        return Ok(all.walked);
    }
    all.add(walker.content(&first, usize::MAX)?);
    let mut linked_left = MAX_LINKED;
    while !all.folders.is_empty() {
        let open = std::mem::take(&mut all.folders);
        let (own, mut linked): (Vec<Open>, Vec<Open>) =
            open.into_iter().partition(|open| open.through.is_empty());
        let found: Vec<Content> =
            own.par_iter().map(|open| walker.content_or_reason(open, usize::MAX)).collect();
        found.into_iter().for_each(|content| all.add(content));
        // Which are left out does not depend on the order in which the system names them.
        linked.sort_by(|one, other| one.path.cmp(&other.path));
        for open in &linked {
            if linked_left == 0 {
                all.skip(open.path.clone(), too_many_links());
                continue;
            }
            let content = walker.content_or_reason(open, linked_left);
            linked_left = linked_left.saturating_sub(content.count.max(1));
            all.add(content);
        }
    }
    Ok(all.walked)
}

/// Whether a file is one to check: a text scene or resource, a settings file, or a script in GDScript.
pub fn is_checkable(path: &Path) -> bool {
    let path = path.to_string_lossy();
    FactsKind::of(&path) == FactsKind::Text
        || godot_tscn::is_config_path(&path)
        || is_gdscript(&path)
}

impl WalkPolicy {
    fn is_project(self) -> bool {
        matches!(self, Self::Project | Self::UntrustedProject)
    }

    fn takes_all(self) -> bool {
        self.is_project() || self == Self::Compared
    }

    fn reads_git(self) -> bool {
        matches!(self, Self::Project | Self::Check)
    }
}

impl Walker<'_> {
    fn first(&self, all: &mut Content) -> Open {
        let mut first = Open {
            path: PathBuf::new(),
            through: Arc::default(),
            git_ignore: Arc::default(),
            is_ignored: false,
            is_unchecked: false,
        };
        if let Some(patterns) = &self.patterns {
            all.walked.repository = patterns.repository(&self.real_root);
            match patterns.above(&self.real_root, all.walked.repository.as_deref()) {
                Ok(git_ignore) => first.git_ignore = git_ignore,
                Err((path, reason)) => {
                    all.skip(path, reason);
                    first.is_unchecked = true;
                }
            }
        }
        first
    }

    fn content_or_reason(&self, open: &Open, max_count: usize) -> Content {
        self.content(open, max_count).unwrap_or_else(|error| {
            let mut content = Content::default();
            // A folder may be removed meanwhile.
            if error.kind() != ErrorKind::NotFound {
                content.skip(open.path.clone(), error.to_string());
            }
            content
        })
    }

    /// The contents of a folder, if it has no more than `max_count` entries.
    fn content(&self, open: &Open, max_count: usize) -> io::Result<Content> {
        let entries = fs::read_dir(self.root.join(&open.path))?.flatten();
        let entries = entries.take(max_count.saturating_add(1));
        let entries: Vec<_> = entries.map(|entry| (entry.file_name(), entry)).collect();
        let has = |name: &str| entries.iter().any(|(found, _)| found == name);
        let is_root = open.path.as_os_str().is_empty();
        let mut content = Content::default();
        if !is_root && self.leaves_out(has) {
            content.walked.left_out.gdignored_folders = usize::from(has(".gdignore"));
            return Ok(content);
        }
        let mut open = Open { path: open.path.clone(), ..open.share() };
        if let Some(patterns) = &self.patterns
            && (has(".gitignore") || has(".git"))
        {
            let folder = self.real_root.join(&open.path);
            match patterns.of_folder(&folder, &open.git_ignore) {
                Ok(git_ignore) => {
                    open.git_ignore = git_ignore;
                    // A submodule is tracked, and has patterns of its own.
                    open.is_ignored &= !has(".git");
                }
                Err((path, reason)) => {
                    let path = path.strip_prefix(&self.real_root).unwrap_or(&path).to_owned();
                    content.skip(path, reason);
                    open.is_unchecked = true;
                    if self.policy == WalkPolicy::Check {
                        return Ok(content);
                    }
                }
            }
        }
        let taken = &entries[..entries.len().min(max_count)];
        if taken.len() < entries.len() {
            content.skip(open.path.clone(), too_many_links());
        }
        content.count = taken.len();
        // To ask the system how large and how old each file of a project is takes most of the time.
        let parts: Vec<Content> =
            taken.par_chunks(ENTRIES_AT_ONCE).map(|part| self.part(part, &open)).collect();
        parts.into_iter().for_each(|part| content.add(part));
        Ok(content)
    }

    /// Whether Godot leaves a folder with these entries out of the project.
    fn leaves_out(&self, has: impl Fn(&str) -> bool) -> bool {
        match self.policy {
            WalkPolicy::Project | WalkPolicy::UntrustedProject => {
                has(".gdignore") || has("project.godot")
            }
            WalkPolicy::Check => has(".gdignore"),
            WalkPolicy::Untrusted | WalkPolicy::Compared => false,
        }
    }

    /// The kinds of some of the entries of a folder.
    fn part(&self, entries: &[(OsString, DirEntry)], open: &Open) -> Content {
        let mut content = Content::default();
        for (name, entry) in entries {
            if self.policy == WalkPolicy::Untrusted || !name.as_encoded_bytes().starts_with(b".") {
                self.add(&mut content, entry, name, open);
            }
        }
        content
    }

    fn add(&self, content: &mut Content, entry: &DirEntry, name: &OsStr, open: &Open) {
        let path = open.path.join(name);
        let Ok(kind) = entry.file_type() else { return };
        if kind.is_symlink() {
            return self.add_link(content, entry, path, open);
        }
        if !kind.is_dir() && !self.policy.takes_all() && !is_checkable(&path) {
            return;
        }
        let ignored = self.ignored(&path, kind, open);
        let is_unchecked = open.is_unchecked || ignored == Ignored::All;
        if is_unchecked && self.policy == WalkPolicy::Check {
            content.walked.left_out.add_ignored(kind);
            return;
        }
        if kind.is_dir() {
            let is_ignored = ignored != Ignored::Nothing;
            content.folders.push(Open { path, is_ignored, is_unchecked, ..open.share() });
        } else if !kind.is_file() {
            content.skip_special(path, kind);
        } else if self.policy.is_project() {
            let Ok(metadata) = entry.metadata() else { return };
            content.walked.files.push(WalkedFile::new(path, &metadata, is_unchecked));
        } else {
            content.walked.files.push(WalkedFile { path, size: 0, modified: 0, is_unchecked });
        }
    }

    fn add_link(&self, content: &mut Content, entry: &DirEntry, path: PathBuf, open: &Open) {
        let place = entry.path();
        match self.policy {
            WalkPolicy::Check | WalkPolicy::Compared => return,
            WalkPolicy::Untrusted => {
                // It may lead to a file of another user, and findings show the contents of a file.
                if is_checkable(&path) || place.is_dir() {
                    content.skip(path, LINK.to_owned());
                }
                return;
            }
            WalkPolicy::Project | WalkPolicy::UntrustedProject => {}
        }
        // A link that leads nowhere is skipped.
        let Ok(metadata) = fs::metadata(&place) else { return };
        if metadata.is_file() {
            content.walked.files.push(WalkedFile::new(path, &metadata, true));
        } else if !metadata.is_dir() {
            content.skip_special(path, metadata.file_type());
        } else {
            match through(&place, open) {
                Some(through) => {
                    content.folders.push(Open {
                        path,
                        through,
                        is_unchecked: true,
                        ..open.share()
                    });
                }
                None => content.skip(path, "is a link to a folder that contains it".to_owned()),
            }
        }
    }

    /// The part that git ignores of something in the folder `open`; only called for folders and for files
    /// to check.
    fn ignored(&self, path: &Path, kind: FileType, open: &Open) -> Ignored {
        let is_meant = kind.is_dir() || is_checkable(path);
        let place = || self.real_root.join(path);
        match open.is_ignored {
            _ if open.is_unchecked || !is_meant => Ignored::Nothing,
            // Patterns in the folder cannot take back that the folder itself is ignored.
            true => open.git_ignore.untracked(&place(), kind.is_dir()),
            false => open.git_ignore.ignored(place, kind.is_dir()),
        }
    }
}

/// Why a link is left out if its target is not trusted.
pub const LINK: &str = "is a symbolic link, which is not followed in untrusted files";

fn too_many_links() -> String {
    format!("links lead to more than {MAX_LINKED} files and folders")
}

impl Open {
    /// The part that the folders in this one share with it.
    fn share(&self) -> Self {
        Self {
            path: PathBuf::new(),
            through: Arc::clone(&self.through),
            git_ignore: Arc::clone(&self.git_ignore),
            is_ignored: self.is_ignored,
            is_unchecked: self.is_unchecked,
        }
    }
}

impl Content {
    fn add(&mut self, other: Self) {
        self.walked.files.extend(other.walked.files);
        self.walked.skipped.extend(other.walked.skipped);
        self.walked.left_out.add(other.walked.left_out);
        self.folders.extend(other.folders);
    }

    fn skip(&mut self, path: PathBuf, reason: String) {
        self.walked.skipped.push((path, reason));
    }

    fn skip_special(&mut self, path: PathBuf, kind: FileType) {
        self.skip(path, format!("is {}, not a file", special_kind(kind)));
    }
}

impl LeftOut {
    /// Adds the parts that are left out elsewhere.
    pub fn add(&mut self, other: Self) {
        self.ignored_files += other.ignored_files;
        self.ignored_folders += other.ignored_folders;
        self.gdignored_folders += other.gdignored_folders;
    }

    fn add_ignored(&mut self, kind: FileType) {
        if kind.is_dir() {
            self.ignored_folders += 1;
        } else {
            self.ignored_files += 1;
        }
    }
}

impl WalkedFile {
    fn new(path: PathBuf, metadata: &Metadata, is_unchecked: bool) -> Self {
        let (size, modified) = (metadata.len(), nanoseconds(metadata.modified()));
        Self { path, size, modified, is_unchecked }
    }
}

/// The real folders of the links that lead to the target of `link`; nothing if it leads in a circle.
fn through(link: &Path, open: &Open) -> Option<Arc<[PathBuf]>> {
    let target = fs::canonicalize(link).ok()?;
    let place = fs::canonicalize(link.parent()?).ok()?;
    let mut through = open.through.to_vec();
    through.push(place);
    let leads_round = through.iter().any(|place| place.starts_with(&target));
    (!leads_round).then(|| through.into())
}
