//! `ScenePlace`: a place that a refactoring changes or doubts, as GDScript sees it.
#![allow(unreachable_pub, reason = "gdext makes the getters of properties public")]

use godot::builtin::GString;
use godot::obj::Gd;
use godot::register::{GodotClass, godot_api};

/// A place in a file that a [SceneRefactoring] changes, or that you must check yourself.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
pub(crate) struct ScenePlace {
    /// The file, by the path that it has before the refactoring.
    #[var(no_set)]
    path: GString,
    /// The line, counted from 1; 0 if it is about the whole file.
    #[var(no_set)]
    line: i64,
    /// The column, counted from 1 in characters.
    #[var(no_set)]
    column: i64,
    /// What is there, e.g. [code]value of the property[/code], or why it is doubtful.
    #[var(no_set)]
    what: GString,
    /// The line as it is; of a long one, the part around the place.
    #[var(no_set)]
    before: GString,
    /// The same with this change; an empty string for a doubt that only you can change. See [method SceneRefactoring.take_in].
    #[var(no_set)]
    after: GString,
    /// Whether the others may be changed without this one: see [method SceneRefactoring.leave_out].
    #[var(no_set)]
    is_optional: bool,
}

/// A [`ScenePlace`] as plain data.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlannedPlace {
    pub(crate) path: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) what: String,
    pub(crate) before: String,
    pub(crate) after: String,
    pub(crate) is_optional: bool,
}

#[godot_api]
impl ScenePlace {
    /// Returns the place in one line: [code]res://level.tscn:12:1: value of the property[/code]
    #[func]
    fn describe(&self) -> GString {
        let Self { path, line, column, what, .. } = self;
        GString::from(&match line {
            0 => format!("{path}: {what}"),
            _ => format!("{path}:{line}:{column}: {what}"),
        })
    }
}

impl ScenePlace {
    pub(crate) fn new(place: &PlannedPlace) -> Gd<Self> {
        Gd::from_object(Self {
            path: GString::from(&place.path),
            line: i64::from(place.line),
            column: i64::from(place.column),
            what: GString::from(&place.what),
            before: GString::from(&place.before),
            after: GString::from(&place.after),
            is_optional: place.is_optional,
        })
    }
}
