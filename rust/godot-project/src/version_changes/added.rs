//! Names of scripts that a newer version gives to a class or member of its own, which is an error in GDScript.

use godot_tscn::GodotVersion;

use super::{Cause, ChangedUse, VersionChanges};
use crate::class_db::{Class, ClassDb};
use crate::script::source::{Declared, Name, Role};
use crate::scripts::types::{ClassRef, Loaded};

/// A name that a newer version takes for itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedName {
    /// The first version with it.
    pub version: GodotVersion,
    /// The kind: `class`, `property`, `method`, `signal` or `constant`.
    pub kind: &'static str,
    /// The name.
    pub name: String,
    /// The class that has the member.
    pub class: Option<String>,
}

impl AddedName {
    pub(super) fn message(&self) -> String {
        let Self { version, kind, name, class } = self;
        match class {
            Some(class) => format!("Godot {version} added a {kind} `{name}` to `{class}`"),
            None => format!("Godot {version} added a {kind} `{name}`"),
        }
    }

    pub(super) fn advice(&self) -> &'static str {
        match self.class {
            Some(_) => {
                "Rename the member; GDScript does not accept a member with the name of a member of the base class."
            }
            None => {
                "Rename it; GDScript does not accept a class or member with the name of a Godot class."
            }
        }
    }
}

impl VersionChanges<'_> {
    /// The declarations of a script with names that newer versions use.
    pub(super) fn added(&self, loaded: &Loaded, class: ClassRef, uses: &mut Vec<ChangedUse>) {
        for name in loaded.source.names() {
            let Role::Declares(declared) = name.role else { continue };
            let class = ClassRef { class: name.class, ..class };
            let text = loaded.source.text_of(name.span);
            if let Some(added) = self.added_name(class, name, declared, text) {
                uses.push(ChangedUse::new(name.span, Cause::Added(added)));
            }
        }
    }

    fn added_name(
        &self,
        class: ClassRef,
        name: &Name,
        declared: Declared,
        text: &str,
    ) -> Option<AddedName> {
        let is_value = matches!(
            declared,
            Declared::Variable
                | Declared::Constant
                | Declared::Signal
                | Declared::Enum
                | Declared::EnumValue
        );
        let is_class = matches!(declared, Declared::ClassName | Declared::Class);
        let is_function = declared == Declared::Function;
        if !name.is_certain || !(is_value || is_class || is_function) {
            return None;
        }
        let added = |kind, class: Option<&str>, has: &dyn Fn(&ClassDb) -> bool| {
            let version = self.first_with(has)?;
            Some(AddedName {
                version,
                kind,
                name: text.to_owned(),
                class: class.map(str::to_owned),
            })
        };
        if !is_function && let Some(found) = added("class", None, &|db| db.class(text).is_some()) {
            return Some(found);
        }
        let native = self.types().lineage(class).native?;
        let native = native.as_str();
        if is_function {
            // The engine calls methods that begin so, which is their purpose.
            let has = |db: &ClassDb| db.method(native, text).is_some();
            return (!text.starts_with('_')).then(|| added("method", Some(native), &has))?;
        }
        if is_class {
            return None;
        }
        added("property", Some(native), &|db| db.property(native, text).is_some())
            .or_else(|| added("signal", Some(native), &|db| db.signal(native, text).is_some()))
            .or_else(|| added("constant", Some(native), &|db| has_constant(db, native, text)))
    }

    /// The first newer version in which something is, if it is not in the version of the project.
    fn first_with(&self, has: &dyn Fn(&ClassDb) -> bool) -> Option<GodotVersion> {
        let newest = self.to.min(GodotVersion::NEWEST_WITH_CLASSES);
        if has(ClassDb::for_version(self.from)) || !has(ClassDb::for_version(newest)) {
            return None;
        }
        let versions = (self.from.minor + 1..=newest.minor).map(GodotVersion::godot4);
        versions.into_iter().find(|version| has(ClassDb::for_version(*version)))
    }
}

fn has_constant(classes: &ClassDb, class: &str, name: &str) -> bool {
    classes.lineage(class).any(|class: Class<'_>| {
        class.enum_names().any(|of| {
            class.enum_values(of).is_some_and(|mut values| values.any(|(value, _)| value == name))
        })
    })
}
