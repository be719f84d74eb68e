//! What git knows of a project's files.

use std::path::Path;
use std::process::{Command, Stdio};

use hashbrown::HashSet;

/// The files of a project as git sees them.
#[derive(Debug)]
pub(crate) struct VersionControl {
    tracked: HashSet<String>,
    ignored: HashSet<String>,
}

impl VersionControl {
    /// Asks `git` about the folder `root`. Nothing if there is no git, no repository, or nothing tracked.
    pub(crate) fn of(root: &Path) -> Option<Self> {
        // To start a program takes longer than to check a small project.
        std::path::absolute(root).ok()?.ancestors().find(|folder| folder.join(".git").exists())?;
        let tracked = list(root, &["ls-files", "-z", "--cached"])?;
        let ignored =
            list(root, &["ls-files", "-z", "--others", "--ignored", "--exclude-standard"])?;
        (!tracked.is_empty()).then_some(Self { tracked, ignored })
    }

    /// Whether the file at `path` (`res://…`) is in the index.
    pub(crate) fn is_tracked(&self, path: &str) -> bool {
        self.tracked.contains(path)
    }

    /// Whether the file at `path` (`res://…`) is left out on purpose.
    pub(crate) fn is_ignored(&self, path: &str) -> bool {
        self.ignored.contains(path)
    }
}

/// The paths that a `git` command prints, which are relative to `root`.
fn list(root: &Path, arguments: &[&str]) -> Option<HashSet<String>> {
    let output = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let paths = output.stdout.split(|byte| *byte == 0).filter(|path| !path.is_empty());
    let paths = paths.map(|path| format!("res://{}", String::from_utf8_lossy(path)));
    output.status.success().then(|| paths.collect())
}
