//! Texts as Godot would save them.

use godot_tscn::{FormatOptions, FormatRefusal};
use ls_types::request::{Formatting, RangeFormatting};
use ls_types::{DocumentFormattingParams, DocumentRangeFormattingParams, TextEdit};

use crate::edits;
use crate::features::Answer;
use crate::snapshot::{Failure, File, Snapshot};
use crate::text::Text;

impl Answer for Formatting {
    fn answer(
        snapshot: &Snapshot,
        params: DocumentFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>, Failure> {
        let file = snapshot.file(&params.text_document.uri)?;
        if !file.is_in_notation() {
            return Ok(None);
        }
        Ok(Some(edits::by_lines(&file.text, &formatted(&file)?)))
    }
}

impl Answer for RangeFormatting {
    /// The whole text is formatted, and the changes in the range are kept: a part of a text has no format of its
    /// own.
    fn answer(
        snapshot: &Snapshot,
        params: DocumentRangeFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>, Failure> {
        let file = snapshot.file(&params.text_document.uri)?;
        if !file.is_in_notation() {
            return Ok(None);
        }
        let range = params.range;
        let is_inside =
            |edit: &TextEdit| edit.range.start >= range.start && edit.range.end <= range.end;
        let all = edits::by_lines(&file.text, &formatted(&file)?);
        let kept: Vec<TextEdit> = all.into_iter().filter(is_inside).collect();
        Ok(Some(kept_if_same(&file, kept)))
    }
}

fn formatted(file: &File) -> Result<Vec<u8>, Failure> {
    let text = file.text.bytes();
    let version = file.project.look(|workspace| workspace.project()?.settings().version);
    let mut options = FormatOptions::for_path(&file.path);
    options.target = godot_tscn::project_target(text, version);
    match godot_tscn::format(text, &options) {
        Ok(formatted) => Ok(formatted.text.into_owned()),
        // An exporter writes it again.
        Err(FormatRefusal::Escn) => Ok(text.to_vec()),
        Err(refusal) => Err(Failure::refused(format!("not formatted: {refusal}"))),
    }
}

/// No edits if a part of the changes alone would be read otherwise: a property that moves to another place would be there twice.
fn kept_if_same(file: &File, kept: Vec<TextEdit>) -> Vec<TextEdit> {
    let changed = applied(&file.text, &kept);
    let of_whole = formatted(file);
    let changed_file = File { text: changed, ..file.clone() };
    match (formatted(&changed_file), of_whole) {
        (Ok(one), Ok(other)) if one == other => kept,
        _ => Vec::new(),
    }
}

fn applied(text: &Text, edits: &[TextEdit]) -> Text {
    let edits = edits.iter().rev();
    edits.fold(text.clone(), |text, edit| {
        text.changed(&ls_types::TextDocumentContentChangeEvent {
            range: Some(edit.range),
            range_length: None,
            text: edit.new_text.clone(),
        })
    })
}
