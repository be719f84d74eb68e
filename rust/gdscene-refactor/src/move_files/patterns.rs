//! Patterns of paths, in export filters and in `gdscene.toml`.

use globset::{GlobBuilder, GlobMatcher};

use crate::move_files::literal::{Moving, Verdict};

/// The meaning of the signs of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// `String::matchn`: `*` goes over folders, and case does not count.
    Export,
    /// The syntax of `gdscene.toml`.
    Config,
}

/// Longer ones are compared with nothing.
const MAX_LENGTH: usize = 1000;

/// At most this number of patterns of a list is compared with all moving paths.
const MAX_COUNT: usize = 200;

/// The change of a pattern. A pattern with a fixed part in the moved folder goes with it; for others, it depends on
/// whether they match the same files afterwards. `index` is its place in its list.
pub(super) fn moved(moving: Moving<'_>, pattern: &str, syntax: Syntax, index: usize) -> Verdict {
    let scheme = if pattern.starts_with("res://") { "" } else { "res://" };
    let path = format!("{scheme}{pattern}");
    let signs: &[char] = match syntax {
        Syntax::Export => &['*', '?'],
        Syntax::Config => &['*', '?', '[', '{', '\\'],
    };
    let fixed = path.find(signs).map_or(path.as_str(), |end| &path[..end]);
    let is_whole = fixed.len() == path.len();
    let folder = &path[..fixed.rfind('/').map_or(0, |slash| slash)];
    let anchor = if is_whole { fixed } else { folder };
    if let Some(new) = moving.renames.written(anchor.trim_end_matches('/')) {
        let new = new + &path[anchor.trim_end_matches('/').len()..];
        return Verdict::Becomes(new[scheme.len()..].to_owned());
    }
    let Some(matcher) = matcher(pattern, syntax).filter(|_| !is_whole && index < MAX_COUNT) else {
        return Verdict::Keep;
    };
    let is_taken = |path: &str| {
        let short = path.strip_prefix("res://").unwrap_or(path);
        matcher.is_match(short) || (syntax == Syntax::Export && matcher.is_match(path))
    };
    let changes = moving.renames.files.iter().any(|(old, new)| is_taken(old) != is_taken(new));
    match changes {
        true => Verdict::Doubt("is a pattern that matches different files after the move".into()),
        false => Verdict::Keep,
    }
}

fn matcher(pattern: &str, syntax: Syntax) -> Option<GlobMatcher> {
    if pattern.len() > MAX_LENGTH {
        return None;
    }
    let is_export = syntax == Syntax::Export;
    let pattern = match is_export {
        // Only `*` and `?` are signs there.
        true => pattern.replace(['[', ']', '{', '}', '\\'], "?"),
        false => pattern.strip_prefix("res://").unwrap_or(pattern).to_owned(),
    };
    if pattern.bytes().filter(|byte| *byte == b'{').count() > 8 {
        return None;
    }
    let glob = GlobBuilder::new(&pattern)
        .literal_separator(!is_export)
        .case_insensitive(is_export)
        .build();
    Some(glob.ok()?.compile_matcher())
}
