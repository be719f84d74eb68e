//! All places that name something.

use godot_project::{Dependencies, Project};
use ls_types::request::References;
use ls_types::{Location, Range, ReferenceParams};

use crate::features::Answer;
use crate::named::{Named, places_of_id};
use crate::snapshot::{Failure, File, Snapshot};
use crate::uris;

impl Answer for References {
    fn answer(
        snapshot: &Snapshot,
        params: ReferenceParams,
    ) -> Result<Option<Vec<Location>>, Failure> {
        let place = params.text_document_position;
        let file = snapshot.file(&place.text_document.uri)?;
        let document = file.scene();
        let offset = file.text.offset(place.position);
        file.project.look_at_all(|workspace| {
            let Some(project) = workspace.project() else { return Ok(None) };
            let found = Named::at(project, &file, document.as_ref(), offset);
            let Some((named, _)) = found else { return Ok(None) };
            match (&named, &document) {
                (Named::Id(kind, id), Some(document)) => {
                    let spans = places_of_id(document, *kind, id).into_iter();
                    let skipped = usize::from(!params.context.include_declaration);
                    let location = |span| Location::new(file.uri.clone(), file.text.range(span));
                    Ok(Some(spans.skip(skipped).map(location).collect()))
                }
                (Named::File(path), _) => Ok(of_file(snapshot, &file, project, path)),
                _ => of_plan(snapshot, &file, project, &named).map(Some),
            }
        })
    }
}

/// Where files name the one at `path`, once each.
pub(super) fn of_file(
    snapshot: &Snapshot,
    file: &File,
    project: &Project,
    path: &str,
) -> Option<Vec<Location>> {
    let dependents = Dependencies::new(project).dependents(project.file(path)?).to_vec();
    let location = |found| {
        let (uri, text) = snapshot.text_at(&file.project, project.path(found))?;
        let at = memchr::memmem::find(text.bytes(), path.as_bytes());
        let range = at.map_or_else(Range::default, |at| {
            text.range(godot_tscn::Span::new(at as u32, (at + path.len()) as u32))
        });
        Some(Location::new(uri, range))
    };
    Some(dependents.into_iter().filter_map(location).collect())
}

/// The changes of a new name.
fn of_plan(
    snapshot: &Snapshot,
    file: &File,
    project: &Project,
    named: &Named,
) -> Result<Vec<Location>, Failure> {
    let plan = named.rename(project, &file.path, &named.unused_name())?;
    let mut locations = Vec::new();
    for changed in &plan.files {
        snapshot.check_cancelled()?;
        let Some((uri, text)) = snapshot.text_at(&file.project, &changed.path) else { continue };
        let spans = changed.edits().iter().map(|edit| text.range(edit.span));
        locations.extend(spans.map(|range| Location::new(uri.clone(), range)));
    }
    let doubts = plan.doubts.iter().filter_map(|doubt| {
        let (_, text) = snapshot.text_at(&file.project, &doubt.path)?;
        let uri = uris::uri_in(file.project.root()?, &doubt.path)?;
        Some(Location::new(uri, text.range(doubt.span)))
    });
    locations.extend(doubts);
    Ok(locations)
}
