//! Sections and long values, as they are folded.

use godot_tscn::Span;
use ls_types::request::FoldingRangeRequest;
use ls_types::{FoldingRange, FoldingRangeParams};

use crate::features::Answer;
use crate::snapshot::{Failure, Snapshot};
use crate::text::Text;

impl Answer for FoldingRangeRequest {
    fn answer(
        snapshot: &Snapshot,
        params: FoldingRangeParams,
    ) -> Result<Option<Vec<FoldingRange>>, Failure> {
        let file = snapshot.file(&params.text_document.uri)?;
        if !file.is_in_notation() {
            return Ok(None);
        }
        let document = godot_tscn::parse(file.text.bytes());
        let mut ranges = Vec::new();
        for section in document.sections() {
            ranges.extend(range(&file.text, section.span()));
            let values = section.properties().map(godot_tscn::Property::value_span);
            ranges.extend(values.filter_map(|value| range(&file.text, value)));
        }
        Ok(Some(ranges))
    }
}

/// Nothing for a span on one line.
fn range(text: &Text, span: Span) -> Option<FoldingRange> {
    let range = text.range(span);
    (range.end.line > range.start.line).then(|| FoldingRange {
        start_line: range.start.line,
        end_line: range.end.line,
        ..FoldingRange::default()
    })
}
