//! A row of a listing as a JSON object.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde_json::{Value, json};
use variant_codec::inspect::{Content, Row};
use variant_codec::variant::{Path, Segment};

/// Writes the rows of one value.
#[derive(Debug, Default)]
pub(super) struct JsonRows {
    /// The steps to the value that was written last, outermost first.
    steps: Vec<Segment>,
}

impl JsonRows {
    /// Writes one row in a line of its own.
    pub(super) fn write(&mut self, out: &mut impl Write, row: &Row<'_>) -> io::Result<()> {
        self.steps.truncate(row.depth.saturating_sub(1));
        self.steps.extend(row.step.clone());
        let mut object = json!({
            "offset": row.offset,
            "size": row.bytes.len(),
            "depth": row.depth,
            "path": self.path(),
            "bytes": hex(row.bytes),
        });
        match &row.content {
            Content::Value { ty, summary } => {
                object["kind"] = json!("value");
                object["type"] = json!(ty.name());
                object["value"] = json!(summary.trim_start_matches(", "));
            }
            Content::PropertyName { name } => {
                object["kind"] = json!("property_name");
                object["value"] = json!(name);
            }
            Content::Trailing => object["kind"] = json!("trailing"),
            Content::Error(error) => {
                object["kind"] = json!("error");
                object["error"] = json!({
                    "code": error.kind().code(),
                    "message": error.kind().to_string(),
                    "offset": error.offset(),
                });
            }
        }
        write_line(out, &object)
    }

    fn path(&self) -> String {
        let mut path = Path::default();
        self.steps.iter().rev().for_each(|step| path.push_outer(step.clone()));
        path.to_string()
    }
}

/// Writes the length before a value, of which `available` bytes are there.
pub(super) fn write_length(
    out: &mut impl Write,
    offset: usize,
    len: usize,
    available: usize,
) -> io::Result<()> {
    let object = json!({
        "kind": "length", "offset": offset, "size": 4, "length": len, "available": available,
    });
    write_line(out, &object)
}

/// Writes the bytes at the end of a stream that are no whole length.
pub(super) fn write_rest(out: &mut impl Write, offset: usize, len: usize) -> io::Result<()> {
    let error = json!({
        "code": "unfinished_frame",
        "message": format!("{len} bytes are left, a length takes 4"),
        "offset": offset,
    });
    write_line(out, &json!({"kind": "error", "offset": offset, "size": len, "error": error}))
}

fn write_line(out: &mut impl Write, object: &Value) -> io::Result<()> {
    serde_json::to_writer(&mut *out, object)?;
    out.write_all(b"\n")
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}
