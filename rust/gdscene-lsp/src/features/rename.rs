//! New names, and new places of files, with all that uses the old ones.

use std::path::PathBuf;

use gdscene_refactor::move_files;
use godot_project::{FileMove, Plan};
use godot_tscn::FileEdits;
use ls_types::request::{PrepareRenameRequest, Rename, WillRenameFiles};
use ls_types::{
    FileRename, PrepareRenameResponse, RenameFilesParams, RenameParams, TextDocumentPositionParams,
    TextEdit, WorkspaceEdit,
};

use crate::features::Answer;
use crate::named::{Named, places_of_id};
use crate::snapshot::{Failure, File, Snapshot};
use crate::{at, edits, uris};

impl Answer for PrepareRenameRequest {
    fn answer(
        snapshot: &Snapshot,
        params: TextDocumentPositionParams,
    ) -> Result<Option<PrepareRenameResponse>, Failure> {
        let file = snapshot.file(&params.text_document.uri)?;
        let document = file.scene();
        let offset = file.text.offset(params.position);
        let found = file.project.look_at_all(|workspace| {
            let Some(project) = workspace.project() else { return Ok(None) };
            let found = Named::at(project, &file, document.as_ref(), offset);
            let Some((named, span)) = found else { return Ok(None) };
            // A thing that cannot have another name says why before the user types one.
            if !matches!(named, Named::Id(..)) {
                named.rename(project, &file.path, &named.unused_name())?;
            }
            Ok::<_, Failure>(Some((named, span)))
        })?;
        Ok(found.map(|(named, span)| PrepareRenameResponse::RangeWithPlaceholder {
            range: file.text.range(span),
            placeholder: named.name(),
        }))
    }
}

impl Answer for Rename {
    fn answer(snapshot: &Snapshot, params: RenameParams) -> Result<Option<WorkspaceEdit>, Failure> {
        let place = params.text_document_position;
        let file = snapshot.file(&place.text_document.uri)?;
        let document = file.scene();
        let offset = file.text.offset(place.position);
        let new = params.new_name;
        file.project.look_at_all(|workspace| {
            let project = workspace.project().ok_or_else(|| outside(&file))?;
            let (named, _) = Named::at(project, &file, document.as_ref(), offset).ok_or_else(|| {
                Failure::refused("cannot rename this: it has no name, Godot declares it, or gdscene cannot determine what it names")
            })?;
            if let (Named::Id(kind, id), Some(document)) = (&named, &document) {
                check_id(document, *kind, &new)?;
                let edit = |span| TextEdit::new(file.text.range(span), new.clone());
                let edits = places_of_id(document, *kind, id).into_iter().map(edit).collect();
                return Ok(Some(edits::of_text(snapshot, &file.uri, edits)));
            }
            let plan = named.rename(project, &file.path, &new)?;
            tell_doubts(snapshot, &plan);
            edits::of_plan(snapshot, &file.project, &plan).map(Some)
        })
    }
}

impl Answer for WillRenameFiles {
    /// The client moves the files; all references follow, and so do the `.uid` and `.import` files next to them.
    fn answer(
        snapshot: &Snapshot,
        params: RenameFilesParams,
    ) -> Result<Option<WorkspaceEdit>, Failure> {
        let moves: Vec<FileMove> =
            params.files.iter().filter_map(|file| in_project(snapshot, file)).collect();
        let Some(first) = params.files.first().and_then(|file| place(&file.old_uri)) else {
            return Ok(None);
        };
        // Files of several projects do not move at once.
        let project = snapshot.projects.of(Some(&first));
        let plan = project.look_at_all(|workspace| {
            let known = workspace.project()?;
            let mut plan = Plan::default();
            // Godot ignores files that it does not see, and they may be moved freely.
            let plans =
                moves.iter().filter_map(|file| move_files(known, &file.from, &file.to).ok());
            for next in plans {
                plan.title = next.title;
                plan.moves.extend(next.moves);
                plan.doubts.extend(next.doubts);
                join(&mut plan.files, next.files);
            }
            Some(plan)
        });
        let Some(mut plan) = plan else { return Ok(None) };
        let is_done = |moved: &FileMove| moves.iter().any(|done| done.from == moved.from);
        plan.moves.retain(|moved| !is_done(moved) && snapshot.client.features.edits_files);
        tell_doubts(snapshot, &plan);
        if plan.is_empty() {
            return Ok(None);
        }
        edits::of_plan(snapshot, &project, &plan).map(Some)
    }
}

fn place(uri: &str) -> Option<PathBuf> {
    uris::path_of(&uri.parse().ok()?)
}

/// Nothing for a file that moves out of its project, or is in none.
fn in_project(snapshot: &Snapshot, file: &FileRename) -> Option<FileMove> {
    let (old, new) = (place(&file.old_uri)?, place(&file.new_uri)?);
    let project = snapshot.projects.of(Some(&old));
    let root = project.root()?;
    Some(FileMove { from: uris::res_path(root, &old)?, to: uris::res_path(root, &new)? })
}

/// Puts the edits of one text together, which several moves change.
fn join(files: &mut Vec<FileEdits>, more: Vec<FileEdits>) {
    for file in more {
        match files.iter_mut().find(|known| known.path == file.path) {
            Some(known) => {
                let Some(text) = known.text().cloned() else { continue };
                let mut edits = known.edits().to_vec();
                let is_new = |edit: &&godot_tscn::Edit| {
                    let is_apart = |known: &godot_tscn::Edit| {
                        known.span.end <= edit.span.start || edit.span.end <= known.span.start
                    };
                    known.edits().iter().all(is_apart)
                };
                edits.extend(file.edits().iter().filter(is_new).cloned());
                *known = FileEdits::new(file.path, text, edits);
            }
            None => files.push(file),
        }
    }
}

/// Reports the places that may have to change too.
fn tell_doubts(snapshot: &Snapshot, plan: &Plan) {
    const MAX_SHOWN: usize = 5;
    if plan.doubts.is_empty() {
        return;
    }
    let mut message = format!("{}: look at", plan.title);
    for doubt in plan.doubts.iter().take(MAX_SHOWN) {
        message.push_str(&format!("\n{}:{}: {}", doubt.path, doubt.line, doubt.what));
    }
    if let more @ 1.. = plan.doubts.len().saturating_sub(MAX_SHOWN) {
        message.push_str(&format!("\nand {more} more places"));
    }
    snapshot.client.show(ls_types::MessageType::WARNING, message);
}

fn check_id(
    document: &godot_tscn::Document<'_>,
    kind: godot_tscn::TagKind,
    new: &str,
) -> Result<(), Failure> {
    if new.is_empty() || new.contains(['"', '\\', '\n', '\r']) {
        return Err(Failure::refused(format!("`{new}` is not a valid id")));
    }
    if at::resource(document, kind, new.as_bytes()).is_some() {
        return Err(Failure::refused(format!("the file has another resource with the id `{new}`")));
    }
    Ok(())
}

fn outside(file: &File) -> Failure {
    Failure::refused(format!("`{}` is not in a Godot project", file.path))
}
