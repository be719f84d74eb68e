//! Several threads that work on one value.

pub(crate) mod fill;
pub(crate) mod workers;
