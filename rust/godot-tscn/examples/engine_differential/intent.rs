//! What a text plainly says, line by line.
//!
//! [`items`] takes it from a parsed document: for sound files, and for broken ones whose meaning
//! nobody else knows. [`read_lines`] is a reader of its own that shares nothing with the parser under
//! test: for the lines that a mutation has touched. It takes the forms that the engine writes, and
//! calls everything else junk; what is no value, the engine says.

use godot_tscn::{Document, Property, Section, Span};

/// A tag, a property, or a line that is neither.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// Name and fields, the values as text.
    Tag { name: String, fields: Vec<(String, String)> },
    /// Key and value as text, the key's quotes included.
    Property { key: String, value: String },
    /// What has no plain meaning; an engine that reads the file has lost it.
    Junk(String),
}

/// The items of a document, in the order of the text.
pub(crate) fn items(document: &Document<'_>) -> Vec<Item> {
    spanned_items(document).into_iter().map(|(_, item)| item).collect()
}

/// The items of a document with their places.
pub(crate) fn spanned_items(document: &Document<'_>) -> Vec<(Span, Item)> {
    let mut items = Vec::new();
    for section in document.sections() {
        items.push((section.tag_span(), tag_item(document, section)));
        for property in section.properties() {
            let span = property.key_span().join(property.value_span());
            items.push((span, property_item(document, property)));
        }
    }
    items
}

fn tag_item(document: &Document<'_>, section: Section<'_>) -> Item {
    let fields = section
        .fields()
        .map(|field| (lossy(field.name()), lossy(field.value_span().of(document.text()))))
        .collect();
    Item::Tag { name: lossy(section.name()), fields }
}

fn property_item(document: &Document<'_>, property: Property<'_>) -> Item {
    Item::Property {
        key: lossy(property.key_span().of(document.text())),
        value: lossy(property.value_span().of(document.text())),
    }
}

/// The items of whole lines.
pub(crate) fn read_lines(text: &[u8]) -> Vec<Item> {
    let mut items = Vec::new();
    if std::str::from_utf8(text).is_err() {
        items.push(Item::Junk("not UTF-8".to_owned()));
    }
    let text = lossy(text);
    let mut rest = text.as_str();
    loop {
        rest = rest.trim_start_matches(is_blank);
        if rest.is_empty() {
            return items;
        }
        let line_len = rest.find('\n').unwrap_or(rest.len());
        if rest.starts_with(';') {
            rest = &rest[line_len..];
            continue;
        }
        let read = if rest.starts_with('[') { read_tag(rest) } else { read_property(rest) };
        match read {
            Some((item, len)) => {
                items.push(item);
                rest = &rest[len..];
            }
            None => {
                items.push(Item::Junk(rest[..line_len].to_owned()));
                rest = &rest[line_len..];
            }
        }
    }
}

/// A tag, and its length.
fn read_tag(text: &str) -> Option<(Item, usize)> {
    let start = text.len() - text[1..].trim_start_matches(is_blank).len();
    let name_len = text[start..].find(|character| !is_word(character)).filter(|len| *len > 0)?;
    let name = &text[start..start + name_len];
    let mut pos = start + name_len;
    let mut fields = Vec::new();
    loop {
        let rest = skip_blanks(&text[pos..]);
        let has_gap = text.len() - pos > rest.len();
        pos = text.len() - rest.len();
        if rest.starts_with(']') {
            return Some((Item::Tag { name: name.to_owned(), fields }, pos + 1));
        }
        let len = rest.find(|character| !is_word(character))?;
        let field = rest[..len].to_owned();
        let value = skip_blanks(skip_blanks(&rest[len..]).strip_prefix('=')?);
        if len == 0 || !has_gap {
            return None;
        }
        pos = text.len() - value.len();
        let ends =
            |rest: &str| rest.starts_with([' ', ']', '\n', '\r', '\t']) && !opens_later(rest);
        let len = value_len(value, ends)?;
        fields.push((field, value[..len].to_owned()));
        pos += len;
    }
}

/// `key = value`, where the value ends with its line or in front of the next key, and the length of
/// both.
fn read_property(text: &str) -> Option<(Item, usize)> {
    let key_len = if text.starts_with('"') {
        value_len(text, |rest| rest.starts_with([' ', '=', '\n']))?
    } else {
        text.find(|character| is_blank(character) || "=\";".contains(character))?
    };
    let value = text[key_len..].trim_start_matches(is_blank).strip_prefix('=')?;
    let value = value.trim_start_matches(is_blank);
    let start = text.len() - value.len();
    let ends = |rest: &str| {
        let next_key = rest.strip_prefix([' ', '\t']).unwrap_or_default();
        let is_key = |character: char| is_word(character) || "/:.-@".contains(character);
        let key_len = next_key.find(|character| !is_key(character)).unwrap_or(0);
        let equal = next_key[key_len..].trim_start_matches(' ').starts_with('=');
        rest.starts_with('\n') && !opens_later(rest)
            || rest.starts_with(" [node ")
            || key_len > 0 && equal
    };
    let len = value_len(value, ends)?;
    let key = text[..key_len].to_owned();
    // Without a blank, the next key would have to begin in the middle of a word.
    (key_len > 0)
        .then(|| (Item::Property { key, value: value[..len].trim().to_owned() }, start + len))
}

/// Whether a parenthesis follows: a construct may have it on the next line.
fn opens_later(rest: &str) -> bool {
    rest.trim_start_matches(is_blank).starts_with('(')
}

/// The length of the value at the start of `text`: up to where a text begins that ends it, outside of
/// strings and brackets. Nothing if it is left open.
fn value_len(text: &str, ends: impl Fn(&str) -> bool) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped, mut in_comment) = (0_i32, false, false, false);
    for (index, character) in text.char_indices() {
        if in_comment && character != '\n' {
            continue;
        }
        in_comment = false;
        if in_string {
            in_string = escaped || character != '"';
            escaped = character == '\\' && !escaped;
            continue;
        }
        if depth <= 0 && ends(&text[index..]) {
            return Some(index);
        }
        match character {
            '"' => in_string = true,
            ';' => in_comment = true,
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' => depth -= 1,
            _ => {}
        }
    }
    (depth == 0 && !in_string).then_some(text.len())
}

/// The text behind blanks and comments.
fn skip_blanks(text: &str) -> &str {
    let mut rest = text.trim_start_matches(is_blank);
    while rest.starts_with(';') {
        let end = rest.find('\n').unwrap_or(rest.len());
        rest = rest[end..].trim_start_matches(is_blank);
    }
    rest
}

/// What the engine skips.
fn is_blank(character: char) -> bool {
    character <= ' '
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
