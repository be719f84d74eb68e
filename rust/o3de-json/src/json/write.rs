//! [`Json`] to text, in rapidjson's forms.

use std::fmt::Write;

use godot_variant::Text;

use super::Json;

const INDENT: &str = "    ";

/// Deeper levels get no more white space, or a megabyte of brackets would become 500 MB of spaces.
const MAX_INDENTED_LEVELS: usize = 32;

impl Json {
    /// The text as O3DE writes files: one member or element a line, four spaces a level
    /// (rapidjson's `PrettyWriter`). From the 32nd level on, the indent stays the same.
    pub fn to_text_pretty(&self) -> String {
        let mut text = TextWriter::new(true);
        text.value(self);
        text.into_text()
    }

    /// The text without white space.
    pub fn to_text(&self) -> String {
        let mut text = TextWriter::new(false);
        text.value(self);
        text.into_text()
    }
}

/// Writes a text, one step after the other.
pub(crate) struct TextWriter {
    text: String,
    is_pretty: bool,
    depth: usize,
    /// The container that is open has nothing in it yet.
    is_empty: bool,
}

impl TextWriter {
    pub(crate) fn new(is_pretty: bool) -> TextWriter {
        TextWriter { text: String::new(), is_pretty, depth: 0, is_empty: true }
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// How many containers are open.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    fn value(&mut self, value: &Json) {
        match value {
            Json::Null => self.word("null"),
            Json::Bool(true) => self.word("true"),
            Json::Bool(false) => self.word("false"),
            Json::Int(number) => self.int(*number),
            Json::Uint(number) => self.text.push_str(itoa::Buffer::new().format(*number)),
            Json::Big(number) => self.word(number.as_str()),
            Json::Double(number) => self.double(*number),
            Json::String(string) => self.string(Text::Utf8(string)),
            Json::Array(elements) => {
                self.begin(b'[');
                for element in elements {
                    self.next();
                    self.value(element);
                }
                self.end(b']');
            }
            Json::Object(members) => {
                self.begin(b'{');
                for (name, value) in members {
                    self.next();
                    self.string(Text::Utf8(name));
                    self.colon();
                    self.value(value);
                }
                self.end(b'}');
            }
        }
    }

    /// Opens an array or object.
    #[inline]
    pub(crate) fn begin(&mut self, bracket: u8) {
        self.text.push(char::from(bracket));
        self.depth += 1;
        self.is_empty = true;
    }

    /// Before an element, or the name of a member.
    #[inline]
    pub(crate) fn next(&mut self) {
        if !self.is_empty {
            self.text.push(',');
        }
        self.is_empty = false;
        self.new_line();
    }

    /// Behind the name of a member.
    #[inline]
    pub(crate) fn colon(&mut self) {
        self.text.push_str(if self.is_pretty { ": " } else { ":" });
    }

    /// Closes an array or object.
    #[inline]
    pub(crate) fn end(&mut self, bracket: u8) {
        self.depth -= 1;
        if !self.is_empty {
            self.new_line();
        }
        self.text.push(char::from(bracket));
        self.is_empty = false;
    }

    #[inline]
    fn new_line(&mut self) {
        if self.is_pretty {
            self.text.push('\n');
            let levels = self.depth.min(MAX_INDENTED_LEVELS);
            (0..levels).for_each(|_| self.text.push_str(INDENT));
        }
    }

    pub(crate) fn word(&mut self, word: &str) {
        self.text.push_str(word);
    }

    #[inline]
    pub(crate) fn int(&mut self, number: i64) {
        self.text.push_str(itoa::Buffer::new().format(number));
    }

    #[inline]
    pub(crate) fn double(&mut self, number: f64) {
        write_double(&mut self.text, number);
    }

    /// Units that are not characters become U+FFFD.
    #[inline]
    pub(crate) fn string(&mut self, text: Text<'_>) {
        self.text.push('"');
        match text {
            Text::Ascii(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => write_escaped(&mut self.text, text),
                Err(_) => write_escaped(&mut self.text, &text.to_string()),
            },
            Text::Utf8(text) => write_escaped(&mut self.text, text),
            Text::Utf32(units) => write_units(&mut self.text, units),
        }
        self.text.push('"');
    }
}

fn write_escaped(text: &mut String, string: &str) {
    let mut written = 0;
    for (at, byte) in string.bytes().enumerate() {
        if is_escaped(u32::from(byte)) {
            text.push_str(&string[written..at]);
            written = at + 1;
            write_escape(text, byte);
        }
    }
    text.push_str(&string[written..]);
}

/// Units of the engine: runs of plain ones are narrowed at once, a part at a time.
fn write_units(text: &mut String, units: &[u32]) {
    let is_plain = |unit: u32| (0x20..0x80).contains(&unit) && !is_escaped(unit);
    for part in units.chunks(16) {
        if part.iter().fold(true, |all, &unit| all & is_plain(unit)) {
            let mut bytes = [0; 16];
            for (byte, &unit) in bytes.iter_mut().zip(part) {
                *byte = unit as u8;
            }
            text.push_str(std::str::from_utf8(&bytes[..part.len()]).unwrap_or_default());
            continue;
        }
        for &unit in part {
            if is_escaped(unit) {
                write_escape(text, unit as u8);
            } else {
                text.push(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
    }
}

#[inline]
fn is_escaped(unit: u32) -> bool {
    unit < 0x20 || unit == u32::from(b'"') || unit == u32::from(b'\\')
}

fn write_escape(text: &mut String, byte: u8) {
    match byte {
        b'"' => text.push_str("\\\""),
        b'\\' => text.push_str("\\\\"),
        0x8 => text.push_str("\\b"),
        0xC => text.push_str("\\f"),
        b'\n' => text.push_str("\\n"),
        b'\r' => text.push_str("\\r"),
        b'\t' => text.push_str("\\t"),
        _ => push(text, format_args!("\\u{byte:04X}")),
    }
}

/// The shortest digits that read back as the same double, set as rapidjson's `Prettify` sets them
/// (internal/dtoa.h): plain for 1e-6 <= |x| < 1e21, always with a point, else `1e21`, `1.5e-7`.
///
/// JSON has no NaN and no infinity, storing refuses them; a tree made by hand gets `null`.
fn write_double(text: &mut String, number: f64) {
    if !number.is_finite() {
        return text.push_str("null");
    }
    let magnitude = number.abs();
    if magnitude == 0.0 || (1e-6..1e21).contains(&magnitude) {
        // The fast one uses an exponent early.
        if (1e-4..1e15).contains(&magnitude) {
            return text.push_str(zmij::Buffer::new().format_finite(number));
        }
        // `Display` of a double never does.
        let start = text.len();
        push(text, number);
        if !text[start..].contains('.') {
            text.push_str(".0");
        }
    } else {
        push(text, format_args!("{number:e}"));
    }
}

fn push(text: &mut String, value: impl std::fmt::Display) {
    let _ = write!(text, "{value}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_look_like_rapidjson() {
        let table = [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (1e-4, "0.0001"),
            (-0.000123, "-0.000123"),
            (1e15, "1000000000000000.0"),
            (999_999_999_999_999.9, "999999999999999.9"),
            (1e5, "100000.0"),
            (f64::from(0.3_f32), "0.30000001192092896"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (1.5e-7, "1.5e-7"),
            (1e20, "100000000000000000000.0"),
            (1e21, "1e21"),
            (1.25e300, "1.25e300"),
            (5e-324, "5e-324"),
        ];
        for (number, text) in table {
            assert_eq!(Json::Double(number).to_text(), text);
            assert_eq!(Json::parse(text), Ok(Json::Double(number)));
        }
    }

    #[test]
    fn control_characters_are_escaped() {
        let json = Json::from("\u{1}\n\"\\/ä\u{1f}");
        assert_eq!(json.to_text(), "\"\\u0001\\n\\\"\\\\/ä\\u001F\"");
        assert_eq!(Json::parse(&json.to_text()), Ok(json));
    }

    #[test]
    fn empty_containers_stay_on_one_line() {
        let json = Json::parse("{\"a\": [], \"b\": {}}").unwrap();
        assert_eq!(json.to_text_pretty(), "{\n    \"a\": [],\n    \"b\": {}\n}");
        assert_eq!(json.to_text(), "{\"a\":[],\"b\":{}}");
    }

    #[test]
    fn deep_levels_are_indented_alike() {
        let rows = vec![Json::Int(1); 1000];
        let deep = (0..255).fold(Json::Array(rows), |inner, _| Json::Array(vec![inner]));
        let pretty = deep.to_text_pretty();
        assert!(pretty.len() < 100 * deep.to_text().len());
        assert_eq!(pretty.lines().map(str::len).max(), Some(32 * 4 + 2));
        assert_eq!(Json::parse(&pretty), Ok(deep));
    }
}
