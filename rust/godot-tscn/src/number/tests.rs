//! The engine's word: `FV_NUMBERS` names the folder that godot_project/tools/write_numbers.gd filled.

use std::fs;
use std::path::PathBuf;

use super::{Numeral, parse_float, write_f32, write_f64, write_six_digits};

fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn notations() {
    for (value, text) in [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-1.5, "-1.5"),
        (0.001, "0.001"),
        (0.00012, "0.00012"),
        (0.000_012, "1.2e-05"),
        (1e-5, "1e-05"),
        (123_456_789_012_345.0, "123456789012345"),
        (1e15, "1e+15"),
        (1.25e100, "1.25e+100"),
        (f64::INFINITY, "inf"),
        (f64::NEG_INFINITY, "-inf"),
        (f64::NAN, "nan"),
        // A 32-bit number keeps its few digits: `Hack to avoid garbage digits` in `rtos_fix`.
        (f64::from(0.1_f32), "0.1"),
        (f64::from(-190.140_63_f32), "-190.14063"),
    ] {
        assert_eq!(written(|out| write_f64(out, value)), text);
    }
}

#[test]
fn six_digits() {
    for (value, text) in [
        (0.0, "0"),
        (0.707_106_77, "0.707107"),
        (123_456.0, "123456"),
        (1_234_567.0, "1.23457e+06"),
        (999_999.5, "1e+06"),
        (0.0001, "0.0001"),
        (0.000_099_999_99, "0.0001"),
        (-0.00001, "-1e-05"),
        (1e-45, "1e-45"),
    ] {
        assert_eq!(written(|out| write_six_digits(out, value)), text);
    }
}

#[test]
fn numerals() {
    for (text, value) in [
        ("1", 1.0),
        ("-0.5", -0.5),
        ("1.", 1.0),
        ("1e", 1.0),
        ("1e3", 1000.0),
        ("1.5e-3", 0.0015),
        ("007", 7.0),
        ("1e999999999999", f64::INFINITY),
        ("1e-999999999999", 0.0),
        ("9999999999999999999", 9_999_999_999_999_999_990.0),
        ("123456789012345678901234567890.5", 1.234_567_890_123_456_8e29),
    ] {
        assert_eq!(Numeral::parse(text.as_bytes()).to_f64(), value, "{text}");
    }
    for (text, is_plain, digit_count) in [
        ("0", true, 0),
        ("-12.5", true, 3),
        ("0.001", true, 1),
        ("10", true, 2),
        ("1.50", false, 3),
        ("1.", false, 1),
        ("01", false, 1),
        ("1e5", false, 1),
        ("0.0001", true, 1),
        ("0.00001", false, 1),
    ] {
        let numeral = Numeral::parse(text.as_bytes());
        assert_eq!((numeral.is_plain, numeral.digit_count), (is_plain, digit_count), "{text}");
    }
}

/// The reason why the formatter may skip most numbers: with up to six digits, every version prints
/// a 32-bit number in its simplest form. 64-bit numbers are not so tame: Godot 4.5 and later print
/// 0.000649 as `0.0006489999999999999`.
#[test]
fn short_numbers_stay() {
    // All of them with `--release`, every so manieth without.
    let stride = if cfg!(debug_assertions) { 97 } else { 1 };
    let mut out = Vec::new();
    for mantissa in (1..1_000_000_u32).step_by(stride).filter(|mantissa| mantissa % 10 != 0) {
        let digits = mantissa.to_string();
        for point in -3..=6_i32 {
            let text = plain(&digits, point);
            let numeral = Numeral::parse(text.as_bytes());
            assert!(numeral.is_plain && numeral.digit_count <= 6, "{text}");
            out.clear();
            write_f32(&mut out, numeral.to_f32());
            assert_eq!(std::str::from_utf8(&out), Ok(&*text));
            out.clear();
            write_six_digits(&mut out, f64::from(numeral.to_f32()));
            assert_eq!(std::str::from_utf8(&out), Ok(&*text));
        }
    }
}

/// The digits with their decimal point behind the digit number `point`.
fn plain(digits: &str, point: i32) -> String {
    let count = digits.len() as i32;
    match point {
        ..=0 => format!("0.{}{digits}", "0".repeat(-point as usize)),
        _ if point < count => {
            format!("{}.{}", &digits[..point as usize], &digits[point as usize..])
        }
        _ => format!("{digits}{}", "0".repeat((point - count) as usize)),
    }
}

fn engine_folder(variable: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).map(PathBuf::from);
    if folder.is_none() {
        println!("SKIPPED: no numbers of the engine: scripts/test.sh writes them");
    }
    folder
}

/// A sample of [`godot_3_prints_the_same`] that is always there.
#[test]
fn a_sample_of_godot_3() {
    let sample = include_str!("../../goldens/numbers_godot3.txt");
    let lines = sample.lines().filter(|line| !line.starts_with('#'));
    let mut count = 0;
    for (bits, text) in lines.map(|line| line.split_once('\t').unwrap()) {
        let value = f32::from_bits(u32::from_str_radix(bits, 16).unwrap());
        let ours = written(|out| write_six_digits(out, f64::from(value)));
        assert_eq!(ours.replace("-inf", "inf_neg"), text, "{value:e}");
        count += 1;
    }
    assert!(count > 500, "only {count}");
}

/// Compares each number of Godot 3's files: six digits, as Godot 4 printed them too until 4.4.
#[test]
fn godot_3_prints_the_same() {
    let Some(folder) = engine_folder("FV_NUMBERS_3") else { return };
    let (mut count, mut wrong) = (0, Vec::new());
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "bits") {
            continue;
        }
        let is_narrow = path.file_name().unwrap().to_str().unwrap().starts_with("f32");
        let bits = fs::read(&path).unwrap();
        let text = fs::read_to_string(path.with_extension("txt")).unwrap();
        let width = if is_narrow { 4 } else { 8 };
        assert_eq!(bits.len() / width, text.split(", ").count(), "{}", path.display());
        for (bits, text) in bits.chunks(width).zip(text.split(", ")) {
            let value = match is_narrow {
                true => f64::from(f32::from_le_bytes(bits.try_into().unwrap())),
                // `operator real_t` of `Variant`, by which `VariantWriter` takes them, is one to 32 bits.
                false => f64::from(f64::from_le_bytes(bits.try_into().unwrap()) as f32),
            };
            count += 1;
            let ours = written(|out| write_six_digits(out, value)).replace("-inf", "inf_neg");
            if ours != text {
                wrong.push(format!("{value:e} is {text}, not {ours}"));
            }
        }
    }
    println!("{count} numbers of Godot 3 of the engine compared");
    assert!(count >= 500_000, "only {count} numbers");
    assert!(wrong.is_empty(), "{} of {count}: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
}

/// Compares the printed and the read text of each number in the engine's files.
#[test]
fn the_engine_prints_and_reads_the_same() {
    let Some(folder) = engine_folder("FV_NUMBERS") else { return };
    let (mut count, mut wrong) = (0, Vec::new());
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "bits") {
            continue;
        }
        let is_narrow = path.file_name().unwrap().to_str().unwrap().starts_with("f32");
        let (bits, read) =
            (fs::read(&path).unwrap(), fs::read(path.with_extension("read")).unwrap());
        let text = fs::read_to_string(path.with_extension("txt")).unwrap();
        let width = if is_narrow { 4 } else { 8 };
        assert_eq!(bits.len(), read.len());
        assert_eq!(bits.len() / width, text.split(", ").count(), "{}", path.display());
        let values = bits.chunks(width).zip(read.chunks(width));
        for ((bits, read), text) in values.zip(text.split(", ")) {
            count += 1;
            let problem = if is_narrow { narrow(bits, read, text) } else { wide(bits, read, text) };
            wrong.extend(problem);
        }
    }
    println!("{count} numbers of the engine compared");
    assert!(count >= 2_000_000, "only {count} numbers");
    assert!(wrong.is_empty(), "{} of {count}: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
}

fn narrow(bits: &[u8], read: &[u8], text: &str) -> Option<String> {
    let value = f32::from_le_bytes(bits.try_into().unwrap());
    let ours = written(|out| write_f32(out, value)).replace("-inf", "inf_neg");
    let read = f32::from_le_bytes(read.try_into().unwrap());
    let our_read = Numeral::parse(text.as_bytes()).to_f32();
    if ours != text {
        return Some(format!("{value:e} is {text}, not {ours}"));
    }
    let is_number = text.contains(|letter: char| letter.is_ascii_digit());
    (is_number && read.to_bits() != our_read.to_bits())
        .then(|| format!("{text} reads as {read:e}, not {our_read:e}"))
}

fn wide(bits: &[u8], read: &[u8], text: &str) -> Option<String> {
    let value = f64::from_le_bytes(bits.try_into().unwrap());
    let ours = written(|out| write_f64(out, value)).replace("-inf", "inf_neg");
    let read = f64::from_le_bytes(read.try_into().unwrap());
    let our_read = Numeral::parse(text.as_bytes()).to_f64();
    if ours != text {
        return Some(format!("{value:e} is {text}, not {ours}"));
    }
    let is_number = text.contains(|letter: char| letter.is_ascii_digit());
    (is_number && read.to_bits() != our_read.to_bits())
        .then(|| format!("{text} reads as {read:e}, not {our_read:e}"))
}

/// `built_in_strtod` (core/string/ustring.cpp): an exponent without digits ends the number before the period is applied.
#[test]
fn exponents_without_digits() {
    for text in ["1.5e", "1.5e+", "1.5e-"] {
        assert_eq!(parse_float(text.as_bytes()), 15.0, "{text}");
    }
    assert_eq!(parse_float(b"-1e"), -1.0);
}

#[test]
fn numbers_that_run_into_each_other() {
    assert_eq!(parse_float(b"01e+06.5"), 1e6);
    assert_eq!(parse_float(b"1e-2-3"), 0.01);
    assert_eq!(parse_float(b""), 0.0);
    assert_eq!(parse_float(b"-"), 0.0);
}

/// `String::to_int` first, as without a period or exponent the token is a whole number.
#[test]
fn whole_numbers_as_floats() {
    assert_eq!(parse_float(b"9223372036854775807"), i64::MAX as f64);
    assert_eq!(parse_float(b"99999999999999999999"), i64::MAX as f64);
    assert_eq!(parse_float(b"-99999999999999999999"), i64::MIN as f64);
    assert_eq!(parse_float(b"00000000000000000000123"), 123.0);
    assert!(parse_float(b"-0").is_sign_positive() && parse_float(b"-0.0").is_sign_negative());
}
