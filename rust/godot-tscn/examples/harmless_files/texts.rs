//! Texts, with and without tags, and plain data.

use crate::numbers::{Numbers, written};

/// Names of files among them: whatever takes one for a path would open it.
pub(crate) const NAMES: &[&str] = &[
    "a",
    "default",
    "idle",
    "",
    "res://canary.tres",
    "user://canary.tscn",
    "/etc/hostname",
    "Master",
    "%A",
    "..",
    "script",
    "http://127.0.0.1:9/",
    "uid://bcanary",
    "a/b",
    "Ä ß",
    "RESET",
];

const WORDS: &[&str] = &[
    "word",
    "res://canary.gd",
    "\u{202e}right to left",
    "שלום עולם",
    "مرحبا بالعالم",
    "e\u{301}\u{301}\u{301}\u{301}\u{301}",
    "👩‍👩‍👧‍👦",
    "一二三四五六七八九十",
    "\t",
    "\n",
    "\n\n\n",
    "a\u{ad}b",
    "\u{200b}",
    "\u{200d}",
    "fi ffi",
    "%s %d",
    "{0}",
    "https://127.0.0.1:9/",
    "_",
    "\u{7}",
    "\u{1f}",
    "\u{fffd}",
    "ไม่มีช่องว่าง",
    "क्षत्रिय",
];

/// Tags with what may stand in them.
const TAGS: &[(&str, &[&str])] = &[
    ("b", &[""]),
    ("i", &[""]),
    ("u", &[""]),
    ("s", &[""]),
    ("code", &[""]),
    ("center", &[""]),
    ("left", &[""]),
    ("right", &[""]),
    ("fill", &[""]),
    ("indent", &[""]),
    ("color", &["=red", "=#ff00ff", "=x", "="]),
    ("bgcolor", &["=#00000000", "=red"]),
    ("fgcolor", &["=#ffffff80", "=red"]),
    ("outline_color", &["=blue"]),
    ("outline_size", &["=0", "=32", "=-32"]),
    ("fade", &[" start=0 length=0", " start=10000 length=10000", " start=4 length=-14", ""]),
    ("pulse", &[" freq=1000 color=#ffffff40 ease=-1000", " freq=0 ease=0", ""]),
    ("rainbow", &[" freq=1000 sat=1000 val=-1000", " freq=0", ""]),
    ("shake", &[" rate=1000 level=1000 connected=0", " rate=0 level=0", " rate=-1000", ""]),
    ("tornado", &[" radius=1000 freq=1000", " radius=-1000 freq=0", ""]),
    ("wave", &[" amp=1000 freq=1000 connected=1", " amp=0 freq=0", ""]),
];

impl Numbers {
    /// A text of at most so many bytes.
    pub(crate) fn text(&mut self) -> String {
        let count = match self.random.u32(..12) {
            0 => return String::new(),
            1 => return "x".repeat(2000 / 10_usize.pow(self.level as u32)),
            2 => 200 / 10_usize.pow(self.level as u32),
            _ => self.random.usize(1..12),
        };
        let mut text = String::new();
        for _ in 0..count {
            text += *self.pick(WORDS);
            text += if self.chance(0.7) { " " } else { "" };
        }
        text
    }

    pub(crate) fn rich_text(&mut self) -> String {
        let mut text = String::new();
        let mut open = Vec::new();
        let (count, deep) = match self.random.u32(..16) {
            0 => (150 / 10_usize.pow(self.level as u32), true),
            _ => (self.random.usize(..40), self.random.bool()),
        };
        for _ in 0..count {
            match self.random.u32(..6) {
                // More are not harmless.
                0..3 if open.len() < 16 => {
                    let (name, values) = *self.pick(TAGS);
                    text += &format!("[{name}{}]", *self.pick(values));
                    open.push(name);
                }
                3 if !deep => {
                    // Not always the one that is open.
                    let name = if self.chance(0.8) { open.pop() } else { Some(self.pick(TAGS).0) };
                    text += &name.map(|name| format!("[/{name}]")).unwrap_or_default();
                }
                4 => text += *self.pick(&["[br]", "[hr]", "[lb]", "[rb]", "\n"]),
                _ => text += *self.pick(WORDS),
            }
        }
        text
    }

    pub(crate) fn name(&mut self) -> String {
        (*self.pick(NAMES)).to_owned()
    }

    /// Plain data, at most so many levels deep.
    pub(crate) fn data(&mut self, depth: u32) -> String {
        match self.random.u32(..if depth == 0 { 8 } else { 12 }) {
            0 => "null".to_owned(),
            1 => self.random.bool().to_string(),
            2 => self.random.i64(..).to_string(),
            3 => written(self.float(-1e7, 1e7)),
            4 => quoted(&self.name()),
            5 => format!("&{}", quoted(&self.name())),
            6 => "NodePath(\"\")".to_owned(),
            7 => "PackedVector2Array(0, 0, 1, 1)".to_owned(),
            8 | 9 => format!("[{}, {}]", self.data(depth - 1), self.data(depth - 1)),
            10 => format!("Array[int]([{}])", self.random.i32(..)),
            _ => format!(
                "{{\n\"a\": {},\n1: {},\nVector2i(1, 2): {}\n}}",
                self.data(depth - 1),
                self.data(depth - 1),
                self.data(depth - 1)
            ),
        }
    }
}

pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
