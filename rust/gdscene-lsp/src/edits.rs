//! Changes of texts and files, as the protocol has them.

use godot_project::Plan;
use godot_tscn::{Edit, FileEdits, Span};
use ls_types::{
    CreateFile, DeleteFile, DocumentChangeOperation, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, RenameFile, ResourceOp, TextDocumentEdit, TextEdit,
    Uri, WorkspaceEdit,
};

use crate::projects::OpenProject;
use crate::snapshot::{Failure, Snapshot};
use crate::text::Text;
use crate::uris;

/// The edits of a text.
pub(crate) fn in_text(text: &Text, edits: &[Edit]) -> Vec<TextEdit> {
    let edit = |edit: &Edit| TextEdit::new(text.range(edit.span), edit.replacement.clone());
    edits.iter().map(edit).collect()
}

/// The edit that turns one text into another: between their equal starts and equal ends.
pub(crate) fn between(old: &Text, new: &[u8]) -> Vec<TextEdit> {
    let before = old.bytes();
    if before == new {
        return Vec::new();
    }
    let equal = |pairs: &mut dyn Iterator<Item = (&u8, &u8)>| {
        pairs.take_while(|(one, other)| one == other).count()
    };
    let mut start = equal(&mut before.iter().zip(new));
    let rest = before.len().min(new.len()) - start;
    let mut end = equal(&mut before.iter().rev().zip(new.iter().rev())).min(rest);
    // Not within a character, nor between the two halves of a line's end.
    let is_inside = |at: usize| {
        before.get(at).is_some_and(|byte| byte & 0xc0 == 0x80)
            || at > 0 && before[at - 1] == b'\r' && before.get(at) == Some(&b'\n')
    };
    while start > 0 && (is_inside(start) || new.get(start).is_some_and(|byte| byte & 0xc0 == 0x80))
    {
        start -= 1;
    }
    while end > 0 && is_inside(before.len() - end) {
        end -= 1;
    }
    let span = Span::new(start as u32, (before.len() - end) as u32);
    let replacement = String::from_utf8_lossy(&new[start..new.len() - end]).into_owned();
    vec![TextEdit::new(old.range(span), replacement)]
}

/// The edits that turn one text into another, of whole lines, so that a cursor between them stays in place.
pub(crate) fn by_lines(old: &Text, new: &[u8]) -> Vec<TextEdit> {
    let changes = gdscene_refactor::changes_by_line(old.bytes(), new).into_iter();
    let edit = |(span, new): (Span, &[u8])| {
        TextEdit::new(old.range(span), String::from_utf8_lossy(new).into_owned())
    };
    changes.map(edit).collect()
}

/// An edit of one open text.
pub(crate) fn of_text(snapshot: &Snapshot, uri: &Uri, edits: Vec<TextEdit>) -> WorkspaceEdit {
    of_texts(snapshot, vec![(uri.clone(), edits)])
}

/// An edit of several texts.
pub(crate) fn of_texts(snapshot: &Snapshot, texts: Vec<(Uri, Vec<TextEdit>)>) -> WorkspaceEdit {
    if !snapshot.client.features.edits_versions {
        return WorkspaceEdit {
            changes: Some(texts.into_iter().collect()),
            ..WorkspaceEdit::default()
        };
    }
    let edits = texts.into_iter().map(|(uri, edits)| versioned(snapshot, uri, edits));
    let changes = DocumentChanges::Edits(edits.collect());
    WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() }
}

/// A refactoring.
pub(crate) fn of_plan(
    snapshot: &Snapshot,
    project: &OpenProject,
    plan: &Plan,
) -> Result<WorkspaceEdit, Failure> {
    let created = plan.files.iter().any(|file| file.text().is_none());
    if !created && plan.moves.is_empty() && plan.removals.is_empty() {
        let texts = plan.files.iter().map(|file| text_edits(snapshot, project, file));
        return Ok(of_texts(snapshot, texts.collect::<Result<_, _>>()?));
    }
    if !snapshot.client.features.edits_files {
        let reason = "this editor cannot create, move or remove files as a part of an edit; use the command `gdscene` instead";
        return Err(Failure::Refused(reason.to_owned()));
    }
    let mut operations = Vec::new();
    for file in &plan.files {
        let (uri, edits) = text_edits(snapshot, project, file)?;
        if file.text().is_none() {
            let create = CreateFile { uri: uri.clone(), options: None, annotation_id: None };
            operations.push(DocumentChangeOperation::Op(ResourceOp::Create(create)));
        }
        operations.push(DocumentChangeOperation::Edit(versioned(snapshot, uri, edits)));
    }
    for moved in &plan.moves {
        let (old_uri, new_uri) = (uri(project, &moved.from)?, uri(project, &moved.to)?);
        let rename = RenameFile { old_uri, new_uri, options: None, annotation_id: None };
        operations.push(DocumentChangeOperation::Op(ResourceOp::Rename(rename)));
    }
    for removed in &plan.removals {
        let delete = DeleteFile { uri: uri(project, removed)?, options: None, annotation_id: None };
        operations.push(DocumentChangeOperation::Op(ResourceOp::Delete(delete)));
    }
    let changes = DocumentChanges::Operations(operations);
    Ok(WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() })
}

/// The edits of a file of the project. The client must have the text that they were made for.
pub(crate) fn text_edits(
    snapshot: &Snapshot,
    project: &OpenProject,
    file: &FileEdits,
) -> Result<(Uri, Vec<TextEdit>), Failure> {
    let uri = uri(project, &file.path)?;
    let Some(before) = file.text() else {
        let text = Text::new(Vec::new(), snapshot.client.encoding);
        return Ok((uri, between(&text, &file.new_text())));
    };
    let current = snapshot.file(&uri)?.text;
    if current.bytes() != &**before {
        let reason = format!("`{}` has changed in the meantime; try again", file.path);
        return Err(Failure::Refused(reason));
    }
    Ok((uri, in_text(&current, file.edits())))
}

fn versioned(snapshot: &Snapshot, uri: Uri, edits: Vec<TextEdit>) -> TextDocumentEdit {
    let version = snapshot.documents.get(&uri).map(|document| document.version);
    TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { uri, version },
        edits: edits.into_iter().map(OneOf::Left).collect(),
    }
}

fn uri(project: &OpenProject, path: &str) -> Result<Uri, Failure> {
    let outside = || Failure::Refused(format!("`{path}` is not in the project"));
    let root = project.root().ok_or_else(outside)?;
    // The client follows links wherever they lead.
    godot_project::inside::expect_inside(root, path)
        .map_err(|error| Failure::Refused(format!("`{path}`: {error}")))?;
    uris::uri_in(root, path).ok_or_else(outside)
}
