//! The kinds of the parts of a text, for editors that colour by kind.

use godot_tscn::{Document, PartKind, Span, TagKind, ValueTree};
use ls_types::request::{SemanticTokensFullRequest, SemanticTokensRangeRequest};
use ls_types::{
    SemanticToken, SemanticTokenType, SemanticTokens, SemanticTokensLegend, SemanticTokensParams,
    SemanticTokensRangeParams, SemanticTokensRangeResult, SemanticTokensResult,
};

use crate::features::Answer;
use crate::snapshot::{Failure, File, Snapshot};
use crate::text::Text;

/// The kinds of tokens, in the order of [`Kind`].
pub(crate) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: vec![
            SemanticTokenType::KEYWORD,
            SemanticTokenType::PARAMETER,
            SemanticTokenType::PROPERTY,
            SemanticTokenType::STRING,
            SemanticTokenType::NUMBER,
            SemanticTokenType::TYPE,
            SemanticTokenType::COMMENT,
            SemanticTokenType::VARIABLE,
        ],
        token_modifiers: Vec::new(),
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Keyword,
    Parameter,
    Property,
    String,
    Number,
    Type,
    Comment,
    Variable,
}

impl Answer for SemanticTokensFullRequest {
    fn answer(
        snapshot: &Snapshot,
        params: SemanticTokensParams,
    ) -> Result<Option<SemanticTokensResult>, Failure> {
        let file = snapshot.file(&params.text_document.uri)?;
        let whole = Span::new(0, file.text.bytes().len() as u32);
        Ok(tokens(&file, whole).map(SemanticTokensResult::Tokens))
    }
}

impl Answer for SemanticTokensRangeRequest {
    fn answer(
        snapshot: &Snapshot,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>, Failure> {
        let file = snapshot.file(&params.text_document.uri)?;
        let range = file.text.span(params.range);
        Ok(tokens(&file, range).map(SemanticTokensRangeResult::Tokens))
    }
}

fn tokens(file: &File, wanted: Span) -> Option<SemanticTokens> {
    if !file.is_in_notation() {
        return None;
    }
    let mut found = Vec::new();
    file.with_document(|document| collect(document, wanted, &mut found));
    found.sort_by_key(|(span, _)| (span.start, span.end));
    Some(SemanticTokens { result_id: None, data: encoded(&file.text, &found) })
}

fn collect(document: &Document<'_>, wanted: Span, found: &mut Vec<(Span, Kind)>) {
    let is_wanted = |span: Span| span.start < wanted.end && wanted.start < span.end;
    found.extend(document.comments().iter().map(|comment| (*comment, Kind::Comment)));
    for section in document.sections().filter(|section| is_wanted(section.span())) {
        found.push((section.name_span(), Kind::Keyword));
        for field in section.fields() {
            found.push((field.name_span(), Kind::Parameter));
            match (section.kind(), field.name()) {
                (_, b"type") => found.push((field.value_span(), Kind::Type)),
                (TagKind::Node, b"name") => found.push((field.value_span(), Kind::Variable)),
                _ => in_value(&field.value_tree(), found),
            }
        }
        for property in section.properties() {
            found.push((property.key_span(), Kind::Property));
            if is_wanted(property.value_span()) {
                in_value(&property.value_tree(), found);
            }
        }
    }
    found.retain(|(span, _)| is_wanted(*span));
}

fn in_value(tree: &ValueTree<'_>, found: &mut Vec<(Span, Kind)>) {
    for part in tree.parts() {
        let span = part.span();
        match part.kind() {
            PartKind::String | PartKind::StringName => found.push((span, Kind::String)),
            PartKind::Number => found.push((span, Kind::Number)),
            PartKind::Word => found.push((span, Kind::Keyword)),
            _ => {
                let name = part.name().len() as u32;
                if name > 0 {
                    found.push((Span::new(span.start, span.start + name), Kind::Type));
                }
            }
        }
    }
}

/// Each token from the one before it, as the protocol has it. A token ends with its line: not all clients know others.
fn encoded(text: &Text, found: &[(Span, Kind)]) -> Vec<SemanticToken> {
    let mut tokens = Vec::with_capacity(found.len());
    let (mut line, mut start, mut end) = (0, 0, 0);
    for (span, kind) in found {
        let mut rest = *span;
        // An overlapping part, in a broken text, has been handled.
        if rest.start < end {
            continue;
        }
        end = rest.end;
        while rest.start < rest.end {
            let position = text.position(rest.start);
            let line_end = text.line(position.line).map_or(rest.end, |line| line.end);
            let part = Span::new(rest.start, rest.end.min(line_end.max(rest.start)));
            let length = text.position(part.end).character - position.character;
            if length > 0 {
                let is_same_line = position.line == line;
                tokens.push(SemanticToken {
                    delta_line: position.line - line,
                    delta_start: position.character - if is_same_line { start } else { 0 },
                    length,
                    token_type: *kind as u32,
                    token_modifiers_bitset: 0,
                });
                (line, start) = (position.line, position.character);
            }
            rest.start = text.next_line(position.line).unwrap_or(rest.end).max(part.end);
        }
    }
    tokens
}
