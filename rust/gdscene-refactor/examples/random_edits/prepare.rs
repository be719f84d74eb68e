//! Puts scenes and resources of several projects into one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use godot_project::ClassDb;
use godot_tscn::{GodotVersion, Section, TagKind};
use regex::{Captures, Regex};

use crate::scene::properties;

/// A text that is copied, and where it gets in the new project.
struct Text {
    to: String,
    text: String,
}

/// The stand-in for a missing script.
#[derive(Default)]
struct StandIn {
    /// The common class of all nodes that have it.
    node_class: Option<String>,
    /// With their types.
    variables: BTreeMap<String, &'static str>,
}

/// Copies all scenes and resources below `folders`, each a project, to `PROJECT/cN`. Missing scripts and other files get a stand-in
/// with the exported variables that the texts set; other kinds of files are written as `.tres`.
pub(crate) fn prepare(project: &Path, folders: &[&str]) {
    for (number, folder) in folders.iter().enumerate() {
        let base = format!("c{number}");
        let folder = Path::new(folder);
        let mut found = Vec::new();
        texts(folder, &mut found);
        let texts: Vec<Text> = found.iter().filter_map(|path| read(folder, path, &base)).collect();
        let known: BTreeSet<&str> = texts.iter().map(|text| text.to.as_str()).collect();
        let mut scripts: BTreeMap<String, StandIn> = BTreeMap::new();
        for text in &texts {
            note_scripts(&text.text, &mut scripts);
            let replaced = with_stand_ins(project, &text.text, &known);
            write(project, &text.to, &replaced);
        }
        for (path, script) in &scripts {
            write(project, path, &script.text());
        }
    }
}

fn texts(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    // A project in a project is another one.
    for path in entries {
        if path.is_dir() && !path.join("project.godot").exists() && !path.join(".gdignore").exists()
        {
            texts(&path, found);
        } else if path.extension().is_some_and(|end| end == "tscn" || end == "tres") {
            found.push(path);
        }
    }
}

fn read(folder: &Path, path: &Path, base: &str) -> Option<Text> {
    let text = fs::read_to_string(path).ok()?;
    // Others are of Godot 3.
    let is_new =
        text.lines().next()?.contains("format=3") || text.lines().next()?.contains("format=4");
    let below = path.strip_prefix(folder).ok()?.to_str()?;
    is_new.then(|| Text {
        to: format!("res://{base}/{below}"),
        text: text.replace("\"res://", &format!("\"res://{base}/")),
    })
}

/// The exported variables of scripts, according to the values.
fn note_scripts(text: &str, scripts: &mut BTreeMap<String, StandIn>) {
    let document = godot_tscn::parse(text.as_bytes());
    let field = |section: Section<'_>, name: &str| {
        section.field_text(name).map(|text| String::from_utf8_lossy(&text).into_owned())
    };
    let mut paths = BTreeMap::new();
    let mut header = None;
    for section in document.sections() {
        match section.kind() {
            TagKind::GdResource => header = field(section, "type"),
            TagKind::ExtResource if field(section, "type").as_deref() == Some("Script") => {
                let (Some(id), Some(path)) = (field(section, "id"), field(section, "path")) else {
                    continue;
                };
                paths.insert(format!("ExtResource(\"{id}\")"), path);
            }
            TagKind::Node | TagKind::SubResource | TagKind::Resource => {
                let all = properties(section);
                let script = all.iter().find(|(key, _)| key == "script");
                let Some(path) = script.and_then(|(_, value)| paths.get(value)) else { continue };
                if !path.ends_with(".gd") {
                    continue;
                }
                let stand_in = scripts.entry(path.clone()).or_default();
                let class = field(section, "type").or_else(|| header.clone());
                if section.kind() == TagKind::Node {
                    stand_in.is_for(class.as_deref().unwrap_or("Node"));
                }
                stand_in.note(class.as_deref(), &all);
            }
            _ => {}
        }
    }
}

impl StandIn {
    fn is_for(&mut self, class: &str) {
        let classes = ClassDb::for_version(GodotVersion::godot4(6));
        let known = self.node_class.take().unwrap_or_else(|| class.to_owned());
        let both = classes.lineage(&known).find(|base| classes.inherits(class, base.name()));
        self.node_class = Some(both.map_or("Node", godot_project::Class::name).to_owned());
    }

    fn note(&mut self, class: Option<&str>, properties: &[(String, String)]) {
        let classes = ClassDb::for_version(GodotVersion::godot4(6));
        let Some(class) = class else { return };
        for (key, value) in properties {
            let is_name = key.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
            let is_native = classes.takes(class, key) || classes.property(class, key).is_some();
            if let Some(type_name) =
                type_of(value).filter(|_| is_name && !is_native && key != "script")
            {
                self.variables.entry(key.clone()).or_insert(type_name);
            }
        }
    }

    fn text(&self) -> String {
        let base = self.node_class.as_deref().unwrap_or("Resource");
        let variables = self.variables.iter();
        let variables: String =
            variables.map(|(name, kind)| format!("@export var {name}: {kind}\n")).collect();
        format!(
            "@warning_ignore_start(\"unused_private_class_variable\")\nextends {base}\n\n{variables}"
        )
    }
}

fn type_of(value: &str) -> Option<&'static str> {
    const CONSTRUCTED: &[&str] =
        &["Vector2", "Vector3", "Vector2i", "Vector3i", "Color", "NodePath", "Rect2"];
    let name = value.split('(').next().unwrap_or_default();
    match value.as_bytes().first()? {
        b'"' => Some("String"),
        b'&' => Some("StringName"),
        b't' | b'f' => Some("bool"),
        b'-' | b'0'..=b'9' if value.contains('.') => Some("float"),
        b'-' | b'0'..=b'9' => Some("int"),
        b'S' | b'E' => Some("Resource"),
        _ => CONSTRUCTED.iter().copied().find(|known| *known == name),
    }
}

/// The text with stand-ins for the missing files. Their uids go.
fn with_stand_ins(project: &Path, text: &str, known: &BTreeSet<&str>) -> String {
    let tags = Regex::new(r"(?m)^\[ext_resource .*\]$").expect("a pattern");
    let fields = Regex::new(r#"(\w+)="([^"]*)""#).expect("a pattern");
    let uids = Regex::new(r#" uid="[^"]*""#).expect("a pattern");
    let replaced = tags.replace_all(text, |found: &Captures<'_>| {
        let tag = &found[0];
        let field = |name: &str| {
            let mut all = fields.captures_iter(tag);
            all.find(|field| &field[1] == name).map(|field| field[2].to_owned())
        };
        let (path, kind) = (field("path").unwrap_or_default(), field("type").unwrap_or_default());
        if known.contains(path.as_str()) {
            return tag.to_owned();
        }
        let tag = uids.replace(tag, "").into_owned();
        let Some((end, text)) = stand_in(&kind).filter(|_| !path.ends_with(".gd")) else {
            return tag;
        };
        let to = format!("{path}{end}");
        write(project, &to, &text);
        tag.replace(&format!("path=\"{path}\""), &format!("path=\"{to}\""))
    });
    replaced.into_owned()
}

/// The stand-in for a resource of a class: the end of its name, and its text.
fn stand_in(kind: &str) -> Option<(&'static str, String)> {
    if kind == "PackedScene" {
        let text = "[gd_scene format=3]\n\n[node name=\"StandIn\" type=\"Node3D\"]\n";
        return Some((".tscn", text.to_owned()));
    }
    let concrete = match kind {
        "Script" => return None,
        "Texture2D" | "CompressedTexture2D" => "PlaceholderTexture2D",
        "Material" => "StandardMaterial3D",
        "Mesh" | "ArrayMesh" => "BoxMesh",
        "Font" | "FontFile" => "FontVariation",
        "AudioStream" | "AudioStreamWAV" | "AudioStreamOggVorbis" | "AudioStreamMP3" => {
            "AudioStreamGenerator"
        }
        "StyleBox" => "StyleBoxFlat",
        "Shape3D" => "BoxShape3D",
        "Shape2D" => "RectangleShape2D",
        other => other,
    };
    let classes = ClassDb::for_version(GodotVersion::godot4(6));
    let is_known = classes.inherits(concrete, "Resource")
        && classes.class(concrete).is_some_and(godot_project::Class::is_instantiable);
    is_known
        .then(|| (".tres", format!("[gd_resource type=\"{concrete}\" format=3]\n\n[resource]\n")))
}

fn write(project: &Path, path: &str, text: &str) {
    let path = project.join(path.trim_start_matches("res://"));
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).expect("it can be made");
    }
    fs::write(path, text).expect("it can be written");
}
