//! The files that are made for a resource: a script or shader becomes one of code.

use godot_project::res_path::{extension_of, folder_of};
use godot_project::settings::lossy;
use godot_project::{FileId, Place, Uid};
use godot_tscn::{FileEdits, GodotVersion, Span};

use super::Extraction;
use super::new_file::NewFile;
use crate::RefactorError;
use crate::ids::FreshUids;

/// The new file of the resource.
pub(super) struct Created {
    pub(super) files: Vec<FileEdits>,
    /// The type in the `ext_resource` tag.
    pub(super) class: String,
    pub(super) uid: Option<Uid>,
    pub(super) doubts: Vec<Place>,
}

/// The extensions of the files that a class can get.
pub(super) fn extensions_for(class: &str) -> &'static [&'static str] {
    match class {
        "GDScript" => &["gd"],
        "Shader" => &["gdshader", "tres"],
        "ShaderInclude" => &["gdshaderinc", "tres"],
        _ => &["tres"],
    }
}

/// Properties of scripts and shaders that go with a doubt: they change nothing in a running game.
const DROPPED: &[&str] = &["resource_name", "resource_local_to_scene"];

impl Extraction<'_> {
    /// The new files.
    ///
    /// # Errors
    /// When a script or shader has no text, or more than its text.
    pub(super) fn created(&self, scene: FileId, new: &str) -> Result<Created, RefactorError> {
        let class = self.class.to_owned();
        let version = self.project.settings().version;
        let source = match (class.as_str(), &*extension_of(new)) {
            ("GDScript", _) => Some("script/source"),
            ("Shader", "gdshader") | ("ShaderInclude", "gdshaderinc") => Some("code"),
            _ => None,
        };
        let Some(source) = source else {
            let (text, uid) = NewFile { extraction: self, scene, path: new }.text()?;
            let files = vec![FileEdits::create(new, text)];
            return Ok(Created { files, class, uid, doubts: Vec::new() });
        };
        let code = self.code(source)?;
        let mut doubts = self.relative_paths(scene, new, &code);
        doubts.extend(self.lost_properties(scene));
        let mut created = Created {
            doubts,
            files: Vec::new(),
            // The class of all scripts in Godot's saver.
            class: if class == "GDScript" { "Script".to_owned() } else { class },
            uid: None,
        };
        // Godot 4.4 and later give such files a uid in a file next to them.
        if version.unwrap_or(GodotVersion::NEWEST) >= GodotVersion::godot4(4) {
            let uid = FreshUids::new(self.project).of_file(new, code.as_bytes());
            created.files.push(FileEdits::create(format!("{new}.uid"), format!("{uid}\n")));
            created.uid = Some(uid);
        }
        created.files.push(FileEdits::create(new, code));
        Ok(created)
    }

    /// The text of a script or shader.
    fn code(&self, key: &str) -> Result<String, RefactorError> {
        let mut code = None;
        for property in self.target.properties() {
            let name = lossy(&property.engine_key());
            match name.as_str() {
                _ if name == key => {
                    let tree = property.value_tree();
                    code = tree.root().text().map(|text| lossy(&text));
                }
                _ if DROPPED.contains(&name.as_str()) => {}
                _ => {
                    let reason =
                        format!("the file of a {} cannot hold its property `{name}`", self.class);
                    return Err(RefactorError::Refused(reason));
                }
            }
        }
        code.ok_or_else(|| RefactorError::Refused(format!("the {} has no text", self.class)))
    }

    /// Notes that a script or shader has properties that its file cannot contain.
    fn lost_properties(&self, scene: FileId) -> impl Iterator<Item = Place> {
        let lines = godot_tscn::LineIndex::new(self.resources.document.text());
        let path = self.project.path(scene);
        self.target.properties().filter_map(move |property| {
            let name = lossy(&property.engine_key());
            DROPPED.contains(&name.as_str()).then(|| {
                let span = Span::new(property.key_span().start, property.value_span().end);
                let at = lines.position(span.start);
                let (path, what) =
                    (path.to_owned(), format!("the file of a {} cannot hold `{name}`", self.class));
                Place { path, span, line: at.line, column: at.column, what: what.into() }
            })
        })
    }

    /// Notes that paths of a script in a scene start at the scene's folder.
    fn relative_paths(&self, scene: FileId, new: &str, code: &str) -> Vec<Place> {
        let old = self.project.path(scene);
        let is_relative = |start: &str| {
            code.match_indices(start).any(|(at, _)| {
                !code[at + start.len()..].starts_with("res://")
                    && !code[at + start.len()..].starts_with("uid://")
            })
        };
        let starts = ["preload(\"", "load(\"", "extends \"", "#include \""];
        if folder_of(old) == folder_of(new) || !starts.iter().any(|start| is_relative(start)) {
            return Vec::new();
        }
        let lines = godot_tscn::LineIndex::new(self.resources.document.text());
        let span = self.target.tag_span();
        let at = lines.position(span.start);
        let what = "its code names a file by a path relative to its own folder";
        vec![Place {
            path: old.to_owned(),
            span,
            line: at.line,
            column: at.column,
            what: what.into(),
        }]
    }
}
