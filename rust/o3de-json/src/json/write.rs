//! [`Json`] to text, in rapidjson's forms.

use std::fmt::Write;

use super::Json;

const INDENT: &str = "    ";

impl Json {
    /// The text as O3DE writes files: one member or element a line, four spaces a level
    /// (rapidjson's `PrettyWriter`).
    pub fn to_text_pretty(&self) -> String {
        let mut text = String::new();
        write_value(&mut text, self, Some(0));
        text
    }

    /// The text without white space.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        write_value(&mut text, self, None);
        text
    }
}

/// Writes `value`; `level` is how deep the text is indented, none for one line.
fn write_value(text: &mut String, value: &Json, level: Option<usize>) {
    match value {
        Json::Null => text.push_str("null"),
        Json::Bool(true) => text.push_str("true"),
        Json::Bool(false) => text.push_str("false"),
        Json::Int(number) => text.push_str(itoa::Buffer::new().format(*number)),
        Json::Uint(number) => text.push_str(itoa::Buffer::new().format(*number)),
        Json::Double(number) => write_double(text, *number),
        Json::String(string) => write_string(text, string),
        Json::Array(elements) => {
            write_list(text, ['[', ']'], elements, level, |text, element, level| {
                write_value(text, element, level);
            });
        }
        Json::Object(members) => {
            write_list(text, ['{', '}'], members, level, |text, (name, value), level| {
                write_string(text, name);
                text.push_str(if level.is_some() { ": " } else { ":" });
                write_value(text, value, level);
            });
        }
    }
}

fn write_list<T>(
    text: &mut String,
    [open, close]: [char; 2],
    items: &[T],
    level: Option<usize>,
    mut write_item: impl FnMut(&mut String, &T, Option<usize>),
) {
    text.push(open);
    let inside = level.map(|level| level + 1);
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        new_line(text, inside);
        write_item(text, item, inside);
    }
    if !items.is_empty() {
        new_line(text, level);
    }
    text.push(close);
}

fn new_line(text: &mut String, level: Option<usize>) {
    if let Some(level) = level {
        text.push('\n');
        (0..level).for_each(|_| text.push_str(INDENT));
    }
}

fn write_string(text: &mut String, string: &str) {
    text.push('"');
    let mut written = 0;
    for (at, byte) in string.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        text.push_str(&string[written..at]);
        written = at + 1;
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
    text.push_str(&string[written..]);
    text.push('"');
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
}
