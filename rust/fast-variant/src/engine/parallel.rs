//! The library's own threads.

pub(crate) mod workers;
