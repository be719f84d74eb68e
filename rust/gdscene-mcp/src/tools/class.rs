//! `class`

mod native;
mod script;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limits::{Shown, excerpt};
use crate::tool::{Call, Effect, Tool, ToolError};

pub(crate) struct ClassInfo;

/// Which class, and what of it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// A Godot class, the `class_name` of a script, or the path of a script or shader: `Sprite2D`, `Enemy`,
    /// `res://enemy.gd`.
    name: String,
    /// List only members whose names contain this text, including members of the bases.
    filter: Option<String>,
    /// Whether to list the members of the bases too.
    #[serde(default)]
    inherited: bool,
    /// The maximum number of members of each kind to list.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 500))]
    limit: usize,
}

fn default_limit() -> usize {
    80
}

/// What a class has.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Report {
    /// Its name, or the path of a script without one.
    name: String,
    /// Where it comes from: `Godot 4.6`, or the script.
    origin: String,
    /// Its bases, the nearest first.
    bases: Vec<String>,
    /// Notes, for example that Godot cannot create an object of the class.
    remarks: Vec<String>,
    /// Its properties: `position: Vector2 = Vector2(0, 0)`.
    properties: Shown<String>,
    /// Its signals, with the types of their arguments.
    signals: Shown<String>,
    /// Its methods, with the number of their arguments.
    methods: Shown<String>,
    /// Its enums with their values. Properties store them as `int`.
    enums: Shown<String>,
}

/// The members of a class, before they are cut.
#[derive(Default)]
struct Members {
    properties: Vec<String>,
    signals: Vec<String>,
    methods: Vec<String>,
    enums: Vec<String>,
}

/// Which members are meant.
struct Wanted<'a> {
    filter: Option<&'a str>,
    is_inherited: bool,
}

impl Tool for ClassInfo {
    type Arguments = Arguments;
    type Report = Report;

    const NAME: &'static str = "class";
    const TITLE: &'static str = "Look up a class";
    const DESCRIPTION: &'static str = "Lists the members of a class in the project's Godot version, or of a script of the project: base, properties with \
         types and defaults, theme overrides, signals, methods and enums; for a shader, its parameters. Use it before setting \
         properties or connecting signals with `edit`, instead of guessing names. With `filter`, it also searches the bases.";
    const EFFECT: Effect = Effect::Reads;

    fn call(call: &mut Call<'_>, arguments: Arguments) -> Result<Report, ToolError> {
        let project = call.project()?;
        let name = arguments.name.trim();
        let filter = arguments.filter.as_deref().map(str::to_lowercase);
        let wanted = Wanted {
            filter: filter.as_deref(),
            is_inherited: arguments.inherited || filter.is_some(),
        };
        let limit = arguments.limit.clamp(1, 500);
        if let Some(class) = project.classes().class(name) {
            return Ok(native::report(project, class, &wanted).shown(limit));
        }
        if let Some(report) = script::shader(project, name, &wanted) {
            return Ok(report.shown(limit));
        }
        let script = script::find(project, name)?.ok_or_else(|| {
            let hint = project.nearest_class(name).map_or_else(
                || "; a script without a `class_name` is named by its path".to_owned(),
                |near| format!("; did you mean `{near}`?"),
            );
            ToolError(format!(
                "no class `{}` in Godot's classes of this version or the project's scripts{hint}",
                excerpt(name)
            ))
        })?;
        Ok(script::report(project, script, &wanted).shown(limit))
    }
}

impl Wanted<'_> {
    fn has(&self, name: &str) -> bool {
        self.filter.is_none_or(|filter| name.to_lowercase().contains(filter))
    }
}

/// A report whose lists are not cut yet.
struct UncutReport {
    report: Report,
    members: Members,
}

impl UncutReport {
    fn shown(self, limit: usize) -> Report {
        let Self { report, members } = self;
        Report {
            properties: Shown::of_texts(members.properties, limit),
            signals: Shown::of_texts(members.signals, limit),
            methods: Shown::of_texts(members.methods, limit),
            enums: Shown::of_texts(members.enums, limit),
            ..report
        }
    }
}

/// `2`, `1 to 3`, `1 or more`
fn argument_range(least: usize, most: Option<usize>) -> String {
    match most {
        Some(most) if most == least => format!("{least}"),
        Some(most) => format!("{least} to {most}"),
        None => format!("{least} or more"),
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, origin, bases, remarks, .. } = self;
        write!(f, "{name} ({origin})")?;
        if !bases.is_empty() {
            write!(f, "\nextends {}", bases.join(" < "))?;
        }
        for remark in remarks {
            write!(f, "\n{remark}")?;
        }
        let lists = [
            (&self.properties, "properties"),
            (&self.signals, "signals"),
            (&self.methods, "methods"),
            (&self.enums, "enums"),
        ];
        for (list, what) in lists {
            if !list.is_empty() {
                write!(f, "\n{what}:")?;
            }
            for item in &list.items {
                write!(f, "\n  {item}")?;
            }
            if list.more > 0 {
                write!(f, "\n  … {} more; narrow by `filter`, or raise `limit`", list.more)?;
            }
        }
        if lists.iter().all(|(list, _)| list.is_empty()) {
            write!(
                f,
                "\nno members of its own or none that match; `inherited` lists those of its bases"
            )?;
        }
        Ok(())
    }
}
