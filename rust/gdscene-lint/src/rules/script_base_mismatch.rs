//! TREE021

use godot_project::res_path::extension_of;
use godot_project::{Base, ResolvedPath, SceneContext};
use godot_tscn::{PartKind, PartRef, Reporter, Section, quote};

use crate::rules::declare_rule;
use crate::rules::property_type_mismatch::class_of_sub_resource;

declare_rule! {
    /// ## What it does
    /// Reports a script that cannot be attached to its node or resource: its base is neither the class of the object
    /// nor a class that the object's class inherits, or the script is a GDScript whose `_init` needs arguments. Also
    /// reports a `script` that is not a script. If the rule cannot read a script completely, it does not report
    /// anything.
    ///
    /// ## Why is this bad?
    /// Godot prints an error, and the object has no script: its code does not run, and its properties are not set. In
    /// the editor, the error appears only for a `@tool` script; other scripts fail when the game runs.
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
    let has_object = |section: &Section<'_>| section.kind_of_name().holds_object();
    for section in context.document.sections().filter(has_object) {
        let script = section.properties().rfind(|found| *found.engine_key() == *b"script");
        let Some(script) = script else { continue };
        let tree = script.value_tree();
        let message = match other_than_script(context, tree.root()) {
            Some(given) => format!("expected a script, found {given}"),
            None => match mismatch(context, section) {
                Some((native, base)) => {
                    let native = quote(native.as_bytes());
                    let base = quote(base.as_bytes());
                    // The script itself, and not one that it extends.
                    let attached = context.attached(section);
                    let own = attached.scripts().next();
                    match own.is_some_and(|script| script.base == Base::Unset) {
                        true => format!(
                            "the script has no `extends`, so it extends {base}, but the class of the object is {native}"
                        ),
                        false => format!(
                            "the script extends {base}, but the class of the object is {native}"
                        ),
                    }
                }
                None => match needed_by_init(context, section) {
                    Some(1) => {
                        "the script's `_init` needs an argument, but Godot passes none".to_owned()
                    }
                    Some(count) => {
                        format!(
                            "the script's `_init` needs {count} arguments, but Godot passes none"
                        )
                    }
                    None => continue,
                },
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

/// How many arguments the script needs when Godot attaches it.
fn needed_by_init(context: &SceneContext<'_>, section: Section<'_>) -> Option<usize> {
    let attached = context.attached(section);
    let mut scripts = attached.scripts();
    let found = match context.is_for_godot_3() {
        // Godot 3 attaches a script without an `_init` of its own, whatever its base needs.
        true => scripts.next().filter(|script| script.needed_by_init.is_some()),
        false => scripts.find(|script| script.needed_by_init.is_some()),
    };
    found.filter(|script| script.is_complete)?.needed_by_init.filter(|count| *count > 0)
}

/// The kind of the value, if it is certain that it is not a script.
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
    // A script of an unknown class may be of another script language.
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
    // For other files, Godot loads the type in the tag, but it loads a script as one in any case.
    if matches!(&*extension_of(project.path(file)), "gd" | "cs") {
        return None;
    }
    let resource = context.external(id)?;
    Some((resource.resource_type.clone(), false))
}
