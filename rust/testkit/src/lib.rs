//! What tests share. Never shipped.

pub mod shared;
