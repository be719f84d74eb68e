//! From the engine's values to any sink.

pub(crate) mod array;
pub(crate) mod builtin;
pub(crate) mod container;
pub(crate) mod dictionary;
pub(crate) mod look_ahead;
pub(crate) mod object;
pub(crate) mod prefetch;
pub(crate) mod source;
pub(crate) mod value;
