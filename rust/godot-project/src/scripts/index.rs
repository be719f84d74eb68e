//! All scripts of a project, and what extends what.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use hashbrown::HashMap;

use crate::facts::FileFacts;
use crate::project::{FileId, Project, ResolvedPath};
use crate::res_path::{extension_of, name_of};
use crate::script::{Base, Script};
use crate::scripts::Chain;

/// The scripts of a project.
#[derive(Debug, Default)]
pub struct Scripts {
    by_file: HashMap<FileId, Arc<FileFacts>>,
    /// By `class_name`; nothing where two scripts have the same.
    by_class: HashMap<String, Option<FileId>>,
    /// C# classes by the name of their file.
    by_stem: HashMap<String, Option<FileId>>,
}

/// Scripts extend each other so deep at most: more is a circle.
const MAX_DEPTH: usize = 64;

impl Scripts {
    /// All scripts of a project.
    pub(crate) fn new(project: &Project) -> Self {
        let scripts = project.files().filter(|file| is_script(project.path(*file)));
        let by_file = scripts.map(|file| (file, Arc::clone(project.facts(file)))).collect();
        let mut scripts = Self { by_file, ..Self::default() };
        for (file, facts) in &scripts.by_file {
            let path = project.path(*file);
            let Some(script) = facts.script.as_deref() else { continue };
            if let Some(name) = &script.class_name {
                let entry = scripts.by_class.entry(name.clone());
                entry.and_modify(|found| *found = None).or_insert(Some(*file));
            }
            if let Some(stem) = name_of(path).strip_suffix(".cs") {
                let entry = scripts.by_stem.entry(stem.to_owned());
                entry.and_modify(|found| *found = None).or_insert(Some(*file));
            }
        }
        scripts
    }

    /// What a script file declares; nothing for a file that is no script in GDScript or C#.
    pub fn script(&self, file: FileId) -> Option<&Script> {
        // A file whose content is not at hand is a script of which nothing is known.
        static UNKNOWN: LazyLock<Script> = LazyLock::new(Script::default);
        self.by_file.get(&file).map(|facts| facts.script.as_deref().unwrap_or(&UNKNOWN))
    }

    /// The script with this `class_name`; nothing too if two have it.
    pub fn class(&self, name: &str) -> Option<FileId> {
        self.by_class.get(name).copied().flatten()
    }

    /// The script in C# whose file is called as a class; nothing too if two are.
    pub fn csharp_class(&self, name: &str) -> Option<FileId> {
        self.by_stem.get(name).copied().flatten()
    }

    /// The names of all classes that scripts declare.
    pub fn class_names(&self) -> impl Iterator<Item = &str> {
        self.by_class.keys().map(String::as_str)
    }

    /// Whether scripts declare a class of this name.
    pub fn declares(&self, name: &str) -> bool {
        self.by_class.contains_key(name)
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

    /// The file of a script and those of all that it extends, as far as they are known.
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

    /// A script that stands in the scene or resource at `path`, and all that it extends.
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

    /// What a script is that says nothing.
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

    /// C# names classes of Godot's as they are, but for `GodotObject`.
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
    /// The file that it stands in.
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

fn is_script(path: &str) -> bool {
    matches!(&*extension_of(path), "gd" | "cs")
}
