//! Patterns of paths in a configuration.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// At most this number of patterns may be in a configuration: each is compared with the path of
/// each file.
pub(crate) const MAX_GLOBS: usize = 1000;

/// A pattern has at most this number of bytes, and of nested braces. The program that is made of a pattern grows with
/// both, and reading braces in braces takes the stack.
const MAX_LENGTH: usize = 1000;
const MAX_BRACES: usize = 8;

/// A pattern of paths.
#[derive(Clone, Debug)]
pub(crate) struct Glob(GlobSet);

impl Glob {
    /// The pattern that `text` is, from the project's folder.
    ///
    /// # Errors
    /// When it is not a pattern, or takes too much work to compare.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        let text = text.strip_prefix("res://").unwrap_or(text);
        if text.len() > MAX_LENGTH {
            return Err(format!("the pattern has {} bytes; the limit is {MAX_LENGTH}", text.len()));
        }
        if depth_of_braces(text) > MAX_BRACES {
            return Err(format!("more than {MAX_BRACES} nested braces"));
        }
        let glob = GlobBuilder::new(text).literal_separator(true).build();
        // Not `compile_matcher`, which panics where this fails.
        let set = glob.and_then(|glob| GlobSetBuilder::new().add(glob).build());
        set.map(Self).map_err(|error| error.kind().to_string())
    }

    pub(crate) fn is_match(&self, path: &str) -> bool {
        self.0.is_match(path)
    }
}

/// How many braces are open at most; escaped ones count, too.
fn depth_of_braces(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}
