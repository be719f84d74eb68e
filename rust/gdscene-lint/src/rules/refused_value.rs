//! TREE022

use godot_project::SceneContext;
use godot_project::assignments::{Assignment, Target};
use godot_project::class_db::{Beyond, Limits};
use godot_project::lengths::{Effect, wrong_lengths};
use godot_tscn::{Applicability, Edit, Fix, GodotVersion, Property, Reporter, ValueKind, quote};

use crate::rules::unknown_property::line_of;
use crate::rules::{animation_libraries, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a value that the property does not accept.
    ///
    /// It reports:
    ///
    /// - a number outside the limits, such as 10000 for `max_contacts_reported`, or a `value` outside the range of a
    ///   slider
    /// - a list of the wrong length, such as 5 numbers for the cells of a `GridMap`
    /// - an animation library that the node already has
    /// - a transition to a missing state
    /// - cells of a source that the tile set lacks
    /// - a property that another one disables, such as `button_pressed` without `toggle_mode`
    /// - a property that no longer has an effect and only makes Godot warn, such as `graph_offset`
    ///
    /// ## Why is this bad?
    /// Godot logs an error or a warning whenever it loads the file, and the property keeps its default value. The next
    /// save in the editor removes the number or the list. Godot drops or changes some values without an error.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Timer"]
    /// wait_time = 0.0
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Timer"]
    /// wait_time = 0.001
    /// ```
    ///
    /// ## Fix safety
    /// Safe: removes a property without effect. A number has no fix, because the rule cannot determine the intended
    /// number.
    ///
    /// ## References
    /// The setters of the classes, whose limits were measured in Godot 4.6.3; `RigidBody3D::set_max_contacts_reported`
    /// (scene/3d/physics/rigid_body_3d.cpp), `VisualShader::set_graph_offset` (scene/resources/visual_shader.cpp)
    "TREE022", "refused-value", Warning
}

/// Properties with setters that only warn in Godot 4.6 (`WARN_DEPRECATED_MSG`), by class.
const WITHOUT_EFFECT: &[(&str, &str)] = &[("VisualShader", "graph_offset")];

/// Other versions may have other limits.
const VERSIONS: std::ops::RangeInclusive<GodotVersion> =
    GodotVersion::godot4(0)..=GodotVersion::godot4(6);

pub(super) const REFUSED: &str =
    "Godot logs an error whenever it loads the file, and does not set the property";

const CHANGED: &str = "Godot sets a different number without an error";

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let version = context.project.settings().version;
    if context.is_older_than_project()
        || version.is_some_and(|version| !VERSIONS.contains(&version))
    {
        return;
    }
    check_lengths(context, reporter);
    animation_libraries::check(context, reporter);
    let classes = context.project.classes();
    let warns = version.is_none_or(|version| version >= *VERSIONS.end());
    for found in context.assignments() {
        let Assignment { property, key, .. } = found;
        let Some(class) = found.object.native() else { continue };
        let is_without_effect =
            |(of, name): &(&str, &str)| **name == **key && classes.inherits(class, of);
        if warns && WITHOUT_EFFECT.iter().any(is_without_effect) {
            let edit = Edit::remove(line_of(context, *property));
            reporter
                .report(property.key_span(), format!("{} has no effect", quote(key.as_bytes())))
                .consequence("Godot prints a warning when it loads the file")
                .fix(Fix::new("remove the property", Applicability::Safe, vec![edit]));
            continue;
        }
        let may_be_number = matches!(
            property.kind(),
            ValueKind::Int | ValueKind::Float | ValueKind::Invalid | ValueKind::Construct
        );
        if !may_be_number || !matches!(found.target, Target::Native(_)) {
            continue;
        }
        let limits = classes.lineage(class).find_map(|class| Limits::of(class.name(), key));
        let beyond = |limits: Limits| {
            let mut numbers = numbers(*property).into_iter();
            Some((limits, numbers.find_map(|number| limits.beyond(number))?))
        };
        let Some((limits, beyond)) = limits.and_then(beyond) else { continue };
        let message = format!("{} takes {}", quote(key.as_bytes()), limits.describe());
        let consequence = match beyond {
            Beyond::Refused => REFUSED,
            Beyond::Changed => CHANGED,
        };
        reporter.report(property.value_span(), message).consequence(consequence);
    }
}

/// A number, or the components of a vector.
fn numbers(property: Property<'_>) -> Vec<f64> {
    let tree = property.value_tree();
    let root = tree.root();
    let parse = |number: &[u8]| std::str::from_utf8(number).ok()?.parse().ok();
    match root.name() {
        b"Vector2" | b"Vector2i" | b"Vector3" | b"Vector3i" => {
            root.numbers().filter_map(parse).collect()
        }
        _ => root.number().into_iter().collect(),
    }
}

fn check_lengths(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    for found in wrong_lengths(context) {
        let consequence = match found.effect {
            Effect::Refused => REFUSED.to_owned(),
            Effect::Ignored => "Godot does not set the property, and prints no error".to_owned(),
            Effect::Other(other) => other,
        };
        reporter.report(found.span, found.problem).consequence(consequence);
    }
}
