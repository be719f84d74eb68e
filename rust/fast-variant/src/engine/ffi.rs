//! The engine's functions, and the places in its memory that may be used without them.

pub(crate) mod api;
mod guarded_calls;
#[cfg(feature = "editor")]
mod help;
pub(crate) mod interception;
pub(crate) mod layout;
mod method_calls;
pub(crate) mod probe;
pub(crate) mod switches;
