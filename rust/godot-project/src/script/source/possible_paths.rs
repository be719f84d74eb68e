//! Which paths of nodes a script may have, from its words alone: many times faster than parsing it.

use std::collections::BTreeSet;

use crate::script::MAX_SIZE;
use crate::script::source::prepare::{Token, TokenKind, Words};

/// The paths of nodes that [`crate::script::source::ScriptSource`] may find behind `$` and `%` and as the argument of the
/// script's own `get_node`.
///
/// Each that it finds is here, or is the beginning of one that is. There may be others: the remainder `a % b` may be taken for
/// the path `%b`. Nothing if only the parser knows: if a quoted text continues in the next line, mostly a quote is missing.
pub fn possible_node_paths(text: &str) -> Option<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    // The parser takes no larger ones.
    if text.len() > MAX_SIZE {
        return Some(found);
    }
    // White space for the parser only.
    if text.contains('\u{b}') {
        return None;
    }
    let mut words = Words::new(text, 0..text.len());
    let mut before: [Option<Token>; 2] = [None; 2];
    while let Some(token) = words.next() {
        if let TokenKind::String { quotes, is_closed } = token.kind
            && (!is_closed || quotes == 1 && words.source(token).contains('\n'))
        {
            return None;
        }
        match words.source(token) {
            "$" => found.extend(words.clone().node_path()),
            "%" if words.may_begin_path(before[1], token) => {
                found.extend(words.clone().node_path().map(|path| format!("%{path}")));
            }
            "get_node" if words.is_own_call(before) => found.extend(words.argument()),
            _ => {}
        }
        before = [before[1], Some(token)];
    }
    Some(found)
}

impl Words<'_> {
    /// Whether a path may begin with this `%`: not as an operator behind a text in its line, nor inside a path.
    fn may_begin_path(&self, before: Option<Token>, percent: Token) -> bool {
        let Some(before) = before else { return true };
        let between = &self.text()[before.span.end as usize..percent.span.start as usize];
        let is_in_path =
            self.source(before) == "/" && between.is_empty() && self.has_name_right_behind(percent);
        let is_operator =
            matches!(before.kind, TokenKind::String { .. }) && !between.contains('\n');
        !is_in_path && !is_operator
    }

    fn has_name_right_behind(&self, percent: Token) -> bool {
        let is_right_behind = |next: Token| next.span.start == percent.span.end;
        self.peek().is_some_and(|(next, _)| is_right_behind(next)) && self.clone().name().is_some()
    }

    /// Whether a method is called on the script's own node, by the two words before its name.
    fn is_own_call(&self, before: [Option<Token>; 2]) -> bool {
        let [receiver, dot] = before.map(|token| token.map_or("", |token| self.source(token)));
        // A `.` may end a number, too: `1.`
        dot != "." || receiver == "self" || begins_with_digit(receiver)
    }

    /// Reads the path here, after `$` or `%`, as Godot does; nothing without a path, or if it has escapes that are not
    /// understood.
    pub(super) fn node_path(&mut self) -> Option<String> {
        let mut path = String::new();
        for sign in ["%", "/"] {
            if self.peek()?.1 == sign {
                self.next();
                path.push_str(sign);
            }
        }
        let (token, _) = self.peek()?;
        if matches!(token.kind, TokenKind::String { .. }) {
            self.next();
            return Some(path + &self.string(token)?);
        }
        path.push_str(self.name()?);
        while let Some(name) = self.further_name() {
            path.push('/');
            path.push_str(&name);
        }
        Some(path)
    }

    fn name(&mut self) -> Option<&str> {
        let (token, source) = self.peek()?;
        if token.kind != TokenKind::Word || begins_with_digit(source) {
            return None;
        }
        self.next();
        Some(source)
    }

    /// The name behind a `/`: `B`, or `%B` without anything between.
    fn further_name(&mut self) -> Option<String> {
        let mut ahead = self.clone();
        let slash = ahead.next().filter(|slash| self.source(*slash) == "/")?;
        let (percent, source) = ahead.peek()?;
        let name = if source == "%" && percent.span.start == slash.span.end {
            ahead.next();
            ahead.has_name_right_behind(percent).then_some(())?;
            format!("%{}", ahead.name()?)
        } else {
            ahead.name()?.to_owned()
        };
        *self = ahead;
        Some(name)
    }

    /// The text that is the first argument of a call.
    fn argument(&self) -> Option<String> {
        let mut ahead = self.clone();
        ahead.next().filter(|open| self.source(*open) == "(")?;
        let token = ahead.next()?;
        matches!(token.kind, TokenKind::String { .. }).then(|| self.string(token))?
    }
}

fn begins_with_digit(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::possible_node_paths;

    #[test]
    fn paths() {
        for (text, expected) in [
            ("var a = $A/B.c + $\"D e/F\"", &["A/B", "D e/F"][..]),
            (
                "var a = %A\nvar b = $%B/C\nvar c = $D/%E\nvar d = %\"F g\"",
                &["%A", "%B/C", "%F g", "D/%E"],
            ),
            ("%A.b = 1\n%C.d()\n", &["%A", "%C"]),
            ("var a = \"%d\" % b", &[]),
            ("var a = b % c\nvar d = e() % f", &["%c", "%f"]),
            ("var a = b % 2 / c", &[]),
            ("var a = $A/B\\\n\t\t/C # d\nvar b = $/root/E", &["/root/E", "A/B/C"]),
            ("var a = $A / 2\nvar b = $C / %D\nvar e = f /%G", &["%D", "A", "C"]),
            (
                "get_node(\"A\")\nself.get_node(^'B')\nb.get_node(\"C\")\nget_node(d)\nget_node_or_null(\"E\")",
                &["A", "B"],
            ),
            ("get_node(\"A\\u0062\")\n# $C\nvar d = \"$E\"", &["Ab"]),
            ("return a[b() %% _c.size()]", &["%%_c", "%_c"]),
            ("var a = 1.\nget_node(\"A\")", &["A"]),
            ("return a % get_node(\"A\").b", &["%get_node", "A"]),
            ("return a % self.get_node(\"A\").b", &["%self", "A"]),
            ("return $A / self.get_node(\"B\").b", &["A/self", "B"]),
            ("@warning_ignore(\"a\") %A:", &["%A"]),
            ("var a = 4 /%\"B c\"", &["%B c"]),
            ("$r\"A b\" + $\\\n\"C\"", &["A b", "C"]),
            ("$", &[]),
            ("get_node(", &[]),
            ("%", &[]),
        ] {
            let found = possible_node_paths(text).unwrap();
            assert!(found.iter().eq(expected), "{found:?} in {text}");
        }
        for text in ["$\"", "get_node('a", "var a = \"b\n$C\"", "\"\"\"a\"\"", "$A\u{b}/B"] {
            assert_eq!(possible_node_paths(text), None, "{text}");
        }
    }
}
