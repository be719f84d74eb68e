//! The text of a JSON value, one step after the other.
//!
//! A reader of our own: O3DE's accepts comments, keeps names that occur twice and keeps integers of
//! 64 bits, signed and unsigned, apart from other numbers. In one pass, it is also the fastest.

mod number;
mod parts;
mod string;

pub(crate) use number::Number;

/// What is wrong, and from which byte on.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(super) at: usize,
    pub(super) message: &'static str,
}

pub(crate) type Read<T> = Result<T, Fault>;

/// Goes through a text.
pub(crate) struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    depth_left: usize,
}

/// Where a [`Reader`] is.
#[derive(Clone, Copy)]
pub(crate) struct Position {
    at: usize,
    depth_left: usize,
}

impl<'t> Reader<'t> {
    /// Before the first value of `text`, which may be so deep.
    pub(crate) fn new(text: &'t str, max_depth: usize) -> Reader<'t> {
        Reader { text, bytes: text.as_bytes(), at: 0, depth_left: max_depth }
    }

    /// Goes to the one value of the text.
    pub(crate) fn begin(&mut self) -> Read<()> {
        self.skip_space()?;
        if self.at == self.bytes.len() {
            return self.fault("the text is empty: expected a value");
        }
        Ok(())
    }

    /// Behind the one value of the text: nothing but white space and comments follow.
    pub(crate) fn end(&mut self) -> Read<()> {
        self.skip_space()?;
        if self.at < self.bytes.len() {
            return self.fault("trailing characters: a text contains exactly one value");
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn position(&self) -> Position {
        Position { at: self.at, depth_left: self.depth_left }
    }

    /// Goes back to where it was.
    pub(crate) fn go_back(&mut self, Position { at, depth_left }: Position) {
        (self.at, self.depth_left) = (at, depth_left);
    }

    /// How many bytes are before it.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The text from `start` to here.
    pub(super) fn text_since(&self, start: usize) -> &'t str {
        &self.text[start..self.at]
    }

    /// How many bytes there are from `start` to here.
    pub(crate) fn len_since(&self, start: Position) -> usize {
        self.at - start.at
    }

    /// How many bytes the whole text has.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The byte that the next value, name or bracket begins with.
    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Whether a number comes next.
    #[inline]
    pub(crate) fn is_at_number(&self) -> bool {
        matches!(self.peek(), Some(b'-' | b'0'..=b'9'))
    }

    /// Reads `word` where a value begins with its first letter.
    pub(crate) fn word(&mut self, word: &str) -> Read<()> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(())
        } else {
            self.fault("expected value: true, false and null are the only words")
        }
    }

    /// No value begins here.
    #[cold]
    pub(crate) fn no_value<T>(&self) -> Read<T> {
        match self.peek() {
            Some(_) => self
                .fault("expected value: a string in quotes, a number, true, false, null, [ or {"),
            None => self.fault("EOF: the text ends where a value is expected"),
        }
    }

    /// Reads `[`, and says whether an element follows.
    #[inline]
    pub(crate) fn begin_array(&mut self) -> Read<bool> {
        self.enter()?;
        Ok(!self.leave(b']'))
    }

    /// Reads what is behind an element, and says whether another one follows.
    #[inline]
    pub(crate) fn next_element(&mut self) -> Read<bool> {
        // Most large arrays of numbers have no white space.
        if self.peek() != Some(b',') {
            self.skip_space()?;
            if self.leave(b']') {
                return Ok(false);
            }
            if self.peek() != Some(b',') {
                return self.missing("expected `,` or `]`");
            }
        }
        self.at += 1;
        self.skip_space()?;
        if self.peek() == Some(b']') {
            return self.fault("trailing comma: remove it");
        }
        Ok(true)
    }

    /// Reads `{`, and says whether a member follows.
    #[inline]
    pub(crate) fn begin_object(&mut self) -> Read<bool> {
        self.enter()?;
        Ok(!self.leave(b'}'))
    }

    /// Reads what is behind a member, and says whether another one follows.
    #[inline]
    pub(crate) fn next_member(&mut self) -> Read<bool> {
        self.skip_space()?;
        if self.leave(b'}') {
            return Ok(false);
        }
        if !self.take(b',') {
            return self.missing("expected `,` or `}`");
        }
        self.skip_space()?;
        if self.peek() == Some(b'}') {
            return self.fault("trailing comma: remove it");
        }
        Ok(true)
    }

    /// Reads the colon between the name of a member and its value.
    #[inline]
    pub(crate) fn colon(&mut self) -> Read<()> {
        self.skip_space()?;
        if !self.take(b':') {
            return self.missing("expected `:`");
        }
        self.skip_space()
    }

    fn enter(&mut self) -> Read<()> {
        match self.depth_left.checked_sub(1) {
            Some(left) => {
                self.depth_left = left;
                self.at += 1;
                self.skip_space()
            }
            None => self.fault("the value is nested too deeply: flatten it or raise `max_depth`"),
        }
    }

    /// Reads the bracket that closes a container, if it is there.
    fn leave(&mut self, bracket: u8) -> bool {
        let is_closed = self.take(bracket);
        self.depth_left += usize::from(is_closed);
        is_closed
    }

    #[inline]
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
                None => return self.fault("unterminated comment: close it with `*/`"),
            },
            _ => return self.fault("expected value: a comment begins with // or /*"),
        };
        self.at += len;
        Ok(())
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
