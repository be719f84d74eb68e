//! Declarations that make Godot 4 refuse a whole script.

use std::cell::OnceCell;

use godot_project::script::source::{Declared, Role, ScriptSource};
use godot_project::scripts::ScriptNames;
use godot_project::scripts::types::is_built_in_type;
use godot_project::{Base, FileId, Script, Variable};
use godot_tscn::{GodotVersion, Reporter, Severity, Span, quote};
use hashbrown::{HashMap, HashSet};

use crate::rules::context::ScriptContext;
use crate::rules::unknown_class::{close, other_version};

const REFUSED: &str =
    "the script does not compile, and the next save of a scene that uses it removes it";

const MODULE: &str = "correct the name, or add the extension or engine module that provides it";

/// Reports the declarations that make Godot 4 refuse a script.
pub(super) fn check(context: &ScriptContext<'_>, reporter: &mut Reporter<'_>) {
    let Some(file) = context.file else { return };
    let version = context.project.settings().version;
    // Projects copy the templates before they use them.
    let is_template = context.path.starts_with("res://script_templates/");
    if is_template || version.is_some_and(|version| version.major != 4) {
        return;
    }
    let Some(script) = context.project.scripts().script(file) else { return };
    let (names, places) = (OnceCell::new(), OnceCell::new());
    let unknown = HashSet::new();
    let mut refused = Refused { context, file, version, names, places, unknown, reporter };
    refused.taken_names(script);
    if script.is_complete {
        refused.unknown_bases(script);
        refused.types(script);
        refused.inherited_members(script);
    }
}

struct Refused<'c, 't, 'r, 'd> {
    context: &'c ScriptContext<'t>,
    file: FileId,
    version: Option<GodotVersion>,
    names: OnceCell<ScriptNames<'c>>,
    places: OnceCell<HashMap<(Place, &'c str), Span>>,
    /// The unknown names that were reported.
    unknown: HashSet<String>,
    reporter: &'r mut Reporter<'d>,
}

impl<'c> Refused<'c, '_, '_, '_> {
    /// Reports names of classes that are already taken.
    fn taken_names(&mut self, script: &Script) {
        if let Some(class_name) = &script.class_name {
            let others = self.context.project.scripts().classes_named(class_name);
            let other = others.iter().find(|other| **other != self.file);
            if let Some(other) = other {
                let other = quote(self.context.project.path(*other).as_bytes());
                let name = quote(class_name.as_bytes());
                let message = format!("{other} also has the class name {name}; rename one of them");
                let span = self.span(Place::Class, class_name);
                let diagnostic = self.reporter.report(span, message);
                diagnostic.consequence("Godot compiles only one of them, and the next save of a scene that uses the other removes it");
            } else {
                self.taken_name(class_name, false);
            }
        }
        let mut rest: Vec<&Script> = vec![script];
        while let Some(class) = rest.pop() {
            for (name, inner) in &class.classes {
                self.taken_name(name, true);
                rest.push(inner);
            }
        }
    }

    fn taken_name(&mut self, name: &str, is_inner: bool) {
        let project = self.context.project;
        let classes = project.classes();
        let mut autoloads = project.settings().autoloads.iter();
        let what = if is_built_in_type(name) && self.is_type_of_godot_4(name) {
            "a GDScript type"
        } else if self.version.is_some()
            && classes.class(name).is_some()
            && !HIDDEN_CLASSES.contains(&name)
        {
            "a Godot class"
        } else if is_inner && !project.scripts().classes_named(name).is_empty() {
            "a class of the project"
        } else if autoloads.any(|found| found.is_singleton && found.name == name) {
            "an autoload"
        } else {
            return;
        };
        let message =
            format!("{} is also the name of {what}; rename one of them", quote(name.as_bytes()));
        let span = self.span(Place::Class, name);
        self.reporter.report(span, message).consequence(REFUSED);
    }

    /// Whether a type of any version is a type of Godot 4.
    fn is_type_of_godot_4(&self, name: &str) -> bool {
        !matches!(name, "Transform" | "Quat") && !name.starts_with("Pool")
    }

    /// Reports classes with a missing base.
    fn unknown_bases(&mut self, script: &Script) {
        let mut rest = vec![script];
        while let Some(class) = rest.pop() {
            rest.extend(class.classes.iter().map(|(_, inner)| inner));
            let Base::Class(base) = &class.base else { continue };
            self.unknown(base);
        }
    }

    /// Reports variables and signals that a base already has.
    fn inherited_members(&mut self, script: &Script) {
        let variables = script.variables.iter().map(|found| (Place::Variable, &found.name));
        let signals = script.signals.iter().map(|found| (Place::Signal, &found.name));
        for (place, name) in variables.chain(signals) {
            let native = || self.version.and_then(|_| self.names().native_with(name));
            let owner = match self.names().base_with(name) {
                Some(base) => quote(self.context.project.path(base).as_bytes()),
                None => match native() {
                    Some(native) => format!("the class `{native}`"),
                    None => continue,
                },
            };
            let message = format!("{owner} already has {}; rename it here", quote(name.as_bytes()));
            let span = self.span(place, name);
            self.reporter.report(span, message).consequence(REFUSED);
        }
    }

    /// Reports missing types of variables, and types that no script can export.
    fn types(&mut self, script: &Script) {
        for variable in &script.variables {
            let Some(written) = &variable.type_name else { continue };
            for name in named(written) {
                if !self.unknown(name) && variable.exports_type {
                    self.not_exportable(variable, name);
                }
            }
        }
    }

    /// Reports a type or base if nothing has the first part of its name.
    fn unknown(&mut self, name: &str) -> bool {
        let first = name.split('.').next().unwrap_or_default().trim();
        let project = self.context.project;
        let is_name = |name: &str| {
            !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
        };
        if self.unknown.contains(first) {
            return true;
        }
        if !is_name(first)
            || ScriptNames::is_known_everywhere(project, first)
            || project.has_unknown_classes()
            || project.version_without_classes().is_some()
            // The project may run in another version than it says.
            || other_version(project.classes(), first).is_some()
            || self.names().may_mean(first)
        {
            return false;
        }
        // An unknown base may declare it.
        let is_base = matches!(self.script_base(), Some(Base::Class(base)) if base == name);
        if !is_base && self.names().native().is_none() {
            return false;
        }
        let classes = project.classes();
        let span = self.span(Place::Type, first);
        self.unknown.insert(first.to_owned());
        let message = format!(
            "{} is neither a Godot class nor a class of the project",
            quote(first.as_bytes())
        );
        let can_suggest = self.context.suggestions.spend();
        let near = || close(first, classes.class_names().chain(project.scripts().class_names()));
        let diagnostic = self.reporter.report(span, message);
        diagnostic.consequence(REFUSED);
        if let Some(renamed) = classes.renamed_class(first) {
            diagnostic.help(format!("`{first}` is now called `{}`", renamed.name));
        } else if let Some(near) = can_suggest.then(near).flatten() {
            diagnostic.help(format!("did you mean `{near}`?"));
        } else {
            diagnostic.severity = Severity::Warning;
            diagnostic.help(MODULE);
        }
        true
    }

    fn script_base(&self) -> Option<&'c Base> {
        self.context.project.scripts().script(self.file).map(|script| &script.base)
    }

    /// Reports an exported variable if scenes cannot store values of its type.
    fn not_exportable(&mut self, variable: &Variable, name: &str) {
        // Before, Godot accepted nodes in every script.
        const NODES_IN_NODES: GodotVersion = GodotVersion::godot4(3);
        let classes = self.context.project.classes();
        let Some(native) = self.names().native_of(name) else { return };
        let variable_name = quote(variable.name.as_bytes());
        let message = if !classes.inherits(&native, "Node") {
            if classes.class(&native).is_none() || classes.inherits(&native, "Resource") {
                return;
            }
            format!(
                "{variable_name} cannot be exported: {} is neither a resource nor a node",
                quote(name.as_bytes())
            )
        } else {
            let Some(own) = self.names().native() else { return };
            let accepts_nodes = self.version.is_none_or(|version| version < NODES_IN_NODES);
            if accepts_nodes || classes.inherits(own, "Node") {
                return;
            }
            format!(
                "{variable_name} cannot be exported: only scripts of nodes export nodes, and this one extends {}; export a `NodePath`",
                quote(own.as_bytes())
            )
        };
        let span = self.span(Place::Variable, &variable.name);
        self.reporter.report(span, message).consequence(REFUSED);
    }

    fn names(&self) -> &ScriptNames<'c> {
        self.names.get_or_init(|| ScriptNames::of(self.context.project, self.file))
    }

    /// The first place of a name, or the start of the file if the name is not found.
    fn span(&self, place: Place, name: &str) -> Span {
        let places =
            self.places.get_or_init(|| self.context.source().map(places).unwrap_or_default());
        places.get(&(place, name)).copied().unwrap_or(Span::new(0, 0))
    }
}

/// The kind of place that a name is in.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    /// Where a class or the script is declared.
    Class,
    /// Where a variable is declared.
    Variable,
    /// Where a signal is declared.
    Signal,
    /// In a type or base.
    Type,
}

/// The first place of each name.
fn places<'s>(source: &'s ScriptSource<'_>) -> HashMap<(Place, &'s str), Span> {
    let mut places = HashMap::new();
    for name in source.names() {
        let place = match name.role {
            Role::Declares(Declared::ClassName | Declared::Class) => Place::Class,
            Role::Declares(Declared::Variable) if name.class == 0 => Place::Variable,
            Role::Declares(Declared::Signal) if name.class == 0 => Place::Signal,
            Role::Type => Place::Type,
            _ => continue,
        };
        places.entry((place, source.text_of(name.span))).or_insert(name.span);
    }
    places
}

/// Classes of Godot with names that scripts may use for their own classes. Each was tried in Godot
/// 4.6.3.
const HIDDEN_CLASSES: &[&str] = &[
    "GDScriptEditorTranslationParserPlugin",
    "GDScriptNativeClass",
    "GLTFDocumentExtensionPhysics",
    "GLTFDocumentExtensionTextureKTX",
    "GLTFDocumentExtensionTextureWebP",
    "GodotNavigationServer2D",
    "GodotPhysicsServer2D",
    "GodotPhysicsServer3D",
    "IPUnix",
    "MovieWriterMJPEG",
    "MovieWriterOGV",
    "MovieWriterPNGWAV",
    "ResourceFormatImporterSaver",
    "SceneCacheInterface",
    "SceneRPCInterface",
    "SceneReplicationInterface",
    "ThemeContext",
];

/// The names in a type, as in `Dictionary[String, Array[Enemy.Kind]]`.
fn named(written: &str) -> impl Iterator<Item = &str> {
    written.split(['[', ']', ',']).map(str::trim).filter(|name| !name.is_empty())
}
