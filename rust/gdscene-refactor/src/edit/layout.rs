//! The position of a `Control`: the effect of its parent on its layout, and the contents of a preset
//! (`Control::_get_layout_mode`, `Control::_set_anchors_layout_preset`, scene/gui/control.cpp, Godot 4.6.3).

use godot_project::Project;
use godot_variant::Value;

use crate::edit::error::EditErrorKind;
use crate::edit::object::Object;
use crate::edit::properties::{Holder, PropertyPlace};
use crate::edit::scene::SceneEdit;
use crate::edit::stored::{Stored, number, text_of};

const MODE: &str = "layout_mode";
const PRESET: &str = "anchors_preset";
/// `LayoutMode` of a control in a `Container`.
const IN_CONTAINER: i64 = 2;
const ANCHORS: [&str; 4] = ["anchor_left", "anchor_top", "anchor_right", "anchor_bottom"];
const OFFSETS: [&str; 4] = ["offset_left", "offset_top", "offset_right", "offset_bottom"];
const GROW: [&str; 2] = ["grow_horizontal", "grow_vertical"];

/// The anchors of the presets, by their numbers: left, top, right, bottom (`LayoutPreset`).
const PRESETS: [[f64; 4]; 16] = [
    [0.0, 0.0, 0.0, 0.0],
    [1.0, 0.0, 1.0, 0.0],
    [0.0, 1.0, 0.0, 1.0],
    [1.0, 1.0, 1.0, 1.0],
    [0.0, 0.5, 0.0, 0.5],
    [0.5, 0.0, 0.5, 0.0],
    [1.0, 0.5, 1.0, 0.5],
    [0.5, 1.0, 0.5, 1.0],
    [0.5, 0.5, 0.5, 0.5],
    [0.0, 0.0, 0.0, 1.0],
    [0.0, 0.0, 1.0, 0.0],
    [1.0, 0.0, 1.0, 1.0],
    [0.0, 1.0, 1.0, 1.0],
    [0.5, 0.0, 0.5, 1.0],
    [0.0, 0.5, 1.0, 0.5],
    [0.0, 0.0, 1.0, 1.0],
];

/// How a parent lays out a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parent {
    /// It does not: it is not a control.
    Other,
    /// By anchors.
    Control,
    /// By itself.
    Container,
}

impl SceneEdit {
    /// The saved form when a property of a control gets a value, if it is about its position.
    pub(super) fn stored_of_control(
        &self,
        project: &Project,
        place: &PropertyPlace<'_>,
        text: &str,
    ) -> Result<Option<Stored>, EditErrorKind> {
        let key = place.key.as_str();
        let is_of_layout = ANCHORS.contains(&key)
            || OFFSETS.contains(&key)
            || GROW.contains(&key)
            || matches!(key, MODE | PRESET | "position" | "size");
        let Holder::Node(path) = &place.holder else { return Ok(None) };
        if !is_of_layout {
            return Ok(None);
        }
        if self.layout_parent(project, path) == Parent::Container {
            let reason = format!(
                "the parent of `{path}` is a Container, which lays it out; set `custom_minimum_size` or \
                 `size_flags_horizontal` and `size_flags_vertical`"
            );
            return Err(EditErrorKind::Refused(reason));
        }
        let value = godot_tscn::parse_value(text.as_bytes()).ok();
        match (key, value) {
            (PRESET, Some(Value::Int(preset))) => self.stored_of_preset(project, place, preset),
            ("position" | "size", Some(Value::Vector2(vector))) => {
                self.stored_of_rect(project, place, vector.map(f64::from)).map(Some)
            }
            (MODE, Some(Value::Int(mode))) if mode != 0 && mode != 1 => {
                let reason = "`layout_mode` depends on the parent; only 0 (by position) and 1 (by \
                              anchors) can be chosen; leave it out";
                Err(EditErrorKind::Refused(reason.to_owned()))
            }
            _ => Ok(None),
        }
    }

    /// Anchors, offsets and directions of growth of a preset.
    fn stored_of_preset(
        &self,
        project: &Project,
        place: &PropertyPlace<'_>,
        preset: i64,
    ) -> Result<Option<Stored>, EditErrorKind> {
        let Some(anchors) = usize::try_from(preset).ok().and_then(|preset| PRESETS.get(preset))
        else {
            if preset == -1 {
                return Ok(None);
            }
            let reason = format!("`anchors_preset` is -1 to 15, not {preset}");
            return Err(EditErrorKind::Refused(reason));
        };
        let now = self.sides(project, place, ANCHORS);
        let offsets = self.sides(project, place, OFFSETS);
        let mut stored = Stored::new();
        let float = |key: &str, number: f64| (key.to_owned(), text_of(&Value::Float(number)));
        for axis in [0, 1] {
            let (begin, end) = (anchors[axis], anchors[axis + 2]);
            let was_point = (now[axis] - now[axis + 2]).abs() < f64::EPSILON;
            let is_point = (begin - end).abs() < f64::EPSILON;
            let is_wide = preset >= 9;
            let size = if was_point && !is_wide { offsets[axis + 2] - offsets[axis] } else { 0.0 };
            let (before, after) = match (is_point, begin) {
                (false, _) => (0.0, 0.0),
                (true, 0.0) => (0.0, size),
                (true, 1.0) => (-size, 0.0),
                (true, _) => (-size / 2.0, size / 2.0),
            };
            let grow = match (is_point, begin) {
                (true, 0.0) => 1,
                (true, 1.0) => 0,
                _ => 2,
            };
            stored.push(float(ANCHORS[axis], begin));
            stored.push(float(ANCHORS[axis + 2], end));
            stored.push(float(OFFSETS[axis], before));
            stored.push(float(OFFSETS[axis + 2], after));
            stored.push((GROW[axis].to_owned(), grow.to_string()));
        }
        Ok(Some(stored))
    }

    /// Offsets that give a place or size, which follow from them alone where all anchors are at the start.
    fn stored_of_rect(
        &self,
        project: &Project,
        place: &PropertyPlace<'_>,
        vector: [f64; 2],
    ) -> Result<Stored, EditErrorKind> {
        let key = place.key.as_str();
        if self.sides(project, place, ANCHORS) != [0.0; 4] {
            let reason = format!(
                "`{key}` depends on the size of the parent, since the anchors are not at the top left; set \
                 `offset_left`, `offset_top`, `offset_right`, `offset_bottom`"
            );
            return Err(EditErrorKind::Refused(reason));
        }
        let [left, top, right, bottom] = self.sides(project, place, OFFSETS);
        let [x, y] = vector;
        let offsets = match key {
            "position" => [x, y, x + right - left, y + bottom - top],
            _ => [left, top, left + x, top + y],
        };
        let float = |(key, number): (&str, f64)| {
            (key.to_owned(), text_of(&Value::Float(f64::from(number as f32))))
        };
        Ok(OFFSETS.into_iter().zip(offsets).map(float).collect())
    }

    /// The numbers that four properties have now.
    fn sides(&self, project: &Project, place: &PropertyPlace<'_>, keys: [&str; 4]) -> [f64; 4] {
        keys.map(|key| {
            let text = self.current(project, place, key);
            let value = text.and_then(|text| godot_tscn::parse_value(text.as_bytes()).ok());
            value.as_ref().and_then(number).unwrap_or_default()
        })
    }

    fn layout_parent(&self, project: &Project, path: &str) -> Parent {
        if path == "." {
            return Parent::Other;
        }
        let parent = path.rsplit_once('/').map_or(".", |(parent, _)| parent);
        match self.node_object(project, parent) {
            Some(parent) if parent.is("Container") => Parent::Container,
            Some(parent) if parent.is("Control") => Parent::Control,
            _ => Parent::Other,
        }
    }

    /// Lets a control have the layout mode and preset that Godot works out and saves.
    ///
    /// `set` is the property that was set last, none for a new node.
    pub(super) fn sync_layout(
        &mut self,
        project: &Project,
        path: &str,
        set: Option<&str>,
    ) -> Result<(), EditErrorKind> {
        let matters = |key: &str| ANCHORS.contains(&key) || key == MODE || key == PRESET;
        if !set.is_none_or(matters) || self.document.is_godot_3() {
            return Ok(());
        }
        let Some(object) = self.node_object(project, path).filter(|object| object.is("Control"))
        else {
            return Ok(());
        };
        let holder = Holder::Node(path.to_owned());
        let mut place = PropertyPlace { holder, object, key: MODE.to_owned() };
        let anchors = self.sides(project, &place, ANCHORS);
        let known = PRESETS.iter().position(|preset| *preset == anchors);
        let preset = known.map_or(-1, |preset| preset as i64);
        let stored = self.current(project, &place, MODE).and_then(|mode| mode.parse().ok());
        let mode = match self.layout_parent(project, path) {
            Parent::Other => 3,
            Parent::Container => IN_CONTAINER,
            Parent::Control if preset != 0 || set == Some(PRESET) => 1,
            Parent::Control => stored.filter(|mode| matches!(mode, 0 | 1)).unwrap_or(0),
        };
        self.put(project, &place, &mode.to_string())?;
        if mode != IN_CONTAINER {
            let section = self.section_of(&place.holder);
            let own = section.and_then(|section| self.document.property(section, PRESET));
            let is_custom = own == Some(b"-1");
            let preset = match mode {
                0 => 0,
                _ if is_custom => -1,
                _ => preset,
            };
            PRESET.clone_into(&mut place.key);
            self.put(project, &place, &preset.to_string())?;
        }
        Ok(())
    }
}

impl Object<'_> {
    /// Whether it is of a class of Godot's, or of an heir.
    pub(super) fn is(&self, class: &str) -> bool {
        self.class.as_deref().is_some_and(|own| self.classes().inherits(own, class))
    }
}
