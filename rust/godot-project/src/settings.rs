//! The contents of `project.godot`.

use godot_tscn::{ConfigFile, GodotVersion, parse_config};
use serde::{Deserialize, Serialize};

/// The settings of a project that scenes depend on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProjectSettings {
    /// `application/config/name`
    pub name: String,
    /// The version of Godot in `application/config/features`, if it is known.
    pub version: Option<GodotVersion>,
    /// All of `application/config/features`.
    pub features: Vec<String>,
    /// `application/run/main_scene`, a path or uid.
    pub main_scene: Option<String>,
    /// The section `autoload`.
    pub autoloads: Vec<Autoload>,
    /// The actions that the section `input` defines or changes.
    pub input_actions: Vec<String>,
    /// The groups that the section `global_group` declares.
    pub global_groups: Vec<String>,
    /// `editor_plugins/enabled`: paths of `plugin.cfg` files.
    pub enabled_plugins: Vec<String>,
    /// The classes of scripts that Godot 3 lists in `_global_script_classes`.
    pub script_classes: Vec<ScriptClass>,
    /// Every path and uid anywhere in the file.
    pub mentions: Vec<String>,
}

/// A scene or script that Godot puts into the tree at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Autoload {
    /// The name of the node, a child of `/root`.
    pub name: String,
    /// The scene or script, a path or uid.
    pub path: String,
    /// Whether scripts know it by its name.
    pub is_singleton: bool,
}

/// A script with a `class_name`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptClass {
    /// The name.
    pub name: String,
    /// Its base: a class of Godot's or of another script.
    pub base: String,
    /// The script.
    pub path: String,
}

impl ProjectSettings {
    /// Reads `project.godot`. Missing and malformed values are empty here.
    ///
    /// ```
    /// let text = b"config_version=5\n[autoload]\nMusic=\"*res://music.tscn\"\n";
    /// let settings = godot_project::ProjectSettings::parse(text);
    /// assert_eq!(settings.autoloads[0].path, "res://music.tscn");
    /// assert!(settings.autoloads[0].is_singleton);
    /// ```
    pub fn parse(text: &[u8]) -> Self {
        let file = parse_config(text);
        Self {
            name: string(&file, "application", "config/name").unwrap_or_default(),
            version: GodotVersion::of_project(text),
            features: strings(&file, "application", "config/features"),
            main_scene: string(&file, "application", "run/main_scene"),
            autoloads: autoloads(&file),
            input_actions: keys(&file, "input"),
            global_groups: keys(&file, "global_group"),
            enabled_plugins: strings(&file, "editor_plugins", "enabled"),
            script_classes: script_classes(&file, "", "_global_script_classes"),
            mentions: mentions(text),
        }
    }
}

/// The classes in a value like `[{"base": …, "class": …, "path": …}]`, which Godot 3 keeps in
/// `project.godot`, and Godot 4 as `list` in `.godot/global_script_class_cache.cfg`.
pub(crate) fn script_classes(file: &ConfigFile<'_>, section: &str, key: &str) -> Vec<ScriptClass> {
    let Some(property) = file.get(section.as_bytes(), key.as_bytes()) else {
        return Vec::new();
    };
    let tree = property.value_tree();
    // `Array[Dictionary]([…])` has the list inside.
    let root = tree.root();
    let list = match root.children().last() {
        Some(last) if root.kind() == godot_tscn::PartKind::Typed => last,
        _ => root,
    };
    let text = |part: godot_tscn::PartRef<'_>, key: &str| {
        part.get(key).and_then(godot_tscn::PartRef::text).map(|text| lossy(&text))
    };
    let class = |part: godot_tscn::PartRef<'_>| {
        let base = text(part, "base").unwrap_or_default();
        Some(ScriptClass { name: text(part, "class")?, base, path: text(part, "path")? })
    };
    list.children().filter_map(class).collect()
}

/// Every `res://…` and `uid://…` in quotes in a text. One may be in another, as in `"uid://…::::res://…"`, but only the
/// first few between two quotes count: all together could be far longer than the text.
pub(crate) fn mentions(text: &[u8]) -> Vec<String> {
    const MOST_IN_ONE: usize = 4;
    let mut found = Vec::new();
    // Where the quotes around the last one close, and how many were found in them.
    let (mut end, mut count) = (0, 0);
    for colon in memchr::memmem::find_iter(text, b"://").filter(|colon| *colon >= 3) {
        if !matches!(&text[colon - 3..colon], b"res" | b"uid") {
            continue;
        }
        let start = colon - 3;
        if start >= end {
            let length = text[start..].iter().position(|byte| matches!(byte, b'"' | b'\'' | b'\n'));
            (end, count) = (length.map_or(text.len(), |length| start + length), 0);
        }
        count += 1;
        if count <= MOST_IN_ONE {
            found.push(lossy(&text[start..end]));
        }
    }
    found
}

fn autoloads(file: &ConfigFile<'_>) -> Vec<Autoload> {
    let autoload = |name: String| {
        let path = string(file, "autoload", &name)?;
        let bare = path.strip_prefix('*');
        let is_singleton = bare.is_some();
        Some(Autoload { name, path: bare.unwrap_or(&path).to_owned(), is_singleton })
    };
    keys(file, "autoload").into_iter().filter_map(autoload).collect()
}

fn keys(file: &ConfigFile<'_>, section: &str) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    let sections = file.sections().filter(|found| *found.name() == *section.as_bytes());
    for property in sections.flat_map(godot_tscn::ConfigSection::properties) {
        let key = lossy(&property.engine_key());
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

fn string(file: &ConfigFile<'_>, section: &str, key: &str) -> Option<String> {
    let property = file.get(section.as_bytes(), key.as_bytes())?;
    property.value_tree().root().text().map(|text| lossy(&text))
}

fn strings(file: &ConfigFile<'_>, section: &str, key: &str) -> Vec<String> {
    let Some(property) = file.get(section.as_bytes(), key.as_bytes()) else {
        return Vec::new();
    };
    let tree = property.value_tree();
    tree.root().children().filter_map(|part| Some(lossy(&part.text()?))).collect()
}

/// A text in which invalid UTF-8 is replaced.
pub fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
