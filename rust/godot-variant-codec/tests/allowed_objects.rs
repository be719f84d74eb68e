//! The list of classes and scripts, wherever in a value they stand.

use crate::common::{array, dictionary, object, typed_array};
use godot_variant_codec::variant::{ContainerType, Dictionary, Object, Value};
use godot_variant_codec::{AllowedObjects, DecodeError, DecodeOptions, Dialect, Limits, encode};

fn node(properties: Vec<(&str, Value)>) -> Value {
    let properties = properties.into_iter().map(|(name, value)| (name.into(), value)).collect();
    object(Object::Full { class: "Node".into(), properties })
}

fn check(value: &Value, classes: &[&str], scripts: &[&str]) -> Result<(), DecodeError> {
    let allowed = AllowedObjects::new(classes.iter().copied(), scripts.iter().copied());
    let bytes = [&[9; 3], &encode(value).unwrap()[..]].concat();
    allowed.check(&bytes, 3, &Dialect::GODOT_4, DecodeOptions::default())
}

#[test]
fn classes_are_found_wherever_they_stand() {
    for value in [
        node(vec![]),
        array([Value::Nil, node(vec![])]),
        dictionary([(node(vec![]), Value::Nil)]),
        dictionary([(Value::Nil, array([node(vec![])]))]),
    ] {
        let error = check(&value, &["Node2D", "Nod"], &["*"]).unwrap_err();
        assert_eq!(error.kind().code(), "class_not_allowed", "{error}");
        check(&value, &["Resource", "Node"], &[]).unwrap();
        check(&value, &["No*"], &[]).unwrap();
        check(&value, &["*"], &[]).unwrap();
    }
    let inner = node(vec![(
        "child",
        array([object(Object::Full { class: "Sprite2D".into(), properties: vec![] })]),
    )]);
    let error = check(&inner, &["Node"], &[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "objects of class \"Sprite2D\" are not allowed here, because the class is not on the allow list (at byte 39, in .child[0])"
    );
}

#[test]
fn scripts_are_found_wherever_they_stand() {
    let class = |path: &str| ContainerType::Script(path.into());
    let path = "res://items/sword.gd";
    for value in [
        node(vec![("script", Value::from(path))]),
        node(vec![("script", Value::StringName(path.into()))]),
        node(vec![("other", node(vec![("script", Value::from(path))]))]),
        array([typed_array(class(path), vec![])]),
        Dictionary::typed(class(path), ContainerType::Any).into(),
        Dictionary::typed(ContainerType::Any, class(path)).into(),
    ] {
        for scripts in
            [&[][..], &["res://items/sword"], &["res://item/*"], &["res://items/shield.gd"]]
        {
            let error = check(&value, &["*"], scripts).unwrap_err();
            assert_eq!(error.kind().code(), "script_not_allowed", "{error}");
        }
        for scripts in [&[path][..], &["res://items/*"], &["*"]] {
            check(&value, &["Node"], scripts).unwrap();
        }
    }
    // Text elsewhere is text.
    check(&node(vec![("name", Value::from(path))]), &["Node"], &[]).unwrap();
    check(&array([Value::from(path)]), &[], &[]).unwrap();
}

#[test]
fn a_folder_is_not_left() {
    let value = node(vec![("script", Value::from("res://items/../evil.gd"))]);
    assert!(check(&value, &["*"], &["res://items/*"]).is_err());
    assert!(check(&value, &["*"], &["res://items/../evil.gd"]).is_ok());
}

#[test]
fn limits_hold_while_checking() {
    let bytes = encode(&array([Value::Nil, Value::Nil])).unwrap();
    let limits = Limits { max_elements: 1, ..Limits::ENGINE };
    let options = DecodeOptions { limits, ..DecodeOptions::default() };
    let error = AllowedObjects::default().check(&bytes, 0, &Dialect::GODOT_4, options).unwrap_err();
    assert_eq!(error.kind().code(), "too_many_elements");
}

/// Godot's cache would give the object for the file at that path.
#[test]
fn no_object_takes_the_place_of_a_file() {
    let value = array([node(vec![("resource_path", Value::from("res://hero.tres"))])]);
    let error = check(&value, &["Node"], &[]).unwrap_err();
    assert_eq!(error.kind().code(), "property_not_allowed", "{error}");
    check(&value, &["*"], &[]).unwrap();
}
