//! RES018

use godot_project::class_db::nearest;
use godot_project::res_path::extension_of;
use godot_project::settings::lossy;
use godot_project::{Class, FileId, ResolvedPath};
use godot_tscn::{Applicability, Edit, Fix, PartKind, PartRef, Property, Reporter, Span, quote};

use crate::rules::context::SettingsContext;
use crate::rules::declare_rule;

declare_rule! {
    for_settings
    /// ## What it does
    /// Reports entries in `project.godot` and `override.cfg` that Godot 4 cannot use.
    ///
    /// It reports:
    ///
    /// - an action in `[input]` that is not a dictionary with a list of events
    /// - events that are not input events
    /// - properties that an event does not have, such as those of Godot 3
    /// - an autoload that is neither a scene nor a script that extends `Node`
    ///
    /// ## Why is this bad?
    /// Godot drops events and properties without a message, so that a key has no effect. An autoload of another kind is
    /// missing, and Godot prints an error at each start.
    ///
    /// ## Example
    /// ```ini
    /// [input]
    ///
    /// jump={
    /// "deadzone": 0.5,
    /// "events": [Object(InputEventKey,"scancode":32)]
    /// }
    /// ```
    ///
    /// ## Use instead
    /// ```ini
    /// [input]
    ///
    /// jump={
    /// "deadzone": 0.5,
    /// "events": [Object(InputEventKey,"keycode":32)]
    /// }
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: an event that Godot dropped takes effect again.
    ///
    /// ## References
    /// `InputMap::load_from_project_settings` (core/input/input_map.cpp), `Main::start` (main/main.cpp)
    "RES018", "invalid-setting", Error, for_settings_files
}

const NO_EVENTS: &str = "the action has no events";
const SKIPPED: &str = "Godot skips the event";

fn check(context: &SettingsContext<'_>, reporter: &mut Reporter<'_>) {
    let is_settings = matches!(context.path, "res://project.godot" | "res://override.cfg");
    if !is_settings || context.project.settings().version.is_some_and(|found| found.major < 4) {
        return;
    }
    for section in context.file.sections() {
        let check: fn(&SettingsContext<'_>, Property<'_>, &mut Reporter<'_>) =
            match &*section.name() {
                b"input" => check_action,
                b"autoload" | b"autoload_prepend" => check_autoload,
                _ => continue,
            };
        section.properties().for_each(|property| check(context, property, reporter));
    }
}

fn check_action(
    context: &SettingsContext<'_>,
    property: Property<'_>,
    reporter: &mut Reporter<'_>,
) {
    let tree = property.value_tree();
    let action = tree.root();
    let name = quote(&property.engine_key());
    // `null` removes a setting.
    if action.kind() == PartKind::Typed || action.source() == b"null" {
        return;
    }
    let expected = "a dictionary with `deadzone` and `events`";
    if action.kind() != PartKind::Dictionary {
        let message = format!("{name} is not a valid action; expected {expected}");
        reporter.report(action.span(), message).consequence(NO_EVENTS);
        return;
    }
    match action.get("events") {
        None => {
            let message = format!("the action {name} has no `events`; expected {expected}");
            reporter.report(action.span(), message).consequence(NO_EVENTS);
        }
        Some(events) if events.kind() == PartKind::Array => {
            events.children().for_each(|event| check_event(context, event, reporter));
        }
        Some(events) if events.kind() == PartKind::Typed => {}
        Some(events) => {
            let given = quote(events.source());
            let message = format!("{given} is not a valid value of `events`; expected an array");
            reporter.report(events.span(), message).consequence(NO_EVENTS);
        }
    }
}

fn check_event(context: &SettingsContext<'_>, event: PartRef<'_>, reporter: &mut Reporter<'_>) {
    let classes = context.project.classes();
    // Projects have such events, and nothing is lost with them.
    if event.source() == b"null" {
        return;
    }
    if event.kind() == PartKind::Construct {
        // Resources in files are not checked here.
        if event.name() != b"Object" {
            return;
        }
        let mut parts = event.children();
        let Some(class) = parts.next().filter(|part| part.kind() == PartKind::Word) else { return };
        let name = lossy(class.source());
        // `unknown-class` reports others.
        let Some(found) = classes.class(&name) else { return };
        if classes.inherits(&name, "InputEvent") {
            let lost = std::iter::from_fn(|| Some((parts.next()?, parts.next()?)));
            return check_properties(context, found, lost, reporter);
        }
    }
    let given = quote(event.source());
    let message = format!("{given} is not a valid event; expected an input event object");
    reporter.report(event.span(), message).consequence(SKIPPED);
}

/// Reports the properties that the class does not have, in one finding. Unset properties, such as `false`, do not count.
fn check_properties<'v>(
    context: &SettingsContext<'_>,
    class: Class<'_>,
    properties: impl Iterator<Item = (PartRef<'v>, PartRef<'v>)>,
    reporter: &mut Reporter<'_>,
) {
    let classes = context.project.classes();
    let (mut first, mut lost, mut edits, mut given) = (None, Vec::new(), Vec::new(), Vec::new());
    for (key, value) in properties {
        let Some(name) = key.text().map(|name| lossy(&name)) else { continue };
        given.push(name.clone());
        let is_unset = matches!(value.source(), b"false" | b"0" | b"0.0" | b"null" | b"\"\"");
        let is_known = name == "script"
            || name.starts_with("metadata/")
            || classes.property(class.name(), &name).is_some()
            || classes.takes(class.name(), &name);
        if is_unset || is_known {
            continue;
        }
        first.get_or_insert(key.span());
        if let Some(renamed) = classes.renamed_property(class.name(), &name) {
            let source = lossy(value.source());
            if let Some(value_now) = renamed.values.convert(&source) {
                edits.push((
                    renamed.name.to_string(),
                    key.span(),
                    value.span(),
                    value_now.into_owned(),
                ));
            }
        }
        lost.push(name);
    }
    let Some(first) = first else { return };
    let names: Vec<String> = lost.iter().map(|name| quote(name.as_bytes())).collect();
    let what = if names.len() == 1 { "property" } else { "properties" };
    let message = format!("`{}` has no {what} {}", class.name(), names.join(", "));
    let diagnostic = reporter.report(first, message);
    diagnostic.consequence("Godot drops the values without a message");
    edits.retain(|(name, ..)| !given.contains(name));
    if edits.is_empty() {
        let known = classes.lineage(class.name()).flat_map(Class::property_names);
        if let Some(near) = nearest(&lost[0], known) {
            diagnostic.help(format!("did you mean `{near}`?"));
        }
        return;
    }
    let replace = |(name, key, value, now): (String, Span, Span, String)| {
        [Edit::replace(key, format!("\"{name}\"")), Edit::replace(value, now)]
    };
    let edits: Vec<Edit> = edits.into_iter().flat_map(replace).collect();
    diagnostic.fix(Fix::new("write the Godot 4 names", Applicability::Unsafe, edits));
}

fn check_autoload(
    context: &SettingsContext<'_>,
    property: Property<'_>,
    reporter: &mut Reporter<'_>,
) {
    let tree = property.value_tree();
    let Some(text) = tree.root().text() else { return };
    let text = lossy(&text);
    let path = text.strip_prefix('*').unwrap_or(&text);
    let ResolvedPath::File(file) = context.project.resolve(context.path, path) else { return };
    let Some(given) = other_than_node(context, file) else { return };
    let message = format!(
        "the autoload {} is {given}; expected a scene or a script that extends `Node`",
        quote(&property.engine_key())
    );
    let diagnostic = reporter.report(tree.root().span(), message);
    diagnostic.consequence("Godot logs an error at each start, and its node is missing");
}

/// The kind of a file that Godot cannot make a node from.
fn other_than_node(context: &SettingsContext<'_>, file: FileId) -> Option<String> {
    const OTHERS: [&str; 4] = ["json", "txt", "cfg", "gdshader"];
    let project = context.project;
    let (classes, extension) = (project.classes(), extension_of(project.path(file)));
    if matches!(&*extension, "gd" | "cs") {
        let chain = project.scripts().chain(project, file);
        let native = chain.native.as_deref().filter(|_| chain.is_complete)?;
        let is_other = classes.class(native).is_some() && !classes.inherits(native, "Node");
        return is_other.then(|| format!("a script that extends `{native}`"));
    }
    let Some(class) = project.resource_type(file) else {
        return OTHERS.contains(&&*extension).then(|| format!("a file of the kind `.{extension}`"));
    };
    let is_other = classes.class(class).is_some()
        && class != "PackedScene"
        && !classes.inherits(class, "Script");
    is_other.then(|| format!("a resource of the class `{class}`"))
}
