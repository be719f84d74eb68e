//! BBCode that only changes the look of text (`RichTextLabel::append_text`, scene/gui/rich_text_label.cpp): no tag
//! that loads a file, runs an effect of the game's, or opens something at a click.

/// Tags without a value.
const PLAIN: &[&str] = &[
    "b", "br", "center", "code", "fill", "hr", "i", "indent", "lb", "left", "rb", "right", "s", "u",
];

/// Tags with one value behind `=`, or with options of the form `name=value`: each with the most that a number in it may be.
const WITH_VALUES: &[(&str, f64)] = &[
    ("bgcolor", 0.0),
    ("color", 0.0),
    ("fade", 10_000.0),
    ("fgcolor", 0.0),
    ("font_size", 192.0),
    ("outline_color", 0.0),
    ("outline_size", 32.0),
    ("pulse", 1000.0),
    ("rainbow", 1000.0),
    ("shake", 1000.0),
    ("tornado", 1000.0),
    ("wave", 1000.0),
];

/// The most tags in one text.
const MOST_TAGS: usize = 256;
/// The most tags that are open at once: each is asked again for each letter.
const MOST_OPEN: usize = 16;
/// Tags that are never closed.
const ALONE: &[&str] = &["br", "hr", "lb", "rb"];

/// Whether all tags of a text are harmless. An opening bracket always counts as the start of one.
pub(super) fn is_harmless(text: &str) -> bool {
    let mut tags = text.split('[').skip(1);
    let (mut count, mut open) = (0, 0_usize);
    tags.all(|rest| {
        let Some((tag, _)) = rest.split_once(']') else { return false };
        count += 1;
        if tag.starts_with('/') {
            open = open.saturating_sub(1);
        } else if !ALONE.contains(&tag) {
            open += 1;
        }
        count <= MOST_TAGS && open <= MOST_OPEN && is_harmless_tag(tag)
    })
}

fn is_harmless_tag(tag: &str) -> bool {
    if let Some(name) = tag.strip_prefix('/') {
        return PLAIN.contains(&name) || WITH_VALUES.iter().any(|(known, _)| *known == name);
    }
    if PLAIN.contains(&tag) {
        return true;
    }
    let end = tag.find(['=', ' ']).unwrap_or(tag.len());
    let (name, values) = tag.split_at(end);
    let Some((_, most)) = WITH_VALUES.iter().find(|(known, _)| *known == name) else {
        return false;
    };
    values.split([' ', '=']).all(|word| is_harmless_word(word, *most))
}

/// A name, a color, or a number that is not too large.
fn is_harmless_word(word: &str, most: f64) -> bool {
    let is_plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"#._-".contains(&byte));
    let is_color = word.starts_with('#') && word.len() <= 9;
    let is_name = word.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    let is_fitting = match word.parse() {
        // `nan` and `inf` are such numbers, too.
        Ok(number) => f64::abs(number) <= most,
        Err(_) => is_name,
    };
    is_plain && word.len() <= 32 && (is_color || is_fitting)
}

#[cfg(test)]
mod tests {
    use super::{MOST_OPEN, MOST_TAGS, is_harmless};

    #[test]
    fn tags() {
        for text in [
            "",
            "plain] text",
            "[b]bold[/b] [color=red]a[/color][color=#ff00ff]b[/color]",
            "[font_size=20]a[/font_size][wave amp=50.0 freq=5.0 connected=1]b[/wave]",
            "[lb]b[rb][br]",
        ] {
            assert!(is_harmless(text), "{text}");
        }
        for text in [
            "[",
            "[b",
            "[]",
            "[img]user://a.tres[/img]",
            "[font=user://a.tres]a[/font]",
            "[font name=a]a",
            "[dropcap font=user://a.tres font_size=20]A[/dropcap]",
            "[url=https://a.b]a[/url]",
            "[url]a[/url]",
            "[b][custom]a",
            "[ b]",
            "[B]",
            "[color=\"a]b\"]",
            "[font_size=9999]a",
            "[font_size=nan]a",
            "[font_size=inf]a",
            "[wave amp=1e9]a",
            "[table=9999]a",
            "[[img]a[/img]",
            "[b\u{200b}]",
            "[i\n]",
            "[lb]img]",
        ] {
            assert_eq!(is_harmless(text), text == "[lb]img]", "{text}");
        }
        assert!(is_harmless(&"[b]a".repeat(MOST_OPEN)) && is_harmless(&"[b]a[/b]".repeat(99)));
        assert!(!is_harmless(&"[b]a".repeat(MOST_OPEN + 1)));
        assert!(!is_harmless(&"[b]a[/b]".repeat(MOST_TAGS)));
    }
}
