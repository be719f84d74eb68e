//! Properties that scenes do not contain: the saved form when one is set.

use godot_project::Project;
use godot_project::settings::lossy;
use godot_tscn::write_value;
use godot_variant::Value;

use crate::edit::error::EditErrorKind;
use crate::edit::object::Object;
use crate::edit::properties::{Holder, PropertyPlace};
use crate::edit::scene::SceneEdit;
use crate::edit::transform::{PARTS, Transform, YXZ, radians};

/// The property of a node that the scene finds as `%Name`.
pub(super) const UNIQUE: &str = "unique_name_in_owner";
const THREAD_GROUP: &str = "process_thread_group";
const OF_THREAD_GROUP: [&str; 2] = ["process_thread_group_order", "process_thread_messages"];

/// The initial data of a bone of a `Skeleton3D` (`Skeleton3D::_get_property_list`, scene/3d/skeleton_3d.cpp,
/// 4.6.3).
const BONE: [(&str, &str); 6] = [
    ("parent", "-1"),
    ("rest", "Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)"),
    ("enabled", "true"),
    ("position", "Vector3(0, 0, 0)"),
    ("rotation", "Quaternion(0, 0, 0, 1)"),
    ("scale", "Vector3(1, 1, 1)"),
];

/// Properties with the texts of their values.
pub(super) type Stored = Vec<(String, String)>;

impl SceneEdit {
    /// The saved form when a property gets a value: mostly the property itself.
    ///
    /// # Errors
    /// When it is not saved, and its saved form is unknown.
    pub(super) fn stored(
        &mut self,
        project: &Project,
        place: &PropertyPlace<'_>,
        text: &str,
    ) -> Result<Stored, EditErrorKind> {
        let (key, object) = (place.key.as_str(), &place.object);
        if object.is("Control")
            && let Some(stored) = self.stored_of_control(project, place, text)?
        {
            return Ok(stored);
        }
        if OF_THREAD_GROUP.contains(&key)
            && object.is("Node")
            && !self.has_thread_group(project, place)
        {
            let reason =
                format!("`{key}` is only saved if `{THREAD_GROUP}` is not 0; set that first");
            return Err(EditErrorKind::Refused(reason));
        }
        if let (UNIQUE, "true", Holder::Node(path)) = (key, text, &place.holder) {
            self.check_unique(path)?;
        }
        if let Some(bone) = key.strip_suffix("/name").filter(|_| object.is("Skeleton3D")) {
            return Ok(self.stored_of_bone(place, bone, text));
        }
        let class = object.class.as_deref().unwrap_or_default();
        let native = object.classes().property(class, key);
        if object.variable(key).is_some()
            || native.is_none_or(godot_project::PropertyInfo::is_stored)
        {
            return Ok(vec![(key.to_owned(), text.to_owned())]);
        }
        if object.is("Node3D") && PARTS.contains(&key) {
            return self.stored_of_transform(project, place, text);
        }
        if key == "rotation_degrees" {
            let degrees =
                godot_tscn::parse_value(text.as_bytes()).ok().and_then(|value| number(&value));
            let turned = Value::Float(f64::from(radians(degrees.unwrap_or_default() as f32)));
            return Ok(vec![("rotation".to_owned(), text_of(&turned))]);
        }
        if let ("name", Holder::Node(path)) = (key, &place.holder) {
            let reason = format!(
                "`gdscene rename-node` and the operation `rename` change the name of `{path}` and all references to it"
            );
            return Err(EditErrorKind::Refused(reason));
        }
        Err(EditErrorKind::Refused(format!(
            "`{key}` of {} is not saved in scenes{}",
            object.called(),
            self.saved_instead(place).map_or_else(String::new, |other| format!("; set `{other}`"))
        )))
    }

    /// A bone, which comes with its name: Godot saves all that it has.
    fn stored_of_bone(&self, place: &PropertyPlace<'_>, bone: &str, name: &str) -> Stored {
        let section = self.section_of(&place.holder);
        let is_set = |key: &str| {
            section.is_some_and(|section| self.document.property(section, key).is_some())
        };
        let parts =
            BONE.iter().map(|(part, value)| (format!("{bone}/{part}"), (*value).to_owned()));
        let named = [(place.key.clone(), name.to_owned())];
        named.into_iter().chain(parts.filter(|(key, _)| !is_set(key))).collect()
    }

    /// Gives a node the two properties that Godot saves if its thread group is its own, with any values, and nowhere else
    /// (`Node::_validate_property`, scene/main/node.cpp, 4.6.3).
    pub(super) fn sync_thread_group(
        &mut self,
        project: &Project,
        place: &PropertyPlace<'_>,
    ) -> Result<(), EditErrorKind> {
        if place.key != THREAD_GROUP && !OF_THREAD_GROUP.contains(&place.key.as_str()) {
            return Ok(());
        }
        let is_own = self.has_thread_group(project, place);
        for key in OF_THREAD_GROUP {
            let section = self.section_of(&place.holder);
            match section {
                Some(section) if !is_own => _ = self.take(&place.object, section, key),
                Some(section) if self.document.property(section, key).is_none() => {
                    let index = self.index_of(&place.object, section, key);
                    self.document.set_property(section, key, "0", index);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn has_thread_group(&self, project: &Project, place: &PropertyPlace<'_>) -> bool {
        self.current(project, place, THREAD_GROUP).is_some_and(|group| group != "0")
    }

    fn saved_instead(&self, place: &PropertyPlace<'_>) -> Option<String> {
        let local = place.key.strip_prefix("global_")?;
        place.object.property(local).map(|_| local.to_owned())
    }

    /// Checks that no other node of the scene has the unique name: Godot would refuse it without a
    /// warning.
    pub(super) fn check_unique(&self, path: &str) -> Result<(), EditErrorKind> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let other = self.unique_node(name).map(|node| self.nodes.path(node));
        match other.filter(|other| other != path) {
            Some(other) => {
                let reason = format!("`{other}` already has the unique name `%{name}`");
                Err(EditErrorKind::Refused(reason))
            }
            None => Ok(()),
        }
    }

    /// A part of a transform, which is saved as a whole.
    fn stored_of_transform(
        &mut self,
        project: &Project,
        place: &PropertyPlace<'_>,
        text: &str,
    ) -> Result<Stored, EditErrorKind> {
        const KEY: &str = "transform";
        let current = self.current(project, place, KEY);
        let kept = match (&place.holder, &current) {
            (Holder::Node(path), Some(current)) => {
                self.transforms.get(path).filter(|(text, _)| text == current)
            }
            _ => None,
        };
        let mut transform = match (kept, &current) {
            (Some((_, kept)), _) => kept.clone(),
            (None, Some(current)) => godot_tscn::parse_value(current.as_bytes())
                .ok()
                .and_then(|value| Transform::of_value(&value))
                .unwrap_or_else(Transform::identity),
            (None, None) => Transform::identity(),
        };
        let order = self.current(project, place, "rotation_order");
        let order = order.and_then(|order| order.parse().ok()).unwrap_or(YXZ);
        let needs_parts = !matches!(place.key.as_str(), "position" | "basis");
        let value = godot_tscn::parse_value(text.as_bytes()).ok();
        let set = value.and_then(|value| transform.set(&place.key, &value, order));
        if set.is_none() || needs_parts && !transform.is_regular() {
            let reason = format!(
                "`{}` cannot be stored in this `transform`; set the `transform` itself",
                place.key
            );
            return Err(EditErrorKind::Refused(reason));
        }
        let text = text_of(&transform.to_value());
        if let Holder::Node(path) = &place.holder {
            self.transforms.insert(path.clone(), (text.clone(), transform));
        }
        Ok(vec![(KEY.to_owned(), text)])
    }

    /// The value that a property of the same object has now, set or not.
    pub(super) fn current(
        &self,
        project: &Project,
        place: &PropertyPlace<'_>,
        key: &str,
    ) -> Option<String> {
        let section = self.section_of(&place.holder);
        let set = section.and_then(|section| self.document.property(section, key).map(lossy));
        set.or_else(|| self.default_of(project, &place.object, key))
    }
}

impl Object<'_> {
    /// The initial value of a property that is not saved, if it can be set.
    pub(super) fn unsaved_default(&self, key: &str) -> Option<&'static str> {
        if self.is("Node3D") {
            return Some(match key {
                "position" | "rotation" | "rotation_degrees" => "Vector3(0, 0, 0)",
                "scale" => "Vector3(1, 1, 1)",
                "quaternion" => "Quaternion(0, 0, 0, 1)",
                "basis" => "Basis(1, 0, 0, 0, 1, 0, 0, 0, 1)",
                _ => return None,
            });
        }
        let is_turned = self.is("Node2D") || self.is("Control");
        match key {
            "rotation_degrees" if is_turned => Some("0.0"),
            "position" | "size" if self.is("Control") => Some("Vector2(0, 0)"),
            // It is the top left that an inspector goes back to, whatever the class says.
            "anchors_preset" if self.is("Control") => Some("0"),
            _ => None,
        }
    }
}

/// A number of either kind.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Float(number) => Some(*number),
        Value::Int(number) => Some(*number as f64),
        _ => None,
    }
}

pub(super) fn text_of(value: &Value) -> String {
    let text = write_value(value).unwrap_or_default();
    String::from_utf8(text).unwrap_or_default()
}
