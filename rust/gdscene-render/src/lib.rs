//! The output of diagnostics, documents and binary values, for the command and for JavaScript: as JSON, with types that
//! document the formats, and as text for people.
//!
//! Nothing here reads files or knows projects.
#![forbid(unsafe_code)]

mod concise;
mod diagnostic;
mod document;
mod excerpt;
mod full;
mod unformatted;
mod variant_rows;

use serde::Serialize;

pub use concise::concise;
pub use diagnostic::{JsonDiagnostic, JsonSpan};
pub use document::JsonDocument;
pub use full::Full;
pub use godot_variant::printable;
pub use unformatted::{format_changes, format_refused};
pub use variant_rows::{JsonRow, JsonRows};

/// The JSON text of `value`, on one line.
///
/// # Panics
/// When the value contains a map with keys that are neither texts nor numbers; no type here does.
pub fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("numbers, strings, lists and structures have a JSON text")
}
