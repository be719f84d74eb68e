//! What the calls answer. The keys of an object are in alphabetical order.

use gdscene_render::{
    Full, JsonDiagnostic, JsonDocument, JsonRow, JsonRows, format_changes, format_refused,
};
use godot_tscn::{Diagnostic, Document, FormatRefusal, Formatted};
use godot_variant_codec::Dialect;
use godot_variant_codec::framing::ByteOrder;
use godot_variant_codec::inspect::{Content, inspect};
use serde::Serialize;

use crate::lines;
use crate::options::{Options, all_rules};
use crate::tree::{JsonNode, nodes};

/// What a text is called that has no name: what it is of no other is known.
const NO_NAME: &str = "";

/// A diagnostic, and how it looks for people.
#[derive(Debug, Serialize)]
pub(crate) struct Checked<'d> {
    #[serde(flatten)]
    diagnostic: JsonDiagnostic<'d>,
    #[serde(skip_serializing_if = "Option::is_none")]
    texts: Option<Texts>,
}

/// The text of a diagnostic in two formats.
#[derive(Debug, Serialize)]
struct Texts {
    concise: String,
    full: String,
}

/// What became of a text that was fixed.
#[derive(Debug, Serialize)]
pub(crate) struct FixAnswer<'d> {
    pub(crate) applied: usize,
    pub(crate) left: Vec<Checked<'d>>,
    pub(crate) postponed: usize,
    pub(crate) uncovered: usize,
}

/// What became of a text that was formatted.
#[derive(Debug, Serialize)]
pub(crate) struct FormatAnswer<'d> {
    /// What `gdscene format --check` says of it; nothing if it is formatted.
    finding: Option<Checked<'d>>,
    /// Whether the refusal is about a place.
    has_place: bool,
    is_left_alone: bool,
    is_refused: bool,
    reason: Option<String>,
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

impl<'d> Checked<'d> {
    pub(crate) fn all(text: &[u8], found: &'d [Diagnostic], options: &'d Options) -> Vec<Self> {
        let path = options.path.as_deref().unwrap_or(NO_NAME);
        let full = options.with_texts.then(|| Full::new(options.color));
        checked(text, path, found, full.as_ref())
    }
}

fn checked<'d>(
    text: &[u8],
    path: &'d str,
    found: &'d [Diagnostic],
    full: Option<&Full>,
) -> Vec<Checked<'d>> {
    let index = lines(text);
    let texts = |found: &Diagnostic, full: &Full| {
        let mut texts = Texts { concise: String::new(), full: String::new() };
        gdscene_render::concise(&mut texts.concise, path, &index, found);
        full.entry(&mut texts.full, path, text, &index, found);
        texts
    };
    let checked = |found: &'d Diagnostic| Checked {
        // A fix of one file names no other.
        diagnostic: JsonDiagnostic::new(path, &index, found, &str::to_owned),
        texts: full.map(|full| texts(found, full)),
    };
    found.iter().map(checked).collect()
}

/// What `gdscene format --check` says of a text.
pub(crate) fn format_finding(
    text: &[u8],
    formatted: Result<&Formatted<'_>, &FormatRefusal>,
) -> Option<Diagnostic> {
    match formatted {
        Ok(formatted) if formatted.is_changed => Some(format_changes(text, &formatted.text)),
        Ok(_) | Err(FormatRefusal::Escn) => None,
        Err(refusal) => Some(format_refused(text, refusal)),
    }
}

impl<'d> FormatAnswer<'d> {
    pub(crate) fn new(
        text: &[u8],
        finding: Option<&'d Diagnostic>,
        refusal: Option<&FormatRefusal>,
        options: &'d Options,
    ) -> Self {
        let path = options.path.as_deref().unwrap_or(NO_NAME);
        let full = options.with_texts.then(|| Full::new(options.color));
        Self {
            finding: checked(text, path, finding.map_or(&[], std::slice::from_ref), full.as_ref())
                .pop(),
            has_place: refusal.is_some_and(|refusal| refusal.span().is_some()),
            is_left_alone: refusal == Some(&FormatRefusal::Escn),
            is_refused: refusal.is_some(),
            reason: refusal.map(ToString::to_string),
        }
    }
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
