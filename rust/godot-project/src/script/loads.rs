//! Files that Godot loads when it compiles a script.

use hashbrown::HashSet;
use serde::{Deserialize, Serialize};

/// The files that Godot loads when it compiles a script, and the names that may be classes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loads {
    /// The paths and uids, as they are written.
    pub paths: Vec<Load>,
    /// The words that begin with an upper case letter. Each counts once. Scripts compile the scripts with a `class_name`
    /// that they use.
    pub words: Vec<String>,
}

/// A file that Godot loads when it compiles a script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Load {
    /// The path or uid.
    pub path: String,
    /// The kind of call or declaration that names it.
    pub kind: LoadKind,
}

/// A call or declaration that names a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LoadKind {
    /// `preload("…")`, anywhere in the script.
    Preload,
    /// `extends "…"`
    Extends,
    /// `load("…")` in the value of a static variable or in `_static_init`.
    Static,
}

pub(super) fn in_gdscript(text: &str) -> Loads {
    let mut scan = Scan { text, ..Scan::default() };
    while scan.at < text.len() {
        scan.step();
    }
    Loads { paths: scan.paths, words: scan.words }
}

/// Goes through a script from left to right.
#[derive(Default)]
struct Scan<'t> {
    text: &'t str,
    at: usize,
    /// How many brackets are open.
    depth: usize,
    /// The indentation of the current statement; nothing before its first word.
    indent: Option<usize>,
    /// Whether the current statement has the word `static`.
    is_static: bool,
    /// The indentation of the `_static_init` with this body.
    static_init: Option<usize>,
    paths: Vec<Load>,
    words: Vec<String>,
    seen: HashSet<&'t str>,
}

impl<'t> Scan<'t> {
    fn step(&mut self) {
        let bytes = self.text.as_bytes();
        match bytes[self.at] {
            b'#' => self.at = self.find_from(self.at, |byte| byte == b'\n'),
            b'"' | b'\'' => self.at = string_end(bytes, self.at),
            // `$Player/Sprite2D` and `%Player` are paths of nodes.
            b'$' | b'%' => {
                let is_path = |byte: u8| is_word(byte) || matches!(byte, b'/' | b'%');
                self.at = self.find_from(self.at + 1, |byte| !is_path(byte));
            }
            b'.' => self.at = self.find_from(self.at + 1, |byte| !is_word(byte)),
            byte if is_word(byte) => self.word(),
            byte => {
                match byte {
                    b'(' | b'[' | b'{' => self.depth += 1,
                    b')' | b']' | b'}' => self.depth = self.depth.saturating_sub(1),
                    b'\n' if self.depth == 0 && !self.is_continued() => self.indent = None,
                    b';' if self.depth == 0 => self.is_static = false,
                    _ => {}
                }
                self.at += 1;
            }
        }
    }

    fn word(&mut self) {
        let start = self.at;
        self.at = self.find_from(start, |byte| !is_word(byte));
        let word = &self.text[start..self.at];
        if self.indent.is_none() {
            self.begin_statement(start);
        }
        match word {
            "static" => self.is_static = true,
            // The body of a function runs later.
            "func" => self.is_static = false,
            "_static_init" => self.static_init = self.indent,
            "preload" => self.note_call(LoadKind::Preload),
            "load" if self.is_run_at_once() => self.note_call(LoadKind::Static),
            "ResourceLoader" if self.is_run_at_once() && self.rest().starts_with(".load") => {
                self.at += ".load".len();
                self.note_call(LoadKind::Static);
            }
            "extends" => self.note_path(self.at, LoadKind::Extends),
            _ if word.starts_with(|first: char| first.is_ascii_uppercase())
                && self.seen.insert(word) =>
            {
                self.words.push(word.to_owned());
            }
            _ => {}
        }
    }

    fn begin_statement(&mut self, start: usize) {
        let line = self.text[..start].rfind('\n').map_or(0, |end| end + 1);
        let indent = start - line;
        self.indent = Some(indent);
        self.is_static = false;
        if self.static_init.is_some_and(|outer| indent <= outer) {
            self.static_init = None;
        }
    }

    /// Whether the current statement runs when the script is compiled.
    fn is_run_at_once(&self) -> bool {
        self.is_static || self.static_init.is_some()
    }

    /// The text in the parentheses that follow, if that is all that they hold.
    fn note_call(&mut self, kind: LoadKind) {
        let rest = self.rest();
        let after = rest.trim_start();
        if after.starts_with('(') {
            self.note_path(self.at + rest.len() - after.len() + 1, kind);
        }
    }

    /// The text literal that follows. The scan goes on before it.
    fn note_path(&mut self, at: usize, kind: LoadKind) {
        let rest = &self.text[at..];
        let start = at + rest.len() - rest.trim_start().len();
        let bytes = self.text.as_bytes();
        if !matches!(bytes.get(start), Some(b'"' | b'\'')) {
            return;
        }
        let end = string_end(bytes, start);
        let literal = &self.text[start..end];
        let is_triple = bytes[start..].starts_with(&[bytes[start]; 3]);
        let quotes = if is_triple { 3 } else { 1 };
        let path = literal.get(quotes..literal.len().saturating_sub(quotes)).unwrap_or_default();
        if !path.is_empty() && !path.contains('\\') {
            self.paths.push(Load { path: path.to_owned(), kind });
        }
        self.at = end;
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn is_continued(&self) -> bool {
        let before = self.text[..self.at].trim_end_matches('\r');
        before.ends_with('\\')
    }

    fn find_from(&self, from: usize, is_end: impl Fn(u8) -> bool) -> usize {
        let rest = &self.text.as_bytes()[from..];
        from + rest.iter().position(|byte| is_end(*byte)).unwrap_or(rest.len())
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// Where the text literal that starts at `start` ends.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let quote = bytes[start];
    let is_triple = |at: usize| bytes[at..].starts_with(&[quote; 3]);
    let count = if is_triple(start) { 3 } else { 1 };
    let mut at = start + count;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'\n' if count == 1 => return at,
            byte if byte == quote && (count == 1 || is_triple(at)) => return at + count,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::{LoadKind, in_gdscript};

    fn paths(text: &str) -> Vec<(String, LoadKind)> {
        let loads = in_gdscript(text).paths;
        loads.into_iter().map(|load| (load.path, load.kind)).collect()
    }

    #[test]
    fn what_a_compiler_loads() {
        let text = "extends \"base.gd\"\nconst A = preload(\"a.tscn\")\nvar b = [preload( 'b.tscn' )]\n\
            static var c = load(\"c.tscn\")\nstatic var d = ResourceLoader.load(\n\t\"d.tscn\")\n\
            class I:\n\tfunc f():\n\t\treturn preload(\"\"\"e.tscn\"\"\")\n\tstatic func _static_init():\n\
            \t\tG.x = load(\"f.tscn\")\n\tfunc g():\n\t\treturn load(\"no.tscn\")\n";
        let (preload, fixed) = (LoadKind::Preload, LoadKind::Static);
        let expected = [
            ("base.gd", LoadKind::Extends),
            ("a.tscn", preload),
            ("b.tscn", preload),
            ("c.tscn", fixed),
            ("d.tscn", fixed),
            ("e.tscn", preload),
            ("f.tscn", fixed),
        ];
        assert_eq!(paths(text), expected.map(|(path, kind)| (path.to_owned(), kind)));
    }

    #[test]
    fn what_it_does_not_load() {
        for text in [
            "var a = load(\"a.tscn\")\n",
            "static func f():\n\treturn load(\"a.tscn\")\n",
            "# preload(\"a.tscn\")\n",
            "var a = \"preload('a.tscn')\"\n",
            "var a = \"\"\"\npreload('a.tscn')\"\"\"\n",
            "x.preload(\"a.tscn\")\n",
            "preload(a + \"a.tscn\")\n",
            "static var a = 1\nvar b = load(\"a.tscn\")\n",
            "static func f(): return load(\"a.tscn\")\n",
            "static var a = func(): return load(\"a.tscn\")\n",
            "preload(\"a\\u0020.tscn\")\n",
            "preload(\"",
            "preload(\"\\",
            "preload(\"\"\"",
        ] {
            assert_eq!(paths(text), [], "{text}");
        }
    }

    #[test]
    fn words_that_may_be_classes() {
        let text = "extends Player\nvar a: Array[Enemy]\nfunc f():\n\treturn $Node/Sprite.x is Boss and %Bar.A(Enemy.MAX)\n";
        assert_eq!(in_gdscript(text).words, ["Player", "Array", "Enemy", "Boss"]);
    }
}
