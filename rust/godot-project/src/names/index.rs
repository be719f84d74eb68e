//! All names that a project defines.

use std::sync::OnceLock;

use godot_tscn::GodotVersion;
use hashbrown::{HashMap, HashSet};

use crate::class_db::{ClassDb, MemberKind};
use crate::names::written::Written;
use crate::names::{KINDS, KindOfName, NameKind, used};
use crate::project::{FileId, Project, ResolvedPath};
use crate::res_path::{FactsKind, extension_of};

/// The names of each kind, collected when they are asked for first.
#[derive(Debug, Default)]
pub(crate) struct Names {
    known: [OnceLock<Known>; KINDS.len()],
    /// The functions of scripts that are called as a function of Godot that takes a name.
    declared: OnceLock<HashSet<&'static str>>,
    written: OnceLock<Written>,
}

/// The names of one kind that a project defines.
#[derive(Debug, Default)]
pub struct Known {
    names: HashMap<String, Vec<FileId>>,
    /// The names that Godot has without any file.
    of_engine: HashSet<String>,
    /// The members of Godot's classes are names, too.
    members: Option<MemberKind>,
    /// Any name may exist that starts with one of these.
    starts: Vec<&'static str>,
    openness: Openness,
}

/// How much longer or shorter a name may be than the one that was meant.
const MAX_DIFFERENCE: usize = 4;

/// Whether names may exist that are not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Openness {
    #[default]
    Closed,
    /// A script may define any name that is written somewhere in the project.
    Written,
    /// A file that cannot be read may define any name.
    Hidden,
}

impl Known {
    fn new(project: &Project, kind: &NameKind) -> Self {
        let mut known = Self::default();
        if project.file("res://project.godot").is_none() {
            known.open();
        }
        (kind.built_in)(project, &mut known);
        for file in project.files() {
            let facts = project.facts(file);
            if may_hide(project, file, kind.id) {
                known.open();
            } else if facts.names.open.contains(&kind.id) {
                known.openness = known.openness.max(Openness::Written);
            }
            for (of, name) in &facts.names.names {
                if *of == kind.id {
                    known.define(file, name);
                }
            }
        }
        known
    }

    /// Whether a name is defined, or something may define it while the game runs.
    pub fn may_have(&self, project: &Project, name: &str) -> bool {
        // Animations are called after their library, too.
        let bare = name.rsplit_once('/').map_or(name, |(_, bare)| bare);
        self.names.contains_key(name)
            || self.names.contains_key(bare)
            || self.is_member(project, name)
            || self.starts.iter().any(|start| name.starts_with(start))
            || match self.openness {
                Openness::Closed => false,
                Openness::Written => {
                    project.written().may_make(bare) || project.written().may_make(name)
                }
                Openness::Hidden => true,
            }
    }

    /// Whether a file that cannot be read may define any name.
    pub fn is_open(&self) -> bool {
        self.openness == Openness::Hidden
    }

    /// The names, without those that only Godot knows of.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }

    /// The files that define a name; none where Godot or `project.godot` defines it.
    pub fn files(&self, name: &str) -> &[FileId] {
        self.names.get(name).map_or(&[], Vec::as_slice)
    }

    /// The name that may be meant, one of the project rather than one of Godot.
    pub fn nearest<'k>(&'k self, project: &'k Project, name: &str) -> Option<&'k str> {
        let is_near = |known: &&str| known.len().abs_diff(name.len()) <= MAX_DIFFERENCE;
        let nearest = |mut names: Vec<&'k str>| {
            names.sort_unstable();
            let near =
                godot_tscn::nearest(name.as_bytes(), names.iter().map(|name| name.as_bytes()))?;
            names.into_iter().find(|name| name.as_bytes() == near)
        };
        let of_project = |known: &&str| !self.of_engine.contains(*known);
        nearest(self.names().filter(is_near).filter(of_project).collect()).or_else(|| {
            // Godot has thousands of names, and only some of them can be looked at.
            let is_candidate =
                |known: &&str| is_near(known) && known.bytes().next() == name.bytes().next();
            let members = self.members.into_iter();
            let members =
                members.flat_map(|kind| classes(project).map(move |db| db.member_names(kind)));
            let of_engine = self.of_engine.iter().map(String::as_str);
            nearest(members.flatten().chain(of_engine).filter(is_candidate).collect())
        })
    }

    pub(super) fn define(&mut self, file: FileId, name: &str) {
        let files = self.names.entry_ref(name).or_default();
        if files.last() != Some(&file) {
            files.push(file);
        }
    }

    /// Whether Godot has a name without any file.
    pub fn is_of_engine(&self, project: &Project, name: &str) -> bool {
        self.of_engine.contains(name) || self.is_member(project, name)
    }

    fn is_member(&self, project: &Project, name: &str) -> bool {
        self.members.is_some_and(|kind| classes(project).any(|db| db.has_member(kind, name)))
    }

    /// Adds a name of `project.godot`.
    pub(super) fn define_in_settings(&mut self, name: &str) {
        self.names.entry_ref(name).or_default();
    }

    /// Adds a name that Godot has without any file.
    pub(super) fn define_in_engine(&mut self, name: &str) {
        self.names.entry_ref(name).or_default();
        self.of_engine.insert(name.to_owned());
    }

    /// Adds the members of all classes.
    pub(super) fn define_members(&mut self, kind: MemberKind) {
        self.members = Some(kind);
    }

    pub(super) fn allow_start(&mut self, start: &'static str) {
        if !self.starts.contains(&start) {
            self.starts.push(start);
        }
    }

    /// A script may define any name that is written somewhere.
    pub(super) fn open_to_written(&mut self) {
        self.openness = self.openness.max(Openness::Written);
    }

    pub(super) fn open(&mut self) {
        self.openness = Openness::Hidden;
    }
}

/// The classes with names: addons for several versions of Godot call members of newer ones by their names, too.
fn classes(project: &Project) -> impl Iterator<Item = &ClassDb> {
    let newest = ClassDb::for_version(GodotVersion::NEWEST_WITH_CLASSES);
    [project.classes(), newest].into_iter()
}

impl Project {
    /// The names of a kind that the project defines.
    pub fn known_names(&self, kind: KindOfName) -> &Known {
        self.names().known[kind as usize].get_or_init(|| Known::new(self, NameKind::of(kind)))
    }

    /// The texts of the project that may become names.
    fn written(&self) -> &Written {
        self.names().written.get_or_init(|| Written::new(self))
    }

    /// Whether a script declares a function of this name, which is one that takes a name in Godot.
    pub(crate) fn declares_function(&self, function: &str) -> bool {
        let declared = self.names().declared.get_or_init(|| {
            let mut functions: HashSet<&'static str> = HashSet::new();
            for script in self.files().filter_map(|file| self.scripts().script(file)) {
                // Of a script that cannot be read fully, any function may be missing here. Godot does not load it either.
                let names = |name: &&'static str| declares(script, name);
                functions.extend(used::functions().chain(used::defining_functions()).filter(names));
            }
            functions
        });
        declared.contains(function)
    }
}

fn declares(script: &crate::Script, name: &str) -> bool {
    script.function(name).is_some() || script.classes.iter().any(|(_, inner)| declares(inner, name))
}

/// Whether a file may define names of a kind that its facts do not contain.
fn may_hide(project: &Project, file: FileId, kind: KindOfName) -> bool {
    use KindOfName as K;
    let (path, facts) = (project.path(file), project.facts(file));
    let holds = |class: &str| match kind {
        K::Action => false,
        K::Group => class == "PackedScene",
        K::Bus => class == "AudioBusLayout",
        K::Animation => {
            matches!(class, "PackedScene" | "AnimationLibrary" | "SpriteFrames")
        }
        K::ShaderParameter => {
            class == "PackedScene" || class.contains("Shader") || class.contains("Material")
        }
        K::Metadata => true,
        // Scripts inside scenes are read with the others.
        K::Signal | K::Method | K::Property | K::Setting => false,
    };
    match FactsKind::of(path) {
        _ if matches!(kind, K::Signal | K::Method | K::Property | K::Setting) => {
            hides_script(project, file)
        }
        FactsKind::Text => {
            kind != K::Action && (facts.is_incomplete || lacks_dependency(project, file, holds))
        }
        // The class is known where the file is not compressed.
        FactsKind::Binary => kind != K::Action && facts.resource_type.as_deref().is_none_or(holds),
        FactsKind::Import => match facts.importer.as_deref().unwrap_or_default() {
            "scene" | "animation_library" => matches!(kind, K::Animation | K::Metadata),
            importer if WITHOUT_NAMES.contains(&importer) => false,
            _ => facts.resource_type.as_deref().is_none_or(holds),
        },
        FactsKind::None => {
            let extension = extension_of(path);
            kind == K::ShaderParameter && matches!(&*extension, "material" | "mesh")
                || kind == K::Metadata
                    && matches!(&*extension, "material" | "mesh" | "theme" | "anim")
        }
        FactsKind::Script | FactsKind::Uid => false,
    }
}

/// Whether a file names another one that is missing, and that may define names: of a class that `holds` them.
fn lacks_dependency(project: &Project, file: FileId, holds: impl Fn(&str) -> bool) -> bool {
    let path = project.path(file);
    project.facts(file).ext_resources.iter().filter(|found| holds(&found.resource_type)).any(
        |resource| matches!(project.resolve_external(path, resource), ResolvedPath::Missing(_)),
    )
}

/// Whether a file may have a script inside that is not read: a binary scene, or compiled code.
fn hides_script(project: &Project, file: FileId) -> bool {
    let path = project.path(file);
    match FactsKind::of(path) {
        FactsKind::Text => {
            let holds = |class: &str| class == "PackedScene" || class.ends_with("Script");
            project.facts(file).is_incomplete || lacks_dependency(project, file, holds)
        }
        FactsKind::Binary => {
            let class = project.facts(file).resource_type.as_deref();
            let holds = |class: &str| class == "PackedScene" || class.ends_with("Script");
            // Of a compressed file, the class is not known.
            class.map_or_else(|| extension_of(path) == "scn", holds)
        }
        _ => extension_of(path) == "gdc",
    }
}

/// Importers of Godot whose results have no names. Those of addons may make anything.
const WITHOUT_NAMES: &[&str] = &[
    "2d_array_texture",
    "3d_texture",
    "bitmap",
    "bmfont",
    "csv_translation",
    "cubemap_array_texture",
    "cubemap_texture",
    "font_data_bmfont",
    "font_data_dynamic",
    "font_data_image",
    "glsl",
    "image",
    "keep",
    "mp3",
    "oggvorbisstr",
    "skip",
    "svg",
    "texture",
    "texture_atlas",
    "wav",
    "wavefront_obj",
];
