//! A class in C#, which is called as its file (`ScriptPathAttributeGenerator.cs`, Godot 4.6.3).

use std::collections::BTreeMap;
use std::sync::Arc;

use godot_project::scripts::{CsharpClass, CsharpTypes};
use godot_project::{FileId, Plan, Project};
use godot_tscn::{FileEdits, Span};

use crate::csharp::{check_keyword, may_be_member, stem};
use crate::draft::FileDraft;
use crate::whole_word::first_word;
use crate::{RefactorError, move_files};

/// A class in C# that gets another name, with its file.
pub(super) struct ClassInCsharp<'p> {
    path: &'p str,
    class: CsharpClass<'p>,
}

impl<'p> ClassInCsharp<'p> {
    /// # Errors
    /// When the new name is a word of C#'s, or that of another script in C#.
    pub(super) fn new(
        project: &'p Project,
        file: FileId,
        name: &'p str,
        new_name: &'p str,
    ) -> Result<Self, RefactorError> {
        check_keyword(new_name)?;
        let path = project.path(file);
        for other in project.files().map(|other| project.path(other)) {
            let Some(class) = stem(other) else { continue };
            if class == new_name && name != new_name {
                let what = format!("`{other}` already has a class `{new_name}`");
                return Err(RefactorError::Clash { what });
            }
            if class == name && other != path {
                return Err(RefactorError::Refused(format!(
                    "`{other}` also has a class `{name}`, so it is ambiguous which class each place means"
                )));
            }
        }
        let unreadable = |source| RefactorError::Unreadable { path: path.to_owned(), source };
        let text = project.read(file).map_err(unreadable)?;
        let class = CsharpClass {
            name,
            new_name,
            namespace: CsharpClass::namespace_in(&text),
            is_global: project.scripts().class(name) == Some(file),
            names_member: may_be_member(project, name),
            types: Some(CsharpTypes::new(project)),
        };
        Ok(Self { path, class })
    }

    /// # Errors
    /// When the new name is taken in the file, or it does not declare the class and has to.
    pub(super) fn in_script(&self, draft: &mut FileDraft) -> Result<(), RefactorError> {
        let text = Arc::clone(&draft.text);
        let stem = stem(&draft.path).unwrap_or_default();
        let uses = self.class.uses(&text, stem);
        let is_declared = uses.as_ref().is_some_and(|uses| uses.is_declared);
        if draft.path == self.path && !is_declared {
            let reason = "its syntax cannot be parsed".to_owned();
            return Err(RefactorError::Broken { path: self.path.to_owned(), reason });
        }
        let Some(uses) = uses else {
            if let Some(at) = first_word(&text, self.class.name) {
                let span = Span::new(at as u32, (at + self.class.name.len()) as u32);
                draft.doubt(span, "the script contains the name, but cannot be read");
            }
            return Ok(());
        };
        if uses.is_taken && !uses.certain.is_empty() {
            let what = format!("`{}` already has `{}`", draft.path, self.class.new_name);
            return Err(RefactorError::Clash { what });
        }
        for (span, what) in uses.certain {
            draft.edit(span, self.class.new_name, what);
        }
        for (span, why) in uses.doubts {
            draft.doubt(span, why);
        }
        Ok(())
    }

    /// The plan with the new name of the file.
    ///
    /// # Errors
    /// When the file cannot get this name.
    pub(super) fn with_file(
        &self,
        project: &Project,
        mut plan: Plan,
    ) -> Result<Plan, RefactorError> {
        if self.class.name == self.class.new_name {
            return Ok(plan);
        }
        let folder = self.path.strip_suffix(&format!("{}.cs", self.class.name));
        let target = format!("{}{}.cs", folder.unwrap_or("res://"), self.class.new_name);
        let moved = move_files(project, self.path, &target)?;
        plan.title = format!("{}, and its file to `{target}`", plan.title);
        let mut files: BTreeMap<String, FileEdits> = BTreeMap::new();
        for file in plan.files.into_iter().chain(moved.files) {
            let both = match files.remove(&file.path) {
                Some(first) => together(first, &file),
                None => file,
            };
            files.insert(both.path.clone(), both);
        }
        plan.files = files.into_values().collect();
        plan.moves = moved.moves;
        plan.removals.extend(moved.removals);
        plan.places.extend(moved.places);
        // This function makes the class and the file have the same name.
        let is_of_name = |path: &str, span: Span| path == self.path && span == Span::empty(0);
        let doubts = moved.doubts.into_iter();
        plan.doubts.extend(doubts.filter(|doubt| !is_of_name(&doubt.path, doubt.span)));
        plan.put_in_order();
        Ok(plan)
    }
}

/// The edits of one file for both.
fn together(first: FileEdits, second: &FileEdits) -> FileEdits {
    let Some(text) = first.text().cloned() else { return first };
    let mut edits = first.edits().to_vec();
    edits.extend(second.edits().iter().filter(|edit| !first.edits().contains(edit)).cloned());
    FileEdits::new(first.path.clone(), text, edits)
}
