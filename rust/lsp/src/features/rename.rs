//! New names, and new places of files, with all that uses the old ones.

use ls_types::request::{PrepareRenameRequest, Rename, WillRenameFiles};
use ls_types::{
    PrepareRenameResponse, RenameFilesParams, RenameParams, TextDocumentPositionParams, TextEdit,
    WorkspaceEdit,
};
use project::Plan;

use crate::at;
use crate::edits;
use crate::features::Answer;
use crate::named::{Named, places_of_id, within_quotes};
use crate::projects::OpenProject;
use crate::snapshot::{Failure, File, Snapshot};
use crate::uris;

impl Answer for PrepareRenameRequest {
    fn answer(
        snapshot: &Snapshot,
        params: TextDocumentPositionParams,
    ) -> Result<Option<PrepareRenameResponse>, Failure> {
        let file = snapshot.file(&params.text_document.uri)?;
        if tscn::is_config_path(&file.path) {
            return Ok(None);
        }
        let document = tscn::parse(file.text.bytes());
        let Some(at) = at::at(&document, file.text.offset(params.position)) else {
            return Ok(None);
        };
        let named = file.project.look_at_all(|workspace| {
            workspace.project().and_then(|project| Named::of(project, &file.path, &at))
        });
        Ok(named.map(|named| PrepareRenameResponse::RangeWithPlaceholder {
            range: file.text.range(within_quotes(&document, at.span)),
            placeholder: named.name(),
        }))
    }
}

impl Answer for Rename {
    fn answer(snapshot: &Snapshot, params: RenameParams) -> Result<Option<WorkspaceEdit>, Failure> {
        let place = params.text_document_position;
        let file = snapshot.file(&place.text_document.uri)?;
        let document = tscn::parse(file.text.bytes());
        let at = at::at(&document, file.text.offset(place.position))
            .ok_or_else(|| Failure::refused("there is nothing here that has a name"))?;
        let new = params.new_name;
        file.project.look_at_all(|workspace| {
            let project = workspace.project().ok_or_else(|| outside(&file))?;
            let named = Named::of(project, &file.path, &at).ok_or_else(|| {
                Failure::refused("this name is Godot's own, or what it names is not known")
            })?;
            if let Named::Id(kind, id) = &named {
                check_id(&document, *kind, &new)?;
                let edit = |span| TextEdit::new(file.text.range(span), new.clone());
                let edits = places_of_id(&document, *kind, id).into_iter().map(edit).collect();
                return Ok(Some(edits::of_text(snapshot, &file.uri, edits)));
            }
            let plan = named.rename(project, &file.path, &new).ok_or(Failure::Cancelled)?;
            let plan = plan.map_err(Failure::refused)?;
            tell_doubts(snapshot, &plan);
            edits::of_plan(snapshot, &file.project, &plan, &[]).map(Some)
        })
    }
}

impl Answer for WillRenameFiles {
    /// The client moves the files; everything that names them follows.
    fn answer(
        snapshot: &Snapshot,
        params: RenameFilesParams,
    ) -> Result<Option<WorkspaceEdit>, Failure> {
        let mut texts = Vec::new();
        for moved in &params.files {
            let (Ok(old), Ok(new)) = (moved.old_uri.parse(), moved.new_uri.parse()) else {
                continue;
            };
            let (Some(old), Some(new)) = (uris::path_of(&old), uris::path_of(&new)) else {
                continue;
            };
            let project = snapshot.projects.of(Some(&old));
            let Some(root) = project.root() else { continue };
            let (Some(old), Some(new)) = (uris::res_path(root, &old), uris::res_path(root, &new))
            else {
                continue;
            };
            texts.extend(moved_texts(snapshot, &project, &old, &new)?);
        }
        Ok((!texts.is_empty()).then(|| edits::of_texts(snapshot, texts)))
    }
}

/// What names a file, with its new path. `.import` and `.uid` files beside it are not named by anything, and Godot makes new ones.
fn moved_texts(
    snapshot: &Snapshot,
    project: &OpenProject,
    old: &str,
    new: &str,
) -> Result<Vec<(ls_types::Uri, Vec<TextEdit>)>, Failure> {
    project.look_at_all(|workspace| {
        let Some(known) = workspace.project() else { return Ok(Vec::new()) };
        // What Godot does not see is nothing to it, and may be moved as anybody likes.
        let Ok(plan) = project::move_files(known, old, new) else { return Ok(Vec::new()) };
        tell_doubts(snapshot, &plan);
        let files = plan.files.iter().filter(|file| file.text().is_some());
        files.map(|file| edits::text_edits(snapshot, project, file)).collect()
    })
}

/// Says what may have to change too.
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

fn check_id(document: &tscn::Document<'_>, kind: tscn::TagKind, new: &str) -> Result<(), Failure> {
    if new.is_empty() || new.contains(['"', '\\', '\n', '\r']) {
        return Err(Failure::refused(format!("`{new}` is not a valid id")));
    }
    if at::resource(document, kind, new.as_bytes()).is_some() {
        return Err(Failure::refused(format!("the file has another resource with the id `{new}`")));
    }
    Ok(())
}

fn outside(file: &File) -> Failure {
    Failure::refused(format!("`{}` does not lie in a project of Godot's", file.path))
}
