//! How diagnostics, documents and binary values are shown, for the command and for JavaScript alike: as JSON, whose types
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
/// When the value holds a map whose keys are neither texts nor numbers, which none of the types here does.
pub fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("numbers, strings, lists and structures have a JSON text")
}
