//! Each file with the rules, the project and the configuration that are its own.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use project::{CachePlace, Config, FixGroup, Overrides, Project, Skipped};
use rayon::prelude::*;
use tscn::{Applicability, Diagnostic, LintOptions, Profile};

use crate::rule_args::RuleArgs;
use crate::walk::Target;

/// Checks files. All projects are opened before the first one, so threads only read.
pub(crate) struct Linter {
    roots: Vec<Root>,
    /// The root above a folder.
    by_folder: HashMap<PathBuf, Option<usize>>,
    /// For files outside of projects.
    config: Config,
}

/// A folder with a `project.godot`.
struct Root {
    folder: PathBuf,
    /// Nothing with `--no-project`.
    project: Option<Project>,
    config: Config,
}

/// Fixes that touch several files of a project and hang together.
pub(crate) struct Across {
    /// The folder of the project.
    pub(crate) folder: PathBuf,
    pub(crate) group: FixGroup,
}

/// A file's place in a project.
struct Place<'l> {
    root: &'l Root,
    /// `res://…`
    path: String,
}

impl Linter {
    /// Opens the projects that the files lie in, and reads their configurations.
    pub(crate) fn new(targets: &[Target], args: &RuleArgs) -> Result<Self, String> {
        let overrides = args.overrides();
        let given = match &args.config {
            Some(path) => Config::read(path, &overrides),
            None => Config::without_file(&overrides),
        };
        let config = given.map_err(|error| error.to_string())?;
        let mut by_folder: HashMap<PathBuf, Option<usize>> = HashMap::new();
        let mut by_root: HashMap<PathBuf, usize> = HashMap::new();
        for folder in targets.iter().filter_map(folder_of) {
            if by_folder.contains_key(&folder) {
                continue;
            }
            let next = by_root.len();
            let root = root_above(&folder).map(|root| *by_root.entry(root).or_insert(next));
            by_folder.insert(folder, root);
        }
        let mut folders: Vec<(PathBuf, usize)> = by_root.into_iter().collect();
        folders.sort_by_key(|(_, index)| *index);
        let open = |(folder, _): &(PathBuf, usize)| Root::open(folder, args, &overrides, &config);
        let roots = folders.par_iter().map(open).collect::<Result<_, String>>()?;
        Ok(Self { roots, by_folder, config })
    }

    /// What is wrong in a file.
    pub(crate) fn lint(&self, target: &Target, text: &[u8]) -> Vec<Diagnostic> {
        let Some(Place { root, path }) = self.place(target) else {
            let name = target.name();
            let mut diagnostics =
                tscn::lint(text, &with_path(self.config.options(), &name)).diagnostics;
            self.config.leave_out(&name, &mut diagnostics);
            return diagnostics;
        };
        let options = with_path(root.config.options(), &path);
        // A file that Godot does not see, in a hidden folder say, is not part of the project.
        let project = root.project.as_ref().filter(|project| project.file(&path).is_some());
        let report = match project {
            Some(project) => project::lint_file(project, &path, text, &options),
            None => tscn::lint(text, &options),
        };
        let mut diagnostics = report.diagnostics;
        root.config.leave_out(&path, &mut diagnostics);
        diagnostics
    }

    /// The folder of the project that a file lies in.
    pub(crate) fn project_folder(&self, target: &Target) -> Option<&Path> {
        self.place(target).map(|place| place.root.folder.as_path())
    }

    /// What is not looked at in the projects.
    pub(crate) fn skipped(&self) -> impl Iterator<Item = &Skipped> {
        let projects = self.roots.iter().filter_map(|root| root.project.as_ref());
        projects.flat_map(Project::skipped)
    }

    /// The folders of the projects.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &Path> {
        self.roots.iter().map(|root| root.folder.as_path())
    }

    /// Works out the fixes that touch several files, for what is wrong in the targets. Nothing is written; until
    /// [`Linter::forget`] the new texts count.
    pub(crate) fn fix_across(
        &mut self,
        targets: &[Target],
        limit: Applicability,
    ) -> Result<Vec<Across>, String> {
        let mut by_root: HashMap<PathBuf, Vec<String>> = HashMap::new();
        for place in targets.iter().filter_map(|target| self.place(target)) {
            by_root.entry(place.root.folder.clone()).or_default().push(place.path);
        }
        let mut all = Vec::new();
        for root in &mut self.roots {
            let Root { folder, project: Some(project), config } = root else { continue };
            let Some(paths) = by_root.get(folder.as_path()) else { continue };
            let find = |project: &Project, path: &str, text: &[u8]| {
                let options = with_path(config.options(), path);
                let mut found =
                    project::lint_file_across(project, path, text, &options).diagnostics;
                config.leave_out(path, &mut found);
                found
            };
            let groups = project::fix_across(project, paths, limit, &find)
                .map_err(|error| format!("{}: {error}", folder.display()))?;
            all.extend(groups.into_iter().map(|group| Across { folder: folder.clone(), group }));
        }
        Ok(all)
    }

    /// Lets what is on disk count again instead of the texts that [`Linter::fix_across`] made.
    pub(crate) fn forget(&mut self, made: &[Across]) -> io::Result<()> {
        for Root { folder, project, .. } in &mut self.roots {
            let of_root = made.iter().filter(|across| across.folder == *folder);
            let paths: Vec<&str> =
                of_root.flat_map(|across| across.group.files.keys().map(String::as_str)).collect();
            if let Some(project) = project.as_mut().filter(|_| !paths.is_empty()) {
                project.set_overlays(paths.into_iter().map(|path| (path, None)))?;
                project.prepare();
            }
        }
        Ok(())
    }

    /// The text that [`Linter::fix_across`] made for a file.
    pub(crate) fn made_text(&self, target: &Target) -> Option<&[u8]> {
        let Place { root, path } = self.place(target)?;
        root.project.as_ref()?.overlay(&path)
    }

    /// The options with which the file is looked at, but for its path.
    pub(crate) fn options(&self, target: &Target) -> LintOptions<'_> {
        self.place(target).map_or(&self.config, |place| &place.root.config).options()
    }

    fn place(&self, target: &Target) -> Option<Place<'_>> {
        let Target::File(path) = target else { return None };
        let folder = folder_of(target)?;
        let root = &self.roots[(*self.by_folder.get(&folder)?)?];
        let mut parts = vec![];
        for part in folder.strip_prefix(&root.folder).ok()?.components() {
            parts.push(part.as_os_str().to_string_lossy());
        }
        parts.push(path.file_name()?.to_string_lossy());
        Some(Place { root, path: format!("res://{}", parts.join("/")) })
    }
}

impl Across {
    /// Where a file of the project lies.
    pub(crate) fn file_path(&self, path: &str) -> PathBuf {
        self.folder.join(path.strip_prefix("res://").unwrap_or(path))
    }
}

impl Root {
    fn open(
        folder: &Path,
        args: &RuleArgs,
        overrides: &Overrides,
        given: &Config,
    ) -> Result<Self, String> {
        // What lies with files from strangers is theirs.
        let is_untrusted = args.profile() == Profile::Untrusted;
        let config = if args.config.is_some() || args.no_config || is_untrusted {
            given.clone()
        } else {
            Config::of_project(folder, overrides).map_err(|error| error.to_string())?
        };
        let open = || match config.profile() {
            Profile::Trusted => Project::open_with_cache(folder, &CachePlace::Usual),
            Profile::Untrusted => Project::open_untrusted(folder),
        };
        let project =
            (!args.no_project).then(open).transpose().map_err(|error| error.to_string())?;
        if let Some(project) = &project {
            project.prepare();
        }
        Ok(Self { folder: folder.to_owned(), project, config })
    }
}

fn with_path<'o>(mut options: LintOptions<'o>, path: &'o str) -> LintOptions<'o> {
    options.path = Some(path);
    options
}

/// The folder that a file lies in, from the root of the file system and without `..`.
pub(crate) fn folder_of(target: &Target) -> Option<PathBuf> {
    let Target::File(path) = target else { return None };
    let folder = path.parent()?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let absolute = std::path::absolute(folder).ok()?;
    // Links stay as they are, for Godot sees a linked folder where the link is.
    if absolute.components().any(|part| part == Component::ParentDir) {
        return fs::canonicalize(absolute).ok();
    }
    Some(absolute)
}

/// The folder of the nearest `project.godot` upwards, as Godot looks for it.
fn root_above(folder: &Path) -> Option<PathBuf> {
    let is_root = |folder: &&Path| folder.join("project.godot").is_file();
    folder.ancestors().find(is_root).map(Path::to_owned)
}
