//! One way from a file to its findings, for every front end: the command, the editor, and others.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::SystemTime;

use godot_project::res_path::FactsKind;
use godot_project::res_path::is_gdscript;
use godot_project::{
    CachePlace, ClassDb, FileId, Project, ProjectError, ProjectSettings, Surroundings, Uid,
    read_file,
};
use godot_tscn::{Diagnostic, Fixed, LintOptions, LocatedDiagnostic, Profile};
use hashbrown::HashSet;
use rayon::prelude::*;

use crate::config::{CONFIG_NAME, Config, ConfigError, Overrides, OwnAddons};
use crate::fix::{FixChoice, FixGroup, fix_across};
use crate::run::{lint_scene_across, lint_scene_with, lint_script, lint_settings, lint_summaries};
use crate::verdict::{self, Verdict};

/// A project, its configuration, and the consequences of both for each of its files.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # std::fs::write(folder.path().join("project.godot"), "config_version=5\n").unwrap();
/// use godot_project::CachePlace;
/// use gdscene_lint::{Workspace, WorkspaceOptions};
///
/// let options = WorkspaceOptions { cache: CachePlace::None, ..WorkspaceOptions::default() };
/// let workspace = Workspace::open(folder.path(), &options)?;
/// let text = b"[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://gone.gd\" id=\"1\"]\n\n\
///              [node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"1\")\n";
/// let found = workspace.check("res://a.tscn", text);
/// assert_eq!((found[0].diagnostic.code, found[0].position.line), ("RES001", 3));
/// # Ok::<(), godot_project::ProjectError>(())
/// ```
#[derive(Debug)]
pub struct Workspace {
    /// Nothing for files outside projects.
    root: Option<PathBuf>,
    /// Nothing if only the rules for single files run.
    project: Option<Project>,
    own_addons: OwnAddons,
    /// Nothing until an engine has loaded the project.
    verdict: Option<Verdict>,
    overrides: Overrides,
    /// Nothing if another configuration than the project's own was given.
    own_config: Option<PathBuf>,
    /// Replaces the contents of that file.
    unsaved_config: Option<String>,
    config: RwLock<LoadedConfig>,
}

/// How to open a [`Workspace`].
#[derive(Clone, Debug, Default)]
pub struct WorkspaceOptions {
    /// Settings with priority over the configuration's file.
    pub overrides: Overrides,
    /// Takes the place of the project's own `gdscene.toml`.
    pub config: Option<Arc<Config>>,
    /// The place of the cache.
    pub cache: CachePlace,
    /// The classes of a running engine, which know more than the lists of its versions.
    pub classes: Option<Arc<ClassDb>>,
    /// Whether the rules for single files are enough.
    pub without_project: bool,
}

/// Which files of a project are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Text scenes and resources: `.tscn`, `.escn`, `.tres`.
    Scenes,
    /// Those, the settings files ([`godot_tscn::is_config_path`]), and the scripts in GDScript.
    All,
}

/// Is notified of a check of many files. All calls but the first come from several threads at once.
pub trait Observer: Sync {
    /// Which files there are, once.
    fn begin(&self, _paths: &[&str]) {}

    /// The findings in the file with this index, or why it cannot be read.
    fn done(&self, index: usize, found: io::Result<Vec<LocatedDiagnostic>>);

    /// Whether no further file will be started.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// The findings of [`Workspace::report`].
#[derive(Debug, Default)]
pub struct WorkspaceReport {
    /// The files in which something was found, by path.
    pub files: Vec<(String, Vec<LocatedDiagnostic>)>,
    /// How many files were looked at.
    pub checked_count: usize,
    /// The files that cannot be read, and why.
    pub unreadable: Vec<(String, io::Error)>,
}

/// A configuration, and the file that it was read from.
#[derive(Debug, Default)]
struct LoadedConfig {
    /// What counts.
    config: Arc<Config>,
    error: Option<ConfigError>,
    /// What was read, if its error is only that the project lacks what it names.
    read: Option<Arc<Config>>,
    /// Nothing if there is no file.
    stamp: Option<(SystemTime, u64)>,
}

impl LoadedConfig {
    fn of(read: Result<Config, ConfigError>, stamp: Option<(SystemTime, u64)>) -> Self {
        match read {
            Ok(config) => Self::of_config(Arc::new(config), stamp),
            Err(error) => Self { config: Arc::default(), error: Some(error), read: None, stamp },
        }
    }

    fn of_config(config: Arc<Config>, stamp: Option<(SystemTime, u64)>) -> Self {
        Self { config: Arc::clone(&config), error: None, read: Some(config), stamp }
    }

    /// Looks whether the project has what the configuration names.
    fn check_names_in(&mut self, project: &Project) {
        let Some(read) = &self.read else { return };
        (self.config, self.error) = match read.check_names_in(project) {
            Ok(()) => (Arc::clone(read), None),
            Err(error) => (Arc::default(), Some(error)),
        };
    }

    /// The given configuration, or the settings of the command line.
    fn without_file(options: &WorkspaceOptions) -> Self {
        match &options.config {
            Some(config) => Self::of_config(Arc::clone(config), None),
            None => Self::of(Config::without_file(&options.overrides), None),
        }
    }
}

impl Workspace {
    /// Opens the project in the folder `root`, and computes the data that all files need. [`Workspace::config_error`] returns an
    /// error in its configuration.
    ///
    /// # Errors
    /// When the folder or its `project.godot` cannot be read.
    pub fn open(root: &Path, options: &WorkspaceOptions) -> Result<Self, ProjectError> {
        Self::open_in(root, options, &Surroundings::default())
    }

    /// [`Workspace::open`] for one of many projects.
    ///
    /// # Errors
    /// As [`Workspace::open`].
    pub fn open_in(
        root: &Path,
        options: &WorkspaceOptions,
        surroundings: &Surroundings,
    ) -> Result<Self, ProjectError> {
        // A configuration among untrusted files is theirs.
        let is_own =
            options.config.is_none() && options.overrides.profile != Some(Profile::Untrusted);
        let loaded =
            if is_own { LoadedConfig::default() } else { LoadedConfig::without_file(options) };
        let mut workspace = Self::empty(options, loaded);
        workspace.root = Some(root.to_owned());
        workspace.own_config = is_own.then(|| root.join(CONFIG_NAME));
        workspace.refresh_config();
        if !options.without_project {
            let mut project = match workspace.config().profile() {
                Profile::Trusted => Project::open_in(root, &options.cache, surroundings)?,
                Profile::Untrusted => Project::open_untrusted(root)?,
            };
            project.set_classes(options.classes.clone());
            project.prepare();
            workspace.project = Some(project);
        }
        workspace.check_config_names();
        workspace.refresh_own_addons();
        Ok(workspace)
    }

    /// For files that lie in no project.
    pub fn outside(options: &WorkspaceOptions) -> Self {
        Self::empty(options, LoadedConfig::without_file(options))
    }

    fn empty(options: &WorkspaceOptions, loaded: LoadedConfig) -> Self {
        Self {
            root: None,
            project: None,
            own_addons: OwnAddons::default(),
            verdict: None,
            overrides: options.overrides.clone(),
            own_config: None,
            unsaved_config: None,
            config: RwLock::new(loaded),
        }
    }

    /// One of a project that was opened otherwise.
    pub fn of_project(project: Project, config: Arc<Config>) -> Self {
        project.prepare();
        let options = WorkspaceOptions { config: Some(config), ..WorkspaceOptions::default() };
        let root = project.root().map(Path::to_owned);
        let mut workspace = Self { root, project: Some(project), ..Self::outside(&options) };
        workspace.check_config_names();
        workspace.refresh_own_addons();
        workspace
    }

    /// The folder with `project.godot`.
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// The project, unless only the rules for single files run.
    pub fn project(&self) -> Option<&Project> {
        self.project.as_ref()
    }

    /// [`Workspace::project`], to set texts that are not saved. [`Project::prepare`] is due before files are checked side by side.
    pub fn project_mut(&mut self) -> Option<&mut Project> {
        self.project.as_mut()
    }

    /// Lets the rules `ENG…` report what an engine found in the files of the project.
    pub fn set_verdict(&mut self, verdict: Option<Verdict>) {
        self.verdict = verdict;
    }

    /// What an engine reported of a file that is no scene, resource, script or settings file, such as a shader or an image.
    /// `text` is empty for a file that is no text.
    pub fn verdict_on(&self, path: &str, text: &[u8]) -> Vec<Diagnostic> {
        self.run_with_config(path, |_, options, _| {
            let mut found = Vec::new();
            let reported = self.verdict.as_ref().map_or(&[][..], |verdict| verdict.of(path));
            verdict::add_to_list(&mut found, text, reported, options);
            found.sort_by_key(|found| (found.span, found.code));
            found
        })
    }

    /// Reads the files on disk and the configuration again.
    ///
    /// # Errors
    /// When the project's files cannot be listed.
    pub fn refresh(&mut self) -> io::Result<()> {
        self.refresh_config();
        if let Some(project) = &mut self.project {
            project.refresh()?;
            project.prepare();
        }
        self.check_config_names();
        self.refresh_own_addons();
        Ok(())
    }

    fn check_config_names(&self) {
        if let Some(project) = &self.project {
            self.config.write().unwrap_or_else(PoisonError::into_inner).check_names_in(project);
        }
    }

    /// The configuration.
    pub fn config(&self) -> Arc<Config> {
        Arc::clone(&self.config.read().unwrap_or_else(PoisonError::into_inner).config)
    }

    /// The error in the configuration. Until it is mended, all rules are as usual.
    pub fn config_error(&self) -> Option<ConfigError> {
        self.config.read().unwrap_or_else(PoisonError::into_inner).error.clone()
    }

    /// What is wrong with a text of the project's own configuration.
    pub fn error_in_config(&self, text: &str) -> Option<ConfigError> {
        let path = self.root.as_deref().unwrap_or(Path::new("")).join(CONFIG_NAME);
        let config = match Config::parse(text, &path, &Overrides::default()) {
            Ok(config) => config,
            Err(error) => return Some(error),
        };
        config.check_names_in(self.project.as_ref()?).err()
    }

    /// Lets a text of the project's own configuration count that is not saved; nothing lets that of its file count again.
    pub fn set_unsaved_config(&mut self, text: Option<String>) {
        self.unsaved_config = text;
        *self.config.write().unwrap_or_else(PoisonError::into_inner) = LoadedConfig::default();
        self.refresh_config();
    }

    /// Reads the project's own configuration again if its file has changed.
    pub fn refresh_config(&self) {
        let Some(path) = &self.own_config else { return };
        if let Some(text) = &self.unsaved_config {
            let loaded = LoadedConfig::of(Config::parse(text, path, &self.overrides), None);
            *self.config.write().unwrap_or_else(PoisonError::into_inner) = loaded;
            self.check_config_names();
            return;
        }
        let found = path.metadata().ok();
        let stamp = found.and_then(|found| Some((found.modified().ok()?, found.len())));
        let mut loaded = self.config.write().unwrap_or_else(PoisonError::into_inner);
        if stamp.is_some() && loaded.stamp == stamp {
            return;
        }
        let folder = path.parent().unwrap_or(path);
        *loaded = LoadedConfig::of(Config::of_project(folder, &self.overrides), stamp);
        if let Some(project) = &self.project {
            loaded.check_names_in(project);
        }
    }

    /// The third-party folder with the file at `path` (`res://…`), from the project's folder, such as `addons/gut`: only
    /// errors are reported there. The configuration lists them. Without it, they are the folders in `addons/`, except those
    /// that the project is named after, or starts in.
    pub fn third_party_folder(&self, path: &str) -> Option<String> {
        self.config().third_party_folder(path, &self.own_addons).map(str::to_owned)
    }

    /// The files of a scope that a check of everything looks at, by path: those of [`godot_project::WalkPolicy::Check`].
    pub fn files(&self, scope: Scope) -> Vec<FileId> {
        let Some(project) = &self.project else { return Vec::new() };
        let is_meant = |file: &FileId| {
            let path = project.path(*file);
            let is_in_scope = FactsKind::of(path) == FactsKind::Text
                || scope == Scope::All && (godot_tscn::is_config_path(path) || is_gdscript(path));
            is_in_scope && !project.is_unchecked(*file)
        };
        project.files().filter(is_meant).collect()
    }

    /// The findings in a text that neither the text nor the configuration suppresses.
    ///
    /// `path` is `res://…`, or any other name for a file outside the project. The text may differ from the project's version of
    /// the file, and the file may be new.
    pub fn diagnostics(&self, path: &str, text: &[u8]) -> Vec<Diagnostic> {
        let engine = self.verdict.as_ref().map_or(&[][..], |verdict| verdict.of(path));
        if godot_tscn::is_config_path(path) {
            return self.run_with_config(path, |project, options, config| match project {
                Some(project) => {
                    let file = godot_tscn::parse_config(text);
                    lint_settings(project, path, &file, options, (config.own(), engine))
                }
                None => godot_tscn::lint_config(text, options).diagnostics,
            });
        }
        if is_gdscript(path) {
            return self.run_with_config(path, |project, options, config| {
                project.map_or_else(Vec::new, |project| {
                    lint_script(project, path, text, options, (config.own(), engine))
                })
            });
        }
        self.check_document(path, &godot_tscn::parse(text))
    }

    /// The findings that are reported once in `project.godot` instead of in each of `paths` (`res://…`), and its text; nothing
    /// if it is among them. A check of some files of the project shows it with its findings in them.
    pub fn summaries<'p>(
        &self,
        paths: impl IntoIterator<Item = &'p str>,
    ) -> Option<(Vec<u8>, Vec<Diagnostic>)> {
        let project = self.project.as_ref()?;
        let files: HashSet<FileId> =
            paths.into_iter().filter_map(|path| project.file(path)).collect();
        let settings = project.file(SETTINGS).filter(|settings| !files.contains(settings))?;
        let text = project.read(settings).ok()?;
        let found = self.run_with_config(SETTINGS, |project, options, config| {
            let file = godot_tscn::parse_config(&text);
            project.map_or_else(Vec::new, |project| {
                lint_summaries(project, SETTINGS, &file, &files, options, config.own())
            })
        });
        (!found.is_empty()).then(|| (text.into_owned(), found))
    }

    /// [`Workspace::diagnostics`], each with its place.
    pub fn check(&self, path: &str, text: &[u8]) -> Vec<LocatedDiagnostic> {
        if godot_tscn::is_config_path(path) || is_gdscript(path) {
            return LocatedDiagnostic::all_of_config(text, self.diagnostics(path, text));
        }
        let document = godot_tscn::parse(text);
        LocatedDiagnostic::all(&document, self.check_document(path, &document))
    }

    /// Applies the chosen fixes of the findings in a text, until none is left. Nothing is written, and fixes that touch
    /// other files too are left to [`Workspace::fix_across`].
    pub fn fix(&self, path: &str, text: &[u8], choice: FixChoice) -> Fixed {
        godot_tscn::fix_by(text, choice.limit, |text| {
            let mut found = self.diagnostics(path, text);
            choice.retain(&mut found);
            found
        })
    }

    /// Checks all files of a scope, on all cores.
    pub fn check_all(&self, scope: Scope, observer: &dyn Observer) {
        let Some(project) = &self.project else { return };
        project.prepare();
        let files = self.files(scope);
        let paths: Vec<&str> = files.iter().map(|file| project.path(*file)).collect();
        observer.begin(&paths);
        files.par_iter().enumerate().for_each(|(index, file)| {
            if !observer.is_cancelled() {
                let text = project.read(*file);
                observer.done(index, text.map(|text| self.check(paths[index], &text)));
            }
        });
    }

    /// The findings of [`Workspace::check_all`], all at once.
    pub fn report(&self, scope: Scope) -> WorkspaceReport {
        #[derive(Default)]
        struct Collector(Mutex<Vec<(usize, io::Result<Vec<LocatedDiagnostic>>)>>);
        impl Observer for Collector {
            fn done(&self, index: usize, found: io::Result<Vec<LocatedDiagnostic>>) {
                self.0.lock().unwrap_or_else(PoisonError::into_inner).push((index, found));
            }
        }
        let collector = Collector::default();
        self.check_all(scope, &collector);
        let mut all = collector.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        all.sort_by_key(|(index, _)| *index);
        let files = self.files(scope);
        let mut report = WorkspaceReport::default();
        for ((_, found), file) in all.into_iter().zip(files) {
            let path = self.project.as_ref().map_or("", |project| project.path(file)).to_owned();
            match found {
                Ok(found) => {
                    report.checked_count += 1;
                    report.files.extend((!found.is_empty()).then_some((path, found)));
                }
                Err(error) => report.unreadable.push((path, error)),
            }
        }
        report
    }

    /// Plans the chosen fixes that touch several files, for the findings in `paths`. Nothing is written; until
    /// [`Workspace::forget`] the new texts count.
    ///
    /// # Errors
    /// When the project's files cannot be listed.
    pub fn fix_across(&mut self, paths: &[String], choice: FixChoice) -> io::Result<Vec<FixGroup>> {
        let config = self.config();
        let own_addons = &self.own_addons;
        let Some(project) = &mut self.project else { return Ok(Vec::new()) };
        let find = |project: &Project, path: &str, text: &[u8]| {
            let options = with_path(config.options(), path);
            let mut found = lint_scene_across(project, path, text, &options);
            config.leave_out(path, own_addons, &mut found);
            choice.retain(&mut found);
            found
        };
        fix_across(project, paths, choice.limit, &find)
    }

    /// Makes the files on disk count again instead of the texts that [`Workspace::fix_across`] made for them.
    ///
    /// # Errors
    /// When the project's files cannot be listed.
    pub fn forget<'p>(&mut self, paths: impl IntoIterator<Item = &'p str>) -> io::Result<()> {
        let Some(project) = &mut self.project else { return Ok(()) };
        project.set_overlays(paths.into_iter().map(|path| (path, None)))?;
        project.prepare();
        Ok(())
    }

    fn refresh_own_addons(&mut self) {
        let of = |settings: &ProjectSettings, project: Option<&Project>| {
            let main_scene = settings.main_scene.as_deref().unwrap_or_default();
            let by_uid = || {
                let project = project?;
                let file = project.files_with_uid(Uid::parse(main_scene.as_bytes())?).first()?;
                Some(project.path(*file))
            };
            OwnAddons::new(&settings.name, by_uid().unwrap_or(main_scene))
        };
        let read = |root: &Path| read_file(&root.join("project.godot")).unwrap_or_default();
        self.own_addons = match (&self.project, &self.root) {
            (Some(project), _) => of(project.settings(), Some(project)),
            (None, Some(root)) => of(&ProjectSettings::parse(&read(root)), None),
            (None, None) => OwnAddons::default(),
        };
    }

    fn check_document(&self, path: &str, document: &godot_tscn::Document<'_>) -> Vec<Diagnostic> {
        let engine = self.verdict.as_ref().map_or(&[][..], |verdict| verdict.of(path));
        self.run_with_config(path, |project, options, config| match project {
            Some(project) => {
                lint_scene_with(project, path, document, options, (config.own(), engine))
            }
            None => godot_tscn::lint_parsed(document, options).diagnostics,
        })
    }

    fn run_with_config(
        &self,
        path: &str,
        lint: impl FnOnce(Option<&Project>, &LintOptions<'_>, &Config) -> Vec<Diagnostic>,
    ) -> Vec<Diagnostic> {
        let (config, project) = (self.config(), self.project_of(path));
        let mut options = with_path(config.options(), path);
        options.target = options.target.or(project.and_then(|project| project.settings().version));
        options.has_verdict = self.verdict.is_some();
        options.has_live_classes = project.is_some_and(|project| project.classes().is_live());
        let mut diagnostics = lint(project, &options, &config);
        config.leave_out(path, &self.own_addons, &mut diagnostics);
        diagnostics
    }

    /// The project, if the file is a part of it. A file in a place that Godot ignores, such as a hidden folder, is not part
    /// of it; a file that is not on disk yet is.
    fn project_of(&self, path: &str) -> Option<&Project> {
        let project = self.project.as_ref().filter(|_| is_in_project(path))?;
        let is_part = project.file(path).is_some() || !project.source().exists(path);
        is_part.then_some(project)
    }
}

const SETTINGS: &str = "res://project.godot";

/// Whether a path is one of the project, and not the name of a file elsewhere.
fn is_in_project(path: &str) -> bool {
    path.starts_with("res://")
}

fn with_path<'o>(mut options: LintOptions<'o>, path: &'o str) -> LintOptions<'o> {
    options.path = Some(path);
    options
}
