//! The thing at a place of a scene or resource.

use std::borrow::Cow;

use godot_tscn::{Document, Field, PartRef, Property, Section, Span, TagKind, ValueTree};

/// The thing at a place, and its span.
#[derive(Clone, Debug)]
pub(crate) struct At<'d> {
    pub(crate) section: Section<'d>,
    pub(crate) span: Span,
    pub(crate) subject: Subject<'d>,
}

/// The subjects of requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Subject<'d> {
    /// The id of an `ext_resource`, where it is declared or used.
    ExtResource(Cow<'d, [u8]>),
    /// The id of a `sub_resource`, where it is declared or used.
    SubResource(Cow<'d, [u8]>),
    /// A path or uid of a file.
    File(Cow<'d, [u8]>),
    /// A class: the field `type`.
    Class(Cow<'d, [u8]>),
    /// The name of the node that the section is about.
    NodeName,
    /// The path of a node from the root of the scene: the fields `parent`, `from` and `to`.
    PathFromRoot(Cow<'d, [u8]>),
    /// The path of a node from the one of the section, with the text after `:`.
    PathFromNode(Cow<'d, [u8]>),
    /// A signal, of the node that the field `from` names.
    Signal(Cow<'d, [u8]>),
    /// A method, of the node that the field `to` names.
    Method(Cow<'d, [u8]>),
    /// The name of a property.
    Property(Cow<'d, [u8]>),
}

/// The thing at a place, if a request can be about it.
pub(crate) fn at<'d>(document: &'d Document<'d>, offset: u32) -> Option<At<'d>> {
    let section = document.section_at(offset)?;
    let made = |span, subject| Some(At { section, span, subject });
    if holds(section.tag_span(), offset) {
        let field = section.fields().find(|field| holds(field.value_span(), offset))?;
        if let Some(subject) = of_field(section, field) {
            return made(field.value_span(), subject);
        }
        let (span, subject) = in_value(&field.value_tree(), offset)?;
        return made(span, subject);
    }
    let is_at = |property: &Property<'_>| {
        holds(property.key_span(), offset) || holds(property.value_span(), offset)
    };
    let property = section.properties().find(is_at)?;
    if holds(property.key_span(), offset) {
        return made(property.key_span(), Subject::Property(property.key()));
    }
    let (span, subject) = in_value(&property.value_tree(), offset)?;
    made(span, subject)
}

fn of_field<'d>(section: Section<'d>, field: Field<'d>) -> Option<Subject<'d>> {
    let text = field.text()?;
    Some(match (section.kind(), field.name()) {
        (TagKind::ExtResource, b"id") => Subject::ExtResource(text),
        (TagKind::SubResource, b"id") => Subject::SubResource(text),
        (TagKind::ExtResource, b"path" | b"uid") => Subject::File(text),
        (TagKind::Node | TagKind::ExtResource | TagKind::SubResource, b"type") => {
            Subject::Class(text)
        }
        (TagKind::GdResource, b"type") => Subject::Class(text),
        (TagKind::Node, b"name") => Subject::NodeName,
        (TagKind::Node, b"parent") => Subject::PathFromRoot(text),
        (TagKind::Connection, b"from" | b"to") => Subject::PathFromRoot(text),
        (TagKind::Editable, b"path") => Subject::PathFromRoot(text),
        (TagKind::Connection, b"signal") => Subject::Signal(text),
        (TagKind::Connection, b"method") => Subject::Method(text),
        _ => return None,
    })
}

/// The subject of a value: a resource, a node, or a file. The span is that of the text in quotes.
fn in_value(tree: &ValueTree<'_>, offset: u32) -> Option<(Span, Subject<'static>)> {
    let mut found = None;
    for part in tree.parts().filter(|part| holds(part.span(), offset)) {
        let inner = |name| part.inner_text(name).map(|text| Cow::Owned(text.into_owned()));
        let subject = match part.name() {
            b"ExtResource" => inner("ExtResource").map(Subject::ExtResource),
            b"SubResource" => inner("SubResource").map(Subject::SubResource),
            b"Resource" => inner("Resource").map(Subject::File),
            b"NodePath" => inner("NodePath").map(Subject::PathFromNode),
            _ => None,
        };
        if let Some(subject) = subject {
            let inside = part.children().next().map_or(part.span(), PartRef::span);
            // It names the contents.
            return Some((inside, subject));
        }
        if let Some(path) = part.text().filter(|text| is_file(text)) {
            found = Some((part.span(), Subject::File(Cow::Owned(path.into_owned()))));
        }
    }
    found
}

/// Whether a text names a file.
pub(crate) fn is_file(text: &[u8]) -> bool {
    text.starts_with(b"res://") || text.starts_with(b"uid://")
}

fn holds(span: Span, offset: u32) -> bool {
    span.start <= offset && offset <= span.end
}

/// The section that declares a resource with this id; of several the last, as Godot reads them.
pub(crate) fn resource<'d>(
    document: &'d Document<'d>,
    kind: TagKind,
    id: &[u8],
) -> Option<Section<'d>> {
    let is_meant = |section: &Section<'_>| {
        section.kind() == kind && section.field_text("id").is_some_and(|found| *found == *id)
    };
    document.sections().filter(is_meant).last()
}

/// The text of a field.
pub(crate) fn text(section: Section<'_>, name: &str) -> Option<String> {
    section.field_text(name).map(|text| String::from_utf8_lossy(&text).into_owned())
}

/// The path of the node that a section makes or changes, from the root, which is `.`.
pub(crate) fn node_path(section: Section<'_>) -> Option<String> {
    if section.kind() != TagKind::Node {
        return None;
    }
    let name = text(section, "name")?;
    Some(match text(section, "parent").as_deref() {
        None => ".".to_owned(),
        Some(".") => name,
        Some(parent) => format!("{parent}/{name}"),
    })
}

/// The section of the node at a path from the root.
pub(crate) fn node<'d>(document: &'d Document<'d>, path: &str) -> Option<Section<'d>> {
    document.sections().find(|section| node_path(*section).as_deref() == Some(path))
}

/// A path that is seen from the node at `from`, as one from the root; nothing if it leads out of the scene.
pub(crate) fn from_root(from: &str, path: &str) -> Option<String> {
    let path = path.split(':').next().unwrap_or_default();
    if path.starts_with('/') || path.is_empty() {
        return None;
    }
    let mut names: Vec<&str> = from.split('/').filter(|name| *name != ".").collect();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => _ = names.pop()?,
            name => names.push(name),
        }
    }
    Some(if names.is_empty() { ".".to_owned() } else { names.join("/") })
}

/// A span without the quotes at its ends.
pub(crate) fn within_quotes(document: &Document<'_>, span: Span) -> Span {
    let source = span.of(document.text());
    match source {
        [b'"', .., b'"'] => Span::new(span.start + 1, span.end - 1),
        [b'&', b'"', .., b'"'] => Span::new(span.start + 2, span.end - 1),
        _ => span,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1_a\"]\n\n\
        [node name=\"Root\" type=\"Node2D\"]\nscript = ExtResource(\"1_a\")\n\n[node name=\"B\" type=\"Node2D\" parent=\".\"]\n\
        target = NodePath(\"../C\")\nicon = \"res://icon.svg\"\n\n[connection signal=\"draw\" from=\"B\" to=\".\" method=\"run\"]\n";

    fn subject(needle: &str) -> Option<String> {
        let document = godot_tscn::parse(SCENE.as_bytes());
        let offset = SCENE.find(needle).unwrap() + needle.len() / 2;
        at(&document, offset as u32)
            .map(|at| format!("{:?}", at.subject).split('(').next().unwrap().to_owned())
    }

    #[test]
    fn each_kind_of_subject() {
        for (needle, expected) in [
            ("res://a.gd", "File"),
            ("1_a\"]", "ExtResource"),
            ("ExtResource(\"1_a\")", "ExtResource"),
            ("Root", "NodeName"),
            ("\"Node2D\"", "Class"),
            ("\".\"", "PathFromRoot"),
            ("target", "Property"),
            ("../C", "PathFromNode"),
            ("res://icon.svg", "File"),
            ("draw", "Signal"),
            ("run", "Method"),
        ] {
            assert_eq!(subject(needle).as_deref(), Some(expected), "{needle}");
        }
        assert_eq!(subject("gd_scene"), None);
    }

    #[test]
    fn paths() {
        assert_eq!(from_root("A/B", "../C").as_deref(), Some("A/C"));
        assert_eq!(from_root(".", "A:position").as_deref(), Some("A"));
        assert_eq!(from_root("A", "..").as_deref(), Some("."));
        assert_eq!(from_root("A", "../.."), None);
        assert_eq!(from_root("A", "/root"), None);
    }
}
