//! The requests that are answered, each in a file of its own.

pub(crate) mod code_actions;
mod code_lens;
mod colors;
mod completion;
mod definition;
mod diagnostics;
mod folding;
mod formatting;
mod hover;
mod inlay_hints;
mod links;
mod references;
mod rename;
mod selection;
pub(crate) mod semantic_tokens;
mod symbols;

use std::path::{Path, PathBuf};

use godot_project::projects_below;
use ls_types::request::{
    CodeActionRequest, CodeActionResolveRequest, CodeLensRequest, ColorPresentationRequest,
    Completion, DocumentColor, DocumentDiagnosticRequest, DocumentLinkRequest,
    DocumentSymbolRequest, FoldingRangeRequest, Formatting, GotoDefinition, HoverRequest,
    InlayHintRequest, PrepareRenameRequest, RangeFormatting, References, Rename, Request,
    SelectionRangeRequest, SemanticTokensFullRequest, SemanticTokensRangeRequest, WillRenameFiles,
    WorkspaceDiagnosticRequest,
};
use serde_json::Value as Json;

use crate::snapshot::{Failure, Snapshot};

/// A request that is answered.
pub(crate) struct Feature {
    /// Its name in the protocol.
    pub(crate) method: &'static str,
    pub(crate) answer: fn(&Snapshot, Json) -> Result<Json, Failure>,
}

/// How a request is answered.
pub(crate) trait Answer: Request {
    fn answer(snapshot: &Snapshot, params: Self::Params) -> Result<Self::Result, Failure>;
}

const FEATURES: &[Feature] = &[
    feature::<CodeActionRequest>(),
    feature::<CodeActionResolveRequest>(),
    feature::<CodeLensRequest>(),
    feature::<ColorPresentationRequest>(),
    feature::<Completion>(),
    feature::<DocumentColor>(),
    feature::<DocumentDiagnosticRequest>(),
    feature::<DocumentLinkRequest>(),
    feature::<DocumentSymbolRequest>(),
    feature::<FoldingRangeRequest>(),
    feature::<Formatting>(),
    feature::<GotoDefinition>(),
    feature::<HoverRequest>(),
    feature::<InlayHintRequest>(),
    feature::<PrepareRenameRequest>(),
    feature::<RangeFormatting>(),
    feature::<References>(),
    feature::<Rename>(),
    feature::<SelectionRangeRequest>(),
    feature::<SemanticTokensFullRequest>(),
    feature::<SemanticTokensRangeRequest>(),
    feature::<WillRenameFiles>(),
    feature::<WorkspaceDiagnosticRequest>(),
];

/// The one for requests of this name.
pub(crate) fn find(method: &str) -> Option<&'static Feature> {
    FEATURES.iter().find(|feature| feature.method == method)
}

const fn feature<A: Answer>() -> Feature {
    Feature { method: A::METHOD, answer: run::<A> }
}

fn run<A: Answer>(snapshot: &Snapshot, params: Json) -> Result<Json, Failure> {
    let answer = A::answer(snapshot, serde_json::from_value(params)?)?;
    Ok(serde_json::to_value(answer)?)
}

/// The folders of the projects around an open folder, or in it.
pub(crate) fn project_roots(folder: &Path) -> Vec<PathBuf> {
    match godot_project::find_root(folder) {
        Some(root) => vec![root],
        None => projects_below(folder),
    }
}
