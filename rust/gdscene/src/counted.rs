//! Numbers with their nouns.

use std::fmt;

/// `1 file`, `2 files`.
pub(crate) struct Counted(pub(crate) usize, pub(crate) &'static str);

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count, noun) = self;
        let plural = if noun.ends_with('x') { "es" } else { "s" };
        write!(f, "{count} {noun}{}", if *count == 1 { "" } else { plural })
    }
}
