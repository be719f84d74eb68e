//! The choice for each conflict, and its effect on the nodes' places.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::document::{Document, Section, TagKind};
use crate::merge::rearrange::{Wish, rearranged};
use crate::merge::refusal::MergeSide;
use crate::merge::resolve::records::{Sections, each_record, text_of, unresolved_of};
use crate::merge::unresolved::{Settlement, Unresolved};
use crate::value::tree::PartRef;

/// A conflict of a text, and the choice for it.
pub(super) struct Asked {
    /// Its section.
    section: u32,
    /// The section that it is about, if that is not a node: these do not move.
    pub(super) elsewhere: Option<u32>,
    pub(super) settlement: Option<Settlement>,
    /// Whether nodes have been put where the side has them.
    pub(super) is_done: bool,
}

/// Asks how each conflict is settled.
pub(super) fn ask(
    document: &Document<'_>,
    choose: &mut dyn FnMut(&Unresolved) -> Option<Settlement>,
) -> Vec<Asked> {
    let places = Sections::new(document);
    let mut asked = Vec::new();
    each_record(document, |section, record| {
        let conflict = unresolved_of(&places, section, record, asked.len() + 1);
        let settlement = choose(&conflict);
        let owner = places.owner(section, record).map(Section::index);
        let elsewhere = owner.filter(|owner| *owner != section.index());
        asked.push(Asked { section: section.index(), elsewhere, settlement, is_done: false });
    });
    asked
}

/// Puts nodes where the chosen sides have them. Returns the text, if there are any; the choices then refer to its sections.
pub(super) fn rearrange(document: &Document<'_>, asked: &mut [Asked]) -> Option<Vec<u8>> {
    let mut wishes = Vec::new();
    let mut wishers = Vec::new();
    let mut index = 0;
    each_record(document, |section, record| {
        if section.kind() == TagKind::Node
            && let Some(Settlement::Take(side)) = asked[index].settlement
            && let Some(wish) = wish_of(record, side)
        {
            wishes.push((section.index(), wish));
            wishers.push(index);
        }
        index += 1;
    });
    if wishes.is_empty() {
        return None;
    }
    let rearranged = rearranged(document, &wishes)?;
    for (wisher, is_done) in wishers.into_iter().zip(rearranged.is_done) {
        asked[wisher].is_done = is_done;
    }
    // Nodes stand in another order now.
    let mut sections = rearranged.nodes.iter().copied();
    let mut new_order: HashMap<u32, usize> = HashMap::new();
    for section in document.sections() {
        let old = match section.kind() {
            TagKind::Node => sections.next()?,
            _ => section.index(),
        };
        new_order.insert(old, section.index() as usize);
    }
    asked.sort_by_key(|asked| new_order.get(&asked.section).copied());
    Some(rearranged.text)
}

/// Where a side has a node, if the conflict is about that.
pub(super) fn wish_of(record: PartRef<'_>, side: MergeSide) -> Option<Wish> {
    // The place of ours is in the text.
    if record.get("at").is_some() || side == MergeSide::Ours {
        return None;
    }
    let value = record.get(side.as_str())?;
    let text = |value: PartRef<'_>| value.text().map(Cow::into_owned);
    if record.get("order").is_some() {
        return Some(Wish::Order(value.children().filter_map(text).collect()));
    }
    match text_of(record, "field")?.as_str() {
        "name" => text(value).map(Wish::Name),
        "parent" => text(value).map(Wish::Parent),
        _ => None,
    }
}
