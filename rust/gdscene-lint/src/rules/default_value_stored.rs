//! STY009

use godot_project::SceneContext;
use godot_project::assignments::{Assignment, Target};
use godot_tscn::{
    Applicability, Edit, Fix, PartKind, Property, Reporter, Section, TagKind, ValueTree, quote,
};

use crate::rules::declare_rule;
use crate::rules::unknown_property::line_of;

declare_rule! {
    /// ## What it does
    /// Reports a property of a Godot class that stores its default value. The rule knows the defaults of Godot 3.6 and
    /// 4.6, and ignores projects of other versions.
    ///
    /// ## Why is this bad?
    /// The next save drops the line, which causes an unrelated change in version control.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// rotation = 0.0
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: a setter may do more than set the value, and another Godot version may have a different default.
    ///
    /// ## References
    /// `PropertyUtils::get_property_default_value` (scene/property_utils.cpp)
    "STY009", "default-value-stored", Info, off_by_default
}

/// Properties that Godot 4 writes with their default too: `_property_get_revert` of the class knows no default for them.
const ALWAYS_WRITTEN: [(&str, &str); 1] = [("ShaderMaterial", "render_priority")];

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let classes = context.project.classes();
    for Assignment { section, property, key, object, target } in context.assignments() {
        let (section, property) = (*section, *property);
        // A property that an instance changes has the instanced scene's value for its default.
        if section.kind() == TagKind::Node
            && (section.field("type").is_none() || section.field("instance").is_some())
        {
            continue;
        }
        let Some(class) = object.native() else { continue };
        if !matches!(target, Target::Native(found) if found.is_stored()) {
            continue;
        }
        if ALWAYS_WRITTEN.contains(&(class, key.as_ref())) {
            continue;
        }
        let Some(default) = classes.default(class, key) else { continue };
        if !is_same(property, default) {
            continue;
        }
        let message = format!("{} has its default value", quote(key.as_bytes()));
        let diagnostic = reporter.report(property.engine_key_span(), message);
        diagnostic.consequence("the next save drops it");
        if is_alone_in_line(context, section, property) {
            let edit = Edit::remove(line_of(context, property));
            diagnostic.fix(Fix::new("remove the line", Applicability::Unsafe, vec![edit]));
        }
    }
}

/// Whether the value is written as the default, except for blanks and the form of numbers.
pub(super) fn is_same(property: Property<'_>, default: &str) -> bool {
    let (left, right) = (property.value_tree(), ValueTree::new(default.as_bytes()));
    let (left, right) = (left.root(), right.root());
    match (left.kind(), right.kind()) {
        (PartKind::Number, PartKind::Number) => left.number() == right.number(),
        (PartKind::Numbers, PartKind::Numbers) => {
            let value = |text: &[u8]| {
                std::str::from_utf8(text).ok().and_then(|text| text.parse::<f64>().ok())
            };
            left.name() == right.name()
                && left.number_count() == right.number_count()
                && left
                    .numbers()
                    .zip(right.numbers())
                    .all(|(left, right)| value(left).is_some() && value(left) == value(right))
        }
        _ => left.source() == right.source(),
    }
}

/// Whether nothing else is before the property in its line.
fn is_alone_in_line(
    context: &SceneContext<'_>,
    section: Section<'_>,
    property: Property<'_>,
) -> bool {
    let start = property.engine_key_span().start;
    let before = &context.document.text()[section.tag_span().start as usize..start as usize];
    before.ends_with(b"\n") && property.engine_key_span() == property.key_span()
}
