//! The formatter: a text as Godot's saver writes it (`ResourceFormatSaverTextInstance::save`,
//! scene/resources/resource_format_text.cpp, and `VariantWriter::write`,
//! core/variant/variant_parser.cpp, both 4.6.3).
//!
//! A text that the engine saved comes back byte for byte. So does such a text after changes of its
//! spacing, blank lines and line ends, the order of its tags' fields, `ext_resource`s and
//! dictionary keys, or the form of its numbers, escapes and quotes.
//!
//! - `profile` decides the form for the version of Godot; `style` has the two styles of spacing:
//!   Godot 3's (`Vector2( 1, 2 )`) for `format=2`, else Godot 4's;
//! - `printer` writes tags and properties, `values` their contents, `numeral` and `text` numbers and
//!   strings, `order` has the sorted parts and their order;
//! - `spacing` writes white space, with the comments that stand there;
//! - `output` is their buffer;
//! - `verify` compares the outcome with the input before anybody gets it, by its `fingerprint`.
//!
//! # What never changes
//!
//! Properties and ids: their order and choice are known only to the engine. If a comment is in a
//! tag, a dictionary or between `ext_resource`s, nothing there is moved.
//!
//! A number that the target would cut to six digits (Godot 3, and 4 before 4.5) keeps its digits:
//! only the engine may lose them.
//!
//! Texts of Godot 2 (`format=1`) are refused, because their layout changed from one minor version
//! to the next. Of Godot 3's two layouts it is that of 3.1 and later, without the blank line after
//! a tag.

mod constructs;
mod fingerprint;
mod numeral;
pub(crate) mod order;
mod output_buffer;
mod printer;
pub(crate) mod profile;
mod refusal;
mod spacing;
pub(crate) mod style;
#[cfg(test)]
mod tests;
pub(crate) mod text;
mod values;
mod verify;

use std::borrow::Cow;

use hashbrown::DefaultHashBuilder;

use crate::config_file::is_config_path;
use crate::document::Field;
use crate::godot_version::GodotVersion;
use crate::syntax;
use fingerprint::Fingerprint;
use printer::Printer;
use profile::FormatProfile;

pub use refusal::{FormatBug, FormatRefusal};

/// The options of [`format()`].
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct FormatOptions<'a> {
    /// The file's path or name. Only its extension matters; nothing is read.
    pub path: Option<&'a str>,
    /// Whether to format `.escn` files too, which exporters write and people do not edit.
    pub force_escn: bool,
    /// The version of Godot for the form of the text; [`project_target`] finds it.
    ///
    /// Without it, the header decides if possible. Where the versions differ and the header does
    /// not distinguish them, the form of any of them stays.
    pub target: Option<GodotVersion>,
}

/// A text after [`format()`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatted<'t> {
    /// The new text, or the old one if nothing had to be changed.
    pub text: Cow<'t, [u8]>,
    /// Whether it differs from the input.
    pub is_changed: bool,
}

/// Writes `text` as Godot would save it.
///
/// Godot reads the same from it as before: the same tags, properties and values, and comments stay
/// where they are. Settings files, which it knows by their path ([`is_config_path`]), stay as they are.
///
/// # Errors
/// When Godot would refuse or misread the text, when it should be left alone, or when the outcome
/// differs from the input; see [`FormatRefusal`].
///
/// ```
/// let text = b"[gd_scene format=3]\r\n[node type = \"Node2D\" name=\"A\"]\r\nposition=Vector2( 1.50,2 )";
/// let formatted = godot_tscn::format(text, &godot_tscn::FormatOptions::default()).unwrap();
/// assert!(formatted.is_changed);
/// assert_eq!(
///     formatted.text.as_ref(),
///     b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"]\nposition = Vector2(1.5, 2)\n"
/// );
/// ```
pub fn format<'t>(
    text: &'t [u8],
    options: &FormatOptions<'_>,
) -> Result<Formatted<'t>, FormatRefusal> {
    if options.path.is_some_and(is_config_path) {
        return Ok(Formatted { text: Cow::Borrowed(text), is_changed: false });
    }
    if options.is_escn() && !options.force_escn {
        return Err(FormatRefusal::Escn);
    }
    let mut printed = {
        let document = syntax::parse(text);
        refusal::check(&document, options.path)?;
        let profile = FormatProfile::of(&document, options.target)?;
        let fingerprint = Fingerprint::new(DefaultHashBuilder::default());
        Printer::new(&document, profile, fingerprint).write()
    };
    let Some(formatted) = printed.text.take() else {
        // There is nothing to prove: it is the same text.
        return Ok(Formatted { text: Cow::Borrowed(text), is_changed: false });
    };
    verify::verify(text, &printed, &formatted, options)?;
    Ok(Formatted { text: Cow::Owned(formatted), is_changed: true })
}

/// The target for a text in a project of the version `project`: that version, unless the text's header
/// shows that another one saved it.
///
/// Godot 4.6 dropped the field `load_steps`; a scene that has it was not saved since. The form of the
/// project's version is not a reason to change such a file. To do so for all files at once, use that
/// version as the target.
///
/// ```
/// use godot_tscn::{GodotVersion, project_target};
/// let project = Some(GodotVersion::godot4(6));
/// assert_eq!(project_target(b"[gd_scene format=3]\n", project), project);
/// assert_eq!(project_target(b"[gd_scene load_steps=2 format=3]\n", project), None);
/// assert_eq!(project_target(b"[gd_scene format=2]\n", project), None);
/// ```
pub fn project_target(text: &[u8], project: Option<GodotVersion>) -> Option<GodotVersion> {
    let project = project?;
    let header_end = memchr::memchr(b']', text)?;
    let document = syntax::parse(&text[..=header_end]);
    let header = document.sections().next()?;
    let has_load_steps = header.field("load_steps").is_some();
    let format = header.field("format").and_then(Field::int).unwrap_or(3);
    let is_resource = |tag: &[u8]| memchr::memmem::find(text, tag).is_some();
    let is_older = has_load_steps && project >= GodotVersion::godot4(6);
    let is_newer = !has_load_steps
        && project < GodotVersion::godot4(6)
        && (is_resource(b"\n[ext_resource ") || is_resource(b"\n[sub_resource "));
    let first = match format {
        2 => GodotVersion { major: 3, minor: 0 },
        3 => GodotVersion::godot4(0),
        _ => GodotVersion::godot4(3),
    };
    let fits = project >= first && (project.major == 4) == (format > 2);
    (fits && !is_older && !is_newer).then_some(project)
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
