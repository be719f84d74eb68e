//! Places in a document.

use crate::Json;

/// The value at the place that `segments` lead to.
pub(super) fn find<'a>(document: &'a Json, segments: &[String]) -> Option<&'a Json> {
    segments.iter().try_fold(document, |value, segment| match value {
        Json::Object(_) => value.member(segment),
        Json::Array(elements) => elements.get(index(segment)?),
        _ => None,
    })
}

/// The value at the place that `segments` lead to, to be changed.
pub(crate) fn find_mut<'a>(document: &'a mut Json, segments: &[String]) -> Option<&'a mut Json> {
    segments.iter().try_fold(document, |value, segment| match value {
        Json::Object(members) => {
            members.iter_mut().find(|(name, _)| name == segment).map(|(_, value)| value)
        }
        Json::Array(elements) => elements.get_mut(index(segment)?),
        _ => None,
    })
}

/// An index as RFC 6901 writes it: decimal digits without a leading zero.
pub(super) fn index(segment: &str) -> Option<usize> {
    let is_plain = segment == "0" || !segment.starts_with(['0', '+']);
    if is_plain { segment.parse().ok() } else { None }
}
