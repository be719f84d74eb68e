//! Node paths.

use crate::Text;

/// A `NodePath`: the names of nodes, then the names of properties inside the last one.
///
/// The parts are kept apart as the engine does, so a name may hold what would be a separator in
/// text. [`Display`](std::fmt::Display) writes Godot's notation.
///
/// ```
/// use godot_variant::NodePath;
/// let path = NodePath {
///     absolute: true,
///     names: vec!["root".into(), "Player".into()],
///     subnames: vec!["position".into(), "x".into()],
/// };
/// assert_eq!(path.to_string(), "/root/Player:position:x");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct NodePath {
    /// Whether the path starts at the root of the scene tree.
    pub absolute: bool,
    /// The names between the slashes.
    pub names: Vec<Box<str>>,
    /// The names behind the colons.
    pub subnames: Vec<Box<str>>,
}

/// [`NodePath`] borrowed from wherever its parts stand.
#[derive(Clone, Copy, Debug)]
pub struct NodePathRef<'a> {
    /// Whether the path starts at the root of the scene tree.
    pub absolute: bool,
    /// The names between the slashes.
    pub names: &'a [Text<'a>],
    /// The names behind the colons.
    pub subnames: &'a [Text<'a>],
}

impl NodePath {
    /// The path that Godot reads from a text (`NodePath::NodePath(const String &)`, core/string/node_path.cpp, 4.6): slashes between
    /// names, then colons before properties.
    pub fn from_text(text: &str) -> Self {
        let (names, subnames) = text.split_once(':').unwrap_or((text, ""));
        let parts = |text: &str, separator| {
            text.split(separator).filter(|part| !part.is_empty()).map(Box::from).collect()
        };
        Self {
            absolute: names.starts_with('/'),
            names: parts(names, '/'),
            subnames: parts(subnames, ':'),
        }
    }

    /// Lends the parts to `with` in the form that a sink takes.
    pub fn with_ref<R>(&self, with: impl FnOnce(NodePathRef<'_>) -> R) -> R {
        fn texts(names: &[Box<str>]) -> Vec<Text<'_>> {
            names.iter().map(|name| Text::Utf8(name)).collect()
        }
        with(NodePathRef {
            absolute: self.absolute,
            names: &texts(&self.names),
            subnames: &texts(&self.subnames),
        })
    }
}

impl NodePathRef<'_> {
    /// Copies the path out of what it borrows from.
    pub fn to_owned(self) -> NodePath {
        fn boxed(texts: &[Text<'_>]) -> Vec<Box<str>> {
            texts.iter().map(|text| text.to_boxed_str()).collect()
        }
        NodePath {
            absolute: self.absolute,
            names: boxed(self.names),
            subnames: boxed(self.subnames),
        }
    }
}

impl std::fmt::Display for NodePath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.absolute {
            f.write_str("/")?;
        }
        f.write_str(&self.names.join("/"))?;
        self.subnames.iter().try_for_each(|name| write!(f, ":{name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::NodePath;

    #[test]
    fn node_paths_are_read_as_godot_reads_them() {
        for text in ["/root/A:position:x", "../A", "A", "", ":a", "/"] {
            assert_eq!(NodePath::from_text(text).to_string(), text);
        }
        assert_eq!(NodePath::from_text("a//b/").to_string(), "a/b");
    }
}
