//! The types of expressions in GDScript, if the texts of a project make them certain.
//!
//! [`Types`] reads a script when it is first asked about it, and keeps it. A type comes only from a script (`var e: Enemy`),
//! from an unambiguous value (`:= Enemy.new()`, a constant, an autoload), or from a scene at a path; everything else is
//! [`Type::Unknown`].

mod expression;
mod lineage;
mod loaded;
mod narrowed;
mod nodes;
mod resolve;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hashbrown::HashMap;

pub use loaded::Loaded;
pub use resolve::is_built_in_type;

use crate::project::{FileId, Project};
use crate::res_path::extension_of;
use crate::script::Base;

/// The scripts of a project with the types in them.
#[derive(Debug)]
pub struct Types<'p> {
    /// The project.
    pub project: &'p Project,
    loaded: Vec<OnceLock<Option<Arc<Loaded>>>>,
    /// The computed types of declarations, by file and offset.
    declared: Mutex<HashMap<(FileId, u32), Type>>,
    /// The nodes that scripts find at paths, by file and path.
    at_paths: Mutex<HashMap<(FileId, String), Type>>,
    /// The files with scripts that extend the one in a file.
    heirs: OnceLock<HashMap<FileId, Vec<FileId>>>,
}

/// A class of a script: the file, and which of its classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClassRef {
    /// The file of the script.
    pub file: FileId,
    /// An index into [`crate::script::source::ScriptSource::classes`].
    pub class: u32,
}

/// The type of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// It is unknown.
    Unknown,
    /// Nothing that a script could be attached to: a number, a text, a dictionary, a signal.
    Other,
    /// An object of a class of Godot's, to which any script may be attached.
    Native(String),
    /// An object with a script.
    Object(ClassRef),
    /// The class of a script itself, as in `Enemy.new()`.
    Class(ClassRef),
    /// A class itself, of the engine, as in `Node.new()`.
    NativeClass(String),
    /// A list of these.
    Array(Box<Type>),
    /// A dictionary with values of these.
    Dictionary(Box<Type>),
    /// A scene in a file, as in `preload("res://enemy.tscn")`.
    Scene(FileId),
}

/// The parts of a class: the class, its base classes, and Godot's at the end.
#[derive(Clone, Debug, Default)]
pub struct Lineage {
    /// The class, and its base classes.
    pub classes: Vec<ClassRef>,
    /// Godot's class at the end; nothing if the way to it is unknown.
    pub native: Option<String>,
}

impl Lineage {
    pub(crate) fn has(&self, class: ClassRef) -> bool {
        self.classes.contains(&class)
    }
}

impl ClassRef {
    /// The class that a file is.
    pub fn of(file: FileId) -> Self {
        Self { file, class: 0 }
    }
}

impl<'p> Types<'p> {
    /// For a project, computed on demand.
    pub fn new(project: &'p Project) -> Self {
        let loaded = project.files().map(|_| OnceLock::new()).collect();
        Self {
            project,
            loaded,
            declared: Mutex::default(),
            at_paths: Mutex::default(),
            heirs: OnceLock::new(),
        }
    }

    /// A script in GDScript, if it can be read.
    pub fn loaded(&self, file: FileId) -> Option<&Arc<Loaded>> {
        let made = || {
            if extension_of(self.project.path(file)) != "gd" {
                return None;
            }
            let text = self.project.read(file).ok()?.into_owned();
            Loaded::new(String::from_utf8(text).ok()?).map(Arc::new)
        };
        self.loaded[file.index()].get_or_init(made).as_ref()
    }

    /// Whether a file is a script in C#: its class and base are known, but not the types of its members.
    pub(crate) fn is_csharp(&self, file: FileId) -> bool {
        let is_class =
            || self.project.scripts().script(file).is_some_and(|script| script.base != Base::Unset);
        extension_of(self.project.path(file)) == "cs" && is_class()
    }

    /// Whether a script can have objects of a type.
    fn is_class(&self, file: FileId) -> bool {
        self.is_csharp(file) || self.loaded(file).is_some()
    }

    /// The known type of a declaration, or else the result of `make`.
    fn remembered(&self, file: FileId, at: u32, make: impl FnOnce() -> Type) -> Type {
        let known = || self.declared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(&(file, at)) {
            return found.clone();
        }
        let made = make();
        known().insert((file, at), made.clone());
        made
    }
}
