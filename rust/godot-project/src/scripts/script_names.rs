//! The meaning of names in a script: in types and bases, and of inherited members.

use std::borrow::Cow;

use crate::class_db::Class;
use crate::project::{FileId, Project};
use crate::script::Script;
use crate::scripts::Scripts;
use crate::scripts::types::is_built_in_type;

/// The enums that every script of Godot 4.6.3 can name. Those of classes come in addition.
const GLOBAL_ENUMS: &[&str] = &[
    "ClockDirection",
    "Corner",
    "Error",
    "EulerOrder",
    "HorizontalAlignment",
    "InlineAlignment",
    "JoyAxis",
    "JoyButton",
    "Key",
    "KeyLocation",
    "KeyModifierMask",
    "MIDIMessage",
    "MethodFlags",
    "MouseButton",
    "MouseButtonMask",
    "Orientation",
    "PropertyHint",
    "PropertyUsageFlags",
    "Side",
    "VerticalAlignment",
];

/// The meaning of names in a GDScript file of Godot 4.
#[derive(Debug)]
pub struct ScriptNames<'p> {
    project: &'p Project,
    /// The script and the known scripts that it extends.
    files: Vec<FileId>,
    /// Whether it extends all of these files, and not classes inside them.
    extends_files: bool,
    /// The native class at the end, if all scripts before it could be read.
    native: Option<String>,
}

impl<'p> ScriptNames<'p> {
    /// The meaning of names in the script of a file.
    pub fn of(project: &'p Project, file: FileId) -> Self {
        let scripts = project.scripts();
        let chain = scripts.chain(project, file);
        let files = scripts.files_of_chain(project, file);
        let is_file = |(script, file): (&Cow<'_, Script>, &FileId)| {
            scripts.script(*file).is_some_and(|found| std::ptr::eq(&**script, found))
        };
        let extends_files =
            chain.scripts.len() == files.len() && chain.scripts.iter().zip(&files).all(is_file);
        let native = chain.native.filter(|_| chain.is_complete);
        Self { project, files, extends_files, native }
    }

    /// The native class that the script finally extends, if all scripts before it could be read.
    pub fn native(&self) -> Option<&str> {
        self.native.as_deref()
    }

    /// Whether a name may mean something in the script, as the first part of a type or base.
    pub fn may_mean(&self, name: &str) -> bool {
        let project = self.project;
        let has_enum = |native: &String| {
            let mut classes = project.classes().lineage(native);
            classes.any(|class| class.enum_names().any(|found| found == name))
        };
        Self::is_known_everywhere(project, name)
            || self.is_declared(name)
            || self.native.as_ref().is_some_and(has_enum)
    }

    /// The native class of objects of a type; for a global class, the class that its script extends. Nothing if the name
    /// may mean something else, or a base is unknown.
    pub fn native_of(&self, name: &str) -> Option<String> {
        let scripts: &Scripts = self.project.scripts();
        if self.is_declared(name) {
            return None;
        }
        if scripts.declares(name) {
            return scripts.chain(self.project, scripts.class(name)?).native;
        }
        self.project.classes().class(name).map(|class| Class::name(class).to_owned())
    }

    /// The base script that has a member with this name, if that is certain.
    pub fn base_with(&self, name: &str) -> Option<FileId> {
        let bases = self.files.get(1..).filter(|_| self.extends_files)?;
        let scripts = self.project.scripts();
        bases.iter().copied().find(|base| scripts.member_names(*base).contains(name))
    }

    /// The native class that the script extends and that has a property or signal of this name.
    pub fn native_with(&self, name: &str) -> Option<&'p str> {
        let mut classes = self.project.classes().lineage(self.native()?);
        let has =
            |class: &Class<'_>| class.property(name).is_some() || class.signal(name).is_some();
        classes.find(has).map(Class::name)
    }

    /// Whether the script, or one that it extends, declares a class, enum or constant of this name.
    fn is_declared(&self, name: &str) -> bool {
        let scripts = self.project.scripts();
        self.files.iter().any(|file| scripts.type_names(*file).contains(name))
    }

    /// Whether a name may mean something in every script.
    pub fn is_known_everywhere(project: &Project, name: &str) -> bool {
        let scripts = project.scripts();
        let is_autoload = || {
            let mut autoloads = project.settings().autoloads.iter();
            autoloads.any(|found| found.is_singleton && found.name == name)
        };
        name == "Variant"
            || is_built_in_type(name)
            || GLOBAL_ENUMS.contains(&name)
            || project.classes().class(name).is_some()
            || scripts.declares(name)
            || scripts.has_csharp_file(name)
            || scripts.may_declare(project, name)
            || is_autoload()
    }
}
