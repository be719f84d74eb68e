//! The differences between the versions of Godot, decided once for a text.

use crate::document::{Document, Section, TagKind};
use crate::format::refusal::FormatRefusal;
use crate::format::style::{Bracket, Style};
use crate::godot_version::GodotVersion;

/// The format of one text: the differences between the versions of Godot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FormatProfile {
    pub(crate) style: Style,
    /// Inside `Object(…)`.
    pub(crate) object: Bracket,
    pub(crate) numbers: NumberRule,
    pub(crate) load_steps: LoadSteps,
    /// How minus infinity is spelled, if that is known.
    pub(crate) minus_infinity: Option<&'static str>,
    /// Whether bytes are written as base64 instead of numbers: `format=4`.
    pub(crate) is_base64: bool,
}

/// Which rule numbers follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberRule {
    /// `%g`, up to Godot 4.4.
    SixDigits,
    /// Grisu2, since Godot 4.5.
    Shortest,
    /// The version is unknown: the right form by either rule stays; else the newer one is taken.
    Either,
}

/// The fate of the header's field `load_steps`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoadSteps {
    /// It stays as it is.
    Keep,
    /// It is the number of resources and one, and absent without resources: up to Godot 4.5.
    Count(usize),
    /// It is gone: since Godot 4.6.
    Drop,
}

impl FormatProfile {
    /// The profile of the header's `format`, and of `target` if that is given.
    pub(crate) fn of(
        document: &Document<'_>,
        target: Option<GodotVersion>,
    ) -> Result<Self, FormatRefusal> {
        let header = document.sections().next();
        let field = header.and_then(|header| header.field("format"));
        // A text without the field is read as one of the newest.
        let (format, span) = match field {
            Some(field) => (field.int(), field.value_span()),
            None => (Some(3), header.map(Section::tag_span).unwrap_or_default()),
        };
        let (style, major) = match format {
            Some(2) => (Style::Godot3, 3),
            Some(3 | 4) => (Style::Godot4, 4),
            _ => return Err(FormatRefusal::UnknownFormat { span }),
        };
        match target {
            Some(target) if target.major != major => {
                return Err(FormatRefusal::OtherTarget { span, target });
            }
            Some(target) if format == Some(4) && target < GodotVersion::godot4(3) => {
                return Err(FormatRefusal::OtherTarget { span, target });
            }
            _ => {}
        }
        let in_lines = target.is_some_and(|target| target >= GodotVersion::godot4(8));
        Ok(Self {
            style,
            object: if in_lines { Bracket::ObjectInLines } else { Bracket::Object },
            numbers: number_rule(style, target),
            load_steps: load_steps(document, target),
            minus_infinity: match (format, target) {
                (Some(4), Some(target)) if target >= GodotVersion::godot4(5) => Some("-inf"),
                (Some(4), _) => None,
                _ => Some("inf_neg"),
            },
            is_base64: format == Some(4),
        })
    }
}

fn number_rule(style: Style, target: Option<GodotVersion>) -> NumberRule {
    match (style, target) {
        (Style::Godot3, _) => NumberRule::SixDigits,
        (Style::Godot4, None) => NumberRule::Either,
        (Style::Godot4, Some(target)) if target < GodotVersion::godot4(5) => NumberRule::SixDigits,
        (Style::Godot4, Some(_)) => NumberRule::Shortest,
    }
}

/// `ResourceFormatSaverTextInstance::save` of 4.5 and before counts all resources and the main one.
fn load_steps(document: &Document<'_>, target: Option<GodotVersion>) -> LoadSteps {
    match target {
        None => LoadSteps::Keep,
        Some(target) if target >= GodotVersion::godot4(6) => LoadSteps::Drop,
        Some(_) => {
            let is_resource = |kind| matches!(kind, TagKind::ExtResource | TagKind::SubResource);
            let resources = document.sections().filter(|section| is_resource(section.kind()));
            LoadSteps::Count(resources.count())
        }
    }
}
