//! C#, by a light scan: enough to know a plain class, and to see that another one is not plain.

use crate::script::emits::all_emit_in_csharp;
use crate::script::{Base, Function, Script, Signal, Variable, early, looked_up};

/// Attributes that declare nothing of their own.
const KNOWN_ATTRIBUTES: &[&str] = &[
    "Export",
    "ExportCategory",
    "ExportGroup",
    "ExportSubgroup",
    "ExportToolButton",
    "Signal",
    "Tool",
    "GlobalClass",
    "Icon",
    "Obsolete",
    "Description",
];

pub(super) fn read(text: &[u8], file_name: &str) -> Script {
    let Ok(text) = std::str::from_utf8(text) else {
        return Script::default();
    };
    let tokens = tokens(text);
    let Some(mut class) = Scanner::class_called(&tokens, file_name) else {
        return Script::default();
    };
    for signal in &mut class.signals {
        signal.argument_count =
            signal.argument_count.filter(|count| all_emit_in_csharp(text, &signal.name, *count));
    }
    let looked_up = looked_up::in_csharp(text);
    for variable in &mut class.variables {
        variable.is_looked_up = looked_up.contains(variable.name.as_str());
    }
    let early = early::of_csharp(text, file_name);
    (class.adds_nodes, class.runs_early) = (early.adds_nodes, early.runs_code);
    class
}

/// A word, a string, or a sign.
type Token<'t> = &'t str;

/// The tokens without comments and preprocessor lines; a string is one token.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let (mut tokens, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let rest = &text[at..];
        let first = rest.chars().next().unwrap_or(' ');
        let length = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if rest.starts_with("//") || first == '#' {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            continue;
        } else if first == '"'
            || first == '\''
            || rest.starts_with("$\"")
            || rest.starts_with("@\"")
            || rest.starts_with("$@\"")
            || rest.starts_with("@$\"")
        {
            string_length(rest)
        } else if first.is_alphanumeric() || first == '_' {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        tokens.push(&rest[..length]);
        at += length;
    }
    tokens
}

fn string_length(text: &str) -> usize {
    let open = text.find(['"', '\'']).unwrap_or(0);
    let quote = text.as_bytes()[open];
    if text[open..].starts_with("\"\"\"") {
        return text[open + 3..].find("\"\"\"").map_or(text.len(), |end| open + end + 6);
    }
    let is_verbatim = text[..open].contains('@');
    let bytes = text.as_bytes();
    let mut at = open + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if !is_verbatim => at += 1,
            byte if byte == quote && is_verbatim && bytes.get(at + 1) == Some(&quote) => at += 1,
            byte if byte == quote => return at + 1,
            b'\n' if !is_verbatim => return at,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

struct Scanner<'t> {
    tokens: &'t [Token<'t>],
    at: usize,
    script: Script,
}

impl<'t> Scanner<'t> {
    fn class_called(tokens: &'t [Token<'t>], name: &str) -> Option<Script> {
        let heads: Vec<usize> = (0..tokens.len().saturating_sub(1))
            .filter(|at| tokens[*at] == "class" && tokens[at + 1] == name)
            .collect();
        let [head] = heads.as_slice() else {
            return None;
        };
        let open = head + tokens[*head..].iter().position(|token| *token == "{")?;
        let base = &tokens[head + 2..open];
        let modifiers = &tokens[head.saturating_sub(24)..*head];
        let start = modifiers
            .iter()
            .rposition(|token| matches!(*token, "}" | ";" | "{"))
            .map_or(0, |at| at + 1);
        let modifiers = &modifiers[start..];
        let mut scanner = Scanner {
            tokens,
            at: open + 1,
            script: Script { is_complete: true, ..Script::default() },
        };
        scanner.head(name, modifiers, base);
        scanner.body();
        Some(scanner.script)
    }

    fn head(&mut self, name: &str, modifiers: &[Token<'_>], base: &[Token<'_>]) {
        let has = |word: &str| modifiers.contains(&word);
        self.script.is_tool = has("Tool");
        self.script.class_name = has("GlobalClass").then(|| name.to_owned());
        self.script.base = match base {
            // Type arguments and constraints are more than a light scan can follow.
            [":", base, rest @ ..] if rest.first().is_none_or(|next| *next == ",") => {
                Base::Class((*base).to_owned())
            }
            _ => {
                self.script.is_complete = false;
                Base::Unset
            }
        };
        // Additions of other files or generators to the class are not seen.
        let attributes = attributes(modifiers);
        self.script.is_complete &= attributes.iter().all(|name| KNOWN_ATTRIBUTES.contains(name));
    }

    /// Reads the members up to the `}` of the class.
    fn body(&mut self) {
        while let Some(token) = self.tokens.get(self.at) {
            if *token == "}" {
                return;
            }
            let start = self.at;
            self.skip_member();
            let member = &self.tokens[start..self.at];
            self.member(member);
            if self.at == start {
                self.at += 1;
            }
        }
        self.script.is_complete = false;
    }

    /// Steps behind the `;` or `}` that ends a member.
    fn skip_member(&mut self) {
        let (mut depth, mut is_value) = (0u32, false);
        while let Some(token) = self.tokens.get(self.at) {
            match *token {
                "(" | "[" => depth += 1,
                ")" | "]" => depth = depth.saturating_sub(1),
                "{" => depth += 1,
                "}" if depth == 0 => return,
                "}" => {
                    depth -= 1;
                    // `{ get; set; } = 1;` goes on, and so does `= new() { … };`.
                    let goes_on = is_value || self.tokens.get(self.at + 1) == Some(&"=");
                    if depth == 0 && !goes_on {
                        self.at += 1;
                        return;
                    }
                }
                "=" if depth == 0 => is_value = true,
                ";" if depth == 0 => {
                    self.at += 1;
                    return;
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    fn member(&mut self, member: &[Token<'_>]) {
        let attributes = attributes(member);
        self.script.is_complete &= attributes.iter().all(|name| KNOWN_ATTRIBUTES.contains(name));
        let after = after_attributes(member);
        let end = after
            .iter()
            .position(|token| matches!(*token, "=" | "{" | ";" | "("))
            .unwrap_or(after.len());
        let (head, rest) = after.split_at(end);
        let Some(name) = head.last() else {
            return;
        };
        if head
            .iter()
            .any(|token| matches!(*token, "class" | "struct" | "enum" | "interface" | "record"))
        {
            return;
        }
        let is_static = head.contains(&"static");
        if rest.first() == Some(&"(") {
            let arguments = parameters(rest);
            if attributes.contains(&"Signal") {
                let name = name.strip_suffix("EventHandler").unwrap_or(name).to_owned();
                self.script.signals.push(Signal { name, argument_count: Some(arguments.1) });
            } else {
                if matches!(*name, "_Set" | "_Get" | "_GetPropertyList") {
                    self.script.has_dynamic_properties = true;
                }
                let (least, most) = arguments;
                self.script.functions.push(Function {
                    name: (*name).to_owned(),
                    least,
                    most: Some(most),
                    is_static,
                });
            }
            return;
        }
        let type_name = head.len().checked_sub(2).map(|at| head[at].to_owned());
        let modifiers = &member[..member.len() - after.len()];
        let names_files =
            modifiers.windows(3).any(|hint| matches!(hint, ["PropertyHint", ".", "File" | "Dir"]));
        self.script.variables.push(Variable {
            name: (*name).to_owned(),
            is_exported: attributes.contains(&"Export"),
            exports_type: false,
            names_files,
            choices: Vec::new(),
            type_name,
            is_static,
            is_looked_up: false,
            value: None,
        });
    }
}

/// The names of the attributes at the start: `[Export(PropertyHint.Range, "0,1"), Tool]`.
fn attributes<'t>(tokens: &[Token<'t>]) -> Vec<&'t str> {
    let (mut names, mut depth, mut is_start) = (Vec::new(), 0u32, false);
    for token in tokens {
        match *token {
            "[" => {
                depth += 1;
                is_start = depth == 1;
            }
            "(" => depth += 1,
            "]" | ")" => depth = depth.saturating_sub(1),
            "," => is_start = depth == 1,
            name if is_start => {
                names.push(name);
                is_start = false;
            }
            _ if depth == 0 => break,
            _ => {}
        }
    }
    names
}

fn after_attributes<'s, 't>(mut tokens: &'s [Token<'t>]) -> &'s [Token<'t>] {
    while tokens.first() == Some(&"[") {
        let mut depth = 0u32;
        let close = tokens.iter().position(|token| {
            depth = match *token {
                "[" => depth + 1,
                "]" => depth.saturating_sub(1),
                _ => depth,
            };
            depth == 0
        });
        let Some(close) = close else {
            return &[];
        };
        tokens = &tokens[close + 1..];
    }
    tokens
}

/// How many arguments have to be given to the parameters that start with `(`, and how many may be.
fn parameters(tokens: &[Token<'_>]) -> (usize, usize) {
    let (mut depth, mut count, mut optional, mut is_empty) = (0u32, 0, 0, true);
    for token in tokens {
        match *token {
            "(" | "[" | "{" | "<" => depth += 1,
            ")" | "]" | "}" | ">" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
            "," if depth == 1 => count += 1,
            "=" if depth == 1 => optional += 1,
            _ => is_empty = false,
        }
    }
    let most = if is_empty { 0 } else { count + 1 };
    (most - optional.min(most), most)
}
