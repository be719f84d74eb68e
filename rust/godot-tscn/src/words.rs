//! Words that are searched in every text, so that missing ones cost nothing more.

use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use crate::conflict_marks::METADATA;

/// The beginning of a comment that suppresses findings.
pub(crate) const IGNORE_MARK: &[u8] = b"gdscene: ignore[";

/// To make ready for a search takes longer than to search a small text: it is done once for each of these.
const WORDS: [&[u8]; 12] = [
    b"Animation",
    b"Array[",
    b"ArrayMesh",
    b"Dictionary[",
    b"Object",
    b"bone",
    b"libraries/",
    METADATA.as_bytes(),
    b"_lint_ignore",
    IGNORE_MARK,
    b" \n",
    b"\t\n",
];

static FINDERS: LazyLock<[Finder<'static>; WORDS.len()]> = LazyLock::new(|| WORDS.map(Finder::new));

/// Whether `word` is anywhere in the text. It is found soonest if it is one of [`WORDS`].
pub(crate) fn holds(text: &[u8], word: &[u8]) -> bool {
    match FINDERS.iter().find(|finder| finder.needle() == word) {
        Some(finder) => finder.find(text).is_some(),
        None => memmem::find(text, word).is_some(),
    }
}
