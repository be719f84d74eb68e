//! Other names, parents and orders for the nodes of one text: how conflicts about them are settled.

use std::borrow::Cow;

use hashbrown::{HashMap, HashSet};

use crate::document::Document;
use crate::merge::conflict::Conflicts;
use crate::merge::ids::Ids;
use crate::merge::names::Names;
use crate::merge::order;
use crate::merge::output::Output;
use crate::merge::piece::Piece;
use crate::merge::places::{Place, Places};
use crate::merge::rows::{Row, Rows};
use crate::merge::side::{NONE, OURS, Side};
use crate::merge::touched::Touched;
use crate::merge::tree::Positions;

/// The intended place of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    Name(Vec<u8>),
    /// The path of its parent from the root.
    Parent(Vec<u8>),
    /// The names of its children. Children that are not named stay after the one that they follow.
    Order(Vec<Vec<u8>>),
}

/// A text with moved nodes.
#[derive(Debug)]
pub(super) struct Rearranged {
    pub(super) text: Vec<u8>,
    /// For each wish, whether it is fulfilled.
    pub(super) is_done: Vec<bool>,
    /// The sections of the nodes in the old text, in the order of the new one.
    pub(super) nodes: Vec<u32>,
}

/// Fulfils wishes, each for a section, if names are free and parents exist; paths follow.
pub(super) fn rearranged(document: &Document<'_>, wishes: &[(u32, Wish)]) -> Option<Rearranged> {
    let sides = [Side::new(document), Side::new(document), Side::new(document)];
    let rows = Rows::of_one(&sides);
    let mut conflicts = Conflicts::default();
    let mut places = Places::new(&sides, &rows, &mut conflicts);
    let above = |places: &Places<'_>, row| places.above(row).map(|(parent, _)| parent);
    let old: Vec<_> = wishes.iter().map(|(row, _)| above(&places, *row)).collect();
    let is_done = take(&sides[OURS], &mut places, wishes);
    let moved = wishes.iter().zip(old).filter(|((row, _), old)| above(&places, *row) != *old);
    let moved = moved.map(|((row, _), _)| *row).collect();
    let ids = Ids::new(&sides, &rows);
    let names = Names::new(&sides, &rows, &ids, &places);
    let touched = Touched::new(&names);
    let count = rows.rows.len() as u32;
    let pieces: Vec<Piece> =
        (0..count).map(|row| Piece::new(&names, &touched, row, &mut conflicts)).collect();
    let is_alive = vec![true; rows.rows.len()];
    let nodes = order::nodes(&names, &is_alive, &mut conflicts, |_| true);
    let nodes = with_orders(nodes, &places, wishes, &moved);
    let text = Output::new(&names, &pieces, is_alive, Row::is_left).write(nodes.clone())?;
    Some(Rearranged { text, is_done, nodes })
}

/// Gives nodes other names and parents, one after the other.
fn take<'d>(side: &Side<'d>, places: &mut Places<'d>, wishes: &[(u32, Wish)]) -> Vec<bool> {
    let key = |place: &Place<'_>| (place.parent, place.rest.clone(), place.name.to_vec());
    let sections = side.tree.nodes.iter().map(|node| node.section);
    let mut taken: HashSet<_> = sections.filter_map(|row| places.get(row).map(key)).collect();
    let mut fulfil = |(row, wish): &(u32, Wish)| {
        let Some(old) = places.get(*row).filter(|place| place.parent != NONE).cloned() else {
            return matches!(wish, Wish::Order(_));
        };
        let mut new = old.clone();
        match wish {
            Wish::Order(_) => return true,
            Wish::Name(name) => new.name = Cow::Owned(name.clone()),
            Wish::Parent(path) => {
                let goal = side.tree.walk(0, path);
                let parent = side.tree.nodes[goal.node as usize].section;
                let is_instance = side.section(parent).field("instance").is_some();
                if (!goal.rest.is_empty() && !is_instance) || is_below(places, parent, *row) {
                    return false;
                }
                (new.parent, new.rest) = (parent, goal.rest.to_vec());
            }
        }
        let is_free = new == old || taken.insert(key(&new));
        if is_free && new != old {
            taken.remove(&key(&old));
            places.put(*row, new);
        }
        is_free
    };
    let mut is_done: Vec<bool> = wishes.iter().map(&mut fulfil).collect();
    // A later node may have freed the name that an earlier one wants.
    for (wish, is_done) in wishes.iter().zip(&mut is_done) {
        *is_done = *is_done || fulfil(wish);
    }
    is_done
}

/// Whether a node is another or is below it.
fn is_below(places: &Places<'_>, node: u32, above: u32) -> bool {
    let mut at = node;
    while at != above {
        match places.above(at) {
            Some((parent, _)) => at = parent,
            None => return false,
        }
    }
    true
}

/// The nodes, parents first, with children in other orders. A moved node is the last child of its new parent, as in the editor
/// (`SceneTreeDock::_do_reparent`).
fn with_orders(
    nodes: Vec<u32>,
    places: &Places<'_>,
    wishes: &[(u32, Wish)],
    moved: &HashSet<u32>,
) -> Vec<u32> {
    let orders: HashMap<u32, &Vec<Vec<u8>>> = wishes
        .iter()
        .filter_map(|(row, wish)| match wish {
            Wish::Order(names) => Some((*row, names)),
            _ => None,
        })
        .collect();
    // A new parent may stand behind the node.
    if orders.is_empty() && wishes.iter().all(|(_, wish)| matches!(wish, Wish::Name(_))) {
        return nodes;
    }
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    let (last, first): (Vec<u32>, Vec<u32>) = nodes.iter().partition(|row| moved.contains(*row));
    for row in first.iter().chain(&last) {
        let parent = places.above(*row).map_or(NONE, |(parent, _)| parent);
        children.entry(parent).or_default().push(*row);
    }
    for (parent, names) in orders {
        if let Some(list) = children.get_mut(&parent) {
            *list = ordered(list, names, places);
        }
    }
    let mut sorted = Vec::with_capacity(nodes.len());
    let mut open = children.remove(&NONE).unwrap_or_default();
    open.reverse();
    while let Some(row) = open.pop() {
        sorted.push(row);
        open.extend(children.remove(&row).unwrap_or_default().into_iter().rev());
    }
    if sorted.len() == nodes.len() { sorted } else { nodes }
}

fn ordered(list: &[u32], names: &[Vec<u8>], places: &Places<'_>) -> Vec<u32> {
    let numbers: HashMap<&[u8], usize> =
        names.iter().enumerate().map(|(number, name)| (name.as_slice(), number)).collect();
    let mut last = 0;
    let mut keyed: Vec<(usize, usize, u32)> = Vec::with_capacity(list.len());
    for (index, row) in list.iter().enumerate() {
        let number = numbers.get(places.name(*row)).map(|number| number + 1);
        last = number.unwrap_or(last);
        keyed.push((last, if number.is_some() { 0 } else { index + 1 }, *row));
    }
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, _, row)| row).collect()
}
