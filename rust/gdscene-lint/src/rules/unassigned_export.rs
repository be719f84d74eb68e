//! EXP001

use godot_project::script::source::{Need, NeedReason};
use godot_project::tree::Uses;
use godot_project::{FileId, NodeInTree, Project, SceneContext, ScriptUse};
use godot_tscn::{Reporter, Severity, TagKind, quote};

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports nodes without a value for an exported variable that their script certainly uses: `_enter_tree`, `_ready`,
    /// `_process` or `_physics_process` uses a member of the variable's object before anything asks whether the object exists.
    ///
    /// Comments above the variable in the script change this:
    /// - `## @required`: each node and resource must have a value, of any type. A missing one is an error.
    /// - `## @optional`: the rule ignores the variable.
    ///
    /// The rule follows instances and inherited scenes. It ignores:
    /// - variables with a default value or a setter, and variables that any script sets
    /// - uses behind a condition, a `return` or an `await`
    /// - scripts that extend the script with the variable
    ///
    /// ## Why is this bad?
    /// The variable is null, and the script stops with an error as soon as the scene runs.
    ///
    /// ## Example
    /// ```gdscript
    /// extends Node
    ///
    /// ## Somebody forgot to assign it in the Inspector.
    /// @export var door: Node2D
    ///
    ///
    /// func _ready() -> void:
    ///     door.hide()
    /// ```
    ///
    /// ## Use instead
    /// Assign the variable in the Inspector of each node with the script, or expect that it is null:
    ///
    /// ```gdscript
    /// func _ready() -> void:
    ///     if door:
    ///         door.hide()
    /// ```
    ///
    /// ## References
    /// `GDScriptInstance::set` (modules/gdscript/gdscript.cpp), `SceneState::instantiate`
    /// (scene/resources/packed_scene.cpp)
    "EXP001", "unassigned-export", Warning
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let project = context.project;
    if context.hides_sections || !context.is_for_godot_4() {
        return;
    }
    check_resource(context, reporter);
    let tree = context.tree();
    for (index, tag) in tree.tags().iter().enumerate() {
        let has_script = matches!(tag.script, ScriptUse::External(_));
        if !has_script && tag.instance.is_none() {
            continue;
        }
        let Some(place) = context.place_of(index as u32) else { continue };
        let Ok(Some(script)) = place.node().script(project) else { continue };
        let lacking = lacking(project, script, &|name| is_set(project, &place, name));
        if lacking.is_empty() {
            continue;
        }
        let Some(path) = tree.path_of_tag(index as u32) else { continue };
        for need in lacking {
            if !is_set_elsewhere(context, &path, index == 0, need) {
                let section = context.section(tag.section);
                let subject = format!("the node {}", quote(tag.name.as_bytes()));
                report(project, (section.tag_span(), &subject), (script, need), reporter);
            }
        }
    }
}

/// The resource that the file is: only `@required` counts, because its script may never run.
fn check_resource(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let ScriptUse::External(index) = context.facts.resource_script else { return };
    let Some(godot_project::ResolvedPath::File(script)) = context.targets().get(index as usize)
    else {
        return;
    };
    let sections = context.document.sections();
    let Some(section) = sections.into_iter().find(|section| section.kind() == TagKind::Resource)
    else {
        return;
    };
    let has = |name: &str| {
        section.properties().any(|property| {
            *property.engine_key() == *name.as_bytes() && property.source() != b"null"
        })
    };
    for need in lacking(context.project, *script, &has) {
        if need.reason == NeedReason::Required {
            report(
                context.project,
                (section.tag_span(), "the resource"),
                (*script, need),
                reporter,
            );
        }
    }
}

/// The needs of a script that have no value.
fn lacking<'p>(
    project: &'p Project,
    script: FileId,
    is_set: &dyn Fn(&str) -> bool,
) -> Vec<&'p Need> {
    let needs = project.needs_of(script).iter();
    needs.filter(|need| !is_set(&need.name)).collect()
}

fn is_set(project: &Project, place: &NodeInTree, name: &str) -> bool {
    place.node().is_opaque()
        || place.node().value(project, name).is_some_and(|value| value != "null")
}

/// Whether another scene gives the node the value. A root that other scenes use is judged there.
fn is_set_elsewhere(context: &SceneContext<'_>, path: &str, is_root: bool, need: &Need) -> bool {
    let Some(file) = context.file else { return false };
    let project = context.project;
    let uses = Uses::of(project, file);
    if uses.has_more() || is_root && uses.places(project).next().is_some() {
        return true;
    }
    uses.places(project).any(|(user, root)| {
        let Some(tree) = project.tree(user) else { return true };
        let below = [root, path]
            .into_iter()
            .filter(|part| !matches!(*part, "" | "."))
            .collect::<Vec<_>>()
            .join("/");
        let place = NodeInTree::root(project, tree).find(project, &below).place();
        place.is_none_or(|place| is_set(project, &place, &need.name))
    })
}

fn report(
    project: &Project,
    (span, subject): (godot_tscn::Span, &str),
    (script, need): (FileId, &Need),
    reporter: &mut Reporter<'_>,
) {
    let name = quote(need.name.as_bytes());
    let path = quote(project.path(script).as_bytes());
    let message = format!("{subject} has no value for {name}, which the script {path} needs");
    let diagnostic = reporter.report(span, message);
    match &need.reason {
        NeedReason::Required => {
            diagnostic.severity = Severity::Error;
            diagnostic
                .help(format!("assign {name} in the Inspector; its comment says `@required`"));
        }
        NeedReason::UsedIn { function, .. } => {
            diagnostic.consequence(format!(
                "`{function}` stops with an error, because the value is null"
            ));
            diagnostic.help(format!(
                "assign {name} in the Inspector, or write `## @optional` above the variable"
            ));
        }
    }
}
