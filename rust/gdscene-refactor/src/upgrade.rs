//! What "open and save every file" does, without an engine.

mod node_ids;
mod uids;

use std::borrow::Cow;
use std::sync::Arc;

use godot_project::res_path::FactsKind;
use godot_project::res_path::extension_of;
use godot_project::{FileId, Plan, Project};
use godot_tscn::{FileEdits, FormatOptions, GodotVersion, Span};
use rayon::prelude::*;

use self::node_ids::NodeIds;
use self::uids::Uids;
use crate::draft::{FileDraft, plan_of_drafts};
use crate::unused_inside::is_below;
use crate::{RefactorError, changed_lines};

/// A plan that writes the scenes and resources whose paths start with one of `starts` as the Godot of the version `target`
/// saves them, and adds what that version adds when it opens and saves a project:
///
/// - uids in the headers of scenes and resources, and in `ext_resource` tags; wrong ones are put right;
/// - the `.uid` files of scripts, shaders and extensions, since Godot 4.4;
/// - the `unique_id` of nodes, since Godot 4.6;
/// - the layout, with or without `load_steps`, as [`godot_tscn::format`] does.
///
/// What has all of it stays byte for byte. Properties stay as they are: which of them a class still has, only the engine
/// knows. Files of Godot 3, those that Godot refuses, and those that cannot be read are doubts.
///
/// # Errors
/// When the version is not one of Godot 4, or a file is not valid UTF-8.
pub fn upgrade(
    project: &Project,
    target: GodotVersion,
    starts: &[String],
) -> Result<Plan, RefactorError> {
    if target.major != 4 {
        return Err(RefactorError::Refused(format!(
            "only projects of Godot 4 can be written so, not of Godot {target}"
        )));
    }
    let is_meant =
        |file: &FileId| is_below(project.path(*file), starts) && !project.is_unchecked(*file);
    let files: Vec<FileId> = project.files().filter(is_meant).collect();
    let uids = Uids::of(project, target, &files);
    let texts: Vec<FileId> =
        files.iter().copied().filter(|file| is_text(project.path(*file))).collect();
    let node_ids = (target >= GodotVersion::godot4(6)).then(|| NodeIds::of(project, &texts));
    let work = |file: &FileId| {
        let mut draft = match FileDraft::of(project, *file) {
            Ok(draft) => draft,
            Err(error) => {
                let mut draft = FileDraft::of_text(project.path(*file).to_owned(), Vec::new());
                draft.doubt(Span::empty(0), error.to_string());
                return Ok(draft);
            }
        };
        upgrade_text(project, *file, target, &uids, node_ids.as_ref(), &mut draft)?;
        Ok(draft)
    };
    let drafts: Result<Vec<FileDraft>, RefactorError> = texts.par_iter().map(work).collect();
    let mut plan = plan_of_drafts(format!("write the project as Godot {target} saves it"), drafts?);
    plan.files.extend(uids.new_files().map(|(path, text)| FileEdits::create(path, text)));
    plan.files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(plan)
}

/// What exporters write, in `.escn` files, is not for people to change.
fn is_text(path: &str) -> bool {
    FactsKind::of(path) == FactsKind::Text && extension_of(path) != "escn"
}

fn upgrade_text(
    project: &Project,
    file: FileId,
    target: GodotVersion,
    uids: &Uids,
    node_ids: Option<&NodeIds>,
    draft: &mut FileDraft,
) -> Result<(), RefactorError> {
    let text = Arc::clone(&draft.text);
    let document = godot_tscn::parse(&text);
    let header = document.sections().next();
    let format =
        header.and_then(|header| header.field("format")).map_or(Some(3), godot_tscn::Field::int);
    if !matches!(format, Some(3 | 4)) {
        draft.doubt(
            Span::empty(0),
            "this is not a file of Godot 4; open it in Godot's editor, which converts it",
        );
        return Ok(());
    }
    if let Some(refusal) = godot_tscn::refusal(&document) {
        let why = format!(
            "Godot refuses the file ({}, line {}); repair it first",
            refusal.code, refusal.line
        );
        draft.doubt(Span::empty(0), why);
        return Ok(());
    }
    let mut added: Vec<(Span, String)> = Vec::new();
    uids.edits(project, file, &document, &mut added);
    if let Some(node_ids) = node_ids {
        node_ids.edits(file, &document, &mut added);
    }
    let with_ids = if added.is_empty() {
        Cow::Borrowed(&*text)
    } else {
        let edits =
            added.into_iter().map(|(span, new)| godot_tscn::Edit::replace(span, new)).collect();
        Cow::Owned(FileEdits::new(&*draft.path, Arc::clone(&text), edits).new_text())
    };
    let path = draft.path.clone();
    let mut options = FormatOptions::for_path(&path);
    options.target = Some(target);
    let after = match godot_tscn::format(&with_ids, &options) {
        Ok(formatted) => formatted.text,
        Err(refusal) => {
            draft.doubt(Span::empty(0), format!("the layout stays as it is: {refusal}"));
            Cow::Borrowed(&*with_ids)
        }
    };
    changed_lines::add(draft, &after, &what)
}

/// What an edit adds, by what is new in the lines.
fn what(before: &[u8], after: &str) -> Cow<'static, str> {
    let count = |text: &[u8], word: &str| memchr::memmem::find_iter(text, word).count();
    let is_more = |word: &str| count(after.as_bytes(), word) > count(before, word);
    let mut what: Vec<&str> = Vec::new();
    if is_more(" uid=\"uid://") {
        what.push("uid");
    } else if count(before, "uid://") > 0 && !after.contains("uid://") {
        what.push("wrong uid");
    }
    if is_more(" unique_id=") {
        what.push("unique_id");
    }
    if count(before, "load_steps=") > 0 && !after.contains("load_steps=") {
        what.push("load_steps");
    }
    match what.as_slice() {
        [] => "layout".into(),
        parts => parts.join(", ").into(),
    }
}

#[cfg(test)]
mod tests;
