//! Which node of the scene a place in the text belongs to.

use std::borrow::Cow;
use std::cell::OnceCell;

use hashbrown::HashMap;

use crate::document::{Document, ReferenceKind, Section, TagKind};

/// Finds the node that a place in a scene's text is about.
///
/// ```
/// let text = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n\n\
///              [node name=\"B\" type=\"Node\" parent=\".\"]\nx = 1\n";
/// let document = godot_tscn::parse(text);
/// let places = godot_tscn::NodePlaces::new(&document);
/// assert_eq!(places.at(25).as_deref(), Some("."));
/// assert_eq!(places.at(text.len() as u32 - 2).as_deref(), Some("B"));
/// assert_eq!(places.at(0), None);
/// ```
#[derive(Debug)]
pub struct NodePlaces<'d> {
    document: &'d Document<'d>,
    /// The first section that refers to a `sub_resource`.
    users: OnceCell<HashMap<Cow<'d, [u8]>, u32>>,
}

/// Resources are followed to their users in at most this number of steps.
const MAX_STEPS: usize = 32;

impl<'d> NodePlaces<'d> {
    /// Reads nothing yet.
    pub fn new(document: &'d Document<'d>) -> Self {
        Self { document, users: OnceCell::new() }
    }

    /// The path of the node that the place is about, relative to the root, which is `.` itself: for a
    /// connection its source, for a `sub_resource` the first node that uses it.
    pub fn at(&self, offset: u32) -> Option<String> {
        let mut section = self.document.section_at(offset)?;
        for _ in 0..MAX_STEPS {
            let path = match section.kind() {
                TagKind::Node => node_path(section)?,
                TagKind::Connection => section.field_text("from")?,
                TagKind::Editable => section.field_text("path")?,
                TagKind::SubResource => {
                    section = self.user_of(&section.field_text("id")?)?;
                    continue;
                }
                _ => return None,
            };
            return Some(String::from_utf8_lossy(&path).into_owned());
        }
        None
    }

    fn user_of(&self, id: &[u8]) -> Option<Section<'d>> {
        let users = self.users.get_or_init(|| {
            let mut users = HashMap::new();
            for reference in self.document.references() {
                if let (ReferenceKind::SubResource, Some(section)) =
                    (reference.kind, reference.section)
                {
                    users.entry(self.document.target(reference)).or_insert(section);
                }
            }
            users
        });
        Some(self.document.section(*users.get(id)?))
    }
}

/// The path of a `node` section as other tags name it.
pub(crate) fn node_path<'d>(section: Section<'d>) -> Option<Cow<'d, [u8]>> {
    let Some(parent) = section.field_text("parent") else {
        return Some(Cow::Borrowed(b"."));
    };
    let name = section.field_text("name")?;
    if *parent == *b"." {
        return Some(name);
    }
    Some(Cow::Owned([&*parent, b"/", &*name].concat()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[gd_scene format=3]\n[sub_resource type=\"A\" id=\"a\"]\nx = 1\n\
        [sub_resource type=\"B\" id=\"b\"]\nx = SubResource(\"a\")\n\
        [sub_resource type=\"C\" id=\"c\"]\nx = SubResource(\"c\")\n\
        [node name=\"R\" type=\"Node\"]\n[node name=\"P\" type=\"Node\" parent=\".\"]\n\
        [node name=\"Q\" parent=\"P\"]\nx = SubResource(\"b\")\n\
        [connection signal=\"s\" from=\"P\" to=\".\" method=\"m\"]\n[editable path=\"P/Q\"]\n";

    #[track_caller]
    fn check(word: &str, expected: Option<&str>) {
        let document = crate::parse(TEXT.as_bytes());
        let offset = TEXT.find(word).unwrap() as u32;
        assert_eq!(NodePlaces::new(&document).at(offset).as_deref(), expected);
    }

    #[test]
    fn places() {
        check("gd_scene", None);
        check("\"R\"", Some("."));
        check("\"P\"", Some("P"));
        check("\"Q\"", Some("P/Q"));
        check("[connection", Some("P"));
        check("[editable", Some("P/Q"));
    }

    #[test]
    fn resources_lead_to_their_users() {
        check("\"A\"", Some("P/Q"));
        check("\"B\"", Some("P/Q"));
        check("\"C\"", None);
    }
}
