//! Symbolic links, which no text mentions.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use godot_project::res_path::folder_of;
use godot_tscn::Span;

use crate::draft::FileDraft;
use crate::move_files::literal::Moving;

/// The links with another target afterwards, or none: to moved files, or relative ones that move to another folder.
pub(super) fn broken(moving: Moving<'_>) -> Vec<FileDraft> {
    let project = moving.project;
    let Some(root) = project.root() else { return Vec::new() };
    // Files that are reached through links are not checked, so nothing else must be looked at.
    let mut places: BTreeSet<&str> = BTreeSet::new();
    for file in project.files().filter(|file| project.is_unchecked(*file)) {
        let mut place = project.path(file);
        while place.len() > "res:/".len() && places.insert(place) {
            place = folder_of(place);
        }
    }
    let draft = |place: &str| {
        let leads_to = fs::read_link(on_disk(root, place)).ok()?;
        is_broken(moving, root, place, &leads_to).then(|| {
            let mut draft = FileDraft::of_text(place.to_owned(), &b""[..]);
            let why = "is a link that leads to a different place after the move; create it again";
            draft.doubt(Span::empty(0), why);
            draft
        })
    };
    places.into_iter().filter_map(draft).collect()
}

fn on_disk(root: &Path, path: &str) -> PathBuf {
    // The folder around `res://a` is `res:/`.
    root.join(path.strip_prefix("res:/").unwrap_or(path).trim_start_matches('/'))
}

/// Whether the link at `place`, which holds the path `leads_to`, does not lead to the same afterwards.
fn is_broken(moving: Moving<'_>, root: &Path, place: &str, leads_to: &Path) -> bool {
    let target = |place: &str| plain(&on_disk(root, folder_of(place)).join(leads_to));
    let before = target(place);
    let wanted = match before.strip_prefix(root).ok().and_then(Path::to_str) {
        Some(inside) => {
            let path = format!("res://{}", inside.replace('\\', "/"));
            on_disk(root, &moving.renames.place_of(&path))
        }
        None => before,
    };
    target(&moving.renames.place_of(place)) != wanted
}

/// Without `.` and `..`, by the names alone.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}
