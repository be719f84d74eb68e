//! TREE022

use godot_project::SceneContext;
use godot_project::assignments::{Assignment, Target};
use godot_project::class_db::Limits;
use godot_project::lengths::{Effect, wrong_lengths};
use godot_tscn::{Applicability, Edit, Fix, GodotVersion, Reporter, ValueKind, quote};

use crate::rules::unknown_property::line_of;
use crate::rules::{animation_libraries, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a value that the property does not take: a number such as 10000 for `max_contacts_reported`, a list of a
    /// wrong length such as 5 numbers for the cells of a `GridMap`, an animation library that the node has already, a
    /// transition to a missing state, cells of a source that the tile set lacks. So are properties that have no effect any
    /// more and only make Godot warn, such as `graph_offset`.
    ///
    /// ## Why is this bad?
    /// Godot logs an error or a warning whenever it loads the file, and the property keeps its default value. The next save
    /// in the editor removes the number or the list. Some lists Godot drops without an error, or it cuts another one.
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
    /// Safe: a property without effect is removed. A number has no fix: which one was meant is not known.
    ///
    /// ## References
    /// The setters of the classes, which Godot 4.6.3 was asked for its limits with; `RigidBody3D::set_max_contacts_reported`
    /// (scene/3d/physics/rigid_body_3d.cpp), `VisualShader::set_graph_offset` (scene/resources/visual_shader.cpp)
    "TREE022", "refused-value", Warning
}

/// Properties whose setters do nothing but warn in Godot 4.6 (`WARN_DEPRECATED_MSG`), by class.
const WITHOUT_EFFECT: &[(&str, &str)] = &[("VisualShader", "graph_offset")];

/// Of others the limits may be other ones.
const VERSIONS: std::ops::RangeInclusive<GodotVersion> =
    GodotVersion::godot4(0)..=GodotVersion::godot4(6);

pub(super) const REFUSED: &str =
    "Godot logs an error whenever it loads the file, and does not set the property";

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
                .consequence("Godot warns of it when it loads the file")
                .fix(Fix::new("remove it", Applicability::Safe, vec![edit]));
            continue;
        }
        let may_be_number =
            matches!(property.kind(), ValueKind::Int | ValueKind::Float | ValueKind::Invalid);
        if !may_be_number || !matches!(found.target, Target::Native(_)) {
            continue;
        }
        let Some(number) = property.value_tree().root().number() else { continue };
        let limits = classes.lineage(class).find_map(|class| Limits::of(class.name(), key));
        let Some(limits) = limits.filter(|limits| !limits.take(number)) else { continue };
        let message = format!("{} takes {}", quote(key.as_bytes()), limits.describe());
        reporter.report(property.value_span(), message).consequence(REFUSED);
    }
}

fn check_lengths(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    for found in wrong_lengths(context) {
        let consequence = match found.effect {
            Effect::Refused => REFUSED.to_owned(),
            Effect::Ignored => {
                "Godot does not set the property, without an error in the log".to_owned()
            }
            Effect::Other(other) => other,
        };
        reporter.report(found.span, found.problem).consequence(consequence);
    }
}
