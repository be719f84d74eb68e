//! A value for each shape of the list.

use crate::file::{File, Holder};
use crate::numbers::{written, written_real};
use crate::texts::quoted;

impl File<'_> {
    /// A value of the shape; nothing where the property had better not be written.
    pub(crate) fn value(&mut self, holder: &Holder, key: &str, shape: &str) -> Option<String> {
        let words: Vec<&str> = shape.split(' ').collect();
        // What enlarges other nodes is bounded for all of them together.
        let most = match key {
            "scale" | "transform" => 8.0 / 2_f64.powi(self.numbers.level),
            _ => most_by_name(key),
        };
        let limit = |index: usize| {
            words[index].parse::<f64>().expect("the list has numbers there").clamp(-most, most)
        };
        Some(match words[0] {
            "bool" => self.numbers.random.bool().to_string(),
            "int" => self.numbers.int(limit(1) as i64, limit(2) as i64).to_string(),
            "float" => written(self.numbers.float(limit(1), limit(2))),
            "numbers" => {
                let types: Vec<&str> = words[1].split('|').collect();
                let name = *self.numbers.pick(&types);
                self.components(name, limit(2), limit(3))
            }
            "sizes" => {
                let (least, most) = (limit(2), limit(3));
                let size = |file: &mut Self| match file.numbers.float(0.0, most) {
                    number if number < least => {
                        if file.numbers.random.bool() {
                            0.0
                        } else {
                            least
                        }
                    }
                    number => number,
                };
                format!("Vector2({}, {})", written_real(size(self)), written_real(size(self)))
            }
            "packed" => return self.packed(holder, key, words[1], words[2], (limit(3), limit(4))),
            "text" => quoted(&self.numbers.text()),
            "bbcode" => quoted(&self.numbers.rich_text()),
            "name" => format!("&{}", quoted(&self.numbers.name())),
            "data" => {
                let depth = if self.numbers.chance(0.05) { 14 } else { 2 };
                self.numbers.data(depth)
            }
            "node" | "animation_root" => {
                let path = self.path_from(holder.node?);
                format!("NodePath({})", quoted(&path))
            }
            "resource" => return self.resource(holder, key, shape),
            "animation_libraries" => self.named("AnimationLibrary", holder)?,
            "animations" => self.named("Animation", holder)?,
            "track" => return None,
            "sprite_animations" => self.sprite_animations(holder),
            "curve_limits" => {
                let mut pair = || {
                    let (one, other) =
                        (self.numbers.float(-1e6, 1e6), self.numbers.float(-1e6, 1e6));
                    if one == other {
                        (one - 1.0).max(-1e6)..one.max(-999_999.0)
                    } else {
                        one.min(other)..one.max(other)
                    }
                };
                let (values, places) = (pair(), pair());
                let all = [values.start, values.end, places.start, places.end];
                format!("[{}]", all.map(written).join(", "))
            }
            "curve_points" => self.curve_points(),
            "path_points" => self.path_points(&holder.class),
            "indices" => self.indices(holder, limit(1) as usize),
            "outlines" => {
                let range = (limit(2), limit(3));
                let outlines: Vec<String> = (0..self.numbers.random.usize(..4))
                    .map(|_| self.points("PackedVector2Array", 20, range))
                    .collect();
                format!("Array[PackedVector2Array]([{}])", outlines.join(", "))
            }
            other => panic!("no values of the shape `{other}` are made"),
        })
    }

    pub(crate) fn components(&mut self, name: &str, least: f64, most: f64) -> String {
        let count = match name {
            "float" => return written(self.numbers.float(least, most)),
            "Vector2" | "Vector2i" => 2,
            "Vector3" | "Vector3i" => 3,
            "Color" | "Rect2" | "Rect2i" | "Vector4" | "Vector4i" | "Plane" | "Quaternion" => 4,
            "Transform2D" | "AABB" => 6,
            "Basis" => 9,
            "Transform3D" => 12,
            other => panic!("no values of the type `{other}` are made"),
        };
        // Transforms as they are meant, too: most scenes have no others.
        if count == 12 && self.numbers.chance(0.6) {
            let place = self.points("", 1, (least, most));
            return format!("Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, {place}, 0)");
        }
        let whole = name.ends_with('i');
        let one = |file: &mut Self| file.numbers.float(least, most);
        let same = self.numbers.chance(0.3).then(|| one(self));
        let numbers: Vec<String> = (0..count)
            .map(|_| same.unwrap_or_else(|| one(self)))
            .map(|number| if whole { (number as i64).to_string() } else { written_real(number) })
            .collect();
        format!("{name}({})", numbers.join(", "))
    }

    fn packed(
        &mut self,
        holder: &Holder,
        key: &str,
        name: &str,
        most: &str,
        range: (f64, f64),
    ) -> Option<String> {
        let most: usize = most.parse().expect("the list has a count there");
        if key == "tile_map_data" {
            return Some(self.tile_map_data());
        }
        // Sometimes as many as the class wants, so that they are taken.
        let wanted = match key {
            "map_data" => holder.product(&["map_width", "map_depth"], 2.0),
            "buffer" => {
                let floats =
                    if holder.number("transform_format") == Some(1.0) { 12.0 } else { 8.0 };
                let on = |key: &str| if holder.is_on(key) { 4.0 } else { 0.0 };
                holder.number("instance_count").unwrap_or(0.0)
                    * (floats + on("use_colors") + on("use_custom_data"))
            }
            _ => 0.0,
        };
        let count = match wanted as usize {
            wanted if wanted > 0 && wanted <= most.min(40_000) && self.numbers.chance(0.7) => {
                wanted
            }
            _ => self.numbers.count(most),
        };
        Some(self.packed_of(name, count, range))
    }

    fn packed_of(&mut self, name: &str, count: usize, range: (f64, f64)) -> String {
        if name.starts_with("PackedVector") {
            return self.points(name, count, range);
        }
        let size = if name == "PackedColorArray" { 4 } else { 1 };
        let whole = matches!(name, "PackedByteArray" | "PackedInt32Array");
        let one = |file: &mut Self| {
            let number = file.numbers.float(range.0, range.1);
            if whole { (number as i64).to_string() } else { written_real(number) }
        };
        let same = self.numbers.chance(0.2).then(|| one(self));
        let numbers: Vec<String> =
            (0..count * size).map(|_| same.clone().unwrap_or_else(|| one(self))).collect();
        format!("{name}({})", numbers.join(", "))
    }

    /// Points that stand still, lie on a line, cross each other, go round, or lie anywhere. Without a name, only the
    /// numbers.
    fn points(&mut self, name: &str, count: usize, (least, most): (f64, f64)) -> String {
        let size = if name == "PackedVector3Array" { 3 } else { 2 };
        let (kind, reach) = (self.numbers.random.u32(..6), self.numbers.float(0.0, most).max(1.0));
        let mut numbers = Vec::with_capacity(count * size);
        for index in 0..count {
            let turn = index as f64 / count as f64 * std::f64::consts::TAU;
            let point: [f64; 3] = match kind {
                0 => [reach; 3],
                1 => [index as f64 * reach / count as f64; 3],
                2 => [turn.cos() * reach, turn.sin() * reach, 0.0],
                3 => [(turn * 2.4).cos() * reach, (turn * 2.4).sin() * reach, reach * turn.sin()],
                4 => std::array::from_fn(|_| f64::from(self.numbers.random.i32(-300..300))),
                _ => std::array::from_fn(|_| self.numbers.float(least, most)),
            };
            numbers
                .extend(point[..size].iter().map(|number| written_real(number.clamp(least, most))));
        }
        let numbers = numbers.join(", ");
        if name.is_empty() { numbers } else { format!("{name}({numbers})") }
    }

    /// Cells of twelve bytes, two bytes before them: a version. Or any bytes.
    fn tile_map_data(&mut self) -> String {
        let count = self.numbers.count(2000);
        let mut bytes = vec![0, 0];
        for _ in 0..count {
            let place = self.numbers.random.bool();
            for index in 0..12 {
                bytes.push(match (place, index) {
                    (true, 0 | 2) => self.numbers.random.u8(..),
                    (true, _) => 0,
                    _ => self.numbers.random.u8(..),
                });
            }
        }
        if self.numbers.chance(0.3) {
            bytes = (0..self.numbers.count(5000)).map(|_| self.numbers.random.u8(..)).collect();
        }
        let bytes: Vec<String> = bytes.iter().map(u8::to_string).collect();
        format!("PackedByteArray({})", bytes.join(", "))
    }

    fn curve_points(&mut self) -> String {
        let count = self.numbers.count(1024);
        let points: Vec<String> = (0..count)
            .map(|_| {
                let (x, y) = if self.numbers.random.bool() {
                    (self.numbers.random.f64(), self.numbers.random.f64())
                } else {
                    (self.numbers.float(-1e6, 1e6), self.numbers.float(-1e6, 1e6))
                };
                let tangents = [self.numbers.float(-1e6, 1e6), self.numbers.float(-1e6, 1e6)];
                let modes = [self.numbers.random.u8(..2), self.numbers.random.u8(..2)];
                format!(
                    "Vector2({}, {}), {}, {}, {}, {}",
                    written_real(x),
                    written_real(y),
                    written(tangents[0]),
                    written(tangents[1]),
                    modes[0],
                    modes[1]
                )
            })
            .collect();
        format!("[{}]", points.join(", "))
    }

    fn path_points(&mut self, class: &str) -> String {
        let count = self.numbers.count(1024);
        if class != "Curve3D" {
            let points = self.points("PackedVector2Array", 3 * count, (-1e6, 1e6));
            return format!("{{\n\"points\": {points}\n}}");
        }
        let points = self.points("PackedVector3Array", 3 * count, (-1e6, 1e6));
        let tilts = self.packed_of("PackedFloat32Array", count, (-1e6, 1e6));
        format!("{{\n\"points\": {points},\n\"tilts\": {tilts}\n}}")
    }

    fn indices(&mut self, holder: &Holder, most: usize) -> String {
        let vertices = holder.vertices;
        let count = if vertices == 0 { 0 } else { self.numbers.count(most).min(200) };
        let polygons: Vec<String> = (0..count)
            .map(|number| {
                let length = [3, 3, 3, 4, 0, 1, 2, 20][self.numbers.random.usize(..8)];
                let turn = self.numbers.random.bool();
                let indices: Vec<String> = (0..length)
                    .map(|step| {
                        if turn {
                            (number + step) % vertices
                        } else {
                            self.numbers.random.usize(..vertices)
                        }
                    })
                    .map(|index| index.to_string())
                    .collect();
                format!("PackedInt32Array({})", indices.join(", "))
            })
            .collect();
        format!("[{}]", polygons.join(", "))
    }

    fn sprite_animations(&mut self, holder: &Holder) -> String {
        let names = ["default", "idle", "a", "default"];
        let count = self.numbers.random.usize(..4);
        let animations: Vec<String> = (0..count)
            .map(|index| {
                let frames: Vec<String> = (0..self.numbers.random.usize(..5))
                    .map(|_| {
                        let texture = self.resource(holder, "texture", "resource Texture2D");
                        let duration = written(self.numbers.float(0.001, 1e6));
                        let texture = texture.unwrap_or_else(|| "null".to_owned());
                        format!("{{\n\"duration\": {duration},\n\"texture\": {texture}\n}}")
                    })
                    .collect();
                format!(
                    "{{\n\"frames\": [{}],\n\"loop\": {},\n\"name\": &\"{}\",\n\"speed\": {}\n}}",
                    frames.join(", "),
                    self.numbers.random.bool(),
                    names[index],
                    written(self.numbers.float(0.0, 1000.0))
                )
            })
            .collect();
        format!("[{}]", animations.join(", "))
    }

    /// Resources of the class under names.
    fn named(&mut self, class: &'static str, holder: &Holder) -> Option<String> {
        let names = ["", "a", "idle", "RESET", "default"];
        let count = self.numbers.random.usize(..names.len());
        let entries: Option<Vec<String>> = names[..count]
            .iter()
            .map(|name| {
                Some(format!("&\"{name}\": {}", self.make_resource(class, holder.level + 1, &[])?))
            })
            .collect();
        Some(format!("{{\n{}\n}}", entries?.join(",\n")))
    }
}

/// What `resource-bomb` (SEC009) takes for the most, whatever the class.
fn most_by_name(key: &str) -> f64 {
    let name = key.rsplit('/').next().unwrap_or(key);
    let ends =
        ["size", "_segments", "rings", "_sections", "_sides", "_resolution", "_width", "_height"];
    let is_pixels = matches!(name, "width" | "height" | "depth")
        || name.starts_with("subdivide")
        || ends.iter().any(|end| name.ends_with(end));
    let is_count = name == "amount" || name.ends_with("count") || name.ends_with("_length");
    match (is_pixels, is_count) {
        (true, _) => 16_384.0,
        (_, true) => 1_000_000.0,
        _ => f64::INFINITY,
    }
}
