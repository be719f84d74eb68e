//! What the calls answer. The keys of an object are in alphabetical order.

use gdscene_render::{JsonDiagnostic, JsonDocument, JsonRow, JsonRows};
use godot_tscn::{Diagnostic, Document, LineIndex};
use godot_variant_codec::Dialect;
use godot_variant_codec::framing::ByteOrder;
use godot_variant_codec::inspect::{Content, inspect};
use serde::Serialize;

use crate::options::{Options, all_rules};
use crate::tree::{JsonNode, nodes};

/// What a text is called that has no name: what it is of no other is known.
const NO_NAME: &str = "";

/// What became of a text that was fixed.
#[derive(Debug, Serialize)]
pub(crate) struct FixAnswer<'d> {
    pub(crate) applied: usize,
    pub(crate) left: Vec<JsonDiagnostic<'d>>,
    pub(crate) postponed: usize,
    pub(crate) uncovered: usize,
}

/// What became of a text that was formatted.
#[derive(Debug, Serialize)]
pub(crate) struct FormatAnswer<'d> {
    /// The place of the refusal, if it has one.
    pub(crate) finding: Option<JsonDiagnostic<'d>>,
    /// Why the text is refused; nothing if it is not.
    pub(crate) reason: Option<String>,
}

/// A file with its nodes.
#[derive(Debug, Serialize)]
pub(crate) struct ParseAnswer<'d> {
    #[serde(flatten)]
    document: JsonDocument<'d>,
    nodes: Vec<JsonNode>,
}

/// A listing of binary values.
#[derive(Debug, Serialize)]
pub(crate) struct Listed {
    /// Whether all bytes are values.
    is_valid: bool,
    /// How many rows are left out.
    left_out: usize,
    rows: Vec<JsonRow>,
}

/// A rule and its documentation.
#[derive(Debug, Serialize)]
pub(crate) struct ListedRule {
    code: &'static str,
    docs: String,
    has_fix: bool,
    is_on_by_default: bool,
    name: &'static str,
    severity: &'static str,
}

pub(crate) fn listed_rules() -> Vec<ListedRule> {
    let listed = |rule: &'static godot_tscn::RuleInfo| ListedRule {
        code: rule.code,
        docs: rule.markdown(),
        has_fix: rule.docs.contains(" ## Fix safety\n"),
        is_on_by_default: !rule.is_off_by_default,
        name: rule.name,
        severity: rule.severity.as_str(),
    };
    let mut rules: Vec<ListedRule> = all_rules().map(listed).collect();
    rules.sort_by_key(|rule| rule.code);
    rules
}

/// What was found in a text.
pub(crate) fn found_in<'d>(
    text: &[u8],
    found: impl IntoIterator<Item = &'d Diagnostic>,
    options: &'d Options,
) -> Vec<JsonDiagnostic<'d>> {
    let index = LineIndex::new(text);
    let path = options.path.as_deref().unwrap_or(NO_NAME);
    // A fix of one file names no other.
    found
        .into_iter()
        .map(|found| JsonDiagnostic::new(path, &index, found, &str::to_owned))
        .collect()
}

impl<'d> ParseAnswer<'d> {
    pub(crate) fn new(document: &'d Document<'_>, path: &'d str) -> Self {
        Self { document: JsonDocument::new(document, path), nodes: nodes(document) }
    }
}

impl Listed {
    /// Lists a value, or with an order of bytes any number of values that each follow their length.
    pub(crate) fn new(
        bytes: &[u8],
        dialect: &'static Dialect,
        order: Option<ByteOrder>,
        max_rows: Option<usize>,
    ) -> Self {
        let max_rows = max_rows.unwrap_or(usize::MAX);
        let mut listed = Self { is_valid: true, left_out: 0, rows: Vec::new() };
        let Some(order) = order else {
            listed.value(bytes, 0, dialect, max_rows);
            return listed;
        };
        const LENGTH_LEN: usize = 4;
        let mut start = 0;
        while let Some(length) = bytes[start..].first_chunk::<LENGTH_LEN>() {
            let len = order.length(*length) as usize;
            let content = start + LENGTH_LEN;
            let shown = len.min(bytes.len() - content);
            listed.push(JsonRow::length(start, len, shown), max_rows);
            listed.is_valid &= shown == len;
            start = content + shown;
            listed.value(&bytes[..start], content, dialect, max_rows);
        }
        let left = bytes.len() - start;
        if left > 0 {
            listed.is_valid = false;
            listed.push(JsonRow::rest(start, left), max_rows);
        }
        listed
    }

    fn value(&mut self, bytes: &[u8], start: usize, dialect: &'static Dialect, max_rows: usize) {
        let mut made = JsonRows::default();
        for row in inspect(bytes).starting_at(start).dialect(dialect).rows() {
            self.is_valid &= !matches!(row.content, Content::Error(_) | Content::Trailing);
            if self.rows.len() < max_rows {
                self.rows.push(made.next(&row));
            } else {
                self.left_out += 1;
            }
        }
    }

    fn push(&mut self, row: JsonRow, max_rows: usize) {
        if self.rows.len() < max_rows {
            self.rows.push(row);
        } else {
            self.left_out += 1;
        }
    }
}
