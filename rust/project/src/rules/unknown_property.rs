//! TREE015

use tscn::{Applicability, Edit, Fix, Property, Reporter, Section, Span, TagKind, quote};

use crate::class_db::{Class, nearest};
use crate::lint::SceneContext;
use crate::object_type::{Member, ObjectType};
use crate::rules::{declare_rule, not_convertible};
use crate::settings::lossy;

declare_rule! {
    /// ## What it does
    /// Reports a property that neither the class nor the script of its node or resource has. Where the script cannot be
    /// read fully, or decides by `_set`, `_get` or `_get_property_list` what properties it has, nothing is reported.
    ///
    /// ## Why is this bad?
    /// Godot drops the value without a warning, and the next save removes it.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// positoin = Vector2(1, 2)
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// position = Vector2(1, 2)
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: a value that was dropped takes effect.
    ///
    /// ## References
    /// `Object::set` (core/object/object.cpp)
    "TREE015", "unknown-property", Warning
}

/// Which of its groups the editor of Godot 3.0 showed closed.
const EDITOR_STATE: &str = "_sections_unfolded";

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    // What older names Godot 4 takes, its classes tell. What Godot 3 takes of those of Godot 2, nothing does.
    if context.is_older_than_project() && !context.is_for_godot_4() {
        return;
    }
    for (section, property, key) in properties(context) {
        let attached = context.attached(section);
        if !matches!(attached.property(&key), Member::Nothing) {
            continue;
        }
        let native = attached.native().unwrap_or_default();
        if key == EDITOR_STATE || is_told_elsewhere(context, section, native, &key) {
            continue;
        }
        let near = nearest_property(context, &attached, &key);
        let message = lacks(&attached, "property", &key, near.as_deref());
        let diagnostic = reporter.report(property.engine_key_span(), message);
        let value = quote(property.source());
        diagnostic.consequence(format!("Godot drops {value}, and the next save removes it"));
        if let Some(near) = near {
            let is_free =
                !section.properties().any(|other| other.key().as_ref() == near.as_bytes());
            if is_free {
                let edits = renamed(section, property, &near);
                let title = format!("write `{near}`");
                diagnostic.fix(Fix::new(title, Applicability::Unsafe, edits));
            }
        }
    }
}

/// `Hero` (`hero.gd`) has no property `hight`; did you mean `height`?
pub(super) fn lacks(object: &ObjectType<'_>, what: &str, name: &str, near: Option<&str>) -> String {
    let hint = near.map(|near| format!("; did you mean {}?", quote(near.as_bytes())));
    let name = quote(name.as_bytes());
    format!("{} has no {what} {name}{}", object.called(), hint.unwrap_or_default())
}

/// Whether another rule says what becomes of the property: `renamed-property`, `not-convertible`, or `class-not-node`, where
/// Godot makes no object of the class.
fn is_told_elsewhere(
    context: &SceneContext<'_>,
    section: Section<'_>,
    native: &str,
    key: &str,
) -> bool {
    let classes = context.project.classes();
    let is_abstract = |class: Class<'_>| !class.is_instantiable() && !class.is_editor_only();
    classes.renamed_property(native, key).is_some()
        || not_convertible::is_told(context, section, key)
        || (section.kind() != TagKind::Node && classes.class(native).is_some_and(is_abstract))
}

/// The property with this name, which `node_paths` may list too.
fn renamed(section: Section<'_>, property: Property<'_>, name: &str) -> Vec<Edit> {
    let mut edits = vec![Edit::replace(property.key_span(), name)];
    if let Some(field) = section.field("node_paths") {
        let (tree, key) = (field.value_tree(), property.engine_key());
        let entries = tree.root().children().filter(|part| part.text().as_ref() == Some(&key));
        edits.extend(entries.map(|part| Edit::replace(part.span(), format!("\"{name}\""))));
    }
    edits
}

/// The properties of all nodes and resources, with the keys as Godot reads them.
pub(super) fn properties<'c>(
    context: &'c SceneContext<'_>,
) -> impl Iterator<Item = (Section<'c>, Property<'c>, String)> {
    let document = context.document;
    let has_object = |section: &Section<'_>| {
        matches!(section.kind(), TagKind::Node | TagKind::SubResource | TagKind::Resource)
    };
    document.sections().filter(has_object).flat_map(|section| {
        section.properties().map(move |property| (section, property, lossy(&property.engine_key())))
    })
}

/// The whole line of a property, for a fix that takes it away.
pub(super) fn line_of(context: &SceneContext<'_>, property: Property<'_>) -> Span {
    let text = context.document.text();
    let (start, mut end) = (property.engine_key_span().start, property.value_span().end);
    while text.get(end as usize).is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
        end += 1;
    }
    if text.get(end as usize) == Some(&b'\n') {
        Span::new(start, end + 1)
    } else {
        Span::new(start, property.value_span().end)
    }
}

pub(super) fn nearest_property(
    context: &SceneContext<'_>,
    attached: &ObjectType<'_>,
    key: &str,
) -> Option<String> {
    let classes = context.project.classes();
    let scripts = attached.scripts().flat_map(|script| script.variables.iter());
    let exported =
        scripts.filter(|variable| variable.is_exported).map(|variable| variable.name.as_str());
    let native = classes.lineage(attached.native()?).flat_map(Class::property_names);
    context.suggestions.spend().then(|| nearest(key, exported.chain(native)).map(str::to_owned))?
}
