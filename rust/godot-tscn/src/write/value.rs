//! Values to text: `VariantWriter::write` (core/variant/variant_parser.cpp, Godot 4.6.3).

use std::io::Write as _;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use godot_variant::{Array, ContainerType, Dictionary, Object, Value, VariantType};

use crate::format::order::{Entry, entry_order};
use crate::format::profile::NumberRule;
use crate::format::text::{TextForm, push_quoted};
use crate::godot_version::GodotVersion;
use crate::number::{write_f32, write_f64, write_six_digits};
use crate::span::Span;
use crate::write::WriteError;
use crate::write::draft::{DraftSection, Expression};

/// `VariantWriter`'s limit (`MAX_RECURSION`, core/variant/variant_parser.cpp).
const MAX_NESTING: usize = 100;

pub(crate) struct ValueWriter<'o> {
    out: &'o mut Vec<u8>,
    rule: NumberRule,
    is_format_4: bool,
    minus_infinity: &'static [u8],
    /// Where the ids of scripts are looked up.
    sections: &'o [DraftSection],
}

impl<'o> ValueWriter<'o> {
    pub(crate) fn new(
        out: &'o mut Vec<u8>,
        version: GodotVersion,
        is_format_4: bool,
        sections: &'o [DraftSection],
    ) -> Self {
        let is_shortest = version >= GodotVersion::godot4(5);
        Self {
            out,
            rule: if is_shortest { NumberRule::Shortest } else { NumberRule::SixDigits },
            is_format_4,
            minus_infinity: if is_format_4 && is_shortest { b"-inf" } else { b"inf_neg" },
            sections,
        }
    }

    pub(crate) fn expression(
        &mut self,
        expression: &Expression,
        depth: usize,
    ) -> Result<(), WriteError> {
        match expression {
            Expression::Value(value) => self.value(value, depth),
            Expression::ExtResource(id) => self.reference("ExtResource(", id),
            Expression::SubResource(id) => self.reference("SubResource(", id),
            Expression::Array(elements) => {
                let depth = nested(depth)?;
                self.list(b"[", elements, b"]", |writer, element| writer.expression(element, depth))
            }
            Expression::Dictionary(entries) => {
                let depth = nested(depth)?;
                let entries = entries.iter().map(|(key, value)| (key, value));
                self.entries(entries, |writer, part| writer.expression(part, depth))
            }
        }
    }

    /// Writes a value at this depth in others.
    pub(crate) fn value(&mut self, value: &Value, depth: usize) -> Result<(), WriteError> {
        let name = value.variant_type().name();
        match value {
            Value::Nil => self.put("null"),
            Value::Bool(value) => self.put(if *value { "true" } else { "false" }),
            Value::Int(value) => self.display(value),
            Value::Float(value) => self.bare_float(*value),
            Value::String(text) => return self.text(text, TextForm::Multiline),
            Value::StringName(text) => {
                self.put("&");
                return self.text(text, TextForm::Escaped);
            }
            Value::NodePath(path) => {
                self.put("NodePath(");
                self.text(&path.to_string(), TextForm::Escaped)?;
                self.put(")");
            }
            Value::Rid(0) => self.put("RID()"),
            Value::Rid(id) => {
                self.put("RID(");
                self.display(id);
                self.put(")");
            }
            Value::Callable => self.put("Callable()"),
            Value::Signal(_) => self.put("Signal()"),
            Value::Vector2(parts) => self.floats(name, parts),
            Value::Vector3(parts) => self.floats(name, parts),
            Value::Rect2(parts)
            | Value::Vector4(parts)
            | Value::Plane(parts)
            | Value::Quaternion(parts)
            | Value::Color(parts) => self.floats(name, parts),
            Value::Transform2D(parts) | Value::Aabb(parts) => self.floats(name, parts),
            Value::Basis(parts) => self.floats(name, &parts[..]),
            Value::Transform3D(parts) => self.floats(name, &parts[..]),
            Value::Projection(parts) => self.floats(name, &parts[..]),
            Value::Vector2i(parts) => self.ints(name, parts),
            Value::Vector3i(parts) => self.ints(name, parts),
            Value::Rect2i(parts) | Value::Vector4i(parts) => self.ints(name, parts),
            Value::PackedByteArray(bytes) => self.bytes(bytes),
            Value::PackedInt32Array(items) => self.ints(name, items),
            Value::PackedInt64Array(items) => self.ints(name, items),
            Value::PackedFloat32Array(items) => self.floats(name, items),
            Value::PackedFloat64Array(items) => self.doubles(name, items),
            Value::PackedVector2Array(items) => self.floats(name, items.as_flattened()),
            Value::PackedVector3Array(items) => self.floats(name, items.as_flattened()),
            Value::PackedColorArray(items) | Value::PackedVector4Array(items) => {
                self.floats(name, items.as_flattened());
            }
            Value::PackedStringArray(items) => {
                return self.list(b"PackedStringArray(", items, b")", |writer, item| {
                    writer.text(item, TextForm::Escaped)
                });
            }
            Value::Object(object) => return self.object(object, depth),
            Value::Array(array) => return self.array(array, depth),
            Value::Dictionary(dictionary) => return self.dictionary(dictionary, depth),
        }
        Ok(())
    }

    fn put(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn display(&mut self, value: impl std::fmt::Display) {
        // A `Vec` takes everything.
        let _ = write!(self.out, "{value}");
    }

    fn text(&mut self, text: &str, form: TextForm) -> Result<(), WriteError> {
        if text.contains('\0') {
            return Err(WriteError::Nul);
        }
        push_quoted(self.out, text.as_bytes(), form);
        Ok(())
    }

    fn reference(&mut self, open: &str, id: &str) -> Result<(), WriteError> {
        self.put(open);
        self.text(id, TextForm::Raw)?;
        self.put(")");
        Ok(())
    }

    /// A float that shows that it is one.
    fn bare_float(&mut self, value: f64) {
        let start = self.out.len();
        self.float(value);
        let is_digit = |byte: &u8| byte.is_ascii_digit() || *byte == b'-';
        if self.out[start..].iter().all(is_digit) {
            self.put(".0");
        }
    }

    fn float(&mut self, value: f64) {
        if value == f64::NEG_INFINITY {
            self.out.extend_from_slice(self.minus_infinity);
            return;
        }
        match self.rule {
            NumberRule::SixDigits => write_six_digits(self.out, value),
            NumberRule::Shortest | NumberRule::Either => write_f64(self.out, value),
        }
    }

    fn floats(&mut self, name: &str, parts: &[f32]) {
        let is_shortest = self.rule != NumberRule::SixDigits;
        self.numbers(name, parts, |writer, part| {
            if is_shortest && part.is_finite() {
                write_f32(writer.out, part);
            } else {
                writer.float(f64::from(part));
            }
        });
    }

    fn doubles(&mut self, name: &str, parts: &[f64]) {
        self.numbers(name, parts, Self::float);
    }

    fn ints<T: Copy + std::fmt::Display>(&mut self, name: &str, parts: &[T]) {
        self.numbers(name, parts, Self::display);
    }

    fn numbers<T: Copy>(&mut self, name: &str, parts: &[T], write: impl Fn(&mut Self, T)) {
        self.put(name);
        self.put("(");
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.put(", ");
            }
            write(self, *part);
        }
        self.put(")");
    }

    fn bytes(&mut self, bytes: &[u8]) {
        if self.is_format_4 && !bytes.is_empty() {
            self.put("PackedByteArray(\"");
            self.put(&BASE64_STANDARD.encode(bytes));
            self.put("\")");
        } else {
            self.ints("PackedByteArray", bytes);
        }
    }

    fn list<T>(
        &mut self,
        open: &[u8],
        items: &[T],
        close: &[u8],
        mut write: impl FnMut(&mut Self, &T) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        self.out.extend_from_slice(open);
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.put(", ");
            }
            write(self, item)?;
        }
        self.out.extend_from_slice(close);
        Ok(())
    }

    fn array(&mut self, array: &Array, depth: usize) -> Result<(), WriteError> {
        let depth = nested(depth)?;
        let is_typed = array.element_type != ContainerType::Any;
        if is_typed {
            self.put("Array[");
            self.type_name(&array.element_type)?;
            self.put("](");
        }
        self.list(b"[", &array.elements, b"]", |writer, element| writer.value(element, depth))?;
        if is_typed {
            self.put(")");
        }
        Ok(())
    }

    fn dictionary(&mut self, dictionary: &Dictionary, depth: usize) -> Result<(), WriteError> {
        let depth = nested(depth)?;
        let types = [&dictionary.key_type, &dictionary.value_type];
        let is_typed = types.iter().any(|ty| **ty != ContainerType::Any);
        if is_typed {
            self.put("Dictionary[");
            self.type_name(types[0])?;
            self.put(", ");
            self.type_name(types[1])?;
            self.put("](");
        }
        self.entries(dictionary.iter(), |writer, part| writer.value(part, depth))?;
        if is_typed {
            self.put(")");
        }
        Ok(())
    }

    /// Writes `{…}`, then puts the entries into Godot's order.
    fn entries<'v, T: 'v>(
        &mut self,
        entries: impl ExactSizeIterator<Item = (&'v T, &'v T)>,
        mut write: impl FnMut(&mut Self, &T) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        if entries.len() == 0 {
            self.put("{}");
            return Ok(());
        }
        self.put("{\n");
        let start = self.out.len();
        let mut written = Vec::with_capacity(entries.len());
        for (index, (key, value)) in entries.enumerate() {
            if index > 0 {
                self.put(",\n");
            }
            let piece_start = self.out.len();
            write(self, key)?;
            let key = Span::new(piece_start as u32, self.out.len() as u32);
            self.put(": ");
            write(self, value)?;
            written.push(Entry { key, piece: piece_start..self.out.len() });
        }
        if let Some(order) = entry_order(self.out, &written) {
            let pieces: Vec<_> =
                order.iter().map(|index| &self.out[written[*index].piece.clone()]).collect();
            let sorted = pieces.join(&b",\n"[..]);
            self.out.truncate(start);
            self.out.extend_from_slice(&sorted);
        }
        self.put("\n}");
        Ok(())
    }

    fn type_name(&mut self, ty: &ContainerType) -> Result<(), WriteError> {
        match ty {
            ContainerType::Any => self.put("Variant"),
            ContainerType::Builtin(VariantType::Nil) => self.put("Variant"),
            ContainerType::Builtin(ty) => self.put(ty.name()),
            ContainerType::Class(name) => self.put(name),
            ContainerType::Script(path) => {
                let script = self.sections.iter().find(|section| section.path() == Some(path));
                match script.and_then(DraftSection::id) {
                    Some(id) => self.reference("ExtResource(", id)?,
                    None => {
                        self.put("Resource(");
                        self.text(path, TextForm::Multiline)?;
                        self.put(")");
                    }
                }
            }
        }
        Ok(())
    }

    /// Godot ends the line after an object, wherever it is.
    fn object(&mut self, object: &Object, depth: usize) -> Result<(), WriteError> {
        let depth = nested(depth)?;
        let Object::Full { class, properties } = object else {
            self.put("null");
            return Ok(());
        };
        self.put("Object(");
        self.put(class);
        self.put(",");
        for (index, (name, value)) in properties.iter().enumerate() {
            if index > 0 {
                self.put(",");
            }
            self.text(name, TextForm::Raw)?;
            self.put(":");
            self.value(value, depth)?;
        }
        self.put(")\n");
        Ok(())
    }
}

fn nested(depth: usize) -> Result<usize, WriteError> {
    if depth > MAX_NESTING { Err(WriteError::TooDeep) } else { Ok(depth + 1) }
}
