//! All scripts of a project, and their bases.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock, OnceLock};

use hashbrown::{HashMap, HashSet};

use crate::facts::FileFacts;
use crate::project::{FileId, Project, ResolvedPath};
use crate::res_path::{extension_of, name_of};
use crate::script::{Base, Script};
use crate::scripts::Chain;

/// The scripts of a project.
#[derive(Debug, Default)]
pub struct Scripts {
    by_file: HashMap<FileId, Arc<FileFacts>>,
    /// By `class_name`.
    by_class: HashMap<String, Vec<FileId>>,
    /// The declarations in each file that types and bases can name.
    type_names: HashMap<FileId, OnceLock<HashSet<String>>>,
    /// The members of each file, without the classes inside it.
    member_names: HashMap<FileId, OnceLock<HashSet<String>>>,
    /// The names after `class_name` in scripts that could not be read.
    unread_classes: OnceLock<HashSet<String>>,
    /// C# classes by the name of their file.
    by_stem: HashMap<String, Option<FileId>>,
}

/// Scripts extend each other so deep at most: more is a circle.
const MAX_DEPTH: usize = 64;

static NO_NAMES: LazyLock<HashSet<String>> = LazyLock::new(HashSet::new);

impl Scripts {
    /// All scripts of a project.
    pub(crate) fn new(project: &Project) -> Self {
        let scripts = project.files().filter(|file| is_script(project.path(*file)));
        let by_file = scripts.map(|file| (file, Arc::clone(project.facts(file)))).collect();
        let mut scripts = Self { by_file, ..Self::default() };
        let files = scripts.by_file.keys();
        scripts.type_names = files.map(|file| (*file, OnceLock::new())).collect();
        scripts.member_names.clone_from(&scripts.type_names);
        for (file, facts) in &scripts.by_file {
            let path = project.path(*file);
            let Some(script) = facts.script.as_deref() else { continue };
            if let Some(name) = &script.class_name {
                scripts.by_class.entry(name.clone()).or_default().push(*file);
            }
            if let Some(stem) = name_of(path).strip_suffix(".cs") {
                let entry = scripts.by_stem.entry(stem.to_owned());
                entry.and_modify(|found| *found = None).or_insert(Some(*file));
            }
        }
        scripts.by_class.values_mut().for_each(|files| files.sort_unstable());
        scripts
    }

    /// The declarations of a script file; nothing for a file that is not a script in GDScript or
    /// C#.
    pub fn script(&self, file: FileId) -> Option<&Script> {
        // A file without available content is an unknown script.
        static UNKNOWN: LazyLock<Script> = LazyLock::new(Script::default);
        self.by_file.get(&file).map(|facts| facts.script.as_deref().unwrap_or(&UNKNOWN))
    }

    /// The script with this `class_name`; nothing too if two have it.
    pub fn class(&self, name: &str) -> Option<FileId> {
        let [only] = self.classes_named(name) else { return None };
        Some(*only)
    }

    /// The scripts with this `class_name`, by path.
    pub fn classes_named(&self, name: &str) -> &[FileId] {
        self.by_class.get(name).map_or(&[], Vec::as_slice)
    }

    /// The C# script with the file name of a class; nothing if there are two.
    pub fn csharp_class(&self, name: &str) -> Option<FileId> {
        self.by_stem.get(name).copied().flatten()
    }

    /// Whether a script that could not be read fully may declare a class of this name.
    pub fn may_declare(&self, project: &Project, name: &str) -> bool {
        let unread = self.unread_classes.get_or_init(|| {
            let is_unread = |script: &Script| !script.is_complete && script.class_name.is_none();
            let files = self.by_file.keys().copied();
            let files = files.filter(|file| self.script(*file).is_some_and(is_unread));
            files.flat_map(|file| class_names_in(&project.read(file).unwrap_or_default())).collect()
        });
        unread.contains(name)
    }

    /// Whether a script in C# is called as a class.
    pub fn has_csharp_file(&self, name: &str) -> bool {
        self.by_stem.contains_key(name)
    }

    /// The names of all classes that scripts declare.
    pub fn class_names(&self) -> impl Iterator<Item = &str> {
        self.by_class.keys().map(String::as_str)
    }

    /// Whether scripts declare a class of this name.
    pub fn declares(&self, name: &str) -> bool {
        self.by_class.contains_key(name)
    }

    /// The names of the classes, enums and constants that a script file declares, at any depth.
    pub(super) fn type_names(&self, file: FileId) -> &HashSet<String> {
        let names = || {
            let mut names = HashSet::new();
            let mut rest: Vec<&Script> = self.script(file).into_iter().collect();
            while let Some(class) = rest.pop() {
                names.extend(class.constants.iter().cloned());
                names.extend(class.enums.iter().map(|found| found.name.clone()));
                names.extend(class.classes.iter().map(|(name, _)| name.clone()));
                rest.extend(class.classes.iter().map(|(_, inner)| inner));
            }
            names
        };
        self.type_names.get(&file).map_or(&NO_NAMES, |known| known.get_or_init(names))
    }

    /// The names of the variables, functions, signals, constants and enums that a script file declares itself.
    pub(super) fn member_names(&self, file: FileId) -> &HashSet<String> {
        let names = || {
            let Some(script) = self.script(file) else { return HashSet::new() };
            let variables = script.variables.iter().map(|found| &found.name);
            let functions = script.functions.iter().map(|found| &found.name);
            let signals = script.signals.iter().map(|found| &found.name);
            let enums = script.enums.iter().map(|found| &found.name);
            let names = variables.chain(functions).chain(signals).chain(enums);
            names.chain(&script.constants).cloned().collect()
        };
        self.member_names.get(&file).map_or(&NO_NAMES, |known| known.get_or_init(names))
    }

    /// The script of a file and all that it extends.
    pub fn chain<'p>(&'p self, project: &'p Project, file: FileId) -> Chain<'p> {
        let mut chain = self.script(file).map_or_else(Chain::default, |script| {
            let place = ScriptClass { path: project.path(file), file: script, class: script };
            self.follow(project, place)
        });
        chain.file = Some(file);
        chain
    }

    /// The file of a script and those of all its bases, if they are known.
    pub fn files_of_chain(&self, project: &Project, file: FileId) -> Vec<FileId> {
        let mut files = vec![file];
        let Some(script) = self.script(file) else { return files };
        let mut place = ScriptClass { path: project.path(file), file: script, class: script };
        for _ in 0..MAX_DEPTH {
            let Next::Script(next) = self.base(project, place) else { break };
            place = next;
            files.extend(project.file(place.path).filter(|found| !files.contains(found)));
        }
        files
    }

    /// Whether a script may add nodes, in the editor too, while a scene that it is attached to is instantiated. If it
    /// cannot be read fully, it may.
    pub(crate) fn adds_nodes_early(&self, project: &Project, file: FileId) -> bool {
        let chain = self.chain(project, file);
        let any = |has: fn(&Script) -> bool| chain.scripts.iter().any(|script| has(script));
        let is_tool = chain.scripts.first().is_none_or(|script| script.is_tool);
        let adds = any(|script| script.adds_nodes) && any(|script| script.runs_early);
        is_tool && (adds || !chain.is_complete)
    }

    /// A script inside the scene or resource at `path`, and all its bases.
    pub(crate) fn chain_of_built_in<'p>(
        &'p self,
        project: &'p Project,
        path: &str,
        script: Script,
    ) -> Chain<'p> {
        let rest = match &script.base {
            Base::Path(base, inner) => self.at_path(project, path, base, inner),
            Base::Class(name) if script.class(name).is_none() && !name.contains('.') => {
                match script.preloads.iter().find(|(found, _)| found == name) {
                    Some((_, base)) => self.at_path(project, path, base, ""),
                    None => self.known_to_all(project, name, ""),
                }
            }
            Base::Class(_) => Next::Unknown,
            Base::Unset => self.unset(project),
        };
        let rest = match rest {
            Next::Class(native) => Chain::new(Vec::new(), Some(native), true),
            Next::Script(next) => self.follow(project, next),
            Next::Unknown => Chain::default(),
        };
        let is_complete = script.is_complete && rest.is_complete;
        let mut scripts = vec![Cow::Owned(script)];
        scripts.extend(rest.scripts);
        Chain::new(scripts, rest.native, is_complete)
    }

    fn follow<'p>(&'p self, project: &'p Project, start: ScriptClass<'p>) -> Chain<'p> {
        let mut chain = Chain::new(Vec::new(), None, true);
        let mut place = start;
        for _ in 0..MAX_DEPTH {
            chain.is_complete &= place.class.is_complete;
            chain.scripts.push(Cow::Borrowed(place.class));
            match self.base(project, place) {
                Next::Script(next) => place = next,
                Next::Class(native) => {
                    chain.native = Some(native);
                    return chain;
                }
                Next::Unknown => break,
            }
        }
        chain.is_complete = false;
        chain
    }

    fn base<'p>(&'p self, project: &'p Project, place: ScriptClass<'p>) -> Next<'p> {
        match &place.class.base {
            Base::Unset if place.path.ends_with(".cs") => Next::Unknown,
            Base::Unset => self.unset(project),
            Base::Path(path, inner) => self.at_path(project, place.path, path, inner),
            Base::Class(name) => self.named(project, place, name),
        }
    }

    fn named<'p>(&'p self, project: &'p Project, place: ScriptClass<'p>, name: &str) -> Next<'p> {
        let (first, inner) = name.split_once('.').unwrap_or((name, ""));
        if place.path.ends_with(".cs") {
            return self.named_in_csharp(project, first, inner);
        }
        // A class inside the file, one that the file loads, one of the project, one of Godot's: GDScript looks in this
        // order (`GDScriptAnalyzer::resolve_class_inheritance`, 4.6.3).
        if let Some(class) = place.file.class(first).and_then(|class| class.class_at(inner)) {
            // A class that extends one inside itself would be a circle.
            return if std::ptr::eq(class, place.class) {
                Next::Unknown
            } else {
                Next::Script(ScriptClass { class, ..place })
            };
        }
        if let Some((_, path)) = place.file.preloads.iter().find(|(found, _)| found == first) {
            return self.at_path(project, place.path, path, inner);
        }
        self.known_to_all(project, first, inner)
    }

    /// The meaning of a script without a base.
    fn unset<'p>(&'p self, project: &'p Project) -> Next<'p> {
        let is_godot_3 = project.classes().class("Reference").is_some();
        Next::Class(if is_godot_3 { "Reference" } else { "RefCounted" }.to_owned())
    }

    /// A class of the project or of Godot's.
    fn known_to_all<'p>(&'p self, project: &'p Project, first: &str, inner: &str) -> Next<'p> {
        if self.declares(first) {
            let Some(file) = self.class(first) else { return Next::Unknown };
            return self.in_file(project, file, inner);
        }
        if inner.is_empty() && project.classes().class(first).is_some() {
            return Next::Class(first.to_owned());
        }
        Next::Unknown
    }

    /// C# uses Godot's class names, except for `GodotObject`.
    fn named_in_csharp<'p>(&'p self, project: &'p Project, name: &str, inner: &str) -> Next<'p> {
        if !inner.is_empty() {
            return Next::Unknown;
        }
        match self.by_stem.get(name) {
            Some(Some(file)) => self.in_file(project, *file, ""),
            Some(None) => Next::Unknown,
            None if name == "GodotObject" => Next::Class("Object".to_owned()),
            None if project.classes().class(name).is_some() => Next::Class(name.to_owned()),
            None => Next::Unknown,
        }
    }

    fn at_path<'p>(
        &'p self,
        project: &'p Project,
        base: &str,
        path: &str,
        inner: &str,
    ) -> Next<'p> {
        match project.resolve(base, path) {
            ResolvedPath::File(file) => self.in_file(project, file, inner),
            _ => Next::Unknown,
        }
    }

    fn in_file<'p>(&'p self, project: &'p Project, file: FileId, inner: &str) -> Next<'p> {
        let Some(script) = self.script(file) else { return Next::Unknown };
        let Some(class) = script.class_at(inner) else { return Next::Unknown };
        Next::Script(ScriptClass { path: project.path(file), file: script, class })
    }
}

/// A class of a script.
#[derive(Clone, Copy)]
struct ScriptClass<'p> {
    /// Its file.
    path: &'p str,
    /// All of the file.
    file: &'p Script,
    class: &'p Script,
}

enum Next<'p> {
    Script(ScriptClass<'p>),
    Class(String),
    Unknown,
}

/// The words after `class_name` in a text.
fn class_names_in(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let names = text.split("class_name").skip(1).filter_map(|rest| rest.split_whitespace().next());
    names.map(|name| name.trim_end_matches(',').to_owned()).collect()
}

fn is_script(path: &str) -> bool {
    matches!(&*extension_of(path), "gd" | "cs")
}
