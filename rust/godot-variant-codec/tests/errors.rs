//! The list of codes in `rust/docs/errors.md` is complete, and messages stay on one line.

use std::collections::BTreeSet;

use crate::common::{array, object};
use godot_variant_codec::variant::{Object, Value};
use godot_variant_codec::{AllowedObjects, DecodeOptions, Dialect, encode};

/// The codes in the arms of `fn code`.
fn codes_in_source(source: &str) -> BTreeSet<&str> {
    let (_, arms) = source.split_once("fn code(").expect("a function `code`");
    let (arms, _) = arms.split_once("\n    }\n").expect("its end");
    arms.lines()
        .filter_map(|line| line.trim().strip_suffix("\",")?.split_once("=> \""))
        .map(|(_, code)| code)
        .collect()
}

#[test]
fn every_code_is_documented() {
    let mut codes = codes_in_source(include_str!("../src/error.rs"));
    codes.extend(codes_in_source(include_str!("../../godot-variant/src/refusal.rs")));
    codes.extend(codes_in_source(include_str!("../src/saved.rs")));
    assert!(codes.len() > 20, "{codes:?}");
    // Those of the calls from GDScript.
    codes.extend(["invalid_argument", "invalid_option", "invalid_offset", "end_of_file"]);
    codes.extend(["file_not_open", "file_not_found", "file_not_readable", "file_not_writable"]);
    codes.extend(["invalid_schema", "unknown_property", "object_freed"]);
    codes.extend(["frame_too_large", "no_value", "not_an_rpc", "stream_in_use"]);
    let page = include_str!("../../docs/errors.md");
    let documented: BTreeSet<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(code, _)| code)
        .collect();
    assert_eq!(documented, codes);
}

#[test]
fn messages_stay_on_one_line() {
    let name = "a\nb\u{7}".repeat(1000);
    let full = |class: &str, property: &str, value: Value| {
        object(Object::Full { class: class.into(), properties: vec![(property.into(), value)] })
    };
    let script = full("Node", "script", Value::from(&*name));
    for value in
        [full(&name, "a", Value::Nil), array([full("Node", &name, script.clone())]), script]
    {
        let bytes = encode(&value).unwrap();
        let allowed = AllowedObjects::new(["Node"], []);
        let error = allowed.check(&bytes, 0, &Dialect::GODOT_4, DecodeOptions::default());
        let message = error.unwrap_err().to_string();
        assert!(!message.chars().any(char::is_control), "{message}");
        assert!(message.len() < 1000, "{} bytes", message.len());
    }
}
