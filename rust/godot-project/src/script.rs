//! The data of scripts for their objects: base, variables, signals, functions.
//!
//! GDScript is read with the grammar of `tree-sitter-gdscript`, from which [`outline`] keeps the bodies of functions away;
//! C# by a light scan. A script that cannot be read fully says so ([`Script::is_complete`]), and the rules then claim
//! nothing about it.

mod csharp;
mod early;
mod emits;
mod gdscript;
mod loads;
mod looked_up;
mod outline;
pub mod source;

use memchr::memmem;
use serde::{Deserialize, Serialize};

use crate::res_path::name_of;
pub use crate::script::loads::{Load, LoadKind, Loads};

/// Scripts of more bytes were not written by hand, and are not read.
pub const MAX_SIZE: usize = 4 << 20;

/// The declarations of a script, or of a class inside one.
///
/// ```
/// use godot_project::{Base, Script};
///
/// let script = Script::gdscript(b"class_name Tower\nextends Node2D\n\n@export var height := 2.0\nsignal fell(by: Node)\n");
/// assert_eq!(script.class_name.as_deref(), Some("Tower"));
/// assert_eq!(script.base, Base::Class("Node2D".to_owned()));
/// assert!(script.variable("height").unwrap().is_exported);
/// assert_eq!(script.signal("fell").unwrap().argument_count, Some(1));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Script {
    /// The name by which the whole project knows it.
    pub class_name: Option<String>,
    /// Its base.
    pub base: Base,
    /// Whether it runs in the editor.
    pub is_tool: bool,
    /// The variables, constants excluded.
    pub variables: Vec<Variable>,
    /// The signals.
    pub signals: Vec<Signal>,
    /// The functions.
    pub functions: Vec<Function>,
    /// How many arguments `_init` needs, if the script has one. Only of GDScript.
    pub needed_by_init: Option<usize>,
    /// The enums with a name.
    pub enums: Vec<Enum>,
    /// The classes inside it, by name.
    pub classes: Vec<(String, Script)>,
    /// The names of its constants, those of [`Script::preloads`] too.
    pub constants: Vec<String>,
    /// Scripts that it loads under a name, `const Base = preload("res://base.gd")`: the name and the path.
    pub preloads: Vec<(String, String)>,
    /// The files that Godot loads when it compiles a script in GDScript, including those of classes
    /// inside it.
    pub loads: Loads,
    /// Whether everything that it declares is here.
    pub is_complete: bool,
    /// Whether functions decide which properties there are: `_get_property_list`, `_set` or `_get`.
    pub has_dynamic_properties: bool,
    /// Whether it may make signals while it runs: it contains `add_user_signal`.
    pub has_dynamic_signals: bool,
    /// Whether its texts may contain the code of other scripts.
    pub makes_scripts: bool,
    /// Whether a function adds nodes.
    pub adds_nodes: bool,
    /// Whether functions run while its scene is instantiated, such as setters. `_enter_tree` and `_ready` come later.
    pub runs_early: bool,
}

/// The base of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Base {
    /// It does not say: `RefCounted`, or `Reference` in Godot 3.
    #[default]
    Unset,
    /// A class of the engine or of another script, or one inside it with `.` between: `Node2D`, `Weapon.Blade`.
    Class(String),
    /// A script file, and the class inside it, which may be empty: `extends "weapon.gd".Blade`.
    Path(String, String),
}

/// A variable of a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Whether scenes hold its value.
    pub is_exported: bool,
    /// Whether its type decides the editor's display: `@export`, without more words.
    pub exports_type: bool,
    /// Whether its texts name files or folders: `@export_file`.
    pub names_files: bool,
    /// The names that `@export_enum` gives its numbers.
    pub choices: Vec<(String, i64)>,
    /// Its type as written, if it is written.
    pub type_name: Option<String>,
    /// Whether it belongs to the class and not to an object.
    pub is_static: bool,
    /// Whether the script gets the node at the path that it holds, as seen from its own node.
    pub is_looked_up: bool,
    /// The source of its first value, if that is one line.
    pub value: Option<String>,
}

/// An enum of a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enum {
    /// Its name.
    pub name: String,
    /// Its constants with their numbers. A number that is computed from other constants is unknown.
    pub values: Vec<(String, Option<i64>)>,
}

/// A signal of a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signal {
    /// Its name.
    pub name: String,
    /// How many arguments it passes: as many as it declares. Nothing is known of a signal without parentheses, and of one
    /// that its script emits with another number, which Godot allows.
    pub argument_count: Option<usize>,
}

/// A function of a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// How many arguments have to be given.
    pub least: usize,
    /// How many arguments may be given; nothing if any number.
    pub most: Option<usize>,
    /// Whether it is called without an object.
    pub is_static: bool,
}

impl Script {
    /// Reads GDScript, of Godot 3 or 4.
    pub fn gdscript(text: &[u8]) -> Self {
        Self { makes_scripts: makes_scripts(text), ..gdscript::read(text) }
    }

    /// Reads C#. `file_name` is the name of the file without extension, which the class has to have in Godot.
    pub fn csharp(text: &[u8], file_name: &str) -> Self {
        Self { makes_scripts: makes_scripts(text), ..csharp::read(text, file_name) }
    }

    /// Reads the script at `path`, GDScript or C# by its extension.
    pub(crate) fn read(path: &str, text: &[u8]) -> Self {
        match name_of(path).strip_suffix(".cs") {
            Some(stem) => Self::csharp(text, stem),
            None => Self::gdscript(text),
        }
    }

    /// The variable `name`.
    pub fn variable(&self, name: &str) -> Option<&Variable> {
        self.variables.iter().find(|variable| variable.name == name)
    }

    /// The signal `name`.
    pub fn signal(&self, name: &str) -> Option<&Signal> {
        self.signals.iter().find(|signal| signal.name == name)
    }

    /// The function `name`.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|function| function.name == name)
    }

    /// The enum `name`.
    pub fn enumeration(&self, name: &str) -> Option<&Enum> {
        self.enums.iter().find(|found| found.name == name)
    }

    /// The class `name` inside it.
    pub fn class(&self, name: &str) -> Option<&Self> {
        self.classes.iter().find(|(found, _)| found == name).map(|(_, class)| class)
    }

    /// The class at a path of names with `.` between.
    pub(crate) fn class_at(&self, path: &str) -> Option<&Self> {
        path.split('.')
            .filter(|name| !name.is_empty())
            .try_fold(self, |class, name| class.class(name))
    }
}

fn makes_scripts(text: &[u8]) -> bool {
    let words: [&[u8]; 3] = [b"source_code", b"GDScript.new", b"SourceCode"];
    words.iter().any(|word| memmem::find(text, word).is_some())
}

#[cfg(test)]
mod tests;
