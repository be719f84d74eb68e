//! TREE021

use godot_project::res_path::extension_of;
use godot_project::{ResolvedPath, SceneContext};
use godot_tscn::{PartKind, PartRef, Reporter, Section, TagKind, quote};

use crate::rules::declare_rule;
use crate::rules::property_type_mismatch::class_of_sub_resource;

declare_rule! {
    /// ## What it does
    /// Reports a script whose base is neither the class of its node or resource nor one that this class inherits, and a
    /// `script` that is not a script. Where a script cannot be read fully, nothing is reported.
    ///
    /// ## Why is this bad?
    /// Godot prints an error, and the object has no script: neither its code runs, nor are its properties set. In the
    /// editor only a `@tool` script shows it; other scripts fail when the game runs.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [sub_resource type="GDScript" id="1"]
    /// script/source = "extends Node3D
    /// "
    ///
    /// [node name="A" type="Control"]
    /// script = SubResource("1")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [sub_resource type="GDScript" id="1"]
    /// script/source = "extends Control
    /// "
    ///
    /// [node name="A" type="Control"]
    /// script = SubResource("1")
    /// ```
    ///
    /// ## References
    /// `GDScript::instance_create` (modules/gdscript/gdscript.cpp), `CSharpScript::instance_create`
    /// (modules/mono/csharp_script.cpp), `Object::set_script` (core/object/object.cpp)
    "TREE021", "script-base-mismatch", Error
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    if !context.knows_classes() {
        return;
    }
    let has_object = |section: &Section<'_>| {
        matches!(section.kind(), TagKind::Node | TagKind::SubResource | TagKind::Resource)
    };
    for section in context.document.sections().filter(has_object) {
        let script = section.properties().rfind(|found| *found.engine_key() == *b"script");
        let Some(script) = script else { continue };
        let tree = script.value_tree();
        let message = match other_than_script(context, tree.root()) {
            Some(given) => format!("{given} is not a script"),
            None => match mismatch(context, section) {
                Some((native, base)) => format!(
                    "the script extends {}, but the class of the object is {}",
                    quote(base.as_bytes()),
                    quote(native.as_bytes())
                ),
                None => continue,
            },
        };
        let diagnostic = reporter.report(script.value_span(), message);
        diagnostic.consequence("the object has no script when the game runs");
    }
}

/// The class of the object and the one that its script extends, if Godot does not attach the script.
fn mismatch(context: &SceneContext<'_>, section: Section<'_>) -> Option<(String, String)> {
    let attached = context.attached(section);
    let (native, base) = (attached.native()?, attached.script_base()?);
    let fits = attached.tables().any(|classes| classes.inherits(native, base));
    (!fits).then(|| (native.to_owned(), base.to_owned()))
}

/// What the value is, if it is certain that it is not a script.
fn other_than_script(context: &SceneContext<'_>, value: PartRef<'_>) -> Option<String> {
    let classes = context.project.classes();
    let (class, is_exact) = match value.kind() {
        PartKind::Construct => match value.inner_text("ExtResource") {
            Some(id) => class_of_external(context, &id)?,
            None => (class_of_sub_resource(context, &value.inner_text("SubResource")?)?, true),
        },
        PartKind::Word if value.source() == b"null" => return None,
        _ => return Some(quote(value.source())),
    };
    // Of a class that is not known it may be that of another script language.
    classes.class(&class)?;
    let may_be =
        classes.inherits(&class, "Script") || (!is_exact && classes.inherits("Script", &class));
    (!may_be).then(|| format!("a {}", quote(class.as_bytes())))
}

/// The class of a file as a resource, and whether it is not one that inherits it.
fn class_of_external(context: &SceneContext<'_>, id: &[u8]) -> Option<(String, bool)> {
    let ResolvedPath::File(file) = *context.target_of_id(id)? else { return None };
    let project = context.project;
    if let Some(class) = project.resource_type(file) {
        return Some((class.to_owned(), project.import(file).is_none()));
    }
    // Of the other files the tag says what Godot loads, but a script it loads as one whatever the tag says.
    if matches!(&*extension_of(project.path(file)), "gd" | "cs") {
        return None;
    }
    let resource = context.external(id)?;
    Some((resource.resource_type.clone(), false))
}
