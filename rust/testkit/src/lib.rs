//! What tests share. Never shipped.

#![forbid(unsafe_code)]

pub mod codec_checks;
pub mod fuzz_bodies;
pub mod git;
pub mod goldens;
pub mod hex;
pub mod made_values;
pub mod merge_checks;
pub mod o3de_checks;
pub mod shared;
pub mod text_checks;
pub mod values;
pub mod words;
