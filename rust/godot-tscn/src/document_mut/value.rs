//! The texts of values, as Godot writes them.

use std::collections::BTreeSet;
use std::fmt;

use crate::format::text::{TextForm, is_plain_key, push_quoted};
use crate::format::{FormatOptions, format};
use crate::godot_version::GodotVersion;
use crate::value::tree::{PartKind, ValueTree};
use crate::value::{ValueError, parse_value};
use crate::write::{WriteError, write_value};

/// Why there is no canonical text of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotCanonical {
    /// Godot refuses the text.
    Invalid(ValueError),
    /// Godot would read another value from its own text.
    Unwritable(WriteError),
}

impl fmt::Display for NotCanonical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(error) => error.fmt(f),
            Self::Unwritable(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NotCanonical {}

/// The text of a value as Godot saves it in a file of this version.
///
/// ```
/// use godot_tscn::{GodotVersion, canonical_value};
///
/// let value = canonical_value(b"Vector2( 1.50,2 )", GodotVersion::NEWEST)?;
/// assert_eq!(value, b"Vector2(1.5, 2)");
/// assert_eq!(canonical_value(b"#f00", GodotVersion::NEWEST)?, b"Color(1, 0, 0, 1)");
/// assert_eq!(canonical_value(b"[ExtResource( '1' )]", GodotVersion::NEWEST).is_err(), true);
/// # Ok::<(), godot_tscn::NotCanonical>(())
/// ```
///
/// # Errors
/// When Godot refuses the text, or something follows the value.
pub fn canonical_value(source: &[u8], version: GodotVersion) -> Result<Vec<u8>, NotCanonical> {
    let value = parse_value(source).map_err(NotCanonical::Invalid)?;
    let tree = ValueTree::new(source);
    let is_of_file = tree.parts().any(|part| {
        matches!(part.kind(), PartKind::Construct | PartKind::Typed)
            && !matches!(part.name(), b"NodePath" | b"StringName")
    });
    if version.major == 4 && !is_of_file {
        return write_value(&value).map_err(NotCanonical::Unwritable);
    }
    Ok(formatted(source, &tree, version).unwrap_or_else(|| source.to_vec()))
}

/// The formatter's text of a value with contents that only a file can have.
fn formatted(source: &[u8], tree: &ValueTree<'_>, version: GodotVersion) -> Option<Vec<u8>> {
    let ids = |kind: &str| -> BTreeSet<Vec<u8>> {
        tree.parts().filter_map(|part| Some(part.inner_text(kind)?.into_owned())).collect()
    };
    let number = if version.major == 4 { 3 } else { 2 };
    let mut text = format!("[gd_resource type=\"Resource\" format={number}]\n\n").into_bytes();
    for (tag, kind) in [("ext_resource", "ExtResource"), ("sub_resource", "SubResource")] {
        for id in ids(kind) {
            let rest = if kind == "ExtResource" { " path=\"res://a\"" } else { "" };
            text.extend_from_slice(format!("[{tag} type=\"Resource\"{rest} id=").as_bytes());
            push_quoted(&mut text, &id, TextForm::Raw);
            text.extend_from_slice(b"]\n\n");
        }
    }
    text.extend_from_slice(b"[resource]\nv = ");
    text.extend_from_slice(source);
    text.push(b'\n');
    let options = FormatOptions { target: Some(version), ..FormatOptions::default() };
    let formatted = format(&text, &options).ok()?;
    let document = crate::parse(&formatted.text);
    let resource = document.sections().last()?;
    Some(resource.properties().next()?.source().to_vec())
}

/// A text in quotes, as Godot writes a value of the type String.
///
/// ```
/// assert_eq!(godot_tscn::quoted("say \"hi\""), r#""say \"hi\"""#);
/// ```
pub fn quoted(text: &str) -> String {
    in_form(text, TextForm::Multiline)
}

/// A key as Godot writes it in front of `=`: in quotes where it needs them (`String::property_name_encode`,
/// core/string/ustring.cpp, Godot 4.6.3).
///
/// ```
/// assert_eq!(godot_tscn::key_text("max_health"), "max_health");
/// assert_eq!(godot_tscn::key_text("größe"), "\"größe\"");
/// ```
pub fn key_text(key: &str) -> String {
    if is_plain_key(key.as_bytes()) { key.to_owned() } else { quoted(key) }
}

/// A quoted text, as Godot writes names in tags, and the text in `&"…"` and `NodePath("…")`.
///
/// ```
/// assert_eq!(godot_tscn::quoted_name("it's"), r#""it\'s""#);
/// ```
pub fn quoted_name(text: &str) -> String {
    in_form(text, TextForm::Escaped)
}

/// A text in quotes without any escape, as Godot writes paths and ids in tags.
pub fn quoted_raw(text: &str) -> String {
    in_form(text, TextForm::Raw)
}

fn in_form(text: &str, form: TextForm) -> String {
    let mut quoted = Vec::with_capacity(text.len() + 2);
    push_quoted(&mut quoted, text.as_bytes(), form);
    String::from_utf8(quoted).expect("only ASCII is added")
}
