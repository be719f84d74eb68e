//! TREE006

use std::cell::LazyCell;

use godot_project::SceneContext;
use godot_project::node_paths::exported_paths;
use godot_project::settings::lossy;
use godot_tscn::{
    Applicability, Edit, Field, Fix, PartKind, Property, Reporter, Section, Severity, Span,
    TagKind, quote, quoted_name,
};
use hashbrown::{HashMap, HashSet};
use memchr::memmem;

use crate::rules::declare_rule;

declare_rule! {
    in_place_of_tscn
    /// ## What it does
    /// Reports a name in `node_paths` if the node has no property of this name here, or if the value is neither a
    /// `NodePath` nor a list of them. If neither the class nor the script has the property, `unknown-property` reports
    /// it instead. Also reports the paths of a variable that takes nodes if `node_paths` does not list the variable.
    ///
    /// ## Why is this bad?
    /// Godot looks for a node at the path and sets the property to it, so a value that is not a path becomes `null`.
    /// For a variable that is not listed, Godot does not look for nodes and drops the paths.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node" node_paths=PackedStringArray("target")]
    /// target = 5
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://seeker.gd" id="1"]
    ///
    /// [node name="A" type="Node" node_paths=PackedStringArray("target")]
    /// script = ExtResource("1")
    /// target = NodePath(".")
    /// ```
    ///
    /// ## Fix safety
    /// Safe: adds a variable that takes nodes to `node_paths`.
    ///
    /// ## References
    /// `SceneState::instantiate` (scene/resources/packed_scene.cpp)
    "TREE006", "node-paths-field-mismatch", Error
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    for section in context.document.sections() {
        if section.kind() == TagKind::Node {
            check_unlisted(context, section, reporter);
        }
        let Some(field) = section.field("node_paths") else { continue };
        let tree = field.value_tree();
        // The last one of several.
        let properties: HashMap<_, _> =
            section.properties().map(|property| (property.engine_key(), property)).collect();
        for part in tree.root().children() {
            let Some(name) = part.text() else { continue };
            let found = (properties.get(&name).copied(), part.span());
            check_name(&name, found, reporter);
        }
    }
}

fn check_name(
    name: &[u8],
    (property, span): (Option<Property<'_>>, Span),
    reporter: &mut Reporter<'_>,
) {
    let quoted = quote(name);
    let Some(property) = property else {
        let diagnostic = reporter.report(span, format!("the node has no property {quoted} here"));
        diagnostic.severity = Severity::Warning;
        diagnostic.consequence("the name has no effect");
        return;
    };
    if !holds_paths(property) {
        let message = format!("{quoted} must be a path to a node, because `node_paths` lists it");
        reporter
            .report(property.value_span(), message)
            .consequence("Godot does not find a node, and sets the property to `null`");
    }
}

/// Reports paths of variables that take nodes, which `node_paths` does not list.
fn check_unlisted(context: &SceneContext<'_>, section: Section<'_>, reporter: &mut Reporter<'_>) {
    let listed = LazyCell::new(|| exported_paths(section));
    let is_unlisted = |property: &Property<'_>| {
        let key = property.engine_key();
        if memmem::find(property.source(), b"NodePath(").is_none() || listed.contains(key.as_ref())
        {
            return false;
        }
        let holds = context.attached(section).variable_type(&lossy(&key));
        holds.is_some_and(|holds| holds.holds_nodes())
    };
    let unlisted: Vec<Property<'_>> = section.properties().filter(is_unlisted).collect();
    for property in &unlisted {
        let key = quote(&property.engine_key());
        reporter
            .report(
                property.key_span(),
                format!("{key} takes nodes, and `node_paths` does not list it"),
            )
            .consequence("Godot does not look for a node, and drops the path")
            .fix(Fix::new(
                "list it",
                Applicability::Safe,
                vec![listing(section, &listed, &unlisted)],
            ));
    }
}

/// Lists more variables, in the order of the properties as Godot does.
fn listing(section: Section<'_>, listed: &HashSet<Vec<u8>>, more: &[Property<'_>]) -> Edit {
    let is_listed = |property: &Property<'_>| {
        let key = property.engine_key();
        listed.contains(key.as_ref()) || more.iter().any(|other| other.engine_key() == key)
    };
    let here = section.properties().filter(is_listed);
    let keys: Vec<Vec<u8>> = here.map(|property| property.engine_key().into_owned()).collect();
    let mut absent: Vec<&Vec<u8>> = listed.iter().filter(|name| !keys.contains(name)).collect();
    absent.sort();
    let mut names: Vec<String> =
        keys.iter().chain(absent).map(|name| quoted_name(&lossy(name))).collect();
    names.dedup();
    let list = format!("PackedStringArray({})", names.join(", "));
    if let Some(field) = section.field("node_paths") {
        return Edit::replace(field.value_span(), list);
    }
    let follows = |field: &Field<'_>| {
        matches!(field.name(), b"groups" | b"instance" | b"instance_placeholder")
    };
    match (section.fields().find(follows), section.fields().last()) {
        (Some(next), _) => Edit::insert(next.span().start, format!("node_paths={list} ")),
        (None, Some(last)) => Edit::insert(last.span().end, format!(" node_paths={list}")),
        (None, None) => Edit::insert(section.name_span().end, format!(" node_paths={list}")),
    }
}

/// Whether the value is a `NodePath`, `null`, or made of them.
fn holds_paths(property: Property<'_>) -> bool {
    let tree = property.value_tree();
    let root = tree.root();
    match root.kind() {
        PartKind::Array | PartKind::Dictionary | PartKind::Typed => true,
        // Godot converts it.
        PartKind::String => true,
        PartKind::Word => root.source() == b"null",
        _ => root.name() == b"NodePath",
    }
}
