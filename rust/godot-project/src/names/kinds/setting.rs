//! Settings of `project.godot` that scripts name: `ProjectSettings.get_setting("physics/2d/default_gravity")`.

use godot_tscn::parse_config;

use crate::names::{Call, KindOfName, Known, NameKind, WhenMissing, asks, fails};
use crate::project::Project;
use crate::res_path::extension_of;
use crate::setting_table;
use crate::settings::lossy;

pub(in crate::names) static KIND: NameKind = NameKind {
    id: KindOfName::Setting,
    word: "project setting",
    classes: &[],
    calls: &[
        Call {
            when_missing: WhenMissing::NullWithoutDefault,
            ..fails("get_setting", &[0]).on("ProjectSettings")
        },
        fails("get_setting_with_override", &[0]).on("ProjectSettings"),
        fails("get_order", &[0]).on("ProjectSettings"),
        fails("set_as_basic", &[0]).on("ProjectSettings"),
        fails("set_as_internal", &[0]).on("ProjectSettings"),
        fails("set_initial_value", &[0]).on("ProjectSettings"),
        fails("set_order", &[0]).on("ProjectSettings"),
        fails("set_restart_if_changed", &[0]).on("ProjectSettings"),
        asks("has_setting").on("ProjectSettings"),
        // Addons remove settings that they had once.
        asks("clear").on("ProjectSettings"),
    ],
    properties: &[],
    built_in,
};

/// Settings that the editor, plugins and builds of Godot with C# add.
const STARTS: &[&str] = &[
    "_",
    "autoload/",
    "dotnet/",
    "editor_overrides/",
    "editor_plugins/",
    "export/",
    "file_customization/",
    "importer_defaults/",
    "input/ui_",
    "shader_globals/",
];

fn built_in(project: &Project, known: &mut Known) {
    let settings = project.settings();
    let is_library = |extension: &str| matches!(extension, "gdextension" | "gdnlib");
    let has_library = || project.files().any(|file| is_library(&extension_of(project.path(file))));
    let lacks_plugin = || settings.enabled_plugins.iter().any(|path| project.file(path).is_none());
    // Godot 3 has other settings. Extensions and the plugins of a missing addon may add any.
    if settings.version.is_none_or(|version| version.major < 4) || has_library() || lacks_plugin() {
        return known.open();
    }
    for name in setting_table::names() {
        known.define_in_engine(name);
        // Other versions have other settings.
        if settings.version != Some(setting_table::VERSION) {
            known.allow_start(&name[..=name.find('/').unwrap_or(name.len() - 1)]);
        }
    }
    STARTS.iter().for_each(|start| known.allow_start(start));
    for path in ["res://project.godot", "res://override.cfg"] {
        add_file(project, path, known);
    }
}

/// Adds the settings of a file. Godot may also load others instead of them.
fn add_file(project: &Project, path: &str, known: &mut Known) {
    let Some(text) = project.file(path).and_then(|file| project.read(file).ok()) else { return };
    for section in parse_config(&text).sections() {
        for property in section.properties() {
            let name = format!("{}/{}", lossy(&section.name()), lossy(&property.engine_key()));
            // The one for a platform counts for the setting without it: `mode.mobile`.
            let (bare, _) = name.split_once('.').unwrap_or((&name, ""));
            if name == "application/config/project_settings_override" {
                known.open();
            }
            known.define_in_settings(bare);
            known.define_in_settings(&name);
        }
    }
}
