//! Where in a nested value something is.

use std::fmt;

use crate::Value;
use crate::value::brief_text;

/// One step down into a container.
#[derive(Clone, Debug, PartialEq)]
pub enum Segment {
    /// The element at this index of an array.
    Index(usize),
    /// The value under this key of a dictionary.
    Key(Value),
    /// The key itself of a dictionary's entry with this number.
    EntryKey(usize),
    /// A property of an object.
    Property(Box<str>),
}

/// The way from the outermost value to an inner one, outermost step first.
///
/// Shown as GDScript would index it: `[3]["pos"].name`. Empty for the outermost value itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// Innermost first: a path grows while a failure passes outwards.
    inner_first: Vec<Segment>,
}

impl Path {
    /// Whether this is the outermost value.
    pub fn is_empty(&self) -> bool {
        self.inner_first.is_empty()
    }

    /// The steps from the outside in.
    pub fn segments(&self) -> impl ExactSizeIterator<Item = &Segment> {
        self.inner_first.iter().rev()
    }

    /// Puts one more step in front: the value so far was inside `segment`.
    pub fn push_outer(&mut self, segment: Segment) {
        self.inner_first.push(segment);
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A path at the depth limit would fill a screen: show both ends.
        const SHOWN: usize = 16;
        let len = self.inner_first.len();
        for (index, segment) in self.segments().enumerate() {
            if len > 2 * SHOWN && index == SHOWN {
                write!(f, "…({} more)…", len - 2 * SHOWN)?;
            }
            if len <= 2 * SHOWN || index < SHOWN || index >= len - SHOWN {
                segment.fmt(f)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Segment::Index(index) => write!(f, "[{index}]"),
            Segment::Key(key) => write!(f, "[{}]", key.brief()),
            Segment::EntryKey(entry) => write!(f, "[key {entry}]"),
            Segment::Property(name) if is_plain(name) => write!(f, ".{name}"),
            Segment::Property(name) => write!(f, ".{}", brief_text(name, SHOWN_CHARS)),
        }
    }
}

/// How much is shown of a name that anyone may have made up.
const SHOWN_CHARS: usize = 40;

/// Whether a name can stand in a line as it is.
fn is_plain(name: &str) -> bool {
    name.chars().count() <= SHOWN_CHARS
        && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '/')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(segments: impl IntoIterator<Item = Segment>) -> Path {
        let mut path = Path::default();
        segments.into_iter().for_each(|segment| path.push_outer(segment));
        path
    }

    #[test]
    fn shows_steps_from_the_outside_in() {
        let path = path([
            Segment::Property("name".into()),
            Segment::Key(Value::from("pos")),
            Segment::Index(3),
        ]);
        assert_eq!(path.to_string(), "[3][\"pos\"].name");
    }

    #[test]
    fn odd_names_stay_on_one_line() {
        assert_eq!(path([Segment::Property("a\nb".into())]).to_string(), ".\"a\\nb\"");
        let long = path([Segment::Property("a".repeat(1000).into())]).to_string();
        assert!(long.len() < 60, "{long}");
    }

    #[test]
    fn shortens_the_middle_of_a_deep_path() {
        let shown = path((0..1000).map(Segment::Index)).to_string();
        assert!(shown.starts_with("[999][998]"), "{shown}");
        assert!(shown.contains("…(968 more)…"), "{shown}");
        assert!(shown.ends_with("[1][0]"), "{shown}");
    }
}
