//! The steps of a growing selection: a part of a value, the value, the property, the section, the
//! text.

use godot_tscn::{Document, Span};
use ls_types::request::SelectionRangeRequest;
use ls_types::{Range, SelectionRange, SelectionRangeParams};

use crate::features::Answer;
use crate::snapshot::{Failure, Snapshot};
use crate::text::Text;

impl Answer for SelectionRangeRequest {
    fn answer(
        snapshot: &Snapshot,
        params: SelectionRangeParams,
    ) -> Result<Option<Vec<SelectionRange>>, Failure> {
        let file = snapshot.file(&params.text_document.uri)?;
        if !file.is_in_notation() {
            return Ok(None);
        }
        let document = godot_tscn::parse(file.text.bytes());
        let nested = params.positions.iter().map(|position| {
            let spans = spans_at(&document, file.text.offset(*position));
            nested(&file.text, &spans, Range::new(*position, *position))
        });
        Ok(Some(nested.collect()))
    }
}

/// The spans around a place, the innermost first.
fn spans_at(document: &Document<'_>, offset: u32) -> Vec<Span> {
    let holds = |span: &Span| span.start <= offset && offset <= span.end;
    let mut spans = vec![Span::new(0, document.text().len() as u32)];
    if let Some(section) = document.section_at(offset) {
        spans.push(section.span());
        spans.push(section.tag_span());
        for field in section.fields().filter(|field| holds(&field.span())) {
            spans.push(field.span());
            spans.extend(field.value_tree().parts().map(godot_tscn::PartRef::span));
        }
        let around = |property: &godot_tscn::Property<'_>| {
            holds(&Span::new(property.key_span().start, property.value_span().end))
        };
        for property in section.properties().filter(around) {
            spans.push(Span::new(property.key_span().start, property.value_span().end));
            spans.push(property.key_span());
            spans.extend(property.value_tree().parts().map(godot_tscn::PartRef::span));
        }
    }
    spans.retain(holds);
    spans.sort_by_key(|span| (span.end - span.start, span.start));
    spans.dedup();
    spans
}

fn nested(text: &Text, spans: &[Span], empty: Range) -> SelectionRange {
    let mut outer: Option<Box<SelectionRange>> = None;
    for span in spans.iter().rev() {
        outer = Some(Box::new(SelectionRange { range: text.range(*span), parent: outer }));
    }
    outer.map_or(SelectionRange { range: empty, parent: None }, |range| *range)
}
