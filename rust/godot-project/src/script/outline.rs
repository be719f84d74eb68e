//! GDScript without the bodies of its functions: the rest declares everything that others can see.
//!
//! A script is mostly bodies. Without them, the grammar has a tenth to read, and unreadable parts of a body do not matter.

/// A logical line: one statement, which brackets, long strings and `\` may stretch over several lines of text.
struct Line<'t> {
    text: &'t str,
    indent: usize,
}

/// The text without the bodies of functions and accessors of variables. Nothing if a bracket or a long string is not
/// closed, because then the ends of statements are unclear.
pub(super) fn outline(text: &str) -> Option<String> {
    let mut kept = String::with_capacity(text.len() / 2);
    // The indentation of the statement with a body that is left out.
    let mut skipped: Option<usize> = None;
    for line in logical_lines(text)? {
        let code = line.text.trim();
        if code.is_empty() || code.starts_with('#') {
            continue;
        }
        if skipped.is_some_and(|indent| line.indent > indent) {
            continue;
        }
        skipped = None;
        keep(&line, &mut kept, &mut skipped);
    }
    // `$%Name` is not in the grammar.
    if kept.contains("$%") {
        kept = kept.replace("$%", "$");
    }
    Some(kept)
}

fn keep(line: &Line<'_>, kept: &mut String, skipped: &mut Option<usize>) {
    let indent = &line.text[..line.text.len() - line.text.trim_start().len()];
    let mut code = line.text.trim();
    // `@tool extends Node`: the grammar wants a line for each.
    for annotation in ["@tool", "@abstract", "@static_unload"] {
        if let Some(rest) = code.strip_prefix(annotation).map(str::trim_start)
            && (rest.starts_with("extends") || rest.starts_with("class_name"))
        {
            kept.push_str(annotation);
            kept.push('\n');
            code = rest;
        }
    }
    kept.push_str(indent);
    let bare = without_comment(code).trim_end();
    if let Some(head) = bare.strip_suffix(':') {
        if declares_function(bare) {
            kept.push_str(bare);
            kept.push_str(" pass");
            *skipped = Some(line.indent);
        } else if declares_variable(bare) && !bare.contains("func") {
            kept.push_str(head);
            *skipped = Some(line.indent);
        } else {
            kept.push_str(code);
        }
    } else {
        kept.push_str(code);
    }
    kept.push('\n');
}

fn declares_function(code: &str) -> bool {
    words(code).any(|word| word == "func")
}

fn declares_variable(code: &str) -> bool {
    words(code).any(|word| word == "var")
}

/// The words before the name that is declared; annotations with their arguments are stepped over.
fn words(code: &str) -> impl Iterator<Item = &str> {
    let mut rest = code;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let end =
            rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '@').unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest =
            if word.starts_with('@') || word == "export" { after_arguments(after) } else { after };
        (!word.is_empty()).then_some(word)
    })
    .take_while(|word| {
        word.starts_with('@')
            || matches!(
                *word,
                "static"
                    | "func"
                    | "var"
                    | "export"
                    | "onready"
                    | "remote"
                    | "master"
                    | "puppet"
                    | "remotesync"
                    | "mastersync"
                    | "puppetsync"
                    | "sync"
                    | "slave"
                    | "slavesync"
            )
    })
}

/// The text after the leading parentheses.
fn after_arguments(text: &str) -> &str {
    let rest = text.trim_start();
    if !rest.starts_with('(') {
        return text;
    }
    let mut scan = Scan::default();
    for (at, _) in rest.char_indices() {
        scan.step(rest.as_bytes(), at);
        if scan.depth == 0 && scan.string.is_none() && rest.as_bytes()[at] == b')' {
            return &rest[at + 1..];
        }
    }
    ""
}

fn without_comment(code: &str) -> &str {
    let mut scan = Scan::default();
    for at in 0..code.len() {
        scan.step(code.as_bytes(), at);
        if scan.is_comment {
            return &code[..at];
        }
    }
    code
}

fn logical_lines(text: &str) -> Option<Vec<Line<'_>>> {
    let mut lines = Vec::new();
    let bytes = text.as_bytes();
    let (mut start, mut scan) = (0, Scan::default());
    for at in 0..bytes.len() {
        scan.step(bytes, at);
        if bytes[at] == b'\n' && scan.ends_statement(bytes, at) {
            lines.push(line(&text[start..at]));
            start = at + 1;
            scan = Scan::default();
        }
    }
    lines.push(line(&text[start..]));
    let is_closed = scan.depth == 0 && scan.string.is_none_or(|(_, count)| count == 1);
    is_closed.then_some(lines)
}

fn line(text: &str) -> Line<'_> {
    let text = text.trim_end_matches('\r');
    Line { text, indent: text.len() - text.trim_start().len() }
}

/// Where in a statement the scan is.
#[derive(Default)]
struct Scan {
    depth: u32,
    /// The quote that closes the string: the byte, and three of them or one.
    string: Option<(u8, usize)>,
    is_comment: bool,
    /// Bytes up to here are dealt with.
    past: usize,
}

impl Scan {
    fn step(&mut self, text: &[u8], at: usize) {
        if at < self.past {
            return;
        }
        self.past = at + 1;
        let byte = text[at];
        if self.is_comment {
            self.is_comment = byte != b'\n';
            return;
        }
        let is_triple = |quote: u8| text[at..].starts_with(&[quote; 3]);
        match (self.string, byte) {
            (Some((quote, count)), _) if byte == quote && (count == 1 || is_triple(quote)) => {
                self.string = None;
                self.past = at + count;
            }
            (Some(_), b'\\') => self.past = at + 2,
            (Some((_, 1)), b'\n') => self.string = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => {
                let count = if is_triple(byte) { 3 } else { 1 };
                self.string = Some((byte, count));
                self.past = at + count;
            }
            (None, b'#') => self.is_comment = true,
            (None, b'(' | b'[' | b'{') => self.depth += 1,
            (None, b')' | b']' | b'}') => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }

    /// Whether the line break at `at` ends a statement.
    fn ends_statement(&self, text: &[u8], at: usize) -> bool {
        let before = text[..at].strip_suffix(b"\r").unwrap_or(&text[..at]);
        self.depth == 0 && self.string.is_none() && !before.ends_with(b"\\")
    }
}
