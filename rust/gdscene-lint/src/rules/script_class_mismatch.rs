//! RES012

use godot_project::settings::lossy;
use godot_project::{ResolvedPath, SceneContext, ScriptUse};
use godot_tscn::{Applicability, Edit, Fix, Reporter, TagKind, quote};

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports a `script_class` in the header that differs from the `class_name` of the resource's script, or that is
    /// set although the resource has no script.
    ///
    /// ## Why is this bad?
    /// The editor shows the file as the wrong class, and offers it for properties that do not accept it. The next save
    /// changes the field.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_resource type="Resource" script_class="Item" format=3]
    ///
    /// [resource]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_resource type="Resource" format=3]
    ///
    /// [resource]
    /// ```
    ///
    /// ## Fix safety
    /// Safe: Godot does not read the field when it loads the file.
    ///
    /// ## References
    /// `ResourceFormatSaverTextInstance::save` (scene/resources/resource_format_text.cpp)
    "RES012", "script-class-mismatch", Warning
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let Some(header) =
        context.document.sections().next().filter(|header| header.kind() == TagKind::GdResource)
    else {
        return;
    };
    let Some(field) = header.field("script_class") else { return };
    let Some(given) = field.text().map(|text| lossy(&text)) else { return };
    if context.hides_sections || context.document.is_incomplete() {
        return;
    }
    let right = match context.facts.resource_script {
        ScriptUse::Unset | ScriptUse::Removed => None,
        ScriptUse::Inline => return,
        ScriptUse::External(index) => {
            let ResolvedPath::File(file) = context.targets()[index as usize] else { return };
            let Some(script) = context.project.scripts().script(file) else { return };
            if !script.is_complete {
                return;
            }
            script.class_name.clone()
        }
    };
    if right.as_deref() == Some(given.as_str()) {
        return;
    }
    let given = quote(given.as_bytes());
    let (message, title, edit) = match (&right, context.facts.resource_script) {
        (Some(right), _) => (
            format!("the class of the resource's script is `{right}`, not {given}"),
            format!("write `{right}`"),
            Edit::replace(field.value_span(), format!("\"{right}\"")),
        ),
        (None, ScriptUse::External(_)) => (
            format!("the resource's script has no `class_name`, but the header contains {given}"),
            "remove the field".to_owned(),
            remove(context, field),
        ),
        (None, _) => (
            format!("the resource has no script, but the header contains {given}"),
            "remove the field".to_owned(),
            remove(context, field),
        ),
    };
    let diagnostic = reporter.report(field.span(), message);
    diagnostic.consequence("the editor treats the file as another class");
    diagnostic.fix(Fix::new(title, Applicability::Safe, vec![edit]));
}

/// The field with the blank before it.
fn remove(context: &SceneContext<'_>, field: godot_tscn::Field<'_>) -> Edit {
    let span = field.span();
    let before = &context.document.text()[..span.start as usize];
    let blanks = before.iter().rev().take_while(|byte| **byte == b' ').count() as u32;
    Edit::remove(godot_tscn::Span::new(span.start - blanks, span.end))
}
