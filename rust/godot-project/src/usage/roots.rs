//! Files that are used though no other file names them, and those that may be.

use super::edges::is_in_addon;
use super::kinds::{FileKind, kind_of};
use super::scan::is_beside;
use super::{KeptReason, presets};
use crate::project::{FileId, Project};
use crate::res_path::{extension_of, folder_of, name_of};
use crate::script::Base;
use crate::settings::lossy;

/// The files that are always used: settings, data, and files that Godot looks for by itself.
pub(super) fn roots(project: &Project) -> impl Iterator<Item = FileId> {
    // Settings that need not be written have these paths: `audio/buses/default_bus_layout`,
    // `xr/openxr/default_action_map`, and the environment of Godot 3.
    const DEFAULTS: [&str; 3] =
        ["res://default_bus_layout.tres", "res://openxr_action_map.tres", "res://default_env.tres"];
    let is_root = |file: &FileId| {
        let path = project.path(*file);
        !is_beside(path) && (kind_of(project, *file).is_none() || DEFAULTS.contains(&path))
    };
    project.files().filter(is_root)
}

/// The files that may be used whatever others name.
pub(super) fn doubtful(project: &Project) -> Vec<(FileId, KeptReason)> {
    let mut found = presets::exported(project);
    let is_first = project.settings().main_scene.is_none();
    let templates = "res://script_templates/";
    for file in project.files() {
        let Some(kind) = kind_of(project, file) else { continue };
        let path = project.path(file);
        let reason = match kind {
            _ if is_in_addon(path) => Some(KeptReason::InAddon),
            _ if is_in_tests(path) => Some(KeptReason::Test),
            FileKind::Script if path.starts_with(templates) => Some(KeptReason::ScriptTemplate),
            FileKind::Script if path.ends_with(".cs") => csharp(project, file),
            FileKind::Script => script(project, file),
            FileKind::Scene if is_first => Some(KeptReason::NoMainScene),
            _ => None,
        };
        found.extend(reason.map(|reason| (file, reason)));
    }
    found
}

/// Whether the file is in a folder of tests, which people or a test runner start by themselves.
fn is_in_tests(path: &str) -> bool {
    let mut folders = folder_of(path).split('/');
    folders.any(|folder| {
        matches!(
            folder.to_ascii_lowercase().as_str(),
            "test" | "tests" | "unit_test" | "unit_tests"
        )
    })
}

fn script(project: &Project, file: FileId) -> Option<KeptReason> {
    let scripts = project.scripts();
    let chain = scripts.chain(project, file);
    let last = chain.scripts.last().map(|script| &script.base);
    let native = chain.native.as_deref().or(match last {
        Some(Base::Class(name)) => Some(name.as_str()),
        _ => None,
    });
    let is_test_class = |name: &str| name.ends_with("Test") || name.ends_with("TestSuite");
    let is_test = chain
        .scripts
        .iter()
        .skip(1)
        .filter_map(|script| script.class_name.as_deref())
        .any(is_test_class)
        || native.is_some_and(is_test_class)
        || matches!(last, Some(Base::Path(path, _)) if path.contains("/addons/"));
    match native {
        _ if is_test => Some(KeptReason::Test),
        Some("SceneTree" | "MainLoop") => Some(KeptReason::CommandLine),
        Some(native) if native.starts_with("Editor") => {
            let article = if native.starts_with(['E', 'A', 'I', 'O']) { "an" } else { "a" };
            Some(KeptReason::Editor(format!("{article} {native}")))
        }
        _ if scripts.script(file).is_some_and(|script| script.is_tool) => {
            Some(KeptReason::Editor("a tool script".to_owned()))
        }
        _ => None,
    }
}

/// The files that C# finds without the name of a class.
fn csharp(project: &Project, file: FileId) -> Option<KeptReason> {
    let text = project.read(file).ok()?;
    let text = lossy(&text);
    const SIGNS: [(&str, &str); 6] = [
        ("(this ", "extension methods"),
        ("[assembly:", "attributes of the assembly"),
        ("[ModuleInitializer", "a module initializer"),
        ("[Test", "tests"),
        ("[Fact", "tests"),
        ("global using ", "global usings"),
    ];
    let sign = SIGNS.iter().find(|(sign, _)| text.contains(sign));
    let reason = sign.map(|(_, what)| KeptReason::CSharp(what));
    let is_nameless = || types_in(&text).is_empty();
    let is_marked = || has_marked_type(&text);
    reason.or_else(|| is_nameless().then_some(KeptReason::CSharp("no type of its own"))).or_else(
        || is_marked().then_some(KeptReason::CSharp("attributes, by which other code may find it")),
    )
}

/// Whether a type has attributes other than those for Godot and the compiler.
fn has_marked_type(text: &str) -> bool {
    const KNOWN: [&str; 8] = [
        "Tool",
        "GlobalClass",
        "Icon",
        "Flags",
        "Obsolete",
        "Serializable",
        "SuppressMessage",
        "StructLayout",
    ];
    let mut is_marked = false;
    for line in text.lines().map(str::trim) {
        if let Some(attribute) = line.strip_prefix('[') {
            let name = attribute
                .split(|letter: char| !letter.is_alphanumeric())
                .next()
                .unwrap_or_default();
            is_marked |= !KNOWN.contains(&name);
            // `[Export] public int A;` is an attribute of the rest of the line.
            is_marked &= line.ends_with([']', ',']);
        } else if !line.is_empty() && !line.starts_with("//") {
            if is_marked && !types_in(line).is_empty() {
                return true;
            }
            is_marked = false;
        }
    }
    false
}

/// The names by which others know a script: its `class_name`, or the types that it declares in C#.
pub(super) fn class_names(project: &Project, file: FileId) -> Vec<String> {
    let path = project.path(file);
    match &*extension_of(path) {
        "gd" => {
            let script = project.facts(file).script.as_deref();
            script.and_then(|script| script.class_name.clone()).into_iter().collect()
        }
        "cs" => {
            let Ok(text) = project.read(file) else { return Vec::new() };
            let mut names = types_in(&lossy(&text));
            let name = name_of(path);
            names.push(name.strip_suffix(".cs").unwrap_or(name).to_owned());
            // `[Marked]` names the class `MarkedAttribute`.
            let attributes =
                names.iter().filter_map(|name| name.strip_suffix("Attribute")).map(str::to_owned);
            let attributes: Vec<String> = attributes.filter(|name| !name.is_empty()).collect();
            names.extend(attributes);
            names.sort_unstable();
            names.dedup();
            names
        }
        _ => Vec::new(),
    }
}

/// The names behind `class`, `struct` and so on. One too many does no harm.
fn types_in(text: &str) -> Vec<String> {
    const WORDS: [&str; 6] = ["class", "struct", "interface", "enum", "record", "delegate"];
    let mut words = text
        .split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .filter(|word| !word.is_empty());
    let mut names = Vec::new();
    while let Some(word) = words.next() {
        if word == "delegate" {
            // The result type comes first.
            names.extend(words.by_ref().take(2).map(str::to_owned));
        } else if WORDS.contains(&word) {
            names.extend(words.next().map(str::to_owned));
        }
    }
    names
}
