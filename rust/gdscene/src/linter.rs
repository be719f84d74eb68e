//! Each file with the workspace that it lies in.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, io};

use gdscene_lint::{Config, ConfigError, FixChoice, FixGroup, Workspace, WorkspaceOptions};
use godot_project::{CachePlace, Project, ProjectError, Skipped, Surroundings};
use godot_tscn::{Diagnostic, Fixed};
use rayon::prelude::*;
use thiserror::Error;

use crate::inputs::{Input, absolute_folder};
use crate::rule_args::RuleArgs;

/// Checks files. All workspaces are opened before the first one, so threads only read.
pub(crate) struct Linter {
    options: WorkspaceOptions,
    workspaces: Vec<Workspace>,
    /// Where the folders of the files lie, by the paths that the inputs have for them; nothing for those outside of projects.
    project_folders: HashMap<PathBuf, Option<ProjectFolder>>,
    /// For files outside of projects.
    outside: Workspace,
}

/// Fixes that touch several files of a project and hang together.
pub(crate) struct MultiFileFix {
    /// The folder of the project.
    pub(crate) folder: PathBuf,
    pub(crate) group: FixGroup,
}

/// What is reported once in the `project.godot` of checked files.
pub(crate) struct Summary {
    /// The folder of the project.
    pub(crate) root: PathBuf,
    /// The file.
    pub(crate) path: PathBuf,
    pub(crate) text: Vec<u8>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) config: Arc<Config>,
}

/// Why files cannot be checked.
#[derive(Debug, Error)]
pub(crate) enum LinterError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Project(#[from] ProjectError),
    /// The files of a project cannot be listed again.
    #[error("{}: {source}", folder.display())]
    Unreadable { folder: PathBuf, source: io::Error },
}

/// A file, and the workspace that it is in.
pub(crate) struct InputFile<'l> {
    input: &'l Input,
    file: Option<ProjectFile<'l>>,
    /// The file's workspace, or that for files outside of projects.
    workspace: &'l Workspace,
}

/// A folder of a workspace.
struct ProjectFolder {
    /// Which workspace it is.
    index: usize,
    /// `res://…/`
    path: String,
}

/// A file of a workspace.
struct ProjectFile<'l> {
    /// Which workspace it is.
    index: usize,
    workspace: &'l Workspace,
    /// `res://…`
    path: String,
}

impl Linter {
    /// Opens the projects that the files lie in, and reads their configurations.
    pub(crate) fn new(inputs: &[Input], args: &RuleArgs) -> Result<Self, LinterError> {
        let options = workspace_options(args)?;
        let outside = Workspace::outside(&options);
        if let Some(error) = outside.config_error() {
            return Err(error.into());
        }
        let mut linter =
            Self { options, workspaces: Vec::new(), project_folders: HashMap::new(), outside };
        linter.open(inputs.iter().filter_map(Input::folder))?;
        Ok(linter)
    }

    /// Opens the projects that these folders lie in, unless they are open.
    pub(crate) fn open<'f>(
        &mut self,
        folders: impl IntoIterator<Item = &'f Path>,
    ) -> Result<(), LinterError> {
        let roots = self.workspaces.iter().enumerate();
        let mut by_root: HashMap<PathBuf, usize> = roots
            .filter_map(|(index, workspace)| Some((workspace.root()?.to_owned(), index)))
            .collect();
        let surroundings = Surroundings::default();
        let (mut new_roots, mut new_folders, mut last) = (Vec::new(), HashMap::new(), None);
        for folder in folders {
            // Mostly many files lie in one folder, one after the other.
            let is_same = last.replace(folder) == Some(folder);
            let is_known = |folder| {
                self.project_folders.contains_key(folder) || new_folders.contains_key(folder)
            };
            if is_same || is_known(folder) {
                continue;
            }
            let found = absolute_folder(folder).and_then(|absolute| {
                let root = surroundings.find_root(&absolute)?;
                let path = res_folder(&absolute, &root)?;
                let next = by_root.len();
                let index = *by_root.entry(root).or_insert_with_key(|root| {
                    new_roots.push(root.clone());
                    next
                });
                Some(ProjectFolder { index, path })
            });
            new_folders.insert(folder.to_owned(), found);
        }
        let open = |root: &PathBuf| open_in(root, &self.options, &surroundings);
        let opened = new_roots.par_iter().map(open).collect::<Result<Vec<_>, LinterError>>()?;
        self.workspaces.extend(opened);
        self.project_folders.extend(new_folders);
        Ok(())
    }

    /// Looks at all files, and at the configurations, anew. A project that is gone stays as it was, and each of its files says
    /// that it cannot be read.
    pub(crate) fn refresh(&mut self) -> Result<(), LinterError> {
        for workspace in &mut self.workspaces {
            let _ = workspace.refresh();
        }
        let error = self.workspaces.iter().find_map(Workspace::config_error);
        error.map_or(Ok(()), |error| Err(error.into()))
    }

    /// The projects, unless only the rules for single files run.
    pub(crate) fn projects(&self) -> impl Iterator<Item = &Project> {
        self.workspaces.iter().filter_map(Workspace::project)
    }

    /// A file with the workspace that it is in.
    pub(crate) fn input_file<'l>(&'l self, input: &'l Input) -> InputFile<'l> {
        let file = self.project_file(input);
        let workspace = file.as_ref().map_or(&self.outside, |file| file.workspace);
        InputFile { input, file, workspace }
    }

    /// What is reported once in each `project.godot` that is not among the inputs, instead of in each input.
    pub(crate) fn summaries(&self, inputs: &[Input]) -> Vec<Summary> {
        let mut paths: Vec<Vec<String>> = vec![Vec::new(); self.workspaces.len()];
        for file in inputs.iter().filter_map(|input| self.project_file(input)) {
            paths[file.index].push(file.path);
        }
        let here = env::current_dir().unwrap_or_default();
        let of = |(workspace, paths): (&Workspace, &Vec<String>)| {
            let summaries = workspace.summaries(paths.iter().map(String::as_str));
            let (text, diagnostics) = summaries.filter(|_| !paths.is_empty())?;
            let root = workspace.root()?.to_owned();
            let path = root.join("project.godot");
            let path = path.strip_prefix(&here).map(Path::to_owned).unwrap_or(path);
            Some(Summary { root, path, text, diagnostics, config: workspace.config() })
        };
        self.workspaces.iter().zip(&paths).filter_map(of).collect()
    }

    /// What is not looked at in the projects.
    pub(crate) fn skipped(&self) -> impl Iterator<Item = &Skipped> {
        self.projects().flat_map(Project::skipped)
    }

    /// The folders of the projects.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &Path> {
        self.workspaces.iter().filter_map(Workspace::root)
    }

    /// Works out the chosen fixes that touch several files, for what is wrong in the inputs. Nothing is written; until
    /// [`Linter::forget`] the new texts count.
    pub(crate) fn fix_across(
        &mut self,
        inputs: &[Input],
        choice: FixChoice,
    ) -> Result<Vec<MultiFileFix>, LinterError> {
        let mut paths: Vec<Vec<String>> = vec![Vec::new(); self.workspaces.len()];
        for file in inputs.iter().filter_map(|input| self.project_file(input)) {
            paths[file.index].push(file.path);
        }
        let mut all = Vec::new();
        for (workspace, paths) in self.workspaces.iter_mut().zip(&paths) {
            let Some(folder) = workspace.root().map(Path::to_owned) else { continue };
            let groups = workspace
                .fix_across(paths, choice)
                .map_err(|source| LinterError::Unreadable { folder: folder.clone(), source })?;
            all.extend(
                groups.into_iter().map(|group| MultiFileFix { folder: folder.clone(), group }),
            );
        }
        Ok(all)
    }

    /// Lets what is on disk count again instead of the texts that [`Linter::fix_across`] made.
    pub(crate) fn forget(&mut self, made: &[MultiFileFix]) -> io::Result<()> {
        for workspace in &mut self.workspaces {
            let folder = workspace.root();
            let of_folder = made.iter().filter(|fix| Some(fix.folder.as_path()) == folder);
            let paths: Vec<&str> =
                of_folder.flat_map(|fix| fix.group.files.keys().map(String::as_str)).collect();
            if !paths.is_empty() {
                workspace.forget(paths)?;
            }
        }
        Ok(())
    }

    fn project_file(&self, input: &Input) -> Option<ProjectFile<'_>> {
        let Input::File(path) = input else { return None };
        let folder = self.project_folders.get(input.folder()?)?.as_ref()?;
        let name = path.file_name()?.to_string_lossy();
        Some(ProjectFile {
            index: folder.index,
            workspace: &self.workspaces[folder.index],
            path: format!("{}{name}", folder.path),
        })
    }
}

impl<'l> InputFile<'l> {
    /// What is wrong in the file.
    pub(crate) fn lint(&self, text: &[u8]) -> Vec<Diagnostic> {
        self.workspace.diagnostics(&self.path(), text)
    }

    /// The file's text with the chosen fixes.
    pub(crate) fn fix(&self, text: &[u8], choice: FixChoice) -> Fixed {
        self.workspace.fix(&self.path(), text, choice)
    }

    /// The folder of the project that the file lies in.
    pub(crate) fn project_folder(&self) -> Option<&'l Path> {
        self.file.as_ref()?.workspace.root()
    }

    /// The folder with code of others that the file lies in, from its project's folder.
    pub(crate) fn third_party_folder(&self) -> Option<String> {
        self.workspace.third_party_folder(&self.file.as_ref()?.path)
    }

    /// The text that [`Linter::fix_across`] made for the file.
    pub(crate) fn made_text(&self) -> Option<&'l [u8]> {
        self.workspace.project()?.overlay(&self.file.as_ref()?.path)
    }

    /// The configuration with which the file is looked at.
    pub(crate) fn config(&self) -> Arc<Config> {
        self.workspace.config()
    }

    /// The path in the project, or the name that the file was given by.
    fn path(&self) -> Cow<'_, str> {
        match &self.file {
            Some(file) => Cow::Borrowed(&file.path),
            None => self.input.name(),
        }
    }
}

impl MultiFileFix {
    /// Where a file of the project lies.
    pub(crate) fn file_path(&self, path: &str) -> PathBuf {
        self.folder.join(path.strip_prefix("res://").unwrap_or(path))
    }
}

/// What the command line says of workspaces.
pub(crate) fn workspace_options(args: &RuleArgs) -> Result<WorkspaceOptions, LinterError> {
    let overrides = args.overrides();
    let config = match &args.config {
        Some(path) => Some(Config::read(path, &overrides)),
        None => args.no_config.then(|| Config::without_file(&overrides)),
    };
    let config = config.transpose()?.map(Arc::new);
    let cache = CachePlace::Usual;
    Ok(WorkspaceOptions {
        overrides,
        config,
        cache,
        without_project: args.no_project,
        ..WorkspaceOptions::default()
    })
}

/// Opens the workspace that a file or folder lies in, with its own configuration.
pub(crate) fn open_above(path: &Path) -> Result<Workspace, LinterError> {
    let root =
        godot_project::find_root(path).ok_or_else(|| ProjectError::NotFound(path.to_owned()))?;
    open(&root, &WorkspaceOptions::default())
}

/// Opens a workspace, unless something is wrong with its configuration.
pub(crate) fn open(root: &Path, options: &WorkspaceOptions) -> Result<Workspace, LinterError> {
    open_in(root, options, &Surroundings::default())
}

/// [`open`] for one of many projects.
fn open_in(
    root: &Path,
    options: &WorkspaceOptions,
    surroundings: &Surroundings,
) -> Result<Workspace, LinterError> {
    let workspace = Workspace::open_in(root, options, surroundings)?;
    match workspace.config_error() {
        Some(error) => Err(error.into()),
        None => Ok(workspace),
    }
}

/// `res://…/`, of a folder in the project whose folder is `root`.
fn res_folder(folder: &Path, root: &Path) -> Option<String> {
    let mut path = "res://".to_owned();
    for part in folder.strip_prefix(root).ok()?.components() {
        path.push_str(&part.as_os_str().to_string_lossy());
        path.push('/');
    }
    Some(path)
}
