//! Values as the engine's bench has them (godot_project/bench/codec_workloads.gd), but smaller: a
//! count does not get better by counting more.

use godot_variant_codec::variant::{Array, Dictionary, Value};

type Make = fn() -> Value;

/// By name.
pub(crate) const WORKLOADS: [(&str, Make); 11] = [
    ("one int", || Value::Int(12345)),
    ("one String", || text("a short text".to_owned())),
    ("RPC dictionary", rpc_dictionary),
    ("10k int", || array(10_000, |index| Value::Int(index as i64 * 7919))),
    ("10k Vector3", || {
        array(10_000, |index| Value::Vector3([index as f32, -(index as f32), index as f32 * 0.5]))
    }),
    ("5k short String", || array(5_000, |index| text(format!("item_{index}")))),
    ("2k records", || array(2_000, record)),
    ("dictionary 10k String -> int", string_dictionary),
    ("80 KB ASCII String", || text("All work and no play. ".repeat(3640))),
    ("80 KB CJK String", || text("日本語のテキスト".repeat(3413))),
    ("PackedFloat32Array 80 KB", || Value::PackedFloat32Array(vec![0.75; 20_480])),
];

fn text(text: String) -> Value {
    Value::String(text.into())
}

fn array(len: usize, element: fn(usize) -> Value) -> Value {
    Array::from_iter((0..len).map(element)).into()
}

fn dictionary<const N: usize>(entries: [(&str, Value); N]) -> Value {
    let mut dictionary = Dictionary::default();
    for (key, value) in entries {
        dictionary.insert(key.into(), value);
    }
    dictionary.into()
}

fn rpc_dictionary() -> Value {
    dictionary([
        ("id", Value::Int(1234)),
        ("pos", Value::Vector3([1.0, 2.0, 3.0])),
        ("anim", "run".into()),
        ("hp", Value::Float(87.5)),
    ])
}

fn record(index: usize) -> Value {
    dictionary([
        ("id", Value::Int(index as i64)),
        ("name", text(format!("entity_{index}"))),
        ("pos", Value::Vector3([index as f32, 1.0, -(index as f32)])),
        ("hp", Value::Float(index as f64 * 0.37)),
        ("tags", Array::from_iter([Value::from("enemy"), Value::from("flying")]).into()),
    ])
}

fn string_dictionary() -> Value {
    let mut dictionary = Dictionary::default();
    for index in 0..10_000 {
        dictionary.insert(text(format!("key_{index}")), Value::Int(index));
    }
    dictionary.into()
}
