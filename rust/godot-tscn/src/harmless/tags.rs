//! The contents of tags: text and numbers, and nothing else. Godot makes a text of every value in a field, also
//! of a `NodePath`.

use hashbrown::HashSet;

use crate::document::{Field, Section, TagKind, ValueKind};
use crate::harmless::list::{self, Class};
use crate::harmless::{Judge, shape};
use crate::model::node_tree::Parent;
use crate::model::untrusted::{is_data_path, is_script_class, is_text_path};
use crate::quote::quote;

/// The values that a field may have.
#[derive(Clone, Copy)]
enum Holds {
    Text,
    Int,
    Ints,
    Texts,
    Data,
    ExtResource,
}

/// The fields that a tag of this kind may have.
fn fields(kind: TagKind) -> &'static [(&'static str, Holds)] {
    use Holds::*;
    match kind {
        TagKind::GdScene => &[("format", Int), ("load_steps", Int), ("uid", Text)],
        TagKind::GdResource => &[
            ("format", Int),
            ("load_steps", Int),
            ("script_class", Text),
            ("type", Text),
            ("uid", Text),
        ],
        TagKind::ExtResource => &[("id", Text), ("path", Text), ("type", Text), ("uid", Text)],
        TagKind::SubResource => &[("id", Text), ("type", Text)],
        TagKind::Node => &[
            ("groups", Texts),
            ("index", Text),
            ("instance", ExtResource),
            ("name", Text),
            ("parent", Text),
            ("parent_id_path", Ints),
            ("type", Text),
            ("unique_id", Int),
        ],
        TagKind::Connection => &[
            ("binds", Data),
            ("flags", Int),
            ("from", Text),
            ("method", Text),
            ("signal", Text),
            ("to", Text),
            ("unbinds", Int),
        ],
        TagKind::Editable => &[("path", Text)],
        TagKind::Resource | TagKind::Nested | TagKind::Unknown => &[],
    }
}

/// Nodes that change the one above them.
const PARTS: &[&str] =
    &["CollisionPolygon2D", "CollisionPolygon3D", "CollisionShape2D", "CollisionShape3D"];

/// The class on the list that the section's `type` names.
pub(super) fn class_of(section: Section<'_>) -> Option<&'static Class> {
    let field = section.field("type").filter(|field| field.kind() == ValueKind::String)?;
    list::class(std::str::from_utf8(&field.text()?).ok()?)
}

impl<'d> Judge<'_, 'd> {
    /// Judges the tag that a section starts with.
    pub(super) fn tag(&mut self, section: Section<'d>) {
        if section.is_broken() || matches!(section.kind(), TagKind::Nested | TagKind::Unknown) {
            return self.refuse(section.tag_span(), "the tag is not valid in a scene or resource");
        }
        let allowed = fields(section.kind());
        let mut seen = HashSet::new();
        for field in section.fields() {
            let name = field.name();
            match allowed.iter().find(|(known, _)| known.as_bytes() == name) {
                None => self.refuse(
                    field.span(),
                    format!("the field {} is not known to be harmless", quote(name)),
                ),
                Some(_) if !seen.insert(name) => {
                    self.refuse(field.span(), "duplicate field");
                }
                Some((_, holds)) if !self.holds(field, *holds) => {
                    let message = format!(
                        "the value of {} differs from the form that Godot writes",
                        quote(name)
                    );
                    self.refuse(field.value_span(), message);
                }
                Some(_) => {}
            }
        }
        match section.kind() {
            TagKind::GdResource | TagKind::SubResource => self.made_class(section, "Resource"),
            TagKind::Node => {}
            TagKind::ExtResource => self.external(section),
            TagKind::Connection => self.connection(section),
            TagKind::Editable => self.plain_paths(section, &["path"]),
            _ => {}
        }
    }

    fn holds(&self, field: Field<'_>, holds: Holds) -> bool {
        use godot_variant::Value;
        let is_plain_text =
            |text: &[u8]| std::str::from_utf8(text).is_ok_and(|text| text.len() <= 4096);
        match holds {
            Holds::Text => {
                field.kind() == ValueKind::String
                    && field.text().is_some_and(|text| is_plain_text(&text))
            }
            Holds::Int => field.kind() == ValueKind::Int && field.int().is_some(),
            Holds::Ints => {
                matches!(field.value(), Ok(Value::PackedInt32Array(ints)) if ints.len() <= 256)
            }
            Holds::Texts => match field.value() {
                // Names that start with an underscore are groups of the engine.
                Ok(Value::Array(array)) => array.elements.iter().all(|element| {
                    shape::text(element)
                        .is_some_and(|text| text.len() <= 256 && !text.starts_with('_'))
                }),
                _ => false,
            },
            Holds::Data => matches!(field.value(), Ok(Value::Array(_))),
            Holds::ExtResource => {
                let is_scene = |id: &str| {
                    let found = self.context.ext_resources.find(id.as_bytes());
                    found.is_some_and(|found| {
                        found.section.field_text("type").as_deref() == Some(b"PackedScene")
                    })
                };
                field.value().is_ok_and(|value| {
                    matches!(shape::reference(&value), Some(("ExtResource", id)) if is_scene(id))
                })
            }
        }
    }

    /// The class of the tag's object must be on the list, and of the right kind.
    fn made_class(&mut self, section: Section<'_>, base: &str) {
        let Some(field) = section.field("type") else {
            return self.refuse(section.tag_span(), "the class is missing");
        };
        let found = class_of(section).filter(|class| class.can_be_made && class.inherits(base));
        if found.is_none() {
            let class = quote(&field.text().unwrap_or_default());
            self.refuse(
                field.value_span(),
                format!("the class {class} is not known to be harmless"),
            );
        }
    }

    /// Judges the tag of the node with this index in the tree.
    pub(super) fn node_tag(&mut self, section: Section<'_>, node: u32) {
        self.place_of_node(section, node);
        let is_root = section.field("parent").is_none();
        let has_class = section.field("type").is_some();
        match section.field("instance") {
            Some(_) if has_class => {
                self.refuse(section.tag_span(), "an instance cannot have its own class");
            }
            None if has_class => self.made_class(section, "Node"),
            // Neither a class nor an instance: a node of an instanced or inherited scene.
            None if is_root => self.refuse(section.tag_span(), "the root has no class"),
            None if !self.is_of_another_scene(node) => self.refuse(
                section.tag_span(),
                "the node has neither a class nor an instance above it that it is a part of",
            ),
            _ => {}
        }
        if section.field("index").is_some() && (has_class || section.field("instance").is_some()) {
            // Each such node moves all others of its parent.
            self.refuse(section.tag_span(), "a new node has an `index`");
        }
        if is_root && class_of(section).is_some_and(|class| PARTS.contains(&class.name)) {
            self.refuse(
                section.tag_span(),
                "the root is a part of the node above it, which is one of the game",
            );
        }
        let name = section.field_text("name");
        if !name.is_some_and(|name| is_node_name(&name)) {
            self.refuse(section.tag_span(), "Godot does not use such a node name");
        }
        self.plain_paths(section, &["parent"]);
    }

    /// Where a node that the file makes may hang: below another one that it makes, with a name of its own there. A node that
    /// takes the name of another one, in this file or in an instanced scene, would be taken for it.
    fn place_of_node(&mut self, section: Section<'_>, node: u32) {
        let tree = &self.context.node_tree;
        let Some(found) = tree.nodes.get(node as usize) else { return };
        let is_made = section.field("type").is_some() || section.field("instance").is_some();
        let hangs_well = match found.parent {
            Parent::None => node == 0,
            Parent::Known(parent) => parent < node && !tree.is_opaque(parent),
            _ => false,
        };
        let has_twin = found.first_sibling.is_some();
        if is_made && (!hangs_well || section.field("parent_id_path").is_some()) {
            let message = "the node is added to a node that the file does not create itself";
            self.refuse(section.tag_span(), message);
        }
        if has_twin {
            self.refuse(section.tag_span(), "two nodes have the same name and parent");
        }
    }

    /// Whether the node hangs below an instance, by its path, and is not one that the file makes, by its id.
    fn is_of_another_scene(&self, node: u32) -> bool {
        let tree = &self.context.node_tree;
        let Some(found) = tree.nodes.get(node as usize) else { return false };
        match found.parent {
            Parent::Known(parent) => tree.is_opaque(parent),
            Parent::Elsewhere => true,
            _ => false,
        }
    }

    fn plain_paths(&mut self, section: Section<'_>, fields: &[&str]) {
        for field in fields {
            if section.field_text(field).is_some_and(|path| !is_plain_path(&path)) {
                self.refuse(
                    section.tag_span(),
                    format!("`{field}` is not a plain path inside the scene"),
                );
            }
        }
    }

    /// The allowed kinds of another file: a scene or resource as text, which must be judged too, data that Godot
    /// imports, or a file on the caller's list.
    fn external(&mut self, section: Section<'_>) {
        let [path, class] =
            ["path", "type"].map(|name| section.field_text(name).unwrap_or_default());
        if self.lists_path(&String::from_utf8_lossy(&path)) {
            return;
        }
        if is_script_class(&class) || !is_text_path(&path) && !is_data_path(&path) {
            let message = format!("the file {} is not known to be harmless", quote(&path));
            self.refuse(section.tag_span(), message);
        }
    }
}

/// Without the characters of a path: Godot takes these characters out when it gives a name. And not one that Godot gives
/// to nodes of its own, which it then finds by them: `_v_scroll`.
fn is_node_name(name: &[u8]) -> bool {
    let is_plain = |byte: &u8| !b"/.:%@\"".contains(byte) && *byte >= 32;
    !name.is_empty() && !name.starts_with(b"_") && name.iter().all(is_plain)
}

/// Names and slashes: no step up, no root of the tree, no unique name.
fn is_plain_path(path: &[u8]) -> bool {
    path == b"." || path.split(|byte| *byte == b'/').all(is_node_name)
}
