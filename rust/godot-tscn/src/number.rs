//! Numbers as Godot's text formats read and write them.

mod grisu2;
mod read;
mod write;

pub(crate) use read::{Numeral, is_number, parse_float, parse_int};
pub(crate) use write::{write_f32, write_f64, write_six_digits};

#[cfg(test)]
mod tests;
