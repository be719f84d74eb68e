//! Source text and names in messages.

/// Text for a message: one line, in backticks. The middle of a long value is left out. Names and paths of nodes and files stay
/// whole, for searching; in one that is far too long, only whole parts are left out.
///
/// ```
/// assert_eq!(godot_tscn::quote(b"two\nlines"), "`two lines`");
/// let long = format!("\"{}{}\"", "a".repeat(40), "b".repeat(40));
/// let shortened = format!("`\"{}…{}\"`", "a".repeat(23), "b".repeat(23));
/// assert_eq!(godot_tscn::quote(long.as_bytes()), shortened);
/// let path = "VBoxContainer/".repeat(10);
/// assert_eq!(godot_tscn::quote(path.as_bytes()), format!("`{path}`"));
/// ```
pub fn quote(text: &[u8]) -> String {
    const MAX_CHARACTERS: usize = 49;
    const MAX_NAME: usize = 512;
    let text = text.trim_ascii();
    let is_name = is_name(text);
    let most = if is_name { MAX_NAME } else { MAX_CHARACTERS };
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
        let start = String::from_utf8_lossy(&text[..text.len().min(most_bytes)]);
        let end = String::from_utf8_lossy(&text[text.len().saturating_sub(most_bytes)..]);
        let head: String = start.chars().take(half).collect();
        let tail: String = end.chars().skip(end.chars().count().saturating_sub(half)).collect();
        // Parts of a path stay whole, so that each can be searched for.
        let head_end = head.rfind('/').filter(|_| is_name).map_or(head.len(), |slash| slash + 1);
        let tail_start = tail.find('/').filter(|_| is_name).unwrap_or(0);
        push_plain(&mut quoted, head[..head_end].chars());
        quoted.push('…');
        push_plain(&mut quoted, tail[tail_start..].chars());
    }
    quoted.push('`');
    quoted
}

/// Whether a text is a path of a file or node, or a name, and not the source of a value.
fn is_name(text: &[u8]) -> bool {
    let is_file =
        [&b"res://"[..], b"uid://", b"user://"].iter().any(|start| text.starts_with(start));
    is_file || !text.iter().any(|byte| matches!(byte, b'"' | b',' | b'{' | b'=' | b'\n'))
}

/// The article of the name of a class or type: `an` before `Array`.
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

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn parts_of_paths_stay_whole() {
        let parts: Vec<String> = (0..200).map(|index| format!("Container{index}")).collect();
        let quoted = quote(parts.join("/").as_bytes());
        let shown = quoted.trim_matches('`').split('/');
        let left_out = shown.filter(|part| !parts.iter().any(|whole| whole == part));
        assert_eq!(left_out.collect::<Vec<_>>(), ["…"], "{quoted}");
        assert!(quoted.chars().count() <= 515 && quoted.ends_with("/Container199`"), "{quoted}");
    }
}
