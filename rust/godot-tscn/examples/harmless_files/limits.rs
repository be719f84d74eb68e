//! Files at the limits of the budget: one thing as often, as deep or as long as it may be.

use std::fmt::Write as _;

use crate::file::File;
use crate::plan::Kind;
use crate::texts::quoted;

/// How often something is repeated, from the least to the most.
pub(crate) const COUNTS: [usize; 20] =
    [1, 2, 4, 6, 10, 16, 24, 32, 49, 64, 99, 150, 199, 249, 350, 499, 700, 1000, 1400, 1998];

/// Texts that take long to lay out.
const LONG_TEXTS: [&str; 12] = [
    "a ",
    "a",
    "a\u{301}",
    "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}",
    "ꙮa",
    "\u{a66e}\u{10380}\u{f40}\u{1780}\u{10d0}\u{e01}\u{13a0}\u{1401}",
    "word word, ",
    "مرحبا ",
    "一二三",
    "a\\n",
    "\u{202e}a\u{202c}",
    "👩‍👩‍👧",
];

const LONG_TAGS: [&str; 8] = [
    "[shake]",
    "[wave amp=1000 freq=1000]",
    "[b]",
    "[indent]",
    "[fade start=0 length=9]",
    "[font_size=192]",
    "[center]",
    "[bgcolor=red]",
];

/// Properties with values.
type Choices = &'static [(&'static str, &'static [&'static str])];

/// The properties that wrap, fit and stretch, with their values.
const FITTING: &[(&str, Choices)] = &[
    (
        "Label",
        &[
            ("autowrap_mode", &["0", "1", "2", "3"]),
            ("text_overrun_behavior", &["0", "1", "2", "3", "4"]),
            ("clip_text", &["true", "false"]),
            ("max_lines_visible", &["-1", "1", "3"]),
        ],
    ),
    (
        "RichTextLabel",
        &[("autowrap_mode", &["0", "1", "2", "3"]), ("scroll_active", &["true", "false"])],
    ),
    ("Button", &[("autowrap_mode", &["0", "1", "2", "3"]), ("clip_text", &["true", "false"])]),
    ("CheckBox", &[("autowrap_mode", &["0", "3"])]),
    ("TextureRect", &[("expand_mode", &["0", "1"]), ("stretch_mode", &["0", "4", "6"])]),
    ("ColorRect", &[]),
    ("HSlider", &[]),
    ("TextureButton", &[("ignore_texture_size", &["true", "false"])]),
    ("NinePatchRect", &[]),
    ("ProgressBar", &[("show_percentage", &["true", "false"])]),
    ("HBoxContainer", &[("alignment", &["0", "1", "2"])]),
    ("VBoxContainer", &[("alignment", &["0", "1", "2"])]),
    ("BoxContainer", &[("vertical", &["true", "false"])]),
    ("CenterContainer", &[("use_top_left", &["true", "false"])]),
    (
        "HFlowContainer",
        &[("last_wrap_alignment", &["0", "1", "2", "3"]), ("reverse_fill", &["true", "false"])],
    ),
    ("GridContainer", &[("columns", &["1", "2", "5"])]),
    (
        "MarginContainer",
        &[
            ("theme_override_constants/margin_left", &["-30", "0", "20"]),
            ("theme_override_constants/margin_top", &["-30", "20"]),
        ],
    ),
    ("PanelContainer", &[]),
    (
        "ScrollContainer",
        &[
            ("horizontal_scroll_mode", &["0", "1", "2", "3", "4"]),
            ("vertical_scroll_mode", &["0", "1", "2", "3", "4"]),
            ("follow_focus", &["true"]),
        ],
    ),
    (
        "HSplitContainer",
        &[("split_offset", &["-50", "0", "90"]), ("collapsed", &["true", "false"])],
    ),
    (
        "VSplitContainer",
        &[("split_offset", &["-50", "0", "90"]), ("collapsed", &["true", "false"])],
    ),
    (
        "SplitContainer",
        &[("vertical", &["true", "false"]), ("dragger_visibility", &["0", "1", "2"])],
    ),
    ("Container", &[]),
    ("Control", &[]),
];

/// Those of all controls.
const USUAL: Choices = &[
    ("size_flags_horizontal", &["0", "1", "3", "4", "8", "2"]),
    ("size_flags_vertical", &["0", "1", "3", "4", "8", "2"]),
    (
        "custom_minimum_size",
        &["Vector2(20, 20)", "Vector2(1, 0)", "Vector2(0, 33)", "Vector2(150, 60)"],
    ),
    ("size_flags_stretch_ratio", &["0.2", "3.0"]),
    ("layout_mode", &["1", "2"]),
    ("anchors_preset", &["15", "8", "0"]),
    ("theme_override_font_sizes/font_size", &["7", "16", "40"]),
];

impl File<'_> {
    /// Copies of a node with what belongs to it, below one root.
    pub(crate) fn many(&mut self, class: &'static str, count: usize) {
        let nodes = self.stage(class);
        self.share = [0.1, 0.3, 0.7][self.numbers.random.usize(..3)];
        self.fill_nodes(&nodes);
        self.repeat(count);
    }

    /// Nodes of one class below nodes of another.
    pub(crate) fn pair(&mut self, above: &'static str, below: &'static str, count: usize) {
        let root = if self.list.inherits(above, "Node3D") { "Node3D" } else { "Control" };
        let root = self.node(root, None);
        let mut last = root;
        for _ in 0..self.numbers.random.usize(1..4) {
            last = self.node(above, Some(last));
            self.share = 0.1;
            self.fill_nodes(&[last]);
            let child = self.node(below, Some(last));
            self.share = 0.3;
            self.fill_nodes(&[child]);
            if self.numbers.chance(0.5) {
                last = child;
            }
        }
        self.repeat(count);
    }

    /// As deep as nodes may hang.
    pub(crate) fn nested(&mut self, above: &'static str, below: &'static str, count: usize) {
        let root = if self.list.inherits(above, "Control") { "Control" } else { "Node" };
        let mut last = self.node(root, None);
        self.share = 0.05;
        for level in 1..count.min(32) {
            last = self.node(if level % 2 == 0 { above } else { below }, Some(last));
            self.fill_nodes(&[last]);
        }
    }

    /// A tree of controls that wrap, fit and stretch.
    pub(crate) fn layout(&mut self, count: usize) {
        let containers = FITTING.iter().filter(|(class, _)| class.ends_with("Container"));
        let containers: Vec<_> = containers.map(|(class, _)| *class).collect();
        let first = *self.numbers.pick(&containers);
        let root = self.node(first, None);
        let mut inner = vec![root];
        let count = self.numbers.random.usize(2..14).min(count);
        for _ in 0..count {
            let parent = *self.numbers.pick(&inner);
            let class = if self.numbers.chance(0.5) {
                *self.numbers.pick(&containers)
            } else {
                self.numbers.pick(FITTING).0
            };
            let node = self.node(class, Some(parent));
            if class.ends_with("Container") {
                inner.push(node);
            } else if self.numbers.chance(0.2) {
                for _ in 0..self.numbers.random.usize(3..20) {
                    let twin = self.node(class, Some(parent));
                    self.fit(twin);
                }
            }
        }
        for node in 0..self.nodes.len() {
            self.fit(node);
        }
        let lines = &mut self.nodes[root].lines;
        lines.retain(|(key, _)| !matches!(key.as_str(), "layout_mode" | "anchors_preset"));
        for key in ["offset_right", "offset_bottom"] {
            let size = *self.numbers.pick(&["0.0", "17.0", "90.0", "333.0", "1000.0"]);
            self.nodes[root].lines.push((key.to_owned(), size.to_owned()));
        }
    }

    /// Properties of a control that matter to layout.
    fn fit(&mut self, node: usize) {
        let class = self.nodes[node].class.clone();
        let own = FITTING.iter().find(|(known, _)| *known == class).map_or(&[][..], |row| row.1);
        let mut lines = Vec::new();
        for (rows, share) in [(own, 0.8), (USUAL, 0.25)] {
            for (name, values) in rows {
                let is_known = self.list.properties(&class).iter().any(|(known, _)| {
                    known == name
                        || known.ends_with("/*") && name.starts_with(known.trim_end_matches('*'))
                });
                if is_known && self.numbers.chance(share) {
                    lines.push(((*name).to_owned(), (*self.numbers.pick(values)).to_owned()));
                }
            }
        }
        if self.list.properties(&class).iter().any(|(name, _)| *name == "text") {
            let word = ["word ", "a", "long-er word ", "a b\\n"][self.numbers.random.usize(..4)];
            let text = word.repeat([1, 8, 40, 160][self.numbers.random.usize(..4)]);
            lines.push(("text".to_owned(), format!("\"{text}\"")));
        }
        if class.starts_with("Texture") && self.numbers.chance(0.8) {
            let size = ["Vector2(8, 8)", "Vector2(200, 30)", "Vector2(30, 200)"];
            let size = (*self.numbers.pick(&size)).to_owned();
            let picture =
                self.add_resource("PlaceholderTexture2D", vec![("size".to_owned(), size)]);
            let key = if class == "TextureRect" { "texture" } else { "texture_normal" };
            lines.push((key.to_owned(), picture));
        }
        let known = &mut self.nodes[node].lines;
        lines.retain(|(key, _)| known.iter().all(|(other, _)| other != key));
        known.extend(lines);
    }

    /// As much text as there may be.
    pub(crate) fn long_text(&mut self, class: &'static str, count: usize) {
        let root = self.node("Control", None);
        let unit = *self.numbers.pick(&LONG_TEXTS);
        let tag = *self.numbers.pick(&LONG_TAGS);
        let is_rich = class == "RichTextLabel" && self.numbers.chance(0.7);
        let most = [300, 1000, 4000][self.numbers.random.usize(..3)];
        let body = most / unit.len();
        let text = if is_rich {
            let tags = self.numbers.random.usize(1..=16);
            tag.repeat(tags) + &unit.repeat(most / 2 / unit.len())
        } else {
            unit.repeat(body)
        };
        for _ in 0..count {
            let node = self.node(class, Some(root));
            self.fit(node);
            let lines = &mut self.nodes[node].lines;
            lines.retain(|(key, _)| key != "text");
            lines.push(("text".to_owned(), format!("\"{text}\"")));
            if is_rich {
                lines.push(("bbcode_enabled".to_owned(), "true".to_owned()));
            }
            if class != "Label3D" && self.numbers.chance(0.5) {
                let lines = &mut self.nodes[node].lines;
                lines.retain(|(key, _)| !matches!(key.as_str(), "layout_mode" | "anchors_preset"));
                lines.push(("offset_right".to_owned(), "400.0".to_owned()));
                lines.push(("offset_bottom".to_owned(), "16000.0".to_owned()));
            }
        }
    }

    /// Timers that show and hide a node above as many others as there may be.
    pub(crate) fn calls(&mut self, class: &'static str, count: usize) {
        let root = self.node("Node", None);
        let shown = self.node(class, Some(root));
        for _ in 0..count {
            self.node(class, Some(shown));
        }
        let flags = [0, 1, 3][self.numbers.random.usize(..3)];
        for number in 0..32 {
            let timer = self.node("Timer", Some(root));
            self.nodes[timer].lines.extend(
                [("wait_time", "0.1"), ("autostart", "true")]
                    .map(|(key, value)| (key.to_owned(), value.to_owned())),
            );
            for method in ["show", "hide", "queue_redraw"] {
                let from = quoted(&self.nodes[timer].path);
                let to = quoted(&self.nodes[shown + number % (count + 1)].path);
                let to = if number % 2 == 0 { quoted(&self.nodes[shown].path) } else { to };
                if method != "queue_redraw" || self.list.inherits(class, "CanvasItem") {
                    writeln!(self.connections, "\n[connection signal=\"timeout\" from={from} to={to} method=\"{method}\" flags={flags}]").ok();
                }
            }
        }
    }

    /// Copies all nodes below the root `times` times.
    fn repeat(&mut self, count: usize) {
        let size = self.nodes.len() - 1;
        for copy in 1..count {
            for index in 1..=size {
                let original = &self.nodes[index];
                let (class, lines) = (original.class.clone(), original.lines.clone());
                let parent = original.parent;
                let parent =
                    parent.map(|parent| if parent == 0 { 0 } else { parent + copy * size });
                let node = self.node(&class, parent);
                self.nodes[node].lines = lines;
            }
        }
    }
}

impl Kind {
    /// Whether the file repeats something as often as the budget allows.
    pub(crate) fn is_at_limit(self) -> bool {
        matches!(
            self,
            Self::Many(_)
                | Self::Pair(..)
                | Self::Nested(..)
                | Self::LongText(_)
                | Self::Calls(_)
                | Self::Full(_)
        )
    }
}
