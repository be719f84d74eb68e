//! The comparison of a formatted text with its origin: nothing wrong is ever returned.

use crate::format::FormatOptions;
use crate::format::fingerprint::Fingerprint;
use crate::format::manner::Manner;
use crate::format::printer::Printer;
use crate::format::refusal::{FormatBug, FormatRefusal};
use crate::syntax;

/// Refuses `formatted` if it does not say what `origin` says, or if formatting it again would
/// change it.
pub(crate) fn check(
    origin: &Fingerprint,
    formatted: &[u8],
    options: &FormatOptions<'_>,
) -> Result<(), FormatRefusal> {
    let document = syntax::parse(formatted);
    if !document.errors().is_empty() {
        return Err(FormatRefusal::Bug(FormatBug::Errors));
    }
    let manner = Manner::of(&document, options.target)?;
    let printed = Printer::new(&document, manner, origin.fresh()).write();
    let bug = if !origin.has_same_comments(&printed.fingerprint) {
        FormatBug::Comments
    } else if !origin.has_same_values(&printed.fingerprint) {
        FormatBug::Values
    } else if printed.text.is_some() {
        FormatBug::NotIdempotent
    } else {
        return Ok(());
    };
    Err(FormatRefusal::Bug(bug))
}
