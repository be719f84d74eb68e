//! The meaning of ids, shown next to them.

use std::collections::HashMap;

use godot_tscn::{ReferenceKind, Section, TagKind};
use ls_types::request::InlayHintRequest;
use ls_types::{InlayHint, InlayHintKind, InlayHintLabel, InlayHintParams};

use crate::at;
use crate::features::Answer;
use crate::snapshot::{Failure, Snapshot};

impl Answer for InlayHintRequest {
    fn answer(
        snapshot: &Snapshot,
        params: InlayHintParams,
    ) -> Result<Option<Vec<InlayHint>>, Failure> {
        let file = snapshot.file(&params.text_document.uri)?;
        if !file.is_scene() {
            return Ok(None);
        }
        let document = godot_tscn::parse(file.text.bytes());
        let wanted = file.text.span(params.range);
        let mut labels: HashMap<(TagKind, Vec<u8>), String> = HashMap::new();
        for section in document.sections() {
            if let (Some(id), Some(label)) = (section.field_text("id"), label(section)) {
                labels.insert((section.kind(), id.into_owned()), label);
            }
        }
        let visible = document.references().iter().filter(|reference| {
            wanted.start <= reference.target.start && reference.target.end <= wanted.end
        });
        let hints = visible.filter_map(|reference| {
            let kind = match reference.kind {
                ReferenceKind::ExtResource => TagKind::ExtResource,
                ReferenceKind::SubResource => TagKind::SubResource,
                ReferenceKind::Resource => return None,
            };
            let label = labels.get(&(kind, document.target(reference).into_owned()))?;
            Some(InlayHint {
                // Behind the closing parenthesis.
                position: file.text.position(reference.target.end + 1),
                label: InlayHintLabel::String(label.clone()),
                kind: Some(InlayHintKind::TYPE),
                text_edits: None,
                tooltip: None,
                padding_left: Some(true),
                padding_right: None,
                data: None,
            })
        });
        Ok(Some(hints.collect()))
    }
}

/// The name of a file, or the class of a resource in the text.
fn label(section: Section<'_>) -> Option<String> {
    match section.kind() {
        TagKind::ExtResource => {
            let path = at::text(section, "path")?;
            Some(path.rsplit('/').next().unwrap_or(&path).to_owned())
        }
        TagKind::SubResource => at::text(section, "type"),
        _ => None,
    }
}
