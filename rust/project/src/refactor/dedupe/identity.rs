//! Whether an object of its own is meant where an equal one is.

use std::collections::BTreeSet;

use hashbrown::HashMap;
use memchr::memmem;
use tscn::{PartRef, ReferenceKind, Section};

use crate::facts::FactsKind;
use crate::node_paths::each_path;
use crate::project::{FileId, Project, ResolvedPath};
use crate::refactor::resources::Resources;
use crate::res_path::extension_of;
use crate::settings::lossy;

/// Classes, by what their names start with, of which each object is something of its own.
const OWN_CLASSES: &[&str] = &[
    // Nodes of graphs, which know their graph, and keep a state.
    "AnimationNode",
    "AnimationRootNode",
    "VisualShader",
    // `is` and static variables tell one script from another.
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
    // It moves along with what it belongs to.
    "Skin",
    "VideoStream",
    "SceneReplicationConfig",
    "PackedScene",
];

/// What is known of the uses of a file's resources.
pub(super) struct Identity {
    /// Properties into whose resource an animation reaches: `material` of `Sprite:material:shader_parameter/glow`.
    animated: BTreeSet<String>,
    /// The code of the scripts that the file names.
    code: Vec<(String, Vec<u8>)>,
    /// In which properties each resource is, by id.
    used_in: HashMap<String, BTreeSet<String>>,
}

impl Identity {
    pub(super) fn of(project: &Project, file: FileId, resources: &Resources<'_>) -> Self {
        let mut identity =
            Self { animated: BTreeSet::new(), code: Vec::new(), used_in: HashMap::new() };
        for section in resources.document.sections() {
            for property in section.properties() {
                identity.look_at(resources, section, property);
            }
        }
        for resource in &project.facts(file).ext_resources {
            let ResolvedPath::File(target) = project.resolve_external(project.path(file), resource)
            else {
                continue;
            };
            let facts = project.facts(target);
            facts.tracks.iter().for_each(|track| identity.note_path(&track.path));
            if FactsKind::of(project.path(target)) == FactsKind::Script
                && let Ok(code) = project.read(target)
            {
                identity.code.push((project.path(target).to_owned(), code.into_owned()));
            }
        }
        identity
    }

    fn look_at(
        &mut self,
        resources: &Resources<'_>,
        section: Section<'_>,
        property: tscn::Property<'_>,
    ) {
        let key = lossy(&property.engine_key());
        let span = property.value_span();
        let references = section.references().iter();
        let inside = references
            .skip_while(|found| found.target.start < span.start)
            .take_while(|found| found.target.end <= span.end);
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
        if key.ends_with("script/source") || key == "code" {
            self.code.push(("a script inside the file".to_owned(), property.source().to_vec()));
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

    /// Why it is not certain that one resource can stand for the two.
    pub(super) fn doubt(&self, section: Section<'_>, id: &str, other: &str) -> Option<String> {
        if section.properties().any(|property| property.engine_key().as_ref() == b"script") {
            return Some("its script may keep a state of its own in each".to_owned());
        }
        let none = BTreeSet::new();
        let uses = [id, other].into_iter().flat_map(|id| self.used_in.get(id).unwrap_or(&none));
        for property in uses {
            if self.animated.contains(property) {
                return Some(format!("an animation changes what is in the property `{property}`"));
            }
            let changing = self.code.iter().find(|(path, code)| reaches_into(path, code, property));
            if let Some((path, _)) = changing {
                return Some(format!(
                    "{path} may change what is in the property `{property}` of one alone"
                ));
            }
        }
        None
    }
}

/// Whether code has `material.`, `material_override.duplicate`, in C# `Material.`.
fn reaches_into(path: &str, code: &[u8], property: &str) -> bool {
    let name = property.rsplit('/').next().unwrap_or(property);
    let name = if extension_of(path) == "cs" { pascal_case(name) } else { name.to_owned() };
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    memmem::find_iter(code, name.as_bytes()).any(|start| {
        let before = start.checked_sub(1).map(|at| code[at]);
        let after = code[start + name.len()..].trim_ascii_start().first();
        let is_whole = before.is_none_or(|byte| !is_word(byte));
        is_whole && matches!(after, Some(b'.' | b'[' | b'?'))
            || is_whole && name == property && before == Some(b'_')
    }) || property.contains('/') && memmem::find(code, property.as_bytes()).is_some()
}

fn pascal_case(name: &str) -> String {
    let parts = name.split('_').map(|part| {
        let mut letters = part.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    parts.collect()
}
