//! The protocol: which tools there are, and calls of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
    Tool,
};
use rmcp::service::{RequestContext, RoleServer};

use crate::ServeOptions;
use crate::session::Session;
use crate::tool::{Answer, ToolEntry, ToolError};
use crate::tools::TOOLS;

/// The text that a model reads about all tools together.
const INSTRUCTIONS: &str = "\
Tools for the scenes (.tscn), resources (.tres), scripts and settings of one Godot project, without the engine. \
Prefer `edit` to changing .tscn and .tres as text: it keeps ids, uids and all other bytes as Godot would save them, and refuses \
changes that Godot could not load. Begin with `project` and `tree`; look up a type's properties with `class`; after files changed in \
another way, call `check`. `rename`, `move_file` and `move_node` also update all references, in scenes and scripts. \
Paths are `res://…` or relative to the project's folder. Paths of nodes begin below the root, which is `.`. \
All files of a change are written together or not at all; `undo` undoes the last change.";

pub(crate) struct Server {
    session: Arc<Session>,
}

impl Server {
    pub(crate) fn new(options: ServeOptions) -> Self {
        Self { session: Arc::new(Session::new(options)) }
    }

    fn is_listed(&self, tool: &ToolEntry) -> bool {
        !(tool.effect.writes() && self.session.is_read_only())
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let version = env!("CARGO_PKG_VERSION");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("gdscene", version).with_title("gdscene"))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let listed = TOOLS.iter().filter(|tool| self.is_listed(tool));
        Ok(ListToolsResult::with_all_items(listed.map(|tool| (tool.declaration)()).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let tool = TOOLS.iter().find(|tool| tool.name == name)?;
        self.is_listed(tool).then(|| (tool.declaration)())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == request.name) else {
            return Err(unknown_tool(&request.name));
        };
        if !self.is_listed(tool) {
            let refusal = format!(
                "`{}` writes files, and this server was started with --read-only; nothing was changed",
                tool.name
            );
            return Ok(result(Err(ToolError(refusal))).into());
        }
        let cancelled = Arc::new(AtomicBool::new(false));
        let (session, is_cancelled) = (Arc::clone(&self.session), Arc::clone(&cancelled));
        let arguments = request.arguments.unwrap_or_default();
        let mut work =
            tokio::task::spawn_blocking(move || session.call(tool, arguments, &is_cancelled));
        let done = tokio::select! {
            done = &mut work => done,
            () = context.ct.cancelled() => {
                // A tool that waits or looks at many files ends soon; a write is completed.
                cancelled.store(true, Ordering::Relaxed);
                work.await
            }
        };
        match done {
            Ok(done) => Ok(result(done).into()),
            Err(_) => Err(ErrorData::internal_error("the server is shutting down", None)),
        }
    }
}

fn unknown_tool(name: &str) -> ErrorData {
    let near = godot_tscn::nearest(name.as_bytes(), TOOLS.iter().map(|tool| tool.name.as_bytes()));
    let hint = match near {
        Some(near) => format!("did you mean `{}`?", String::from_utf8_lossy(near)),
        None => "`tools/list` lists all tools".to_owned(),
    };
    ErrorData::invalid_params(
        format!("unknown tool `{}`; {hint}", crate::limits::excerpt(name)),
        None,
    )
}

fn result(done: Result<Answer, ToolError>) -> CallToolResult {
    match done {
        Ok(Answer { text, data }) => {
            let mut result = CallToolResult::structured(data);
            result.content = vec![ContentBlock::text(text)];
            result
        }
        Err(ToolError(reason)) => {
            CallToolResult::error(vec![ContentBlock::text(crate::limits::short(&reason))])
        }
    }
}
