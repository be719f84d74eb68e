//! The nodes that a scene lists.

use std::collections::HashMap;

use godot_tscn::{Document, Field, ReferenceKind, Section, Span, TagKind};
use godot_variant_codec::variant::Value;
use serde::Serialize;

/// A node, as far as its file tells. What is empty, false or not there is left out.
#[derive(Debug, Default, Serialize)]
pub(crate) struct JsonNode {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    groups: Vec<String>,
    /// The path of the scene that it is an instance of.
    #[serde(skip_serializing_if = "Option::is_none")]
    instance: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_unique: bool,
    name: String,
    /// The place of its parent in the list, which comes before it; nothing for the root, and for a node whose parent is not in
    /// the text.
    parent: Option<usize>,
    /// From the root, which is `.` itself.
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    script: Option<String>,
    /// The place of its section.
    section: u32,
}

/// The nodes, in the order of the text.
pub(crate) fn nodes(document: &Document<'_>) -> Vec<JsonNode> {
    let paths = external_paths(document);
    let mut by_path: HashMap<String, usize> = HashMap::new();
    let mut nodes = Vec::new();
    for section in document.sections().filter(|section| section.kind() == TagKind::Node) {
        let name = section.field_text("name").map(lossy).unwrap_or_default();
        let above = section.field_text("parent").map(lossy);
        let path = match above.as_deref() {
            None => ".".to_owned(),
            Some(".") => name.clone(),
            Some(above) => format!("{above}/{name}"),
        };
        let parent = above.and_then(|above| by_path.get(&above).copied());
        by_path.entry(path.clone()).or_insert(nodes.len());
        let external = |span: Span| {
            let found = section.reference_in(span)?;
            let is_external = found.kind == ReferenceKind::ExtResource;
            is_external.then(|| paths.get(&lossy(document.target(found))).cloned()).flatten()
        };
        let script = section.properties().rfind(|property| *property.key() == *b"script");
        nodes.push(JsonNode {
            class: section.field_text("type").map(lossy),
            groups: section.field("groups").map(texts).unwrap_or_default(),
            instance: section.field("instance").and_then(|field| external(field.value_span())),
            is_unique: is_unique(section),
            name,
            parent,
            path,
            script: script.and_then(|script| external(script.value_span())),
            section: section.index(),
        });
    }
    nodes
}

/// The paths of external resources by id.
fn external_paths(document: &Document<'_>) -> HashMap<String, String> {
    let external = document.sections().filter(|section| section.kind() == TagKind::ExtResource);
    external
        .filter_map(|section| {
            Some((lossy(section.field_text("id")?), lossy(section.field_text("path")?)))
        })
        .collect()
}

fn is_unique(section: Section<'_>) -> bool {
    let mut properties = section.properties();
    properties
        .any(|property| *property.key() == *b"unique_name_in_owner" && property.source() == b"true")
}

/// The texts of a list.
fn texts(field: Field<'_>) -> Vec<String> {
    let Ok(Value::Array(array)) = field.value() else { return Vec::new() };
    let text = |item: &Value| match item {
        Value::String(text) => Some(text.to_string()),
        _ => None,
    };
    array.elements.iter().filter_map(text).collect()
}

fn lossy(text: impl AsRef<[u8]>) -> String {
    String::from_utf8_lossy(text.as_ref()).into_owned()
}
