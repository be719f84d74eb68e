//! Cells of a source that the tile set lacks, and tiles outside their texture.

use std::collections::BTreeMap;

use godot_tscn::{PartRef, Property, Section, Span, TagKind, quote};
use hashbrown::{HashMap, HashSet};
use memchr::memmem;

use super::{Effect, WrongLength, named};
use crate::SceneContext;
use crate::keys::{Keys, is_short};
use crate::project::{FileId, ResolvedPath};
use crate::res_path::extension_of;

/// The id of no source, as cells have it.
const NO_SOURCE: u16 = u16::MAX;
const SOURCES: &[u8] = b"sources/";
/// How many bytes a cell of a `TileMapLayer` has, and where its source is in them.
const CELL: usize = 12;
const SOURCE_AT: usize = 4;

/// The tile sets and textures of a text, each read once: many layers and sources may have one.
#[derive(Default)]
pub(super) struct TileSets {
    known: HashMap<Origin, Option<HashSet<u16>>>,
    textures: HashMap<FileId, Option<[i64; 2]>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Origin {
    File(FileId),
    Section(u32),
}

impl TileSets {
    /// Cells of a source that the tile set of their layer lacks.
    pub(super) fn cells<'c>(
        &mut self,
        context: &SceneContext<'c>,
        keys: &Keys<'c>,
        property: Property<'c>,
    ) -> Option<WrongLength<'c>> {
        let counts = match &*property.engine_key() {
            b"tile_map_data" => sources_of_layer(property)?,
            key if key.ends_with(b"/tile_data") => sources_of_map(keys, property)?,
            _ => return None,
        };
        let tile_set = keys.last("tile_set").filter(is_short)?;
        let known = self.sources(context, tile_set.value_tree().root())?;
        let absent: Vec<(u16, usize)> =
            counts.into_iter().filter(|(source, _)| !known.contains(source)).collect();
        let cells = named(absent.iter().map(|(_, count)| count).sum(), "cell");
        let problem = match absent.as_slice() {
            [] => return None,
            [(source, _)] => format!("{cells} of the source {source}, which the tile set lacks"),
            [(source, _), ..] => {
                format!(
                    "{cells} of {} sources that the tile set lacks, such as {source}",
                    absent.len()
                )
            }
        };
        let effect =
            Effect::Other("Godot does not draw these cells, and prints no error".to_owned());
        Some(WrongLength { property, span: property.value_span(), problem, effect })
    }

    /// The sources of a tile set; nothing if they are unknown.
    fn sources(&mut self, context: &SceneContext<'_>, value: PartRef<'_>) -> Option<&HashSet<u16>> {
        let origin = match value.inner_text("SubResource") {
            Some(id) => Origin::Section(context.sub_resource(&id)?.index()),
            None => match *context.target_of_id(&value.inner_text("ExtResource")?)? {
                ResolvedPath::File(file) => Origin::File(file),
                _ => return None,
            },
        };
        let read = || match origin {
            Origin::Section(section) => {
                let section = context.document.section(section);
                let keys = section.properties().map(|property| property.engine_key().into_owned());
                sources_in(&keys.collect::<Vec<_>>().join(&b'\n'))
            }
            Origin::File(file) if extension_of(context.project.path(file)) == "tres" => {
                sources_in(&context.project.read(file).ok()?)
            }
            Origin::File(_) => None,
        };
        self.known.entry(origin).or_insert_with(read).as_ref()
    }

    /// Tiles of a `TileSetAtlasSource` that are outside its texture.
    pub(super) fn outside<'c>(
        &mut self,
        context: &SceneContext<'c>,
        section: Section<'c>,
    ) -> Option<WrongLength<'c>> {
        if !matches!(section.kind(), TagKind::SubResource | TagKind::Resource) {
            return None;
        }
        let property = |name: &str| {
            section.properties().rfind(|found| *found.engine_key() == *name.as_bytes())
        };
        let texture = property("texture")?;
        let id = texture.value_tree().root().inner_text("ExtResource")?.into_owned();
        let ResolvedPath::File(file) = *context.target_of_id(&id)? else { return None };
        let size = self.textures.entry(file).or_insert_with(|| size_of_texture(context, file));
        let size = (*size)?;
        let vector = |name: &str, usual: i64| match property(name) {
            None => Some([usual; 2]),
            Some(found) => pair(found.value_tree().root()),
        };
        let (tile, margins, gap) =
            (vector("texture_region_size", 16)?, vector("margins", 0)?, vector("separation", 0)?);
        // As `TileSetAtlasSource::get_atlas_grid_size` (scene/resources/2d/tile_set.cpp, Godot 4.6.3).
        let count = |axis: usize| {
            let room = size[axis].checked_sub(margins[axis])?;
            let step =
                tile[axis].checked_add(gap[axis]).filter(|step| *step > 0 && tile[axis] > 0)?;
            Some(if room < tile[axis] { 0 } else { 1 + (room - tile[axis]) / step })
        };
        let (columns, rows) = (count(0)?, count(1)?);
        let mut outside: HashSet<[i64; 2]> = HashSet::new();
        let mut first: Option<(Property<'c>, Span)> = None;
        for found in section.properties() {
            let Some([x, y]) = coordinates(&found.engine_key()) else { continue };
            if (x >= columns || y >= rows) && outside.insert([x, y]) && first.is_none() {
                first = Some((found, found.engine_key_span()));
            }
        }
        let (property, span) = first?;
        let tiles = named(outside.len(), "tile");
        let path = quote(context.project.path(file).as_bytes());
        let problem = format!("{tiles} outside {path}, which has {columns} × {rows} tiles");
        let effect = "Godot logs errors whenever it loads the file, and does not draw these tiles";
        Some(WrongLength { property, span, problem, effect: Effect::Other(effect.to_owned()) })
    }
}

/// The sources that a text gives a tile set. Proxies may stand for others, and older tile sets have none.
fn sources_in(text: &[u8]) -> Option<HashSet<u16>> {
    if memmem::find(text, b"tile_proxies/").is_some() {
        return None;
    }
    let number = |at: usize| {
        let digits = text[at + SOURCES.len()..].iter().take_while(|byte| byte.is_ascii_digit());
        let digits: Vec<u8> = digits.copied().collect();
        std::str::from_utf8(&digits).ok()?.parse::<u16>().ok()
    };
    let found: HashSet<u16> = memmem::find_iter(text, SOURCES).filter_map(number).collect();
    (!found.is_empty()).then_some(found)
}

fn sources_of_layer(property: Property<'_>) -> Option<BTreeMap<u16, usize>> {
    let bytes = property.value_tree().root().bytes()?;
    let cells = bytes.strip_prefix(&[0, 0])?.chunks_exact(CELL);
    counted(cells.map(|cell| u16::from_le_bytes([cell[SOURCE_AT], cell[SOURCE_AT + 1]])))
}

/// For a `TileMap` in the format of Godot 4.
fn sources_of_map(keys: &Keys<'_>, property: Property<'_>) -> Option<BTreeMap<u16, usize>> {
    (keys.last("format")?.source() == b"2").then_some(())?;
    let tree = property.value_tree();
    let numbers = tree.root().numbers().skip(1).step_by(3);
    let number = |text: &[u8]| std::str::from_utf8(text).ok()?.parse::<i64>().ok();
    // Its lower half is the source.
    counted(numbers.filter_map(number).map(|number| number as u16))
}

fn counted(sources: impl Iterator<Item = u16>) -> Option<BTreeMap<u16, usize>> {
    let mut counts = BTreeMap::new();
    for source in sources.filter(|source| *source != NO_SOURCE) {
        *counts.entry(source).or_default() += 1;
    }
    Some(counts)
}

fn pair(value: PartRef<'_>) -> Option<[i64; 2]> {
    let mut numbers = value.numbers().map(|text| std::str::from_utf8(text).ok()?.parse().ok());
    Some([numbers.next()??, numbers.next()??])
}

/// `1:0/0/modulate`
fn coordinates(key: &[u8]) -> Option<[i64; 2]> {
    let (place, _) = std::str::from_utf8(key).ok()?.split_once('/')?;
    let (x, y) = place.split_once(':')?;
    Some([x.parse().ok()?, y.parse().ok()?])
}

/// The width and height of a texture that Godot imports from a PNG as it is.
fn size_of_texture(context: &SceneContext<'_>, file: FileId) -> Option<[i64; 2]> {
    let project = context.project;
    let import = project.file(&format!("{}.import", project.path(file)))?;
    let import = project.read(import).ok()?;
    let says = |what: &str| memmem::find(&import, what.as_bytes()).is_some();
    if !says("importer=\"texture\"\n") || !says("process/size_limit=0\n") {
        return None;
    }
    let image = project.read(file).ok()?;
    let rest = image.strip_prefix(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR")?;
    let number =
        |at: usize| Some(i64::from(u32::from_be_bytes(rest.get(at..at + 4)?.try_into().ok()?)));
    Some([number(0)?, number(4)?])
}
