//! Properties with a number in their key: `bones/0/name`, `tracks/2/keys`.

use std::borrow::Cow;

use crate::document::{Property, Section};

/// The properties of one number, in the order of the text.
#[derive(Debug)]
pub struct Group<'d> {
    /// The number.
    pub number: u32,
    /// The key after the number, and the property.
    pub properties: Vec<(Cow<'d, [u8]>, Property<'d>)>,
}

impl<'d> Group<'d> {
    /// The property with `what` behind the number; the last one of several.
    pub fn get(&self, what: &str) -> Option<Property<'d>> {
        let mut properties = self.properties.iter();
        properties.rfind(|(found, _)| found.as_ref() == what.as_bytes()).map(|(_, found)| *found)
    }
}

/// The properties `prefix/N/what` of a section, by N as it comes.
pub fn groups<'d>(section: Section<'d>, prefix: &str) -> Vec<Group<'d>> {
    let mut groups: Vec<Group<'d>> = Vec::new();
    for property in section.properties() {
        let key = property.key();
        let Some((number, start)) = parse_key(&key, prefix) else {
            continue;
        };
        let what = match key {
            Cow::Borrowed(key) => Cow::Borrowed(&key[start..]),
            Cow::Owned(key) => Cow::Owned(key[start..].to_vec()),
        };
        match groups.last_mut() {
            Some(last) if last.number == number => last.properties.push((what, property)),
            _ => groups.push(Group { number, properties: vec![(what, property)] }),
        }
    }
    groups
}

/// The number in `prefix/N/what`, and where `what` starts.
fn parse_key(key: &[u8], prefix: &str) -> Option<(u32, usize)> {
    let rest = key.strip_prefix(prefix.as_bytes())?.strip_prefix(b"/")?;
    let digits = rest.iter().position(|byte| *byte == b'/')?;
    // Godot's `String::to_int` reads 0 from an empty text.
    let number = match &rest[..digits] {
        b"" => 0,
        number => std::str::from_utf8(number).ok()?.parse().ok()?,
    };
    Some((number, prefix.len() + digits + 2))
}
