//! Why a text is not formatted.

use std::fmt;

use crate::diagnostic::Severity;
use crate::document::Document;
use crate::godot_version::GodotVersion;
use crate::lint::lint_unsuppressed;
use crate::options::LintOptions;
use crate::rules::line_ends::Converted;
use crate::span::Span;

/// Why [`format()`](crate::format()) left a text alone.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormatRefusal {
    /// The file is an `.escn`, and `FormatOptions::force_escn` is not set.
    Escn,
    /// Godot refuses the text, or reads something else.
    Syntax {
        /// Where.
        span: Span,
        /// The problem, as in the message of [`lint`](crate::lint()).
        message: String,
    },
    /// Git or an editor converted all line ends, also those in strings: to end only the lines between values with a line
    /// feed would hide that.
    ConvertedLineEnds {
        /// The first such string.
        span: Span,
    },
    /// There is no tag in the text.
    Empty,
    /// The header's `format` has no known layout: Godot 2's, or a future one.
    UnknownFormat {
        /// The place of the number.
        span: Span,
    },
    /// The text is in the format of another version than the one that was asked for.
    OtherTarget {
        /// The place of its format.
        span: Span,
        /// The version that was asked for.
        target: GodotVersion,
    },
    /// The formatter has a bug: its output differs from its input.
    Bug(FormatBug),
}

/// The result of comparing a formatted text with its origin. Each is a bug of the formatter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatBug {
    /// The new text has syntax errors.
    Errors,
    /// Another tag, field, property or value.
    Values,
    /// A lost, added or changed comment, or one at another place.
    Comments,
    /// Formatting the new text again changes it.
    NotIdempotent,
}

/// Refuses text that Godot would refuse or misread.
pub(crate) fn check(document: &Document<'_>, path: Option<&str>) -> Result<(), FormatRefusal> {
    if let Some(error) = document.errors().first() {
        return Err(syntax(document, path, error.span));
    }
    for section in document.sections() {
        if section.is_broken() {
            return Err(syntax(document, path, section.tag_span()));
        }
        for property in section.properties() {
            if property.key_span() != property.engine_key_span() {
                return Err(syntax(document, path, property.engine_key_span()));
            }
        }
    }
    let text = document.text();
    if memchr::memchr(b'\r', text).is_some()
        && let Some(converted) = Converted::find(text)
    {
        return Err(FormatRefusal::ConvertedLineEnds { span: converted.strings[0] });
    }
    if document.sections().len() == 0 { Err(FormatRefusal::Empty) } else { Ok(()) }
}

/// The message of the rules on the fault at `span`.
#[cold]
fn syntax(document: &Document<'_>, path: Option<&str>, span: Span) -> FormatRefusal {
    let report =
        lint_unsuppressed(document, &LintOptions { path, ..LintOptions::default() }, |_| true);
    let at = |diagnostic: &&crate::Diagnostic| diagnostic.span == span;
    let is_error = |diagnostic: &&crate::Diagnostic| diagnostic.severity == Severity::Error;
    let diagnostics = &report.diagnostics;
    let found = diagnostics.iter().find(at).or_else(|| diagnostics.iter().find(is_error));
    match found {
        Some(found) => FormatRefusal::Syntax {
            span: found.span,
            message: format!(
                "{}[{} {}]: {}",
                found.severity.as_str(),
                found.code,
                found.name,
                found.message
            ),
        },
        None => FormatRefusal::Syntax {
            span,
            message: "Godot reads this differently from how it looks".into(),
        },
    }
}

impl FormatRefusal {
    /// The place that is to blame, if it is one.
    pub fn span(&self) -> Option<Span> {
        match self {
            Self::Syntax { span, .. }
            | Self::ConvertedLineEnds { span }
            | Self::UnknownFormat { span }
            | Self::OtherTarget { span, .. } => Some(*span),
            Self::Escn | Self::Empty | Self::Bug(_) => None,
        }
    }
}

impl fmt::Display for FormatRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Escn => {
                f.write_str("an exporter wrote this .escn file; it is not changed unless forced")
            }
            Self::Syntax { message, .. } => f.write_str(message),
            Self::ConvertedLineEnds { .. } => f.write_str(
                "all lines end with a carriage return, including those in strings; git or an editor converted the file; repair it with `gdscene fix --unsafe`",
            ),
            Self::Empty => f.write_str("the text contains no tags"),
            Self::UnknownFormat { .. } => {
                f.write_str("only formats 2 (Godot 3), 3 and 4 (Godot 4) can be formatted")
            }
            Self::OtherTarget { target, .. } => write!(
                f,
                "this is not a format of Godot {target}; convert the file with that version, or choose another target"
            ),
            Self::Bug(bug) => {
                let what = match bug {
                    FormatBug::Errors => "it has syntax errors",
                    FormatBug::Values => "it has other values",
                    FormatBug::Comments => "it has other comments",
                    FormatBug::NotIdempotent => "formatting it again changes it",
                };
                write!(
                    f,
                    "bug in gdscene, please report this file: the formatted text is dropped because {what}"
                )
            }
        }
    }
}

impl std::error::Error for FormatRefusal {}
