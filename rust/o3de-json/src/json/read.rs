//! Text to [`Json`].
//!
//! A reader of our own: O3DE's accepts comments, keeps names that stand twice and keeps integers of
//! 64 bits, signed and unsigned, apart from other numbers. In one pass, it is also the fastest.

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
        let mut reader =
            Reader { text, bytes: text.as_bytes(), at: 0, depth_left: limits.max_depth };
        reader.document().map_err(|fault| {
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

/// What is wrong, and from which byte on.
struct Fault {
    at: usize,
    message: &'static str,
}

type Read<T> = Result<T, Fault>;

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    depth_left: usize,
}

impl Reader<'_> {
    /// One value, with nothing but white space and comments around it.
    fn document(&mut self) -> Read<Json> {
        self.skip_space()?;
        if self.at == self.bytes.len() {
            return self.fault("the text is empty: expected a value");
        }
        let value = self.value()?;
        self.skip_space()?;
        if self.at < self.bytes.len() {
            return self.fault("trailing characters: one text is one value");
        }
        Ok(value)
    }

    fn value(&mut self) -> Read<Json> {
        match self.peek() {
            Some(b'"') => self.string().map(Json::String),
            Some(b'{') => self.object(),
            Some(b'[') => self.array(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(b'n') => self.word("null", Json::Null),
            Some(_) => {
                self.fault("expected value: a text in quotes, a number, true, false, null, [ or {")
            }
            None => self.fault("EOF: the text ends where a value is expected"),
        }
    }

    fn word(&mut self, word: &str, value: Json) -> Read<Json> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(value)
        } else {
            self.fault("expected value: true, false and null are the only words")
        }
    }

    fn array(&mut self) -> Read<Json> {
        self.enter()?;
        let mut elements = Vec::new();
        self.skip_space()?;
        if self.take(b']') {
            self.depth_left += 1;
            return Ok(Json::Array(elements));
        }
        loop {
            elements.push(self.value()?);
            self.skip_space()?;
            if self.take(b']') {
                self.depth_left += 1;
                return Ok(Json::Array(elements));
            }
            if !self.take(b',') {
                return self.missing("expected `,` or `]`");
            }
            self.skip_space()?;
            if self.peek() == Some(b']') {
                return self.fault("trailing comma: remove it");
            }
        }
    }

    fn object(&mut self) -> Read<Json> {
        self.enter()?;
        let mut members = Vec::new();
        self.skip_space()?;
        if self.take(b'}') {
            self.depth_left += 1;
            return Ok(Json::Object(members));
        }
        loop {
            if self.peek() != Some(b'"') {
                return self.missing("key must be a string: put it in quotes");
            }
            let name = self.string()?;
            self.skip_space()?;
            if !self.take(b':') {
                return self.missing("expected `:`");
            }
            self.skip_space()?;
            members.push((name, self.value()?));
            self.skip_space()?;
            if self.take(b'}') {
                self.depth_left += 1;
                return Ok(Json::Object(members));
            }
            if !self.take(b',') {
                return self.missing("expected `,` or `}`");
            }
            self.skip_space()?;
            if self.peek() == Some(b'}') {
                return self.fault("trailing comma: remove it");
            }
        }
    }

    fn enter(&mut self) -> Read<()> {
        match self.depth_left.checked_sub(1) {
            Some(left) => {
                self.depth_left = left;
                self.at += 1;
                Ok(())
            }
            None => self.fault("the value nests too deep: flatten it or raise `max_depth`"),
        }
    }

    fn number(&mut self) -> Read<Json> {
        let start = self.at;
        let is_negative = self.take(b'-');
        let first = self.at;
        let mut magnitude = 0_u64;
        let mut is_exact = true;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            let next = magnitude.checked_mul(10).and_then(|m| m.checked_add((digit - b'0').into()));
            (magnitude, is_exact) = (next.unwrap_or(0), is_exact && next.is_some());
            self.at += 1;
        }
        match self.at - first {
            0 => return self.missing("expected a digit"),
            1 => {}
            _ if self.bytes[first] == b'0' => {
                self.at = start;
                return self.fault("invalid number: it begins with 0");
            }
            _ => {}
        }
        let whole_end = self.at;
        if self.take(b'.') {
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        if self.at == whole_end && is_exact {
            if !is_negative {
                return Ok(i64::try_from(magnitude).map_or(Json::Uint(magnitude), Json::Int));
            }
            if let Some(number) = 0_i64.checked_sub_unsigned(magnitude) {
                return Ok(Json::Int(number));
            }
        }
        match self.text[start..self.at].parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Json::Double(number)),
            _ => {
                self.at = start;
                self.fault("number out of range: no 64-bit float is so great")
            }
        }
    }

    fn digits(&mut self) -> Read<()> {
        let first = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == first { self.missing("expected a digit") } else { Ok(()) }
    }

    fn string(&mut self) -> Read<String> {
        self.at += 1;
        let start = self.at;
        self.skip_plain();
        if self.take(b'"') {
            return Ok(self.text[start..self.at - 1].to_owned());
        }
        let mut string = self.text[start..self.at].to_owned();
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(string);
                }
                Some(b'\\') => string.push(self.escaped()?),
                Some(_) => {
                    return self
                        .fault("control character in a string: write it as \\n, \\t or \\u001F");
                }
                None => return self.fault("EOF: the string has no end"),
            }
            let start = self.at;
            self.skip_plain();
            string.push_str(&self.text[start..self.at]);
        }
    }

    /// Goes to the next byte that means something in a string.
    fn skip_plain(&mut self) {
        let rest = &self.bytes[self.at..];
        let is_plain = |byte: u8| byte >= 0x20 && byte != b'"' && byte != b'\\';
        self.at += rest.iter().position(|&byte| !is_plain(byte)).unwrap_or(rest.len());
    }

    fn escaped(&mut self) -> Read<char> {
        let start = self.at;
        self.at += 1;
        let char = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(start),
            Some(_) => {
                self.at = start;
                return self
                    .fault("invalid escape: there are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u");
            }
            None => return self.fault("EOF: the string has no end"),
        };
        self.at += 1;
        Ok(char)
    }

    /// `\uXXXX`, or two of them for one character.
    fn unicode(&mut self, start: usize) -> Read<char> {
        const LONE: &str = "lone surrogate in a hex escape: \\uD800 to \\uDBFF need one of \\uDC00 to \\uDFFF behind them";
        let high = self.hex(start)?;
        let code = if (0xD800..0xDC00).contains(&high) && self.bytes[self.at..].starts_with(b"\\u")
        {
            self.at += 1;
            let low = self.hex(self.at - 1)?;
            if !(0xDC00..0xE000).contains(&low) {
                return Err(Fault { at: start, message: LONE });
            }
            0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00)
        } else {
            high
        };
        char::from_u32(code).ok_or(Fault { at: start, message: LONE })
    }

    /// Four digits behind a `u`.
    fn hex(&mut self, start: usize) -> Read<u32> {
        let digits = self.bytes.get(self.at + 1..self.at + 5).unwrap_or_default();
        let code = digits.iter().try_fold(0, |code, &digit| {
            char::from(digit).to_digit(16).map(|digit| code * 16 + digit)
        });
        self.at += 5;
        match code.filter(|_| digits.len() == 4) {
            Some(code) => Ok(code),
            None => Err(Fault { at: start, message: "invalid hex escape: \\u needs four digits" }),
        }
    }

    fn skip_space(&mut self) -> Read<()> {
        loop {
            match self.peek() {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                Some(b'/') => self.skip_comment()?,
                _ => return Ok(()),
            }
        }
    }

    #[cold]
    fn skip_comment(&mut self) -> Read<()> {
        let rest = &self.bytes[self.at..];
        let len = match rest.get(1) {
            Some(b'/') => rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len()),
            Some(b'*') => match rest[2..].windows(2).position(|pair| pair == b"*/") {
                Some(len) => len + 4,
                None => return self.fault("this comment has no end: close it with `*/`"),
            },
            _ => return self.fault("expected value: a comment begins with // or /*"),
        };
        self.at += len;
        Ok(())
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    #[cold]
    fn fault<T>(&self, message: &'static str) -> Read<T> {
        Err(Fault { at: self.at, message })
    }

    /// As [`Reader::fault`], or that the text ends.
    #[cold]
    fn missing<T>(&self, message: &'static str) -> Read<T> {
        match self.peek() {
            Some(_) => self.fault(message),
            None => self.fault("EOF: the text ends inside a value"),
        }
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
        fails(&deep(257), 1, 257, "nests too deep");
        fails(&"[".repeat(1_000_000), 1, 257, "nests too deep");
        let limits = ReadLimits { max_len: 3, ..ReadLimits::default() };
        assert!(Json::parse_limited("1234", limits).unwrap_err().message.contains("max_len"));
    }
}
