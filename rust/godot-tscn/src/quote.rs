//! Source text and names in messages.

/// Text for a message: one line, in backticks. Of a long one the middle is left out, so that the end of a path is seen;
/// paths of files (`res://…`) stay whole.
///
/// ```
/// assert_eq!(godot_tscn::quote(b"two\nlines"), "`two lines`");
/// let long = [b'a'; 40].iter().chain(&[b'b'; 40]).copied().collect::<Vec<u8>>();
/// assert_eq!(godot_tscn::quote(&long), format!("`{}…{}`", "a".repeat(24), "b".repeat(24)));
/// ```
pub fn quote(text: &[u8]) -> String {
    const MAX_CHARACTERS: usize = 49;
    const MAX_PATH: usize = 512;
    let text = text.trim_ascii();
    let is_path =
        [&b"res://"[..], b"uid://", b"user://"].iter().any(|start| text.starts_with(start));
    let most = if is_path { MAX_PATH } else { MAX_CHARACTERS };
    // Nearly all are short and as plain as they look.
    let is_plain = |byte: &u8| matches!(byte, 32..127) && *byte != b'`';
    if text.len() <= most
        && text.iter().all(is_plain)
        && let Ok(text) = std::str::from_utf8(text)
    {
        return format!("`{text}`");
    }
    let mut quoted = String::from("`");
    // No character has more than four bytes.
    let most_bytes = 4 * most;
    if text.len() <= most_bytes && String::from_utf8_lossy(text).chars().count() <= most {
        push_plain(&mut quoted, String::from_utf8_lossy(text).chars());
    } else {
        let half = most / 2;
        let head = String::from_utf8_lossy(&text[..text.len().min(most_bytes)]);
        let tail = String::from_utf8_lossy(&text[text.len().saturating_sub(most_bytes)..]);
        push_plain(&mut quoted, head.chars().take(half));
        quoted.push('…');
        let left_out = tail.chars().count().saturating_sub(half);
        push_plain(&mut quoted, tail.chars().skip(left_out));
    }
    quoted.push('`');
    quoted
}

/// What stands before the name of a class or type: `an` before `Array`.
pub fn article(name: &str) -> &'static str {
    if name.starts_with(['A', 'E', 'I', 'O', 'U', 'a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

fn push_plain(out: &mut String, characters: impl Iterator<Item = char>) {
    for character in characters {
        match character {
            '\r' => {}
            '\n' => out.push(' '),
            '`' => out.push('\''),
            character if character.is_control() => out.push('\u{fffd}'),
            character => out.push(character),
        }
    }
}
