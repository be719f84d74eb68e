//! From any source to the engine's values.

pub(crate) mod array;
pub(crate) mod builder;
pub(crate) mod container_type;
pub(crate) mod dictionary;
pub(crate) mod object;
pub(crate) mod sink;
pub(crate) mod slot;
pub(crate) mod strings;
