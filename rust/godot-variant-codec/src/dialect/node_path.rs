//! Node paths as plain text, the form before names were counted.

use godot_variant::{NodePath, NodePathRef};

/// Takes a path apart: names between slashes, then subnames between colons. Empty names, as in
/// `a//b`, are left out, as the engine's constructor from text does (core/string/node_path.cpp, 4.6).
pub(super) fn with_parsed<R>(text: &str, with: impl FnOnce(NodePathRef<'_>) -> R) -> R {
    let (names, subnames) = match text.split_once(':') {
        Some((names, subnames)) => (names, subnames),
        None => (text, ""),
    };
    let parts = |text: &str, separator: char| -> Vec<Box<str>> {
        text.split(separator).filter(|part| !part.is_empty()).map(Box::from).collect()
    };
    let path = NodePath {
        absolute: names.starts_with('/'),
        names: parts(names, '/'),
        subnames: parts(subnames, ':'),
    };
    path.with_ref(with)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        with_parsed(text, |path| path.to_owned().to_string())
    }

    #[test]
    fn paths_are_taken_apart() {
        for text in ["/root/a:b:c", "a", "../a/b", ".", "", ":position:x", "/"] {
            assert_eq!(shown(text), text);
        }
        assert_eq!(shown("a//b/:c::d:"), "a/b:c:d");
    }
}
