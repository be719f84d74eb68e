//! `O3deJsonResult`: the result of a call to `O3deJson`.
#![allow(unreachable_pub, reason = "gdext makes the getters of properties public")]

use godot::builtin::{Array, GString, VarDictionary, Variant};
use godot::meta::ToGodot;
use godot::obj::Gd;
use godot::register::GodotClass;
use o3de_json::{Import, Issue, Outcome, Processing, ResultCode, Task};

use crate::o3de_json::{Misuse, NoJson};

/// The result of a method of [O3deJson]: a value or a text, an O3DE result code, and the issues, each with its place.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
pub(crate) struct O3deJsonResult {
    /// Whether nothing was lost: the call did all that it was asked for, and [member issues] is empty. Issues that the option [code]report[/code] counts as a success do not matter, and neither do defaults in place of missing values. [member processing] and [member outcome] have the answer of O3DE, for which skipped fields are complete.
    #[var(no_set)]
    ok: bool,
    /// What was made: the value for [method O3deJson.load] and [method O3deJson.load_file], also if only a part could be read; for all others the same as [member text].
    #[var(no_set)]
    value: Variant,
    /// The JSON text, or an empty string.
    #[var(no_set)]
    text: GString,
    /// The task: one of [constant O3deJson.TASK_RETRIEVE_INFO] to [constant O3deJson.TASK_IMPORT].
    #[var(no_set)]
    task: i64,
    /// The progress: one of [constant O3deJson.PROCESSING_COMPLETED] to [constant O3deJson.PROCESSING_HALTED].
    #[var(no_set)]
    processing: i64,
    /// The outcome: one of [constant O3deJson.OUTCOME_SUCCESS] to [constant O3deJson.OUTCOME_CATASTROPHIC].
    #[var(no_set)]
    outcome: i64,
    /// What did not simply succeed: dictionaries of [code]path[/code] (a JSON Pointer such as [code]"/items/0/hp"[/code], empty for the whole document), [code]message[/code], [code]task[/code], [code]processing[/code] and [code]outcome[/code]; where JSON was read from a text, [code]line[/code] and [code]column[/code] too, counted from 1. At most 1000 are listed.
    #[var(no_set)]
    issues: Array<VarDictionary>,
    /// The documents that [method O3deJson.resolve_imports] has put in, without those inside them: dictionaries of [code]path[/code], its place now, and [code]filename[/code], for [method O3deJson.restore_imports]. Empty after a call with [code]in_order[/code], which cannot be undone.
    #[var(no_set)]
    imports: Array<VarDictionary>,
}

impl O3deJsonResult {
    /// A value that was loaded.
    pub(crate) fn loaded(value: Variant, code: ResultCode, issues: &[Issue]) -> Gd<O3deJsonResult> {
        O3deJsonResult::new(value, GString::new(), code, issues)
    }

    /// A text that was made.
    pub(crate) fn written(text: &str, code: ResultCode, issues: &[Issue]) -> Gd<O3deJsonResult> {
        let text = crate::engine::string_of(text);
        O3deJsonResult::new(text.to_variant(), text, code, issues)
    }

    /// Nothing, because of `issues`.
    pub(crate) fn refused(task: Task, issues: &[Issue]) -> Gd<O3deJsonResult> {
        let codes = issues.iter().map(|issue| issue.code);
        let code = codes.reduce(ResultCode::combine);
        let code = code.unwrap_or_else(|| ResultCode::new(task, Outcome::Invalid));
        O3deJsonResult::new(Variant::nil(), GString::new(), code, issues)
    }

    /// A call that cannot be served, whatever the data is.
    pub(crate) fn misuse(task: Task, misuse: Misuse) -> Gd<O3deJsonResult> {
        let code = ResultCode::new(task, Outcome::Invalid);
        O3deJsonResult::refused(task, &[Issue::new(misuse.path, misuse.message, code)])
    }

    /// An argument that is not valid JSON.
    pub(crate) fn no_json(task: Task, error: NoJson) -> Gd<O3deJsonResult> {
        let error = match error {
            NoJson::Text(error) => error,
            NoJson::Value(misuse) => return O3deJsonResult::misuse(task, misuse),
        };
        let code = ResultCode::new(task, Outcome::Invalid);
        let result = O3deJsonResult::refused(task, &[Issue::new("", error.to_string(), code)]);
        set_place(&mut result.bind().issues.at(0), error.line, error.column);
        result
    }

    /// Keeps what was imported.
    pub(crate) fn set_imported(&mut self, imports: &[Import]) {
        let import = |import: &Import| {
            let mut entry = VarDictionary::new();
            entry.set("path", &GString::from(&import.path));
            entry.set("filename", &GString::from(&import.filename));
            entry
        };
        self.imports = imports.iter().map(import).collect();
    }

    fn new(
        value: Variant,
        text: GString,
        code: ResultCode,
        issues: &[Issue],
    ) -> Gd<O3deJsonResult> {
        let is_whole = |code: ResultCode| code.outcome() == Outcome::Success;
        let is_completed = code.processing() == Processing::Completed;
        Gd::from_object(O3deJsonResult {
            ok: is_completed && issues.iter().all(|issue| is_whole(issue.code)),
            value,
            text,
            task: code.task() as i64,
            processing: code.processing() as i64,
            outcome: code.outcome() as i64,
            issues: issues.iter().map(issue).collect(),
            imports: Array::new(),
        })
    }
}

fn issue(issue: &Issue) -> VarDictionary {
    let mut entry = VarDictionary::new();
    entry.set("path", &GString::from(&issue.path));
    entry.set("message", &GString::from(&issue.message));
    entry.set("task", issue.code.task() as i64);
    entry.set("processing", issue.code.processing() as i64);
    entry.set("outcome", issue.code.outcome() as i64);
    if let Some(place) = issue.place {
        set_place(&mut entry, place.line, place.column);
    }
    entry
}

fn set_place(entry: &mut VarDictionary, line: usize, column: usize) {
    entry.set("line", line as i64);
    entry.set("column", column as i64);
}
