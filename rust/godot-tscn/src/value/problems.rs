//! What the rules say of a value that stands in no file.

use crate::refusal::syntax_problems;
use crate::syntax;

/// What Godot refuses or misreads in a value's text, by place: the code of the rule that tells of it, and its sentence.
///
/// ```
/// let problems = godot_tscn::value_problems(b"Color(1, 1, 1)");
/// assert_eq!(problems, [("SYN011", "`Color` takes exactly 4 numbers".to_owned())]);
/// assert_eq!(godot_tscn::value_problems(b"Color(1, 1, 1, 1)"), []);
/// ```
pub fn value_problems(text: &[u8]) -> Vec<(&'static str, String)> {
    let file = [b"[gd_resource type=\"Resource\" format=4]\n\n[resource]\nvalue = ", text].concat();
    let document = syntax::parse(&file);
    // Most values are right, and need not be looked at by rules.
    if document.errors().is_empty() {
        return Vec::new();
    }
    let found = syntax_problems(&document);
    found.into_iter().map(|found| (found.code, found.message)).collect()
}
