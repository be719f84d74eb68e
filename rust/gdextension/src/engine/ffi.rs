//! The engine's functions, and the places in its memory that may be used without them.

pub(crate) mod api;
pub(crate) mod layout;
pub(crate) mod method_calls;
pub(crate) mod probe;
pub(crate) mod switches;
