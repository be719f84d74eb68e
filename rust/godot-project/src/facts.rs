//! The data of one file for the rest of the project: its uid, its type, its references, its nodes.
//!
//! Everything here is owned and small, so that it can be kept for a whole project, and on disk.

mod binary;
mod import;
mod text;

use serde::{Deserialize, Serialize};

pub use text::{id_path, tracks};

use crate::Uid;
use crate::defined_names::{DefinedNames, add_script};
use crate::res_path::{FactsKind, is_gdscript};
use crate::script::Script;
use crate::settings::mentions;

/// The data of one file for the rest of the project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFacts {
    /// The file's own uid, or in a `.import` or `.uid` file the uid of the file next to it.
    pub uid: Option<Uid>,
    /// The class of the resource: `PackedScene`, `CompressedTexture2D`.
    pub resource_type: Option<String>,
    /// Which importer a `.import` file names.
    pub importer: Option<String>,
    /// `script_class` in the header.
    pub script_class: Option<String>,
    /// The script of a `.tres` file's resource.
    pub resource_script: ScriptUse,
    /// The `ext_resource` tags, in the order of the text.
    pub ext_resources: Vec<ExtResource>,
    /// The names that the file defines, and that scripts and scenes pass as text.
    pub names: DefinedNames,
    /// Other paths and uids in the text.
    pub mentions: Vec<String>,
    /// The declarations of a script.
    pub script: Option<Box<Script>>,
    /// The tracks of a resource that is an `Animation`, or of those in an `AnimationLibrary`.
    pub tracks: Vec<Track>,
    /// The nodes, in a scene.
    pub scene: Option<Scene>,
    /// Why Godot refuses the file, if it does.
    pub refusal: Option<Refusal>,
    /// Whether the file contains more than these facts: it is not a text, or a broken one.
    pub is_incomplete: bool,
}

/// Why Godot refuses a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The code of the rule that reports it.
    pub code: String,
    /// The line, counted from 1.
    pub line: u32,
}

/// An `ext_resource` tag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtResource {
    /// Its section in the document.
    pub section: u32,
    /// Its id.
    pub id: String,
    /// Its class.
    pub resource_type: String,
    /// Its path, as written.
    pub path: Option<String>,
    /// Its uid, if it is one.
    pub uid: Option<Uid>,
}

/// A track of an animation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Track {
    /// The path of its node, and of the changed property there.
    pub path: String,
    /// Its effect on the node.
    pub effect: TrackEffect,
}

/// The effect of a [`Track`] on its node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TrackEffect {
    /// It sets the property in its path.
    Sets,
    /// It calls methods of these names.
    Calls(Vec<String>),
    /// It moves bones or plays something, or it is disabled.
    Other,
}

/// The nodes of a scene, as its text lists them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scene {
    /// The `node` tags, in the order of the text.
    pub nodes: Vec<SceneNode>,
    /// The paths in `editable` tags.
    pub editables: Vec<String>,
}

/// A `node` tag.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SceneNode {
    /// Its section in the document.
    pub section: u32,
    /// Its name.
    pub name: String,
    /// The field `type`. Without one and without [`SceneNode::instance`] the node comes from another scene.
    pub class: Option<String>,
    /// The field `parent`.
    pub parent: Option<String>,
    /// The field `parent_id_path`.
    pub parent_ids: Vec<i32>,
    /// The field `owner`.
    pub owner: Option<String>,
    /// The scene that the node is made of.
    pub instance: Option<Instance>,
    /// The field `index`: the place among siblings.
    pub index: Option<i64>,
    /// The field `unique_id`.
    pub unique_id: Option<i32>,
    /// The property `unique_name_in_owner`.
    pub is_unique: Option<bool>,
    /// The property `script`.
    pub script: ScriptUse,
}

/// The scene of an instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Instance {
    /// The [`ExtResource`] with this index.
    Scene(u32),
    /// A path that is loaded later.
    Placeholder(String),
    /// It is unknown.
    Unknown,
}

/// The script of a node or resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScriptUse {
    /// Nothing is said.
    #[default]
    Unset,
    /// `script = null`
    Removed,
    /// The [`ExtResource`] with this index.
    External(u32),
    /// One inside the scene, or an unknown one.
    Inline,
}

impl FileFacts {
    /// The facts of the file at `path` with this `content`.
    ///
    /// ```
    /// let text = b"[gd_scene format=3 uid=\"uid://cqq2j4h8p6vy1\"]\n\n[node name=\"A\" type=\"Node\"]\n";
    /// let facts = godot_project::FileFacts::read("res://a.tscn", text);
    /// assert_eq!(facts.uid.unwrap().to_string(), "uid://cqq2j4h8p6vy1");
    /// assert_eq!(facts.scene.unwrap().nodes[0].name, "A");
    /// ```
    pub fn read(path: &str, content: &[u8]) -> Self {
        match FactsKind::of(path) {
            FactsKind::Text => Self::of_document(&godot_tscn::parse(content)),
            FactsKind::Script => {
                let mut names = DefinedNames::default();
                add_script(content, !is_gdscript(path), &mut names);
                Self {
                    script: Some(Box::new(Script::read(path, content))),
                    mentions: mentions(content),
                    names,
                    ..Self::unknown()
                }
            }
            FactsKind::Import => import::facts(content),
            FactsKind::Uid => Self { uid: Uid::parse(content.trim_ascii()), ..Self::default() },
            FactsKind::Binary => binary::facts(content),
            FactsKind::None => Self::unknown(),
        }
    }

    /// The facts of a parsed text.
    pub fn of_document(document: &godot_tscn::Document<'_>) -> Self {
        text::facts(document)
    }

    /// Whether all sections that these facts name are in the document.
    pub(crate) fn fits(&self, document: &godot_tscn::Document<'_>) -> bool {
        let count = document.sections().len();
        let is_there = |section: u32| (section as usize) < count;
        let nodes = self.scene.iter().flat_map(|scene| &scene.nodes);
        self.ext_resources.iter().all(|found| is_there(found.section))
            && nodes.into_iter().all(|node| is_there(node.section))
    }

    /// Nothing is known.
    pub(crate) fn unknown() -> Self {
        Self { is_incomplete: true, ..Self::default() }
    }
}
