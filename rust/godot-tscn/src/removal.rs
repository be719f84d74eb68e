//! Taking tags and properties out of a text without leaving holes.

use crate::diagnostic::{Applicability, Fix};
use crate::document::{Document, Property};
use crate::edit_set::Edit;
use crate::span::{Span, next_line_after};

/// A fix that removes a property with its line.
pub(crate) fn remove_property(
    document: &Document<'_>,
    property: Property<'_>,
    applicability: Applicability,
) -> Fix {
    let span = property.key_span().join(property.value_span());
    let edit = Edit::remove(line_to_remove(document.text(), span));
    Fix::new("remove the property", applicability, vec![edit])
}

/// A tag or property with its line, and one of the blank lines around it if it is alone between two; only itself if its
/// line has more.
pub(crate) fn line_to_remove(text: &[u8], what: Span) -> Span {
    let start = what.start as usize;
    if !text[..start].ends_with(b"\n") {
        return what;
    }
    let Some(next) = next_line_after(text, what.end) else { return what };
    let mut next = next as usize;
    if text[..start].ends_with(b"\n\n") && text[next..].starts_with(b"\n") {
        next += 1;
    }
    Span::new(what.start, next as u32)
}
