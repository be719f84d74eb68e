//! Which things a side changed that the other side removed.

use crate::document::{Section, TagKind};
use crate::merge::canonical::is_same_or_none;
use crate::merge::content::references_in;
use crate::merge::entries::is_root_path;
use crate::merge::names::Names;
use crate::merge::noise::is_noise;
use crate::merge::side::{BASE, NONE, OURS, Side, THEIRS};
use crate::span::Span;

/// `sub_resource`s that one side removed, or left unused, and the other changed, or their
/// dependencies.
#[derive(Debug, Default)]
pub(super) struct Touched {
    /// For each row.
    rows: Vec<bool>,
    is_any: bool,
}

impl Touched {
    pub(super) fn new(names: &Names<'_, '_>) -> Self {
        let mut touched = Self { rows: vec![false; names.rows.rows.len()], is_any: false };
        let used = [BASE, OURS, THEIRS].map(|side| used(&names.sides[side]));
        for side in [OURS, THEIRS] {
            for section in names.sides[side].sections(TagKind::SubResource) {
                let index = names.rows.of[side][section.index() as usize];
                let row = names.rows.row(index);
                let is_used = |side: usize| used[side][row.at[side] as usize];
                let is_left = || {
                    let is_in_all = [BASE, OURS, THEIRS].iter().all(|side| row.is_in(*side));
                    is_in_all && is_used(side) && !is_used(other(side))
                };
                if (row.removed_by().is_some_and(|by| by != side) || is_left())
                    && (touched.is_in(names, side, section, whole(section))
                        || is_changed(names, index, side))
                {
                    touched.rows[index as usize] = true;
                    touched.is_any = true;
                }
            }
        }
        touched
    }

    /// Whether a part of a section refers to such a resource.
    pub(super) fn is_in<'d>(
        &self,
        names: &Names<'_, 'd>,
        side: usize,
        section: Section<'d>,
        span: Span,
    ) -> bool {
        self.is_any
            && references_in(section, span).any(|reference| {
                let target = names.sides[side].target(reference);
                target
                    .is_some_and(|target| self.rows[names.rows.of[side][target as usize] as usize])
            })
    }
}

/// For each section, whether something refers to it. A section without references is gone when Godot
/// saves the file.
pub(super) fn used(side: &Side<'_>) -> Vec<bool> {
    let mut used = vec![false; side.document.sections().len()];
    let targets = side.document.references().iter().filter_map(|each| side.target(each));
    for target in targets {
        used[target as usize] = true;
    }
    used
}

/// From the tag to the last value.
pub(super) fn whole(section: Section<'_>) -> Span {
    section.span()
}

/// Whether the side changed the base's version of this row, other than by noise.
pub(super) fn is_changed(names: &Names<'_, '_>, index: u32, side: usize) -> bool {
    let row = names.rows.row(index);
    if row.at[BASE] == NONE || row.at[side] == NONE {
        return true;
    }
    let [base, now] = [BASE, side].map(|side| names.sides[side].section(row.at[side]));
    let texts = [BASE, side].map(|side| names.sides[side].document.text());
    let is_equal = whole(base).of(texts[0]) == whole(now).of(texts[1]);
    if is_equal && names.is_identity(BASE) && names.is_identity(side) {
        return false;
    }
    has_other_fields(names, side, base, now) || has_other_properties(names, side, base, now)
}

fn has_other_fields<'d>(
    names: &Names<'_, 'd>,
    side: usize,
    base: Section<'d>,
    now: Section<'d>,
) -> bool {
    let quiet: &[&[u8]] =
        &[b"id", b"unique_id", b"index", b"load_steps", b"uid", b"name", b"parent"];
    let is_quiet = |name: &[u8]| {
        quiet.contains(&name) || name.ends_with(b"_path") || is_root_path(now.kind(), name)
    };
    let kept = |section: Section<'d>| section.fields().filter(move |field| !is_quiet(field.name()));
    kept(base).count() != kept(now).count()
        || kept(now).any(|field| {
            let Ok(name) = std::str::from_utf8(field.name()) else { return true };
            let before = base.field(name).map(|field| names.value(BASE, base, field.value_span()));
            let after = names.value(side, now, field.value_span());
            !is_same_or_none(before.as_deref(), Some(&after))
        })
        || is_elsewhere(names, side, now)
}

/// Whether the node has another name or parent than in the base.
fn is_elsewhere<'d>(names: &Names<'_, 'd>, side: usize, now: Section<'d>) -> bool {
    if now.kind() != TagKind::Node {
        return false;
    }
    let row = names.rows.of[side][now.index() as usize];
    let place = |side| super::places::place_in(names.sides, names.rows, row, side);
    place(BASE) != place(side)
}

fn has_other_properties<'d>(
    names: &Names<'_, 'd>,
    side: usize,
    base: Section<'d>,
    now: Section<'d>,
) -> bool {
    let properties = |section: Section<'d>| {
        let kept = section
            .properties()
            .filter(move |property| !is_noise(section, None, &property.engine_key()));
        kept.map(|property| (property.engine_key(), property.value_span()))
            .collect::<hashbrown::HashMap<_, _>>()
    };
    let (before, after) = (properties(base), properties(now));
    before.len() != after.len()
        || after.iter().any(|(key, span)| {
            let old = before.get(key).map(|span| names.value(BASE, base, *span));
            let new = names.value(side, now, *span);
            !is_same_or_none(old.as_deref(), Some(&new))
        })
}

/// The other of the two sides.
pub(super) const fn other(side: usize) -> usize {
    if side == OURS { THEIRS } else { OURS }
}
