//! Numbers to text: `rtos_fix` (core/variant/variant_parser.cpp) and `String::num_scientific`.

use std::io::Write as _;

use crate::number::grisu2::{Digits, digits_of_f32, digits_of_f64};

/// Writes a number as Godot 4.5 and later do: `rtos_fix`, which takes the digits of a 32-bit number
/// wherever the value is one.
///
/// Infinities and NaN are `inf`, `-inf` and `nan`.
#[inline]
pub(crate) fn write_f64(out: &mut Vec<u8>, value: f64) {
    let narrow = value as f32;
    if f64::from(narrow) == value {
        return write_f32(out, narrow);
    }
    if write_special(out, value) {
        return;
    }
    write_digits(out, &digits_of_f64(value.abs()));
}

/// Writes a 32-bit number, as [`write_f64`] does.
#[inline]
pub(crate) fn write_f32(out: &mut Vec<u8>, value: f32) {
    if write_special(out, f64::from(value)) {
        return;
    }
    write_digits(out, &digits_of_f32(value.abs()));
}

/// Writes a number as Godot 3 and Godot 4.0 to 4.4 do: six digits, as `%g` of C. Godot 3 has 32-bit
/// numbers only, and cuts a value down to one first (`Variant::operator real_t`).
pub(crate) fn write_six_digits(out: &mut Vec<u8>, value: f64) {
    if write_special(out, value) {
        return;
    }
    let mut text = [0; 32];
    let mut rest = &mut text[..];
    // `d.ddddde-7`: correctly rounded, as glibc's is. Thirty-two bytes take it.
    let _ = write!(rest, "{:.5e}", value.abs());
    let length = 32 - rest.len();
    let text = std::str::from_utf8(&text[..length]).unwrap_or_default();
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let digits: Vec<u8> = digits.bytes().filter(|byte| *byte != b'.').collect();
    let zeros = digits.iter().rev().take_while(|digit| **digit == b'0').count();
    write_decimal(out, &digits[..digits.len() - zeros], exponent + 1, 6);
}

/// Writes a number without digits, or the sign of a number with digits.
#[inline]
fn write_special(out: &mut Vec<u8>, value: f64) -> bool {
    if value == 0.0 {
        // Godot writes no sign either, which "may annoy git".
        out.push(b'0');
        return true;
    }
    if value.is_nan() {
        out.extend_from_slice(b"nan");
        return true;
    }
    if value < 0.0 {
        out.push(b'-');
    }
    if value.is_infinite() {
        out.extend_from_slice(b"inf");
    }
    value.is_infinite()
}

#[inline]
fn write_digits(out: &mut Vec<u8>, digits: &Digits) {
    let bytes = digits.as_bytes();
    write_decimal(out, bytes, bytes.len() as i32 + digits.exponent, 15);
}

/// Writes digits with the decimal point after the digit number `point`; beyond `max_point` and for
/// small numbers with an exponent.
#[inline]
fn write_decimal(out: &mut Vec<u8>, digits: &[u8], point: i32, max_point: i32) {
    let count = digits.len() as i32;
    if count <= point && point <= max_point {
        out.extend_from_slice(digits);
        out.resize(out.len() + (point - count) as usize, b'0');
    } else if 0 < point && point <= max_point {
        let (whole, part) = digits.split_at(point as usize);
        out.extend_from_slice(whole);
        out.push(b'.');
        out.extend_from_slice(part);
    } else if -4 < point && point <= 0 {
        out.extend_from_slice(&b"0.000"[..(2 - point) as usize]);
        out.extend_from_slice(digits);
    } else {
        let (first, rest) = digits.split_at(1);
        out.extend_from_slice(first);
        if !rest.is_empty() {
            out.push(b'.');
            out.extend_from_slice(rest);
        }
        // A `Vec` takes everything.
        let _ = write!(out, "e{}{:02}", if point < 1 { '-' } else { '+' }, (point - 1).abs());
    }
}
