//! How many arguments a script emits its signals with, which need not be what it declares.

/// Whether each call of `name.emit(…)` and `emit_signal("name", …)` in the script passes `count` arguments.
pub(super) fn all_emit(text: &str, name: &str, count: usize) -> bool {
    let direct = format!("{name}.emit(");
    let is_other_name = |start: usize| {
        text[..start]
            .chars()
            .next_back()
            .is_some_and(|before| before.is_alphanumeric() || before == '_')
    };
    let direct = text
        .match_indices(&direct)
        .filter(|(start, _)| !is_other_name(*start))
        .map(|(start, found)| argument_count(&text[start + found.len()..]));
    let by_name = text.match_indices("emit_signal(").filter_map(|(start, found)| {
        let rest = &text[start + found.len()..];
        let first = rest.trim_start().trim_start_matches('&').get(1..)?.strip_prefix(name)?;
        first
            .starts_with(['"', '\''])
            .then(|| argument_count(rest).map(|count| count.saturating_sub(1)))
    });
    direct.chain(by_name).all(|found| found == Some(count))
}

/// How many arguments stand before the `)` that closes a call; nothing if there is none.
fn argument_count(text: &str) -> Option<usize> {
    let (mut depth, mut commas, mut is_empty, mut string, mut is_escaped) =
        (0u32, 0, true, None, false);
    // A comma before the end adds no argument.
    let mut is_trailing = false;
    for byte in text.bytes() {
        if let Some(quote) = string {
            if is_escaped {
                is_escaped = false;
            } else if byte == b'\\' {
                is_escaped = true;
            } else if byte == quote {
                string = None;
            }
            continue;
        }
        match byte {
            b')' if depth == 0 => {
                return Some(if is_empty { 0 } else { commas + usize::from(!is_trailing) });
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'"' | b'\'' => string = Some(byte),
            b',' if depth == 0 => {
                commas += 1;
                is_trailing = true;
                continue;
            }
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            (is_empty, is_trailing) = (false, false);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::all_emit;

    #[test]
    fn calls() {
        let text = "a.emit()\nb.emit(1, f(2, 3), [\")\", ','],)\nself.c.emit(\n\t1,\n\t2)\nemit_signal(\"d\", 1)\nemit_signal(&\"e\")\nca.emit(1, 2)\n";
        for (name, count) in [("a", 0), ("b", 3), ("c", 2), ("d", 1), ("e", 0), ("ca", 2)] {
            assert!(all_emit(text, name, count), "{name}");
            assert!(!all_emit(text, name, count + 1), "{name}");
        }
        assert!(all_emit(text, "not_emitted", 5));
        assert!(!all_emit("a.emit(1", "a", 1));
    }
}
