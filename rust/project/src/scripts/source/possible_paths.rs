//! Which paths of nodes a script may have, from its words alone: many times faster than parsing it.

use crate::scripts::source::literal;
use crate::scripts::source::prepare::{Token, TokenKind, Words};

/// The paths of nodes that [`crate::scripts::source::ScriptSource`] may find behind `$` and `%` and as the argument of the
/// script's own `get_node`, as it reads them.
///
/// Each that it finds is here, or is the beginning of one that is. There may be others: the remainder `a % b` may be taken for
/// the path `%b`. Nothing if only the parser can tell: where a text between quotes goes on in the next line, mostly one of them
/// is missing.
pub(crate) fn possible_node_paths(text: &str) -> Option<Vec<String>> {
    let mut words = Words::new(text, 0..text.len());
    let mut found = Vec::new();
    let mut before: [Option<Token>; 2] = [None; 2];
    while let Some(token) = words.next() {
        if let TokenKind::String { quotes, is_closed } = token.kind
            && (!is_closed || quotes == 1 && words.source(token).contains('\n'))
        {
            return None;
        }
        match words.source(token) {
            "$" => found.extend(words.path()),
            "%" if !before[1].is_some_and(|before| words.is_operator_behind(before, token)) => {
                found.extend(words.path().map(|path| format!("%{path}")));
            }
            "get_node" if words.is_own(before) => found.extend(words.argument()),
            _ => {}
        }
        before = [before[1], Some(token)];
    }
    Some(found)
}

impl<'t> Words<'t> {
    /// Whether `%` is the remainder's, by what stands before it in its line.
    fn is_operator_behind(&self, before: Token, percent: Token) -> bool {
        let between = &self.text[before.span.end as usize..percent.span.start as usize];
        let ends_value = matches!(before.kind, TokenKind::String { .. })
            || matches!(self.source(before), ")" | "]" | "}");
        ends_value && !between.contains('\n')
    }

    /// Whether a method is called on the script's own node, by the two words before its name.
    fn is_own(&self, before: [Option<Token>; 2]) -> bool {
        let [receiver, dot] = before.map(|token| token.map(|token| self.source(token)));
        dot != Some(".") || receiver == Some("self")
    }

    /// The path behind `$` or `%`.
    fn path(&mut self) -> Option<String> {
        let (token, source) = self.peek()?;
        if matches!(token.kind, TokenKind::String { .. }) {
            return self.string(token);
        }
        let mut path = String::new();
        if source == "%" {
            self.next();
            path.push('%');
            let (token, _) = self.peek()?;
            if matches!(token.kind, TokenKind::String { .. }) {
                return Some(path + &self.string(token)?);
            }
        }
        if self.peek()?.1 == "/" {
            self.next();
            path.push('/');
        }
        path.push_str(self.name()?);
        while let Some(name) = self.further_name() {
            path.push('/');
            path.push_str(&name);
        }
        Some(path)
    }

    fn name(&mut self) -> Option<&'t str> {
        let (token, source) = self.peek()?;
        if token.kind != TokenKind::Word || source.starts_with(|first: char| first.is_ascii_digit())
        {
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
            let (name, _) = ahead.peek().filter(|(name, _)| name.span.start == percent.span.end)?;
            let source = ahead.name()?;
            debug_assert_eq!(self.source(name), source);
            format!("%{source}")
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

    fn string(&self, token: Token) -> Option<String> {
        let (_, is_raw, content) = literal::pieces(self.text, token.span)?;
        let content = &self.text[content.start as usize..content.end as usize];
        literal::decoded(content, is_raw)
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
                &["%A", "%B/C", "D/%E", "%F g"],
            ),
            ("%A.b = 1\n%C.d()\n", &["%A", "%C"]),
            ("var a = \"%d\" % b\nvar c = d() % e\nvar f = g[0] %h", &[]),
            ("var a = b % c", &["%c"]),
            ("var a = b % 2 / c", &[]),
            ("var a = $A/B\\\n\t\t/C # d\nvar b = $/root/E", &["A/B/C", "/root/E"]),
            ("var a = $A / 2\nvar b = $C / %D", &["A", "C", "%D"]),
            (
                "get_node(\"A\")\nself.get_node(^'B')\nb.get_node(\"C\")\nget_node(d)\nget_node_or_null(\"E\")",
                &["A", "B"],
            ),
            ("get_node(\"A\\u0062\")\n# $C\nvar d = \"$E\"", &["Ab"]),
            ("return a[b() %% _c.size()]", &["%_c"]),
            ("$", &[]),
            ("get_node(", &[]),
            ("%", &[]),
        ] {
            assert_eq!(possible_node_paths(text).unwrap(), expected, "{text}");
        }
        for text in ["$\"", "get_node('a", "var a = \"b\n$C\"", "\"\"\"a\"\""] {
            assert_eq!(possible_node_paths(text), None, "{text}");
        }
    }
}
