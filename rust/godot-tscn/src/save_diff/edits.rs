//! The new contents of a file after a save: the user's changes.

use godot_variant::Value;
use hashbrown::{HashMap, HashSet};

use crate::decode;
use crate::document::{Document, Property, ReferenceKind, Section, TagKind};
use crate::model::node_tree::Parent;
use crate::model::resource_ids::ResourceIds;
use crate::save_diff::comparison::{
    Comparison, ConnectionKey, connection_key, lossy, sections, text_of,
};
use crate::span::Span;
use crate::value::parse_value;

/// Something that is other in a file than it was, other than by being dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edited {
    /// Its kind.
    pub kind: EditedKind,
    /// The node that it belongs to, relative to the root; the root is `.`.
    pub node_path: Option<String>,
}

/// The kind of an [`Edited`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditedKind {
    /// A property has another value, or is new.
    Property {
        /// Its name.
        name: String,
        /// The id of the `sub_resource` that has it.
        sub_resource: Option<String>,
        /// Where its value is in the text after.
        value: Span,
    },
    /// A node is new, or has another path.
    NodeAdded,
    /// A node of this scene is gone, or has another path.
    NodeRemoved,
    /// A connection of this signal is new.
    Connection {
        /// The signal.
        signal: String,
    },
}

/// Compares a file with its text after a save: the changes that restoring the earlier text would undo, besides the
/// losses of the save. Values that are only written otherwise count as the same.
///
/// ```
/// let before = godot_tscn::parse(b"[gd_resource type=\"Curve\"]\n\n[resource]\nx = 1\ny = 2\n");
/// let after = godot_tscn::parse(b"[gd_resource type=\"Curve\"]\n\n[resource]\nx = 1.0\ny = 3\n");
/// let edits = godot_tscn::edits(&before, &after);
/// assert!(matches!(&edits[0].kind, godot_tscn::EditedKind::Property { name, .. } if name == "y"));
/// ```
pub fn edits(before: &Document<'_>, after: &Document<'_>) -> Vec<Edited> {
    let comparison = Comparison::new(before, after);
    let mut found = Found { files: [files_of(before), files_of(after)], edits: Vec::new() };
    found.compare_nodes(&comparison);
    found.compare_resources(before, after);
    found.compare_connections(&comparison);
    found.edits
}

/// The paths of the `ext_resource`s, by id.
type Files = HashMap<Vec<u8>, String>;

struct Found {
    /// Before and after.
    files: [Files; 2],
    edits: Vec<Edited>,
}

impl Found {
    fn compare_nodes(&mut self, comparison: &Comparison<'_>) {
        let (before, after) = (&comparison.nodes_before, &comparison.nodes_after);
        let mut is_matched = vec![false; after.paths.len()];
        let mut has_lost_parent = false;
        for (index, now) in comparison.matches.now.iter().enumerate() {
            let (path, section) = (&before.paths[index], before.section(index as u32));
            let has_parent = before.tree.nodes[index].parent != Parent::Missing;
            has_lost_parent |= !has_parent;
            if let Some(now) = *now {
                let (path_now, section_now) = (&after.paths[now as usize], after.section(now));
                is_matched[now as usize] = true;
                if is_moved(comparison, path, path_now) {
                    self.push(EditedKind::NodeAdded, Some(path_now));
                }
                self.compare_properties(Some(section), section_now, Some(path_now));
            } else if has_parent && is_own(section) {
                self.push(EditedKind::NodeRemoved, Some(path));
            }
        }
        for (index, path) in after.paths.iter().enumerate() {
            let section = after.section(index as u32);
            // Godot gives a node without a parent a name of this kind.
            if is_matched[index] || (has_lost_parent && path.contains(&b'#')) {
                continue;
            }
            if is_own(section) {
                self.push(EditedKind::NodeAdded, Some(path));
            } else {
                self.compare_properties(None, section, Some(path));
            }
        }
    }

    fn compare_resources(&mut self, before: &Document<'_>, after: &Document<'_>) {
        let ids = ResourceIds::new(before, ReferenceKind::SubResource);
        for section in sections(after, TagKind::SubResource) {
            let old =
                section.field_text("id").and_then(|id| ids.find(&id).map(|found| found.section));
            if let Some(old) = old {
                self.compare_properties(Some(old), section, None);
            }
        }
        let main = |document| sections(document, TagKind::Resource).next();
        if let (Some(before), Some(after)) = (main(before), main(after)) {
            self.compare_properties(Some(before), after, None);
        }
    }

    fn compare_connections(&mut self, comparison: &Comparison<'_>) {
        let (before, after) = (&comparison.nodes_before, &comparison.nodes_after);
        let now = |path: Vec<u8>| comparison.matches.path_now(before, after, &path).unwrap_or(path);
        let known: HashSet<ConnectionKey<'_>> = sections(comparison.before, TagKind::Connection)
            .filter_map(connection_key)
            .map(|(signal, from, to, method)| (signal, now(from), now(to), method))
            .collect();
        for section in sections(comparison.after, TagKind::Connection) {
            let Some(key) = connection_key(section).filter(|key| !known.contains(key)) else {
                continue;
            };
            let kind = EditedKind::Connection { signal: lossy(&key.0) };
            self.push(kind, Some(&key.1));
        }
    }

    fn compare_properties(
        &mut self,
        before: Option<Section<'_>>,
        after: Section<'_>,
        node_path: Option<&[u8]>,
    ) {
        let old: HashMap<_, _> = before
            .into_iter()
            .flat_map(|before| {
                before.properties().map(move |each| (each.engine_key(), (each, before)))
            })
            .collect();
        let kept: HashSet<_> = after.properties().map(Property::engine_key).collect();
        // Godot reads old names and writes new ones.
        let renamed: HashSet<_> = old
            .iter()
            .filter(|(name, _)| !kept.contains(*name))
            .map(|(_, (each, _))| each.source())
            .collect();
        for property in after.properties() {
            let is_known = match old.get(&property.engine_key()) {
                Some((old, before)) => self.is_same((*old, *before), (property, after)),
                None => renamed.contains(property.source()),
            };
            if !is_known {
                let name = lossy(&property.engine_key());
                let sub_resource = after.field_text("id").map(|id| lossy(&id));
                let value = property.value_span();
                self.push(EditedKind::Property { name, sub_resource, value }, node_path);
            }
        }
    }

    fn is_same(&self, old: (Property<'_>, Section<'_>), new: (Property<'_>, Section<'_>)) -> bool {
        if old.0.source() == new.0.source() || is_same_value(old.0.source(), new.0.source()) {
            return true;
        }
        let [before, after] = &self.files;
        written_plainly(old.0, old.1, before) == written_plainly(new.0, new.1, after)
    }

    fn push(&mut self, kind: EditedKind, node_path: Option<&[u8]>) {
        self.edits.push(Edited { kind, node_path: node_path.map(lossy) });
    }
}

/// Whether it is a node of this scene, and not a changed one of an instance.
fn is_own(section: Section<'_>) -> bool {
    ["type", "instance", "instance_placeholder"].iter().any(|field| section.field(field).is_some())
}

/// Whether the node has another name or parent; not if only those above it have.
fn is_moved(comparison: &Comparison<'_>, path: &[u8], path_now: &[u8]) -> bool {
    let split = |path: &[u8]| match path.iter().rposition(|byte| *byte == b'/') {
        Some(slash) => (path[..slash].to_vec(), path[slash + 1..].to_vec()),
        None => (b".".to_vec(), path.to_vec()),
    };
    let ((parent, name), (parent_now, name_now)) = (split(path), split(path_now));
    let (before, after) = (&comparison.nodes_before, &comparison.nodes_after);
    name != name_now
        || comparison.matches.path_now(before, after, &parent).is_none_or(|now| *now != *parent_now)
}

fn is_same_value(old: &[u8], new: &[u8]) -> bool {
    let has_reference = |text: &[u8]| memchr::memmem::find(text, b"Resource(").is_some();
    if has_reference(old) || has_reference(new) {
        return false;
    }
    match (parse_value(old), parse_value(new)) {
        (Ok(old), Ok(new)) => {
            old == new || number_of(&old).is_some_and(|old| Some(old) == number_of(&new))
        }
        _ => false,
    }
}

#[allow(clippy::cast_precision_loss, reason = "Godot makes the same float of it")]
fn number_of(value: &Value) -> Option<f64> {
    match value {
        Value::Int(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        _ => None,
    }
}

/// Without white space, and with the paths of files in the place of their ids, which Godot changes.
fn written_plainly(property: Property<'_>, section: Section<'_>, files: &Files) -> Vec<u8> {
    let (source, start) = (property.source(), property.value_span().start);
    let mut plain = Vec::with_capacity(source.len());
    let mut done = 0;
    for reference in section.references() {
        let is_inside = property.value_span().contains(reference.target);
        if !is_inside || reference.kind != ReferenceKind::ExtResource {
            continue;
        }
        let at = (reference.target.start - start) as usize;
        let end = (reference.target.end - start) as usize;
        plain.extend_from_slice(&source[done..at]);
        let id = decode::text(&source[at..end]);
        plain.extend_from_slice(files.get(&*id).map_or(&*id, |path| path.as_bytes()));
        done = end;
    }
    plain.extend_from_slice(&source[done..]);
    plain.retain(|byte| !byte.is_ascii_whitespace());
    plain
}

fn files_of(document: &Document<'_>) -> Files {
    sections(document, TagKind::ExtResource)
        .filter_map(|section| {
            Some((section.field_text("id")?.into_owned(), text_of(section, "path")))
        })
        .collect()
}
