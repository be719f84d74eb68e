//! The common part of renaming a method and renaming a signal.

mod checks;
#[cfg(test)]
mod csharp_tests;
mod scenes;

use godot_project::res_path::extension_of;
use godot_project::scripts::uses::{MemberKind, MemberUses};
use godot_project::{FileId, Plan, Project, Script};
use godot_tscn::{Property, Span};

use crate::csharp::InCsharp;
use crate::draft::{FileDraft, plan_of_mentions};
use crate::names::check_identifier;
use crate::whole_word::words;
use crate::{RefactorError, member_name};

/// A method or signal that gets another name.
pub(super) struct Renaming<'p> {
    project: &'p Project,
    /// The script that declares it.
    script: &'p Script,
    uses: MemberUses<'p>,
    kind: MemberKind,
    old: &'p str,
    new: &'p str,
}

/// Plans the changes when a method or signal of the script at `path` gets another name.
pub(super) fn rename_member(
    project: &Project,
    path: &str,
    old: &str,
    new: &str,
    kind: MemberKind,
) -> Result<Plan, RefactorError> {
    let (file, script) = script_at(project, path)?;
    let (word, name_kind) = match kind {
        MemberKind::Function => ("method", "method name"),
        MemberKind::Signal => ("signal", "signal name"),
        MemberKind::Variable => ("variable", "variable name"),
    };
    check_identifier(new, name_kind)?;
    let uses = MemberUses::new(project, file, old, kind);
    let renaming = Renaming { project, script, uses, kind, old, new };
    let csharp = if extension_of(path) == "cs" {
        renaming.check_in_csharp(path, word, file)?;
        Some(InCsharp::new(project, file, kind, (old, new))?)
    } else {
        renaming.check_old(path, word)?;
        member_name::check_free(project, &renaming.uses, path, new)?;
        None
    };
    let title = format!("rename the {word} `{old}` of `{path}` to `{new}`");
    plan_of_mentions(project, title, files_with_code(project), old, |file, draft| {
        match (&*extension_of(&draft.path), &csharp) {
            ("gd", _) => renaming.in_script(file, draft),
            ("cs", Some(csharp)) => csharp.in_script(draft)?,
            ("cs", None) => quoted_in_csharp(old, draft),
            _ => renaming.in_scene(draft),
        }
        Ok(())
    })
}

/// The script at a path.
fn script_at<'p>(project: &'p Project, path: &str) -> Result<(FileId, &'p Script), RefactorError> {
    let file =
        project.file(path).ok_or_else(|| RefactorError::NoSuchFile { path: path.to_owned() })?;
    let wrong = |wanted| RefactorError::WrongKind { path: path.to_owned(), wanted };
    let script = project.scripts().script(file).ok_or_else(|| wrong("a script"))?;
    Ok((file, script))
}

/// The scripts, and the text scenes and resources.
pub(super) fn files_with_code(project: &Project) -> Vec<FileId> {
    let is_script = |file: &FileId| project.scripts().script(*file).is_some();
    let mut files = project.text_files();
    files.extend(project.files().filter(is_script));
    files
}

/// Notes texts in C# that are the name: they may call into GDScript.
pub(super) fn quoted_in_csharp(name: &str, draft: &mut FileDraft) {
    let quoted = format!("\"{name}\"");
    let text = std::sync::Arc::clone(&draft.text);
    for at in memchr::memmem::find_iter(&text, quoted.as_bytes()) {
        let start = at as u32 + 1;
        let span = Span::new(start, start + name.len() as u32);
        draft.doubt(span, "a string with this name in C#, which may refer to the GDScript member");
    }
}

/// Notes each place of the name in a script inside a scene or resource.
pub(super) fn doubt_inner_script(script: Property<'_>, name: &str, draft: &mut FileDraft) {
    for at in words(script.source(), name) {
        let start = script.value_span().start + at as u32;
        let span = Span::new(start, start + name.len() as u32);
        draft.doubt(span, "a script inside the file; scripts inside files are not changed");
    }
}

impl Renaming<'_> {
    fn in_script(&self, file: FileId, draft: &mut FileDraft) {
        let found = self.uses.in_script(file);
        for (span, what) in found.certain {
            draft.edit(span, self.new, what);
        }
        for (span, why) in found.doubts {
            draft.doubt(span, why);
        }
    }
}
