//! Scenes inside resources, which came with Godot 4.8.

use std::borrow::Cow;

use super::{Section, SectionData, TagKind, Tree};

/// Marks the tags of scenes that a `[sub_resource type="PackedScene"]` holds as [`TagKind::Nested`].
///
/// The tags follow the resource. Any other tag ends the list, and so does a second node without `parent`: the root of the
/// file's own scene. Older versions write `_bundled` instead, without such tags.
///
/// Source: the example in godotengine/godot pull request 121920. The code of the loader was not available.
pub(crate) fn mark(tree: &mut Tree, text: &[u8]) {
    let is_scene = tree.sections.first().is_some_and(|header| header.kind == TagKind::GdScene);
    let last_node = tree.sections.iter().rposition(|section| section.kind == TagKind::Node);
    let mut index = 1;
    while index < tree.sections.len() {
        let end = end_of_list(tree, text, index);
        // The file's own scene has at least a root.
        let has_root_behind = last_node.is_some_and(|last| last >= end);
        if end > index && (!is_scene || has_root_behind) {
            for section in &mut tree.sections[index..end] {
                section.kind = TagKind::Nested;
            }
        }
        index = end.max(index + 1);
    }
}

/// The end of the list that begins with the section `first`; `first` itself if no list begins there.
fn end_of_list(tree: &Tree, text: &[u8], first: usize) -> usize {
    if !is_part(&tree.sections[first]) || !holds_scene(tree, text, first - 1) {
        return first;
    }
    let mut has_root = false;
    let ends = |index: &usize| {
        let is_root = tree.sections[*index].kind == TagKind::Node
            && field(tree, text, *index, b"parent").is_none();
        let is_second = is_root && has_root;
        has_root |= is_root;
        !is_part(&tree.sections[*index]) || is_second
    };
    (first..tree.sections.len()).find(ends).unwrap_or(tree.sections.len())
}

fn is_part(section: &SectionData) -> bool {
    matches!(section.kind, TagKind::Node | TagKind::Connection | TagKind::Editable)
}

/// Whether the section is a resource that may have a list of nodes.
fn holds_scene(tree: &Tree, text: &[u8], index: usize) -> bool {
    let section = &tree.sections[index];
    if section.kind != TagKind::SubResource
        || field(tree, text, index, b"type") != Some(b"\"PackedScene\"")
    {
        return false;
    }
    let end = tree
        .sections
        .get(index + 1)
        .map_or(tree.properties.len() as u32, |next| next.first_property);
    let properties = &tree.properties[section.first_property as usize..end as usize];
    !properties.iter().any(|property| property.key.of(text) == b"_bundled")
}

/// The source of a field's value.
fn field<'t>(tree: &Tree, text: &'t [u8], index: usize, name: &[u8]) -> Option<&'t [u8]> {
    let first = tree.sections[index].first_field as usize;
    let end =
        tree.sections.get(index + 1).map_or(tree.fields.len(), |next| next.first_field as usize);
    let fields = &tree.fields[first..end];
    fields.iter().find(|field| field.name.of(text) == name).map(|field| field.value.of(text))
}

/// Whether both texts have the same nodes, connections and editables in scenes inside resources.
///
/// ```
/// let scene = "[gd_scene format=3]\n[sub_resource type=\"PackedScene\" id=\"a\"]\n[node name=\"A\" type=\"Node\"]\n\
///              [node name=\"B\" type=\"Node\"]\n";
/// assert!(godot_tscn::keeps_nested_scenes(scene.as_bytes(), scene.replace("\"B\"", "\"C\"").as_bytes()));
/// let torn = scene.replace("[node name=\"A\"", "[sub_resource type=\"X\" id=\"b\"]\n[node name=\"A\"");
/// assert!(!godot_tscn::keeps_nested_scenes(scene.as_bytes(), torn.as_bytes()));
/// ```
pub fn keeps_nested_scenes(before: &[u8], after: &[u8]) -> bool {
    let may_hold = |text: &[u8]| memchr::memmem::find(text, b"\"PackedScene\"").is_some();
    !may_hold(before) || shapes(before) == shapes(after)
}

/// The name of a nested tag, and the fields that identify it.
type Shape = (Vec<u8>, Vec<Option<Vec<u8>>>);

fn shapes(text: &[u8]) -> Vec<Shape> {
    const FIELDS: [&str; 5] = ["name", "parent", "from", "to", "path"];
    let document = crate::parse(text);
    let field = |section: Section<'_>, name| section.field_text(name).map(Cow::into_owned);
    let shape = |section: Section<'_>| {
        let fields = FIELDS.iter().map(|name| field(section, name));
        (section.name().to_vec(), fields.collect())
    };
    document.sections().filter(|section| section.kind() == TagKind::Nested).map(shape).collect()
}

#[cfg(test)]
mod tests {
    use crate::document::TagKind;
    use crate::parse;

    /// The letter of each section: nested ones small.
    fn kinds(text: &str) -> String {
        let letter = |kind| match kind {
            TagKind::Nested => 'n',
            TagKind::Node => 'N',
            TagKind::Connection => 'C',
            TagKind::SubResource => 'S',
            _ => '-',
        };
        parse(text.as_bytes()).sections().map(|section| letter(section.kind())).collect()
    }

    const SCENE: &str = "[gd_scene format=3]\n[sub_resource type=\"PackedScene\" id=\"a\"]\n";

    #[test]
    fn scenes_in_resources() {
        let root = "[node name=\"A\" type=\"Node\"]\n";
        let child = "[node name=\"B\" type=\"Node\" parent=\".\"]\n";
        let connection = "[connection signal=\"ready\" from=\".\" to=\"B\" method=\"m\"]\n";
        let other = "[sub_resource type=\"Resource\" id=\"b\"]\n";
        for (text, expected) in [
            (format!("{SCENE}{root}{child}{connection}{root}{child}{connection}"), "-SnnnNNC"),
            (format!("{SCENE}{root}{child}{other}{root}{child}"), "-SnnSNN"),
            (format!("{SCENE}x = 1\n{root}{SUB}{root}{root}"), "-SnSnN"),
            // The scene itself has to be somewhere.
            (format!("{SCENE}{root}{child}"), "-SNN"),
            (format!("{SCENE}_bundled = {{}}\n{root}{root}"), "-SNN"),
            (
                format!(
                    "{}{root}{child}[resource]\n",
                    SCENE.replace("scene format", "resource type=\"X\" format")
                ),
                "-Snn-",
            ),
        ] {
            assert_eq!(kinds(&text), expected, "{text}");
        }
    }

    const SUB: &str = "[sub_resource type=\"PackedScene\" id=\"c\"]\n";
}
