//! The number of arguments with which a script emits its signals, which may differ from the
//! declaration.

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

/// Whether each call of `EmitSignal(SignalName.Name, …)` in C# passes `count` arguments. Neither the compiler nor Godot
/// checks the declaration of the delegate.
pub(super) fn all_emit_in_csharp(text: &str, name: &str, count: usize) -> bool {
    text.match_indices("EmitSignal(").all(|(start, found)| {
        let rest = &text[start + found.len()..];
        let end = rest.find([',', ')']).unwrap_or(rest.len());
        let first = rest[..end].trim().trim_start_matches("nameof(").trim_matches(['"', ' ']);
        let last_word = first.rsplit('.').next().unwrap_or_default();
        let is_other = last_word.strip_suffix("EventHandler").unwrap_or(last_word) != name;
        is_other || argument_count(rest).is_some_and(|found| found == count + 1)
    })
}

/// The number of arguments before the `)` that closes a call; nothing if it is missing.
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
    use super::{all_emit, all_emit_in_csharp};

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

    #[test]
    fn calls_in_csharp() {
        let text = "EmitSignal(SignalName.A, this, value);\nEmitSignal(Other.SignalName.B);\n\
                    EmitSignal(nameof(C), F(1, 2));\nEmitSignal(nameof(DEventHandler), 1);\nEmitSignal(\"E\");\n";
        for (name, count) in [("A", 2), ("B", 0), ("C", 1), ("D", 1), ("E", 0)] {
            assert!(all_emit_in_csharp(text, name, count), "{name}");
            assert!(!all_emit_in_csharp(text, name, count + 1), "{name}");
        }
        assert!(all_emit_in_csharp(text, "NotEmitted", 5));
    }
}
