//! A text of a project, and the consequences of it and the project.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use godot_tscn::{Document, Section, SuggestionBudget};
use hashbrown::HashMap;

use crate::assignments::{self, Assignment};
use crate::class_uses::{self, ClassUse};
use crate::facts::{ExtResource, FileFacts};
use crate::object_type::ObjectType;
use crate::project::{FileId, Project, ResolvedPath};
use crate::scripts::Chain;
use crate::tree::{NodeInTree, SceneTree};

/// A scene or resource in its project: data for rules and refactorings on its text, computed once.
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
    /// The facts of the text.
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
    /// How much work may go into suggestions.
    pub suggestions: SuggestionBudget,
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
            hides_sections: godot_tscn::hides_sections(document),
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
    pub fn target_of_id(&self, id: &[u8]) -> Option<&ResolvedPath> {
        self.targets().get(self.external_index(id)?)
    }

    /// The `ext_resource` tag with this id.
    pub fn external(&self, id: &[u8]) -> Option<&ExtResource> {
        self.facts.ext_resources.get(self.external_index(id)?)
    }

    fn external_index(&self, id: &[u8]) -> Option<usize> {
        let by_id = self.external_by_id.get_or_init(|| {
            let resources = self.facts.ext_resources.iter().enumerate();
            resources.map(|(index, resource)| (resource.id.clone(), index)).collect()
        });
        by_id.get(&*String::from_utf8_lossy(id)).copied()
    }

    /// The nodes of the text, as a tree.
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

    /// The objects of the sections, for those asked about.
    pub(crate) fn attached_cache(&self) -> &RefCell<Vec<Option<Rc<ObjectType<'c>>>>> {
        &self.attached
    }

    /// The properties of all nodes and resources.
    pub fn assignments(&self) -> &[Assignment<'c>] {
        self.assignments.get_or_init(|| assignments::of(self))
    }

    /// The classes that the text names; none where they say nothing, as for files of Godot 2.
    pub fn class_uses(&self) -> &[ClassUse<'c>] {
        let of_text = || if self.knows_classes() { class_uses::of(self) } else { Vec::new() };
        self.class_uses.get_or_init(of_text)
    }

    /// Whether the text was saved by an older major version of Godot than the project has: its properties are no longer
    /// those of their classes.
    pub fn is_older_than_project(&self) -> bool {
        let version = self.project.settings().version;
        self.format() < if version.is_none_or(|version| version.major >= 4) { 3 } else { 2 }
    }

    /// Whether Godot 4 reads the text, whatever version has written it.
    pub fn is_for_godot_4(&self) -> bool {
        self.project.settings().version.is_some_and(|version| version.major >= 4)
    }

    /// Whether Godot 3 reads the text.
    pub fn is_for_godot_3(&self) -> bool {
        self.project.settings().version.is_some_and(|version| version.major == 3)
    }

    /// Whether Godot's classes for the text are known: not for a text of Godot 3 or older in a project without a
    /// version.
    pub fn knows_classes(&self) -> bool {
        self.project.settings().version.is_some() || !self.is_older_than_project()
    }

    /// The version of the text's format: 1 Godot 2, 2 Godot 3, 3 and 4 Godot 4. Without one, Godot takes it for its own.
    fn format(&self) -> i64 {
        let header = self.document.sections().next();
        let format = header.and_then(|header| header.field("format"));
        format.and_then(godot_tscn::Field::int).unwrap_or(3)
    }
}
