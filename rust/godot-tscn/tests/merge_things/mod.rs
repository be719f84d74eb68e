//! What a scene or resource says, to be compared: things with their fields and properties, whatever ids resources have.

use std::collections::{BTreeMap, HashMap};

use godot_tscn::{Document, ReferenceKind, Section, Span, TagKind};

/// By what it is, and by field or property, each with its value.
pub(crate) type Things = BTreeMap<String, BTreeMap<String, String>>;

/// Fields that may be others in equal scenes.
const QUIET: &[&str] = &["load_steps", "index", "unique_id", "uid", "id"];

/// All that a text says. Two things with one path are told apart by their order.
pub(crate) fn things(text: &[u8]) -> Things {
    let document = godot_tscn::parse(text);
    assert!(document.sections().len() > 0);
    let resources = Resources::of(&document);
    let mut things = Things::new();
    for section in document.sections() {
        let (name, says) = match section.kind() {
            TagKind::ExtResource => continue,
            TagKind::SubResource => {
                let id = section.field_text("id").unwrap_or_default();
                // Numbers are given anew at each save.
                if id.iter().all(u8::is_ascii_digit) {
                    continue;
                }
                (format!("sub_resource {}", lossy(&id)), says(section, &resources))
            }
            TagKind::Node => {
                let name = lossy(&section.field_text("name").unwrap_or_default());
                let path = match section.field_text("parent") {
                    None => ".".to_owned(),
                    Some(parent) if *parent == *b"." => name,
                    Some(parent) => format!("{}/{name}", lossy(&parent)),
                };
                (format!("node {path}"), says(section, &resources))
            }
            TagKind::Connection | TagKind::Editable => {
                let says = says(section, &resources);
                (format!("{:?} {says:?}", section.kind()), BTreeMap::new())
            }
            kind => (format!("{kind:?}"), says(section, &resources)),
        };
        let mut name = name;
        while things.contains_key(&name) {
            name.push('+');
        }
        things.insert(name, says);
    }
    things
}

/// What each resource of a text is, by whether it is a file and by id: of a file its path, of others all that they say.
struct Resources<'d> {
    document: &'d Document<'d>,
    says: HashMap<(bool, Vec<u8>), String>,
}

impl<'d> Resources<'d> {
    fn of(document: &'d Document<'d>) -> Self {
        let mut resources = Self { document, says: HashMap::new() };
        for section in document.sections() {
            let id = section.field_text("id").unwrap_or_default().into_owned();
            match section.kind() {
                TagKind::ExtResource => {
                    let path = section.field_text("path").unwrap_or_default();
                    resources.says.insert((true, id), format!("<{}>", lossy(&path)));
                }
                TagKind::SubResource => {
                    let says = format!("{:?}", says(section, &resources));
                    resources.says.entry((false, id)).or_insert(says);
                }
                _ => {}
            }
        }
        resources
    }

    /// A value, with what its resources say in the place of their ids.
    fn value(&self, section: Section<'_>, span: Span) -> String {
        let text = self.document.text();
        let mut value = Vec::new();
        let mut done = span.start;
        for reference in section.references() {
            if !span.contains(reference.target) || reference.kind == ReferenceKind::Resource {
                continue;
            }
            let id = self.document.target(reference).into_owned();
            let key = (reference.kind == ReferenceKind::ExtResource, id);
            value.extend_from_slice(&text[done as usize..reference.target.start as usize]);
            value.extend(self.says.get(&key).map_or(&b"?"[..], |says| says.as_bytes()));
            done = reference.target.end;
        }
        value.extend_from_slice(&text[done as usize..span.end as usize]);
        value.retain(|byte| *byte > 32);
        lossy(&value)
    }
}

fn says(section: Section<'_>, resources: &Resources<'_>) -> BTreeMap<String, String> {
    let fields = section.fields().map(|field| (field.name(), field.value_span()));
    let fields = fields.map(|(name, span)| (format!("@{}", lossy(name)), span));
    let properties = section.properties();
    let properties = properties.map(|each| (lossy(&each.engine_key()), each.value_span()));
    fields
        .filter(|(name, _)| !QUIET.contains(&&name[1..]))
        .chain(properties)
        .map(|(name, span)| (name, resources.value(section, span)))
        .collect()
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
