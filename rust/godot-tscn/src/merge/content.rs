//! A number for the contents of a section, whatever its ids are: equal content of two texts has the same
//! number.

use std::hash::{BuildHasher, Hash, Hasher};

use hashbrown::DefaultHashBuilder;
use memchr::memmem;

use crate::document::{Field, Property, Reference, ReferenceKind, Section, TagKind};
use crate::merge::side::Side;
use crate::span::Span;

/// The content of the resources of one text.
#[derive(Debug)]
pub(super) struct Content<'s, 'd> {
    side: &'s Side<'d>,
    hasher: DefaultHashBuilder,
    /// For each section that is a resource.
    resources: Vec<u64>,
}

/// Fields for the identity or the place, and not for the contents.
const IDENTITY: &[&[u8]] =
    &[b"id", b"name", b"parent", b"unique_id", b"index", b"owner", b"parent_id_path"];

impl<'s, 'd> Content<'s, 'd> {
    /// Numbers can be compared if they were made with the same `hasher`.
    pub(super) fn new(side: &'s Side<'d>, hasher: DefaultHashBuilder) -> Self {
        let count = side.document.sections().len();
        let mut content = Self { side, hasher, resources: vec![0; count] };
        // Used resources come before their users.
        for section in side.document.sections() {
            let hash = match section.kind() {
                TagKind::ExtResource => content.hasher.hash_one(section.field_text("path")),
                TagKind::SubResource => content.of(section),
                _ => continue,
            };
            content.resources[section.index() as usize] = hash;
        }
        content
    }

    /// The contents of the section.
    pub(super) fn of(&self, section: Section<'d>) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        self.fields(section, &mut hasher);
        for property in section.properties() {
            property.key().hash(&mut hasher);
            self.value(section, property.value_span(), &mut hasher);
        }
        hasher.finish()
    }

    /// The contents of the section, without the nodes that it names: in a moved one, the paths differ. A resource that
    /// both texts have, according to `known`, is the same whatever its contents.
    pub(super) fn of_moved(&self, section: Section<'d>, known: impl Fn(u32) -> Option<u32>) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        self.fields(section, &mut hasher);
        let text = self.side.document.text();
        for property in section.properties() {
            property.key().hash(&mut hasher);
            let span = property.value_span();
            let mut done = span.start;
            for reference in references_in(section, span) {
                let Some(target) = self.side.target(reference) else { continue };
                hash_without_nodes(
                    &text[done as usize..reference.target.start as usize],
                    &mut hasher,
                );
                match known(target) {
                    Some(number) => number.hash(&mut hasher),
                    None => self.resources[target as usize].hash(&mut hasher),
                }
                done = reference.target.end;
            }
            hash_without_nodes(&text[done as usize..span.end as usize], &mut hasher);
        }
        hasher.finish()
    }

    fn fields(&self, section: Section<'d>, hasher: &mut impl Hasher) {
        for field in section.fields().filter(|field| !IDENTITY.contains(&field.name())) {
            field.name().hash(hasher);
            self.value(section, field.value_span(), hasher);
        }
    }

    /// The class, the scene or the script that characterizes the node; nothing if that is not much.
    pub(super) fn kind_of_node(&self, section: Section<'d>) -> Option<u64> {
        let mut hasher = self.hasher.build_hasher();
        section.field_text("type").hash(&mut hasher);
        let instance = section.field("instance").map(Field::value_span);
        let script = section.properties().rfind(|property| property.key().as_ref() == b"script");
        let script = script.map(Property::value_span);
        for span in [instance, script] {
            match span {
                Some(span) => self.value(section, span, &mut hasher),
                None => 0_u8.hash(&mut hasher),
            }
        }
        (instance.is_some() || script.is_some()).then(|| hasher.finish())
    }

    fn value(&self, section: Section<'d>, span: Span, hasher: &mut impl Hasher) {
        let text = self.side.document.text();
        let mut done = span.start;
        for reference in references_in(section, span) {
            let Some(target) = self.side.target(reference) else { continue };
            text[done as usize..reference.target.start as usize].hash(hasher);
            self.resources[target as usize].hash(hasher);
            done = reference.target.end;
        }
        text[done as usize..span.end as usize].hash(hasher);
    }
}

/// For node paths, only the part after the node.
fn hash_without_nodes(value: &[u8], hasher: &mut impl Hasher) {
    const START: &[u8] = b"NodePath(\"";
    let mut rest = value;
    while let Some(found) = memmem::find(rest, START) {
        let (before, path) = rest.split_at(found + START.len());
        before.hash(hasher);
        let (path, behind) = path.split_at(memchr::memchr(b'"', path).unwrap_or(path.len()));
        path[memchr::memchr(b':', path).unwrap_or(path.len())..].hash(hasher);
        rest = behind;
    }
    rest.hash(hasher);
}

/// The references to `ext_resource`s and `sub_resource`s in a part of the section.
pub(crate) fn references_in<'d>(
    section: Section<'d>,
    span: Span,
) -> impl Iterator<Item = &'d Reference> {
    let references = section.references();
    let first = references.partition_point(|reference| reference.target.start < span.start);
    references[first..]
        .iter()
        .take_while(move |reference| reference.target.end <= span.end)
        .filter(|reference| reference.kind != ReferenceKind::Resource)
}
