//! Paths to nodes, resources and properties, as users write them.

use std::fmt;

use thiserror::Error;

/// A path to a property: `Player/Sprite:position`, and on into resources: `Player/Shape:shape:size`. Godot's `NodePath` with
/// subnames, and for objects outside nodes: `::ID:size` for a sub-resource, `:size` for the main resource of a `.tres` file.
///
/// ```
/// use godot_project::{ObjectPath, PropertyPath};
///
/// let path: PropertyPath = "Player/Shape:shape:size".parse()?;
/// assert_eq!(path.object, ObjectPath::Node("Player/Shape".to_owned()));
/// assert_eq!(path.keys, ["shape", "size"]);
/// assert_eq!("::Curve_x4f2a:max_value".parse::<PropertyPath>()?.object, ObjectPath::SubResource("Curve_x4f2a".to_owned()));
/// # Ok::<(), godot_project::PropertyPathError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PropertyPath {
    /// Where it begins.
    pub object: ObjectPath,
    /// The property, and those of the resources that it leads into. None if the path is that of the object itself.
    pub keys: Vec<String>,
}

/// A path to an owner of properties in a scene or resource.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ObjectPath {
    /// A node, by its path from the root, `.` for the root itself; `%Name` for one that the scene makes unique.
    Node(String),
    /// A sub-resource, by its id.
    SubResource(String),
    /// The resource that a `.tres` file is.
    MainResource,
}

/// Why a text is not a path.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PropertyPathError {
    /// There is nothing, or nothing between two `:`.
    #[error("`{0}` has an empty part; write `NODE:property`, `::ID:property` or `:property`")]
    Empty(String),
    /// It begins at the root of the running game, or leads above the scene.
    #[error("`{0}` leads out of the scene; paths begin at the root, which is `.`")]
    Outside(String),
}

impl std::str::FromStr for PropertyPath {
    type Err = PropertyPathError;

    fn from_str(path: &str) -> Result<Self, PropertyPathError> {
        let empty = || PropertyPathError::Empty(path.to_owned());
        let (object, rest) = if let Some(rest) = path.strip_prefix("::") {
            let (id, rest) = split(rest);
            (ObjectPath::SubResource(id.to_owned()), rest)
        } else if let Some(rest) = path.strip_prefix(':') {
            (ObjectPath::MainResource, Some(rest))
        } else {
            let (node, rest) = split(path);
            (ObjectPath::Node(node_path(node)?), rest)
        };
        if matches!(&object, ObjectPath::SubResource(id) if id.is_empty()) || rest == Some("") {
            return Err(empty());
        }
        let keys: Vec<String> =
            rest.map_or_else(Vec::new, |rest| rest.split(':').map(str::to_owned).collect());
        if keys.iter().any(String::is_empty) { Err(empty()) } else { Ok(Self { object, keys }) }
    }
}

/// A path to a node in its plain form: `./A/../B/` is `B`.
///
/// # Errors
/// When it is empty or leads out of the scene.
pub fn node_path(path: &str) -> Result<String, PropertyPathError> {
    if path.is_empty() {
        return Err(PropertyPathError::Empty(path.to_owned()));
    }
    let outside = || PropertyPathError::Outside(path.to_owned());
    if path.starts_with('/') {
        return Err(outside());
    }
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => _ = names.pop().ok_or_else(outside)?,
            name => names.push(name),
        }
    }
    Ok(if names.is_empty() { ".".to_owned() } else { names.join("/") })
}

fn split(path: &str) -> (&str, Option<&str>) {
    path.split_once(':').map_or((path, None), |(object, rest)| (object, Some(rest)))
}

impl fmt::Display for PropertyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.object.fmt(f)?;
        let lead = usize::from(self.object == ObjectPath::MainResource);
        for (index, key) in self.keys.iter().enumerate() {
            f.write_str(if index < lead { "" } else { ":" })?;
            f.write_str(key)?;
        }
        Ok(())
    }
}

impl fmt::Display for ObjectPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Node(path) => f.write_str(path),
            Self::SubResource(id) => write!(f, "::{id}"),
            Self::MainResource => f.write_str(":"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_written_as_they_are_read() {
        for path in [".", ".:x", "A/B", "A/B:x:y", "%A:metadata/x", "::ID", "::ID:x", ":x:y"] {
            assert_eq!(path.parse::<PropertyPath>().unwrap().to_string(), path);
        }
        assert_eq!("./A/../B/:x".parse::<PropertyPath>().unwrap().to_string(), "B:x");
    }

    #[test]
    fn what_is_not_a_path() {
        for path in ["", ":", "::", ":::x", "A:", "A::x", "/root/A", "..", "A/../..:x"] {
            path.parse::<PropertyPath>().unwrap_err();
        }
    }
}
