//! Whether a method or signal can be renamed.

use godot_project::scripts::types::ClassRef;
use godot_project::scripts::uses::MemberKind;
use godot_project::{FileId, Script};

use crate::error::not_understood;
use crate::member_name::{is_called_by_godot, native_with};
use crate::rename_member::Renaming;
use crate::{RefactorError, csharp};

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
                "`{path}` inherits the {word} `{}` from `{base}`; rename it there",
                self.old
            )));
        }
        if let Some(native) = native_with(self.project, &self.uses, self.old) {
            return Err(RefactorError::Refused(format!(
                "`{}` is a {word} of the Godot class `{native}`, which uses this name",
                self.old
            )));
        }
        if self.kind == MemberKind::Function && is_called_by_godot(self.old) {
            return Err(RefactorError::Refused(format!("Godot itself calls `{}`", self.old)));
        }
        if !declares(owner) && !self.script.is_complete {
            return Err(not_understood(self.project, owner.file));
        }
        if !declares(owner) {
            return Err(self.not_found(path, word));
        }
        if lineage.native.is_none() {
            let reason = "cannot determine what it extends, and whether its base also has the name";
            return Err(RefactorError::Broken { path: path.to_owned(), reason: reason.to_owned() });
        }
        Ok(())
    }

    /// Whether a script in C# declares the old name itself, and has nothing of the new one.
    pub(super) fn check_in_csharp(
        &self,
        path: &str,
        word: &'static str,
        file: FileId,
    ) -> Result<(), RefactorError> {
        let has = |script: &Script| match self.kind {
            MemberKind::Function => script.function(self.old).is_some(),
            MemberKind::Signal => script.signal(self.old).is_some(),
            MemberKind::Variable => script.variable(self.old).is_some(),
        };
        if !has(self.script) {
            return Err(self.not_found(path, word));
        }
        let chain = self.project.scripts().chain(self.project, file);
        if chain.scripts.iter().skip(1).any(|base| has(base)) {
            return Err(RefactorError::Refused(format!(
                "`{path}` inherits the {word} `{}` from a script that it extends; rename it there",
                self.old
            )));
        }
        if self.kind == MemberKind::Signal && self.new.ends_with("EventHandler") {
            return Err(RefactorError::InvalidName {
                name: self.new.to_owned(),
                kind: "signal name",
                reason: "gdscene adds `EventHandler` to the name of the delegate".to_owned(),
            });
        }
        csharp::check_free(self.project, (path, self.script), &chain, (self.new, self.kind))
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
        let near =
            godot_tscn::nearest(self.old.as_bytes(), names.iter().map(|name| name.as_bytes()));
        RefactorError::NotFound {
            path: path.to_owned(),
            kind: word,
            name: self.old.to_owned(),
            near: near.map(|near| String::from_utf8_lossy(near).into_owned()),
        }
    }
}
