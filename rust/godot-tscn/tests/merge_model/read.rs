//! What a scene says, whatever ids it has, and in whatever order lists, groups, cells and tracks stand.

use std::collections::{BTreeMap, HashMap};

use godot_tscn::{Document, ReferenceKind, Section, Span, TagKind};

/// By what it is about: nodes with their fields and properties, connections and editable instances.
pub(crate) type Facts = BTreeMap<String, String>;

pub(crate) fn facts(text: &str) -> Facts {
    let document = godot_tscn::parse(text.as_bytes());
    assert!(document.errors().is_empty(), "{:?}\n{text}", document.errors());
    let mut resources = Resources { document: &document, told: HashMap::new() };
    let mut facts = Facts::new();
    for section in document.sections() {
        let told = resources.told(section);
        match section.kind() {
            TagKind::ExtResource | TagKind::SubResource => {
                let id = field(section, "id").unwrap();
                let told = match field(section, "path") {
                    Some(path) => path,
                    None => format!("<{} {told:?}>", field(section, "type").unwrap()),
                };
                let known = resources.told.insert((section.kind(), id.clone()), told);
                assert_eq!(known, None, "two resources {id}");
            }
            TagKind::Node => {
                let path = path(section);
                let known = facts.insert(format!("node {path}"), String::new());
                assert_eq!(known, None, "two nodes {path}");
                facts.extend(
                    told.into_iter().map(|(name, value)| (format!("node {path}: {name}"), value)),
                );
            }
            kind => drop(facts.insert(format!("{kind:?} {told:?}"), String::new())),
        }
    }
    facts
}

/// The names of each node's children, in their order.
pub(crate) fn children(text: &str) -> BTreeMap<String, Vec<String>> {
    let document = godot_tscn::parse(text.as_bytes());
    let mut children = BTreeMap::<String, Vec<String>>::new();
    for section in document.sections().filter(|section| section.kind() == TagKind::Node) {
        if let Some(parent) = field(section, "parent") {
            children.entry(parent).or_default().push(field(section, "name").unwrap());
        }
    }
    children
}

fn path(section: Section<'_>) -> String {
    let name = field(section, "name").unwrap();
    match field(section, "parent").as_deref() {
        None => ".".to_owned(),
        Some(".") => name,
        Some(parent) => format!("{parent}/{name}"),
    }
}

fn field(section: Section<'_>, name: &str) -> Option<String> {
    section.field_text(name).map(|text| String::from_utf8(text.into_owned()).unwrap())
}

struct Resources<'d> {
    document: &'d Document<'d>,
    told: HashMap<(TagKind, String), String>,
}

impl Resources<'_> {
    /// Fields and properties. Tracks are told by their path.
    fn told(&self, section: Section<'_>) -> BTreeMap<String, String> {
        let mut told = BTreeMap::new();
        let mut tracks = BTreeMap::<String, BTreeMap<String, String>>::new();
        for each in section.fields() {
            let name = String::from_utf8_lossy(each.name()).into_owned();
            // Nodes behind an instance's own have another index.
            if !matches!(&*name, "id" | "load_steps" | "name" | "parent" | "index") {
                told.insert(format!("@{name}"), self.value(section, &name, each.value_span()));
            }
        }
        for each in section.properties() {
            let name = String::from_utf8_lossy(&each.engine_key()).into_owned();
            let value = self.value(section, &name, each.value_span());
            match name.split('/').collect::<Vec<_>>()[..] {
                ["tracks", number, part] => {
                    tracks.entry(number.to_owned()).or_default().insert(part.to_owned(), value);
                }
                _ => assert_eq!(told.insert(name, value), None, "a property stands twice"),
            }
        }
        // An empty list of groups is none.
        told.retain(|name, value| name != "@groups" || !value.is_empty());
        for (number, track) in tracks {
            let known = told.insert(format!("track {}", track["path"]), format!("{track:?}"));
            assert_eq!(known, None, "track {number} stands twice");
        }
        told
    }

    /// With what resources are in the place of their ids.
    fn value(&self, section: Section<'_>, name: &str, span: Span) -> String {
        let mut value = String::new();
        let text = str::from_utf8(self.document.text()).unwrap();
        let mut done = span.start;
        for reference in section.references().iter().filter(|each| span.contains(each.target)) {
            let id = String::from_utf8(self.document.target(reference).into_owned()).unwrap();
            let kind = match reference.kind {
                ReferenceKind::ExtResource => TagKind::ExtResource,
                ReferenceKind::SubResource => TagKind::SubResource,
                ReferenceKind::Resource => continue,
            };
            value += &text[done as usize..reference.target.start as usize];
            value += &self.told[&(kind, id)];
            done = reference.target.end;
        }
        value += &text[done as usize..span.end as usize];
        in_order(name, &value)
    }
}

/// The parts of a list sorted: no two of a scene's are the same.
fn in_order(name: &str, value: &str) -> String {
    let inside = value.split_once(['(', '[', '{']).map_or(value, |(_, inside)| inside);
    let inside = inside.trim_end_matches([')', ']', '}']);
    let mut parts: Vec<String> = match name {
        "groups" | "metadata/list" => inside.split(", ").map(str::to_owned).collect(),
        "metadata/entries" => inside.trim().split(",\n").map(str::to_owned).collect(),
        "tile_map_data" => {
            let bytes: Vec<&str> = inside.split(", ").collect();
            bytes[2..].chunks(12).map(|cell| cell.join(" ")).collect()
        }
        _ => return value.to_owned(),
    };
    parts.sort();
    parts.join("; ")
}
