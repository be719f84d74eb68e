//! The pairs of nodes of two texts: by `unique_id`, by path, and renamed or moved ones by their contents.

use hashbrown::HashMap;

use crate::document::{Field, Section, TagKind};
use crate::merge::pairs::{Contents, Pairs};
use crate::merge::side::{NONE, Side, is_own_node};
use crate::merge::tree::TreeNode;

/// Renamed nodes let their children be found, and these others: so often. Each round costs as much as the text is long.
const MAX_ROUNDS: usize = 8;

pub(super) fn find<'d>(
    a: &Side<'d>,
    b: &Side<'d>,
    pairs: &mut Pairs,
    contents: &mut Contents<'_, 'd>,
) {
    let has_ids = by_unique_id(a, b, pairs);
    for _ in 0..MAX_ROUNDS {
        by_path(a, b, pairs);
        let is_left = |side: &Side<'d>, is_free: &dyn Fn(u32) -> bool| {
            side.tree.nodes.iter().any(|node| is_free(node.section))
        };
        if !is_left(a, &|node| pairs.is_free_a(node)) || !is_left(b, &|node| pairs.is_free_b(node))
        {
            return;
        }
        // Two nodes that both sides added are one only if they agree on the name.
        if pairs.is_of_added || !by_content(a, b, pairs, contents, has_ids) {
            return;
        }
    }
}

/// By ids that stand once in each text. Several instances of one scene may share those of the nodes inside. Returns whether
/// there were any.
fn by_unique_id<'d>(a: &Side<'d>, b: &Side<'d>, pairs: &mut Pairs) -> bool {
    let key = |section: Section<'d>| {
        let id = section.field("unique_id").and_then(Field::int)?;
        Some((section.index(), (id, is_own_node(section))))
    };
    let ids = |side: &Side<'d>| side.sections(TagKind::Node).filter_map(key);
    pairs.join_by(ids(a), ids(b), true)
}

/// By the parent's partner and the name, parents first.
fn by_path(a: &Side<'_>, b: &Side<'_>, pairs: &mut Pairs) {
    // Several nodes with one path are distinguished by their order.
    let mut seen: HashMap<u32, u32> = HashMap::new();
    if let ([root_a, ..], [root_b, ..]) = (a.tree.nodes.as_slice(), b.tree.nodes.as_slice())
        && pairs.is_free_a(root_a.section)
        && pairs.is_free_b(root_b.section)
    {
        pairs.join(root_a.section, root_b.section);
    }
    for node in &b.tree.nodes {
        if !pairs.is_free_b(node.section) {
            continue;
        }
        let Some(found) = at_same_path(a, b, pairs, node) else { continue };
        let like = &a.tree.nodes[found as usize];
        let is_one = may_be_one(a.section(like.section), b.section(node.section), pairs);
        if pairs.is_free_a(like.section) && is_one {
            pairs.join(like.section, node.section);
            continue;
        }
        let count = seen.entry(found).or_default();
        *count += 1;
        let is_same = |other: &&TreeNode<'_>| {
            other.parent == like.parent && other.rest == like.rest && other.name == like.name
        };
        let more = a.tree.nodes[found as usize + 1..].iter().take(MAX_LIKE);
        let free = more.filter(is_same).find(|other| pairs.is_free_a(other.section));
        if let Some(other) = free.filter(|_| *count <= MAX_TWINS) {
            pairs.join(other.section, node.section);
        }
    }
}

/// The first node of `a` with the path of a node of `b`. One text may have nodes on the way that the other leaves to an
/// instance.
fn at_same_path(a: &Side<'_>, b: &Side<'_>, pairs: &Pairs, node: &TreeNode<'_>) -> Option<u32> {
    let partner = |node: u32| {
        let partner = pairs.to_a[b.tree.nodes[node as usize].section as usize];
        (partner != NONE).then(|| a.node_of[partner as usize])
    };
    if node.parent == NONE {
        return a.tree.find(NONE, &node.rest, &node.name);
    }
    let parent = partner(node.parent);
    if let Some(found) = parent.and_then(|parent| a.tree.find(parent, &node.rest, &node.name)) {
        return Some(found);
    }
    // Nodes that both added are a pair only if they have the same parent.
    if pairs.is_of_added {
        return None;
    }
    // The names up to a node that has a partner, the topmost last.
    let mut names: Vec<&[u8]> = vec![&node.name, &node.rest];
    let mut above = node.parent;
    let start = loop {
        match partner(above) {
            Some(start) => break start,
            None if names.len() > MAX_LEVELS => return None,
            None => {
                let next = &b.tree.nodes[above as usize];
                names.extend([&*next.name, &next.rest]);
                above = Some(next.parent).filter(|parent| *parent != NONE)?;
            }
        }
    };
    names.retain(|name| !name.is_empty());
    names.reverse();
    let path = names.join(&b"/"[..]);
    let goal = a.tree.walk(start, &path);
    (goal.node != start && goal.rest.is_empty()).then_some(goal.node)
}

/// At most this number of levels without partners is passed.
const MAX_LEVELS: usize = 32;

/// At most this number of nodes after the first of a path is checked for another, for this number
/// of nodes.
const MAX_LIKE: usize = 64;
const MAX_TWINS: u32 = 64;

/// Whether it is not another node of the same name. Nodes that both sides added must have one class; a node may change its
/// own.
fn may_be_one(a: Section<'_>, b: Section<'_>, pairs: &Pairs) -> bool {
    let is_alike =
        || is_own_node(a) == is_own_node(b) && a.field_text("type") == b.field_text("type");
    !pairs.is_of_added || is_alike()
}

/// The parent of a node of `b` in `a`; nothing if it has no partner.
fn parent_in_a(a: &Side<'_>, b: &Side<'_>, pairs: &Pairs, node: &TreeNode<'_>) -> Option<u32> {
    if node.parent == NONE {
        return Some(NONE);
    }
    let parent = pairs.to_a[b.tree.nodes[node.parent as usize].section as usize];
    (parent != NONE).then(|| a.node_of[parent as usize])
}

/// Renamed and moved nodes. Returns whether there were any. If both texts have ids of the same nodes (`has_ids`), a node
/// with an id that only one text has is another node, however alike.
fn by_content<'d>(
    a: &Side<'d>,
    b: &Side<'d>,
    pairs: &mut Pairs,
    contents: &mut Contents<'_, 'd>,
    has_ids: bool,
) -> bool {
    let [of_a, of_b] = contents.get();
    let parents_b: Vec<Option<u32>> =
        b.tree.nodes.iter().map(|node| parent_in_a(a, b, pairs, node)).collect();
    let children = [children_hashes(a), children_hashes(b)];
    let sides = [a, b];
    let list = |which: usize, key: &dyn Fn(usize, usize) -> Option<NodeKey>| {
        let nodes = sides[which].tree.nodes.iter().enumerate();
        let own = nodes.filter(|(_, node)| {
            let section = sides[which].section(node.section);
            is_own_node(section) && !(has_ids && section.field("unique_id").is_some())
        });
        let keyed = own.filter_map(|(index, node)| Some((node.section, key(which, index)?)));
        keyed.collect::<Vec<_>>()
    };
    let section =
        |which: usize, index: usize| sides[which].section(sides[which].tree.nodes[index].section);
    let content = |which: usize, index: usize| [of_a, of_b][which].of(section(which, index));
    // By their number in `a`.
    let known_a = pairs.to_b.iter().zip(0..).map(|(b, a)| if *b == NONE { NONE } else { a });
    let known: [Vec<u32>; 2] = [known_a.collect(), pairs.to_a.clone()];
    let of_moved = |which: usize, index: usize| {
        let known = |target: u32| Some(known[which][target as usize]).filter(|one| *one != NONE);
        [of_a, of_b][which].of_moved(section(which, index), known)
    };
    let kind = |which: usize, index: usize| {
        [of_a, of_b][which].kind_of_node(section(which, index)).or_else(|| {
            let names = children[which][index];
            (names != 0).then_some(names)
        })
    };
    let parent = |which: usize, index: usize| match which {
        0 => Some(a.tree.nodes[index].parent),
        _ => parents_b[index],
    };
    let name = |which: usize, index: usize| sides[which].tree.nodes[index].name.to_vec();
    let renamed = |which: usize, index: usize| {
        let children = children[which][index];
        Some((parent(which, index)?, Vec::new(), content(which, index), children))
    };
    let moved = |which: usize, index: usize| {
        Some((NONE, name(which, index), content(which, index), children[which][index]))
    };
    let renamed_among_others = |which: usize, index: usize| {
        let children = children[which][index];
        Some((parent(which, index)?, Vec::new(), of_moved(which, index), children))
    };
    let moved_among_others = |which: usize, index: usize| {
        Some((NONE, name(which, index), of_moved(which, index), children[which][index]))
    };
    // With children that have other names, too, but only for nodes that something distinguishes from
    // others.
    let has_more = |which: usize, index: usize| section(which, index).properties().next().is_some();
    let renamed_with_children = |which: usize, index: usize| {
        let (parent, content) = (parent(which, index)?, of_moved(which, index));
        has_more(which, index).then_some((parent, Vec::new(), content, 0))
    };
    let moved_with_children = |which: usize, index: usize| {
        let content = of_moved(which, index);
        has_more(which, index).then(|| (NONE, name(which, index), content, 0))
    };
    let changed = |which: usize, index: usize| {
        Some((parent(which, index)?, Vec::new(), kind(which, index)?, 0))
    };
    let changed_elsewhere =
        |which: usize, index: usize| Some((NONE, name(which, index), kind(which, index)?, 0));
    let ways: [&dyn Fn(usize, usize) -> Option<NodeKey>; 8] = [
        &renamed,
        &moved,
        &renamed_among_others,
        &moved_among_others,
        &renamed_with_children,
        &moved_with_children,
        &changed,
        &changed_elsewhere,
    ];
    ways.iter().any(|way| pairs.join_by(list(0, way).into_iter(), list(1, way).into_iter(), true))
}

/// A parent, a name, its contents, and its children.
type NodeKey = (u32, Vec<u8>, u64, u64);

/// For each node, a number for the names of its children; 0 if it has none.
fn children_hashes(side: &Side<'_>) -> Vec<u64> {
    let mut hashes = vec![0_u64; side.tree.nodes.len()];
    for node in side.tree.nodes.iter().filter(|node| node.parent != NONE) {
        // FNV-1a of each name; the sum does not depend on their order.
        let hash = node.name.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let sum = &mut hashes[node.parent as usize];
        *sum = sum.wrapping_add(hash | 1);
    }
    hashes
}
