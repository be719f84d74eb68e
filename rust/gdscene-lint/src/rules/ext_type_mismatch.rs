//! RES007

use std::cell::OnceCell;

use crate::rules::declare_rule;
use crate::rules::external_uses::ExternalUses;
use crate::rules::property_type_mismatch::may_take;
use godot_project::assignments::{Assignment, Target};
use godot_project::res_path::extension_of;
use godot_project::{ClassDb, ResolvedPath, SceneContext};
use godot_tscn::{Applicability, Edit, Fix, Reporter, Severity, article, quote};

declare_rule! {
    /// ## What it does
    /// Reports an `ext_resource` with a `type` that Godot cannot load from a file with this extension: a scene or
    /// script with another `type`, or a `.tres` file with the `type` of a scene. For other files, it warns if the class
    /// in the file or its `.import` file is unrelated to the `type`.
    ///
    /// ## Why is this bad?
    /// Godot prints `No loader found for resource` and loses the same data as without the file: see `missing-file`. If
    /// the rule only warns, Godot loads the file with its real class, and a property that accepts only the class in the
    /// tag stays empty.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Texture2D" path="res://player.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://player.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    ///
    /// ## Fix safety
    /// Safe if every use of the resource accepts the file's class, because Godot could not load the file before, or
    /// loads the same file. Unsafe if the rule cannot determine this. There is no fix if a property does not accept the
    /// class, because the right type would hide that the value is lost.
    ///
    /// ## References
    /// `ResourceFormatLoader::recognize_path` (core/io/resource_loader.cpp),
    /// `ResourceFormatLoaderText::get_recognized_extensions_for_type` (scene/resources/resource_format_text.cpp)
    "RES007", "ext-type-mismatch", Error
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let project = context.project;
    let uses = OnceCell::new();
    let uses = || uses.get_or_init(|| ExternalUses::of(context));
    for (resource, target) in context.facts.ext_resources.iter().zip(context.targets()) {
        let ResolvedPath::File(file) = target else { continue };
        let (path, given) = (project.path(*file), resource.resource_type.as_str());
        let Some(field) = context.section(resource.section).field("type") else { continue };
        let extension = extension_of(path);
        let is_imported =
            project.import(*file).is_some() || project.file(&format!("{path}.import")).is_some();
        let real = project.resource_type(*file);
        let refused = (!is_imported).then(|| right_type(&extension, given, real)).flatten();
        let (diagnostic, right) = match (refused, real) {
            (Some(right), _) => {
                let given = format!("{} {}", article(given), quote(given.as_bytes()));
                let message = format!("Godot cannot load {given} from a `.{extension}` file");
                let diagnostic = reporter.report(field.value_span(), message);
                diagnostic.consequence(uses().consequence_without(&resource.id));
                (diagnostic, right)
            }
            (None, Some(real)) if are_unrelated(project.classes(), given, real) => {
                let message = format!(
                    "the file contains {} {}, which is not {} {}",
                    article(real),
                    quote(real.as_bytes()),
                    article(given),
                    quote(given.as_bytes())
                );
                let diagnostic = reporter.report(field.value_span(), message);
                diagnostic.severity = Severity::Warning;
                diagnostic
                    .consequence("a property that accepts only the class in the tag stays empty");
                (diagnostic, real)
            }
            _ => continue,
        };
        if !right.is_empty()
            && let Some(applicability) = fix_safety(context, uses(), &resource.id, right)
        {
            let edit = Edit::replace(field.value_span(), format!("\"{right}\""));
            diagnostic.fix(Fix::new(format!("write `{right}`"), applicability, vec![edit]));
        }
    }
}

/// Whether a use takes the class of the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Yes,
    No,
    Perhaps,
}

/// How sure it is that the resource with the id has its place under the right type; nothing if a use does not take it.
fn fix_safety(
    context: &SceneContext<'_>,
    uses: &ExternalUses<'_, '_>,
    id: &str,
    right: &str,
) -> Option<Applicability> {
    // Only an instance is outside properties.
    let instance = uses.is_instanced(id).then_some(match right {
        "PackedScene" => Takes::Yes,
        _ => Takes::No,
    });
    let properties = uses.properties_with(id).iter().map(|found| takes(context, found, right));
    let mut all = instance.into_iter().chain(properties);
    all.try_fold(Applicability::Safe, |sure, takes| match takes {
        Takes::Yes => Some(sure),
        Takes::Perhaps => Some(Applicability::Unsafe),
        Takes::No => None,
    })
}

fn takes(context: &SceneContext<'_>, found: &Assignment<'_>, right: &str) -> Takes {
    let takes = |is_taken| if is_taken { Takes::Yes } else { Takes::No };
    let tree = found.property.value_tree();
    let is_alone = tree.root().inner_text("ExtResource").is_some();
    match found.target {
        _ if found.key.starts_with("metadata/") => Takes::Yes,
        _ if found.key == "script" => takes(context.project.classes().inherits(right, "Script")),
        Target::Native(property) if is_alone => {
            takes(may_take(context, tree.root(), property.type_name()))
        }
        _ => Takes::Perhaps,
    }
}

/// Whether both are classes of Godot's, and neither inherits the other. A file may say less than it holds: importers call
/// every mesh a `Mesh`.
fn are_unrelated(classes: &ClassDb, given: &str, real: &str) -> bool {
    let is_known = |class: &str| classes.class(class).is_some();
    let is_related =
        given == real || classes.inherits(given, real) || classes.inherits(real, given);
    is_known(given) && is_known(real) && !is_related
}

/// The right type, if Godot refuses the given one; empty if it is unknown.
fn right_type<'t>(extension: &str, given: &str, real: Option<&'t str>) -> Option<&'t str> {
    let (right, accepted): (&str, &[&str]) = match extension {
        "tscn" => {
            ("PackedScene", &["PackedScene", "Resource", "RefCounted", "Reference", "Object"])
        }
        "gd" => {
            ("Script", &["Script", "GDScript", "Resource", "RefCounted", "Reference", "Object"])
        }
        "tres" if matches!(given, "PackedScene" | "GDExtension") => {
            return Some(real.filter(|real| *real != given).unwrap_or(""));
        }
        _ => return None,
    };
    // Without a type every loader is asked.
    (!given.is_empty() && !accepted.contains(&given)).then_some(right)
}
