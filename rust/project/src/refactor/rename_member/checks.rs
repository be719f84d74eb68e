//! Whether a method or signal can be renamed, and whether the new name is free.

use crate::refactor::RefactorError;
use crate::refactor::error::not_understood;
use crate::refactor::rename_member::Renaming;
use crate::scripts::types::{ClassRef, is_built_in_type};
use crate::scripts::uses::MemberKind;

/// Functions that Godot calls by name, on every object (`Object` and `GDScriptInstance`, Godot 4.6.3).
const CALLED_BY_GODOT: &[&str] = &[
    "_init",
    "_static_init",
    "_notification",
    "_get",
    "_set",
    "_get_property_list",
    "_validate_property",
    "_property_can_revert",
    "_property_get_revert",
    "_to_string",
    "_iter_init",
    "_iter_next",
    "_iter_get",
];

impl Renaming<'_> {
    /// Whether the script declares the old name itself, and nothing else decides over it.
    pub(super) fn check_old(&self, path: &str, word: &'static str) -> Result<(), RefactorError> {
        let owner = self.uses.owner();
        let types = &self.uses.types;
        let lineage = types.lineage(owner);
        let declares = |class: ClassRef| {
            let member = types.member(class, self.old).map(|(_, member)| member);
            member.is_some_and(|member| self.kind.is_declared_as(member.kind))
        };
        let base = lineage.classes.iter().skip(1).find(|class| declares(**class));
        if let Some(base) = base {
            let base = self.project.path(base.file);
            return Err(RefactorError::Refused(format!(
                "`{path}` has the {word} `{}` from `{base}`, which it extends; rename it there",
                self.old
            )));
        }
        if let Some(native) = self.native_with(self.old) {
            return Err(RefactorError::Refused(format!(
                "`{}` is a {word} of Godot's class `{native}`, which calls it by this name",
                self.old
            )));
        }
        if self.kind == MemberKind::Function && CALLED_BY_GODOT.contains(&self.old) {
            return Err(RefactorError::Refused(format!("Godot calls `{}` by this name", self.old)));
        }
        if !declares(owner) && !self.script.is_complete {
            return Err(not_understood(self.project, owner.file));
        }
        if !declares(owner) {
            return Err(self.not_found(path, word));
        }
        if lineage.native.is_none() {
            let reason = "it is not known what it extends, and whether that has the name too";
            return Err(RefactorError::Broken { path: path.to_owned(), reason: reason.to_owned() });
        }
        Ok(())
    }

    fn not_found(&self, path: &str, word: &'static str) -> RefactorError {
        let names: Vec<&str> = match self.kind {
            MemberKind::Function => {
                self.script.functions.iter().map(|found| found.name.as_str()).collect()
            }
            MemberKind::Signal => {
                self.script.signals.iter().map(|found| found.name.as_str()).collect()
            }
            MemberKind::Variable => {
                self.script.variables.iter().map(|found| found.name.as_str()).collect()
            }
        };
        let near = tscn::nearest(self.old.as_bytes(), names.iter().map(|name| name.as_bytes()));
        RefactorError::NotFound {
            path: path.to_owned(),
            kind: word,
            name: self.old.to_owned(),
            near: near.map(|near| String::from_utf8_lossy(near).into_owned()),
        }
    }

    /// Whether the new name is free: in the script, in what it extends, in what extends it, and where the old one is used.
    pub(super) fn check_new(&self, path: &str) -> Result<(), RefactorError> {
        let clash = |what: String| Err(RefactorError::Clash { what });
        let new = self.new;
        let types = &self.uses.types;
        for class in types.lineage(self.uses.owner()).classes {
            if types.member(class, new).is_some() {
                let holder = self.project.path(class.file);
                return clash(format!("`{holder}` has a member `{new}` already"));
            }
        }
        if let Some(native) = self.native_with(new) {
            return clash(format!(
                "`{native}`, which `{path}` extends, has a member `{new}` already"
            ));
        }
        // `GDScriptAnalyzer::check_native_member_name_conflict`, Godot 4.6.3.
        if self.project.classes().class(new).is_some() || is_built_in_type(new) {
            return clash(format!("`{new}` is a class or type of Godot's"));
        }
        for file in self.uses.owners() {
            let heir = self.project.path(file);
            if types.member(ClassRef::of(file), new).is_some() {
                return clash(format!(
                    "`{heir}`, which extends `{path}`, has a member `{new}` already"
                ));
            }
            if let Some((line, why)) = self.uses.clash_in(file, new) {
                return clash(format!("`{heir}`, line {line}: {why}"));
            }
        }
        Ok(())
    }

    /// The class of Godot's at the end of the chain, if it has a property, method or signal of a name.
    fn native_with(&self, name: &str) -> Option<String> {
        let native = self.uses.types.lineage(self.uses.owner()).native?;
        let classes = self.project.classes();
        let has = classes.property(&native, name).is_some()
            || classes.method(&native, name).is_some()
            || classes.signal(&native, name).is_some();
        has.then_some(native)
    }
}
