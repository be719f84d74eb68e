//! Places in a document.

/// An index as RFC 6901 writes it: decimal digits without a leading zero.
pub(super) fn index(segment: &str) -> Option<usize> {
    let is_plain = segment == "0" || !segment.starts_with(['0', '+']);
    if is_plain { segment.parse().ok() } else { None }
}
