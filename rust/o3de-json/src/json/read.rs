//! Text to [`Json`].
//!
//! `serde_json` reads; what O3DE's reader accepts beyond JSON, which is comments, is overwritten
//! with spaces first, so that lines and columns stay what they are.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::Json;

/// How long and how deep a text may be.
#[derive(Clone, Copy, Debug)]
pub struct ReadLimits {
    /// Bytes of text. O3DE's own limit is the caller's choice too.
    pub max_len: usize,
    /// Arrays and objects inside each other. O3DE has none and recurses.
    pub max_depth: usize,
}

impl Default for ReadLimits {
    fn default() -> Self {
        ReadLimits { max_len: 1 << 30, max_depth: 256 }
    }
}

/// Why a text is not JSON. Line and column count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("JSON parse error at line {line}: column {column}: {message}")]
pub struct JsonError {
    /// The line.
    pub line: usize,
    /// The column, in bytes.
    pub column: usize,
    /// What is wrong, and what to do.
    pub message: String,
}

impl Json {
    /// Reads one JSON text with the usual [`ReadLimits`].
    ///
    /// # Errors
    /// If the text is not JSON, or more than white space and comments follow the value.
    pub fn parse(text: &str) -> Result<Json, JsonError> {
        Json::parse_limited(text, ReadLimits::default())
    }

    /// Reads one JSON text from bytes.
    ///
    /// # Errors
    /// As [`Json::parse`], and if the bytes are not UTF-8.
    pub fn parse_bytes(bytes: &[u8], limits: ReadLimits) -> Result<Json, JsonError> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Json::parse_limited(text, limits),
            Err(error) => Err(error_at(
                &bytes[..error.valid_up_to()],
                "the text is not UTF-8 here: save the file as UTF-8".to_owned(),
            )),
        }
    }

    /// Reads one JSON text.
    ///
    /// # Errors
    /// As [`Json::parse`], and if a limit is exceeded.
    pub fn parse_limited(text: &str, limits: ReadLimits) -> Result<Json, JsonError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.len() > limits.max_len {
            return Err(JsonError {
                line: 1,
                column: 1,
                message: format!(
                    "the text has {} bytes, more than the {} allowed: raise `max_len`",
                    text.len(),
                    limits.max_len
                ),
            });
        }
        let text = blank_comments(text)?;
        if text.trim_ascii().is_empty() {
            return Err(error_at(b"", "the text is empty: expected a value".to_owned()));
        }
        let mut deserializer = serde_json::Deserializer::from_str(&text);
        deserializer.disable_recursion_limit();
        let seed = Seed { depth_left: limits.max_depth };
        let value = seed.deserialize(&mut deserializer).map_err(|error| from_serde(&error))?;
        deserializer.end().map_err(|error| from_serde(&error))?;
        Ok(value)
    }
}

fn from_serde(error: &serde_json::Error) -> JsonError {
    let text = error.to_string();
    let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
    JsonError { line: error.line().max(1), column: error.column().max(1), message: message.into() }
}

/// An error behind the bytes `before`.
fn error_at(before: &[u8], message: String) -> JsonError {
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
    JsonError { line, column, message }
}

/// The text with spaces in the place of `//` and `/* */` comments, line ends kept.
fn blank_comments(text: &str) -> Result<Cow<'_, str>, JsonError> {
    let bytes = text.as_bytes();
    let mut blanked: Option<Vec<u8>> = None;
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'"', _) => at = string_end(bytes, at),
            (b'/', Some(b'/' | b'*')) => {
                let end = comment_end(bytes, at).ok_or_else(|| {
                    error_at(&bytes[..at], "this comment has no end: close it with `*/`".into())
                })?;
                for byte in &mut blanked.get_or_insert_with(|| bytes.to_vec())[at..end] {
                    if *byte != b'\n' {
                        *byte = b' ';
                    }
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    match blanked {
        Some(bytes) => String::from_utf8(bytes)
            .map(Cow::Owned)
            .map_err(|_| error_at(b"", "a comment is not UTF-8".into())),
        None => Ok(Cow::Borrowed(text)),
    }
}

/// Behind the string that starts at `start`, or the end of the text.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Behind the comment that starts at `start`, if it ends.
fn comment_end(bytes: &[u8], start: usize) -> Option<usize> {
    let rest = &bytes[start + 2..];
    let len = if bytes[start + 1] == b'/' {
        rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())
    } else {
        rest.windows(2).position(|pair| pair == b"*/")? + 2
    };
    Some(start + 2 + len)
}

/// Builds a value and counts how deep it is.
#[derive(Clone, Copy)]
struct Seed {
    depth_left: usize,
}

impl Seed {
    fn inside<E: serde::de::Error>(self) -> Result<Seed, E> {
        match self.depth_left.checked_sub(1) {
            Some(depth_left) => Ok(Seed { depth_left }),
            None => Err(E::custom("the value nests too deep: flatten it or raise `max_depth`")),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Seed {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed {
    type Value = Json;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Int(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
        Ok(i64::try_from(number).map_or(Json::Uint(number), Json::Int))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Json, E> {
        Ok(Json::Double(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::String(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let inside = self.inside()?;
        let mut elements = Vec::new();
        while let Some(element) = access.next_element_seed(inside)? {
            elements.push(element);
        }
        Ok(Json::Array(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let inside = self.inside()?;
        let mut members = Vec::new();
        while let Some(name) = access.next_key()? {
            members.push((name, access.next_value_seed(inside)?));
        }
        Ok(Json::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn fails(text: &str, line: usize, column: usize, message: &str) {
        let error = Json::parse(text).expect_err(text);
        assert_eq!((error.line, error.column), (line, column), "{error}");
        assert!(error.message.contains(message), "{error}");
    }

    #[test]
    fn numbers_stay_apart() {
        let json = Json::parse("[1, 1.0, 18446744073709551615, 18446744073709551616]").unwrap();
        let expected = vec![
            Json::Int(1),
            Json::Double(1.0),
            Json::Uint(u64::MAX),
            Json::Double(18_446_744_073_709_551_616.0),
        ];
        assert_eq!(json, Json::Array(expected));
    }

    #[test]
    fn comments_are_white_space() {
        let json = Json::parse("// ä\n{\"a//b\": /* \" */ 1} /* end */").unwrap();
        assert_eq!(json, Json::Object(vec![("a//b".into(), Json::Int(1))]));
        fails("{\"a\": 1,\n /* ä */ x}", 2, 11, "key must be a string");
        fails("[1,\n  /* ", 2, 3, "no end");
    }

    #[test]
    fn errors_say_where() {
        fails("", 1, 1, "empty");
        fails(" \n // only a comment", 1, 1, "empty");
        fails("[1, 2", 1, 5, "EOF");
        fails("[1,]", 1, 4, "trailing comma");
        fails("{\"a\": 1}\n}", 2, 1, "trailing characters");
        fails("\"\\ud800\"", 1, 8, "hex escape");
        fails("\"\\udc00 \"", 1, 7, "surrogate");
        fails("1e999", 1, 5, "out of range");
        fails("NaN", 1, 1, "expected value");
        let error = Json::parse_bytes(b"[1,\n\"\xff\"]", ReadLimits::default()).unwrap_err();
        assert_eq!((error.line, error.column), (2, 2), "{error}");
    }

    #[test]
    fn limits_hold() {
        let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(Json::parse(&deep(256)).is_ok());
        fails(&deep(257), 1, 258, "nests too deep");
        fails(&"[".repeat(1_000_000), 1, 257, "nests too deep");
        let limits = ReadLimits { max_len: 3, ..ReadLimits::default() };
        assert!(Json::parse_limited("1234", limits).unwrap_err().message.contains("max_len"));
    }
}
