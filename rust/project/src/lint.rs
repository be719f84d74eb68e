//! From a text of a project to what the rules report of it.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use hashbrown::HashMap;
use tscn::{
    ConfigFile, Diagnostic, Document, LintOptions, Profile, Reporter, RuleInfo, Section,
    SuggestionBudget,
};

use crate::assignments::{self, Assignment};
use crate::class_uses::{self, ClassUse};
use crate::facts::{ExtResource, FileFacts};
use crate::object_type::ObjectType;
use crate::project::{FileId, Project, ResolvedPath};
use crate::res_path::extension_of;
use crate::rules::{Check, PROJECT_RULES, ProjectRule, all_rules, is_replaced};
use crate::scripts::Chain;
use crate::scripts::source::ScriptSource;
use crate::tree::{NodeInTree, SceneTree};

/// What the rules report of a scene or resource of a project: those for single files, and those for projects.
///
/// `path` is the file's path in the project (`res://…`). The text may differ from what the project knows of
/// the file, and the file may be new.
pub(crate) fn lint_scene(
    project: &Project,
    path: &str,
    document: &Document<'_>,
    options: &LintOptions<'_>,
) -> Vec<Diagnostic> {
    // Of a rule that both have, the one that sees more counts.
    let mut found =
        tscn::lint_unsuppressed(document, options, |rule| !is_replaced(rule)).diagnostics;
    let context = SceneContext::new(project, path, document);
    run_project_rules(&context, |_| true, &ALL_RULES, options, &mut found);
    found
}

/// [`lint_scene`], but only with the rules whose fixes may touch several files: what [`crate::fix_across`] needs.
pub(crate) fn lint_scene_across(
    project: &Project,
    path: &str,
    text: &[u8],
    options: &LintOptions<'_>,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if !tscn::is_config_path(path) && !is_gdscript(path) {
        let document = tscn::parse(text);
        let context = SceneContext::new(project, path, &document);
        run_project_rules(&context, |rule| rule.fixes_other_files, &[], options, &mut found);
    }
    found
}

/// Adds what the project rules report for which `runs` is true, and leaves out what the text suppresses. `known_rules` are those
/// that `found` comes from.
fn run_project_rules(
    context: &SceneContext<'_>,
    runs: impl Fn(&ProjectRule) -> bool,
    known_rules: &[&RuleInfo],
    options: &LintOptions<'_>,
    found: &mut Vec<Diagnostic>,
) {
    run_rules(options, found, |rule, reporter| match rule.check {
        Check::Scene(check) | Check::Both(check, _) if runs(rule) => check(context, reporter),
        _ => {}
    });
    leave_out_said_twice(found);
    tscn::leave_out_consequences(context.document, found);
    tscn::withhold_fixes(context.document, options, found);
    found.sort_by_key(|found| (found.span, found.code));
    tscn::apply_suppressions(context.document, options, known_rules, found);
}

/// Adds what `check` reports for each of the project rules, as far as the options let it.
fn run_rules(
    options: &LintOptions<'_>,
    found: &mut Vec<Diagnostic>,
    check: impl Fn(&ProjectRule, &mut Reporter<'_>),
) {
    for rule in PROJECT_RULES {
        options.state_of(&rule.info).run(found, |diagnostics| {
            check(rule, &mut Reporter::new(&rule.info, diagnostics));
        });
    }
}

/// Of a generated name, other rules may say that no node has it.
fn leave_out_said_twice(found: &mut Vec<Diagnostic>) {
    let is_of_name = |found: &Diagnostic| found.code == "TREE023";
    if !found.iter().any(is_of_name) {
        return;
    }
    let others = found.iter().filter(|found| !is_of_name(found)).map(|found| found.span);
    let others: Vec<_> = others.collect();
    found.retain(|found| {
        !is_of_name(found)
            || !others.iter().any(|other| found.span.contains(*other) || other.contains(found.span))
    });
}

/// What the rules report of a settings file of a project.
pub(crate) fn lint_settings(
    project: &Project,
    path: &str,
    file: &ConfigFile<'_>,
    options: &LintOptions<'_>,
) -> Vec<Diagnostic> {
    let mut found = tscn::lint_config_unsuppressed(file, options).diagnostics;
    let context = SettingsContext { project, path, file };
    run_rules(options, &mut found, |rule, reporter| match rule.check {
        Check::Settings(check) | Check::Both(_, check) => check(&context, reporter),
        _ => {}
    });
    tscn::leave_out_consequences(file.document(), &mut found);
    found.sort_by_key(|found| (found.span, found.code));
    tscn::apply_suppressions(file.document(), options, &ALL_RULES, &mut found);
    found
}

/// What the rules report of a script in GDScript of a project. Of untrusted ones nothing is: they run.
pub(crate) fn lint_script(
    project: &Project,
    path: &str,
    text: &[u8],
    options: &LintOptions<'_>,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if options.profile == Profile::Untrusted {
        return found;
    }
    let context = ScriptContext::new(project, path, text);
    run_rules(options, &mut found, |rule, reporter| {
        if let Check::Script(check) = rule.check {
            check(&context, reporter);
        }
    });
    found.sort_by_key(|found| (found.span, found.code));
    if tscn::has_suppressions(text)
        && let Some(source) = context.source()
    {
        let comments = source.comments();
        tscn::apply_script_suppressions(text, comments, options, &ALL_RULES, &mut found);
    }
    found
}

/// Whether a file is a script in GDScript.
pub(crate) fn is_gdscript(path: &str) -> bool {
    extension_of(path) == "gd"
}

static ALL_RULES: LazyLock<Vec<&RuleInfo>> = LazyLock::new(|| all_rules().collect());

/// What the check of a [`crate::ProjectRule`] for settings files gets.
pub(crate) struct SettingsContext<'c> {
    pub(crate) project: &'c Project,
    /// The file's path: `res://…`.
    pub(crate) path: &'c str,
    pub(crate) file: &'c ConfigFile<'c>,
}

/// What the check of a [`crate::ProjectRule`] for scripts gets.
pub(crate) struct ScriptContext<'c> {
    pub(crate) project: &'c Project,
    /// The file's path: `res://…`.
    pub(crate) path: &'c str,
    /// The file, if the project knows it.
    pub(crate) file: Option<FileId>,
    pub(crate) text: &'c [u8],
    source: OnceCell<Option<ScriptSource<'c>>>,
    pub(crate) suggestions: SuggestionBudget,
}

impl<'c> ScriptContext<'c> {
    fn new(project: &'c Project, path: &'c str, text: &'c [u8]) -> Self {
        let file = project.file(path);
        let suggestions = SuggestionBudget::new();
        Self { project, path, file, text, source: OnceCell::new(), suggestions }
    }

    /// Whether some words stand in the text, for which the script has to be read.
    pub(crate) fn mentions(&self, words: &[&str]) -> bool {
        words.iter().any(|word| memchr::memmem::find(self.text, word.as_bytes()).is_some())
    }

    /// The script, if it can be read.
    pub(crate) fn source(&self) -> Option<&ScriptSource<'c>> {
        self.source.get_or_init(|| ScriptSource::parse(self.text)).as_ref()
    }
}

/// What the check of a [`crate::ProjectRule`] for scenes and resources gets.
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
    targets: OnceCell<Vec<ResolvedPath>>,
    /// The index of the last `ext_resource` tag with each id.
    external_by_id: OnceCell<HashMap<String, usize>>,
    tree: OnceCell<Arc<SceneTree>>,
    root: OnceCell<NodeInTree>,
    /// By section.
    attached: RefCell<Vec<Option<Rc<ObjectType<'c>>>>>,
    assignments: OnceCell<Vec<Assignment<'c>>>,
    class_uses: OnceCell<Vec<ClassUse<'c>>>,
    /// Those without a script, by class.
    pub(crate) plain_objects: RefCell<HashMap<String, Rc<ObjectType<'c>>>>,
    /// The scripts in files, with all that they extend.
    pub(crate) chains: RefCell<HashMap<FileId, Rc<Chain<'c>>>>,
    /// Those in sections of the text; nothing for one that is not a script.
    pub(crate) built_in_chains: RefCell<HashMap<u32, Option<Rc<Chain<'c>>>>>,
    /// The sections of the `sub_resource` tags by id.
    pub(crate) sub_resources: OnceCell<HashMap<Vec<u8>, u32>>,
    pub(crate) suggestions: SuggestionBudget,
}

impl<'c> SceneContext<'c> {
    /// The context of a text in a project.
    pub fn new(project: &'c Project, path: &'c str, document: &'c Document<'c>) -> Self {
        let file = project.file(path);
        let known = file.and_then(|file| project.facts_of_content(file, document.text()));
        // A cache may be damaged, or of another parser.
        let known = known.filter(|facts| facts.fits(document));
        Self {
            project,
            path,
            file,
            document,
            facts: known.unwrap_or_else(|| Arc::new(FileFacts::of_document(document))),
            hides_sections: tscn::hides_sections(document),
            targets: OnceCell::new(),
            external_by_id: OnceCell::new(),
            tree: OnceCell::new(),
            root: OnceCell::new(),
            attached: RefCell::default(),
            assignments: OnceCell::new(),
            class_uses: OnceCell::new(),
            plain_objects: RefCell::default(),
            chains: RefCell::default(),
            built_in_chains: RefCell::default(),
            sub_resources: OnceCell::new(),
            suggestions: SuggestionBudget::new(),
        }
    }

    /// The section with this index.
    pub fn section(&self, index: u32) -> Section<'_> {
        self.document.section(index)
    }

    /// Where each of the text's `ext_resource` tags leads.
    pub fn targets(&self) -> &[ResolvedPath] {
        self.targets.get_or_init(|| {
            let resources = self.facts.ext_resources.iter();
            resources.map(|found| self.project.resolve_external(self.path, found)).collect()
        })
    }

    /// Where the `ext_resource` tag with this id leads.
    pub(crate) fn target_of_id(&self, id: &[u8]) -> Option<&ResolvedPath> {
        self.targets().get(self.external_index(id)?)
    }

    /// The `ext_resource` tag with this id.
    pub(crate) fn external(&self, id: &[u8]) -> Option<&ExtResource> {
        self.facts.ext_resources.get(self.external_index(id)?)
    }

    fn external_index(&self, id: &[u8]) -> Option<usize> {
        let by_id = self.external_by_id.get_or_init(|| {
            let resources = self.facts.ext_resources.iter().enumerate();
            resources.map(|(index, resource)| (resource.id.clone(), index)).collect()
        });
        by_id.get(&*String::from_utf8_lossy(id)).copied()
    }

    /// What the text lists, as a tree.
    pub fn tree(&self) -> &Arc<SceneTree> {
        self.tree.get_or_init(|| {
            // The project's own, unless the text is not that of the file.
            let is_same = |file: &FileId| Arc::ptr_eq(self.project.facts(*file), &self.facts);
            let known = self.file.filter(is_same).and_then(|file| self.project.tree(file));
            let made = || Arc::new(SceneTree::new(self.project, self.path, &self.facts));
            known.cloned().unwrap_or_else(made)
        })
    }

    /// The root of the scene, from which all its nodes are found, those of instances too.
    pub fn root(&self) -> &NodeInTree {
        self.root.get_or_init(|| NodeInTree::root(self.project, self.tree()))
    }

    /// What the objects of the sections are, as far as it was asked for.
    pub(crate) fn attached_cache(&self) -> &RefCell<Vec<Option<Rc<ObjectType<'c>>>>> {
        &self.attached
    }

    /// The properties of all nodes and resources.
    pub(crate) fn assignments(&self) -> &[Assignment<'c>] {
        self.assignments.get_or_init(|| assignments::of(self))
    }

    /// The classes that the text names; none where they say nothing, as for files of Godot 2.
    pub(crate) fn class_uses(&self) -> &[ClassUse<'c>] {
        let of_text = || if self.knows_classes() { class_uses::of(self) } else { Vec::new() };
        self.class_uses.get_or_init(of_text)
    }

    /// Whether the text was saved by an older major version of Godot than the project has: its properties are no longer
    /// those of their classes.
    pub(crate) fn is_older_than_project(&self) -> bool {
        let version = self.project.settings().version;
        self.format() < if version.is_none_or(|version| version.major >= 4) { 3 } else { 2 }
    }

    /// Whether Godot 4 reads the text, whatever version has written it.
    pub(crate) fn is_for_godot_4(&self) -> bool {
        self.project.settings().version.is_some_and(|version| version.major >= 4)
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
}
