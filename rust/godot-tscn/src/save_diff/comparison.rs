//! One kind of part after the other, before and after.

use std::borrow::Cow;

use hashbrown::{HashMap, HashSet};

use crate::document::{Document, Property, ReferenceKind, Section, TagKind};
use crate::model::field_name::FieldName;
use crate::model::node_tree::Parent;
use crate::model::resource_ids::ResourceIds;
use crate::save_diff::node_matches::{NodeMatches, Nodes};
use crate::save_diff::property::PropertyLosses;
use crate::save_diff::{Loss, LossCause, LossKind};
use crate::span::Span;

/// Two texts and how their nodes belong together.
pub(super) struct Comparison<'d> {
    pub(super) before: &'d Document<'d>,
    pub(super) after: &'d Document<'d>,
    pub(super) nodes_before: Nodes<'d>,
    pub(super) nodes_after: Nodes<'d>,
    pub(super) matches: NodeMatches,
    properties: PropertyLosses<'d>,
    losses: Vec<Loss>,
}

/// At most this number of properties of a section is checked for one that has another name now: each is compared
/// with them all.
const MAX_PROPERTIES: usize = 256;

/// Which connection it is: signal, source, target, method.
pub(super) type ConnectionKey<'d> = (Cow<'d, [u8]>, Vec<u8>, Vec<u8>, Cow<'d, [u8]>);

impl<'d> Comparison<'d> {
    pub(super) fn new(before: &'d Document<'d>, after: &'d Document<'d>) -> Self {
        let (nodes_before, nodes_after) = (Nodes::new(before), Nodes::new(after));
        let matches = NodeMatches::new(&nodes_before, &nodes_after);
        let properties = PropertyLosses::new(before);
        Self { before, after, nodes_before, nodes_after, matches, properties, losses: Vec::new() }
    }

    pub(super) fn losses(mut self) -> Vec<Loss> {
        self.compare_comments();
        for index in 0..self.nodes_before.paths.len() as u32 {
            self.compare_node(index);
        }
        self.compare_resources();
        self.compare_connections();
        self.compare_editables();
        self.losses
    }

    fn push(&mut self, kind: LossKind, cause: LossCause, node_path: Option<&[u8]>, span: Span) {
        let node_path = node_path.map(lossy);
        self.losses.push(Loss { kind, cause, node_path, span, value: span });
    }

    fn push_section(
        &mut self,
        kind: LossKind,
        cause: LossCause,
        node_path: Option<&[u8]>,
        section: Section<'d>,
    ) {
        self.push(kind, cause, node_path, section.tag_span());
        self.losses.last_mut().expect("it was pushed").value = trimmed(section, self.before);
    }

    fn compare_comments(&mut self) {
        let text_after = self.after.text();
        let mut kept: HashMap<&[u8], usize> = HashMap::new();
        for comment in self.after.comments() {
            *kept.entry(comment.of(text_after).trim_ascii()).or_default() += 1;
        }
        for comment in self.before.comments() {
            let text = comment.of(self.before.text()).trim_ascii();
            match kept.get_mut(text) {
                Some(count) if *count > 0 => *count -= 1,
                _ => self.push(LossKind::Comment(lossy(text)), LossCause::NotKept, None, *comment),
            }
        }
    }

    fn compare_node(&mut self, index: u32) {
        let section = self.nodes_before.section(index);
        let path = self.nodes_before.paths[index as usize].clone();
        let Some(now) = self.matches.now[index as usize] else {
            return self.node_is_gone(index, section, &path);
        };
        let path = self.nodes_after.paths[now as usize].clone();
        let section_after = self.nodes_after.section(now);
        if section.span().of(self.before.text()) == section_after.span().of(self.after.text()) {
            return;
        }
        self.compare_properties(section, section_after, Some(&path));
        self.compare_fields(section, section_after, Some(&path));
    }

    fn node_is_gone(&mut self, index: u32, section: Section<'d>, path: &[u8]) {
        if self.nodes_before.tree.nodes[index as usize].parent == Parent::Missing {
            let kind = LossKind::Node(lossy(path));
            return self.push_section(kind, LossCause::MissingNode, None, section);
        }
        let is_override = ["type", "instance", "instance_placeholder"]
            .iter()
            .all(|field| section.field(field).is_none());
        // A node of this scene is gone because the user deleted it, and so are the nodes below it.
        let path = self.matches.path_now(&self.nodes_before, &self.nodes_after, path);
        let (true, Some(path)) = (is_override, path) else { return };
        for property in section.properties() {
            self.losses.push(self.properties.loss(property, section, Some(&path)));
        }
    }

    /// For two versions of one section.
    fn compare_properties(
        &mut self,
        before: Section<'d>,
        after: Section<'d>,
        node_path: Option<&[u8]>,
    ) {
        let kept: HashSet<_> = after.properties().map(Property::engine_key).collect();
        for property in before.properties() {
            if !kept.contains(&property.key()) && !is_renamed(property, before, after) {
                self.losses.push(self.properties.loss(property, before, node_path));
            }
        }
    }

    fn compare_fields(
        &mut self,
        before: Section<'d>,
        after: Section<'d>,
        node_path: Option<&[u8]>,
    ) {
        for field in before.fields() {
            let is_known =
                FieldName::of(field.name()).is_some_and(|name| name.is_in(before.kind()));
            if !is_known && after.fields().all(|kept| kept.name() != field.name()) {
                let kind = LossKind::Field(lossy(field.name()));
                self.push(kind, LossCause::NotKept, node_path, field.span());
            }
        }
    }

    fn compare_resources(&mut self) {
        let before = ResourceIds::new(self.before, ReferenceKind::SubResource);
        let after = ResourceIds::new(self.after, ReferenceKind::SubResource);
        for definition in &before.definitions {
            let section = definition.section;
            if let Some(kept) = after.find(&definition.id) {
                if definition.first.is_none()
                    && kept.section.field_text("type") == section.field_text("type")
                {
                    self.compare_properties(section, kept.section, None);
                }
            } else if !definition.is_used {
                let class = text_of(section, "type");
                let kind = LossKind::SubResource { id: lossy(&definition.id), class };
                self.push_section(kind, LossCause::Unused, None, section);
            }
        }
        let main = |document| sections(document, TagKind::Resource).next();
        if let (Some(before), Some(after)) = (main(self.before), main(self.after)) {
            self.compare_properties(before, after, None);
        }
    }

    fn compare_connections(&mut self) {
        let kept: HashSet<_> =
            sections(self.after, TagKind::Connection).filter_map(connection_key).collect();
        for section in sections(self.before, TagKind::Connection) {
            let Some((signal, from, to, method)) = connection_key(section) else { continue };
            let is_missing =
                |path: &[u8]| self.nodes_before.tree.find(path) == Err(Parent::Missing);
            let cause = if is_missing(&from) || is_missing(&to) {
                LossCause::MissingNode
            } else {
                LossCause::Unclear
            };
            let (Some(from), Some(to)) = (self.end_now(from, cause), self.end_now(to, cause))
            else {
                continue;
            };
            let key = (signal, from, to, method);
            if kept.contains(&key) {
                continue;
            }
            let (signal, from, to, method) = key;
            let kind = LossKind::Connection {
                signal: lossy(&signal),
                target: lossy(&to),
                method: lossy(&method),
                changes_arguments: ["binds", "unbinds"]
                    .iter()
                    .any(|field| section.field(field).is_some()),
            };
            self.push_section(kind, cause, Some(&from), section);
        }
    }

    /// The current place of the node at `path`; nothing if the user deleted it, and with it the
    /// things that need it.
    fn end_now(&self, path: Vec<u8>, cause: LossCause) -> Option<Vec<u8>> {
        let now = self.matches.path_now(&self.nodes_before, &self.nodes_after, &path);
        if cause == LossCause::MissingNode {
            return now.or(Some(path));
        }
        let is_deleted = self.nodes_before.at(&path).is_some_and(|index| {
            let section = self.nodes_before.section(index);
            let is_own = section.field("type").is_some() || section.field("instance").is_some();
            is_own && self.matches.now[index as usize].is_none()
        });
        now.filter(|_| !is_deleted)
    }

    fn compare_editables(&mut self) {
        let path_of = |section: Section<'d>| section.field_text("path");
        let kept: HashSet<_> =
            sections(self.after, TagKind::Editable).filter_map(path_of).collect();
        for section in sections(self.before, TagKind::Editable) {
            let Some(path) = path_of(section) else { continue };
            let is_missing = self.nodes_before.tree.find(&path) == Err(Parent::Missing);
            let cause = if is_missing { LossCause::MissingNode } else { LossCause::Unclear };
            let Some(now) = self.end_now(path.into_owned(), cause) else { continue };
            if kept.contains(now.as_slice()) {
                continue;
            }
            self.push_section(LossKind::Editable, cause, Some(&now), section);
        }
    }
}

/// Whether the value is kept under a new name: Godot reads old names and writes new ones, `navmesh`
/// and `navigation_mesh`, `libraries` and `libraries/…`.
fn is_renamed(property: Property<'_>, before: Section<'_>, after: Section<'_>) -> bool {
    let name = property.key();
    let before: Vec<_> = before.properties().take(MAX_PROPERTIES).map(Property::key).collect();
    let is_new = |other: &Property<'_>| !before.contains(&other.key());
    let takes_over = |other: &Property<'_>| {
        other.source() == property.source()
            || other.key().strip_prefix(&*name).is_some_and(|rest| rest.starts_with(b"/"))
    };
    after.properties().take(MAX_PROPERTIES).filter(takes_over).any(|other| is_new(&other))
}

/// The whole section, without the white space behind it.
fn trimmed(section: Section<'_>, document: &Document<'_>) -> Span {
    let span = section.span();
    let len = span.of(document.text()).trim_ascii_end().len() as u32;
    Span::new(span.start, span.start + len)
}

pub(super) fn sections<'d>(
    document: &'d Document<'d>,
    kind: TagKind,
) -> impl Iterator<Item = Section<'d>> {
    document.sections().filter(move |section| section.kind() == kind)
}

pub(super) fn connection_key(section: Section<'_>) -> Option<ConnectionKey<'_>> {
    Some((
        section.field_text("signal")?,
        section.field_text("from")?.into_owned(),
        section.field_text("to")?.into_owned(),
        section.field_text("method")?,
    ))
}

pub(super) fn text_of(section: Section<'_>, field: &str) -> String {
    section.field_text(field).map(|text| lossy(&text)).unwrap_or_default()
}

pub(super) fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
