//! The tracks of animations in files of their own: they change if all nodes that play them see the same.

use godot_project::animation_roots::each_root_of_file;
use godot_project::node_paths::path_in;
use godot_project::{FileId, facts};
use godot_tscn::TagKind;
use hashbrown::HashSet;

use crate::draft::FileDraft;
use crate::node_change::NodeChange;
use crate::node_change::rewrite::{Names, Seen, names_of};
use crate::node_change::scene::{note, seen_everywhere};

/// Whether a file is an animation, or a library of them, with a track that may lead to the node.
pub(super) fn may_hold_tracks(change: &NodeChange<'_>, file: FileId) -> bool {
    let facts = change.project.facts(file);
    change.project.path(file).ends_with(".tres")
        && facts.tracks.iter().any(|track| change.is_on_path(&track.path))
}

/// Changes the tracks of an animation, or of those in a library.
pub(super) fn change(change: &NodeChange<'_>, file: FileId, draft: &mut FileDraft) {
    let text = std::sync::Arc::clone(&draft.text);
    let document = godot_tscn::parse(&text);
    let players = players(change, file);
    for section in document.sections() {
        if !matches!(section.kind(), TagKind::SubResource | TagKind::Resource) {
            continue;
        }
        for (track, property) in facts::tracks(section) {
            if !change.is_on_path(&track.path) {
                continue;
            }
            let tree = property.value_tree();
            let Some((inner, _)) = path_in(tree.root()) else { continue };
            let seen = seen(change, &players, &track.path);
            note(draft, inner.span(), seen, || "path of an animation track".into());
        }
    }
}

/// The nodes from which the tracks of a file are seen.
struct Players {
    roots: HashSet<(FileId, Names)>,
    /// Whether there are others, or may be.
    has_more: bool,
}

fn seen(change: &NodeChange<'_>, players: &Players, path: &str) -> Seen {
    let mut found: Option<Seen> = None;
    for (scene, root) in &players.roots {
        let there = seen_everywhere(change, &change.view(*scene), *scene, root, path);
        match &found {
            Some(other) if *other != there => {
                return Seen::Unclear(
                    "the path leads to different nodes for the nodes that play the animation",
                );
            }
            _ => found = Some(there),
        }
    }
    match found {
        Some(Seen::Same) => Seen::Same,
        Some(seen) if !players.has_more => seen,
        _ => Seen::Unclear("cannot determine all nodes that play the animation"),
    }
}

/// The nodes that play the animations of a file, or have a library with it.
fn players(change: &NodeChange<'_>, file: FileId) -> Players {
    let mut roots = HashSet::new();
    let is_all = each_root_of_file(change.project, file, &mut |context, root| {
        roots.extend(context.file.map(|scene| (scene, names_of(&root.path()))));
    });
    Players { roots, has_more: !is_all || is_loaded_by_script(change, file) }
}

/// Whether a script names the file.
fn is_loaded_by_script(change: &NodeChange<'_>, file: FileId) -> bool {
    let project = change.project;
    let (path, uid) = (project.path(file), project.uid(file));
    let mut scripts = project.files().filter(|file| project.facts(*file).script.is_some());
    scripts.any(|script| {
        project.facts(script).mentions.iter().any(|mention| {
            mention == path
                || uid.is_some_and(|uid| godot_project::Uid::parse(mention.as_bytes()) == Some(uid))
        })
    })
}
