//! RES016

mod import_options;

use std::cell::OnceCell;

use godot_project::missing_sidecars::ARE_IMPORTED;
use godot_project::res_path::{FactsKind, extension_of, has_uid_beside, name_of};
use godot_project::{Project, ResolvedPath, Uid};
use godot_tscn::{
    Applicability, Diagnostic, Edit, Fix, PartRef, ReferenceKind, Reporter, Severity, Span,
    ValueTree, quote,
};
use hashbrown::HashSet;

use crate::rules::context::SettingsContext;
use crate::rules::declare_rule;
use crate::rules::missing_folder::name_cause;

declare_rule! {
    for_settings
    /// ## What it does
    /// Reports a file that `project.godot` or `override.cfg` names and that is not in the project: main scene,
    /// autoloads, enabled plugins, icons, splash image, mouse cursor, theme and font, translations and remaps, audio
    /// buses, environment, and all other project settings that name a file. Also reports a main loop type that is not a
    /// class. In a `.import` file, reports the script and the materials that Godot loads when it imports a 3D scene.
    ///
    /// ## Why is this bad?
    /// The effect depends on the setting:
    /// - Without its main scene or main loop, a project does not start (an error).
    /// - Without an autoload, a theme, a translation or most of the others, Godot prints an error at each start and
    ///   continues without it (an error).
    /// - Without an icon, a plugin, the audio buses or a remap, Godot continues with few messages or none (a warning).
    /// - Without a file of an import, the import prints an error, and the scene differs from its author's version (a
    ///   warning).
    ///
    /// ## Example
    /// ```ini
    /// [autoload]
    ///
    /// Music="*res://gone.gd"
    /// ```
    ///
    /// ## Use instead
    /// ```ini
    /// [autoload]
    ///
    /// Music="*res://music.gd"
    /// ```
    ///
    /// ## Fix safety
    /// Safe if the name differs only in upper and lower case. Otherwise unsafe: the fix guesses that the only file of
    /// the same name is the right one.
    ///
    /// ## References
    /// `Main::setup2`, `Main::start` (main/main.cpp), `TranslationServer::_load_translations`
    /// (core/string/translation_server.cpp), `EditorNode::set_addon_plugin_enabled` (editor/editor_node.cpp),
    /// `ResourceImporterScene::import` (editor/import/3d/resource_importer_scene.cpp)
    "RES016", "missing-setting-file", Error, for_settings_files
}

/// A setting that names files.
struct Setting {
    /// Section and key.
    name: &'static str,
    holds: Holds,
    severity: Severity,
    consequence: &'static str,
}

/// How a setting names files.
#[derive(Clone, Copy)]
enum Holds {
    Path,
    /// Perhaps after a `*`.
    Autoload,
    Paths,
    /// Paths of `plugin.cfg` files, or names of folders in `addons`.
    Plugins,
    /// Lists of paths with `:locale` behind them, by path.
    Remaps,
    /// The name of a class that is a main loop.
    MainLoop,
}

const fn setting(
    name: &'static str,
    holds: Holds,
    severity: Severity,
    consequence: &'static str,
) -> Setting {
    Setting { name, holds, severity, consequence }
}

/// Projects without buses of their own have no such file, and some name it.
const DEFAULT_BUS_LAYOUT: &str = "res://default_bus_layout.tres";

const LOGS: &str = "Godot logs an error at each start and continues without it";
const NOT_STARTED: &str = "Godot does not start the project";

/// Those of [`SETTINGS`] that Godot 4 does not read, though they stay in files that were converted.
const ONLY_GODOT_3: [&str; 4] = [
    "audio/default_bus_layout",
    "locale/translation_remaps",
    "locale/translations",
    "rendering/environment/default_environment",
];

/// The settings with `PROPERTY_HINT_FILE` in Godot 4.6.3, the settings that are lists of files, and their names in Godot 3.
/// An error means that Godot logs an error at the start, as tried with each of them. Files that may be missing by design
/// are not here: the file of `project_settings_override`, the folder of script templates.
const SETTINGS: &[Setting] = &[
    setting("application/run/main_scene", Holds::Path, Severity::Error, NOT_STARTED),
    setting("application/run/main_loop_type", Holds::MainLoop, Severity::Error, NOT_STARTED),
    setting(
        "application/boot_splash/image",
        Holds::Path,
        Severity::Error,
        "Godot logs an error and shows its own image",
    ),
    setting("application/config/icon", Holds::Path, Severity::Warning, "Godot shows its own icon"),
    setting(
        "application/config/macos_native_icon",
        Holds::Path,
        Severity::Warning,
        "Godot shows another icon",
    ),
    setting(
        "application/config/windows_native_icon",
        Holds::Path,
        Severity::Warning,
        "Godot shows another icon",
    ),
    setting(
        "audio/buses/default_bus_layout",
        Holds::Path,
        Severity::Warning,
        "only the bus `Master` exists, and Godot prints no message",
    ),
    setting(
        "audio/default_bus_layout",
        Holds::Path,
        Severity::Warning,
        "only the bus `Master` exists, and Godot prints no message",
    ),
    setting("display/mouse_cursor/custom_image", Holds::Path, Severity::Error, LOGS),
    setting(
        "editor_plugins/enabled",
        Holds::Plugins,
        Severity::Warning,
        "the editor warns and removes it from the list",
    ),
    setting("gui/theme/custom", Holds::Path, Severity::Error, LOGS),
    setting("gui/theme/custom_font", Holds::Path, Severity::Error, LOGS),
    setting("internationalization/locale/translations", Holds::Paths, Severity::Error, LOGS),
    setting(
        "internationalization/locale/translation_remaps",
        Holds::Remaps,
        Severity::Warning,
        "in this language, the file that it replaces cannot be loaded",
    ),
    setting(
        "internationalization/locale/translations_pot_files",
        Holds::Paths,
        Severity::Warning,
        "the editor does not offer its texts for translation",
    ),
    setting("locale/translations", Holds::Paths, Severity::Error, LOGS),
    setting(
        "locale/translation_remaps",
        Holds::Remaps,
        Severity::Warning,
        "in this language, the file that it replaces cannot be loaded",
    ),
    setting("network/tls/certificate_bundle_override", Holds::Path, Severity::Error, LOGS),
    setting(
        "rendering/environment/defaults/default_environment",
        Holds::Path,
        Severity::Error,
        LOGS,
    ),
    setting("rendering/environment/default_environment", Holds::Path, Severity::Error, LOGS),
    setting("rendering/vrs/texture", Holds::Path, Severity::Warning, "Godot continues without it"),
    setting(
        "xr/openxr/default_action_map",
        Holds::Path,
        Severity::Warning,
        "Godot uses its own actions",
    ),
];

static AUTOLOAD: Setting = setting(
    "",
    Holds::Autoload,
    Severity::Error,
    "Godot logs an error at each start, and its node is missing",
);

impl Setting {
    /// The setting of a section and key. Features may follow the key: `main_scene.web`.
    fn find(section: &str, key: &str) -> Option<&'static Self> {
        if matches!(section, "autoload" | "autoload_prepend") {
            return Some(&AUTOLOAD);
        }
        let start = key.rfind('/').map_or(0, |slash| slash + 1);
        let end = key[start..].find('.').map_or(key.len(), |dot| start + dot);
        let key = &key[..end];
        let is_meant = |setting: &&Self| {
            let rest = setting.name.strip_prefix(section);
            rest.and_then(|rest| rest.strip_prefix('/')) == Some(key)
        };
        SETTINGS.iter().find(is_meant)
    }
}

fn check(context: &SettingsContext<'_>, reporter: &mut Reporter<'_>) {
    if extension_of(context.path) == "import" {
        check_loaded(context, reporter);
        return import_options::check(context, reporter);
    }
    if !matches!(context.path, "res://project.godot" | "res://override.cfg") {
        return;
    }
    check_loaded(context, reporter);
    let unread = UnreadUids::default();
    let is_godot_3 = context.project.settings().version.is_some_and(|version| version.major < 4);
    for section in context.file.sections() {
        let name = String::from_utf8_lossy(&section.name()).into_owned();
        for property in section.properties() {
            let Some(setting) = Setting::find(&name, &String::from_utf8_lossy(&property.key()))
            else {
                continue;
            };
            if !is_godot_3 && ONLY_GODOT_3.contains(&setting.name) {
                continue;
            }
            let value = ValueTree::new(property.source());
            let start = property.value_span().start;
            let part = Value { context, setting, start, unread: &unread };
            part.check(value.root(), reporter);
        }
    }
}

/// `Resource("res://…")` in any value, such as one of an input action.
fn check_loaded(context: &SettingsContext<'_>, reporter: &mut Reporter<'_>) {
    let document = context.file.document();
    for reference in document.references() {
        let path = document.target(reference);
        let path = String::from_utf8_lossy(&path);
        if reference.kind == ReferenceKind::Resource
            && path.starts_with("res://")
            && let ResolvedPath::Missing(path) = context.project.resolve(context.path, &path)
        {
            report_missing(context.project, reference.target, &path, "", reporter)
                .consequence("Godot cannot read this file, and ignores all settings after it");
        }
    }
}

/// The value of a setting.
struct Value<'c> {
    context: &'c SettingsContext<'c>,
    setting: &'static Setting,
    /// Where it starts.
    start: u32,
    unread: &'c UnreadUids,
}

/// Files with uids that cannot be read here.
#[derive(Default)]
struct UnreadUids {
    /// Whether there are binary files that could not be read.
    in_binary: OnceCell<bool>,
    /// Whether there are files without the `.uid` or `.import` file that stores their uid.
    beside: OnceCell<bool>,
    in_cache: OnceCell<HashSet<Uid>>,
}

/// Whether a file may have a uid that cannot be read here.
#[derive(PartialEq, Eq)]
enum Unread {
    /// A file may have it, and Godot finds it.
    Found,
    /// A file may have had it, but the `.uid` file is lost.
    Lost,
    No,
}

impl Value<'_> {
    fn check(&self, value: PartRef<'_>, reporter: &mut Reporter<'_>) {
        match self.setting.holds {
            Holds::Path | Holds::Autoload => self.check_path(value, reporter),
            Holds::Paths | Holds::Plugins => {
                value.children().for_each(|part| self.check_path(part, reporter));
            }
            Holds::Remaps => {
                let lists = value.entries().map(|(_, list)| list);
                lists.flat_map(PartRef::children).for_each(|part| self.check_path(part, reporter));
            }
            Holds::MainLoop => self.check_main_loop(value, reporter),
        }
    }

    /// `part` is a string that names one file.
    fn check_path(&self, part: PartRef<'_>, reporter: &mut Reporter<'_>) {
        let Some(text) = part.text() else { return };
        let text = String::from_utf8_lossy(&text).into_owned();
        let (before, path) = match (self.setting.holds, text.strip_prefix('*')) {
            (Holds::Autoload, Some(path)) => ("*", path),
            _ => ("", text.as_str()),
        };
        let path = match self.setting.holds {
            // In front of the locale.
            Holds::Remaps => path.rsplit_once(':').map_or(path, |(path, _)| path).to_owned(),
            Holds::Plugins if !path.ends_with("plugin.cfg") => {
                format!("res://addons/{path}/plugin.cfg")
            }
            _ => path.to_owned(),
        };
        let span = self.place(part);
        if path.is_empty() {
            if matches!(self.setting.holds, Holds::Autoload) {
                reporter
                    .report(span, "expected a scene or script")
                    .consequence(self.setting.consequence);
            }
            return;
        }
        let project = self.context.project;
        let ResolvedPath::Missing(path) = project.resolve(self.context.path, &path) else { return };
        let unread = path.starts_with("uid://").then(|| self.unread(&path));
        if is_made_by_import(project, &path)
            || unread == Some(Unread::Found)
            || path == DEFAULT_BUS_LAYOUT
        {
            return;
        }
        let diagnostic = report_missing(project, span, &path, before, reporter);
        if unread == Some(Unread::Lost) {
            diagnostic
                .help("a missing `.uid` or `.import` file may store this uid; restore that file");
        }
        diagnostic.severity = self.setting.severity;
        diagnostic.consequence(self.setting.consequence);
        if matches!(self.setting.holds, Holds::Remaps | Holds::Plugins) {
            // The text there is more or less than a path.
            diagnostic.fix = None;
        }
    }

    fn unread(&self, uid: &str) -> Unread {
        let project = self.context.project;
        let is_unread = |file| {
            project.uid(file).is_none() && FactsKind::of(project.path(file)) == FactsKind::Binary
        };
        let in_binary = || project.files().any(is_unread);
        // Godot writes the `.uid` files again for scripts in its cache.
        let in_cache =
            |uid: Uid| self.unread.in_cache.get_or_init(|| project.uids_in_cache()).contains(&uid);
        if *self.unread.in_binary.get_or_init(in_binary)
            || Uid::parse(uid.as_bytes()).is_some_and(in_cache)
        {
            Unread::Found
        } else if *self.unread.beside.get_or_init(|| may_be_unread(project)) {
            Unread::Lost
        } else {
            Unread::No
        }
    }

    fn check_main_loop(&self, part: PartRef<'_>, reporter: &mut Reporter<'_>) {
        let Some(name) = part.text() else { return };
        let name = String::from_utf8_lossy(&name);
        let project = self.context.project;
        let classes = project.classes();
        let is_extended =
            project.files().any(|file| extension_of(project.path(file)) == "gdextension");
        if name.is_empty()
            || project.scripts().declares(&name)
            || classes.inherits(&name, "MainLoop")
        {
            return;
        }
        let message = match classes.class(&name) {
            Some(_) => format!("the class {} is not a `MainLoop`", quote(name.as_bytes())),
            None if is_extended => return,
            None => format!("class {} not found", quote(name.as_bytes())),
        };
        reporter.report(self.place(part), message).consequence(self.setting.consequence);
    }

    fn place(&self, part: PartRef<'_>) -> Span {
        let span = part.span();
        Span::new(self.start + span.start, self.start + span.end)
    }
}

fn report_missing<'r>(
    project: &Project,
    span: Span,
    path: &str,
    before: &str,
    reporter: &'r mut Reporter<'_>,
) -> &'r mut Diagnostic {
    let write = |path: &str, applicability| {
        let edit = Edit::replace(span, format!("\"{before}{path}\""));
        Fix::new(format!("write `{path}`"), applicability, vec![edit])
    };
    if let [file, ..] = project.files_but_for_case(path) {
        let name = project.path(*file);
        let diagnostic =
            reporter.report(span, format!("the file is called {}", quote(name.as_bytes())));
        diagnostic.fix(write(name, Applicability::Safe));
        return diagnostic;
    }
    let what = if path.starts_with("uid://") { "file with the uid" } else { "file" };
    let message = format!("{what} {} not found in the project", quote(path.as_bytes()));
    let diagnostic = reporter.report(span, message);
    name_cause(project, path, diagnostic);
    // Each plugin has a file of this name.
    let is_plugin = name_of(path) == "plugin.cfg";
    if let Some(only) = project.only_file_named(name_of(path)).filter(|_| !is_plugin) {
        let only = project.path(only);
        diagnostic.help(format!("the file may have moved to {}", quote(only.as_bytes())));
        diagnostic.fix(write(only, Applicability::Unsafe));
    } else if let Some(near) = project.nearest_path(path) {
        diagnostic.help(format!("did you mean {}?", quote(near.as_bytes())));
    }
    diagnostic
}

/// Whether the editor makes the file when it imports others: `texts.de.translation` of `texts.csv`. Many projects keep
/// them out of version control.
pub(super) fn is_made_by_import(project: &Project, path: &str) -> bool {
    let table = path.strip_suffix(".translation").and_then(|path| path.rsplit_once('.'));
    let table = table.map(|(name, _locale)| format!("{name}.csv"));
    let is_kept_by_godot =
        ["res://.godot/", "res://.import/"].iter().any(|start| path.starts_with(start));
    is_kept_by_godot || table.is_some_and(|table| project.file(&table).is_some())
}

/// Whether there are files with uids that cannot be read here: binary files, and files without the `.uid` or `.import` file
/// that stores their uid.
pub(super) fn may_be_unread(project: &Project) -> bool {
    const FONTS: &[&str] = &["ttf", "otf", "woff", "woff2", "fnt", "font"];
    let has_unknown = |path: &str| {
        let extension = extension_of(path);
        let is_in = |list: &[&str]| list.contains(&&*extension);
        FactsKind::of(path) == FactsKind::Binary
            || has_uid_beside(path)
            || is_in(ARE_IMPORTED)
            || is_in(FONTS)
    };
    project.files().any(|file| project.uid(file).is_none() && has_unknown(project.path(file)))
}
