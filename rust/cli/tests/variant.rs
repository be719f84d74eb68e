//! `gdscene variant`: listings of files, streams and text.

mod common;

use std::fs;

use common::{gdscene, run, scratch};

/// `{"pos": Vector2(1, 2), "list": [1, null]}`, as `var_to_bytes` gives it.
const VALUE: &str = "1b000000 02000000 04000000 03000000 706f7300 05000000 0000803f 00000040
    04000000 04000000 6c697374 1c000000 02000000 02000000 01000000 00000000";

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<char> = hex.chars().filter(|c| !c.is_whitespace()).collect();
    digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap())
        .collect()
}

fn framed(values: &[&str], length: fn(u32) -> [u8; 4]) -> Vec<u8> {
    let frame = |hex: &&str| {
        let content = bytes(hex);
        [&length(content.len() as u32)[..], &content].concat()
    };
    values.iter().flat_map(frame).collect()
}

#[test]
fn a_value() {
    insta::assert_snapshot!(run(&["variant", "dump", "-"], &bytes(VALUE)));
    let file = scratch("variant_dump").join("value.bin");
    fs::write(&file, bytes(VALUE)).unwrap();
    let from_file = run(&["variant", "dump", file.to_str().unwrap()], b"");
    assert_eq!(from_file, run(&["variant", "dump", "--hex", "-"], VALUE.as_bytes()));
}

#[test]
fn as_json() {
    let output = gdscene(&["variant", "dump", "--json", "-"], &bytes(VALUE));
    let text = String::from_utf8(output.stdout).unwrap();
    for line in text.lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap();
    }
    insta::assert_snapshot!(text);
}

#[test]
fn broken_values() {
    let cut = bytes(VALUE);
    insta::assert_snapshot!(run(&["variant", "dump", "-"], &cut[..50]));
    insta::assert_snapshot!(run(&["variant", "dump", "--json", "-"], &cut[..50]));
    insta::assert_snapshot!(run(&["variant", "dump", "-"], &[&cut[..], b"!!"].concat()));
}

#[test]
fn streams() {
    let values = ["02000000 07000000", "04000000 02000000 68690000"];
    let little = framed(&values, u32::to_le_bytes);
    insta::assert_snapshot!(run(&["variant", "dump", "--framed", "-"], &little));
    let big = framed(&values, u32::to_be_bytes);
    insta::assert_snapshot!(run(&["variant", "dump", "--framed=big", "-"], &big));
    // The end is missing: of the last value, of the last length.
    insta::assert_snapshot!(run(&["variant", "dump", "--framed", "-"], &little[..22]));
    let and_two = [&little[..], &[1, 0]].concat();
    insta::assert_snapshot!(run(&["variant", "dump", "--framed", "-"], &and_two));
    insta::assert_snapshot!(run(&["variant", "dump", "--framed", "--json", "-"], &and_two));
    // The wrong order.
    let output = gdscene(&["variant", "dump", "--framed=big", "-"], &little);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn wrong_usage() {
    for (args, stdin) in [
        (&["variant", "dump", "no/such.bin"][..], &b""[..]),
        (&["variant", "dump", "--hex", "-"], b"0g"),
        (&["variant", "dump", "--hex", "-"], b"012"),
        (&["variant", "dump"], b""),
        (&["variant"], b""),
        (&["variant", "dump", "--framed=middle", "-"], b""),
    ] {
        let output = gdscene(args, stdin);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(!output.stderr.is_empty(), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
    assert_eq!(gdscene(&["variant", "dump", "-"], b"").status.code(), Some(1));
    assert_eq!(gdscene(&["variant", "dump", "--framed", "-"], b"").status.code(), Some(0));
}
