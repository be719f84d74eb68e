//! From a project to the findings in its files.

use std::cell::{Cell, OnceCell, RefCell};
use std::io;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use hashbrown::HashMap;
use rayon::prelude::*;
use tscn::{Diagnostic, Document, Findings, LintOptions, LintReport, RuleInfo, Section};

use crate::attached::Attached;
use crate::facts::FileFacts;
use crate::project::{FileId, Project, Target};
use crate::rules::{PROJECT_RULES, ProjectRule, RULES_FIXED_ACROSS, all_rules};
use crate::scripts::Chain;
use crate::tree::{Place, SceneTree};

/// What the rules found in one file of a project.
#[derive(Debug)]
pub struct FileReport {
    /// The file's path: `res://…`.
    pub path: String,
    /// The text that the findings' places belong to.
    pub text: Vec<u8>,
    /// The findings, by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// What [`lint_all`] found.
#[derive(Debug, Default)]
pub struct ProjectReport {
    /// The files in which something was found, by path.
    pub files: Vec<FileReport>,
    /// How many files were looked at.
    pub checked_count: usize,
    /// The files that could not be read.
    pub unreadable: Vec<(String, io::Error)>,
    /// Whether it was stopped before the end.
    pub is_cancelled: bool,
}

/// Checks one text of a project with the rules for single files and with those for projects.
///
/// `path` is the file's path in the project (`res://…`). The text may differ from what the project knows of
/// the file, and the file may be new. [`LintOptions::path`] is not used, and [`LintOptions::target`] is the project's version
/// where none is given.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # std::fs::write(folder.path().join("project.godot"), "config_version=5\n").unwrap();
/// use tscn::LintOptions;
/// let project = project::Project::open(folder.path())?;
/// let text = b"[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://gone.gd\" id=\"1\"]\n\n\
///              [node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"1\")\n";
/// let report = project::lint_file(&project, "res://a.tscn", text, &LintOptions::default());
/// assert_eq!(report.diagnostics[0].code, "RES001");
/// # Ok::<(), project::ProjectError>(())
/// ```
pub fn lint_file(
    project: &Project,
    path: &str,
    text: &[u8],
    options: &LintOptions<'_>,
) -> LintReport {
    let mut single = *options;
    single.path = Some(path);
    single.target = options.target.or(project.settings().version);
    if tscn::is_config_path(path) {
        return tscn::lint(text, &single);
    }
    let document = tscn::parse(text);
    let mut report = tscn::lint_document(&document, &single);
    // Of a rule that both have, the one that sees more counts.
    report.diagnostics.retain(|found| !PROJECT_RULES.iter().any(|rule| rule.code == found.code));
    check(
        &SceneContext::new(project, path, &document),
        PROJECT_RULES,
        &single,
        &mut report.diagnostics,
    );
    report
}

/// Checks one text of a project as [`lint_file`] does, but only with the rules whose fixes may touch several files: what
/// [`crate::fix_across`] needs.
pub fn lint_file_across(
    project: &Project,
    path: &str,
    text: &[u8],
    options: &LintOptions<'_>,
) -> LintReport {
    let mut report = LintReport::default();
    if !tscn::is_config_path(path) {
        let document = tscn::parse(text);
        let context = SceneContext::new(project, path, &document);
        check(&context, RULES_FIXED_ACROSS, options, &mut report.diagnostics);
    }
    report
}

/// Adds what these rules find, and leaves out what the text says is wanted.
fn check(
    context: &SceneContext<'_>,
    rules: &[&'static ProjectRule],
    options: &LintOptions<'_>,
    found: &mut Vec<Diagnostic>,
) {
    for rule in rules {
        options.state_of(&rule.info).run(found, |diagnostics| {
            (rule.check)(context, &mut Findings::new(&rule.info, diagnostics));
        });
    }
    found.sort_by_key(|found| (found.span, found.code));
    tscn::leave_out_ignored(context.document, options, &ALL_RULES, found);
}

static ALL_RULES: LazyLock<Vec<&RuleInfo>> = LazyLock::new(|| all_rules().collect());

/// Checks all text scenes and resources of a project, on all cores.
///
/// `progress` is called from several threads with the number of files that are done and that of all files.
/// When `cancel` becomes true, no further file is started.
pub fn lint_all(
    project: &Project,
    options: &LintOptions<'_>,
    progress: &(dyn Fn(usize, usize) + Sync),
    cancel: &AtomicBool,
) -> ProjectReport {
    project.prepare();
    let files = project.text_files();
    let done = AtomicUsize::new(0);
    let check = |file: &FileId| {
        if cancel.load(Ordering::Relaxed) {
            return None;
        }
        let path = project.path(*file).to_owned();
        let outcome = match project.read(*file) {
            Ok(text) => {
                let diagnostics = lint_file(project, &path, &text, options).diagnostics;
                let text = if diagnostics.is_empty() { Vec::new() } else { text.into_owned() };
                Ok(FileReport { path, text, diagnostics })
            }
            Err(error) => Err((path, error)),
        };
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, files.len());
        Some(outcome)
    };
    let outcomes: Vec<_> = files.par_iter().map(check).collect();
    let mut report = ProjectReport::default();
    for outcome in outcomes {
        match outcome {
            None => report.is_cancelled = true,
            Some(Ok(file)) => {
                report.checked_count += 1;
                if !file.diagnostics.is_empty() {
                    report.files.push(file);
                }
            }
            Some(Err(unreadable)) => report.unreadable.push(unreadable),
        }
    }
    report
}

/// What the check of a [`crate::ProjectRule`] gets.
#[derive(Debug)]
pub struct SceneContext<'c> {
    /// The project.
    pub project: &'c Project,
    /// The file's path: `res://…`.
    pub path: &'c str,
    /// The file, if the project knows it.
    pub file: Option<FileId>,
    /// The text.
    pub document: &'c Document<'c>,
    /// What the text tells the project.
    pub facts: Arc<FileFacts>,
    /// Whether tags may be in the text that the parser could not see.
    pub hides_sections: bool,
    targets: OnceCell<Vec<Target>>,
    /// The index of the last `ext_resource` tag with each id.
    external_by_id: OnceCell<HashMap<String, usize>>,
    tree: OnceCell<Arc<SceneTree>>,
    root: OnceCell<Place>,
    attached: RefCell<HashMap<u32, Rc<Attached<'c>>>>,
    /// Those without a script, by class and by whether all is known of it.
    pub(crate) without_script: RefCell<HashMap<ClassAttached, Rc<Attached<'c>>>>,
    /// The scripts in files, with all that they extend.
    pub(crate) chains: RefCell<HashMap<FileId, Rc<Chain<'c>>>>,
    /// Those in sections of the text; nothing for one that is no script.
    pub(crate) built_in_chains: RefCell<HashMap<u32, Option<Rc<Chain<'c>>>>>,
    /// The sections of the `sub_resource` tags by id.
    pub(crate) sub_resources: OnceCell<HashMap<Vec<u8>, u32>>,
    suggestions_left: Cell<u32>,
}

/// A class of Godot's, and whether nothing is unknown of its objects.
type ClassAttached = (Option<String>, bool);

/// So many findings get a "did you mean …?".
const MAX_SUGGESTIONS: u32 = 100;

impl<'c> SceneContext<'c> {
    /// The context of a text in a project.
    pub fn new(project: &'c Project, path: &'c str, document: &'c Document<'c>) -> Self {
        Self {
            project,
            path,
            file: project.file(path),
            document,
            facts: Arc::new(FileFacts::of_document(document)),
            hides_sections: tscn::hides_sections(document),
            targets: OnceCell::new(),
            external_by_id: OnceCell::new(),
            tree: OnceCell::new(),
            root: OnceCell::new(),
            attached: RefCell::default(),
            without_script: RefCell::default(),
            chains: RefCell::default(),
            built_in_chains: RefCell::default(),
            sub_resources: OnceCell::new(),
            suggestions_left: Cell::new(MAX_SUGGESTIONS),
        }
    }

    /// The section with this index.
    pub fn section(&self, index: u32) -> Section<'_> {
        self.document.section(index)
    }

    /// Where each of the text's `ext_resource` tags leads.
    pub fn targets(&self) -> &[Target] {
        self.targets.get_or_init(|| {
            let resources = self.facts.ext_resources.iter();
            resources.map(|found| self.project.resolve_external(self.path, found)).collect()
        })
    }

    /// Where the `ext_resource` tag with this id leads.
    pub(crate) fn target_of_id(&self, id: &[u8]) -> Option<&Target> {
        let by_id = self.external_by_id.get_or_init(|| {
            let resources = self.facts.ext_resources.iter().enumerate();
            resources.map(|(index, resource)| (resource.id.clone(), index)).collect()
        });
        self.targets().get(*by_id.get(&*String::from_utf8_lossy(id))?)
    }

    /// What the text lists, as a tree.
    pub fn tree(&self) -> &Arc<SceneTree> {
        let made = || Arc::new(SceneTree::new(self.project, self.path, &self.facts));
        self.tree.get_or_init(made)
    }

    /// The root of the scene, from which all its nodes are found, those of instances too.
    pub fn root(&self) -> &Place {
        self.root.get_or_init(|| Place::root(self.project, self.tree()))
    }

    /// What the objects of the sections are, as far as it was asked for.
    pub(crate) fn attached_cache(&self) -> &RefCell<HashMap<u32, Rc<Attached<'c>>>> {
        &self.attached
    }

    /// Whether one more finding may get a "did you mean …?".
    pub(crate) fn may_suggest(&self) -> bool {
        let left = self.suggestions_left.get().checked_sub(1);
        self.suggestions_left.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Whether the text was saved by an older major version of Godot than the project has: its properties are no longer
    /// those of their classes.
    pub(crate) fn is_older_than_project(&self) -> bool {
        let version = self.project.settings().version;
        self.format() < if version.is_none_or(|version| version.major >= 4) { 3 } else { 2 }
    }

    /// Whether it is known which classes Godot has for the text: not for one of Godot 3 or older in a project that does
    /// not say its version.
    pub(crate) fn knows_classes(&self) -> bool {
        self.project.settings().version.is_some() || !self.is_older_than_project()
    }

    /// The version of the text's format: 1 Godot 2, 2 Godot 3, 3 and 4 Godot 4. Without one, Godot takes it for its own.
    fn format(&self) -> i64 {
        let header = self.document.sections().next();
        let format = header.and_then(|header| header.field("format"));
        format.and_then(tscn::Field::int).unwrap_or(3)
    }

    /// The candidate that was probably meant by `word`, for the first hundred questions.
    pub fn nearest<'w>(
        &self,
        word: &[u8],
        candidates: impl IntoIterator<Item = &'w [u8]>,
    ) -> Option<&'w [u8]> {
        self.suggestions_left.set(self.suggestions_left.get().checked_sub(1)?);
        tscn::nearest(word, candidates)
    }
}
