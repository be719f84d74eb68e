//! One case: operations on one file, as we read them and as Godot is to do them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// A line of `cases`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Case {
    pub(crate) number: usize,
    /// `res://…`
    pub(crate) file: String,
    /// For [`gdscene_refactor::operations`].
    pub(crate) operations: Vec<Json>,
    /// The same, with each value as `{"godot": TEXT}`, `{"load": PATH}` or `{"new": CLASS, "properties": …}`.
    pub(crate) engine: Vec<Json>,
    /// The ids that external resources get which the file did not have, by path.
    pub(crate) ext_ids: BTreeMap<String, String>,
    /// The subject, for people and to group the differences: `set Sprite2D.texture`.
    pub(crate) about: Vec<String>,
}
