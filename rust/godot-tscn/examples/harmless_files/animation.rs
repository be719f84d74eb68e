//! Animations of every property that they may change.

use crate::file::{File, Holder};
use crate::numbers::{written, written_real};

/// A property, or a component of one, with the shape of its values.
struct Animated {
    path: String,
    shape: String,
    jumps: bool,
    /// It may be set to what a curve overshoots to.
    beyond: bool,
}

impl Animated {
    /// The property without its component.
    fn key(&self) -> String {
        self.path.split(':').next().unwrap_or_default().to_owned()
    }
}

impl File<'_> {
    /// Adds a player below the root that plays at once, with an animation that changes all it may of these nodes.
    pub(crate) fn animate(&mut self, nodes: &[usize]) {
        let mut lines = vec![(
            "length".to_owned(),
            ["0.3", "0.001", "99999", "1"][self.numbers.random.usize(..4)].to_owned(),
        )];
        lines.push(("loop_mode".to_owned(), self.numbers.random.u8(..3).to_string()));
        lines.push((
            "step".to_owned(),
            ["0.1", "0", "4096", "0.0001"][self.numbers.random.usize(..4)].to_owned(),
        ));
        let mut count = 0;
        for node in nodes {
            let class = self.nodes[*node].class.clone();
            let path = self.nodes[*node].path.clone();
            for animated in self.animated(&class) {
                // Most tracks are left out: they would all be the same.
                if self.numbers.chance(0.7) {
                    self.track(&mut lines, count, &path, &animated);
                    count += 1;
                }
            }
            if self.list.inherits(&class, "Node3D") && self.numbers.chance(0.5) {
                self.track_3d(&mut lines, count, &path);
                count += 1;
            }
        }
        let animation = self.add_resource("Animation", lines);
        let names =
            [("_data".to_owned(), format!("{{\n&\"a\": {animation},\n&\"b\": {animation}\n}}"))];
        let library = self.add_resource("AnimationLibrary", names.to_vec());
        let player = self.node("AnimationPlayer", Some(0));
        let speed = ["1.0", "1000000.0", "-1000000.0", "0.0", "1e-06", "60.0"]
            [self.numbers.random.usize(..6)];
        let blend = ["0.0", "4096.0", "0.1"][self.numbers.random.usize(..3)];
        for (key, value) in [
            ("libraries", format!("{{\n&\"\": {library}\n}}")),
            ("autoplay", "&\"a\"".to_owned()),
            ("speed_scale", speed.to_owned()),
            ("playback_default_blend_time", blend.to_owned()),
            ("callback_mode_process", self.numbers.random.u8(..2).to_string()),
            ("callback_mode_discrete", self.numbers.random.u8(..2).to_string()),
            ("deterministic", self.numbers.random.bool().to_string()),
        ] {
            self.nodes[player].lines.push((key.to_owned(), value));
        }
    }

    /// Tracks of an animation that no player of the file starts from a known node.
    pub(crate) fn tracks_of_any_node(&mut self, lines: &mut Vec<(String, String)>) {
        for (number, animated) in self.animated("*").into_iter().enumerate() {
            self.track(lines, number, ".", &animated);
        }
    }

    fn animated(&mut self, class: &str) -> Vec<Animated> {
        let mut all = Vec::new();
        for (name, shape) in self.list.properties(class) {
            if name.contains(['*', '#']) || self.list.is_counted(class, name) {
                continue;
            }
            let words: Vec<&str> = shape.split(' ').collect();
            let (jumps, beyond) = match self.list.in_tracks(name) {
                0 => continue,
                1 => (true, false),
                2 => (false, false),
                _ => (false, true),
            };
            all.push(Animated { path: name.to_owned(), shape: shape.to_owned(), jumps, beyond });
            let components: &[&str] = match words[1..] {
                ["Vector2", ..] => &["x", "y"],
                ["Vector3", ..] => &["x", "y", "z"],
                ["Color", ..] => &["r", "g", "b", "a"],
                _ => &[],
            };
            if !components.is_empty() && words[0] == "numbers" {
                let path = format!("{name}:{}", self.numbers.pick(components));
                let shape = format!("float {} {}", words[2], words[3]);
                all.push(Animated { path, shape, jumps, beyond });
            }
        }
        all
    }

    fn track(
        &mut self,
        lines: &mut Vec<(String, String)>,
        number: usize,
        node: &str,
        animated: &Animated,
    ) {
        let count = [0, 1, 2, 2, 3, 5][self.numbers.random.usize(..6)];
        let times = self.times(count);
        let is_bezier =
            animated.beyond && animated.shape.starts_with("float") && self.numbers.chance(0.5);
        let keys = if is_bezier {
            self.bezier(animated, &times)
        } else {
            self.value_keys(animated, &times)
        };
        let overshoots = animated.beyond || animated.jumps;
        let interpolation =
            *self.numbers.pick(if overshoots { &[0, 1, 2, 3, 4] } else { &[0, 1, 3, 0, 1] });
        self.push_track(
            lines,
            number,
            if is_bezier { "bezier" } else { "value" },
            &format!("{node}:{}", animated.path),
            interpolation,
            &keys,
        );
    }

    fn track_3d(&mut self, lines: &mut Vec<(String, String)>, number: usize, node: &str) {
        let (kind, size) =
            *self.numbers.pick(&[("position_3d", 3), ("rotation_3d", 4), ("scale_3d", 3)]);
        let count = [0, 1, 2, 3][self.numbers.random.usize(..4)];
        let far = if kind == "scale_3d" { 1.0 } else { 1e6 };
        let keys: Vec<String> = self
            .times(count)
            .iter()
            .flat_map(|time| {
                let rest: Vec<f64> = (0..=size).map(|_| self.numbers.float(-far, far)).collect();
                std::iter::once(*time).chain(rest)
            })
            .map(written_real)
            .collect();
        let interpolation = self.numbers.random.u8(..5);
        self.push_track(
            lines,
            number,
            kind,
            node,
            interpolation,
            &format!("PackedFloat32Array({})", keys.join(", ")),
        );
    }

    fn push_track(
        &mut self,
        lines: &mut Vec<(String, String)>,
        number: usize,
        kind: &str,
        path: &str,
        interpolation: u8,
        keys: &str,
    ) {
        for (part, value) in [
            ("type", format!("\"{kind}\"")),
            ("imported", "false".to_owned()),
            ("enabled", "true".to_owned()),
            ("path", format!("NodePath(\"{path}\")")),
            ("interp", interpolation.to_string()),
            ("loop_wrap", self.numbers.random.bool().to_string()),
            ("keys", keys.to_owned()),
        ] {
            lines.push((format!("tracks/{number}/{part}"), value));
        }
    }

    /// Sorted; most of them within the few frames that are seen.
    fn times(&mut self, count: usize) -> Vec<f64> {
        let mut times: Vec<f64> = (0..count)
            .map(|_| match self.numbers.random.u8(..10) {
                0 => 0.0,
                1 => 1e6,
                2 => 1e-30,
                _ => self.numbers.random.f64() * 0.4,
            })
            .map(|time| f64::from(time as f32))
            .collect();
        times.sort_by(f64::total_cmp);
        times
    }

    fn value_keys(&mut self, animated: &Animated, times: &[f64]) -> String {
        let holder = Holder { level: 1, ..Holder::default() };
        let mut values = Vec::new();
        for _ in times {
            let value = self.value(&holder, &animated.key(), &animated.shape);
            // Resources of the file may stand behind the animation, and those of others are none of its.
            values.push(value.unwrap_or_else(|| "null".to_owned()));
        }
        let transitions: Vec<&str> = times
            .iter()
            .map(|_| {
                *self.numbers.pick(&["1", "0", "-1", "0.5", "1000000", "-1000000", "1e-06", "-2"])
            })
            .collect();
        let update = if animated.jumps { 1 } else { self.numbers.random.u8(..2) };
        let written: Vec<String> = times.iter().copied().map(written_real).collect();
        format!(
            "{{\n\"times\": PackedFloat32Array({}),\n\"transitions\": PackedFloat32Array({}),\n\"update\": {update},\n\"values\": [{}]\n}}",
            written.join(", "),
            transitions.join(", "),
            values.join(", ")
        )
    }

    fn bezier(&mut self, animated: &Animated, times: &[f64]) -> String {
        let far = if animated.path.starts_with("scale") { 1.0 } else { 1e6 };
        let holder = Holder::default();
        let mut points = Vec::new();
        for _ in times {
            points.push(
                self.value(&holder, &animated.key(), &animated.shape)
                    .unwrap_or_else(|| written(0.0)),
            );
            for _ in 0..4 {
                points.push(written_real(self.numbers.float(-far, far)));
            }
        }
        let modes: Vec<String> =
            times.iter().map(|_| self.numbers.random.u8(..5).to_string()).collect();
        let times: Vec<String> = times.iter().copied().map(written_real).collect();
        format!(
            "{{\n\"handle_modes\": PackedInt32Array({}),\n\"points\": PackedFloat32Array({}),\n\"times\": PackedFloat32Array({})\n}}",
            modes.join(", "),
            points.join(", "),
            times.join(", ")
        )
    }
}
