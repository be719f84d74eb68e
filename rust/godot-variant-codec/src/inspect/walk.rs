//! From value to value, in the order in which they stand.

use godot_variant::{MAX_RECURSION_DEPTH, Segment, Sink, Value, VariantType};

use super::summary::{Inside, SummarySink, quoted};
use crate::cursor::Cursor;
use crate::decode::{DecodeOptions, Decoder};
use crate::dialect::{Dialect, DialectDecoder};
use crate::error::{DecodeError, DecodeErrorKind};

/// One line of a listing: bytes, and what they are.
#[derive(Debug)]
pub struct Row<'a> {
    /// The number of the first byte.
    pub offset: usize,
    /// The bytes: a whole value, or of a container the part before its content. Of what cannot be
    /// read, all bytes from there on.
    pub bytes: &'a [u8],
    /// In how many containers the value stands.
    pub depth: usize,
    /// Where in its container the value stands; `None` for the outermost one.
    pub step: Option<Segment>,
    /// What the bytes are.
    pub content: Content,
}

/// What the bytes of a row are.
#[derive(Debug)]
pub enum Content {
    /// A value, or the part of a container before its content.
    Value {
        /// Its type.
        ty: VariantType,
        /// The value in a few words, without its type; empty if there is nothing to say.
        summary: String,
    },
    /// The name of an object's property, whose value is the next row.
    PropertyName {
        /// The name.
        name: Box<str>,
    },
    /// Bytes behind the value. The last row.
    Trailing,
    /// Bytes that are no value. The last row; unless a container only declares more than can be
    /// there, and then what is there follows.
    Error(DecodeError),
}

/// The rows of a listing, from [`Listing::rows`](super::Listing::rows).
///
/// Walks as far as it is asked to, and takes memory for the depth of the value only.
#[derive(Debug)]
pub struct Rows<'a> {
    bytes: &'a [u8],
    position: usize,
    dialect: &'static Dialect,
    options: DecodeOptions,
    /// The containers around the next value, outermost first.
    open: Vec<Open>,
    state: State,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    Outermost,
    Inside,
    Done,
}

/// A container of which not everything was listed.
#[derive(Debug)]
struct Open {
    inside: Inside,
    index: usize,
    /// Of a dictionary: the key whose value is next. Of an object: the property whose value is next.
    named: Option<Segment>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(
        bytes: &'a [u8],
        start: usize,
        dialect: &'static Dialect,
        options: DecodeOptions,
    ) -> Rows<'a> {
        let (open, state) = (Vec::new(), State::Outermost);
        Rows { bytes, position: start, dialect, options, open, state }
    }

    /// Decodes the value at `start`, and tells where its decoder stands then, also after a failure.
    fn decode<S: Sink>(&self, start: usize, sink: S) -> (Result<(), DecodeError>, usize) {
        if self.dialect.is_native() {
            let mut decoder = Decoder::at(self.bytes, start, self.options);
            return (decoder.decode_into(sink), decoder.offset());
        }
        let mut decoder = DialectDecoder::at(self.bytes, start, self.dialect, self.options);
        (decoder.decode_into(sink), decoder.offset())
    }

    /// The number of the first byte that was not listed yet.
    pub fn offset(&self) -> usize {
        self.position.min(self.bytes.len())
    }

    /// The value that starts at the position.
    fn value(&mut self, step: Option<Segment>) -> Row<'a> {
        let (start, depth) = (self.offset(), self.open.len());
        let mut summary = SummarySink::default();
        let (decoded, end) = self.decode(start, &mut summary);
        let failed = decoded.err().filter(|_| summary.inside.is_none());
        if let Some(error) = failed {
            return self.fail(start, step, error);
        }
        self.position = end;
        if let Some(inside) = summary.inside {
            if depth >= MAX_RECURSION_DEPTH && inside.count() > 0 {
                let kind = DecodeErrorKind::TooDeep { limit: MAX_RECURSION_DEPTH };
                return self.fail(start, step, DecodeError::new(kind, start));
            }
            self.open.push(Open { inside, index: 0, named: None });
        }
        let bytes = &self.bytes[start..self.position];
        let ty = summary.ty.unwrap_or(VariantType::Nil);
        let content = Content::Value { ty, summary: summary.summary };
        Row { offset: start, bytes, depth, step, content }
    }

    fn property_name(&mut self, index: usize) -> Row<'a> {
        let (start, depth) = (self.offset(), self.open.len());
        let mut cursor = Cursor::new(self.bytes, start);
        match cursor.take_str(VariantType::Object) {
            Ok(name) => {
                self.position = cursor.position();
                let bytes = &self.bytes[start..self.position];
                let step = Some(Segment::EntryKey(index));
                let content = Content::PropertyName { name: name.into() };
                Row { offset: start, bytes, depth, step, content }
            }
            Err(error) => self.fail(start, Some(Segment::EntryKey(index)), error),
        }
    }

    fn fail(&mut self, start: usize, step: Option<Segment>, error: DecodeError) -> Row<'a> {
        if let Some(bytes) = self.cut_container(start, &error) {
            let content = Content::Error(error);
            return Row { offset: start, bytes, depth: self.open.len() - 1, step, content };
        }
        self.state = State::Done;
        self.position = self.bytes.len();
        let (bytes, depth) = (&self.bytes[start..], self.open.len());
        Row { offset: start, bytes, depth, step, content: Content::Error(error) }
    }

    /// The part before the content of a container that declares more than can be there, which is
    /// what a value looks like whose end was cut off. Opens it.
    fn cut_container(&mut self, start: usize, error: &DecodeError) -> Option<&'a [u8]> {
        let inside = match *error.kind() {
            DecodeErrorKind::CountTooLarge { what: VariantType::Array, count, .. } => {
                Inside::Elements(count)
            }
            DecodeErrorKind::CountTooLarge { what: VariantType::Dictionary, count, .. } => {
                Inside::Entries(count)
            }
            _ => return None,
        };
        if self.open.len() >= MAX_RECURSION_DEPTH {
            return None;
        }
        // The count is wrong, and is the last thing before the content.
        const COUNT_LEN: usize = 4;
        self.position = error.offset() + COUNT_LEN;
        self.open.push(Open { inside, index: 0, named: None });
        self.bytes.get(start..self.position)
    }

    /// The next value of the innermost container that has one left.
    fn next_inside(&mut self) -> Option<Row<'a>> {
        while let Some(open) = self.open.last_mut() {
            if open.index == open.inside.count() {
                self.open.pop();
                continue;
            }
            let index = open.index;
            if let Some(step) = open.named.take() {
                open.index += 1;
                return Some(self.value(Some(step)));
            }
            return Some(match open.inside {
                Inside::Elements(_) => {
                    open.index += 1;
                    self.value(Some(Segment::Index(index)))
                }
                Inside::Entries(_) => self.key(index),
                Inside::Properties(_) => self.named_property(index),
            });
        }
        None
    }

    /// A key of a dictionary; its value has it in its path.
    fn key(&mut self, index: usize) -> Row<'a> {
        let (level, start) = (self.open.len(), self.offset());
        let row = self.value(Some(Segment::EntryKey(index)));
        let named = match &row.content {
            // A container as key: the path shows no more than its type.
            Content::Value { ty, .. } if self.open.len() > level => {
                Segment::Key(Value::from(format!("{ty}").as_str()))
            }
            _ => {
                let mut key = Value::Nil;
                // It was just read, so it decodes.
                let _ = self.decode(start, &mut key);
                Segment::Key(key)
            }
        };
        self.open[level - 1].named = Some(named);
        row
    }

    fn named_property(&mut self, index: usize) -> Row<'a> {
        let row = self.property_name(index);
        if let (Content::PropertyName { name }, Some(open)) = (&row.content, self.open.last_mut()) {
            open.named = Some(Segment::Property(name.clone()));
        }
        row
    }

    fn trailing(&mut self) -> Option<Row<'a>> {
        self.state = State::Done;
        let offset = self.offset();
        let bytes = &self.bytes[offset..];
        if bytes.is_empty() {
            return None;
        }
        Some(Row { offset, bytes, depth: 0, step: None, content: Content::Trailing })
    }
}

impl<'a> Iterator for Rows<'a> {
    type Item = Row<'a>;

    fn next(&mut self) -> Option<Row<'a>> {
        match self.state {
            State::Outermost => {
                self.state = State::Inside;
                Some(self.value(None))
            }
            State::Inside => match self.next_inside() {
                Some(row) => Some(row),
                None => self.trailing(),
            },
            State::Done => None,
        }
    }
}

impl Inside {
    fn count(self) -> usize {
        match self {
            Inside::Elements(count) | Inside::Entries(count) | Inside::Properties(count) => count,
        }
    }
}

impl Content {
    /// What the row shows beside its bytes.
    pub fn describe(&self, bytes: &[u8]) -> String {
        match self {
            Content::Value { ty, summary } if summary.is_empty() => ty.to_string(),
            Content::Value { ty, summary } if summary.starts_with([',', '[', '(']) => {
                format!("{ty}{summary}")
            }
            Content::Value { ty, summary } => format!("{ty} {summary}"),
            Content::PropertyName { name } => format!("name {}", quoted(name)),
            Content::Trailing if bytes.len() == 1 => "1 byte behind the value".to_owned(),
            Content::Trailing => format!("{} bytes behind the value", bytes.len()),
            Content::Error(error) => format!("error: {error}"),
        }
    }
}
