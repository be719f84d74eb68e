//! Where a project's files come from: a folder, or a list of what a folder would hold.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::res_path::from_relative;

/// A file that Godot's editor sees in a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundFile {
    /// `res://…`
    pub path: String,
    /// How many bytes it has.
    pub size: u64,
    /// When it was changed last, in nanoseconds since 1970; 0 where nobody knows.
    pub modified: u64,
}

/// The files of a project.
///
/// A project is made of what this tells, so a test, an editor or a service can give other files than
/// those of a folder.
pub trait FileSource: Send + Sync + std::fmt::Debug {
    /// All files that Godot's editor sees, in any order.
    ///
    /// # Errors
    /// When the project's folder cannot be read. A folder inside it that cannot be read has no files.
    fn list(&self) -> io::Result<Vec<FoundFile>>;

    /// The content of `path` (`res://…`).
    ///
    /// # Errors
    /// When it cannot be read. `NotFound` for a file that is in the list means that it is there, but
    /// its content is not known.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// Whether there is such a file, even if Godot's editor does not see it. Upper and lower case count.
    fn exists(&self, path: &str) -> bool;
}

/// The files below a folder.
///
/// As the editor does (`EditorFileSystem::_scan_new_dir` and `_should_skip_directory`, Godot 4.6.3), folders are left
/// out that are hidden, hold a `.gdignore`, or hold another `project.godot`. Hidden files are too.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The project in the folder `root`.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Where `path` (`res://…`) lies.
    pub fn file_path(&self, path: &str) -> PathBuf {
        self.root.join(path.strip_prefix("res://").unwrap_or(path))
    }

    fn walk(&self, folder: &Path) -> io::Result<Vec<FoundFile>> {
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        let is_root = folder.as_os_str().is_empty();
        for entry in fs::read_dir(self.root.join(folder))? {
            let Ok(entry) = entry else { continue };
            let name = entry.file_name();
            if !is_root && (name == ".gdignore" || name == "project.godot") {
                return Ok(Vec::new());
            }
            if name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let path = folder.join(&name);
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                folders.push(path);
                continue;
            }
            // Links are followed, as Godot does; one that leads to a folder above is not.
            let metadata =
                if kind.is_symlink() { fs::metadata(entry.path()) } else { entry.metadata() };
            let Ok(metadata) = metadata else { continue };
            if metadata.is_dir() {
                if !self.leads_up(&entry.path()) {
                    folders.push(path);
                }
                continue;
            }
            files.push(FoundFile {
                path: from_relative(&path),
                size: metadata.len(),
                modified: nanoseconds(metadata.modified()),
            });
        }
        let below: Vec<Vec<FoundFile>> =
            folders.par_iter().map(|folder| self.walk(folder).unwrap_or_default()).collect();
        files.extend(below.into_iter().flatten());
        Ok(files)
    }

    /// Whether a link leads to a folder that it lies in.
    fn leads_up(&self, link: &Path) -> bool {
        let target = fs::canonicalize(link);
        let place = fs::canonicalize(link.parent().unwrap_or(&self.root));
        match (target, place) {
            (Ok(target), Ok(place)) => place.starts_with(target),
            _ => true,
        }
    }
}

pub(crate) fn nanoseconds(time: io::Result<SystemTime>) -> u64 {
    let since = time.ok().and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_nanos() as u64)
}

impl FileSource for Folder {
    fn list(&self) -> io::Result<Vec<FoundFile>> {
        self.walk(Path::new(""))
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        fs::read(self.file_path(path))
    }

    fn exists(&self, path: &str) -> bool {
        // Where case does not count for the file system, it still does for Godot once exported.
        let mut folder = self.root.clone();
        for part in path.strip_prefix("res://").unwrap_or(path).split('/') {
            let Ok(entries) = fs::read_dir(&folder) else { return false };
            if !entries.flatten().any(|entry| entry.file_name().to_string_lossy() == part) {
                return false;
            }
            folder.push(part);
        }
        folder.is_file()
    }
}

/// A list of files, of which only some lie in a folder: what a repository holds, say, when only its
/// scenes are at hand.
#[derive(Clone, Debug)]
pub struct ListedFiles {
    folder: Folder,
    paths: Vec<String>,
}

impl ListedFiles {
    /// The files of these paths (`res://…`), whose contents lie in the folder `root`, if anywhere.
    pub fn new(root: impl Into<PathBuf>, paths: impl IntoIterator<Item = String>) -> Self {
        let mut paths: Vec<String> = paths.into_iter().collect();
        paths.sort_unstable();
        Self { folder: Folder::new(root), paths }
    }
}

impl FileSource for ListedFiles {
    fn list(&self) -> io::Result<Vec<FoundFile>> {
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
        Ok(self.paths.iter().filter(is_visible).map(found).collect())
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.folder.read(path)
    }

    fn exists(&self, path: &str) -> bool {
        self.paths.binary_search_by(|found| found.as_str().cmp(path)).is_ok()
    }
}
