//! TREE013

use godot_project::class_db::nearest;
use godot_project::settings::lossy;
use godot_project::{ClassDb, SceneContext};
use godot_tscn::{
    Applicability, Edit, Field, Fix, GodotVersion, PartKind, Property, Reporter, Section, Severity,
    Span, ValueTree, quote,
};
use memchr::memmem;

use crate::rules::context::SettingsContext;
use crate::rules::declare_rule;

declare_rule! {
    for_scenes_and_settings
    /// ## What it does
    /// Reports a `type` that is not a Godot class in the version of the project. It is an error if the name is a
    /// misspelled class name, a script class, or a removed class of Godot 3. Otherwise it is a warning, because an
    /// engine module may provide the class.
    ///
    /// If the project has a GDExtension, these errors become warnings, and the rule ignores all other names. Inside the
    /// editor, the rule knows the classes of extensions.
    ///
    /// The rule also checks the class in `Object(…)`, because Godot must be able to create an object of it. In
    /// `project.godot`, only classes that exist before Godot reads the settings are valid.
    ///
    /// ## Why is this bad?
    /// The running game creates a plain node without the properties of the class. It cannot load a scene or resource
    /// with such a resource or object at all. In `project.godot`, Godot stops reading.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Sprit2D"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Sprite2D"]
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: the fix guesses the class with the most similar name.
    ///
    /// ## References
    /// `SceneState::instantiate` (scene/resources/packed_scene.cpp), `ResourceLoaderText::load`
    /// (scene/resources/resource_format_text.cpp), `VariantParser::parse_value` (core/variant/variant_parser.cpp)
    "TREE013", "unknown-class", Error, for_settings_files
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let classes = context.project.classes();
    for found in context.class_uses() {
        let name = &found.class;
        // The rule `renamed-class` reports older names.
        if classes.class(name).is_some() || classes.class_for_older_name(name).is_some() {
            continue;
        }
        let is_judged = |section: Section<'_>| section.field("instance").is_none();
        let mut places = found.places.iter().filter(|(section, _)| is_judged(*section)).peekable();
        if places.peek().is_none() {
            continue;
        }
        let Some(judgement) = judge(context, name) else { continue };
        let most = if judgement.is_said_once { 1 } else { usize::MAX };
        for (_, field) in places.take(most) {
            judgement.report(*field, reporter);
        }
    }
    for section in context.document.sections() {
        let fields = section.fields().filter(|field| names_object(field.source()));
        let properties = section.properties().filter(|found| names_object(found.source()));
        let values = properties.map(Property::value_tree);
        for value in fields.map(Field::value_tree).chain(values) {
            each_object(&value, |class, span| {
                let Some(why) = not_made(context, &lossy(class)) else { return };
                reporter.report(span, why).consequence("Godot does not load the file");
            });
        }
    }
}

/// The classes that exist when Godot 4.6.3 reads `project.godot`. Godot registers the others later
/// (`register_core_types`, core/register_core_types.cpp). Each was tried in the engine.
const MADE_EARLY: &[&str] = &[
    "AESContext",
    "AStar2D",
    "AStar3D",
    "AStarGrid2D",
    "ClassDB",
    "ConfigFile",
    "EncodedObjectAsID",
    "Engine",
    "EngineDebugger",
    "EngineProfiler",
    "Expression",
    "GDExtension",
    "Geometry2D",
    "Geometry3D",
    "HTTPClient",
    "HashingContext",
    "Image",
    "InputEventAction",
    "InputEventJoypadButton",
    "InputEventJoypadMotion",
    "InputEventKey",
    "InputEventMIDI",
    "InputEventMagnifyGesture",
    "InputEventMouseButton",
    "InputEventMouseMotion",
    "InputEventPanGesture",
    "InputEventScreenDrag",
    "InputEventScreenTouch",
    "InputEventShortcut",
    "InputMap",
    "JSON",
    "Logger",
    "MainLoop",
    "Marshalls",
    "MissingResource",
    "Mutex",
    "OS",
    "Object",
    "OptimizedTranslation",
    "PCKPacker",
    "PackedDataContainer",
    "PacketPeerExtension",
    "PacketPeerStream",
    "PacketPeerUDP",
    "Performance",
    "RandomNumberGenerator",
    "RefCounted",
    "Resource",
    "ResourceFormatLoader",
    "ResourceFormatSaver",
    "ResourceLoader",
    "ResourceSaver",
    "ScriptBacktrace",
    "ScriptExtension",
    "ScriptLanguageExtension",
    "Semaphore",
    "Shortcut",
    "StreamPeerBuffer",
    "StreamPeerExtension",
    "StreamPeerGZIP",
    "StreamPeerTCP",
    "StreamPeerUDS",
    "TCPServer",
    "Thread",
    "Time",
    "Translation",
    "TranslationDomain",
    "TranslationServer",
    "UDPServer",
    "UDSServer",
    "UndoRedo",
    "WeakRef",
    "XMLParser",
];

/// Why Godot makes no object of a class.
fn not_made(context: &SceneContext<'_>, name: &str) -> Option<String> {
    match context.project.classes().class(name) {
        Some(class) if class.is_instantiable() => None,
        Some(_) => Some(format!("Godot cannot create an object of {}", quote(name.as_bytes()))),
        None => judge(context, name).map(|judgement| judgement.message),
    }
}

fn check_settings(context: &SettingsContext<'_>, reporter: &mut Reporter<'_>) {
    if !matches!(context.path, "res://project.godot" | "res://override.cfg") {
        return;
    }
    let is_godot_4 = context.project.settings().version.is_none_or(|version| version.major == 4);
    for property in context.file.document().sections().flat_map(Section::properties) {
        if !is_godot_4 || !names_object(property.source()) {
            continue;
        }
        each_object(&property.value_tree(), |class, span| {
            if MADE_EARLY.iter().any(|known| known.as_bytes() == class) {
                return;
            }
            let message = format!(
                "Godot cannot create an object of {} when it reads this file",
                quote(class)
            );
            let near = close(&lossy(class), MADE_EARLY.iter().copied());
            let diagnostic = reporter.report(span, message);
            diagnostic.consequence(
                "Godot does not read the settings after it, and the project might not open",
            );
            if let Some(near) = near {
                diagnostic.help(format!("did you mean `{near}`?"));
            }
        });
    }
}

fn names_object(source: &[u8]) -> bool {
    memmem::find(source, b"Object(").is_some()
}

/// Calls `each` with the class of each `Object(…)` in a value, and its place.
fn each_object(tree: &ValueTree<'_>, mut each: impl FnMut(&[u8], Span)) {
    let objects =
        tree.parts().filter(|part| part.kind() == PartKind::Construct && part.name() == b"Object");
    for class in objects.filter_map(|object| object.children().next()) {
        if class.kind() == PartKind::Word {
            each(class.source(), class.span());
        }
    }
}

/// The report on a class that Godot does not have.
struct Judgement<'p> {
    message: String,
    severity: Severity,
    help: String,
    /// The class that was probably meant.
    near: Option<&'p str>,
    /// For a file, and not at each place.
    is_said_once: bool,
}

/// Nothing if an extension may bring the class.
fn judge<'p>(context: &SceneContext<'p>, name: &str) -> Option<Judgement<'p>> {
    let project = context.project;
    let classes = project.classes();
    let has_extension = project.has_unknown_classes();
    let mut judgement = Judgement {
        message: format!("{} is not a Godot class", quote(name.as_bytes())),
        severity: if has_extension { Severity::Warning } else { Severity::Error },
        help: String::new(),
        near: None,
        is_said_once: false,
    };
    if project.scripts().declares(name) {
        judgement.help = "this is a class of a script: write the class that it extends, and set the property `script`".to_owned();
    } else if let Some(version) = other_version(classes, name) {
        judgement.help =
            format!("the class exists in Godot {version}, but the project uses another version");
        judgement.severity = Severity::Warning;
    } else if let Some(renamed) = classes.renamed_class(name) {
        let now = renamed.name;
        judgement.help =
            format!("it was renamed to `{now}`, but Godot does not accept the old name");
    } else if let Some(near) = close(name, classes.class_names()) {
        judgement.message += &format!("; did you mean `{near}`?");
        judgement.near = Some(near);
    } else if has_extension {
        return None;
    } else {
        judgement.help = if classes.is_live() {
            "neither this editor nor a loaded extension provides it".to_owned()
        } else {
            "an extension or an engine module must provide it".to_owned()
        };
        judgement.severity = Severity::Warning;
        judgement.is_said_once = true;
    }
    Some(judgement)
}

impl Judgement<'_> {
    fn report(&self, field: Field<'_>, reporter: &mut Reporter<'_>) {
        let diagnostic = reporter.report(field.value_span(), self.message.clone());
        diagnostic.severity = self.severity;
        diagnostic.consequence("Godot creates a plain node instead, or does not load the file");
        if let Some(near) = self.near {
            let edit = Edit::replace(field.value_span(), format!("\"{near}\""));
            diagnostic.fix(Fix::new(format!("write `{near}`"), Applicability::Unsafe, vec![edit]));
        }
        if !self.help.is_empty() {
            diagnostic.help(self.help.clone());
        }
    }
}

/// The first other version of Godot 4 that has the class, if the project is one of Godot 4.
pub(super) fn other_version(classes: &ClassDb, name: &str) -> Option<GodotVersion> {
    if !classes.is_live() && classes.version()?.major != 4 {
        return None;
    }
    let versions = (2..=GodotVersion::NEWEST.minor).map(GodotVersion::godot4);
    versions.into_iter().find(|version| ClassDb::for_version(*version).class(name).is_some())
}

/// The nearest name, if `name` is that with a typing error.
pub(super) fn close<'c>(name: &str, names: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    nearest(name, names).filter(|found| is_mistyped(name, found))
}

/// Whether the name is the other one with typing errors: in another case, or of equal or almost equal words. A word more,
/// less or instead of another makes a class of its own: `OpenXRFbRenderModel`, `Polygon3D`.
fn is_mistyped(name: &str, meant: &str) -> bool {
    // A shorter one, like `2D` or `Box`, is as near to other words.
    const MIN_LETTERS: usize = 4;
    if name.eq_ignore_ascii_case(meant) {
        return true;
    }
    let (written, meant) = (words(name), words(meant));
    let is_near = |(written, meant): (&&str, &&str)| {
        let limit = if meant.len() < 8 { 1 } else { 2 };
        written == meant
            || (meant.len() >= MIN_LETTERS
                && distance_is_at_most(written.as_bytes(), meant.as_bytes(), limit))
    };
    written.len() == meant.len() && written.iter().zip(&meant).all(is_near)
}

/// The words of a name, from its end: `2D`, `Particles` and `GPU` of `GPUParticles2D`.
fn words(name: &str) -> Vec<&str> {
    let bytes = name.as_bytes();
    let begins = |at: &usize| {
        let (before, here) = (bytes[at - 1], bytes[*at]);
        let is_capital = here.is_ascii_uppercase()
            && (before.is_ascii_lowercase()
                || (before.is_ascii_uppercase()
                    && bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase)));
        is_capital || (here.is_ascii_digit() && !before.is_ascii_digit())
    };
    let mut rest = name;
    let mut found = Vec::new();
    for at in (1..name.len()).rev().filter(begins) {
        // In front of an ASCII letter or digit.
        let (front, word) = rest.split_at(at);
        found.push(word);
        rest = front;
    }
    found.push(rest);
    found
}

/// Whether at most `limit` inserted, removed, changed or swapped letters turn one word into the other.
fn distance_is_at_most(left: &[u8], right: &[u8], limit: usize) -> bool {
    let same = left.iter().zip(right).take_while(|(left, right)| left == right).count();
    let (left, right) = (&left[same..], &right[same..]);
    if left.is_empty() || right.is_empty() {
        return left.len().max(right.len()) <= limit;
    }
    let is_swapped = left.len() > 1 && right.len() > 1 && left[..2] == [right[1], right[0]];
    limit > 0
        && (distance_is_at_most(&left[1..], right, limit - 1)
            || distance_is_at_most(left, &right[1..], limit - 1)
            || distance_is_at_most(&left[1..], &right[1..], limit - 1)
            || (is_swapped && distance_is_at_most(&left[2..], &right[2..], limit - 1)))
}

#[cfg(test)]
mod tests {
    use super::{is_mistyped, words};

    #[test]
    fn words_of_names() {
        assert_eq!(words("GPUParticles2D"), ["2D", "Particles", "GPU"]);
        assert_eq!(words("OpenXRFbRenderModel"), ["Model", "Render", "Fb", "XR", "Open"]);
        assert_eq!(words("Vector2i"), ["2i", "Vector"]);
        assert_eq!(words("Köder2D"), ["2D", "Köder"]);
        assert_eq!(words(""), [""]);
    }

    #[test]
    fn typing_errors() {
        for (name, meant) in [
            ("Sprit2D", "Sprite2D"),
            ("Sprite2d", "Sprite2D"),
            ("Labl", "Label"),
            ("CharacterBdoy2D", "CharacterBody2D"),
            ("GPUParticals2D", "GPUParticles2D"),
        ] {
            assert!(is_mistyped(name, meant), "{name}");
        }
        for (name, meant) in [
            ("OpenXRFbRenderModel", "OpenXRRenderModel"),
            ("Polygon3D", "Polygon2D"),
            ("TileMap3D", "TileMap"),
            ("HButton", "Button"),
            ("BoxShape", "BoxShape3D"),
            ("Bat", "Bar"),
        ] {
            assert!(!is_mistyped(name, meant), "{name}");
        }
    }
}
