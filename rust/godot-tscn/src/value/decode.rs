//! From parts to a [`Value`]: `VariantParser::parse_value` (core/variant/variant_parser.cpp, Godot
//! 4.6.3).

use godot_variant::{Array, ContainerType, Dictionary, NodePath, Object, Value, VariantType};

use crate::number::{parse_float, parse_int};
use crate::syntax::construct::{Shape, present_construct_name, shape_of};
use crate::syntax::scan::is_float;
use crate::value::tree::{PartKind, PartRef};

/// The value of a part. As deep as values may be nested, which is
/// [`MAX_DEPTH`](crate::MAX_DEPTH) at most.
pub(crate) fn decode(part: PartRef<'_>) -> Value {
    match part.kind() {
        PartKind::String => Value::String(text(part)),
        PartKind::StringName => Value::StringName(text(part)),
        PartKind::Number => number(part.source()),
        PartKind::Color => Value::Color(html_color(part.source())),
        PartKind::Word => word(part.source()),
        PartKind::Array => Value::Array(Box::new(array(part, ContainerType::Any))),
        PartKind::Dictionary => {
            Value::Dictionary(Box::new(dictionary(part, Dictionary::default())))
        }
        PartKind::Typed => typed(part),
        PartKind::Numbers => numbers(part),
        PartKind::Construct => construct(part),
    }
}

fn number(source: &[u8]) -> Value {
    if is_float(source, 0, source.len()) {
        Value::Float(parse_float(source))
    } else {
        Value::Int(parse_int(source))
    }
}

fn word(source: &[u8]) -> Value {
    match source {
        b"true" => Value::Bool(true),
        b"false" => Value::Bool(false),
        b"inf" | b"-inf" | b"inf_neg" | b"nan" => Value::Float(parse_float(source)),
        _ => Value::Nil,
    }
}

fn text(part: PartRef<'_>) -> Box<str> {
    String::from_utf8_lossy(&part.text().unwrap_or_default()).into()
}

fn array(part: PartRef<'_>, element_type: ContainerType) -> Array {
    Array { element_type, elements: part.children().map(decode).collect() }
}

fn dictionary(part: PartRef<'_>, mut dictionary: Dictionary) -> Dictionary {
    for (key, value) in part.entries() {
        dictionary.insert(decode(key), decode(value));
    }
    dictionary
}

fn typed(part: PartRef<'_>) -> Value {
    let children: Vec<_> = part.children().collect();
    match children[..] {
        [element, content] => Value::Array(Box::new(array(content, container_type(element)))),
        [key, value, content] => {
            let empty = Dictionary::typed(container_type(key), container_type(value));
            Value::Dictionary(Box::new(dictionary(content, empty)))
        }
        _ => Value::Nil,
    }
}

/// A built-in type, a class, or the script behind a reference.
fn container_type(part: PartRef<'_>) -> ContainerType {
    let name = String::from_utf8_lossy(part.source());
    match VariantType::from_name(&name) {
        // A container of anything is written in this way.
        Some(VariantType::Nil) => ContainerType::Any,
        Some(ty) => ContainerType::Builtin(ty),
        None if name == "Variant" => ContainerType::Any,
        None if part.kind() == PartKind::Word => ContainerType::Class(name.into()),
        None => ContainerType::Script(name.into()),
    }
}

fn numbers(part: PartRef<'_>) -> Value {
    let reals = || part.numbers().map(|number| parse_float(number) as f32);
    match present_construct_name(part.name()).map_or(part.name(), str::as_bytes) {
        b"Vector2" => Value::Vector2(fixed(reals())),
        b"Vector2i" => Value::Vector2i(fixed(ints(part))),
        b"Rect2" => Value::Rect2(fixed(reals())),
        b"Rect2i" => Value::Rect2i(fixed(ints(part))),
        b"Vector3" => Value::Vector3(fixed(reals())),
        b"Vector3i" => Value::Vector3i(fixed(ints(part))),
        b"Vector4" => Value::Vector4(fixed(reals())),
        b"Vector4i" => Value::Vector4i(fixed(ints(part))),
        b"Transform2D" => Value::Transform2D(fixed(reals())),
        b"Plane" => Value::Plane(fixed(reals())),
        b"Quaternion" => Value::Quaternion(fixed(reals())),
        b"AABB" => Value::Aabb(fixed(reals())),
        b"Basis" => Value::Basis(Box::new(fixed(reals()))),
        b"Transform3D" => Value::Transform3D(Box::new(fixed(reals()))),
        b"Projection" => Value::Projection(Box::new(fixed(reals()))),
        b"Color" => Value::Color(fixed(reals())),
        b"PackedInt64Array" => Value::PackedInt64Array(part.numbers().map(int).collect()),
        b"PackedFloat64Array" => {
            Value::PackedFloat64Array(part.numbers().map(parse_float).collect())
        }
        b"PackedVector2Array" => Value::PackedVector2Array(groups(reals())),
        b"PackedVector3Array" => Value::PackedVector3Array(groups(reals())),
        b"PackedVector4Array" => Value::PackedVector4Array(groups(reals())),
        b"PackedColorArray" => Value::PackedColorArray(groups(reals())),
        b"PackedFloat32Array" => Value::PackedFloat32Array(reals().collect()),
        _ => Value::PackedInt32Array(ints(part).collect()),
    }
}

/// As C++ converts a `Variant` to a narrower type: whole numbers lose their upper bits.
fn ints(part: PartRef<'_>) -> impl Iterator<Item = i32> {
    part.numbers().map(|number| int(number) as i32)
}

fn int(number: &[u8]) -> i64 {
    if number.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-') {
        parse_int(number)
    } else {
        parse_float(number) as i64
    }
}

fn fixed<T: Copy + Default, const N: usize>(numbers: impl Iterator<Item = T>) -> [T; N] {
    let mut values = [T::default(); N];
    for (value, number) in values.iter_mut().zip(numbers) {
        *value = number;
    }
    values
}

/// Whole elements; Godot drops an incomplete last one.
fn groups<const N: usize>(numbers: impl Iterator<Item = f32>) -> Vec<[f32; N]> {
    let numbers: Vec<f32> = numbers.collect();
    numbers.as_chunks::<N>().0.to_vec()
}

fn construct(part: PartRef<'_>) -> Value {
    let name = part.name();
    let first = part.children().next();
    match shape_of(name) {
        Some(Shape::NodePath) => {
            let path = first.and_then(PartRef::text).unwrap_or_default();
            Value::NodePath(Box::new(node_path(&String::from_utf8_lossy(&path))))
        }
        Some(Shape::Rid) => Value::Rid(first.map_or(0, |number| parse_int(number.source()) as u64)),
        Some(Shape::Empty) if name == b"Signal" => Value::Signal(Box::default()),
        Some(Shape::Empty) => Value::Callable,
        Some(Shape::Strings) => Value::PackedStringArray(part.children().map(text).collect()),
        Some(Shape::Bytes) => Value::PackedByteArray(bytes(part)),
        Some(Shape::Object) => Value::Object(Box::new(object(part))),
        Some(Shape::ExtResource | Shape::SubResource) => reference(name, "id", first),
        Some(Shape::Resource) => reference(name, "path", first),
        _ => Value::Nil,
    }
}

/// The reference that the loader would resolve.
fn reference(class: &[u8], property: &str, target: Option<PartRef<'_>>) -> Value {
    let target = target.map_or(Value::Nil, |target| {
        let text = crate::decode::text(target.source());
        Value::String(String::from_utf8_lossy(&text).into())
    });
    let class = String::from_utf8_lossy(class).into();
    Value::Object(Box::new(Object::Full { class, properties: vec![(property.into(), target)] }))
}

fn object(part: PartRef<'_>) -> Object {
    let mut children = part.children();
    let class = children.next().map(|class| String::from_utf8_lossy(class.source()).into());
    let mut properties = Vec::new();
    while let (Some(name), Some(value)) = (children.next(), children.next()) {
        properties.push((text(name), decode(value)));
    }
    Object::Full { class: class.unwrap_or_default(), properties }
}

fn bytes(part: PartRef<'_>) -> Vec<u8> {
    match part.children().next() {
        Some(first) if first.kind() == PartKind::String => {
            crate::syntax::base64::decode(&first.text().unwrap_or_default())
        }
        _ => part.children().map(|number| int(number.source()) as u8).collect(),
    }
}

/// `NodePath::NodePath` (core/string/node_path.cpp).
fn node_path(path: &str) -> NodePath {
    let (names, subnames) = path.split_once(':').unwrap_or((path, ""));
    let subnames = subnames.strip_suffix(':').unwrap_or(subnames);
    let is_broken = !subnames.is_empty() && subnames.split(':').any(str::is_empty);
    if is_broken {
        return NodePath::default();
    }
    let parts = |text: &str, by: char| {
        text.split(by).filter(|part| !part.is_empty()).map(Into::into).collect()
    };
    NodePath {
        absolute: names.starts_with('/'),
        names: parts(names, '/'),
        subnames: parts(subnames, ':'),
    }
}

/// `Color::html` (core/math/color.cpp): `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`.
fn html_color(source: &[u8]) -> [f32; 4] {
    let mut color = [0.0, 0.0, 0.0, 1.0];
    let digits: Vec<u32> =
        source[1..].iter().filter_map(|digit| (*digit as char).to_digit(16)).collect();
    let values: Vec<u32> = match digits.len() {
        3 | 4 => digits.iter().map(|digit| digit * 17).collect(),
        6 | 8 => digits.chunks(2).map(|pair| pair[0] * 16 + pair[1]).collect(),
        _ => return color,
    };
    for (component, value) in color.iter_mut().zip(values) {
        *component = value as f32 / 255.0;
    }
    color
}
