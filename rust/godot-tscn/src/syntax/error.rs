//! The possible errors in a text, as data. The rules phrase it.

use crate::span::Span;
use crate::syntax::hash_line::HashLine;
use crate::syntax::token::TokenKind;

/// A place where the text is not what Godot reads, or does not mean what it seems to mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The kind of the error.
    pub kind: SyntaxErrorKind,
    /// Where.
    pub span: Span,
    /// A second place that explains the first, such as where the unfinished value was found out.
    pub related: Option<Span>,
}

/// The kinds of [`SyntaxError`]. Each belongs to one rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyntaxErrorKind {
    /// A byte that begins no token.
    UnexpectedCharacter,
    /// A token where another one has to be.
    Expected {
        /// The token that Godot expects here.
        expected: Expected,
        /// The token that is here.
        found: TokenKind,
    },
    /// A line without `=`: Godot joins it with the key of the next line.
    MissingEquals,
    /// A line that begins with `#`, which Godot takes for a key.
    HashComment(HashLine),
    /// Something between a finished value or tag and the end of its line.
    TrailingGarbage,
    /// A key or field name right behind the value before it.
    MissingSpace,
    /// White space, a quote or non-ASCII characters in an unquoted key.
    UnquotedKey,
    /// A tag without its `[`: Godot reads it as properties, or refuses the file.
    TagWithoutBracket,
    /// `<<<<<<<` and the like.
    ConflictMarker,
    /// A string, array, dictionary, construct or tag without its end.
    Unterminated(Unterminated),
    /// `\u` without its hexadecimal digits.
    MalformedEscape,
    /// Half a UTF-16 pair.
    LoneSurrogate,
    /// A `\u` escape of a character beyond ASCII: Godot reads the file's strings as UTF-8 after it
    /// has put in the escapes, as one byte each.
    NonAsciiEscape,
    /// An escape that Godot does not know: the backslash is dropped.
    UnknownEscape,
    /// The text starts with a byte order mark.
    ByteOrderMark,
    /// A string starts with one.
    ByteOrderMarkInString,
    /// A construct with too few or too many numbers.
    WrongArity {
        /// How many it takes.
        expected: u8,
        /// Whether any multiple of `expected` is right.
        multiple: bool,
    },
    /// GDScript notation that a scene file does not have.
    GdscriptLiteral(GdscriptLiteral),
    /// Two values without a comma between them.
    MissingComma,
    /// A comma that no value follows, where Godot demands one.
    ExtraComma,
    /// A number that Godot reads as another one.
    NumberOutOfRange(NumberRange),
    /// Text in a `PackedByteArray` that is not valid base64.
    BadBase64,
    /// An identifier that is not a value, or a call of an unknown construct.
    UnknownIdentifier,
    /// More nested brackets than any real file has; Godot's stack overflows.
    TooDeep,
    /// A NUL byte where Godot takes it for the end of the text.
    Nul,
    /// A NUL byte that Godot skips.
    SkippedNul,
    /// Godot's binary format under the name of a text file.
    Binary,
    /// A property where none can be, such as after `[connection …]`.
    StrayProperty,
    /// The text has 4 GiB or more.
    TooLarge,
}

/// The expected grammar at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// `[`, the start of a tag.
    Tag,
    /// The name after `[`.
    TagName,
    /// A field's name, or the end of the tag.
    FieldName,
    /// `=` after a field's name.
    FieldEqual,
    /// A key before `=`.
    Key,
    /// Any value.
    Value,
    /// A number in a construct.
    Number,
    /// A string.
    String,
    /// A number or a string: the id of a resource.
    Id,
    /// A class or type name.
    TypeName,
    /// A certain punctuation mark.
    Punctuation(TokenKind),
}

/// An element without an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unterminated {
    /// No closing `"`.
    String,
    /// No closing `]`.
    Array,
    /// No closing `}`.
    Dictionary,
    /// No closing `)`.
    Construct,
    /// No closing `]` of a tag.
    Tag,
}

/// Why Godot reads a number as another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberRange {
    /// A whole number that does not fit into 64 bits.
    Int,
    /// A number so large that it becomes infinite.
    Float,
    /// An `e` without digits after it.
    NoExponent,
}

/// A literal of GDScript or of other programs that scene files do not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GdscriptLiteral {
    /// `'…'`
    SingleQuotes,
    /// `^"…"`
    NodePath,
    /// `+1`
    Plus,
    /// `.5`
    LeadingPeriod,
    /// `1.#INF`, `-1.#IND`: infinity or no number, as programs of Windows print it.
    NotFinite,
    /// `True`, `False`, `None` and other spellings of `true`, `false`, `null`.
    Keyword,
}
