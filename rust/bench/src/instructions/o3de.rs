//! O3DE's JSON.

use std::hint::black_box;

use godot_variant::{Array, Dictionary, Value};
use o3de_json::{
    Field, FloatRepr, IntRepr, Kind, ReadLimits, Registry, Schema, SequenceKind, Settings,
};

use super::{Path, measured};

pub(super) fn paths() -> Vec<Path> {
    vec![
        Path::new("o3de: load 10k floats", || load(&floats(), &floats_schema())),
        Path::new("o3de: store 10k floats", || store(&floats(), &floats_schema())),
        Path::new("o3de: load 500 records", || load(&records(), &records_schema())),
        Path::new("o3de: store 500 records", || store(&records(), &records_schema())),
    ]
}

fn load(value: &Value, schema: &Schema) -> usize {
    let (registry, settings) = (Registry::default(), Settings::default());
    let text = text(value, schema, &registry);
    let limits = ReadLimits::default();
    let loaded =
        measured(|| o3de_json::load_text(black_box(&text), limits, schema, &registry, settings));
    assert_eq!(loaded.expect("our own text is JSON").value, *value);
    text.len()
}

fn store(value: &Value, schema: &Schema) -> usize {
    let registry = Registry::default();
    measured(|| text(black_box(value), schema, &registry)).len()
}

fn text(value: &Value, schema: &Schema, registry: &Registry) -> String {
    let stored = o3de_json::store_streaming(value, schema, registry, keeping_defaults(), true);
    stored.expect("the values fit their schema").0
}

fn keeping_defaults() -> Settings {
    Settings { keep_defaults: true, ..Settings::default() }
}

fn sequence(element: Kind) -> Kind {
    Kind::Sequence(SequenceKind::Array, Box::new(element.into()))
}

fn floats_schema() -> Schema {
    sequence(Kind::Float(FloatRepr::F64)).into()
}

fn floats() -> Value {
    // As many digits as numbers have that were worked out.
    Array::from_iter((1..=10_000).map(|number| Value::Float(f64::from(number) / 7.0))).into()
}

fn records_schema() -> Schema {
    let field = |name: &str, kind: Kind| Field { name: name.into(), schema: kind.into() };
    let fields = vec![
        field("name", Kind::String),
        field("hp", Kind::Int(IntRepr::I64)),
        field("alive", Kind::Bool),
        field("position", Kind::Vector(3)),
        field("tags", sequence(Kind::String)),
    ];
    sequence(Kind::Record(fields)).into()
}

fn records() -> Value {
    let record = |number: usize| {
        let mut record = Dictionary::default();
        let mut put = |name: &str, value: Value| drop(record.insert(name.into(), value));
        put("name", Value::String(format!("character {number}").into()));
        put("hp", Value::Int(number as i64 + 1));
        put("alive", Value::Bool(true));
        put("position", Value::Vector3([number as f32 + 0.5, 0.25, 1.0]));
        put("tags", Array::from_iter([Value::from("friend")]).into());
        Value::from(record)
    };
    Array::from_iter((0..500).map(record)).into()
}
