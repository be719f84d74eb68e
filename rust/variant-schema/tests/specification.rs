//! The specification, `rust/docs/compact-format.md`: its example is what the crate writes.

use godot_variant::Value;

use crate::{dictionary, layout};

#[test]
fn the_example() {
    let page = include_str!("../../docs/compact-format.md");
    let (before, rest) = page.split_once("```\n").expect("a block of bytes");
    let (block, _) = rest.split_once("```").expect("its end");
    let shown: Vec<u8> = block
        .split_whitespace()
        .map(|byte| u8::from_str_radix(byte, 16).expect("a byte"))
        .collect();
    let descriptor =
        r#"{"id": "u16", "hp": {"kind": "int", "min": 0, "max": 100}, "name": "string"}"#;
    assert!(before.contains(&format!("`{descriptor}`")), "the page shows this schema");
    let value = [("id", Value::Int(7)), ("hp", Value::Int(93)), ("name", Value::from("Ada"))];
    assert_eq!(layout(descriptor).encode(&dictionary(value)).unwrap(), shown);
}
