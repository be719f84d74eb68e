//! `set-cells`, and the contents of the tiles of a `TileSet`.

use std::sync::Arc;

use godot_project::settings::lossy;
use godot_project::{FileId, Project, ValueType};
use godot_tscn::{SectionId, TagKind};
use godot_variant::{Value, VariantType};
use indexmap::IndexMap;

use crate::edit::Outcome;
use crate::edit::error::EditErrorKind;
use crate::edit::operation::CellsSpec;
use crate::edit::properties::PropertyPlace;
use crate::edit::scene::{ResourceRef, SceneEdit, references};
use crate::edit::stored::text_of;

const DATA: &str = "tile_map_data";
const TILE_SET: &str = "tile_set";
/// The beginning of `tile_map_data`: `TileMapLayerDataFormat` of Godot 4.3 to 4.6.
const FORMAT: [u8; 2] = [0, 0];
/// How many bytes a cell has: its place, source, atlas coordinates and alternative.
const CELL: usize = 12;
/// The bits of an alternative that mirror and turn a tile (`TileSetAtlasSource::TRANSFORM_…`).
const TRANSFORMS: u16 = 0x7000;
/// The most cells that one operation sets or erases.
const MAX_CELLS: i64 = 1 << 20;

/// A source, atlas coordinates and an alternative.
type Tile = [u16; 4];
/// Includes erased ones, until all is written.
type Cells = IndexMap<[i16; 2], Option<Tile>>;

impl SceneEdit {
    /// `set-cells`
    pub(super) fn set_cells(
        &mut self,
        project: &Project,
        node: &str,
        set: &[CellsSpec],
        erase: &[Vec<i64>],
    ) -> Result<Outcome, EditErrorKind> {
        let place = self.place(project, &format!("{node}:{DATA}"));
        let place = match place {
            Ok(place) if place.object.is("TileMapLayer") => place,
            Err(error @ (EditErrorKind::Path(_) | EditErrorKind::File(_))) => return Err(error),
            _ => {
                let path = self.plain_path(node)?;
                let object = self.node_object(project, &path);
                let object = object.ok_or_else(|| self.no_node(project, &path))?;
                let class = object.called();
                let reason = format!("`{node}` is a {class}; only a TileMapLayer has cells");
                return Err(EditErrorKind::Refused(reason));
            }
        };
        let mut cells = read(self.current(project, &place, DATA))?;
        let mut outcome = Outcome::default();
        let tiles = self.tile_set(project, &place)?;
        if tiles.is_none() {
            let note = format!(
                "the TileSet of `{node}` cannot be read here, so its tiles are not checked"
            );
            outcome.notes.push(note);
        }
        let mut counts = [0_usize; 2];
        let mut room = MAX_CELLS;
        for at in erase {
            for cell in cells_at(at, &mut room)? {
                counts[1] +=
                    usize::from(cells.get_mut(&cell).is_some_and(|tile| tile.take().is_some()));
            }
        }
        for spec in set {
            let tile = tile_of(spec)?;
            if let Some(tiles) = &tiles {
                tiles.check(tile)?;
            }
            for cell in cells_at(&spec.at, &mut room)? {
                cells.insert(cell, Some(tile));
                counts[0] += 1;
            }
        }
        self.put(project, &place, &written(&cells))?;
        let [set, erased] = counts;
        outcome.what = match erased {
            0 => format!("set {set} cells of `{node}`"),
            _ => format!("set {set} cells of `{node}`, and erased {erased}"),
        };
        Ok(outcome)
    }

    /// The `TileSet` of a layer; nothing if it has none that can be read.
    fn tile_set(
        &self,
        project: &Project,
        place: &PropertyPlace<'_>,
    ) -> Result<Option<TileSet>, EditErrorKind> {
        let own = self.section_of(&place.holder).and_then(|section| self.value(section, TILE_SET));
        if let Some(value) = own {
            return Ok(self.tile_set_of(project, &value));
        }
        let base = place.object.base.as_ref().map(|base| base.node().values(project));
        let found = base.into_iter().flatten().find(|(key, ..)| key == TILE_SET);
        let Some((_, value, path)) = found else { return Ok(None) };
        let Some(scene) = project.file(&path).and_then(|file| opened(project, file)) else {
            return Ok(None);
        };
        Ok(scene.tile_set_of(project, &value))
    }

    fn tile_set_of(&self, project: &Project, value: &str) -> Option<TileSet> {
        match references(value.as_bytes()).first()? {
            ResourceRef::Sub(id) => Some(TileSet::of(self, project, *self.subs.get(id)?)),
            ResourceRef::External(id) => {
                let scene = opened(project, self.file_of(project, id)?)?;
                let section = scene.main_resource()?;
                Some(TileSet::of(&scene, project, section))
            }
        }
    }

    /// The types of `custom_data_0` and so on of the tiles of a source.
    pub(super) fn tile_data(&self, source: SectionId) -> Vec<ValueType> {
        let sections = self.document.sections();
        let sets = sections.filter(|section| match self.document.kind(*section) {
            TagKind::Resource => self.text(self.header(), "type").as_deref() == Some("TileSet"),
            _ => self.text(*section, "type").as_deref() == Some("TileSet"),
        });
        let id = self.text(source, "id").map(ResourceRef::Sub);
        let has_source = |set: &SectionId| {
            let values = self.document.properties(*set).map(|(_, value)| value);
            id.as_ref()
                .is_some_and(|id| values.into_iter().any(|value| references(value).contains(id)))
        };
        let Some(set) = sets.into_iter().find(has_source) else { return Vec::new() };
        let layer = |index| -> Option<ValueType> {
            let name = self.value(set, &format!("custom_data_layer_{index}/name"));
            let number = self.value(set, &format!("custom_data_layer_{index}/type"));
            name.or_else(|| number.clone())?;
            let of = number.and_then(|number| VariantType::from_id(number.parse().ok()?));
            // A layer without a type takes a value of any type.
            Some(of.filter(|of| *of != VariantType::Nil).map_or(ValueType::Any, ValueType::Of))
        };
        (0..).map_while(layer).collect()
    }
}

/// The contents of a `TileSet`, by the numbers of its sources.
struct TileSet {
    sources: IndexMap<u16, Source>,
    /// Whether all is known: scripts may add sources.
    is_complete: bool,
}

/// The tiles of a source.
enum Source {
    /// With atlas coordinates: the tile, and its alternatives.
    Atlas(IndexMap<[u16; 2], Vec<u16>>),
    /// The numbers of scenes.
    Scenes(Vec<u16>),
    Unknown,
}

impl TileSet {
    fn of(scene: &SceneEdit, project: &Project, section: SectionId) -> Self {
        let mut sources = IndexMap::new();
        for (key, value) in scene.document.properties(section) {
            let key = lossy(&key);
            let Some(number) = key.strip_prefix("sources/").and_then(|id| id.parse().ok()) else {
                continue;
            };
            let source = match references(value).first() {
                Some(ResourceRef::Sub(id)) => {
                    scene.subs.get(id).map(|section| Source::of(scene, *section))
                }
                Some(ResourceRef::External(id)) => {
                    let inner = scene.file_of(project, id).and_then(|file| opened(project, file));
                    inner.and_then(|inner| Some(Source::of(&inner, inner.main_resource()?)))
                }
                None => None,
            };
            sources.insert(number, source.unwrap_or(Source::Unknown));
        }
        Self { sources, is_complete: scene.value(section, "script").is_none() }
    }

    /// Checks that a tile exists.
    fn check(&self, [source, x, y, alternative]: Tile) -> Result<(), EditErrorKind> {
        if !self.is_complete {
            return Ok(());
        }
        let Some(found) = self.sources.get(&source) else {
            let all: Vec<String> = self.sources.keys().map(u16::to_string).collect();
            return Err(missing(&format!("the source {source}"), "the sources", &all));
        };
        let plain = alternative & !TRANSFORMS;
        match found {
            Source::Unknown => Ok(()),
            Source::Atlas(tiles) => {
                let Some(alternatives) = tiles.get(&[x, y]) else {
                    let all: Vec<String> =
                        tiles.keys().map(|[x, y]| format!("[{x}, {y}]")).collect();
                    let what = format!("the tile [{x}, {y}] of the source {source}");
                    return Err(missing(&what, "the tiles", &all));
                };
                if plain == 0 || alternatives.contains(&plain) {
                    return Ok(());
                }
                let all: Vec<String> = alternatives.iter().map(u16::to_string).collect();
                let what = format!("the alternative {plain} of the tile [{x}, {y}]");
                Err(missing(&what, "the alternatives", &all))
            }
            Source::Scenes(scenes) if scenes.contains(&alternative) => Ok(()),
            Source::Scenes(scenes) => {
                let all: Vec<String> = scenes.iter().map(u16::to_string).collect();
                let what = format!("the scene {alternative} of the source {source}");
                Err(missing(&what, "the scenes, which are an `alternative`,", &all))
            }
        }
    }
}

fn missing(what: &str, of_all: &str, all: &[String]) -> EditErrorKind {
    const MAX_NAMED: usize = 24;
    let named = all.iter().take(MAX_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    let rest = if all.len() > MAX_NAMED { ", …" } else { "" };
    let named = if all.is_empty() {
        "the TileSet has none".to_owned()
    } else {
        format!("{of_all} are {named}{rest}")
    };
    EditErrorKind::Refused(format!("{what} of the TileSet does not exist; {named}"))
}

impl Source {
    fn of(scene: &SceneEdit, section: SectionId) -> Self {
        let header = scene.header();
        let tag = match scene.document.kind(section) {
            TagKind::Resource => header,
            _ => section,
        };
        let keys = scene.document.properties(section).map(|(key, _)| lossy(&key));
        match scene.text(tag, "type").as_deref() {
            Some("TileSetAtlasSource") => {
                let mut tiles: IndexMap<[u16; 2], Vec<u16>> = IndexMap::new();
                for key in keys {
                    let Some((place, rest)) = key.split_once('/') else { continue };
                    let Some((x, y)) = place.split_once(':') else { continue };
                    let (Ok(x), Ok(y)) = (x.parse(), y.parse()) else { continue };
                    let alternatives = tiles.entry([x, y]).or_default();
                    let first = rest.split('/').next().unwrap_or(rest);
                    if let Ok(number) = first.parse()
                        && !alternatives.contains(&number)
                    {
                        alternatives.push(number);
                    }
                }
                Self::Atlas(tiles)
            }
            Some("TileSetScenesCollectionSource") => {
                let scene =
                    |key: String| key.strip_prefix("scenes/")?.strip_suffix("/scene")?.parse().ok();
                Self::Scenes(keys.filter_map(scene).collect())
            }
            _ => Self::Unknown,
        }
    }
}

fn opened(project: &Project, file: FileId) -> Option<SceneEdit> {
    let text: Arc<[u8]> = project.read(file).ok()?.as_ref().into();
    SceneEdit::new(project.path(file), text, None).ok()
}

fn tile_of(spec: &CellsSpec) -> Result<Tile, EditErrorKind> {
    let number = |name: &str, number: i64| {
        u16::try_from(number).ok().filter(|number| *number != u16::MAX).ok_or_else(|| {
            let reason = format!("`{number}` is not a valid `{name}`; expected 0 to 65534");
            EditErrorKind::Refused(reason)
        })
    };
    let [x, y] = spec.tile;
    Ok([
        number("source", spec.source)?,
        number("tile", x)?,
        number("tile", y)?,
        number("alternative", spec.alternative)?,
    ])
}

/// The cells of `[x, y]`, or of the rectangle `[x, y, width, height]`, row by row; `room` is the number that one
/// operation may still have.
fn cells_at(at: &[i64], room: &mut i64) -> Result<Vec<[i16; 2]>, EditErrorKind> {
    let refuse = || {
        let reason = format!(
            "`{at:?}` is not a valid cell position; expected [x, y] or [x, y, width, height] with numbers from -32768 to 32767"
        );
        EditErrorKind::Refused(reason)
    };
    let [x, y, width, height] = match at {
        [x, y] => [*x, *y, 1, 1],
        [x, y, width, height] => [*x, *y, *width, *height],
        _ => return Err(refuse()),
    };
    let sizes = 1..=i64::from(u16::MAX) + 1;
    if !sizes.contains(&width) || !sizes.contains(&height) {
        return Err(refuse());
    }
    let fits = |place: i64, size: i64| {
        let range = i64::from(i16::MIN)..=i64::from(i16::MAX);
        range.contains(&place) && range.contains(&(place.saturating_add(size - 1)))
    };
    if !fits(x, width) || !fits(y, height) {
        return Err(refuse());
    }
    *room -= width * height;
    if *room < 0 {
        let reason =
            format!("one operation can change at most {MAX_CELLS} cells; use several operations");
        return Err(EditErrorKind::Refused(reason));
    }
    let row = |y: i64| (x..x + width).map(move |x| [x as i16, y as i16]);
    Ok((y..y + height).flat_map(row).collect())
}

/// The cells in a value of `tile_map_data`.
fn read(value: Option<String>) -> Result<Cells, EditErrorKind> {
    let refuse = || {
        let reason = format!("its `{DATA}` cannot be read; expected that of Godot 4.3 to 4.6");
        EditErrorKind::Refused(reason)
    };
    let mut cells = Cells::new();
    let Some(value) = value.filter(|value| value != "null") else { return Ok(cells) };
    let parsed = godot_tscn::parse_value(value.as_bytes());
    let Ok(Value::PackedByteArray(bytes)) = parsed else { return Err(refuse()) };
    if bytes.is_empty() {
        return Ok(cells);
    }
    let data = bytes.strip_prefix(&FORMAT).filter(|data| data.len() % CELL == 0);
    for cell in data.ok_or_else(refuse)?.chunks_exact(CELL) {
        let number = |at: usize| u16::from_le_bytes([cell[at], cell[at + 1]]);
        let tile = [number(4), number(6), number(8), number(10)];
        // Godot leaves out those of no source.
        if tile[0] != u16::MAX {
            cells.insert([number(0) as i16, number(2) as i16], Some(tile));
        }
    }
    Ok(cells)
}

/// The value of `tile_map_data`.
fn written(cells: &Cells) -> String {
    let mut bytes = Vec::with_capacity(FORMAT.len() + cells.len() * CELL);
    for ([x, y], tile) in cells {
        let Some(tile) = tile else { continue };
        if bytes.is_empty() {
            bytes.extend_from_slice(&FORMAT);
        }
        bytes.extend_from_slice(&x.to_le_bytes());
        bytes.extend_from_slice(&y.to_le_bytes());
        bytes.extend(tile.iter().flat_map(|number| number.to_le_bytes()));
    }
    text_of(&Value::PackedByteArray(bytes))
}
