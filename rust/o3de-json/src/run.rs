//! One load or store: its settings, its path and its issues.

use std::fmt::Display;

use godot_variant::{Object, Value, printable};

use crate::{Issue, Outcome, Registry, ResultCode, Task, escape_segment};

/// What to follow where O3DE's documentation and its code differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// The documentation page; the engine where the page is silent.
    #[default]
    Doc,
    /// The C++ code.
    Engine,
}

/// How to load and store.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// The documentation or the code.
    pub profile: Profile,
    /// Store: write what equals its default too, where otherwise it is left out, or is `{}`.
    pub keep_defaults: bool,
    /// Load: empty containers first, where otherwise elements are added to what is there.
    pub clear_containers: bool,
}

/// Looks at an issue and says which code to go on with, usually the issue's own.
///
/// Called for every step that does not simply succeed.
pub type Reporter<'a> = &'a mut dyn FnMut(&Issue) -> ResultCode;

/// The state of one load or store.
pub(crate) struct Run<'a> {
    pub(crate) registry: &'a Registry,
    pub(crate) settings: Settings,
    pub(crate) issues: Vec<Issue>,
    reporter: Option<Reporter<'a>>,
    /// Kept only for a reporter. Without one, an issue gets its path on the way out.
    path: String,
    depth: usize,
    /// How many issues there were beyond those that are kept.
    left_out: usize,
    /// How many more values may be loaded over.
    again_left: usize,
}

/// How many issues are kept: a large document of the wrong kind has millions.
const MAX_ISSUES: usize = 1000;

/// How deep values may be in each other, for load and for store.
const MAX_DEPTH: usize = 256;

/// How many values may be loaded over because their name occurs twice.
const MAX_AGAIN: usize = 1_000_000;

/// A step of an issue's path. A long name is cut: a thousand issues would each repeat it.
pub(crate) fn step_name(segment: &dyn Display) -> String {
    const SHOWN_CHARS: usize = 200;
    let mut name = segment.to_string();
    if let Some((cut, _)) = name.char_indices().nth(SHOWN_CHARS) {
        name.truncate(cut);
        name.push('…');
    }
    printable(&escape_segment(&name)).into_owned()
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        registry: &'a Registry,
        settings: Settings,
        reporter: Option<Reporter<'a>>,
    ) -> Run<'a> {
        Run {
            registry,
            settings,
            issues: Vec::new(),
            reporter,
            path: String::new(),
            depth: 0,
            left_out: 0,
            again_left: MAX_AGAIN,
        }
    }

    /// Whether to follow the documentation page.
    pub(crate) fn is_doc(&self) -> bool {
        self.settings.profile == Profile::Doc
    }

    /// Does `step` one segment further down.
    pub(crate) fn at<R>(&mut self, segment: impl Display, step: impl FnOnce(&mut Self) -> R) -> R {
        if self.reporter.is_none() {
            let known = self.issues.len();
            let result = step(self);
            if self.issues.len() > known {
                self.prefix(known, &segment);
            }
            return result;
        }
        let len = self.path.len();
        self.path.push('/');
        self.path.push_str(&step_name(&segment));
        let result = step(self);
        self.path.truncate(len);
        result
    }

    #[cold]
    fn prefix(&mut self, known: usize, segment: &dyn Display) {
        let segment = step_name(segment);
        for issue in &mut self.issues[known..] {
            issue.path.insert_str(0, &segment);
            issue.path.insert(0, '/');
        }
    }

    /// The issues, with a last one that counts those that were left out.
    pub(crate) fn into_issues(mut self, code: ResultCode) -> Vec<Issue> {
        if self.left_out > 0 {
            let message = format!("{} more issues are not listed", self.left_out);
            self.issues.push(Issue::new("", message, code));
        }
        self.issues
    }

    /// Sets the depth of the next value.
    pub(crate) fn begin_at(&mut self, depth: usize) {
        self.depth = depth;
    }

    /// Whether there is an issue.
    pub(crate) fn has_issues(&self) -> bool {
        !self.issues.is_empty()
    }

    /// Does `step` one level deeper, or reports that the limit is reached.
    pub(crate) fn deeper(
        &mut self,
        task: Task,
        step: impl FnOnce(&mut Self) -> ResultCode,
    ) -> ResultCode {
        if self.depth == MAX_DEPTH {
            let message = format!("the value nests deeper than {MAX_DEPTH}: flatten it");
            return self.report(task, Outcome::Invalid, message);
        }
        self.depth += 1;
        let code = step(self);
        self.depth -= 1;
        code
    }

    /// Whether a value may be loaded over `value`. Not if too many were: a name that occurs a thousand times would go
    /// through a large value a thousand times.
    pub(crate) fn may_load_over(&mut self, value: &Value) -> bool {
        match self.again_left.checked_sub(weight(value)) {
            Some(left) => self.again_left = left,
            None => return false,
        }
        true
    }

    /// Reports an issue and returns its code.
    pub(crate) fn report(
        &mut self,
        task: Task,
        outcome: Outcome,
        message: impl Into<String>,
    ) -> ResultCode {
        let code = ResultCode::new(task, outcome);
        let issue = Issue::new(self.path.as_str(), message, code);
        let code = self.reporter.as_mut().map_or(code, |reporter| reporter(&issue));
        if self.issues.len() < MAX_ISSUES {
            self.issues.push(Issue { code, ..issue });
        } else {
            self.left_out += 1;
        }
        code
    }

    /// The code of a value that kept its default.
    pub(crate) fn defaults_used(&self, task: Task) -> ResultCode {
        ResultCode::new(task, Outcome::DefaultsUsed)
    }

    /// The code of a success.
    pub(crate) fn success(&self, task: Task) -> ResultCode {
        ResultCode::new(task, Outcome::Success)
    }
}

/// How many values there are in `value`; 64 bytes of other content count as one more.
fn weight(value: &Value) -> usize {
    1 + match value {
        Value::Array(array) => array.elements.iter().map(weight).sum(),
        Value::Dictionary(dictionary) => {
            dictionary.iter().map(|(key, value)| weight(key) + weight(value)).sum()
        }
        Value::Object(object) => match &**object {
            Object::Full { properties, .. } => properties.iter().map(|(_, v)| weight(v)).sum(),
            _ => 0,
        },
        Value::String(text) | Value::StringName(text) => text.len() / 64,
        Value::PackedByteArray(data) => data.len() / 64,
        Value::PackedInt32Array(data) => data.len() / 16,
        Value::PackedFloat32Array(data) => data.len() / 16,
        Value::PackedInt64Array(data) => data.len() / 8,
        Value::PackedFloat64Array(data) => data.len() / 8,
        Value::PackedVector2Array(data) => data.len() / 8,
        Value::PackedVector3Array(data) => data.len() / 4,
        Value::PackedVector4Array(data) | Value::PackedColorArray(data) => data.len() / 4,
        Value::PackedStringArray(strings) => strings.iter().map(|s| 1 + s.len() / 64).sum(),
        _ => 0,
    }
}
