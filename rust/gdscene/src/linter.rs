//! Each file with its workspace.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, io};

use gdscene_lint::{Config, ConfigError, FixChoice, FixGroup, Workspace, WorkspaceOptions};
use godot_project::res_path::{extension_of, folder_of};
use godot_project::{CachePlace, Project, ProjectError, Skipped, Surroundings};
use godot_tscn::{Diagnostic, Fixed, Profile};
use rayon::prelude::*;
use thiserror::Error;

use crate::engine::{Engine, Imported, Judged};
use crate::files::{file_path, read};
use crate::inputs::{Input, absolute_folder};
use crate::rule_args::RuleArgs;

/// Checks files. All workspaces are opened before the first one, so threads only read.
pub(crate) struct Linter {
    options: WorkspaceOptions,
    workspaces: Vec<Workspace>,
    /// The folders of the files in their projects, by the paths of the inputs; nothing for files outside projects.
    project_folders: HashMap<PathBuf, Option<ProjectFolder>>,
    /// For files outside projects.
    outside: Workspace,
}

/// What an engine imported, by the folder of the project.
pub(crate) type Imports = HashMap<PathBuf, io::Result<Imported>>;

/// Fixes that touch several files of a project and hang together.
pub(crate) struct MultiFileFix {
    /// The folder of the project.
    pub(crate) folder: PathBuf,
    pub(crate) group: FixGroup,
}

/// Findings that are reported once, in the `project.godot` of checked files.
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
    /// The file's workspace, or the workspace for files outside projects.
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
        let configs: Vec<_> = linter.configs().collect();
        linter.options.overrides.check(&configs)?;
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

    /// Reads all files and configurations again. A project that is gone stays as it was, and each of its files says that it
    /// cannot be read.
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

    /// Findings that are reported once in each `project.godot` that is not among the inputs, instead of in
    /// each input.
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

    /// Whether the files of one of the projects are not trusted.
    pub(crate) fn has_untrusted(&self) -> bool {
        let mut all = self.workspaces.iter().chain([&self.outside]);
        all.any(|workspace| workspace.config().profile() == Profile::Untrusted)
    }

    /// The files of the projects at or below `paths` that are not among the inputs: shaders, images and others.
    pub(crate) fn others(&mut self, paths: &[PathBuf], inputs: &[Input]) -> Vec<Input> {
        let given: Vec<(&PathBuf, PathBuf)> = paths
            .iter()
            .filter(|path| path.is_dir())
            .filter_map(|path| Some((path, absolute_folder(path)?)))
            .collect();
        let known: HashSet<(usize, String)> = inputs
            .iter()
            .filter_map(|input| self.project_file(input))
            .map(|file| (file.index, file.path))
            .collect();
        let (mut others, mut folders) = (Vec::new(), HashMap::new());
        for (index, workspace) in self.workspaces.iter().enumerate() {
            let (Some(root), Some(project)) = (workspace.root(), workspace.project()) else {
                continue;
            };
            for file in project.files().filter(|file| !project.is_unchecked(*file)) {
                let path = project.path(file);
                if known.contains(&(index, path.to_owned())) {
                    continue;
                }
                let place = file_path(root, path);
                let name = given.iter().find_map(|(path, folder)| {
                    let below = place.strip_prefix(folder).ok()?;
                    Some(path.strip_prefix(".").unwrap_or(path).join(below))
                });
                let Some(name) = name else { continue };
                if let Some(folder) = name.parent() {
                    let path = format!("{}/", folder_of(path));
                    folders.insert(folder.to_owned(), Some(ProjectFolder { index, path }));
                }
                others.push(Input::File(name));
            }
        }
        folders.into_iter().for_each(|(name, folder)| {
            self.project_folders.entry(name).or_insert(folder);
        });
        others
    }

    /// Lets an engine import the projects if that is due. Read the files again then.
    pub(crate) fn import(&self, engine: &Engine) -> Imports {
        let projects = self.workspaces.iter().filter_map(|workspace| {
            let (root, project) = (workspace.root()?, workspace.project()?);
            Some((root.to_owned(), engine.import(project, root)))
        });
        projects.collect()
    }

    /// Lets an engine load the inputs of each project, and its rules report what it found. Returns what it did, by the folder
    /// of the project. `progress` is called for each file.
    pub(crate) fn judge(
        &mut self,
        engine: &Engine,
        inputs: &[&Input],
        mut imports: Imports,
        progress: &dyn Fn(),
    ) -> Vec<(PathBuf, io::Result<Judged>)> {
        let mut paths: Vec<Vec<String>> = vec![Vec::new(); self.workspaces.len()];
        for file in inputs.iter().filter_map(|input| self.project_file(input)) {
            paths[file.index].push(file.path);
        }
        let mut all = Vec::new();
        for (workspace, paths) in self.workspaces.iter_mut().zip(&paths) {
            let (Some(root), Some(project)) = (workspace.root(), workspace.project()) else {
                continue;
            };
            if paths.is_empty() {
                continue;
            }
            let root = root.to_owned();
            let imported = imports.remove(&root).unwrap_or_else(|| Ok(Imported::default()));
            let judge = |imported| engine.judge(project, &root, paths, imported, progress);
            let mut judged = imported.and_then(judge);
            if let Ok(judged) = &mut judged {
                workspace.set_verdict(Some(std::mem::take(&mut judged.verdict)));
            }
            all.push((root, judged));
        }
        all
    }

    /// The skipped parts of the projects.
    pub(crate) fn skipped(&self) -> impl Iterator<Item = &Skipped> {
        self.projects().flat_map(Project::skipped)
    }

    /// The configurations of the projects, and that of files outside of projects.
    pub(crate) fn configs(&self) -> impl Iterator<Item = Arc<Config>> {
        self.workspaces.iter().chain([&self.outside]).map(Workspace::config)
    }

    /// The folders of the projects.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &Path> {
        self.workspaces.iter().filter_map(Workspace::root)
    }

    /// Makes the chosen fixes that touch several files, for the findings in the inputs. Nothing is written; until
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

    /// Makes the files on disk count again instead of the texts that [`Linter::fix_across`] made.
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
    /// The findings in the file.
    pub(crate) fn lint(&self, text: &[u8]) -> Vec<Diagnostic> {
        self.workspace.diagnostics(&self.path(), text)
    }

    /// The file's text with the chosen fixes.
    pub(crate) fn fix(&self, text: &[u8], choice: FixChoice) -> Fixed {
        self.workspace.fix(&self.path(), text, choice)
    }

    /// What an engine found in a file that no rule of ours looks at.
    pub(crate) fn verdict(&self, text: &[u8]) -> Vec<Diagnostic> {
        self.workspace.verdict_on(&self.path(), text)
    }

    /// Whether an engine found something in it.
    pub(crate) fn has_verdict(&self) -> bool {
        !self.verdict(b"").is_empty()
    }

    /// Its text, if it is one that people read. What cannot be read is shown without its lines.
    pub(crate) fn shown_text(&self) -> Vec<u8> {
        let path = self.path();
        let is_text = matches!(&*extension_of(&path), "gdshader" | "gdshaderinc");
        let text = is_text.then(|| read(self.input).ok()).flatten();
        text.unwrap_or_default()
    }

    /// The folder of the file's project.
    pub(crate) fn project_folder(&self) -> Option<&'l Path> {
        self.file.as_ref()?.workspace.root()
    }

    /// The folder of third-party code with the file, from its project's folder.
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
    /// The place of a file of the project.
    pub(crate) fn file_path(&self, path: &str) -> PathBuf {
        self.folder.join(path.strip_prefix("res://").unwrap_or(path))
    }
}

/// The options for workspaces on the command line.
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

/// Opens the workspace of a file or folder, with its own configuration.
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

/// `res://…/` for a folder in the project in the folder `root`.
fn res_folder(folder: &Path, root: &Path) -> Option<String> {
    let mut path = "res://".to_owned();
    for part in folder.strip_prefix(root).ok()?.components() {
        path.push_str(&part.as_os_str().to_string_lossy());
        path.push('/');
    }
    Some(path)
}
