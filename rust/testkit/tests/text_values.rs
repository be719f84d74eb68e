//! Values from text, against what Godot reads (`rust/godot-tscn/goldens/values.txt`, written by
//! scripts/data/goldens.sh). Here, because neither `godot-tscn` nor `godot-variant-codec` knows the other.

use testkit::hex::hex;

const GOLDENS: &str = include_str!("../../godot-tscn/goldens/values.txt");

#[test]
fn values_are_what_godot_reads() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in GOLDENS.lines().filter(|line| !line.starts_with('#')) {
        let (text, expected) = line.split_once('\t').expect("two columns");
        let text: String = serde_json::from_str(text).expect("a text as JSON");
        let found = match godot_tscn::parse_value(text.as_bytes()) {
            Ok(value) => hex(&godot_variant_codec::encode(&value).expect("no object")),
            Err(_) => String::new(),
        };
        count += 1;
        if found != expected {
            wrong.push(format!("{text:?}\n   Godot {expected}\n   here  {found}"));
        }
    }
    assert!(count > 1000, "only {count} values");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}
