//! The names that an untrusted file may use.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::untrusted::is_folder_of;

/// The names that an untrusted file may use.
///
/// A list that is `None` allows everything that no other rule forbids.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct AllowList {
    /// The classes of nodes and resources that may be created or loaded: `Sprite2D`.
    pub classes: Option<BTreeSet<String>>,
    /// Files (`res://player.tscn`, `uid://abc`), and folders with a slash at the end
    /// (`user://mods/`). Scripts in this list may be attached.
    pub paths: Option<Vec<String>>,
    /// Properties of scripts that `paths` lists, which may have plain data as values: `hit_points`. Also those of the
    /// scenes that it lists.
    pub properties: Option<BTreeSet<String>>,
    /// Uids that were looked up, and the paths they lead to. A reference with both that agrees is judged
    /// by its path.
    pub uids: BTreeMap<String, String>,
}

impl AllowList {
    /// Whether things of this class may be created.
    pub fn allows_class(&self, class: &str) -> bool {
        self.classes.as_ref().is_none_or(|classes| classes.contains(class))
    }

    /// Whether the file at `path` is listed, or a folder that it is in. A path with `..` never is.
    pub fn lists_path(&self, path: &str) -> bool {
        let mut paths = self.paths.iter().flatten();
        paths.any(|listed| listed == path || is_folder_of(listed, path))
    }

    /// Whether it is known that `uid` leads to `path`.
    pub fn confirms(&self, uid: &str, path: &str) -> bool {
        self.uids.get(uid).is_some_and(|known| known == path)
    }
}
