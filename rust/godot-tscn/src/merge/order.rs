//! In which order the sections of the result stand.

use hashbrown::HashMap;

use crate::document::TagKind;
use crate::merge::conflict::{Conflicts, Item};
use crate::merge::keyed;
use crate::merge::names::Names;
use crate::merge::places::place_in;
use crate::merge::side::{BASE, NONE, OURS, THEIRS};
use crate::merge::tree::Positions;

/// The nodes of the result, parents first and children in the order of both sides; `takes_order` returns for which nodes the
/// order of their children may come from theirs.
pub(super) fn nodes(
    names: &Names<'_, '_>,
    is_alive: &[bool],
    conflicts: &mut Conflicts,
    takes_order: impl Fn(u32) -> bool,
) -> Vec<u32> {
    let kept = |side: usize| {
        let nodes = names.sides[side].tree.nodes.iter();
        nodes.map(move |node| names.rows.of[side][node.section as usize])
    };
    let ours: Vec<u32> = kept(OURS).collect();
    let mut children: HashMap<u32, [Vec<u32>; 3]> = HashMap::new();
    let mut parents: Vec<u32> = Vec::new();
    for side in [BASE, OURS, THEIRS] {
        for row in kept(side).filter(|row| is_alive[*row as usize]) {
            let parent = names.places.above(row).map_or(NONE, |(parent, _)| parent);
            let is_there = |side: usize| {
                let there = place_in(names.sides, names.rows, row, side);
                there.is_some_and(|there| there.parent == parent)
            };
            // A node that the other side moved here is not in this side's list. One that neither side has here, because
            // an instance became nodes, is in one.
            let is_of_none = || !is_there(OURS) && !is_there(THEIRS);
            if is_there(side) || side == names.rows.row(row).origin() && is_of_none() {
                let lists = children.entry(parent).or_insert_with(|| {
                    parents.push(parent);
                    Default::default()
                });
                lists[side].push(row);
            }
        }
    }
    let mut is_as_ours = ours.iter().all(|row| is_alive[*row as usize]);
    let mut ordered: HashMap<u32, Vec<u32>> = HashMap::new();
    for parent in parents {
        let Some([base, of_ours, of_theirs]) = children.remove(&parent) else { continue };
        let is_theirs = keyed::takes_order_of_theirs(&base, &of_ours, &of_theirs);
        if is_theirs.is_none() && parent != NONE {
            conflicts.add(parent, Item::Order);
        }
        let list = match is_theirs {
            Some(true) if takes_order(parent) => keyed::joined(&of_theirs, &of_ours, |_| true),
            _ => keyed::joined(&of_ours, &of_theirs, |_| true),
        };
        is_as_ours &= list == of_ours;
        ordered.insert(parent, list);
    }
    if is_as_ours {
        return ours;
    }
    let mut order = Vec::with_capacity(is_alive.len());
    let mut open: Vec<u32> = ordered.remove(&NONE).unwrap_or_default();
    open.reverse();
    while let Some(row) = open.pop() {
        order.push(row);
        if let Some(below) = ordered.remove(&row) {
            open.extend(below.into_iter().rev());
        }
    }
    // Whatever hangs on no node of the result, as it may in a text that has errors.
    let mut is_listed = vec![false; is_alive.len()];
    for row in &order {
        is_listed[*row as usize] = true;
    }
    for row in ours.into_iter().chain(kept(THEIRS)) {
        if is_alive[row as usize] && !std::mem::replace(&mut is_listed[row as usize], true) {
            order.push(row);
        }
    }
    order
}

/// The sections of a kind that has no meaning by its order, those of ours first where both added some.
pub(super) fn listed(names: &Names<'_, '_>, kind: TagKind, is_alive: &[bool]) -> Vec<u32> {
    let rows = |side: usize| {
        let sections = names.sides[side].sections(kind);
        sections
            .map(|section| names.rows.of[side][section.index() as usize])
            .filter(|row| is_alive[*row as usize])
            .collect::<Vec<u32>>()
    };
    keyed::joined(&rows(OURS), &rows(THEIRS), |_| true)
}

/// Puts used things before their users, and otherwise keeps the order. Nothing if things use each other in a
/// circle.
pub(super) fn used_first(order: &[u32], uses: &[Vec<u32>]) -> Option<Vec<u32>> {
    let is_listed: hashbrown::HashSet<u32> = order.iter().copied().collect();
    // 1: waits for its dependencies, 2: is in the list.
    let mut state = vec![0_u8; uses.len()];
    let mut sorted = Vec::with_capacity(order.len());
    for start in order {
        let mut open = vec![(*start, 0)];
        while let Some((row, next)) = open.pop() {
            if next == 0 {
                if state[row as usize] == 2 {
                    continue;
                }
                state[row as usize] = 1;
            }
            let used = uses[row as usize][next..].iter().position(|used| {
                is_listed.contains(used) && *used != row && state[*used as usize] != 2
            });
            match used {
                Some(at) => {
                    let used = uses[row as usize][next + at];
                    if state[used as usize] == 1 {
                        return None;
                    }
                    open.push((row, next + at + 1));
                    open.push((used, 0));
                }
                None => {
                    state[row as usize] = 2;
                    sorted.push(row);
                }
            }
        }
    }
    Some(sorted)
}
