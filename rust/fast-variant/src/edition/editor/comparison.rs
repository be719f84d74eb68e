//! The differences between a file and the last commit, for `SceneComparison`.

use std::path::{Path, PathBuf};

use godot::builtin::{Array, VarDictionary, Variant, vdict};
use godot::meta::ToGodot;
use godot_project::{Committed, last_committed, read_file};
use godot_tscn::diff::{Change, Diff, Entry, Noise, Part, State, ThingKind, TreeNode};

use super::readable::readable;
use crate::by_name::globalize_path;
use crate::scene_comparison::{Compared, Comparison};

/// At most this number of rows is listed, because no user looks at more.
const MAX_ROWS: usize = 20_000;

/// The maximum number of parts of one value.
const MAX_PARTS: usize = 500;

/// The maximum number of characters of a value that are shown.
const MAX_VALUE: usize = 2000;

/// The work of the thread.
pub(crate) fn comparison(path: &str) -> impl FnOnce() -> Compared + Send + 'static {
    let place: PathBuf = globalize_path(path).into();
    let path = path.to_owned();
    move || compare(&path, &place)
}

fn compare(path: &str, place: &Path) -> Compared {
    let name = path.rsplit('/').next().unwrap_or(path);
    let now = read_file(place).map_err(|error| format!("{name} cannot be read: {error}"))?;
    let before = match last_committed(place)? {
        Committed::Content(before) => before,
        Committed::NotThere => {
            return Err(format!(
                "the last commit does not contain {name} at this path: it is new, or was moved"
            ));
        }
        Committed::NoCommit => return Err("the repository has no commit yet".to_owned()),
        Committed::NoRepository => return Err(format!("{name} is not in a git repository")),
    };
    let diff = godot_tscn::diff_file(path, &before, &now).map_err(|refusal| refusal.to_string())?;
    Ok(Comparison { diff, before, now })
}

/// `change` and `entry` are numbers; without an entry, all of the change is meant.
pub(crate) fn taken_back(
    compared: &Comparison,
    change: i64,
    entry: i64,
) -> Result<Vec<u8>, String> {
    let at = |number: i64| usize::try_from(number).ok();
    let change = at(change).and_then(|number| compared.diff.changes.get(number));
    let change = change.ok_or("there is no such change")?;
    let entry = at(entry).map(|number| change.entries.get(number).ok_or("there is no such entry"));
    let taken = godot_tscn::take_back(&compared.before, &compared.now, change, entry.transpose()?);
    taken.map_err(|refusal| refusal.to_string())
}

pub(crate) fn differences(diff: &Diff) -> VarDictionary {
    let known = told_count(&diff.changes);
    let changes: Array<VarDictionary> = diff.changes[..known].iter().map(change).collect();
    let node = |node: &TreeNode| {
        vdict! {
            "name" => readable(&node.name),
            "depth" => i64::from(node.depth),
            "type_name" => readable(node.type_name.as_deref().unwrap_or_default()),
            "change" => change_of(node, known).map_or(-1, i64::from),
        }
    };
    let noise = |noise: &Noise| vdict! { "what" => noise.what, "count" => i64::from(noise.count) };
    let tree: Array<VarDictionary> = shown(&diff.tree, known).into_iter().map(node).collect();
    let noise: Array<VarDictionary> = diff.noise.iter().map(noise).collect();
    vdict! {
        "changes" => &changes, "tree" => &tree, "noise" => &noise, "left_out" => (diff.changes.len() - known) as i64,
    }
}

/// How many of the first changes are listed.
fn told_count(changes: &[Change]) -> usize {
    let mut rows = 0;
    let mut fits = |change: &Change| {
        let of_entry = |entry: &Entry| 1 + entry.parts.len().min(MAX_PARTS);
        rows += 1 + change.entries.iter().map(of_entry).sum::<usize>();
        rows <= MAX_ROWS
    };
    // One that is large by itself is shown.
    changes.iter().map_while(|each| fits(each).then_some(())).count().max(1).min(changes.len())
}

/// The index of its change, if that is listed.
fn change_of(node: &TreeNode, known: usize) -> Option<u32> {
    node.change.filter(|index| (*index as usize) < known)
}

/// The nodes that have a change, and those above them.
fn shown(tree: &[TreeNode], known: usize) -> Vec<&TreeNode> {
    let mut kept = Vec::new();
    // From the last one on: a node that is less deep than the one kept before is above it.
    let mut depth = 0;
    for node in tree.iter().rev() {
        if change_of(node, known).is_some() || node.depth < depth {
            depth = node.depth;
            kept.push(node);
        }
    }
    kept.reverse();
    kept
}

fn change(change: &Change) -> VarDictionary {
    let kind = match change.kind {
        ThingKind::Node => "node",
        ThingKind::ExtResource => "ext_resource",
        ThingKind::SubResource => "sub_resource",
        ThingKind::Resource => "resource",
        ThingKind::Connection => "connection",
        ThingKind::Editable => "editable",
        ThingKind::Section => "section",
        _ => "header",
    };
    let state = match change.state {
        State::Added => "added",
        State::Removed => "removed",
        _ => "changed",
    };
    let entries: Array<VarDictionary> = change.entries.iter().map(entry).collect();
    vdict! {
        "kind" => kind,
        "state" => state,
        "name" => change.name.as_str(),
        "shown_name" => readable(&change.name),
        "old_name" => readable(change.old_name.as_deref().unwrap_or_default()),
        "type_name" => readable(change.type_name.as_deref().unwrap_or_default()),
        "line" => i64::from(change.new_line.unwrap_or_default()),
        "entries" => &entries,
    }
}

fn entry(entry: &Entry) -> VarDictionary {
    let part = |part: &Part| {
        vdict! { "name" => part.place.as_str(), "shown_name" => readable(&part.place), "old" => &value(&part.old), "new" => &value(&part.new) }
    };
    let parts: Array<VarDictionary> = entry.parts.iter().take(MAX_PARTS).map(part).collect();
    vdict! {
        "name" => entry.name.as_str(),
        "shown_name" => readable(&entry.name),
        "old" => &value(&entry.old),
        "new" => &value(&entry.new),
        "summary" => readable(entry.summary.as_deref().unwrap_or_default()),
        "parts" => &parts,
    }
}

/// Null without a text.
fn value(text: &Option<String>) -> Variant {
    let Some(text) = text else { return Variant::nil() };
    match text.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", readable(&text[..end])).to_variant(),
        None => readable(text).to_variant(),
    }
}
