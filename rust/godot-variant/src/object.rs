//! Objects and signals, as far as they can exist without an engine.

use crate::Value;

/// An object outside the engine: what a format can say of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Object {
    /// No object.
    Null,
    /// The instance id that an object had where it lived (`EncodedObjectAsID`).
    Id(u64),
    /// The class and the stored properties, in the order in which they were written.
    Full {
        /// The engine class, e.g. `Node2D`.
        class: Box<str>,
        /// Name and value of each property; `script` holds the script's path.
        properties: Vec<(Box<str>, Value)>,
    },
}

/// A signal: a name, and the instance id of the object that emits it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Signal {
    /// The signal's name.
    pub name: Box<str>,
    /// The emitter's instance id, 0 for none.
    pub object_id: u64,
}
