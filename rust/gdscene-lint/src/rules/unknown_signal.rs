//! SIG002

use godot_project::class_db::nearest;
use godot_project::object_type::Member;
use godot_project::settings::lossy;
use godot_project::{Class, SceneContext};
use godot_tscn::{Applicability, Edit, Fix, Reporter, Section, TagKind};

use crate::rules::declare_rule;
use crate::rules::unknown_property::lacks;

declare_rule! {
    /// ## What it does
    /// Reports a connection from a signal that neither the class nor the script of the node has. The rule does not
    /// report anything if it cannot read the script completely, or if the script adds signals with `add_user_signal`.
    ///
    /// ## Why is this bad?
    /// Godot prints `Attempt to connect nonexistent signal` and does not make the connection, and the next save
    /// removes it.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Button"]
    ///
    /// [connection signal="presed" from="." to="." method="hide"]
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
    /// Unsafe: the fix makes a connection that did not exist before.
    ///
    /// ## References
    /// `Object::connect` (core/object/object.cpp)
    "SIG002", "unknown-signal", Error
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    for section in connections(context) {
        let (Some(field), Some(from)) = (section.field("signal"), text(section, "from")) else {
            continue;
        };
        let Some(signal) = text(section, "signal") else { continue };
        let source = context.attached_at(&from);
        if !matches!(source.signal(&signal), Member::Nothing) {
            continue;
        }
        let native = source.native().unwrap_or_default();
        let classes = context.project.classes();
        let own = source
            .scripts()
            .flat_map(|script| script.signals.iter().map(|signal| signal.name.as_str()));
        let inherited = classes.lineage(native).flat_map(Class::signal_names);
        let near = match classes.renamed_signal(native, &signal) {
            Some(renamed) => Some(renamed),
            None if context.suggestions.spend() => nearest(&signal, own.chain(inherited)),
            None => None,
        };
        let message = lacks(&source, "signal", &signal, near);
        let diagnostic = reporter.report(field.value_span(), message);
        diagnostic.consequence("Godot does not make the connection, and the next save removes it");
        if let Some(near) = near {
            let edit = Edit::replace(field.value_span(), format!("\"{near}\""));
            diagnostic.fix(Fix::new(format!("write `{near}`"), Applicability::Unsafe, vec![edit]));
        }
    }
}

/// The `connection` tags that could be read.
pub(super) fn connections<'c>(context: &'c SceneContext<'_>) -> impl Iterator<Item = Section<'c>> {
    let is_clear = !context.hides_sections && !context.document.is_incomplete();
    let sections = context.document.sections().filter(move |_| is_clear);
    sections.filter(|section| section.kind() == TagKind::Connection && !section.is_broken())
}

pub(super) fn text(section: Section<'_>, field: &str) -> Option<String> {
    section.field_text(field).map(|text| lossy(&text))
}
