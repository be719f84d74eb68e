//! TREE016

use hashbrown::HashSet;
use tscn::{Findings, PartKind, PartRef, ValueTree, quote};

use crate::attached::Has;
use crate::lint::SceneContext;
use crate::project::Target;
use crate::rules::declare_rule;
use crate::rules::node_paths_field_mismatch::exported_paths;
use crate::rules::unknown_property::properties;
use crate::settings::lossy;

declare_rule! {
    /// ## What it does
    /// Reports a value that Godot cannot convert to the type of its property, or a resource of a class that the property
    /// does not accept. Of scripts, only variables with an explicit built-in type are checked.
    ///
    /// ## Why is this bad?
    /// Godot drops the value without a warning, and the next save removes it.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// position = "left"
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// position = Vector2(-10, 0)
    /// ```
    ///
    /// ## References
    /// `ClassDB::set_property` (core/object/class_db.cpp), `Variant::can_convert_strict` (core/variant/variant.cpp)
    "TREE016", "property-type-mismatch", Warning
}

const CONSEQUENCE: &str = "Godot drops the value, and the next save removes it";

/// What is converted besides equal types: the wanted type, and those that become it (`Variant::can_convert_strict`, Godot
/// 4.6.3). Some that only scripts convert are among them.
const CONVERSIONS: &[(&str, &[&str])] = &[
    ("bool", &["int", "float"]),
    ("int", &["bool", "float"]),
    ("float", &["bool", "int"]),
    ("String", &["NodePath", "StringName"]),
    ("StringName", &["String"]),
    ("NodePath", &["String"]),
    ("Vector2", &["Vector2i"]),
    ("Vector2i", &["Vector2"]),
    ("Rect2", &["Rect2i"]),
    ("Rect2i", &["Rect2"]),
    ("Vector3", &["Vector3i"]),
    ("Vector3i", &["Vector3"]),
    ("Vector4", &["Vector4i"]),
    ("Vector4i", &["Vector4"]),
    ("Transform2D", &["Transform3D"]),
    ("Transform3D", &["Transform2D", "Quaternion", "Basis", "Projection"]),
    ("Basis", &["Quaternion"]),
    ("Quaternion", &["Basis"]),
    ("Projection", &["Transform3D"]),
    ("Color", &["String", "int"]),
    ("RID", &["Object"]),
];

/// Types whose values are told from all others by how they are written.
const PLAIN: &[&str] = &[
    "bool",
    "int",
    "float",
    "String",
    "StringName",
    "NodePath",
    "Vector2",
    "Vector2i",
    "Rect2",
    "Rect2i",
    "Vector3",
    "Vector3i",
    "Vector4",
    "Vector4i",
    "Transform2D",
    "Transform3D",
    "Basis",
    "Quaternion",
    "Plane",
    "AABB",
    "Projection",
    "Color",
    "Array",
    "Dictionary",
];

fn check(context: &SceneContext<'_>, findings: &mut Findings<'_>) {
    if context.is_older_than_project() {
        return;
    }
    let mut exported = (u32::MAX, HashSet::new());
    for (section, property, key) in properties(context) {
        if exported.0 != section.index() {
            exported = (section.index(), exported_paths(section));
        }
        // What is not for people is declared with any type: `_data` of a `Curve` as a number.
        if key == "script" || key.starts_with('_') || exported.1.contains(key.as_bytes()) {
            continue;
        }
        let attached = context.attached(section);
        let wanted = match attached.property(&key) {
            Has::Native(found) => found.type_name().to_owned(),
            Has::Script(variable) => match &variable.type_name {
                Some(name) if PLAIN.contains(&name.as_str()) => name.clone(),
                _ => continue,
            },
            Has::Unknown | Has::Nothing => continue,
        };
        let tree = ValueTree::new(property.source());
        let Some(given) = type_of(tree.root()) else { continue };
        if given == "Object" {
            if let Some(reason) = refused_object(context, tree.root(), &wanted) {
                let message = format!("{} takes {}", quote(key.as_bytes()), reason);
                findings.push(property.value_span(), message).consequence(CONSEQUENCE);
            }
            continue;
        }
        if !is_variant_type(&wanted) && !given.is_empty() {
            // A class is wanted.
            if context
                .project
                .classes()
                .class(wanted.split(',').next().unwrap_or_default())
                .is_none()
            {
                continue;
            }
        } else if fits(&given, &wanted) {
            continue;
        }
        let message = format!(
            "{} takes {}, not {}",
            quote(key.as_bytes()),
            quote(wanted.as_bytes()),
            quote(given.as_bytes())
        );
        findings.push(property.value_span(), message).consequence(CONSEQUENCE);
    }
}

/// The Variant type of a value as Godot 4 calls it; nothing for `null` and what is not clear.
fn type_of(value: PartRef<'_>) -> Option<String> {
    let name = match value.kind() {
        PartKind::String => "String",
        PartKind::StringName => "StringName",
        PartKind::Number if value.int().is_some() => "int",
        PartKind::Number => "float",
        PartKind::Color => "Color",
        PartKind::Array => "Array",
        PartKind::Dictionary => "Dictionary",
        PartKind::Word => match value.source() {
            b"true" | b"false" => "bool",
            b"inf" | b"nan" | b"inf_neg" | b"-inf" => "float",
            _ => return None,
        },
        PartKind::Construct | PartKind::Numbers | PartKind::Typed => match value.name() {
            b"ExtResource" | b"SubResource" | b"Resource" | b"Object" => "Object",
            name => return Some(of_godot_4(&lossy(name)).to_owned()),
        },
    };
    Some(name.to_owned())
}

/// The name that Godot 4 has for a type.
fn of_godot_4(name: &str) -> &str {
    match name {
        "Quat" => "Quaternion",
        "Transform" => "Transform3D",
        "Matrix3" => "Basis",
        "Matrix32" => "Transform2D",
        "Rect3" => "AABB",
        name => name,
    }
}

fn is_variant_type(name: &str) -> bool {
    let name = of_godot_4(name);
    PLAIN.contains(&name)
        || is_packed(name)
        || matches!(name, "Variant" | "RID" | "Callable" | "Signal" | "Object")
}

/// Packed arrays by all the names that they have had.
fn is_packed(name: &str) -> bool {
    name.ends_with("Array") && name != "Array"
}

fn fits(given: &str, wanted: &str) -> bool {
    let wanted = of_godot_4(wanted);
    if given == wanted || wanted == "Variant" {
        return true;
    }
    // Arrays become each other, under all of their names.
    let is_list = |name: &str| name == "Array" || is_packed(name);
    if is_list(given) && is_list(wanted) {
        return true;
    }
    let is_known = |name: &str| PLAIN.contains(&name) || is_packed(name) || name == "RID";
    if !is_known(given) || !is_known(wanted) {
        return true;
    }
    CONVERSIONS.iter().any(|(to, from)| *to == wanted && from.contains(&given))
}

/// What the property takes instead, if it does not take the resource.
fn refused_object(context: &SceneContext<'_>, value: PartRef<'_>, wanted: &str) -> Option<String> {
    let classes = context.project.classes();
    let class = class_of(context, value)?;
    classes.class(&class)?;
    let quoted = quote(wanted.as_bytes());
    if is_variant_type(wanted) {
        let wanted = of_godot_4(wanted);
        let is_refused = PLAIN.contains(&wanted) || is_packed(wanted);
        return is_refused.then(|| format!("{quoted}, not a resource"));
    }
    let takes = |name: &&str| classes.inherits(&class, name) || classes.inherits(name, &class);
    let mut names = wanted.split(',').filter(|name| !name.starts_with('-'));
    let are_known = names.clone().all(|name| classes.class(name).is_some());
    (are_known && !names.any(|name| takes(&name)))
        .then(|| format!("{quoted}, not {}", quote(class.as_bytes())))
}

/// The class of the resource that a value refers to.
fn class_of(context: &SceneContext<'_>, value: PartRef<'_>) -> Option<String> {
    if let Some(id) = value.inner_text("SubResource") {
        let section = context.sub_resource(&id)?;
        let class = lossy(&section.field_text("type")?);
        let renamed =
            context.project.classes().renamed_class(&class).filter(|renamed| renamed.is_understood);
        return Some(renamed.map_or(class, |renamed| renamed.name.to_owned()));
    }
    let id = value.inner_text("ExtResource")?;
    let Target::File(file) = *context.target_of_id(&id)? else { return None };
    context.project.resource_type(file).map(str::to_owned)
}
