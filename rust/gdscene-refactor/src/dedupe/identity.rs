//! Whether an object of its own is meant where an equal one is.

use std::collections::BTreeSet;

use godot_project::node_paths::each_path;
use godot_project::res_path::FactsKind;
use godot_project::res_path::extension_of;
use godot_project::settings::lossy;
use godot_project::{FileId, Project, ResolvedPath};
use godot_tscn::{PartRef, ReferenceKind, Section};
use hashbrown::{HashMap, HashSet};
use memchr::memmem;

use crate::resources::{Resources, has_script};

/// Classes, by the beginning of their names, with objects that each have an identity.
const OWN_CLASSES: &[&str] = &[
    // Nodes of graphs, which know their graph, and keep a state.
    "AnimationNode",
    "AnimationRootNode",
    "VisualShader",
    // `is` and static variables distinguish scripts.
    "GDScript",
    "CSharpScript",
    "VisualScript",
    // Buttons in one group release each other.
    "ButtonGroup",
    // A part of one tile set, action map, or stack of modifications, to which it refers back.
    "TileSet",
    "TileData",
    "OpenXR",
    "SkeletonModification",
    // They refer to one viewport, one text edit, one player.
    "ViewportTexture",
    "SyntaxHighlighter",
    "CodeHighlighter",
    "EditorSyntaxHighlighter",
    "RichTextEffect",
    "AudioStreamGenerator",
    "AudioStreamMicrophone",
    "AudioStreamPlaylist",
    "AudioStreamInteractive",
    "AudioStreamSynchronized",
    "AudioEffect",
    // Baked into or drawn onto while the game runs.
    "NavigationMesh",
    "NavigationPolygon",
    "MultiMesh",
    "ImmediateMesh",
    "ImageTexture",
    "DrawableTexture",
    "World",
    "CompositorEffect",
    // It moves along with its owner.
    "Skin",
    "VideoStream",
    "SceneReplicationConfig",
    "PackedScene",
];

/// Functions of Godot that return the value of a property, if their name differs from it.
const GETTERS: &[(&str, &[&str])] = &[
    ("surface_material_override", &["surface_override_material", "active_material"]),
    ("theme_override_styles", &["theme_stylebox"]),
    ("theme_override_fonts", &["theme_font"]),
    ("theme_override_icons", &["theme_icon"]),
    ("libraries", &["animation"]),
];

/// The uses of a file's resources.
pub(super) struct Identity {
    /// Properties with a resource that an animation changes: `material` of
    /// `Sprite:material:shader_parameter/glow`.
    animated: BTreeSet<String>,
    /// The scripts that may change a resource of the file, by their names in messages.
    code: Vec<(String, Vec<u8>)>,
    /// In which properties each resource is, by id.
    used_in: HashMap<String, BTreeSet<String>>,
    /// Why the value of a property may change, for those asked about.
    changes: HashMap<String, Option<String>>,
    /// Why a resource may change, for those asked about.
    doubts: HashMap<String, Option<String>>,
}

impl Identity {
    pub(super) fn of(project: &Project, file: FileId, resources: &Resources<'_>) -> Self {
        let mut identity = Self {
            animated: BTreeSet::new(),
            code: Vec::new(),
            used_in: HashMap::new(),
            changes: HashMap::new(),
            doubts: HashMap::new(),
        };
        for section in resources.document.sections() {
            identity.look_at(resources, section);
        }
        let mut named: HashSet<FileId> = HashSet::new();
        for resource in &project.facts(file).ext_resources {
            if let ResolvedPath::File(target) =
                project.resolve_external(project.path(file), resource)
                && named.insert(target)
            {
                let tracks = &project.facts(target).tracks;
                tracks.iter().for_each(|track| identity.note_path(&track.path));
            }
        }
        identity.code.extend(scripts(project, &named));
        identity
    }

    fn look_at(&mut self, resources: &Resources<'_>, section: Section<'_>) {
        let references = section.references();
        for property in section.properties() {
            let key = lossy(&property.engine_key());
            let span = property.value_span();
            let first = references.partition_point(|found| found.target.start < span.start);
            let inside =
                references[first..].iter().take_while(|found| found.target.end <= span.end);
            for reference in inside.filter(|found| found.kind == ReferenceKind::SubResource) {
                self.used_in.entry(resources.id(reference)).or_default().insert(key.clone());
            }
            if memmem::find(property.source(), b"NodePath").is_some() {
                let tree = property.value_tree();
                let mut paths = Vec::new();
                each_path(tree.root(), &mut |part: PartRef<'_>| {
                    paths.extend(part.inner_text("NodePath").map(|path| lossy(&path)));
                });
                paths.iter().for_each(|path| self.note_path(path));
            }
            if key == "script/source" {
                let name = "a script inside the file".to_owned();
                self.code.push((name, property.source().to_vec()));
            }
        }
    }

    /// Notes a path that goes on behind a property.
    fn note_path(&mut self, path: &str) {
        let mut names = path.split(':').skip(1);
        if let (Some(property), Some(_)) = (names.next(), names.next()) {
            self.animated.insert(property.to_owned());
        }
    }

    /// Whether nothing else can stand for the resource, whatever it is equal to.
    pub(super) fn is_own(&self, section: Section<'_>, class: &str) -> bool {
        let is_local = |key: &[u8]| key == b"resource_local_to_scene";
        section.is_broken()
            || OWN_CLASSES.iter().any(|own| class.starts_with(own))
            || section.properties().any(|property| is_local(&property.engine_key()))
    }

    /// Why it is not certain that one resource can stand for the two with these ids; `section` is that of one.
    pub(super) fn doubt(&mut self, section: Section<'_>, ids: [&str; 2]) -> Option<String> {
        if has_script(section) {
            return Some("its script may store a separate state in each copy".to_owned());
        }
        ids.into_iter().find_map(|id| self.doubt_of(id))
    }

    /// Why the resource with this id may change while the game runs.
    fn doubt_of(&mut self, id: &str) -> Option<String> {
        if let Some(known) = self.doubts.get(id) {
            return known.clone();
        }
        let properties = self.used_in.remove(id).unwrap_or_default();
        let doubt = properties.iter().find_map(|property| self.change_in(property));
        self.doubts.insert(id.to_owned(), doubt.clone());
        doubt
    }

    /// Why the value of a property may change while the game runs.
    fn change_in(&mut self, property: &str) -> Option<String> {
        if self.animated.contains(property) {
            return Some(format!("an animation changes the resource in the property `{property}`"));
        }
        if let Some(known) = self.changes.get(property) {
            return known.clone();
        }
        let code = self.code.iter().find(|(path, code)| may_change(path, code, property));
        let change = code.map(|(path, _)| {
            format!("{path} may change the resource in the property `{property}` of only one copy")
        });
        self.changes.insert(property.to_owned(), change.clone());
        change
    }
}

/// The scripts of the project. Those of addons know its resources only if the file names them.
fn scripts(project: &Project, named: &HashSet<FileId>) -> Vec<(String, Vec<u8>)> {
    let scripts = project.files().filter(|file| {
        let path = project.path(*file);
        let is_script = FactsKind::of(path) == FactsKind::Script;
        is_script && (named.contains(file) || !path.starts_with("res://addons/"))
    });
    let code = |file| Some((project.path(file).to_owned(), project.read(file).ok()?.into_owned()));
    scripts.filter_map(code).collect()
}

/// Whether code names a property or its getter, other than to put something else there: `material.`, `get_material()`, in C#
/// `Material.`. A value that is read may be changed anywhere.
fn may_change(path: &str, code: &[u8], property: &str) -> bool {
    let parts = property.split('/').filter(|part| part.parse::<u32>().is_err());
    let getters = GETTERS.iter().filter(|(name, _)| property.split('/').next() == Some(name));
    let mut names = parts.chain(getters.flat_map(|(_, getters)| getters.iter().copied()));
    let is_csharp = extension_of(path) == "cs";
    names.any(|name| match is_csharp {
        true => reads(code, &pascal_case(name), |before| before.is_ascii_lowercase()),
        false => reads(code, name, |before| before == b'_'),
    })
}

/// Whether `name` is somewhere, by itself or after the verb of a getter, and not before an assignment.
fn reads(code: &[u8], name: &str, is_behind_verb: impl Fn(u8) -> bool) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    memmem::find_iter(code, name.as_bytes()).any(|start| {
        let is_start = start.checked_sub(1).is_none_or(|at| {
            let before = code[at];
            !is_word(before) || is_behind_verb(before)
        });
        let after = &code[start + name.len()..];
        let is_end = after.first().is_none_or(|byte| !is_word(*byte));
        let next = after.trim_ascii_start();
        let is_assigned = next.starts_with(b"=") && !next.starts_with(b"==");
        is_start && is_end && !is_assigned
    })
}

fn pascal_case(name: &str) -> String {
    let parts = name.split('_').map(|part| {
        let mut letters = part.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    parts.collect()
}
