//! A tool: a name, words for a model, arguments, and its report.

use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gdscene_journal::JournalError;
use gdscene_lint::Workspace;
use gdscene_refactor::{EditError, OperationsError, RefactorError};
use godot_project::Project;
use rmcp::handler::server::common::schema_for_input;
use rmcp::model::{JsonObject, Tool as Declaration, ToolAnnotations};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

/// A tool that a model can call.
pub(crate) trait Tool {
    /// What it takes.
    type Arguments: DeserializeOwned + JsonSchema + 'static;
    /// What it gives, as data and, by `Display`, as text.
    type Report: Serialize + JsonSchema + Display + 'static;

    const NAME: &'static str;
    /// For people, who see it in lists of tools.
    const TITLE: &'static str;
    /// For the model: what it does, when to use it, what to know of the result.
    const DESCRIPTION: &'static str;
    const EFFECT: Effect;

    fn call(call: &mut Call<'_>, arguments: Self::Arguments) -> Result<Self::Report, ToolError>;
}

/// What a tool does to the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing.
    Reads,
    /// It writes what can be told from the files alone: once more changes nothing.
    Tidies,
    /// It gives things other names and places, and loses nothing.
    Rearranges,
    /// It may remove something.
    Changes,
}

/// One call of a tool.
pub(crate) struct Call<'s> {
    pub(crate) workspace: &'s mut Workspace,
    pub(crate) cancelled: &'s AtomicBool,
    /// What else the model is to know; said below the report.
    pub(crate) notes: Vec<String>,
}

/// Why a tool did not do what it was asked for, and what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ToolError(pub(crate) String);

/// What a tool gave, for the protocol.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) data: Json,
}

/// A [`Tool`] as a row of the table of all.
pub(crate) struct ToolEntry {
    pub(crate) name: &'static str,
    pub(crate) effect: Effect,
    pub(crate) declaration: fn() -> Declaration,
    pub(crate) run: fn(&mut Call<'_>, JsonObject) -> Result<Answer, ToolError>,
}

impl ToolEntry {
    pub(crate) const fn of<T: Tool>() -> Self {
        Self { name: T::NAME, effect: T::EFFECT, declaration: declaration::<T>, run: run::<T> }
    }
}

impl Effect {
    pub(crate) fn writes(self) -> bool {
        self != Self::Reads
    }
}

impl Call<'_> {
    pub(crate) fn project(&self) -> Result<&Project, ToolError> {
        self.workspace.project().ok_or_else(|| ToolError("the project is not open".to_owned()))
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

impl ToolError {
    pub(crate) fn new(what: impl Display) -> Self {
        Self(what.to_string())
    }
}

impl From<RefactorError> for ToolError {
    fn from(error: RefactorError) -> Self {
        Self::new(error)
    }
}

impl From<EditError> for ToolError {
    fn from(error: EditError) -> Self {
        Self(format!("{error}; nothing was changed"))
    }
}

impl From<OperationsError> for ToolError {
    fn from(error: OperationsError) -> Self {
        Self(format!("{error}; nothing was changed"))
    }
}

impl From<JournalError> for ToolError {
    fn from(error: JournalError) -> Self {
        match error {
            JournalError::Busy => Self(
                "another process is changing files of this project; nothing was changed. Call the tool again"
                    .to_owned(),
            ),
            error => Self::new(error),
        }
    }
}

fn declaration<T: Tool>() -> Declaration {
    let annotations = ToolAnnotations::with_title(T::TITLE)
        .read_only(!T::EFFECT.writes())
        .destructive(T::EFFECT == Effect::Changes)
        .idempotent(matches!(T::EFFECT, Effect::Reads | Effect::Tidies))
        .open_world(false);
    // A type with a schema that is not an object does not come this far: a test lists all tools.
    let arguments = schema_for_input::<T::Arguments>().unwrap_or_else(|_| Arc::default());
    Declaration::new(T::NAME, T::DESCRIPTION, arguments)
        .with_title(T::TITLE)
        .with_annotations(annotations)
        .with_output_schema::<T::Report>()
}

fn run<T: Tool>(call: &mut Call<'_>, arguments: JsonObject) -> Result<Answer, ToolError> {
    let arguments = serde_json::from_value(Json::Object(arguments))
        .map_err(|error| ToolError(format!("invalid arguments of `{}`: {error}", T::NAME)))?;
    let report = T::call(call, arguments)?;
    let data = serde_json::to_value(&report).map_err(ToolError::new)?;
    Ok(Answer { text: report.to_string(), data })
}
