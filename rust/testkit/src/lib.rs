//! What tests share. Never shipped.

#![forbid(unsafe_code)]

pub mod goldens;
pub mod shared;
pub mod values;
