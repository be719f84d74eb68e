//! One commit in one project: the files before, after what people did, and after what we do.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::{fmt, io};

use gdscene_lint::{Config, Scope, Workspace};
use godot_project::{Plan, Project};

use crate::history::{Change, History};
use crate::snapshot::{CommitTree, Files, Snapshot};

/// A project of a history, which goes from commit to commit.
#[derive(Debug)]
pub(crate) struct Replay {
    /// The project's folder in the repository, with a slash at the end.
    root: String,
    snapshot: Arc<Snapshot>,
    workspace: Workspace,
    before: Files,
    after: Files,
    /// Files that people changed or moved: the path before and after.
    changed: BTreeMap<String, String>,
    /// Where our moves have brought files.
    moved: HashMap<String, String>,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FileLine {
    path: String,
    line: usize,
    text: String,
}

impl FileLine {
    /// The line with a number, counted from 0.
    pub(crate) fn of_line(path: &str, text: &[u8], line: usize) -> Self {
        let found = crate::lines::split(text).nth(line).unwrap_or_default();
        let text: String = String::from_utf8_lossy(found).trim().chars().take(160).collect();
        Self { path: path.to_owned(), line: line + 1, text }
    }

    /// Whether it is a comment of a script.
    pub(crate) fn is_comment(&self) -> bool {
        !self.is_value() && is_comment(self.text.as_bytes())
    }

    /// Whether it is in a scene or resource.
    pub(crate) fn is_value(&self) -> bool {
        matches!(extension(&self.path), "tscn" | "tres" | "escn")
    }
}

impl fmt::Display for FileLine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.path, self.line, self.text)
    }
}

/// Whether a line of a script is a comment.
pub(crate) fn is_comment(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    line.starts_with(b"#") || line.starts_with(b"//")
}

/// How many findings of a rule each file has.
pub(crate) type Findings = BTreeMap<(String, String), usize>;

impl Replay {
    pub(crate) fn new(history: Arc<History>, root: &str) -> io::Result<Self> {
        let snapshot = Arc::new(Snapshot::new(history));
        let project = Project::from_source(Arc::clone(&snapshot) as _)?;
        let workspace = Workspace::of_project(project, Arc::<Config>::default());
        let (before, after) = (Files::new(), Files::new());
        let (changed, moved) = (BTreeMap::new(), HashMap::new());
        Ok(Self { root: root.to_owned(), snapshot, workspace, before, after, changed, moved })
    }

    /// Goes to another commit: the project is as before it.
    pub(crate) fn go_to(
        &mut self,
        before: &CommitTree,
        after: &CommitTree,
        changes: &[Change],
    ) -> io::Result<()> {
        self.before = before.files_of(&self.root);
        self.after = after.files_of(&self.root);
        let is_inside = |change: &&Change| {
            change.old_path.starts_with(&self.root) && change.new_path.starts_with(&self.root)
        };
        let paths =
            |change: &Change| (self.res_path(&change.old_path), self.res_path(&change.new_path));
        self.changed = changes.iter().filter(is_inside).map(paths).collect();
        self.moved.clear();
        self.snapshot.set(self.before.clone());
        self.project_mut().refresh()
    }

    pub(crate) fn project(&self) -> &Project {
        self.workspace.project().expect("it was made of one")
    }

    pub(crate) fn project_mut(&mut self) -> &mut Project {
        self.workspace.project_mut().expect("it was made of one")
    }

    /// `res://…` of a path in the repository.
    pub(crate) fn res_path(&self, path: &str) -> String {
        format!("res://{}", path.strip_prefix(&self.root).unwrap_or(path))
    }

    /// Does what a plan says.
    pub(crate) fn carry_out(&mut self, plan: &Plan) {
        if plan.is_empty() {
            return;
        }
        for moved in &plan.moves {
            let below = format!("{}/", moved.from);
            for path in self.before.keys() {
                let now = self.moved.get(path).unwrap_or(path);
                if *now == moved.from || now.starts_with(&below) {
                    let new = format!("{}{}", moved.to, &now[moved.from.len()..]);
                    self.moved.insert(path.clone(), new);
                }
            }
        }
        self.snapshot.carry_out(plan);
        self.project_mut().refresh().expect("files in memory can be listed");
    }

    /// The files before.
    pub(crate) fn files(&self) -> &Files {
        &self.before
    }

    /// Whether people have a file at this path.
    pub(crate) fn is_there_after(&self, path: &str) -> bool {
        self.after.contains_key(path)
    }

    /// A file as it was.
    pub(crate) fn before(&self, path: &str) -> Option<Arc<[u8]>> {
        Some(self.snapshot.content(self.before.get(path)?))
    }

    /// What we made of the file that was at this path.
    pub(crate) fn ours(&self, path: &str) -> Option<Arc<[u8]>> {
        self.snapshot.text(self.our_path(path))
    }

    /// Where we have brought the file that was at this path.
    pub(crate) fn our_path<'p>(&'p self, path: &'p str) -> &'p str {
        mapped(&self.moved, path)
    }

    /// The file that people have at this path.
    pub(crate) fn after(&self, path: &str) -> Option<Arc<[u8]>> {
        Some(self.snapshot.content(self.after.get(path)?))
    }

    /// Where people have brought the file that was at this path.
    pub(crate) fn path_after(&self, path: &str) -> String {
        self.changed.get(path).map_or(path, String::as_str).to_owned()
    }

    /// The files that people changed or moved: the path before and after.
    pub(crate) fn changed(&self) -> impl Iterator<Item = (&str, &str)> {
        self.changed.iter().map(|(old, new)| (old.as_str(), new.as_str()))
    }

    /// What a check finds, by the paths that files had before.
    pub(crate) fn findings(&self) -> Findings {
        let back: HashMap<&str, &str> =
            self.moved.iter().map(|(old, new)| (new.as_str(), old.as_str())).collect();
        let mut findings = Findings::new();
        for (path, found) in self.workspace.report(Scope::Scenes).files {
            for found in found {
                let path = back.get(path.as_str()).copied().unwrap_or(&path);
                let key = (path.to_owned(), found.diagnostic.code.to_owned());
                *findings.entry(key).or_default() += 1;
            }
        }
        findings
    }
}

/// What was not there before.
pub(crate) fn new_findings(before: &Findings, after: &Findings) -> Vec<String> {
    let is_new = |(key, count): &(&(String, String), &usize)| {
        **count > before.get(*key).copied().unwrap_or(0)
    };
    after.iter().filter(is_new).map(|((path, code), _)| format!("{path} {code}")).collect()
}

fn mapped<'m>(map: &'m HashMap<String, String>, path: &'m str) -> &'m str {
    map.get(path).map_or(path, String::as_str)
}

/// What stands behind the last dot.
pub(crate) fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}
