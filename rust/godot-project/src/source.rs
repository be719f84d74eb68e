//! The source of a project's files: a folder, or a list of the contents of a folder.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use hashbrown::HashSet;
use serde::{Deserialize, Serialize};

use crate::read::read_file;
use crate::res_path::from_relative;

mod git_ignore;
mod git_index;
mod spelling;
mod surroundings;
mod walk;

pub use surroundings::{Surroundings, find_root};
pub use walk::{LINK, LeftOut, WalkPolicy, Walked, WalkedFile, is_checkable, walk};

use spelling::Spelling;
use walk::walk_in;

/// A file that Godot's editor sees in a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundFile {
    /// `res://…`
    pub path: String,
    /// How many bytes it has.
    pub size: u64,
    /// The time of its last change, in nanoseconds since 1970; 0 if it is unknown.
    pub modified: u64,
}

/// Something in a project's folder that is not looked at, though its name says that it is part of the project.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// `res://…`; the whole path for a file above the project, like a `.gitignore` that cannot be read.
    pub path: String,
    /// The reason.
    pub reason: String,
}

/// The result of [`FileSource::list`].
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The files, in any order.
    pub files: Vec<FoundFile>,
    /// The skipped parts, in any order.
    pub skipped: Vec<Skipped>,
    /// The paths of those files that a check of the whole project leaves out: files that git ignores, and files that only
    /// a link leads to.
    pub unchecked: HashSet<String>,
    /// The folder of the files, without links in its path if the file system reports them, if there is one.
    pub folder: Option<PathBuf>,
    /// The top folder of the git repository of this folder; nothing outside repositories, or if git's files are not read.
    pub repository: Option<PathBuf>,
}

/// The files of a project.
///
/// A project is made from this, so a test, an editor or a service can give other files than those of
/// a folder.
pub trait FileSource: Send + Sync + std::fmt::Debug {
    /// All files that Godot's editor sees.
    ///
    /// # Errors
    /// When the project's folder cannot be read. A folder inside it that cannot be read has no files.
    fn list(&self) -> io::Result<Listing>;

    /// The content of `path` (`res://…`).
    ///
    /// # Errors
    /// When it cannot be read. `NotFound` for a file in the list means that it exists, but its
    /// content is unknown.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// Whether there is such a file, even if Godot's editor does not see it. Upper and lower case count.
    fn exists(&self, path: &str) -> bool;

    /// The place of a file of the list, without links; nothing if it is unknown.
    fn real_path(&self, _path: &str) -> Option<PathBuf> {
        None
    }
}

/// The files below a folder.
///
/// They are those of [`WalkPolicy::Project`], or of [`WalkPolicy::UntrustedProject`]. Links are followed, but not in circles or
/// without end, and special files are skipped.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
    policy: WalkPolicy,
    /// The answers of [`FileSource::exists`] since the last list.
    spelling: Arc<Spelling>,
}

impl Folder {
    /// The project in the folder `root`.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), policy: WalkPolicy::Project, spelling: Arc::default() }
    }

    /// An untrusted project in the folder `root`.
    pub fn untrusted(root: impl Into<PathBuf>) -> Self {
        Self { policy: WalkPolicy::UntrustedProject, ..Self::new(root) }
    }

    /// The place of `path` (`res://…`).
    pub fn file_path(&self, path: &str) -> PathBuf {
        self.root.join(path.strip_prefix("res://").unwrap_or(path))
    }

    /// [`FileSource::list`], with possibly known surroundings of the folder.
    pub(crate) fn list_in(&self, surroundings: &Surroundings) -> io::Result<Listing> {
        self.spelling.clear();
        let walked = walk_in(&self.root, self.policy, surroundings)?;
        let (folder, repository) = (Some(walked.folder), walked.repository);
        let mut listing = Listing { folder, repository, ..Listing::default() };
        for (path, reason) in walked.skipped {
            let is_below = path.is_relative();
            let path = if is_below { from_relative(&path) } else { path.display().to_string() };
            listing.skipped.push(Skipped { path, reason });
        }
        for WalkedFile { path, size, modified, is_unchecked } in walked.files {
            // It has no path by which it could be opened, neither here nor in Godot.
            if path.to_str().is_none() {
                let reason = "its name is not UTF-8, so Godot cannot open it".to_owned();
                listing.skipped.push(Skipped { path: from_relative(&path), reason });
                continue;
            }
            let path = from_relative(&path);
            if is_unchecked {
                listing.unchecked.insert(path.clone());
            }
            listing.files.push(FoundFile { path, size, modified });
        }
        Ok(listing)
    }
}

pub(crate) fn nanoseconds(time: io::Result<SystemTime>) -> u64 {
    let since = time.ok().and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_nanos() as u64)
}

impl FileSource for Folder {
    fn list(&self) -> io::Result<Listing> {
        self.list_in(&Surroundings::default())
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        read_file(&self.file_path(path))
    }

    fn exists(&self, path: &str) -> bool {
        let from_root = path.strip_prefix("res://").unwrap_or(path);
        self.spelling.has(&self.root, from_root) && self.file_path(path).is_file()
    }

    fn real_path(&self, path: &str) -> Option<PathBuf> {
        std::fs::canonicalize(self.file_path(path)).ok()
    }
}

/// A list of files, some of them in a folder: the contents of a repository, say, when only its
/// scenes are at hand.
#[derive(Clone, Debug)]
pub struct ListedFiles {
    folder: Folder,
    paths: Vec<String>,
}

impl ListedFiles {
    /// The files with these paths (`res://…`); their contents are in the folder `root`, if
    /// anywhere.
    pub fn new(root: impl Into<PathBuf>, paths: impl IntoIterator<Item = String>) -> Self {
        let mut paths: Vec<String> = paths.into_iter().collect();
        paths.sort_unstable();
        Self { folder: Folder::new(root), paths }
    }
}

impl FileSource for ListedFiles {
    fn list(&self) -> io::Result<Listing> {
        let marks = ["/.gdignore", "/project.godot"];
        let mut skipped: Vec<&str> = Vec::new();
        for path in &self.paths {
            let folder = marks.iter().find_map(|mark| path.strip_suffix(mark));
            skipped.extend(folder.filter(|folder| *folder != "res:/"));
        }
        let is_below = |path: &str, folder: &str| {
            path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
        };
        let is_visible = |path: &&String| {
            !path[5..].contains("/.") && !skipped.iter().any(|folder| is_below(path, folder))
        };
        let found = |path: &String| FoundFile { path: path.clone(), size: 0, modified: 0 };
        let files = self.paths.iter().filter(is_visible).map(found).collect();
        Ok(Listing { files, ..Listing::default() })
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.folder.read(path)
    }

    fn exists(&self, path: &str) -> bool {
        self.paths.binary_search_by(|found| found.as_str().cmp(path)).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::{FileSource, Folder};

    #[test]
    fn exists_if_each_part_is_spelt_as_on_disk() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("Levels/.hidden")).unwrap();
        std::fs::write(folder.path().join("Levels/.hidden/a.png"), "").unwrap();
        // A file outside with the same name is not meant.
        std::fs::create_dir(folder.path().join("etc")).unwrap();
        std::fs::write(folder.path().join("passwd"), "").unwrap();
        let source = Folder::new(folder.path());
        assert!(source.exists("res://Levels/.hidden/a.png"));
        let endless = format!("res://{}a.png", "Levels/".repeat(100_000));
        for path in [
            "res://levels/.hidden/a.png",
            "res://Levels/.hidden/A.png",
            "res://Levels/.hidden",
            "res://Levels/gone/a.png",
            "res://Levels//.hidden/a.png",
            "res://Levels/../Levels/.hidden/a.png",
            "res:///Levels/.hidden/a.png",
            "res:///etc/passwd",
            "res:///passwd",
            "res://",
            &endless,
        ] {
            assert!(!source.exists(path), "{}", &path[..path.len().min(80)]);
        }
    }
}
