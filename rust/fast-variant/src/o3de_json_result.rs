//! `O3deJsonResult`: what a call to `O3deJson` gives.
#![allow(unreachable_pub, reason = "gdext makes the getters of properties public")]

use godot::builtin::{Array, GString, VarDictionary, Variant};
use godot::meta::ToGodot;
use godot::obj::Gd;
use godot::register::GodotClass;
use o3de_json::{Import, Issue, Outcome, Processing, ResultCode, Task};

use crate::o3de_json::{Misuse, NoJson};

/// What a method of [O3deJson] did: a value or a text, a result code of O3DE's, and what did not simply succeed, each with its place.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
pub(crate) struct O3deJsonResult {
    /// Whether all was done that was asked for. Fields that were unknown and values that are defaults do not count against it; see [member issues] and [member outcome].
    #[var(no_set)]
    ok: bool,
    /// What was made: the value for [method O3deJson.load] and [method O3deJson.load_file], also if only a part could be read; for all others the same as [member text].
    #[var(no_set)]
    value: Variant,
    /// The JSON that was made, or an empty string.
    #[var(no_set)]
    text: GString,
    /// What was being done: one of [constant O3deJson.TASK_RETRIEVE_INFO] to [constant O3deJson.TASK_IMPORT].
    #[var(no_set)]
    task: i64,
    /// How far it got: one of [constant O3deJson.PROCESSING_COMPLETED] to [constant O3deJson.PROCESSING_HALTED].
    #[var(no_set)]
    processing: i64,
    /// What came out: one of [constant O3deJson.OUTCOME_SUCCESS] to [constant O3deJson.OUTCOME_CATASTROPHIC].
    #[var(no_set)]
    outcome: i64,
    /// What did not simply succeed: dictionaries of [code]path[/code] (a JSON Pointer such as [code]"/items/0/hp"[/code], empty for the whole document), [code]message[/code], [code]task[/code], [code]processing[/code] and [code]outcome[/code]; for text that is not valid JSON [code]line[/code] and [code]column[/code], too, counted from 1. At most 1000 are listed.
    #[var(no_set)]
    issues: Array<VarDictionary>,
    /// The documents that [method O3deJson.resolve_imports] has put in, without those inside them: dictionaries of [code]path[/code], where it stands now, and [code]filename[/code], for [method O3deJson.restore_imports]. Empty after a call with [code]in_order[/code], which cannot be undone.
    #[var(no_set)]
    imports: Array<VarDictionary>,
}

impl O3deJsonResult {
    /// A value that was loaded.
    pub(crate) fn loaded(value: Variant, code: ResultCode, issues: &[Issue]) -> Gd<O3deJsonResult> {
        O3deJsonResult::new(value, GString::new(), code, issues.iter().map(issue).collect())
    }

    /// A text that was made.
    pub(crate) fn written(text: &str, code: ResultCode, issues: &[Issue]) -> Gd<O3deJsonResult> {
        let text = crate::engine::string_of(text);
        O3deJsonResult::new(text.to_variant(), text, code, issues.iter().map(issue).collect())
    }

    /// Nothing, because of `issues`.
    pub(crate) fn refused(task: Task, issues: &[Issue]) -> Gd<O3deJsonResult> {
        let codes = issues.iter().map(|issue| issue.code);
        let code = codes.reduce(ResultCode::combine);
        let code = code.unwrap_or_else(|| ResultCode::new(task, Outcome::Invalid));
        let issues = issues.iter().map(issue).collect();
        let result = O3deJsonResult::new(Variant::nil(), GString::new(), code, issues);
        // In a file, what is otherwise stepped over is a failure, too.
        result.clone().bind_mut().ok = false;
        result
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
        let mut entry = issue(&Issue::new("", error.to_string(), code));
        entry.set("line", error.line as i64);
        entry.set("column", error.column as i64);
        let issues = Array::from_iter([entry]);
        O3deJsonResult::new(Variant::nil(), GString::new(), code, issues)
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
        issues: Array<VarDictionary>,
    ) -> Gd<O3deJsonResult> {
        Gd::from_object(O3deJsonResult {
            ok: code.processing() == Processing::Completed,
            value,
            text,
            task: code.task() as i64,
            processing: code.processing() as i64,
            outcome: code.outcome() as i64,
            issues,
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
    entry
}
