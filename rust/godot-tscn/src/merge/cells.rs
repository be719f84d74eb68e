//! Tile maps and grid maps three ways, by cell.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::merge::keyed;
use crate::merge::value::Owner;
use crate::value::tree::{PartKind, PartRef, ValueTree};

/// How the cells of a map are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    /// How many bytes stand before the first cell: the version.
    head: usize,
    /// How many bytes, or numbers, a cell has.
    cell: usize,
    /// And how many of them say where it is.
    place: usize,
}

/// `TileMapLayer` of Godot 4.3 (`TileMapLayer::set_tile_map_data_from_array`, scene/2d/tile_map_layer.cpp). It has a
/// version, and for each cell x, y, source, x and y in the atlas, and alternative, each of 16 bits.
const LAYER: Form = Form { head: 2, cell: 12, place: 4 };
/// `TileMap` of Godot 4 and 3 (`TileMap::_set_tile_data`): place, and two numbers for the tile.
const TILE_MAP: Form = Form { head: 0, cell: 3, place: 1 };
/// `GridMap` (`GridMap::_set`, `data`): two numbers for the place, and the item.
const GRID_MAP: Form = Form { head: 0, cell: 3, place: 2 };

/// Whether the property holds the cells of a map, and how.
pub(crate) fn form_of(owner: Owner<'_>) -> Option<Form> {
    let is_layer = || {
        let number = owner.key.strip_prefix(b"layer_")?.strip_suffix(b"/tile_data")?;
        number.iter().all(u8::is_ascii_digit).then_some(())
    };
    match owner.key {
        b"tile_map_data" => Some(LAYER),
        b"tile_data" => Some(TILE_MAP),
        b"cells" if owner.depth == 1 && matches!(owner.class, b"GridMap" | b"") => Some(GRID_MAP),
        _ if is_layer().is_some() => Some(TILE_MAP),
        _ => None,
    }
}

/// The cells of a map: where each is, and all that it says.
pub(crate) fn listed(form: Form, text: &[u8]) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
    let tree = ValueTree::new(text);
    let root = tree.root();
    if form.head > 0 {
        let bytes = root.bytes()?;
        let cells = match bytes.is_empty() {
            true => &[][..],
            false => bytes.strip_prefix(&[0, 0])?,
        };
        let cells = cells.len().is_multiple_of(form.cell).then(|| cells.chunks_exact(form.cell))?;
        return Some(cells.map(|cell| (cell[..form.place].to_vec(), cell.to_vec())).collect());
    }
    if root.kind() != PartKind::Numbers {
        return None;
    }
    let numbers: Vec<&[u8]> = root.numbers().collect();
    let cells = numbers.len().is_multiple_of(form.cell).then(|| numbers.chunks_exact(form.cell))?;
    let joined = |numbers: &[&[u8]]| numbers.join(&b","[..]);
    Some(cells.map(|cell| (joined(&cell[..form.place]), joined(cell))).collect())
}

/// The cells of all three; nothing if both sides changed one.
pub(super) fn merged(
    form: Form,
    base: Option<&[u8]>,
    ours: &[u8],
    theirs: &[u8],
) -> Option<Vec<u8>> {
    let trees = [base.unwrap_or_default(), ours, theirs].map(ValueTree::new);
    let [in_base, in_ours, in_theirs] = [&trees[0], &trees[1], &trees[2]].map(ValueTree::root);
    if form.head > 0 {
        return merged_bytes(form, [base.map(|_| in_base), Some(in_ours), Some(in_theirs)]);
    }
    let is_list = |part: PartRef<'_>| part.kind() == PartKind::Numbers;
    if ![in_ours, in_theirs].into_iter().all(is_list) || base.is_some() && !is_list(in_base) {
        return None;
    }
    let numbers = |part: PartRef<'_>| part.numbers().map(<[u8]>::to_vec).collect::<Vec<_>>();
    let base = base.map(|_| numbers(in_base)).unwrap_or_default();
    let (of_ours, of_theirs) = (numbers(in_ours), numbers(in_theirs));
    let cells = merged_cells(form, [&base, &of_ours, &of_theirs])?;
    let open = ours.iter().position(|byte| *byte == b'(')?;
    let blank: &[u8] = if ours.get(open + 1) == Some(&b' ') { b" " } else { b"" };
    let cells: Vec<&[u8]> = cells.iter().map(Vec::as_slice).collect();
    Some([&ours[..=open], blank, &cells.join(&b", "[..]), blank, b")"].concat())
}

/// `PackedByteArray("…")`, or its bytes as numbers.
fn merged_bytes(form: Form, parts: [Option<PartRef<'_>>; 3]) -> Option<Vec<u8>> {
    let is_text = parts[1]?.children().next().and_then(PartRef::text).is_some();
    let mut heads: Vec<Vec<u8>> = Vec::new();
    let mut lists: Vec<Vec<u8>> = Vec::new();
    for part in parts {
        let mut bytes = match part {
            Some(part) => part.bytes()?,
            None => Vec::new(),
        };
        if bytes.is_empty() {
            lists.push(bytes);
            continue;
        }
        if bytes.len() < form.head {
            return None;
        }
        lists.push(bytes.split_off(form.head));
        heads.push(bytes);
    }
    // Another version may have other cells.
    if heads.iter().any(|head| *head != heads[0] || **head != [0, 0]) {
        return None;
    }
    let mut bytes = heads.into_iter().next().unwrap_or_default();
    bytes.extend(merged_cells(form, [&lists[0], &lists[1], &lists[2]])?);
    let inside = match is_text {
        true => format!("\"{}\"", STANDARD.encode(&bytes)),
        false => bytes.iter().map(u8::to_string).collect::<Vec<_>>().join(", "),
    };
    Some(format!("PackedByteArray({inside})").into_bytes())
}

fn merged_cells<T: Clone + Eq + std::hash::Hash>(form: Form, lists: [&[T]; 3]) -> Option<Vec<T>> {
    if lists.iter().any(|list| list.len() % form.cell != 0) {
        return None;
    }
    let cells = lists.map(|list| {
        let cell = |cell: &'_ [T]| (cell[..form.place].to_vec(), cell.to_vec());
        list.chunks_exact(form.cell).map(cell).collect::<Vec<_>>()
    });
    let [base, ours, theirs] = &cells;
    let merged = keyed::merged([base, ours, theirs], |_, _, _, _| None)?;
    Some(merged.into_iter().flat_map(|(_, cell)| cell).collect())
}
