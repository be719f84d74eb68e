//! Text to [`Json`].

use std::collections::HashMap;

use super::reader::{Number, Read, Reader};
use super::{BigInteger, Json};
use crate::Place;

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
        let text = without_mark(text);
        if text.len() > limits.max_len {
            return Err(JsonError {
                line: 1,
                column: 1,
                message: format!(
                    "the text has {} bytes; the limit is {}: raise `max_len`",
                    text.len(),
                    limits.max_len
                ),
            });
        }
        document(&mut Reader::new(text, limits.max_depth)).map_err(|fault| {
            error_at(&text.as_bytes()[..fault.at.min(text.len())], fault.message.into())
        })
    }
}

/// An error behind the bytes `before`.
fn error_at(before: &[u8], message: String) -> JsonError {
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
    JsonError { line, column, message }
}

/// Lines and columns of the places `ats`, counted in bytes from the start of `text`, in one pass.
pub(super) fn lines_and_columns(text: &[u8], mut ats: Vec<usize>) -> HashMap<usize, Place> {
    ats.sort_unstable();
    ats.dedup();
    let (mut line, mut line_start, mut counted) = (1, 0, 0);
    let place = |at: usize| {
        for end in memchr::memchr_iter(b'\n', &text[counted..at]) {
            (line, line_start) = (line + 1, counted + end + 1);
        }
        counted = at;
        (at, Place { line, column: at - line_start + 1 })
    };
    ats.into_iter().map(place).collect()
}

/// The text behind a byte order mark.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// One value, with nothing but white space and comments around it.
fn document(reader: &mut Reader<'_>) -> Read<Json> {
    reader.begin()?;
    let json = value(reader)?;
    reader.end()?;
    Ok(json)
}

/// The value that begins here.
pub(crate) fn value(reader: &mut Reader<'_>) -> Read<Json> {
    match reader.peek() {
        Some(b'"') => Ok(Json::String(reader.string()?.text.into_owned())),
        Some(b'{') => object(reader),
        Some(b'[') => array(reader),
        Some(b'-' | b'0'..=b'9') => number(reader),
        Some(b't') => reader.word("true").map(|()| Json::Bool(true)),
        Some(b'f') => reader.word("false").map(|()| Json::Bool(false)),
        Some(b'n') => reader.word("null").map(|()| Json::Null),
        _ => reader.no_value(),
    }
}

fn number(reader: &mut Reader<'_>) -> Read<Json> {
    let start = reader.at();
    Ok(match reader.number()? {
        Number::Int(number) => Json::Int(number),
        Number::Uint(number) => Json::Uint(number),
        Number::Big(_) => Json::Big(BigInteger::new(reader.text_since(start))),
        Number::Double(number) => Json::Double(number),
    })
}

fn array(reader: &mut Reader<'_>) -> Read<Json> {
    let mut elements = Vec::new();
    let mut has_more = reader.begin_array()?;
    while has_more {
        elements.push(value(reader)?);
        has_more = reader.next_element()?;
    }
    Ok(Json::Array(elements))
}

fn object(reader: &mut Reader<'_>) -> Read<Json> {
    let mut members = Vec::new();
    let mut has_more = reader.begin_object()?;
    while has_more {
        let name = reader.name()?.text.into_owned();
        reader.colon()?;
        members.push((name, value(reader)?));
        has_more = reader.next_member()?;
    }
    Ok(Json::Object(members))
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
            Json::Big(BigInteger::new("18446744073709551616")),
        ];
        assert_eq!(json, Json::Array(expected));
    }

    #[test]
    fn comments_are_white_space() {
        let json = Json::parse("// ä\n{\"a//b\": /* \" */ 1} /* end */").unwrap();
        assert_eq!(json, Json::Object(vec![("a//b".into(), Json::Int(1))]));
        fails("{\"a\": 1,\n /* ä */ x}", 2, 11, "key must be a string");
        fails("[1,\n  /* ", 2, 3, "unterminated comment");
        fails("[1, / 2]", 1, 5, "comment");
    }

    #[test]
    fn errors_say_where() {
        fails("", 1, 1, "empty");
        fails(" \n // only a comment", 2, 19, "empty");
        fails("[1, 2", 1, 6, "EOF");
        fails("{\"a\"", 1, 5, "EOF");
        fails("\"abc", 1, 5, "EOF");
        fails("[1 2]", 1, 4, "`,` or `]`");
        fails("{\"a\": 1,}", 1, 9, "trailing comma");
        fails("{\"a\" 1}", 1, 6, "expected `:`");
        fails("[1,]", 1, 4, "trailing comma");
        fails("{\"a\": 1}\n}", 2, 1, "trailing characters");
        fails("\"\\ud800\"", 1, 2, "hex escape");
        fails("\"\\ud800\\u0041\"", 1, 2, "surrogate");
        fails("\"a\\u12\"", 1, 3, "four digits");
        fails("\"a\\x\"", 1, 3, "invalid escape");
        fails("\"a\nb\"", 1, 3, "control character");
        fails("\"\\udc00 \"", 1, 2, "surrogate");
        fails("[1e999]", 1, 2, "out of range");
        fails("01", 1, 1, "begins with 0");
        fails("-", 1, 2, "EOF");
        fails("1.x", 1, 3, "digit");
        fails("nul", 1, 1, "words");
        fails("NaN", 1, 1, "expected value");
        let error = Json::parse_bytes(b"[1,\n\"\xff\"]", ReadLimits::default()).unwrap_err();
        assert_eq!((error.line, error.column), (2, 2), "{error}");
    }

    #[test]
    fn limits_hold() {
        let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(Json::parse(&deep(256)).is_ok());
        fails(&deep(257), 1, 257, "is nested too deeply");
        fails(&"[".repeat(1_000_000), 1, 257, "is nested too deeply");
        let limits = ReadLimits { max_len: 3, ..ReadLimits::default() };
        assert!(Json::parse_limited("1234", limits).unwrap_err().message.contains("max_len"));
    }
}
