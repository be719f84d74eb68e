//! The shapes that values of properties may have, and whether a value has one.

use godot_variant::{ContainerType, Dictionary, NodePath, Object, Value, VariantType};

/// Which values a property may have.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// `bool`
    Bool,
    /// `int LEAST MOST`
    Int(i64, i64),
    /// `float LEAST MOST`: a whole number will do.
    Float(Range),
    /// `numbers TYPE|TYPE LEAST MOST`: numbers of a fixed count.
    Numbers(Vec<VariantType>, Range),
    /// `sizes TYPE LEAST MOST`: each component zero, or in the range.
    Sizes(VariantType, Range),
    /// `packed TYPE COUNT LEAST MOST`: at most COUNT elements.
    Packed(VariantType, usize, Range),
    /// `text`: text that is shown as it is.
    Text,
    /// `bbcode`: text with tags.
    RichText,
    /// `name`: a text that names something of the same object, such as an animation.
    Name,
    /// `data`: plain data that the engine only keeps.
    Data,
    /// `node`: the path of a node of the scene.
    Node,
    /// `resource CLASS…`: a resource of one of these classes, or none.
    Resource(Vec<&'static str>),
    /// `animation_root`: the node that animations start from.
    AnimationRoot,
    /// `animation_libraries`, `animations`: resources of the class by name.
    Named(&'static str),
    /// `track`: a part of a track, which is judged as a whole.
    Track,
    /// `sprite_animations`: `SpriteFrames.animations`.
    SpriteAnimations,
    /// `curve_points`: `Curve._data`.
    CurvePoints,
    /// `curve_limits`: `Curve._limits`.
    CurveLimits,
    /// `path_points`: `Curve2D._data`, `Curve3D._data`.
    PathPoints,
    /// `indices COUNT`: polygons as indices of the `vertices` next to them, at most COUNT.
    Indices(usize),
    /// `outlines COUNT LEAST MOST`: arrays of points, with at most COUNT points together.
    Outlines(usize, Range),
}

/// From the least to the most, both included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    least: f64,
    most: f64,
}

/// The possible targets of a value. The judge of the file answers.
pub(super) trait Surroundings {
    /// Whether `SubResource` or `ExtResource` with this id is there and may be of one of the classes.
    fn is_resource(&self, construct: &str, id: &str, classes: &[&str]) -> bool;
    /// Whether the path leads from here to a node of the scene.
    fn is_inside(&self, path: &NodePath) -> bool;
    /// The number of vertices next to indices.
    fn vertex_count(&self) -> usize;
}

/// The longest name.
const MOST_NAME: usize = 256;
/// The longest text of one property.
const MOST_TEXT: usize = 4096;
/// How deep plain data may be nested.
const MOST_DATA_DEPTH: usize = 16;
/// The most points of a curve.
const MOST_POINTS: usize = 1024;
/// The most frames of an animation of sprites, and animations.
const MOST_FRAMES: usize = 4096;

impl Shape {
    /// The shape in a row of the list.
    pub(super) fn read(text: &'static str) -> Option<Self> {
        let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
        let words: Vec<&'static str> = rest.split_ascii_whitespace().collect();
        let types =
            |text: &str| text.split('|').map(VariantType::from_name).collect::<Option<Vec<_>>>();
        Some(match (name, &words[..]) {
            ("bool", []) => Self::Bool,
            ("int", [least, most]) => Self::Int(least.parse().ok()?, most.parse().ok()?),
            ("float", [least, most]) => Self::Float(Range::read(least, most)?),
            ("numbers", [names, least, most]) => {
                Self::Numbers(types(names)?, Range::read(least, most)?)
            }
            ("sizes", [name, least, most]) => {
                Self::Sizes(VariantType::from_name(name)?, Range::read(least, most)?)
            }
            ("packed", [name, count, least, most]) => Self::Packed(
                VariantType::from_name(name)?,
                count.parse().ok()?,
                Range::read(least, most)?,
            ),
            ("text", []) => Self::Text,
            ("bbcode", []) => Self::RichText,
            ("name", []) => Self::Name,
            ("data", []) => Self::Data,
            ("node", []) => Self::Node,
            ("resource", [_, ..]) => Self::Resource(words),
            ("animation_root", []) => Self::AnimationRoot,
            ("animation_libraries", []) => Self::Named("AnimationLibrary"),
            ("animations", []) => Self::Named("Animation"),
            ("track", []) => Self::Track,
            ("sprite_animations", []) => Self::SpriteAnimations,
            ("curve_points", []) => Self::CurvePoints,
            ("curve_limits", []) => Self::CurveLimits,
            ("path_points", []) => Self::PathPoints,
            ("indices", [count]) => Self::Indices(count.parse().ok()?),
            ("outlines", [count, least, most]) => {
                Self::Outlines(count.parse().ok()?, Range::read(least, most)?)
            }
            _ => return None,
        })
    }

    /// Whether a value has the shape. Tracks are judged elsewhere.
    pub(super) fn fits(&self, value: &Value, around: &dyn Surroundings) -> bool {
        match self {
            Self::Bool => matches!(value, Value::Bool(_)),
            Self::Int(least, most) => {
                matches!(value, Value::Int(int) if (least..=most).contains(&int))
            }
            Self::Float(range) => number(value).is_some_and(|number| range.has(number)),
            Self::Numbers(types, range) => {
                types.contains(&value.variant_type())
                    && components(value, |number| range.has(number))
                    || types.contains(&VariantType::Float)
                        && number(value).is_some_and(|number| range.has(number))
            }
            Self::Sizes(ty, range) => {
                value.variant_type() == *ty
                    && components(value, |number| number == 0.0 || range.has(number))
            }
            Self::Packed(ty, most, range) => {
                value.variant_type() == *ty
                    && element_count(value) <= *most
                    && components(value, |number| range.has(number))
            }
            Self::Text => text(value).is_some_and(|text| text.len() <= MOST_TEXT),
            Self::RichText => text(value)
                .is_some_and(|text| text.len() <= MOST_TEXT && super::rich_text::is_harmless(text)),
            Self::Name => text(value).is_some_and(|text| text.len() <= MOST_NAME),
            Self::Data => is_data(value, around, MOST_DATA_DEPTH),
            Self::Node | Self::AnimationRoot => {
                matches!(value, Value::NodePath(path) if around.is_inside(path))
            }
            Self::Resource(classes) => is_resource(value, classes, around),
            Self::Named(class) => named(value, class, around),
            Self::Track => true,
            Self::SpriteAnimations => sprite_animations(value, around),
            Self::CurvePoints => curve_points(value),
            Self::CurveLimits => curve_limits(value),
            Self::PathPoints => path_points(value),
            Self::Indices(most) => indices(value, *most, around.vertex_count()),
            Self::Outlines(most, range) => outlines(value, *most, *range),
        }
    }

    /// The shape in words, for a message: `a number from 0 to 1`.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Bool => "`true` or `false`".to_owned(),
            Self::Int(least, most) => format!("a whole number from {least} to {most}"),
            Self::Float(range) => format!("a number from {} to {}", range.least, range.most),
            Self::Numbers(types, range) => {
                let names: Vec<_> = types.iter().map(|ty| format!("`{ty}`")).collect();
                format!("{} of numbers from {} to {}", names.join(" or "), range.least, range.most)
            }
            Self::Sizes(ty, range) => {
                format!("`{ty}` of zeros and numbers from {} to {}", range.least, range.most)
            }
            Self::Packed(ty, most, range) => format!(
                "`{ty}` with at most {most} elements from {} to {}",
                range.least, range.most
            ),
            Self::Text => format!("text of at most {MOST_TEXT} bytes"),
            Self::RichText => "text with harmless BBCode tags".to_owned(),
            Self::Name => format!("a name of at most {MOST_NAME} bytes"),
            Self::Data => format!("plain data, at most {MOST_DATA_DEPTH} levels deep"),
            Self::Node | Self::AnimationRoot => "`NodePath` of a node inside the scene".to_owned(),
            Self::Resource(classes) => {
                format!("a resource of the class `{}`", classes.join("` or `"))
            }
            Self::Named(class) => {
                format!("a dictionary of names and resources of the class `{class}`")
            }
            Self::Track => "part of a track".to_owned(),
            Self::SpriteAnimations => "animations of frames as Godot saves them".to_owned(),
            Self::CurvePoints | Self::PathPoints | Self::CurveLimits => {
                "points as Godot saves them".to_owned()
            }
            Self::Indices(most) => format!("at most {most} polygons of indices of the vertices"),
            Self::Outlines(most, _) => format!("outlines of at most {most} points"),
        }
    }

    /// Whether animations may set the property, and if they may set it to values between and beyond its keys.
    pub(super) fn in_tracks(&self) -> InTracks {
        match self {
            Self::Bool | Self::Int(..) => InTracks::Between,
            Self::Float(range) | Self::Numbers(_, range) if range.is_wide() => InTracks::Beyond,
            Self::Float(_) | Self::Numbers(..) => InTracks::Between,
            Self::Text | Self::Name | Self::Resource(_) => InTracks::Keys,
            _ => InTracks::Never,
        }
    }

    /// The shape of one component of a vector or color: of `x` in `position:x`.
    pub(super) fn component(&self, name: &str) -> Option<Self> {
        let Self::Numbers(types, range) = self else { return None };
        let names: &[&str] = match types[..] {
            [VariantType::Vector2] => &["x", "y"],
            [VariantType::Vector3] => &["x", "y", "z"],
            [VariantType::Color] => &["r", "g", "b", "a"],
            [VariantType::Vector2, VariantType::Vector3] => &["x", "y"],
            _ => &[],
        };
        names.contains(&name).then_some(Self::Float(*range))
    }
}

/// The effect that an animation may have on a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum InTracks {
    Never,
    /// Set it to its keys.
    Keys,
    /// Set it to values between two keys.
    Between,
    /// Set it to values to which a cubic or Bézier curve overshoots.
    Beyond,
}

impl Range {
    fn read(least: &str, most: &str) -> Option<Self> {
        Some(Self { least: least.parse().ok()?, most: most.parse().ok()? })
    }

    fn has(self, number: f64) -> bool {
        (self.least..=self.most).contains(&number)
    }

    /// Whether it is so wide that it only excludes broken values.
    fn is_wide(self) -> bool {
        self.most >= 1000.0 && (self.least <= -1000.0 || self.least == 0.0)
    }
}

/// The value of a number.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(int) => Some(*int as f64),
        Value::Float(float) => Some(*float),
        _ => None,
    }
}

pub(super) fn text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) | Value::StringName(text) => Some(text),
        _ => None,
    }
}

/// Whether each component of numbers of a fixed count, or of a packed array, is `sound`.
fn components(value: &Value, sound: impl Fn(f64) -> bool) -> bool {
    let reals = |numbers: &[f32]| numbers.iter().all(|number| sound(f64::from(*number)));
    let ints = |numbers: &[i32]| numbers.iter().all(|number| sound(f64::from(*number)));
    match value {
        Value::Vector2(numbers) => reals(numbers),
        Value::Vector3(numbers) => reals(numbers),
        Value::Vector2i(numbers) => ints(numbers),
        Value::Vector3i(numbers) => ints(numbers),
        Value::Vector4i(numbers) | Value::Rect2i(numbers) => ints(numbers),
        Value::Rect2(numbers)
        | Value::Vector4(numbers)
        | Value::Plane(numbers)
        | Value::Quaternion(numbers) => reals(numbers),
        Value::Color(numbers) => reals(numbers),
        Value::Transform2D(numbers) | Value::Aabb(numbers) => reals(numbers),
        Value::Basis(numbers) => reals(&**numbers),
        Value::Transform3D(numbers) => reals(&**numbers),
        Value::PackedByteArray(_) => true,
        Value::PackedInt32Array(numbers) => ints(numbers),
        Value::PackedFloat32Array(numbers) => reals(numbers),
        Value::PackedVector2Array(elements) => reals(elements.as_flattened()),
        Value::PackedVector3Array(elements) => reals(elements.as_flattened()),
        Value::PackedColorArray(elements) => reals(elements.as_flattened()),
        _ => false,
    }
}

/// How many elements a packed array has; of others none.
pub(super) fn element_count(value: &Value) -> usize {
    match value {
        Value::PackedByteArray(elements) => elements.len(),
        Value::PackedInt32Array(elements) => elements.len(),
        Value::PackedFloat32Array(elements) => elements.len(),
        Value::PackedVector2Array(elements) => elements.len(),
        Value::PackedVector3Array(elements) => elements.len(),
        Value::PackedColorArray(elements) => elements.len(),
        _ => 0,
    }
}

/// The number of elements in the arrays and dictionaries inside a value, all together.
pub(super) fn leaf_count(value: &Value) -> u64 {
    match value {
        Value::Array(array) => array.elements.iter().map(|element| 1 + leaf_count(element)).sum(),
        Value::Dictionary(dictionary) => {
            dictionary.iter().map(|(_, value)| 1 + leaf_count(value)).sum()
        }
        value => element_count(value) as u64,
    }
}

/// The construct and id of `SubResource("…")` and `ExtResource("…")`.
pub(super) fn reference(value: &Value) -> Option<(&str, &str)> {
    let Value::Object(object) = value else { return None };
    let Object::Full { class, properties } = &**object else { return None };
    match (&**class, &properties[..]) {
        ("SubResource" | "ExtResource", [(name, Value::String(id))]) if &**name == "id" => {
            Some((class, id))
        }
        _ => None,
    }
}

fn is_resource(value: &Value, classes: &[&str], around: &dyn Surroundings) -> bool {
    matches!(value, Value::Nil)
        || reference(value)
            .is_some_and(|(construct, id)| around.is_resource(construct, id, classes))
}

fn named(value: &Value, class: &str, around: &dyn Surroundings) -> bool {
    let Value::Dictionary(entries) = value else { return false };
    is_plainly_typed(entries)
        && entries.iter().all(|(name, resource)| {
            Shape::Name.fits(name, around)
                && reference(resource).is_some()
                && is_resource(resource, &[class], around)
        })
}

fn is_plainly_typed(dictionary: &Dictionary) -> bool {
    is_plain_type(&dictionary.key_type) && is_plain_type(&dictionary.value_type)
}

/// Not of a class, which may be one of a script.
fn is_plain_type(ty: &ContainerType) -> bool {
    matches!(ty, ContainerType::Any | ContainerType::Builtin(_))
}

fn is_data(value: &Value, around: &dyn Surroundings, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match value {
        Value::Array(array) => {
            is_plain_type(&array.element_type)
                && array.elements.iter().all(|element| is_data(element, around, depth))
        }
        Value::Dictionary(dictionary) => {
            is_plainly_typed(dictionary)
                && dictionary.iter().all(|(key, value)| {
                    is_data(key, around, depth) && is_data(value, around, depth)
                })
        }
        Value::NodePath(path) => around.is_inside(path),
        Value::Object(_) => is_resource(value, &["Resource"], around),
        Value::Rid(_) | Value::Callable | Value::Signal(_) => false,
        Value::String(text) | Value::StringName(text) => text.len() <= MOST_TEXT,
        _ => true,
    }
}

/// The values of a dictionary under these keys, and no others; nothing for missing ones.
pub(super) fn entries<'v, const N: usize>(
    value: &'v Value,
    keys: [&str; N],
) -> Option<[Option<&'v Value>; N]> {
    let Value::Dictionary(dictionary) = value else { return None };
    let mut found = [None; N];
    for (key, value) in dictionary.iter() {
        let index = keys.iter().position(|wanted| text(key) == Some(*wanted))?;
        // A `String` and a `StringName` are one key for Godot.
        if found[index].replace(value).is_some() {
            return None;
        }
    }
    is_plainly_typed(dictionary).then_some(found)
}

pub(super) fn elements(value: &Value) -> Option<&[Value]> {
    match value {
        Value::Array(array) if is_plain_type(&array.element_type) => Some(&array.elements),
        _ => None,
    }
}

/// `[{"frames": [{"duration": 1.0, "texture": …}], "loop": true, "name": &"default", "speed": 5.0}]`
fn sprite_animations(value: &Value, around: &dyn Surroundings) -> bool {
    let speed = Shape::Float(Range { least: 0.0, most: 1000.0 });
    let duration = Shape::Float(Range { least: 0.001, most: 1_000_000.0 });
    let texture = |value: &Value| is_resource(value, &["Texture2D"], around);
    let is_frame = |frame: &Value| match entries(frame, ["duration", "texture"]) {
        Some([Some(time), Some(picture)]) => duration.fits(time, around) && texture(picture),
        _ => false,
    };
    let is_animation =
        |animation: &Value| match entries(animation, ["frames", "loop", "name", "speed"]) {
            Some([Some(frames), Some(Value::Bool(_)), Some(name), Some(fps)]) => {
                elements(frames).is_some_and(|frames| {
                    frames.len() <= MOST_FRAMES && frames.iter().all(is_frame)
                }) && Shape::Name.fits(name, around)
                    && speed.fits(fps, around)
            }
            _ => false,
        };
    elements(value).is_some_and(|list| list.len() <= MOST_FRAMES && list.iter().all(is_animation))
}

/// `[Vector2(0, 0), 0.0, 0.0, 0, 0, …]`: a point, two tangents, two modes.
fn curve_points(value: &Value) -> bool {
    let Some(parts) = elements(value) else { return false };
    let (points, rest) = parts.as_chunks::<5>();
    let far = Range { least: -1_000_000.0, most: 1_000_000.0 };
    let tangent = |value: &Value| number(value).is_some_and(|number| far.has(number));
    rest.is_empty()
        && points.len() <= MOST_POINTS
        && points.iter().all(|[point, left, right, left_mode, right_mode]| {
            matches!(point, Value::Vector2(_))
                && components(point, |number| far.has(number))
                && tangent(left)
                && tangent(right)
                && matches!((left_mode, right_mode), (Value::Int(0..=1), Value::Int(0..=1)))
        })
}

/// `[0.0, 1.0, 0.0, 1.0]`: least and most value, least and most place.
fn curve_limits(value: &Value) -> bool {
    let far = Range { least: -1_000_000.0, most: 1_000_000.0 };
    let numbers: Option<Vec<f64>> =
        elements(value).and_then(|parts| parts.iter().map(number).collect());
    matches!(numbers.as_deref(), Some([least, most, from, to])
        if least < most && from < to && [least, most, from, to].into_iter().all(|number| far.has(*number)))
}

/// `{"points": PackedVector2Array(…)}`, with `tilts` for three dimensions: the handle before, the handle behind, the point.
fn path_points(value: &Value) -> bool {
    let Some([Some(points), tilts]) = entries(value, ["points", "tilts"]) else { return false };
    let far = Range { least: -1_000_000.0, most: 1_000_000.0 };
    let count = element_count(points);
    let tilts_fit = match (points, tilts) {
        (Value::PackedVector2Array(_), None) => true,
        (Value::PackedVector3Array(_), Some(Value::PackedFloat32Array(tilts))) => {
            tilts.len() == count / 3 && tilts.iter().all(|tilt| far.has(f64::from(*tilt)))
        }
        _ => false,
    };
    tilts_fit
        && count.is_multiple_of(3)
        && count <= 3 * MOST_POINTS
        && components(points, |number| far.has(number))
}

fn indices(value: &Value, most: usize, vertices: usize) -> bool {
    let is_polygon = |polygon: &Value| match polygon {
        Value::PackedInt32Array(indices) => {
            indices.len() <= 256
                && indices
                    .iter()
                    .all(|index| usize::try_from(*index).is_ok_and(|index| index < vertices))
        }
        _ => false,
    };
    elements(value)
        .is_some_and(|polygons| polygons.len() <= most && polygons.iter().all(is_polygon))
}

fn outlines(value: &Value, most: usize, range: Range) -> bool {
    let Some(outlines) = elements(value) else { return false };
    let is_outline = |outline: &Value| {
        matches!(outline, Value::PackedVector2Array(_))
            && components(outline, |number| range.has(number))
    };
    outlines.len() <= most
        && outlines.iter().map(element_count).sum::<usize>() <= most
        && outlines.iter().all(is_outline)
}
