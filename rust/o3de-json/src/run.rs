//! One load or store: settings, the path it is at, and what it has to say.

use std::fmt::Display;

use crate::{Issue, Outcome, Registry, ResultCode, Task, escape_segment};

/// Where O3DE's documentation and its code differ, whom to follow.
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
    /// Whom to follow.
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
    /// Kept only while a reporter wants it; else an issue gets its path on the way out.
    path: String,
    depth: usize,
    /// How many issues there were beyond those that are kept.
    left_out: usize,
}

/// How many issues are kept: a large document of the wrong kind has millions.
const MAX_ISSUES: usize = 1000;

/// How deep values may be in each other, for load and for store.
const MAX_DEPTH: usize = 256;

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
        self.path.push_str(&escape_segment(&segment.to_string()));
        let result = step(self);
        self.path.truncate(len);
        result
    }

    #[cold]
    fn prefix(&mut self, known: usize, segment: &dyn Display) {
        let segment = segment.to_string();
        let segment = escape_segment(&segment);
        for issue in &mut self.issues[known..] {
            issue.path.insert_str(0, &segment);
            issue.path.insert(0, '/');
        }
    }

    /// What was said, with a last word on what was left out.
    pub(crate) fn into_issues(mut self, code: ResultCode) -> Vec<Issue> {
        if self.left_out > 0 {
            let message = format!("{} more issues are not listed", self.left_out);
            self.issues.push(Issue { path: String::new(), message, code });
        }
        self.issues
    }

    /// Says how deep the next value is, of which nothing else is known.
    pub(crate) fn begin_at(&mut self, depth: usize) {
        self.depth = depth;
    }

    /// Whether something was said.
    pub(crate) fn has_issues(&self) -> bool {
        !self.issues.is_empty()
    }

    /// Does `step` one level deeper, or refuses to.
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

    /// The code of a step that has something to say.
    pub(crate) fn report(
        &mut self,
        task: Task,
        outcome: Outcome,
        message: impl Into<String>,
    ) -> ResultCode {
        let code = ResultCode::new(task, outcome);
        let issue = Issue { path: self.path.clone(), message: message.into(), code };
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
