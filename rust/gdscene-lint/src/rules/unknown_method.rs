//! SIG003

use std::cell::OnceCell;

use godot_project::class_db::nearest;
use godot_project::object_type::Member;
use godot_project::tree::Uses;
use godot_project::{Class, SceneContext};
use godot_tscn::{Applicability, Edit, Field, Fix, Reporter, Section};

use crate::rules::declare_rule;
use crate::rules::unknown_property::lacks;
use crate::rules::unknown_signal::{connections, text};

declare_rule! {
    /// ## What it does
    /// Reports a connection to a method that neither the class nor the script of the node has. A virtual method such as
    /// `_ready` counts only if the script has it. The rule does not report anything if it cannot read the script
    /// completely, or if a scene that instances or inherits this one gives the node a script with the method.
    ///
    /// ## Why is this bad?
    /// When the signal is emitted, Godot does not call anything. Godot 4 prints no error; Godot 3 prints one. Godot 4
    /// does not make a connection with `binds` or `unbinds` at all, and the next save removes it. Such a connection
    /// needs the method when this scene is instantiated, before another scene changes its nodes.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Button"]
    ///
    /// [connection signal="pressed" from="." to="." method="hyde"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Button"]
    ///
    /// [connection signal="pressed" from="." to="." method="hide"]
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: the signal calls a method that it did not call before.
    ///
    /// ## References
    /// `SceneState::instantiate` (scene/resources/packed_scene.cpp), `Object::emit_signalp` (core/object/object.cpp)
    "SIG003", "unknown-method", Error
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let uses = OnceCell::new();
    for section in connections(context) {
        let (Some(field), Some(to)) = (section.field("method"), text(section, "to")) else {
            continue;
        };
        let Some(method) = text(section, "method") else { continue };
        let target = context.attached_at(&to);
        let is_virtual = target.lacks_virtual(&method);
        if !is_virtual && !matches!(target.method(&method), Member::Nothing) {
            continue;
        }
        let is_bound = is_bound(section) && !context.is_for_godot_3();
        let from_outside = |file| {
            let uses = uses.get_or_init(|| Uses::of(context.project, file));
            uses.give_script(context.project, &to, |chain| chain.function(&method).is_some())
        };
        if !is_bound && context.file.is_some_and(from_outside) {
            continue;
        }
        let native = target.native().unwrap_or_default();
        let own = target
            .scripts()
            .flat_map(|script| script.functions.iter().map(|function| function.name.as_str()));
        let inherited = context.project.classes().lineage(native).flat_map(Class::method_names);
        // Godot's classes have no handlers such as `_on_pressed`.
        let inherited = inherited.filter(|_| !method.starts_with('_'));
        let near = context
            .suggestions
            .spend()
            .then(|| nearest(&method, own).or_else(|| nearest(&method, inherited)))
            .flatten()
            .filter(|_| !is_virtual);
        let what = if is_virtual { "implementation of the virtual method" } else { "method" };
        let message = lacks(&target, what, &method, near);
        let diagnostic = reporter.report(field.value_span(), message);
        diagnostic.consequence(match (is_bound, context.is_for_godot_3()) {
            (true, _) => "Godot does not make the connection, and the next save removes it",
            (_, true) => {
                "Godot prints an error when the signal is emitted, and does not call a method"
            }
            _ => "when the signal is emitted, Godot does not call a method and prints no error",
        });
        if let Some(near) = near {
            let edit = Edit::replace(field.value_span(), format!("\"{near}\""));
            diagnostic.fix(Fix::new(format!("write `{near}`"), Applicability::Unsafe, vec![edit]));
        }
    }
}

/// Whether Godot makes a callable of its own for the connection, which has to be valid at once.
fn is_bound(section: Section<'_>) -> bool {
    let binds = section.field("binds");
    let unbinds = section.field("unbinds").and_then(Field::int);
    unbinds.is_some_and(|count| count > 0)
        || binds.is_some_and(|field| field.value_tree().root().children().count() > 0)
}
