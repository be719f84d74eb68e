//! RES008

use std::borrow::Cow;

use godot_project::load_cycles::{Before, LoadCycle};
use godot_project::{FileId, Project, ResolvedPath, SceneContext};
use godot_tscn::{Reporter, Severity, quote};

use crate::rules::declare_rule;
use crate::rules::external_uses::ExternalUses;

declare_rule! {
    /// ## What it does
    /// Reports an `ext_resource` that leads back to the file itself, through other scenes and resources or through
    /// scripts. A script leads to the files that it preloads anywhere in its text, and to the scripts that it extends
    /// or uses by `class_name`. A `load` counts only in the value of a static variable and in `_static_init`; elsewhere
    /// it is harmless.
    ///
    /// The finding is a warning if the result depends on the file that Godot loads first.
    ///
    /// ## Why is this bad?
    /// Godot cannot finish one file before the other. A scene or resource loses its reference to an unfinished file: a
    /// node loses its script, a scene loses an instance, and a `.tres` file does not load. A `preload` returns an empty
    /// resource. If a script preloads a `.tres` file that does not load, the script does not compile.
    ///
    /// A script can preload the scene that it belongs to. This works unless Godot loads the script before the scene:
    /// for another scene that uses the script, or as an autoload.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="PackedScene" path="res://inside.tscn" id="1"]
    ///
    /// [node name="Outside" type="Node"]
    ///
    /// [node name="Inside" parent="." instance=ExtResource("1")]
    /// ```
    /// where `inside.tscn` has an instance of this scene, or a script that preloads this scene.
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="PackedScene" path="res://inside.tscn" id="1"]
    ///
    /// [node name="Outside" type="Node"]
    ///
    /// [node name="Inside" parent="." instance=ExtResource("1")]
    /// ```
    /// where a script of `inside.tscn` loads this scene on demand, with `load` in a function.
    ///
    /// ## References
    /// `ResourceLoader::_load_complete_inner`, `ResourceLoader::ensure_resource_ref_override_for_outer_load`
    /// (core/io/resource_loader.cpp)
    "RES008", "dependency-cycle", Error
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let Some(file) = context.file else { return };
    let project = context.project;
    let Some(cycles) = project.load_cycles().of(file) else { return };
    let mut uses = None;
    for (resource, target) in context.facts.ext_resources.iter().zip(context.targets()) {
        let ResolvedPath::File(target) = *target else { continue };
        let Some(cycle) = cycles.through(target) else { continue };
        let Some(field) = context.section(resource.section).field("path") else { continue };
        let place = Place { project, file, target };
        let Some((severity, loss)) = place.judge(&cycle) else { continue };
        let consequence = match loss {
            Loss::Other(loss) => loss,
            Loss::Reference(when) => {
                let uses = uses.get_or_insert_with(|| ExternalUses::of(context));
                format!("{when}, {}", uses.consequence_without(&resource.id)).into()
            }
        };
        let diagnostic = reporter.report(field.value_span(), place.message(&cycle));
        diagnostic.severity = severity;
        diagnostic.consequence(consequence);
        if let LoadCycle::Own(way) | LoadCycle::Loses(way) = &cycle
            && let Some(script) = script_of(project, way)
        {
            let path = quote(project.path(script).as_bytes());
            diagnostic.cause(format!("{path} loads a file that leads back to it"));
            let script = place.name(script);
            diagnostic.help(format!("`load` in a function of {script} does not create a cycle"));
        }
    }
}

/// A reference of a file that leads back to it.
struct Place<'p> {
    project: &'p Project,
    file: FileId,
    target: FileId,
}

/// Godot's loss.
enum Loss {
    /// This reference, in this case.
    Reference(String),
    /// Something else.
    Other(Cow<'static, str>),
}

const DROPS: &str = "Godot drops the reference that closes the cycle";

impl Place<'_> {
    /// Nothing if Godot loses nothing.
    fn judge(&self, cycle: &LoadCycle) -> Option<(Severity, Loss)> {
        let cycles = self.project.load_cycles();
        match cycle {
            LoadCycle::TooLong => Some((Severity::Error, Loss::Other(DROPS.into()))),
            LoadCycle::Own(_) => {
                let before = cycles.loaded_before(self.project, self.target, self.file)?;
                Some(match before {
                    Before::Autoload => (Severity::Error, self.if_first(self.target)),
                    Before::User(user) => (Severity::Warning, self.if_first(user)),
                })
            }
            LoadCycle::Loses(way) if cycles.may_be_compiled_before(way) => {
                Some((Severity::Warning, self.loss(way)))
            }
            LoadCycle::Loses(way) => Some((Severity::Error, self.loss(way))),
        }
    }

    fn loss(&self, way: &[FileId]) -> Loss {
        let is_script = |file: &FileId| self.project.load_cycles().is_script(*file);
        let settings = self.project.settings();
        let Some(script) = script_of(self.project, way) else { return Loss::Other(DROPS.into()) };
        if settings.version.is_some_and(|version| version.major < 4) {
            return Loss::Other(format!("{} does not compile", self.name(script)).into());
        }
        if !is_script(&self.target) {
            return self.if_first(self.target);
        }
        let Some(last) = way.len().checked_sub(2).map(|at| way[at]) else {
            return Loss::Other(DROPS.into());
        };
        let name = self.name(last);
        Loss::Other(match is_script(&last) {
            true => {
                format!("if this file is loaded first, {name} preloads an empty resource").into()
            }
            false => {
                format!("if this file is loaded first, Godot drops the reference to it in {name}")
                    .into()
            }
        })
    }

    fn if_first(&self, file: FileId) -> Loss {
        Loss::Reference(format!("if {} is loaded first", self.name(file)))
    }

    fn message(&self, cycle: &LoadCycle) -> String {
        match cycle {
            LoadCycle::TooLong => "this reference is part of a cycle of many files".to_owned(),
            LoadCycle::Own(way) | LoadCycle::Loses(way) => {
                let names: Vec<String> = way.iter().map(|file| self.name(*file)).collect();
                format!("this reference is part of a cycle: {}", names.join(" -> "))
            }
        }
    }

    fn name(&self, file: FileId) -> String {
        quote(self.project.path(file).as_bytes())
    }
}

/// The first script on a way that preloads a scene or resource.
fn script_of(project: &Project, way: &[FileId]) -> Option<FileId> {
    let cycles = project.load_cycles();
    let steps = way.windows(2).find(|step| cycles.is_script(step[0]) && !cycles.is_script(step[1]));
    steps.map(|step| step[0])
}
