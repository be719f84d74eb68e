//! Which paths of nodes a script may have, from its words alone: many times faster than parsing it.

use crate::scripts::MAX_SIZE;
use crate::scripts::source::prepare::{Token, TokenKind, Words};

/// The paths of nodes that [`crate::scripts::source::ScriptSource`] may find behind `$` and `%` and as the argument of the
/// script's own `get_node`.
///
/// Each that it finds is here, or is the beginning of one that is. There may be others: the remainder `a % b` may be taken for
/// the path `%b`. Nothing if only the parser can tell: where a text between quotes goes on in the next line, mostly one of them
/// is missing.
pub(crate) fn possible_node_paths(text: &str) -> Option<Vec<String>> {
    let mut found = Vec::new();
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
            "$" => found.extend(words.path()),
            "%" if !before[1].is_some_and(|before| words.is_no_start(before, token)) => {
                found.extend(words.path().map(|path| format!("%{path}")));
            }
            "get_node" if words.is_own(before) => found.extend(words.argument()),
            _ => {}
        }
        before = [before[1], Some(token)];
    }
    found.sort_unstable();
    found.dedup();
    Some(found)
}

impl Words<'_> {
    /// Whether `%` begins no path, by what stands before it: it is an operator behind a text in its line, and belongs to a path
    /// right behind a `/`.
    fn is_no_start(&self, before: Token, percent: Token) -> bool {
        let between = &self.text()[before.span.end as usize..percent.span.start as usize];
        let is_in_path = self.source(before) == "/" && between.is_empty();
        let is_next_adjacent =
            self.peek().is_some_and(|(next, _)| next.span.start == percent.span.end);
        is_in_path && is_next_adjacent
            || matches!(before.kind, TokenKind::String { .. }) && !between.contains('\n')
    }

    /// Whether a method is called on the script's own node, by the two words before its name.
    fn is_own(&self, before: [Option<Token>; 2]) -> bool {
        let [receiver, dot] = before.map(|token| token.map(|token| self.source(token)));
        // The `.` may end a number: `1.`
        let is_no_other = |receiver: &str| {
            receiver == "self" || receiver.starts_with(|first: char| first.is_ascii_digit())
        };
        dot != Some(".") || receiver.is_some_and(is_no_other)
    }

    /// The path that stands here, behind `$` or `%`.
    fn path(&self) -> Option<String> {
        let mut ahead = self.clone();
        let mut path = String::new();
        for sign in ["%", "/"] {
            if ahead.peek()?.1 == sign {
                ahead.next();
                path.push_str(sign);
            }
        }
        let (token, _) = ahead.peek()?;
        if matches!(token.kind, TokenKind::String { .. }) {
            return Some(path + &self.string(token)?);
        }
        path.push_str(ahead.name()?);
        while let Some(name) = ahead.further_name() {
            path.push('/');
            path.push_str(&name);
        }
        Some(path)
    }

    fn name(&mut self) -> Option<&str> {
        let (token, _) = self.peek()?;
        if token.kind != TokenKind::Word {
            return None;
        }
        self.next();
        Some(self.source(token))
            .filter(|name| !name.starts_with(|first: char| first.is_ascii_digit()))
    }

    /// The name behind a `/`: `B`, or `%B` without anything between.
    fn further_name(&mut self) -> Option<String> {
        let mut ahead = self.clone();
        let slash = ahead.next().filter(|slash| self.source(*slash) == "/")?;
        let (percent, source) = ahead.peek()?;
        let name = if source == "%" && percent.span.start == slash.span.end {
            ahead.next();
            ahead.peek().filter(|(name, _)| name.span.start == percent.span.end)?;
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
            ("$r\"A b\" + $\\\n\"C\"", &["A b", "C"]),
            ("$", &[]),
            ("get_node(", &[]),
            ("%", &[]),
        ] {
            assert_eq!(possible_node_paths(text).unwrap(), expected, "{text}");
        }
        for text in ["$\"", "get_node('a", "var a = \"b\n$C\"", "\"\"\"a\"\"", "$A\u{b}/B"] {
            assert_eq!(possible_node_paths(text), None, "{text}");
        }
    }
}
