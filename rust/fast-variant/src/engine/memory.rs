//! Memory of the engine's that outlives one element: texts, byte arrays, strings that are kept.

pub(crate) mod cross_thread;
pub(crate) mod string_cache;
pub(crate) mod text;
pub(crate) mod uninit_bytes;
