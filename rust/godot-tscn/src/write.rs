//! The writer: from a tree that was built in code, the bytes that Godot would save
//! (`ResourceFormatSaverTextInstance::save`, scene/resources/resource_format_text.cpp, 4.6.3).
//!
//! - `draft` is the tree: a [`Draft`] of [`DraftSection`]s, with [`Expression`]s as properties;
//! - `value` writes values, as `VariantWriter::write` does.
//!
//! The result passes through the formatter, which must leave it unchanged.

mod draft;
#[cfg(test)]
mod tests;
mod value;

use std::fmt;

use crate::document::TagKind;
use crate::format::order::{compare_ids, field_rank};
use crate::format::style::Style;
use crate::format::text::{TextForm, is_plain_key, push_quoted};
use crate::format::{FormatOptions, FormatRefusal, format};
use crate::godot_version::GodotVersion;
use value::ValueWriter;

pub use draft::{Draft, DraftSection, Expression};

/// Writes a tree as Godot 4 would save it.
///
/// `external` and sub-resources come in Godot's places; external resources are sorted by their ids, and the fields of
/// tags, the names of groups and the keys of dictionaries as Godot sorts them. Nodes, sub-resources, properties and
/// connections stay in the order in which they were added. The number in `format` is the one that the content asks for.
///
/// # Errors
/// When Godot would read something else than was meant: see [`WriteError`].
///
/// ```
/// use godot_tscn::{Draft, Expression, GodotVersion};
/// use godot_variant::Value;
///
/// let mut scene = Draft::scene();
/// scene.ext_resource("Script", "res://player.gd", "1_abcde");
/// scene.node("Player").field("type", "Node2D").property("position", Value::Vector2([1.5, -0.0]));
/// scene.node("Sprite").field("type", "Sprite2D").field("parent", ".").property("z_index", 3);
/// scene.section(1).property("script", Expression::ExtResource("1_abcde".into()));
/// let text = godot_tscn::write(&scene, GodotVersion::NEWEST).unwrap();
/// assert_eq!(String::from_utf8(text).unwrap(), "\
/// [gd_scene format=3]
///
/// [ext_resource type=\"Script\" path=\"res://player.gd\" id=\"1_abcde\"]
///
/// [node name=\"Player\" type=\"Node2D\"]
/// position = Vector2(1.5, 0)
/// script = ExtResource(\"1_abcde\")
///
/// [node name=\"Sprite\" type=\"Sprite2D\" parent=\".\"]
/// z_index = 3
/// ");
/// ```
pub fn write(draft: &Draft, version: GodotVersion) -> Result<Vec<u8>, WriteError> {
    if version.major != 4 {
        return Err(WriteError::Version(version));
    }
    let needs_format_4 = draft.sections().iter().any(DraftSection::needs_format_4);
    if needs_format_4 && version < GodotVersion::godot4(3) {
        return Err(WriteError::Version(version));
    }
    let mut writer = Writer { draft, version, is_format_4: needs_format_4, out: Vec::new() };
    writer.document()?;
    let options = FormatOptions { target: Some(version), ..FormatOptions::default() };
    match format(&writer.out, &options) {
        Ok(formatted) if !formatted.is_changed => {}
        Ok(_) => return Err(WriteError::NotCanonical),
        Err(refusal) => return Err(WriteError::Refused(refusal)),
    }
    Ok(writer.out)
}

/// Writes a single value, as Godot 4.6's `var_to_str` does.
///
/// # Errors
/// When the value nests too deep, or holds text with a NUL.
///
/// ```
/// use godot_variant::Value;
/// assert_eq!(godot_tscn::write_value(&Value::Float(1.0)).unwrap(), b"1.0");
/// assert_eq!(godot_tscn::write_value(&Value::Vector2([0.1, 1e-5])).unwrap(), b"Vector2(0.1, 1e-05)");
/// ```
pub fn write_value(value: &godot_variant::Value) -> Result<Vec<u8>, WriteError> {
    let mut out = Vec::new();
    let rule = GodotVersion::NEWEST;
    ValueWriter::new(&mut out, rule, false, &[]).value(value, 0)?;
    Ok(out)
}

/// Why a tree is not written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteError {
    /// A version with a format that cannot be written, or not with this content: only those of Godot 4
    /// are, and bytes as base64 and `PackedVector4Array` since 4.3.
    Version(GodotVersion),
    /// A value nests deeper than Godot writes.
    TooDeep,
    /// A text with a NUL, which ends it for Godot.
    Nul,
    /// Godot would refuse or misread the text, for example because of a tag's name.
    Refused(FormatRefusal),
    /// The text differs from Godot's, for example because a tag has a field twice.
    NotCanonical,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(version) => {
                write!(f, "Godot {version} has no text format for this; give a newer Godot 4")
            }
            Self::TooDeep => f.write_str("a value nests deeper than Godot writes; flatten it"),
            Self::Nul => f.write_str("a text holds a NUL, where it would end for Godot; remove it"),
            Self::Refused(refusal) => write!(f, "Godot would not read this: {refusal}"),
            Self::NotCanonical => f.write_str(
                "this is not what Godot would write; see that no field stands twice and all names are \
                 plain",
            ),
        }
    }
}

impl std::error::Error for WriteError {}

struct Writer<'d> {
    draft: &'d Draft,
    version: GodotVersion,
    is_format_4: bool,
    out: Vec<u8>,
}

impl<'d> Writer<'d> {
    fn document(&mut self) -> Result<(), WriteError> {
        let mut previous = TagKind::Unknown;
        self.tag(&self.header())?;
        for section in self.sections() {
            let kind = section.kind();
            let continues = kind == previous
                && matches!(kind, TagKind::ExtResource | TagKind::Connection | TagKind::Editable);
            if !continues {
                self.out.push(b'\n');
            }
            self.tag(section)?;
            for (key, value) in section.properties() {
                self.key(key)?;
                self.out.extend_from_slice(b" = ");
                self.expression(value)?;
                self.out.push(b'\n');
            }
            previous = kind;
        }
        Ok(())
    }

    /// The sections in Godot's order.
    fn sections(&self) -> Vec<&'d DraftSection> {
        let place = |kind| match kind {
            TagKind::ExtResource => 0,
            TagKind::SubResource => 1,
            TagKind::Connection => 3,
            TagKind::Editable => 4,
            _ => 2,
        };
        let mut sections: Vec<_> = self.draft.sections().iter().collect();
        sections.sort_by(|a, b| {
            let order = place(a.kind()).cmp(&place(b.kind()));
            let by_id = || match (a.id(), b.id()) {
                (Some(a_id), Some(b_id)) if a.kind() == TagKind::ExtResource => {
                    compare_ids(a_id.as_bytes(), b_id.as_bytes())
                }
                _ => std::cmp::Ordering::Equal,
            };
            order.then_with(by_id)
        });
        sections
    }

    fn header(&self) -> DraftSection {
        let mut header = self.draft.header().clone();
        let is_resource = |section: &&DraftSection| {
            matches!(section.kind(), TagKind::ExtResource | TagKind::SubResource)
        };
        let resources = self.draft.sections().iter().filter(is_resource).count();
        if self.version < GodotVersion::godot4(6) && resources > 0 {
            header.field("load_steps", resources as i64 + 1);
        }
        header.field("format", if self.is_format_4 { 4 } else { 3 });
        header
    }

    fn tag(&mut self, section: &DraftSection) -> Result<(), WriteError> {
        let kind = section.kind();
        self.out.push(b'[');
        self.out.extend_from_slice(section.name().as_bytes());
        let mut fields: Vec<_> = section.fields().iter().collect();
        fields.sort_by_key(|(name, _)| field_rank(Style::Godot4, kind, name.as_bytes()));
        for (name, value) in fields {
            self.out.push(b' ');
            self.out.extend_from_slice(name.as_bytes());
            self.out.push(b'=');
            match (kind, &**name, value) {
                (TagKind::Connection, "binds", _) => {
                    self.out.push(b' ');
                    self.expression(value)?;
                }
                (_, "instance_placeholder", _) => self.expression(value)?,
                (TagKind::Node, "index", Expression::Value(godot_variant::Value::Int(index))) => {
                    self.out.extend_from_slice(format!("\"{index}\"").as_bytes());
                }
                (TagKind::Node, "groups", _) => self.groups(value)?,
                (_, _, Expression::Value(godot_variant::Value::String(text))) => {
                    let is_raw = matches!(&**name, "type" | "path" | "id" | "uid" | "script_class")
                        && kind != TagKind::Editable;
                    self.text(text, if is_raw { TextForm::Raw } else { TextForm::Escaped })?;
                }
                _ => self.expression(value)?,
            }
        }
        self.out.extend_from_slice(b"]\n");
        Ok(())
    }

    /// The names of groups, sorted.
    fn groups(&mut self, value: &Expression) -> Result<(), WriteError> {
        let Expression::Value(godot_variant::Value::PackedStringArray(names)) = value else {
            return self.expression(value);
        };
        let mut names = names.clone();
        names.sort();
        self.out.push(b'[');
        for (index, name) in names.iter().enumerate() {
            if index > 0 {
                self.out.extend_from_slice(b", ");
            }
            self.text(name, TextForm::Escaped)?;
        }
        self.out.push(b']');
        Ok(())
    }

    fn text(&mut self, text: &str, form: TextForm) -> Result<(), WriteError> {
        if text.contains('\0') {
            return Err(WriteError::Nul);
        }
        push_quoted(&mut self.out, text.as_bytes(), form);
        Ok(())
    }

    fn key(&mut self, key: &str) -> Result<(), WriteError> {
        if is_plain_key(key.as_bytes()) {
            self.out.extend_from_slice(key.as_bytes());
            return Ok(());
        }
        self.text(key, TextForm::Multiline)
    }

    fn expression(&mut self, expression: &Expression) -> Result<(), WriteError> {
        let scripts = self.draft.sections();
        ValueWriter::new(&mut self.out, self.version, self.is_format_4, scripts)
            .expression(expression, 0)
    }
}
