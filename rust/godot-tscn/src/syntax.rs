//! From bytes to tokens and spans: the lexer pulls tokens, the parser builds the tree.

pub(crate) mod base64;
pub(crate) mod construct;
mod error;
mod hash_line;
mod key;
pub(crate) mod lexer;
mod parser;
mod recovery;
pub(crate) mod scan;
mod token;
mod value;

pub use error::{
    Expected, GdscriptLiteral, NumberRange, SyntaxError, SyntaxErrorKind, Unterminated,
};
pub use hash_line::HashLine;
pub use lexer::MAX_ERRORS;
pub(crate) use parser::{check_value, parse_config_document};
pub use parser::{config_tokens, parse, tokens};
pub use token::{Token, TokenKind};
pub use value::MAX_DEPTH;

/// Whether the parser skips text after such an error.
pub(crate) fn skips_text(kind: SyntaxErrorKind) -> bool {
    use SyntaxErrorKind::*;
    match kind {
        UnexpectedCharacter
        | Expected { .. }
        | TagWithoutBracket
        | ConflictMarker
        | Unterminated(_)
        | UnknownIdentifier
        | TooDeep
        | Binary
        | TooLarge
        | Nul
        | StrayProperty => true,
        MissingEquals
        | HashComment(_)
        | TrailingGarbage
        | MissingSpace
        | UnquotedKey
        | MalformedEscape
        | LoneSurrogate
        | NonAsciiEscape
        | UnknownEscape
        | ByteOrderMark
        | ByteOrderMarkInString
        | WrongArity { .. }
        | GdscriptLiteral(_)
        | MissingComma
        | ExtraComma
        | NumberOutOfRange(_)
        | BadBase64
        | SkippedNul => false,
    }
}

/// Whether Godot refuses a value with such an error, and does not only read it otherwise.
pub(crate) fn is_refused(kind: SyntaxErrorKind) -> bool {
    use SyntaxErrorKind::*;
    !matches!(
        kind,
        NumberOutOfRange(_)
            | WrongArity { multiple: true, .. }
            | UnknownEscape
            | NonAsciiEscape
            | SkippedNul
            | ByteOrderMarkInString
            | MissingSpace
    )
}
