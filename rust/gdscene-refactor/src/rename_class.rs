//! A new `class_name` for a script, in the scripts and resources that name it.

mod csharp;
#[cfg(test)]
mod csharp_tests;

use std::sync::Arc;

use godot_project::class_db::nearest;
use godot_project::res_path::extension_of;
use godot_project::script::source::{
    Declared, LiteralKind, Name, Role, StringLiteral, StringPlace,
};
use godot_project::scripts::types::{ClassRef, Loaded, Type, Types};
use godot_project::{FileId, Plan, Project, SceneContext};
use godot_tscn::{Span, TagKind};

use self::csharp::ClassInCsharp;
use crate::RefactorError;
use crate::draft::{FileDraft, plan_of_mentions};
use crate::names::{check_identifier, check_no_native_class};
use crate::rename_member::{doubt_inner_script, files_with_code, quoted_in_csharp};

/// Plans the changes when the class that a script declares as `old` gets the name `new`.
///
/// The `class_name` changes, and where scripts name the class: as a type, behind `extends`, `is` and `as`, and in
/// expressions like `Enemy.new()`. In resources, `script_class` changes, and the list of classes that Godot 3 keeps in
/// `project.godot`.
///
/// For a class in C#, Godot takes the one with the name of its file, so the file is renamed with it.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
/// # write("project.godot", "config_version=5\n");
/// # write("enemy.gd", "class_name Enemy\nextends Node\n");
/// # write("game.gd", "extends Node\nvar enemies: Array[Enemy]\n");
/// let project = godot_project::Project::open(folder.path())?;
/// let plan = gdscene_refactor::rename_class(&project, "Enemy", "Foe")?;
/// assert!(plan.files[1].new_text().ends_with(b"var enemies: Array[Foe]\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When no script declares the class, or several do, when the new name is invalid or taken, and when a file cannot be read.
pub fn rename_class(project: &Project, old: &str, new: &str) -> Result<Plan, RefactorError> {
    let scripts = project.scripts();
    // One in C# need not be known to the whole project.
    let file =
        scripts.class(old).or_else(|| scripts.csharp_class(old).filter(|_| !scripts.declares(old)));
    let Some(file) = file else {
        return Err(not_declared(project, old));
    };
    let path = project.path(file);
    check_identifier(new, "class name")?;
    check_free(project, old, new)?;
    let is_csharp = extension_of(path) == "cs";
    let csharp = is_csharp.then(|| ClassInCsharp::new(project, file, old, new)).transpose()?;
    let renaming = Renaming { types: Types::new(project), class: ClassRef::of(file), old, new };
    let mut files = files_with_code(project);
    files.extend(project.file("res://project.godot"));
    let title = format!("rename the class `{old}` of `{path}` to `{new}`");
    let plan = plan_of_mentions(project, title, files, old, |file, draft| {
        match (&*extension_of(&draft.path), &csharp) {
            ("gd", _) => return renaming.in_script(file, draft),
            ("cs", Some(csharp)) => return csharp.in_script(draft),
            ("cs", None) => quoted_in_csharp(old, draft),
            ("godot", _) => renaming.in_settings(draft),
            _ => renaming.in_resource(draft),
        }
        Ok(())
    })?;
    match csharp {
        Some(csharp) => csharp.with_file(project, plan),
        None => Ok(plan),
    }
}

struct Renaming<'p> {
    types: Types<'p>,
    class: ClassRef,
    old: &'p str,
    new: &'p str,
}

fn not_declared(project: &Project, name: &str) -> RefactorError {
    if project.scripts().declares(name) {
        return RefactorError::Refused(format!("several scripts declare the class `{name}`"));
    }
    let near = nearest(name, project.scripts().class_names());
    let near = near.map(|near| format!("; did you mean `{near}`?"));
    RefactorError::Refused(format!(
        "no script of the project declares the class `{name}`{}",
        near.unwrap_or_default()
    ))
}

/// Whether nothing that all scripts know has the new name (`GDScriptAnalyzer::resolve_class_inheritance`,
/// modules/gdscript/gdscript_analyzer.cpp, Godot 4.6.3).
fn check_free(project: &Project, old: &str, new: &str) -> Result<(), RefactorError> {
    let clash = |what: String| Err(RefactorError::Clash { what });
    let scripts = project.scripts();
    if old != new && scripts.declares(new) {
        let file = scripts.class(new).map(|file| format!("`{}`", project.path(file)));
        let file = file.unwrap_or_else(|| "a script".to_owned());
        return clash(format!("{file} already declares a class `{new}`"));
    }
    check_no_native_class(project, new)?;
    let autoloads = &project.settings().autoloads;
    // A class in C# that GDScript does not know is often called as its autoload.
    let is_known_to_all = scripts.declares(old);
    let is_autoload =
        autoloads.iter().any(|autoload| autoload.name == new && autoload.is_singleton);
    if is_known_to_all && is_autoload {
        return clash(format!("`{new}` is an autoload"));
    }
    for file in project.files() {
        let inner = scripts.script(file).is_some_and(|script| script.class(new).is_some());
        if inner {
            return clash(format!("`{}` contains a class `{new}`", project.path(file)));
        }
    }
    Ok(())
}

impl Renaming<'_> {
    fn in_script(&self, file: FileId, draft: &mut FileDraft) -> Result<(), RefactorError> {
        let Some(loaded) = self.types.loaded(file) else {
            return Ok(());
        };
        for name in loaded.source.names() {
            if loaded.source.text_of(name.span) != self.old {
                continue;
            }
            if !name.is_certain {
                draft.doubt(name.span, "the syntax around it cannot be parsed");
            } else if self.is_class(loaded, file, name) {
                self.check_place(loaded, file, name)?;
                let what = match name.role {
                    Role::Declares(_) => "`class_name`",
                    Role::Type => "name of the class as a type",
                    _ => "name of the class",
                };
                draft.edit(name.span, self.new, what);
            }
        }
        self.texts(loaded, draft);
        Ok(())
    }

    fn is_class(&self, loaded: &Loaded, file: FileId, name: &Name) -> bool {
        match name.role {
            Role::Declares(Declared::ClassName) => file == self.class.file,
            Role::Type => self.means_class(loaded, file, name),
            Role::Bare if !name.is_called => self.means_class(loaded, file, name),
            _ => false,
        }
    }

    fn means_class(&self, loaded: &Loaded, file: FileId, name: &Name) -> bool {
        // The base of a class is looked up outside it.
        let is_base = loaded.source.classes()[name.class as usize].extends;
        let is_base = is_base.is_some_and(|extends| extends.contains(name.span));
        if is_base {
            return self.types.type_extended(file, name.class, self.old) == Type::Class(self.class);
        }
        self.types.type_of_name(ClassRef { file, class: name.class }, self.old)
            == Type::Class(self.class)
    }

    /// Whether the new name has another meaning at the places of the old one.
    fn check_place(&self, loaded: &Loaded, file: FileId, name: &Name) -> Result<(), RefactorError> {
        let scope = ClassRef { file, class: name.class };
        let is_local = loaded.source.local_at(name.span, self.new).is_some();
        if !is_local && !self.types.is_member_in_scope(self.new, scope) {
            return Ok(());
        }
        let lines = godot_tscn::LineIndex::new(loaded.source.text().as_bytes());
        let line = lines.position(name.span.start).line;
        let (path, new) = (self.types.project.path(file), self.new);
        Err(RefactorError::Clash {
            what: format!("`{path}`, line {line}: `{new}` means something else here"),
        })
    }

    /// Texts that name the class, or may.
    fn texts(&self, loaded: &Loaded, draft: &mut FileDraft) {
        for literal in loaded.source.strings() {
            if loaded.source.text_of(literal.content) != self.old {
                continue;
            }
            match self.text(loaded, literal) {
                Some(Ok(what)) => draft.edit(literal.content, self.new, what),
                Some(Err(why)) => draft.doubt(literal.content, why),
                None => {}
            }
        }
        for comment in loaded.source.comments() {
            let text = loaded.source.text_of(*comment);
            for (at, link) in text.match_indices('[').take_while(|_| text.starts_with("##")) {
                let start = at + link.len();
                let rest = &text[start..];
                let words = rest.strip_prefix(self.old).map(|_| start).or_else(|| {
                    let space = rest.find([' ', ']'])?;
                    let rest = rest[space..].strip_prefix(' ')?;
                    rest.starts_with(self.old).then_some(start + space + 1)
                });
                let ends = |at: usize| text[at + self.old.len()..].starts_with([']', '.']);
                if let Some(at) = words.filter(|at| ends(*at)) {
                    let start = comment.start + at as u32;
                    let span = Span::new(start, start + self.old.len() as u32);
                    draft.edit(span, self.new, "link in the documentation");
                }
            }
        }
    }

    fn text(
        &self,
        loaded: &Loaded,
        literal: &StringLiteral,
    ) -> Option<Result<&'static str, &'static str>> {
        if !literal.is_certain {
            return Some(Err("the syntax around it cannot be parsed"));
        }
        match &literal.place {
            // `Node::find_children` asks scripts for their names too (scene/main/node.cpp, Godot 4.6.3).
            StringPlace::Argument { function, index: 1, .. }
                if loaded.source.text_of(*function) == "find_children" =>
            {
                Some(Ok("name of the class in `find_children`"))
            }
            StringPlace::Argument { function, .. } => {
                let function = loaded.source.text_of(*function);
                let takes_classes = function.contains("class") || function.contains("custom_type");
                let is_name = takes_classes || literal.kind == LiteralKind::StringName;
                is_name.then_some(Err("a string that may name the class"))
            }
            StringPlace::Annotation { name }
                if loaded.source.text_of(*name) == "export_node_path" =>
            {
                Some(Ok("name of the class in `@export_node_path`"))
            }
            StringPlace::Annotation { .. } | StringPlace::Compared => {
                Some(Err("a string that may name the class"))
            }
            _ if literal.kind == LiteralKind::StringName => {
                Some(Err("a string that may name the class"))
            }
            _ => None,
        }
    }

    /// `script_class` of a resource with the script, and scripts inside files.
    fn in_resource(&self, draft: &mut FileDraft) {
        let text = Arc::clone(&draft.text);
        let document = godot_tscn::parse(&text);
        let path = draft.path.clone();
        let context = SceneContext::new(self.types.project, &path, &document);
        let header = document.sections().next();
        let field = header.and_then(|header| header.field("script_class"));
        if let Some(field) =
            field.filter(|field| field.text().as_deref() == Some(self.old.as_bytes()))
        {
            let resource = document.sections().find(|found| found.kind() == TagKind::Resource);
            let object = resource.map(|resource| context.attached(resource));
            let file = object.as_ref().and_then(|object| object.script_file());
            if file == Some(self.class.file) {
                draft.edit(field.value_span(), format!("\"{}\"", self.new), "`script_class`");
            } else {
                draft.doubt(
                    field.value_span(),
                    "the class of a resource whose script is different or unknown",
                );
            }
        }
        for section in document.sections() {
            for property in section.properties() {
                if *property.engine_key() == *b"script/source" {
                    doubt_inner_script(property, self.old, draft);
                }
            }
        }
    }

    /// The classes that Godot 3 lists in `project.godot`.
    fn in_settings(&self, draft: &mut FileDraft) {
        let text = Arc::clone(&draft.text);
        let file = godot_tscn::parse_config(&text);
        let quoted = || format!("\"{}\"", self.new);
        if let Some(classes) = file.get(b"", b"_global_script_classes") {
            let tree = classes.value_tree();
            for class in tree.root().children() {
                for key in ["class", "base"] {
                    let Some(name) = class.get(key) else { continue };
                    if name.text().as_deref() == Some(self.old.as_bytes()) {
                        draft.edit(name.span(), quoted(), "list of classes");
                    }
                }
            }
        }
        if let Some(icons) = file.get(b"", b"_global_script_class_icons") {
            let tree = icons.value_tree();
            for (name, _) in tree.root().entries() {
                if name.text().as_deref() == Some(self.old.as_bytes()) {
                    draft.edit(name.span(), quoted(), "list of classes");
                }
            }
        }
    }
}
