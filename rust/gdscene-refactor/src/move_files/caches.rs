//! The old paths in Godot's `.godot`. Its editor finds out by itself; a game that starts without it does not.

use godot_project::uid_cache;
use godot_tscn::Span;

use crate::draft::FileDraft;
use crate::move_files::literal::Moving;

/// The list of uids, if it leads to an old path: a uid in it has priority over the path next to it
/// (`ResourceLoaderText::load`, scene/resources/resource_format_text.cpp, Godot 4.6.3).
pub(super) fn of_uids(moving: Moving<'_>) -> Option<FileDraft> {
    const PATH: &str = "res://.godot/uid_cache.bin";
    let content = moving.project.source().read(PATH).ok()?;
    let mut paths = uid_cache::entries(&content).map(|(_, path)| path);
    let is_old = |path: &&[u8]| {
        std::str::from_utf8(path).is_ok_and(|path| moving.renames.new_path(path).is_some())
    };
    paths.find(is_old)?;
    let mut draft = FileDraft::of_text(PATH.to_owned(), &b""[..]);
    let why = "has the old path until the editor or `godot --headless --import` scans the project again; do this before the game runs";
    draft.doubt(Span::empty(0), why);
    Some(draft)
}
