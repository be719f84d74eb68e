//! Which section of one text is which of another.

use std::hash::Hash;

use hashbrown::{DefaultHashBuilder, HashMap};

use crate::document::{Section, TagKind};
use crate::merge::content::{Content, references_in};
use crate::merge::node_pairs;
use crate::merge::side::{NONE, Side};

/// Sections of two texts, `a` and `b`, that are the same thing.
#[derive(Debug)]
pub(super) struct Pairs {
    /// For each section of `a`, that of `b`.
    pub(super) to_b: Vec<u32>,
    /// For each section of `b`, that of `a`.
    pub(super) to_a: Vec<u32>,
    /// Sections that are to stay without a partner.
    closed: [Vec<bool>; 2],
    /// Whether only sections that both added are left to pair.
    pub(super) is_of_added: bool,
}

/// The number of rounds in which known pairs are used to find more. Each round costs as much as the
/// text is long.
const MAX_ROUNDS: usize = 8;

impl Pairs {
    pub(super) fn new(a: &Side<'_>, b: &Side<'_>) -> Self {
        let counts = [a, b].map(|side| side.document.sections().len());
        Self {
            to_b: vec![NONE; counts[0]],
            to_a: vec![NONE; counts[1]],
            closed: counts.map(|count| vec![false; count]),
            is_of_added: false,
        }
    }

    /// For two texts that each have partners in a third: only sections without a partner there may
    /// still be paired.
    pub(super) fn through(base_to_a: &Self, base_to_b: &Self, a: &Side<'_>, b: &Side<'_>) -> Self {
        let mut pairs = Self { is_of_added: true, ..Self::new(a, b) };
        for (in_a, in_b) in base_to_a.to_b.iter().zip(&base_to_b.to_b) {
            if *in_a != NONE && *in_b != NONE {
                pairs.join(*in_a, *in_b);
            }
        }
        for (closed, known) in pairs.closed.iter_mut().zip([&base_to_a.to_a, &base_to_b.to_a]) {
            *closed = known.iter().map(|partner| *partner != NONE).collect();
        }
        pairs
    }

    pub(super) fn join(&mut self, a: u32, b: u32) {
        self.to_b[a as usize] = b;
        self.to_a[b as usize] = a;
    }

    pub(super) fn is_free_a(&self, a: u32) -> bool {
        self.to_b[a as usize] == NONE && !self.closed[0][a as usize]
    }

    pub(super) fn is_free_b(&self, b: u32) -> bool {
        self.to_a[b as usize] == NONE && !self.closed[1][b as usize]
    }

    /// Joins free sections with the same key, in the order of the texts. Returns whether there were any.
    pub(super) fn join_by<K: Hash + Eq>(
        &mut self,
        a: impl Iterator<Item = (u32, K)>,
        b: impl Iterator<Item = (u32, K)>,
        is_unique_only: bool,
    ) -> bool {
        let mut numbers: HashMap<K, usize> = HashMap::new();
        let mut found: Vec<[Vec<u32>; 2]> = Vec::new();
        for (section, key) in a.filter(|(section, _)| self.is_free_a(*section)) {
            let number = *numbers.entry(key).or_insert(found.len());
            if number == found.len() {
                found.push([Vec::new(), Vec::new()]);
            }
            found[number][0].push(section);
        }
        for (section, key) in b.filter(|(section, _)| self.is_free_b(*section)) {
            if let Some(number) = numbers.get(&key) {
                found[*number][1].push(section);
            }
        }
        let mut has_joined = false;
        for [a, b] in found {
            if is_unique_only && (a.len() != 1 || b.len() != 1) {
                continue;
            }
            for (a, b) in a.into_iter().zip(b) {
                // A section may have several keys.
                if self.is_free_a(a) && self.is_free_b(b) {
                    self.join(a, b);
                    has_joined = true;
                }
            }
        }
        has_joined
    }
}

/// Finds the equal sections of two texts.
pub(super) fn find<'d>(a: &Side<'d>, b: &Side<'d>, pairs: &mut Pairs) {
    let of_kind = |section: Section<'_>| match section.kind() {
        TagKind::GdScene | TagKind::GdResource => Some(0_u8),
        TagKind::Resource => Some(1),
        _ => None,
    };
    let keyed = |section: Section<'d>| Some((section.index(), of_kind(section)?));
    let (in_a, in_b) = (a.document.sections(), b.document.sections());
    pairs.join_by(in_a.filter_map(keyed), in_b.filter_map(keyed), false);
    ext_resources(a, b, pairs);
    let has_lasting_ids = a.format() > 2 && b.format() > 2;
    // Two resources that both sides added may have one random id.
    if has_lasting_ids && !pairs.is_of_added {
        let key = |section: Section<'d>| {
            (section.index(), (section.field_text("id"), section.field_text("type")))
        };
        let subs = |side: &Side<'d>| side.sections(TagKind::SubResource).map(key);
        pairs.join_by(subs(a), subs(b), false);
    }
    let mut contents = Contents { sides: [a, b], made: None };
    node_pairs::find(a, b, pairs, &mut contents);
    sub_resources(a, b, pairs, &mut contents);
    by_ends(a, b, pairs);
}

/// The content of both texts, found out when it is first asked for.
pub(super) struct Contents<'s, 'd> {
    sides: [&'s Side<'d>; 2],
    made: Option<[Content<'s, 'd>; 2]>,
}

impl<'s, 'd> Contents<'s, 'd> {
    pub(super) fn get(&mut self) -> &[Content<'s, 'd>; 2] {
        self.made.get_or_insert_with(|| {
            let hasher = DefaultHashBuilder::default();
            self.sides.map(|side| Content::new(side, hasher.clone()))
        })
    }
}

fn ext_resources<'d>(a: &Side<'d>, b: &Side<'d>, pairs: &mut Pairs) {
    let has_lasting_ids = a.format() > 2 && b.format() > 2;
    for name in ["path", "uid", "id"] {
        if name == "id" && (!has_lasting_ids || pairs.is_of_added) {
            break;
        }
        let key = |section: Section<'d>| {
            Some((section.index(), (section.field_text(name)?, section.field_text("type"))))
        };
        let exts = |side: &Side<'d>| side.sections(TagKind::ExtResource).filter_map(key);
        pairs.join_by(exts(a), exts(b), name != "path");
    }
    let key = |section: Section<'d>| Some((section.index(), section.field_text("path")?));
    let exts = |side: &Side<'d>| side.sections(TagKind::ExtResource).filter_map(key);
    pairs.join_by(exts(a), exts(b), false);
    if !has_lasting_ids && !pairs.is_of_added {
        // A file that was moved.
        let key = |section: Section<'d>| {
            let path = section.field_text("path")?;
            let start = path.iter().rposition(|byte| *byte == b'/')? + 1;
            Some((section.index(), (path[start..].to_vec(), section.field_text("type"))))
        };
        let exts = |side: &Side<'d>| side.sections(TagKind::ExtResource).filter_map(key);
        pairs.join_by(exts(a), exts(b), true);
    }
}

/// Resources with changed ids: by their users, and by their contents.
///
/// Two that each side added may say the same and still be two: such are one only where the same thing uses them.
fn sub_resources<'d>(
    a: &Side<'d>,
    b: &Side<'d>,
    pairs: &mut Pairs,
    contents: &mut Contents<'_, 'd>,
) {
    if !pairs.is_of_added && has_free_resources(a, b, pairs) {
        join_by_content(a, b, pairs, contents, true);
    }
    for _ in 0..MAX_ROUNDS {
        if !has_free_resources(a, b, pairs) || !join_by_uses(a, b, pairs) {
            break;
        }
    }
    if !pairs.is_of_added && has_free_resources(a, b, pairs) {
        join_by_content(a, b, pairs, contents, false);
    }
}

fn has_free_resources(a: &Side<'_>, b: &Side<'_>, pairs: &Pairs) -> bool {
    a.sections(TagKind::SubResource).any(|section| pairs.is_free_a(section.index()))
        && b.sections(TagKind::SubResource).any(|section| pairs.is_free_b(section.index()))
}

fn join_by_content<'d>(
    a: &Side<'d>,
    b: &Side<'d>,
    pairs: &mut Pairs,
    contents: &mut Contents<'_, 'd>,
    is_unique_only: bool,
) {
    let [of_a, of_b] = contents.get();
    let keys_a = a.sections(TagKind::SubResource).map(|each| (each.index(), of_a.of(each)));
    let keys_b = b.sections(TagKind::SubResource).map(|each| (each.index(), of_b.of(each)));
    pairs.join_by(keys_a, keys_b, is_unique_only);
}

fn join_by_uses<'d>(a: &Side<'d>, b: &Side<'d>, pairs: &mut Pairs) -> bool {
    let in_a = uses(a, |section| Some(section).filter(|each| pairs.to_b[*each as usize] != NONE));
    let in_b =
        uses(b, |section| Some(pairs.to_a[section as usize]).filter(|partner| *partner != NONE));
    pairs.join_by(in_a.into_iter(), in_b.into_iter(), false)
}

/// Who uses a resource: the user in the first text, the property, and the how manyth reference in it it is. Its class, too.
type Use = (u32, Vec<u8>, u32, Vec<u8>);

fn uses<'d>(side: &Side<'d>, user: impl Fn(u32) -> Option<u32>) -> Vec<(u32, Use)> {
    let mut uses = Vec::new();
    for section in side.document.sections().filter(|section| !section.references().is_empty()) {
        let Some(user) = user(section.index()) else { continue };
        for property in section.properties() {
            for (place, reference) in references_in(section, property.value_span()).enumerate() {
                let Some(target) = side.target(reference) else { continue };
                let target = side.section(target);
                if target.kind() == TagKind::SubResource {
                    let class = target.field_text("type").unwrap_or_default().into_owned();
                    let key = property.key().into_owned();
                    uses.push((target.index(), (user, key, place as u32, class)));
                }
            }
        }
    }
    uses
}

/// Connections and editable instances, by the nodes that they name.
fn by_ends<'d>(a: &Side<'d>, b: &Side<'d>, pairs: &mut Pairs) {
    let keys_a = ends(a, |node| node);
    let keys_b = ends(b, |section| pairs.to_a[section as usize]);
    pairs.join_by(keys_a.into_iter(), keys_b.into_iter(), false);
}

/// Two ends, each a node of the first text and the path from there, signal and method.
type Ends = ([(u32, Vec<u8>); 2], [Vec<u8>; 2]);

fn ends<'d>(side: &Side<'d>, in_a: impl Fn(u32) -> u32) -> Vec<(u32, Ends)> {
    let end = |section: Section<'d>, field: &str| {
        let Some(path) = section.field_text(field) else { return (NONE, Vec::new()) };
        if side.tree.nodes.is_empty() {
            return (NONE, path.into_owned());
        }
        let goal = side.tree.walk(0, &path);
        (in_a(side.tree.nodes[goal.node as usize].section), goal.rest.to_vec())
    };
    let text = |section: Section<'d>, field: &str| {
        section.field_text(field).unwrap_or_default().into_owned()
    };
    let key = |section: Section<'d>| match section.kind() {
        TagKind::Connection => {
            let ends = [end(section, "from"), end(section, "to")];
            Some((section.index(), (ends, [text(section, "signal"), text(section, "method")])))
        }
        TagKind::Editable => {
            let ends = [end(section, "path"), (NONE, Vec::new())];
            Some((section.index(), (ends, [Vec::new(), Vec::new()])))
        }
        _ => None,
    };
    side.document.sections().filter_map(key).collect()
}
