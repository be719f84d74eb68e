//! The variable of a script in C#, in all scripts in C#.

use hashbrown::HashSet;

use crate::project::{FileId, Project};
use crate::refactor::RefactorError;
use crate::refactor::draft::FileDraft;
use crate::res_path::name_of;
use crate::scripts::CsharpMember;

/// Words that are no names in C#.
const KEYWORDS: &[&str] = &[
    "abstract",
    "as",
    "base",
    "bool",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "checked",
    "class",
    "const",
    "continue",
    "decimal",
    "default",
    "delegate",
    "do",
    "double",
    "else",
    "enum",
    "event",
    "explicit",
    "extern",
    "false",
    "finally",
    "fixed",
    "float",
    "for",
    "foreach",
    "goto",
    "if",
    "implicit",
    "in",
    "int",
    "interface",
    "internal",
    "is",
    "lock",
    "long",
    "namespace",
    "new",
    "null",
    "object",
    "operator",
    "out",
    "override",
    "params",
    "private",
    "protected",
    "public",
    "readonly",
    "ref",
    "return",
    "sbyte",
    "sealed",
    "short",
    "sizeof",
    "stackalloc",
    "static",
    "string",
    "struct",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "uint",
    "ulong",
    "unchecked",
    "unsafe",
    "ushort",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
];

/// A variable of a script in C# that gets another name.
pub(super) struct InCsharp<'p> {
    path: &'p str,
    member: CsharpMember<'p>,
}

impl<'p> InCsharp<'p> {
    /// # Errors
    /// When the new name is a word of C#'s, or another script has a class of the same name.
    pub(super) fn new(
        project: &'p Project,
        file: FileId,
        name: &'p str,
        new_name: &'p str,
    ) -> Result<Self, RefactorError> {
        if KEYWORDS.contains(&new_name) {
            return Err(RefactorError::Refused(format!("`{new_name}` is a word of C#'s")));
        }
        let stem = |file: FileId| name_of(project.path(file)).strip_suffix(".cs");
        let class = stem(file).unwrap_or_default();
        let mut heirs = HashSet::new();
        let script = project.scripts().script(file);
        let type_name = script.and_then(|script| script.variable(name)?.type_name.as_deref());
        let type_name = type_name.and_then(|found| found.trim_end_matches('?').rsplit('.').next());
        let mut names_type = type_name == Some(name) || project.classes().class(name).is_some();
        for other in project.files().filter(|other| *other != file) {
            let Some(other_class) = stem(other) else { continue };
            if other_class == class {
                return Err(RefactorError::Refused(format!(
                    "`{}` has a class `{class}` too, and it is not known which one is meant where",
                    project.path(other)
                )));
            }
            names_type |= other_class == name;
            if project.scripts().files_of_chain(project, other).contains(&file) {
                heirs.insert(other_class);
            }
        }
        let member = CsharpMember { class, heirs, name, new_name, names_type };
        Ok(Self { path: project.path(file), member })
    }

    /// # Errors
    /// When a class that has the variable has the new name already, or the script that declares it cannot be read.
    pub(super) fn in_script(&self, draft: &mut FileDraft) -> Result<(), RefactorError> {
        let text = std::sync::Arc::clone(&draft.text);
        let uses = self.member.uses(&text).unwrap_or_default();
        if uses.is_taken {
            let what = format!("`{}` has `{}` already", draft.path, self.member.new_name);
            return Err(RefactorError::Clash { what });
        }
        let is_declared = uses.certain.iter().any(|(_, what)| *what == "declaration");
        if draft.path == self.path && !is_declared {
            let reason = "its syntax is not understood".to_owned();
            return Err(RefactorError::Broken { path: self.path.to_owned(), reason });
        }
        for (span, what) in uses.certain {
            draft.edit(span, self.member.new_name, what);
        }
        for (span, why) in uses.doubts {
            draft.doubt(span, why);
        }
        Ok(())
    }
}
