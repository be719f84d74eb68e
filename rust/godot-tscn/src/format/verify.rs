//! The comparison of a formatted text with its origin: nothing wrong is ever returned.

use crate::format::FormatOptions;
use crate::format::printer::{Printed, Printer};
use crate::format::profile::FormatProfile;
use crate::format::refusal::{FormatBug, FormatRefusal};
use crate::syntax;

/// Refuses `formatted` if it differs in meaning from `origin`, from which it was `printed`, or if
/// formatting it again would change it.
///
/// Sections that stayed byte for byte, and are at the same place among the sections again, have the
/// same meaning; the others are read and written once more.
pub(crate) fn verify(
    origin: &[u8],
    printed: &Printed,
    formatted: &[u8],
    options: &FormatOptions<'_>,
) -> Result<(), FormatRefusal> {
    let (same_sections, origin_fingerprint) = (&printed.same_sections, &printed.fingerprint);
    let document = syntax::parse(formatted);
    if !document.errors().is_empty() {
        return Err(FormatRefusal::Bug(FormatBug::Errors));
    }
    let profile = FormatProfile::of(&document, options.target)?;
    let again = Printer::new(&document, profile, origin_fingerprint.fresh())
        .write_again(Some((origin, same_sections)));
    let bug = if !origin_fingerprint.has_same_comments(&again.fingerprint) {
        FormatBug::Comments
    } else if !origin_fingerprint.has_same_values(&again.fingerprint)
        || again.same_sections.len() != same_sections.len()
    {
        FormatBug::Values
    } else if again.text.is_some() {
        FormatBug::NotIdempotent
    } else {
        return Ok(());
    };
    Err(FormatRefusal::Bug(bug))
}
