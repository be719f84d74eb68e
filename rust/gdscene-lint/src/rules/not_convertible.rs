//! MIG006

use godot_project::SceneContext;
use godot_project::assignments::Assignment;
use godot_project::settings::lossy;
use godot_tscn::{Reporter, Section, TagKind, article, quote};

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports tile maps, tile sets, fonts and transform tracks of Godot 3 in a Godot 4 project: a `TileMap` with
    /// `cell_size`, a `TileSet` with properties such as `0/texture`, a `DynamicFont`, and an `Animation` with a track
    /// of the type `transform`.
    ///
    /// ## Why is this bad?
    /// Godot 4 reads only a part of them. Tiles become 16 pixels wide and high, and the data of single tiles, except
    /// their texture, is lost or moved. A font loses its size. An animation loses the track and all tracks after it.
    /// The next save makes the loss permanent.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=2]
    ///
    /// [node name="A" type="TileMap"]
    /// cell_size = Vector2( 32, 32 )
    /// format = 1
    /// tile_data = PoolIntArray( 0, 0, 0 )
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="TileMapLayer"]
    /// ```
    ///
    /// ## References
    /// `TileSet::_compatibility_conversion` (scene/resources/2d/tile_set.cpp), `FontFile::_set`
    /// (scene/resources/font.cpp), issues 76570 and 70784
    "MIG006", "not-convertible", Warning
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    check_tracks(context, reporter);
    if !context.is_for_godot_4() || !context.is_older_than_project() {
        return;
    }
    for found in context.class_uses() {
        let class = found.class.as_str();
        for (section, field) in &found.places {
            let lost = match class {
                "TileMap" if has(*section, |key| key == "cell_size") => "the size of its cells",
                "TileSet" if has(properties_of(context, *section), is_of_tile) => {
                    "the data of its tiles, except their textures"
                }
                "DynamicFont" => "its size and outline",
                _ => continue,
            };
            let (article, class) = (article(class), quote(class.as_bytes()));
            let message = format!("Godot 4 reads only a part of {article} {class} of Godot 3");
            reporter
                .report(field.value_span(), message)
                .consequence(format!("the next save removes {lost}"))
                .help("recreate it in the Godot 4 editor while you still have the old file");
        }
    }
}

/// Reports the first transform track of each animation: the numbers of all later tracks are wrong without it.
fn check_tracks(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    if !context.is_for_godot_4() {
        return;
    }
    let mut last = None;
    for Assignment { section, property, key, object, .. } in context.assignments() {
        let is_type = key.starts_with("tracks/") && key.ends_with("/type");
        if !is_type
            || last == Some(section.index())
            || object.native() != Some("Animation")
            || property.value_tree().root().text().as_deref() != Some(b"transform")
        {
            continue;
        }
        last = Some(section.index());
        reporter
            .report(property.value_span(), "Godot 4 does not read transform tracks of Godot 3")
            .consequence("Godot drops this track and all tracks after it, and the next save removes them")
            .help("import the model again, or write tracks of the types `position_3d`, `rotation_3d` and `scale_3d`");
    }
}

/// Whether the rule reports the fate of the property, in a text of Godot 3 that Godot 4 reads.
pub(super) fn is_told(context: &SceneContext<'_>, section: Section<'_>, key: &str) -> bool {
    let header = context.document.sections().next();
    let tag = if section.kind() == TagKind::Resource { header } else { Some(section) };
    let class = tag.and_then(|tag| tag.field_text("type"));
    context.is_older_than_project()
        && match class.as_deref() {
            Some(b"TileMap") => key == "cell_size",
            Some(b"TileSet") => is_of_tile(key),
            Some(b"DynamicFont") => matches!(key, "size" | "outline_size" | "outline_color"),
            _ => false,
        }
}

/// The section with the properties of a tag: that of `[gd_resource]` is `[resource]`.
fn properties_of<'c>(context: &'c SceneContext<'_>, section: Section<'c>) -> Section<'c> {
    if section.kind() != TagKind::GdResource {
        return section;
    }
    let mut sections = context.document.sections();
    sections.find(|section| section.kind() == TagKind::Resource).unwrap_or(section)
}

fn has(section: Section<'_>, is_suppressed: impl Fn(&str) -> bool) -> bool {
    section.properties().any(|property| is_suppressed(&lossy(&property.engine_key())))
}

/// `0/texture`
fn is_of_tile(key: &str) -> bool {
    key.split_once('/').is_some_and(|(number, _)| number.parse::<u32>().is_ok())
}
