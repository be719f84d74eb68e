//! What depends on files that have changed.

use std::fs;
use std::io;
use std::path::PathBuf;

use project::{Dependencies, Project};

/// A project, and what depends on what there.
pub(super) struct KnownProject {
    /// Without links in its path.
    pub(super) root: PathBuf,
    project: Project,
    dependencies: Dependencies,
}

impl KnownProject {
    /// The projects that these paths lie in, each once.
    pub(super) fn of(paths: &[PathBuf]) -> Vec<Self> {
        let mut projects: Vec<Self> = Vec::new();
        for path in paths {
            let Ok(project) = Project::open(path) else { continue };
            let Some(root) = project.root().and_then(|root| fs::canonicalize(root).ok()) else {
                continue;
            };
            if !projects.iter().any(|known| known.root == root) {
                let dependencies = Dependencies::new(&project);
                projects.push(Self { root, project, dependencies });
            }
        }
        projects
    }

    /// Looks at the files again.
    pub(super) fn refresh(&mut self) -> io::Result<()> {
        self.project.refresh()?;
        self.dependencies = Dependencies::new(&self.project);
        Ok(())
    }

    /// The files at these paths that belong to the project, or lie in one of them as a folder, and all that depend on
    /// them. What is at a path may be gone.
    pub(super) fn dependents<'p>(
        &self,
        paths: impl IntoIterator<Item = &'p PathBuf>,
    ) -> Vec<PathBuf> {
        let below = paths.into_iter().filter_map(|path| path.strip_prefix(&self.root).ok());
        let name = |path: &std::path::Path| path.to_string_lossy().replace('\\', "/");
        let names: Vec<String> = below.map(|path| format!("res://{}", name(path))).collect();
        let is_changed = |path: &str| {
            names.iter().any(|name| {
                let rest = path.strip_prefix(name.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
        };
        let mut changed: Vec<_> =
            self.project.files().filter(|file| is_changed(self.project.path(*file))).collect();
        for name in &names {
            // The uid of a script or import stands beside it.
            let beside = name.strip_suffix(".uid").or_else(|| name.strip_suffix(".import"));
            changed.extend(beside.and_then(|path| self.project.file(path)));
            changed.extend(self.dependencies.referring_to_missing(name));
        }
        let all = self.dependencies.all_dependents(changed);
        let place = |path: &str| self.root.join(path.trim_start_matches("res://"));
        all.into_iter().map(|file| place(self.project.path(file))).collect()
    }
}
