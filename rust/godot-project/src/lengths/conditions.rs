//! Properties that Godot keeps only while another property of the object has certain values.

use godot_tscn::{Property, quote};

use super::{Effect, WrongLength, whole_number, whole_number_of};
use crate::SceneContext;
use crate::keys::Keys;

/// A property, and the numbers of another property that make Godot drop it. Conditions count as 0 and 1.
pub(super) struct Condition {
    pub(super) class: &'static str,
    pub(super) property: &'static str,
    other: &'static str,
    dropped_at: &'static [i64],
    by: By,
}

/// The place where Godot drops the value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// The setter refuses it, so only values before it in the file count.
    Setter,
    /// The saver leaves it out.
    Saver,
}

const fn row(
    by: By,
    class: &'static str,
    property: &'static str,
    other: &'static str,
    dropped_at: &'static [i64],
) -> Condition {
    Condition { class, property, other, dropped_at, by }
}

/// Found by setting each pair of properties of each class in Godot 4.6.3. `scripts/test/scenes/lengths.sh` compares them.
pub(super) const CONDITIONS: &[Condition] = &[
    row(
        By::Saver,
        "AnimationNodeStateMachine",
        "allow_transition_to_self",
        "state_machine_type",
        &[2],
    ),
    row(By::Saver, "AnimationNodeStateMachine", "reset_ends", "state_machine_type", &[2]),
    row(
        By::Saver,
        "AnimationPlayer",
        "playback_auto_capture_duration",
        "playback_auto_capture",
        &[0],
    ),
    row(
        By::Saver,
        "AnimationPlayer",
        "playback_auto_capture_ease_type",
        "playback_auto_capture",
        &[0],
    ),
    row(
        By::Saver,
        "AnimationPlayer",
        "playback_auto_capture_transition_type",
        "playback_auto_capture",
        &[0],
    ),
    row(By::Setter, "BaseButton", "button_pressed", "toggle_mode", &[0]),
    row(By::Saver, "CSGPolygon3D", "depth", "mode", &[1, 2]),
    row(By::Saver, "FogVolume", "size", "shape", &[4]),
    row(By::Setter, "GraphElement", "selected", "selectable", &[0]),
    row(By::Saver, "NavigationAgent3D", "keep_y_velocity", "use_3d_avoidance", &[1]),
    row(By::Saver, "Node3D", "rotation_order", "rotation_edit_mode", &[1, 2]),
    row(By::Saver, "RetargetModifier3D", "enable", "use_global_pose", &[1]),
    row(By::Setter, "RigidBody2D", "center_of_mass", "center_of_mass_mode", &[0]),
    row(By::Setter, "RigidBody3D", "center_of_mass", "center_of_mass_mode", &[0]),
    row(By::Saver, "Window", "position", "initial_position", &[1, 2, 3, 4, 5]),
];

impl Condition {
    /// Why Godot drops the property of a new object of `class`.
    pub(super) fn wrong<'c>(
        &self,
        context: &SceneContext<'c>,
        class: &str,
        keys: &Keys<'c>,
        property: Property<'c>,
    ) -> Option<WrongLength<'c>> {
        let classes = context.project.classes();
        let is_default = |default: &str| default.as_bytes() == property.source();
        if classes.default(class, self.property).is_some_and(is_default) {
            return None;
        }
        let given = match self.by {
            By::Setter => keys.before(property, self.other),
            By::Saver => keys.last(self.other),
        };
        let value = match given {
            Some(given) => whole_number(&given)?,
            None => whole_number_of(classes.default(class, self.other)?.as_bytes())?,
        };
        self.dropped_at.contains(&value).then(|| {
            let is_bool = classes.property(class, self.other)?.type_name() == "bool";
            let value = match (is_bool, value) {
                (true, value) => (value != 0).to_string(),
                (false, value) => value.to_string(),
            };
            let (name, other) = (quote(self.property.as_bytes()), quote(self.other.as_bytes()));
            let is_later = given.is_none() && keys.last(self.other).is_some();
            let problem = match is_later {
                true => format!("{name} needs {other} before it"),
                false => format!("{name} has no effect while {other} is `{value}`"),
            };
            let effect = match self.by {
                By::Setter => "Godot does not set it, and the next save removes it",
                By::Saver => "the next save removes it",
            };
            let effect = Effect::Other(effect.to_owned());
            Some(WrongLength { property, span: property.key_span(), problem, effect })
        })?
    }
}
