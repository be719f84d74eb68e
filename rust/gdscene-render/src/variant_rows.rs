//! The rows of a listing of binary values, as JSON objects.

use std::fmt::Write;

use godot_variant_codec::inspect::{Content, Row};
use godot_variant_codec::variant::{Path, Segment};
use serde::Serialize;

/// A row. Keys that a kind of row does not have are missing. The keys are in alphabetical order.
#[derive(Debug, Default, Serialize)]
pub struct JsonRow {
    /// For a length: the number of existing bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    available: Option<usize>,
    /// The bytes in hexadecimal digits. Missing in rows about frames.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<String>,
    /// How many containers the value is in. Missing in rows about frames.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<JsonError>,
    kind: JsonRowKind,
    /// For a length: the length.
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<usize>,
    /// In the file, from 0.
    offset: usize,
    /// The path to the value in its containers. Missing in rows about frames.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// In bytes.
    size: usize,
    /// For a value: the name of its type.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    type_name: Option<&'static str>,
    /// For a value: a summary of its content; for a property name: the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
#[serde(rename_all = "snake_case")]
enum JsonRowKind {
    #[default]
    Value,
    /// The name of a property of an object.
    PropertyName,
    /// The length before a value, with `--framed`.
    Length,
    /// Bytes behind the value.
    Trailing,
    Error,
}

#[derive(Debug, Serialize)]
struct JsonError {
    /// A name for the kind of error, which does not change.
    code: &'static str,
    message: String,
    offset: usize,
}

/// Makes the rows of one value.
#[derive(Debug, Default)]
pub struct JsonRows {
    /// The steps to the value that came last, outermost first.
    steps: Vec<Segment>,
}

impl JsonRows {
    /// The next row.
    pub fn next(&mut self, row: &Row<'_>) -> JsonRow {
        self.steps.truncate(row.depth.saturating_sub(1));
        self.steps.extend(row.step.clone());
        let mut json = JsonRow {
            bytes: Some(hex(row.bytes)),
            depth: Some(row.depth),
            offset: row.offset,
            path: Some(self.path()),
            size: row.bytes.len(),
            ..JsonRow::default()
        };
        match &row.content {
            Content::Value { ty, summary } => {
                json.type_name = Some(ty.name());
                json.value = Some(summary.trim_start_matches(", ").to_owned());
            }
            Content::PropertyName { name } => {
                json.kind = JsonRowKind::PropertyName;
                json.value = Some(name.to_string());
            }
            Content::Trailing => json.kind = JsonRowKind::Trailing,
            Content::Error(error) => {
                json.kind = JsonRowKind::Error;
                json.error = Some(JsonError {
                    code: error.kind().code(),
                    message: error.kind().to_string(),
                    offset: error.offset(),
                });
            }
        }
        json
    }

    fn path(&self) -> String {
        let mut path = Path::default();
        self.steps.iter().rev().for_each(|step| path.push_outer(step.clone()));
        path.to_string()
    }
}

impl JsonRow {
    /// The length before a value, with `available` existing bytes.
    pub fn length(offset: usize, len: usize, available: usize) -> Self {
        Self {
            available: Some(available),
            kind: JsonRowKind::Length,
            length: Some(len),
            offset,
            size: 4,
            ..Self::default()
        }
    }

    /// The bytes at the end of a stream that are too few for a length.
    pub fn rest(offset: usize, len: usize) -> Self {
        let error = JsonError {
            code: "unfinished_frame",
            message: format!("{len} bytes are left, a length takes 4"),
            offset,
        };
        Self { error: Some(error), kind: JsonRowKind::Error, offset, size: len, ..Self::default() }
    }
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}
