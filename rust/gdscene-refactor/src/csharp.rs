//! A member of a script in C# that gets another name, in all scripts in C#.

mod checks;
mod keywords;

use godot_tscn::Span;
use hashbrown::HashSet;

pub(super) use self::checks::{check_free, may_be_member};
pub(super) use self::keywords::check_keyword;
use godot_project::res_path::name_of;
use godot_project::scripts::uses::MemberKind;
use godot_project::scripts::{CsharpMember, CsharpTypes, CsharpUses};
use godot_project::{FileId, Project};

use crate::RefactorError;
use crate::draft::FileDraft;
use crate::whole_word::first_word;

/// A member of a script in C# that gets another name.
pub(super) struct InCsharp<'p> {
    path: &'p str,
    member: CsharpMember<'p>,
    /// Why the class may not be free to rename the member.
    unknown_interface: Option<String>,
}

impl<'p> InCsharp<'p> {
    /// # Errors
    /// When the new name is reserved in C#, another script has a class of the same name, or an interface asks for the member.
    pub(super) fn new(
        project: &'p Project,
        file: FileId,
        kind: MemberKind,
        (name, new_name): (&'p str, &'p str),
    ) -> Result<Self, RefactorError> {
        check_keyword(new_name)?;
        let path = project.path(file);
        let class = stem(path).unwrap_or_default();
        let (mut heirs, mut bases) = (HashSet::new(), HashSet::new());
        let chain = project.scripts().files_of_chain(project, file);
        bases.extend(chain.iter().skip(1).filter_map(|base| stem(project.path(*base))));
        let script = project.scripts().script(file);
        let type_name = script.and_then(|script| script.variable(name)?.type_name.as_deref());
        let type_name = type_name.and_then(|found| found.trim_end_matches('?').rsplit('.').next());
        let mut names_type = type_name == Some(name) || project.classes().class(name).is_some();
        for other in project.files().filter(|other| *other != file) {
            let Some(other_class) = stem(project.path(other)) else { continue };
            if other_class == class {
                return Err(RefactorError::Refused(format!(
                    "`{}` also has a class `{class}`, so it is ambiguous which class each place means",
                    project.path(other)
                )));
            }
            names_type |= other_class == name;
            if project.scripts().files_of_chain(project, other).contains(&file) {
                heirs.insert(other_class);
            }
        }
        let types = Some(CsharpTypes::new(project));
        let member = CsharpMember { class, heirs, bases, kind, name, new_name, names_type, types };
        let mut found = Self { path, member, unknown_interface: None };
        found.unknown_interface = found.check_interfaces()?;
        Ok(found)
    }

    /// # Errors
    /// When a class that has the member has the new name already, or the script that declares it cannot be read.
    pub(super) fn in_script(&self, draft: &mut FileDraft) -> Result<(), RefactorError> {
        let text = std::sync::Arc::clone(&draft.text);
        let stem = stem(&draft.path).unwrap_or_default();
        let uses = self.member.uses(&text, stem);
        if draft.path == self.path {
            self.check_declaration(uses.as_ref())?;
        }
        let Some(uses) = uses else {
            if let Some(at) = first_word(&text, self.member.name) {
                let span = Span::new(at as u32, (at + self.member.name.len()) as u32);
                draft.doubt(span, "the script contains the name, but cannot be read");
            }
            return Ok(());
        };
        if uses.is_taken {
            let what = format!("`{}` already has `{}`", draft.path, self.member.new_name);
            return Err(RefactorError::Clash { what });
        }
        if let Some(interface) = uses.interfaces.iter().find(|name| self.has_interface(name)) {
            return Err(self.asked_by(interface));
        }
        for (span, what) in uses.certain {
            draft.edit(span, self.member.new_name, what);
        }
        for (span, why) in uses.doubts {
            draft.doubt(span, why);
        }
        if let Some(why) = self.unknown_interface.as_ref().filter(|_| draft.path == self.path) {
            draft.doubt(Span::empty(0), why.clone());
        }
        Ok(())
    }

    /// # Errors
    /// When the script does not declare the member, or only in the place of another one.
    fn check_declaration(&self, uses: Option<&CsharpUses>) -> Result<(), RefactorError> {
        let is_declared =
            uses.is_some_and(|uses| uses.certain.iter().any(|(_, what)| *what == "declaration"));
        if !is_declared {
            let reason = "its syntax cannot be parsed".to_owned();
            return Err(RefactorError::Broken { path: self.path.to_owned(), reason });
        }
        if uses.is_some_and(|uses| uses.is_override) {
            return Err(RefactorError::Refused(format!(
                "`{}` inherits `{}` from its base, which uses this name",
                self.path, self.member.name
            )));
        }
        Ok(())
    }
}

/// The name of a file in C# without its ending, which is that of the class in it.
pub(super) fn stem(path: &str) -> Option<&str> {
    name_of(path).strip_suffix(".cs")
}
