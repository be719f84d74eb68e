//! What the engine encodes, accepts and decodes, as `scripts/data/goldens.sh` had it written down.

use godot_variant::VariantType;

use crate::hex::unhex;

/// A value that the engine encoded, or bytes made up to look like one.
#[derive(Debug)]
pub struct Golden<'a> {
    /// The type.
    pub ty: VariantType,
    /// What the value is.
    pub label: &'a str,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The lengths of the true prefixes that the engine accepts.
    pub accepted_prefixes: Vec<usize>,
    /// The bytes of what the engine decodes, unless it rejects them.
    pub decoded: Option<Vec<u8>>,
}

/// Bytes that were not written as a value.
#[derive(Debug)]
pub struct Hostile {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// How many bytes the engine reads, and the bytes of what it decodes, unless it rejects them.
    pub decoded: Option<(usize, Vec<u8>)>,
}

/// Reads the golden file.
///
/// # Panics
/// When the file is not of the form that its own head describes.
pub fn parse(text: &str) -> (Vec<Golden<'_>>, Vec<Hostile>) {
    let (_, rows) = text.split_once("[values]\n").expect("a section of values");
    let (values, hostile) = rows.split_once("[hostile]\n").expect("a section of hostile bytes");
    (
        rows_of(values).map(|fields| golden(&fields)).collect(),
        rows_of(hostile).map(|fields| hostile_row(&fields)).collect(),
    )
}

fn rows_of(section: &str) -> impl Iterator<Item = Vec<&str>> {
    section.lines().filter(|line| !line.is_empty()).map(|line| line.split('\t').collect())
}

fn golden<'a>(fields: &[&'a str]) -> Golden<'a> {
    let [ty, label, bytes, prefixes, decoded] = fields[..] else {
        panic!("five fields: {fields:?}");
    };
    let prefixes = prefixes.split(',').filter(|length| !length.is_empty());
    Golden {
        ty: VariantType::from_name(ty).unwrap_or_else(|| panic!("{ty} is not a type")),
        label,
        bytes: unhex(bytes),
        accepted_prefixes: prefixes.map(|length| length.parse().expect("a length")).collect(),
        decoded: Some(unhex(decoded)).filter(|bytes| !bytes.is_empty()),
    }
}

fn hostile_row(fields: &[&str]) -> Hostile {
    let [bytes, accepted, read, decoded] = fields[..] else {
        panic!("four fields: {fields:?}");
    };
    let decoded = (accepted == "1").then(|| (read.parse().expect("a length"), unhex(decoded)));
    Hostile { bytes: unhex(bytes), decoded }
}
