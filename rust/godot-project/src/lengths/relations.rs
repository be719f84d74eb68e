//! Lists that must fit other properties of their object.

use std::cmp::Ordering;

use godot_tscn::{Property, quote};

use super::{Effect, WrongLength, elements, length, named, whole_number};
use crate::keys::{Keys, is_short};

/// A property, and its conflict with the others of its section.
pub(super) struct Relation {
    pub(super) class: &'static str,
    pub(super) property: &'static str,
    pub(super) wrong: for<'c> fn(&Keys<'c>, Property<'c>) -> Option<WrongLength<'c>>,
}

pub(super) const RELATIONS: &[Relation] = &[
    Relation { class: "AnimationNodeBlendSpace2D", property: "triangles", wrong: triangles },
    Relation { class: "AnimationNodeBlendTree", property: "node_connections", wrong: connections },
    Relation { class: "AnimationNodeStateMachine", property: "transitions", wrong: transitions },
    Relation { class: "BitMap", property: "data", wrong: bits },
    Relation { class: "Camera2D", property: "zoom", wrong: zoom },
    Relation { class: "Curve", property: "point_count", wrong: point_count },
    Relation { class: "Curve2D", property: "point_count", wrong: point_count },
    Relation { class: "Curve3D", property: "point_count", wrong: point_count },
    Relation { class: "Gradient", property: "colors", wrong: gradient },
    Relation { class: "Gradient", property: "offsets", wrong: gradient },
    Relation { class: "HeightMapShape3D", property: "map_data", wrong: heights },
    Relation { class: "Image", property: "data", wrong: pixels },
    Relation { class: "Label", property: "ellipsis_char", wrong: character },
    Relation { class: "LineEdit", property: "secret_character", wrong: character },
    Relation { class: "LineEdit", property: "text", wrong: cut_text },
    Relation { class: "LinkButton", property: "ellipsis_char", wrong: character },
    Relation { class: "MultiMesh", property: "buffer", wrong: instances },
    Relation { class: "Sprite2D", property: "frame", wrong: frame },
    Relation { class: "Sprite3D", property: "frame", wrong: frame },
    Relation { class: "TileMap", property: "tile_data", wrong: old_cells },
    Relation { class: "TileMap", property: "layer_*/tile_data", wrong: old_cells },
    Relation { class: "TileMapLayer", property: "tile_map_data", wrong: cells },
    Relation { class: "VisualShader", property: "nodes/*/connections", wrong: shader_connections },
];

/// How many offsets and colors a new `Gradient` has.
const POINTS_OF_GRADIENT: usize = 2;

/// The newest format of `TileMapLayer.tile_map_data` in Godot 4.6, and how many bytes it has before the cells and for each.
const TILE_MAP_FORMAT: u16 = 0;
const TILE_MAP_HEAD: usize = 2;
const TILE_MAP_CELL: usize = 12;

/// A whole number or a condition that an earlier property gave, or the default.
fn number(keys: &Keys<'_>, property: Property<'_>, name: &str, usual: i64) -> Option<i64> {
    match keys.before(property, name) {
        Some(earlier) => whole_number(&earlier),
        None => Some(usual),
    }
}

fn wrong<'c>(property: Property<'c>, problem: String, effect: Effect) -> WrongLength<'c> {
    WrongLength { property, span: property.value_span(), problem, effect }
}

/// Each connection is the node that gets an input, the number of the input, and the node that it comes from.
fn connections<'c>(keys: &Keys<'c>, property: Property<'c>) -> Option<WrongLength<'c>> {
    missing_end(keys, property, "nodes/", &["output"], [0, 2])
}

/// Each transition is the state that it leaves, the one that it leads to, and its resource.
fn transitions<'c>(keys: &Keys<'c>, property: Property<'c>) -> Option<WrongLength<'c>> {
    missing_end(keys, property, "states/", &["Start", "End"], [0, 1])
}

/// The first name in a list of threes that no node or state of the section has.
fn missing_end<'c>(
    keys: &Keys<'c>,
    property: Property<'c>,
    start: &str,
    always: &[&str],
    ends: [usize; 2],
) -> Option<WrongLength<'c>> {
    let tree = property.value_tree();
    let ends = tree.root().children().enumerate().filter(|(at, _)| ends.contains(&(at % 3)));
    // A path leads into a state machine in this one.
    let is_missing = |name: &[u8]| {
        keys.last([start.as_bytes(), name, b"/node"].concat()).is_none()
            && !always.iter().any(|one| one.as_bytes() == name)
            && !name.contains(&b'/')
    };
    let (part, name) = ends
        .filter_map(|(_, part)| Some((part, part.text()?)))
        .find(|(_, name)| is_missing(name))?;
    let what = if start == "nodes/" { "node" } else { "state" };
    let problem = format!("{what} {} not found", quote(&name));
    let effect = match what {
        "node" => "Godot logs an error and drops the connection",
        _ => "Godot logs an error and drops the transition",
    };
    Some(WrongLength {
        property,
        span: part.span(),
        problem,
        effect: Effect::Other(effect.to_owned()),
    })
}

/// Each connection is a node, its port, and the node and port that it leads to. The node 0 is the output.
fn shader_connections<'c>(keys: &Keys<'c>, property: Property<'c>) -> Option<WrongLength<'c>> {
    let key = property.engine_key();
    let start = key.strip_suffix(b"connections")?;
    let tree = property.value_tree();
    let mut ends = tree.root().numbers().enumerate().filter(|(at, _)| at.is_multiple_of(2));
    let (_, node) = ends.find(|(at, node)| {
        let is_output = *node == b"0" && !at.is_multiple_of(4);
        !is_output && keys.last([start, node, b"/node"].concat()).is_none()
    })?;
    let problem = format!("node {} not found for the connection", quote(node));
    let effect = "Godot logs an error and drops the connection".to_owned();
    Some(wrong(property, problem, Effect::Other(effect)))
}

/// A bit for each pixel; Godot does not check it before it reads them.
fn bits<'c>(_: &Keys<'c>, property: Property<'c>) -> Option<WrongLength<'c>> {
    let tree = property.value_tree();
    let (size, data) = (tree.root().get("size")?, tree.root().get("data")?);
    let mut sides = size.numbers().map(|side| std::str::from_utf8(side).ok()?.parse::<f64>().ok());
    let (width, height) = (sides.next()??, sides.next()??);
    let (count, expected) = (length(data)?, (width.trunc() * height.trunc() / 8.0).ceil());
    ((count as f64) < expected).then(|| {
        let problem = format!(
            "`data` has {}; expected {expected} for {width} × {height} bits",
            named(count, "byte")
        );
        let effect = "Godot crashes when it reads one of the missing bits".to_owned();
        WrongLength { property, span: data.span(), problem, effect: Effect::Other(effect) }
    })
}

/// Without `auto_triangles`, Godot reads them; else it makes its own.
fn triangles<'c>(keys: &Keys<'c>, property: Property<'c>) -> Option<WrongLength<'c>> {
    let are_read = number(keys, property, "auto_triangles", 1)? == 0;
    let count = length(property.value_tree().root()).filter(|count| !count.is_multiple_of(3))?;
    are_read.then(|| {
        let problem = format!("each triangle has 3 numbers, but {count} is not a multiple of 3");
        wrong(property, problem, Effect::Refused)
    })
}

/// `point_count` after the points cuts them, or adds some at the origin.
fn point_count<'c>(keys: &Keys<'c>, property: Property<'c>) -> Option<WrongLength<'c>> {
    let data = keys.before(property, "_data")?.value_tree();
    let (list, size) = match data.root().get("points") {
        Some(points) => (points, 3),
        None => (data.root(), 5),
    };
    let points = length(list).filter(|count| count.is_multiple_of(size))? / size;
    let count = usize::try_from(property.value_tree().root().int()?).ok()?;
    let effect = match count.cmp(&points) {
        Ordering::Equal => return None,
        Ordering::Less => format!("Godot drops {} from the end", named(points - count, "point")),
        Ordering::Greater => format!("Godot adds {} at the origin", named(count - points, "point")),
    };
    let problem = format!("`point_count` is {count}, but `_data` has {}", named(points, "point"));
    Some(wrong(property, problem, Effect::Other(effect)))
}

/// The later one of `offsets` and `colors` says how many points a gradient has.
fn gradient<'c>(keys: &Keys<'c>, property: Property<'c>) -> Option<WrongLength<'c>> {
    let is_colors = *property.engine_key() == *b"colors";
    let (name, other) = if is_colors { ("colors", "offsets") } else { ("offsets", "colors") };
    let count = length(property.value_tree().root())?;
    let count_of_other = match keys.before(property, other) {
        Some(earlier) => length(earlier.value_tree().root())?,
        // The problem is reported at the later one.
        None => keys.last(other).is_none().then_some(POINTS_OF_GRADIENT)?,
    };
    let effect = match count.cmp(&count_of_other) {
        Ordering::Equal => return None,
        Ordering::Less => format!("Godot drops {} of `{other}`", count_of_other - count),
        Ordering::Greater if is_colors => {
            format!("Godot puts {} at the offset 0", named(count - count_of_other, "color"))
        }
        Ordering::Greater => {
            format!("Godot draws {} black", named(count - count_of_other, "point"))
        }
    };
    let problem = format!(
        "`{name}` has {}; expected {count_of_other}, as many as `{other}`",
        elements(count)
    );
    Some(wrong(property, problem, Effect::Other(effect)))
}

fn character<'c>(_: &Keys<'c>, property: Property<'c>) -> Option<WrongLength<'c>> {
    let count = characters(property)?;
    (count > 1).then(|| {
        let name = quote(&property.engine_key()).to_string();
        let problem = format!("{name} takes one character, but this text has {count}");
        let effect = "Godot keeps the first character".to_owned();
        wrong(property, problem, Effect::Other(effect))
    })
}

/// The text of a `LineEdit` with a `max_length`, in either order.
fn cut_text<'c>(keys: &Keys<'c>, property: Property<'c>) -> Option<WrongLength<'c>> {
    let most = keys.last("max_length").filter(is_short)?.value_tree().root().int()?;
    let most = usize::try_from(most).ok().filter(|most| *most > 0)?;
    let count = characters(property).filter(|count| *count > most)?;
    let problem = format!("`text` has {count} characters, but `max_length` is {most}");
    let effect = format!("Godot drops {} from the end", named(count - most, "character"));
    Some(wrong(property, problem, Effect::Other(effect)))
}

fn characters(property: Property<'_>) -> Option<usize> {
    let tree = property.value_tree();
    let text = tree.root().text()?;
    Some(String::from_utf8_lossy(&text).chars().count())
}

/// A zoom of zero is refused, a negative one is not.
fn zoom<'c>(_: &Keys<'c>, property: Property<'c>) -> Option<WrongLength<'c>> {
    let tree = property.value_tree();
    let is_zero =
        |number: &[u8]| std::str::from_utf8(number).ok()?.parse().ok().map(|n: f64| n.abs() < 1e-5);
    let has_zero = tree.root().numbers().any(|number| is_zero(number) == Some(true));
    has_zero.then(|| {
        wrong(property, "`zoom` takes components other than 0".to_owned(), Effect::Refused)
    })
}

/// A sprite has as many frames as its sheet has cells. The frame is set when its sheet is known.
fn frame<'c>(keys: &Keys<'c>, property: Property<'c>) -> Option<WrongLength<'c>> {
    let columns = number(keys, property, "hframes", 1)?;
    let rows = number(keys, property, "vframes", 1)?;
    let frame = property.value_tree().root().int()?;
    let count = columns.checked_mul(rows).filter(|count| *count > 0)?;
    (!(0..count).contains(&frame)).then(|| {
        let problem = format!("`frame` is {frame}, but `hframes` × `vframes` before it is {count}");
        wrong(property, problem, Effect::Refused)
    })
}

fn heights<'c>(keys: &Keys<'c>, property: Property<'c>) -> Option<WrongLength<'c>> {
    let width = number(keys, property, "map_width", 2)?;
    let depth = number(keys, property, "map_depth", 2)?;
    let count = length(property.value_tree().root())? as i64;
    (count != width.saturating_mul(depth)).then(|| {
        let problem =
            format!("`map_data` has {}; expected {width} × {depth}", elements(count as usize));
        wrong(property, problem, Effect::Ignored)
    })
}

/// `MultiMesh.buffer`: a transform for each instance, and perhaps a color and other data.
fn instances<'c>(keys: &Keys<'c>, property: Property<'c>) -> Option<WrongLength<'c>> {
    // Names of older versions, which decide the same.
    const OLDER: [&str; 2] = ["color_format", "custom_data_format"];
    if OLDER.iter().any(|key| keys.last(key).is_some()) {
        return None;
    }
    let number = |name| number(keys, property, name, 0);
    let transform = if number("transform_format")? == 0 { 8 } else { 12 };
    let each = transform + 4 * (number("use_colors")? + number("use_custom_data")?);
    let instances = number("instance_count")?;
    let count = length(property.value_tree().root())? as i64;
    (count != instances.saturating_mul(each)).then(|| {
        let problem = format!(
            "`buffer` has {}; expected {instances} × {each} for `instance_count`",
            elements(count as usize)
        );
        let effect = if instances == 0 { Effect::Ignored } else { Effect::Refused };
        wrong(property, problem, effect)
    })
}

/// `Image.data`, of formats that store each pixel by itself.
fn pixels<'c>(_: &Keys<'c>, property: Property<'c>) -> Option<WrongLength<'c>> {
    let tree = property.value_tree();
    let root = tree.root();
    let size = |name| root.get(name)?.int().filter(|size| (1..=MAX_SIZE).contains(size));
    let (width, height) = (size("width")?, size("height")?);
    let format = root.get("format")?.text()?;
    let has_smaller_ones = root.get("mipmaps")?.source() == b"true";
    let expected = bytes_of_image(width, height, bytes_of_pixel(&format)?, has_smaller_ones);
    let data = root.get("data")?;
    let count = length(data)?;
    (count as i64 != expected).then(|| {
        let format = quote(&format);
        let problem = format!(
            "`data` has {}; expected {expected} for {width} × {height} pixels of {format}",
            named(count, "byte")
        );
        WrongLength { property, span: data.span(), problem, effect: Effect::Refused }
    })
}

/// Godot's limit for the width and the height of an image.
const MAX_SIZE: i64 = 1 << 24;

fn bytes_of_image(mut width: i64, mut height: i64, pixel: i64, has_smaller_ones: bool) -> i64 {
    let mut all = width * height * pixel;
    while has_smaller_ones && (width > 1 || height > 1) {
        (width, height) = ((width / 2).max(1), (height / 2).max(1));
        all += width * height * pixel;
    }
    all
}

/// By the name of the format (`Image::format_names`, core/io/image.cpp, Godot 4.6.3).
fn bytes_of_pixel(format: &[u8]) -> Option<i64> {
    Some(match format {
        b"Lum8" | b"Red8" => 1,
        b"LumAlpha8" | b"RedGreen" | b"RGBA4444" | b"RGBA5551" | b"RHalf" => 2,
        b"RGB8" => 3,
        b"RGBA8" | b"RFloat" | b"RGHalf" | b"RGBE9995" => 4,
        b"RGBHalf" => 6,
        b"RGFloat" | b"RGBAHalf" => 8,
        b"RGBFloat" => 12,
        b"RGBAFloat" => 16,
        _ => return None,
    })
}

/// The cells of a `TileMap`, of formats that Godot 3.0 and newer write.
fn old_cells<'c>(keys: &Keys<'c>, property: Property<'c>) -> Option<WrongLength<'c>> {
    let format = number(keys, property, "format", 0)?;
    let count = length(property.value_tree().root())?;
    (format > 0 && !count.is_multiple_of(3)).then(|| {
        let problem =
            format!("each cell of the tile map has 3 numbers, but {count} is not a multiple of 3");
        wrong(property, problem, Effect::Refused)
    })
}

fn cells<'c>(_: &Keys<'c>, property: Property<'c>) -> Option<WrongLength<'c>> {
    let bytes = property.value_tree().root().bytes().filter(|bytes| !bytes.is_empty())?;
    let Some((head, cells)) = bytes.split_first_chunk::<TILE_MAP_HEAD>() else {
        let problem = "`tile_map_data` has 1 byte, and no cell".to_owned();
        return Some(wrong(property, problem, Effect::Refused));
    };
    let format = u16::from_le_bytes(*head);
    if format > TILE_MAP_FORMAT {
        let problem =
            format!("`tile_map_data` is of the format {format}; expected {TILE_MAP_FORMAT}");
        return Some(wrong(property, problem, Effect::Refused));
    }
    let rest = cells.len() % TILE_MAP_CELL;
    (rest > 0).then(|| {
        let problem = format!(
            "the last cell of `tile_map_data` has {}; expected {TILE_MAP_CELL}",
            named(rest, "byte")
        );
        let effect = "Godot logs an error and drops the last cell".to_owned();
        wrong(property, problem, Effect::Other(effect))
    })
}
