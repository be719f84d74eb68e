//! The formatter: a text laid out as Godot's saver lays it out
//! (`ResourceFormatSaverTextInstance::save`, scene/resources/resource_format_text.cpp, and
//! `VariantWriter::write`, core/variant/variant_parser.cpp, both 4.6.3).
//!
//! A text that the engine saved comes back byte for byte. So does such a text after somebody
//! changed its spacing, blank lines and line ends by hand.
//!
//! - `style` knows the two manners: Godot 3's (`Vector2( 1, 2 )`) for `format=2`, else Godot 4's.
//! - `layout` decides what stands between every two tokens.
//! - `gap` writes it, with the comments that stand there.
//! - `proof` compares the outcome with the input before anybody gets it.
//!
//! Tokens are copied, never made, dropped or moved: whatever the layout decides, a value cannot
//! change by it.
//!
//! # What it does not do yet
//!
//! Each of these rewrites or moves tokens. Its place is a pass over the tokens between
//! [`syntax::parse_with_tokens`] and the layout, and a looser comparison in `proof`:
//!
//! - the order of tag fields, dictionary keys and `ext_resource`s;
//! - numbers, escapes, the quoting of keys, trailing commas;
//! - `load_steps`, which Godot 4.6 and later no longer write, and older spellings of types.
//!
//! Properties and ids stay what they are for good: their order and choice are known only to the
//! engine. Texts of Godot 2 (`format=1`) are refused, for their layout changed from one minor
//! version to the next; of Godot 3's two layouts it is that of 3.1 and later, without the blank
//! line after a tag.

mod gap;
mod layout;
mod proof;
mod refusal;
mod style;
#[cfg(test)]
mod tests;

use crate::document::Document;
use crate::syntax::{self, Token};
use layout::Layout;
use style::Style;

pub use refusal::{FormatBug, FormatRefusal};

/// What [`format()`] should know besides the text.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct FormatOptions<'a> {
    /// The file's path or name. Only its extension matters; nothing is read.
    pub path: Option<&'a str>,
    /// Whether to format `.escn` files too, which exporters write and people do not edit.
    pub force_escn: bool,
}

/// A text after [`format()`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatted {
    /// The new text.
    pub text: Vec<u8>,
    /// Whether it differs from what was given.
    pub is_changed: bool,
}

/// Lays `text` out as Godot would save it.
///
/// Only what stands between tokens changes; strings and comments keep their bytes, trailing blanks
/// of comments aside.
///
/// # Errors
/// When Godot would refuse or misread the text, when it should be left alone, or when the outcome
/// does not stand the comparison with the input; see [`FormatRefusal`].
///
/// ```
/// let text = b"[gd_scene format=3]\r\n[node  name=\"A\" type = \"Node2D\"]\r\nposition=Vector2( 1,2 )";
/// let formatted = tscn::format(text, &tscn::FormatOptions::default()).unwrap();
/// assert!(formatted.is_changed);
/// assert_eq!(
///     formatted.text,
///     b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"]\nposition = Vector2(1, 2)\n"
/// );
/// ```
pub fn format(text: &[u8], options: &FormatOptions<'_>) -> Result<Formatted, FormatRefusal> {
    if options.is_escn() && !options.force_escn {
        return Err(FormatRefusal::Escn);
    }
    let (document, tokens) = syntax::parse_with_tokens(text);
    refusal::check(&document, options.path)?;
    let formatted = lay_out(&document, &tokens)?;
    let is_changed = formatted != text;
    // Else there is nothing to prove: the tokens are the same, and so is the second outcome.
    if is_changed {
        proof::check(text, &tokens, &formatted)?;
    }
    Ok(Formatted { text: formatted, is_changed })
}

/// Writes the tokens of a sound document.
fn lay_out(document: &Document<'_>, tokens: &[Token]) -> Result<Vec<u8>, FormatRefusal> {
    Ok(Layout::new(document, tokens, style_of(document)?).write())
}

/// The manner of the version that the header names.
fn style_of(document: &Document<'_>) -> Result<Style, FormatRefusal> {
    let header = document.sections().next();
    let Some(format) = header.and_then(|header| header.field("format")) else {
        return Ok(Style::Godot4);
    };
    match format.int() {
        Some(2) => Ok(Style::Godot3),
        Some(3 | 4) => Ok(Style::Godot4),
        _ => Err(FormatRefusal::UnknownFormat { span: format.value_span() }),
    }
}

impl<'a> FormatOptions<'a> {
    /// Options for the file at `path`.
    pub fn for_path(path: &'a str) -> Self {
        Self { path: Some(path), ..Self::default() }
    }

    fn is_escn(&self) -> bool {
        let extension = self.path.and_then(|path| path.rsplit_once('.'));
        extension.is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("escn"))
    }
}
