//! SIG001

use godot_project::SceneContext;
use godot_project::settings::lossy;
use godot_project::tree::Parent;
use godot_tscn::{Field, Reporter, Section, Severity, Span, TagKind, quote};

use crate::rules::declare_rule;
use crate::rules::unknown_parent::{help, report_found_by_id};

declare_rule! { as_in_tscn "SIG001" }

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    if context.hides_sections || context.tree().tags().is_empty() {
        return;
    }
    let sections = context.document.sections();
    let mut of_tiles = OfTiles::default();
    for section in sections.filter(|section| section.kind() == TagKind::Connection) {
        let mut missing: Option<String> = None;
        for (name, ids) in [("from", "from_uid_path"), ("to", "to_uid_path")] {
            let Some(field) = section.field(name) else { continue };
            let Some(path) = field.text() else { continue };
            let path = lossy(&path);
            match context.connection_end(section, &path, ids) {
                Parent::Made | Parent::Later | Parent::Unknown => {}
                Parent::ById(found) => report_found_by_id(field, &path, &found, reporter),
                // Both ends are often one node.
                Parent::Missing if missing.as_ref() == Some(&path) => {}
                Parent::Missing => {
                    if !of_tiles.note(context, section, &path) {
                        report(context, (field, name), &path, reporter);
                    }
                    missing = Some(path);
                }
            }
        }
    }
    of_tiles.report(reporter);
}

fn report(
    context: &SceneContext<'_>,
    (field, name): (Field<'_>, &str),
    path: &str,
    reporter: &mut Reporter<'_>,
) {
    let quoted = quote(path.as_bytes());
    let message = format!("node {quoted} not found in the scene; correct `{name}`");
    let diagnostic = reporter.report(field.value_span(), message);
    diagnostic.consequence("Godot drops the connection without a warning");
    if let Some(help) = help(context, path) {
        diagnostic.help(help);
    }
}

/// Whether a node above the one at the path is a tile map.
pub(super) fn is_in_tile_map(context: &SceneContext<'_>, path: &str) -> bool {
    let classes = context.project.classes();
    let is_tile_map = |path: &str| {
        let object = context.attached_at(path);
        object.native().is_some_and(|class| {
            classes.inherits(class, "TileMapLayer") || classes.inherits(class, "TileMap")
        })
    };
    let mut above = path.match_indices('/').map(|(at, _)| &path[..at]).chain(["."]);
    above.any(is_tile_map)
}

/// Connections to nodes that a tile map makes for tiles that are scenes. Godot writes them whenever it saves the scene, and loses
/// nothing: the tile map makes the nodes again with their connections.
#[derive(Default)]
struct OfTiles {
    first: Option<Span>,
    count: usize,
}

impl OfTiles {
    /// Whether the node is in a tile map.
    fn note(&mut self, context: &SceneContext<'_>, section: Section<'_>, path: &str) -> bool {
        if !is_in_tile_map(context, path) {
            return false;
        }
        self.first.get_or_insert(section.tag_span());
        self.count += 1;
        true
    }

    fn report(self, reporter: &mut Reporter<'_>) {
        let Some(first) = self.first else { return };
        let message = match self.count {
            1 => "a tile map creates the node of this connection".to_owned(),
            count => {
                format!("a tile map creates the nodes of this connection and {} more", count - 1)
            }
        };
        let diagnostic = reporter.report(first, message);
        diagnostic.severity = Severity::Info;
        diagnostic.consequence("Godot writes it at each save; no data is lost");
    }
}
