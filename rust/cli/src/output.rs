//! One file per output format.

pub(crate) mod excerpt;
pub(crate) mod human;
