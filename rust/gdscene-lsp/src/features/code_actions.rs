//! Fixes, and other actions at a place.

mod ignored;
mod refactorings;

use std::collections::BTreeMap;

use gdscene_lint::{FixChoice, Workspace};
use godot_tscn::{Applicability, Span};
use ls_types::request::{CodeActionRequest, CodeActionResolveRequest};
use ls_types::{
    CodeAction, CodeActionContext, CodeActionKind, CodeActionOrCommand, CodeActionParams,
    Diagnostic, TextEdit, WorkspaceEdit,
};

use self::ignored::Where;
use crate::features::Answer;
use crate::snapshot::{Failure, File, Snapshot};
use crate::{edits, findings};

/// All safe fixes of a text, which editors can apply on save.
pub(crate) const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.gdscene");

impl Answer for CodeActionRequest {
    fn answer(
        snapshot: &Snapshot,
        params: CodeActionParams,
    ) -> Result<Option<Vec<CodeActionOrCommand>>, Failure> {
        let file = snapshot.file(&params.text_document.uri)?;
        if findings::is_own_config(&file.path) {
            return Ok(None);
        }
        let span = file.text.span(params.range);
        let mut actions = file.project.look(|workspace| {
            let maker = Maker { snapshot, file: &file, workspace, context: &params.context };
            maker.actions(span)
        })?;
        let wants = |kind: &CodeActionKind| wants(&params.context, kind);
        let refactors =
            wants(&CodeActionKind::REFACTOR_EXTRACT) || wants(&CodeActionKind::REFACTOR_INLINE);
        if refactors && file.is_scene() {
            actions.extend(file.project.look_at_all(|workspace| {
                let project = workspace.project()?;
                refactorings::at_place(snapshot, &file, project, span.start)
            }));
        }
        Ok(Some(actions.into_iter().map(CodeActionOrCommand::CodeAction).collect()))
    }
}

impl Answer for CodeActionResolveRequest {
    /// Actions come with their edits.
    fn answer(_: &Snapshot, action: CodeAction) -> Result<CodeAction, Failure> {
        Ok(action)
    }
}

/// Actions are offered for at most this number of findings in a range.
const MOST_FINDINGS: usize = 50;

struct Maker<'m> {
    snapshot: &'m Snapshot,
    file: &'m File,
    workspace: &'m Workspace,
    context: &'m CodeActionContext,
}

impl Maker<'_> {
    fn actions(&self, span: Span) -> Result<Vec<CodeAction>, Failure> {
        let text = self.file.text.bytes();
        let all = self.workspace.diagnostics(&self.file.path, text);
        let touches = |found: &&godot_tscn::Diagnostic| {
            found.span.start <= span.end && span.start <= found.span.end
        };
        let here: Vec<&godot_tscn::Diagnostic> =
            all.iter().filter(touches).take(MOST_FINDINGS).collect();
        let mut actions = Vec::new();
        if wants(self.context, &CodeActionKind::QUICKFIX) {
            for found in &here {
                self.snapshot.check_cancelled()?;
                actions.extend(self.fix(found)?);
            }
            actions.extend(self.fixes_of_a_kind(&all, &here));
            for found in &here {
                self.snapshot.check_cancelled()?;
                actions.extend(self.ignore_here(found));
            }
            for found in first_of_each_rule(&here) {
                actions.extend(self.ignore_in_file(found));
                actions.extend(self.ignore_in_project(found));
            }
        }
        if wants(self.context, &FIX_ALL) {
            actions.extend(self.fix_all());
        }
        Ok(actions)
    }

    fn fix(&self, found: &godot_tscn::Diagnostic) -> Result<Option<CodeAction>, Failure> {
        let Some(fix) = &found.fix else { return Ok(None) };
        if fix.applicability == Applicability::DisplayOnly {
            return Ok(None);
        }
        let mut texts = vec![(self.file.uri.clone(), edits::in_text(&self.file.text, fix.edits()))];
        for other in fix.other_files() {
            texts.push(edits::text_edits(self.snapshot, &self.file.project, other)?);
        }
        let is_safe = fix.applicability == Applicability::Safe;
        let title = match is_safe {
            true => capitalized(&fix.title),
            false => format!("{} (unsafe: may change what Godot loads)", capitalized(&fix.title)),
        };
        Ok(Some(CodeAction {
            is_preferred: Some(is_safe),
            ..self.action(title, found, edits::of_texts(self.snapshot, texts))
        }))
    }

    /// For each rule that has findings here: its safe fixes in the whole text.
    fn fixes_of_a_kind(
        &self,
        all: &[godot_tscn::Diagnostic],
        here: &[&godot_tscn::Diagnostic],
    ) -> Vec<CodeAction> {
        let mut actions = Vec::new();
        for first in first_of_each_rule(here) {
            let code = first.code;
            let of_rule: Vec<godot_tscn::Diagnostic> =
                all.iter().filter(|found| found.code == code).cloned().collect();
            let fixed =
                godot_tscn::apply_fixes(self.file.text.bytes(), &of_rule, Applicability::Safe);
            if fixed.applied_count > 1 {
                let title = format!("Fix all {} of {code} in this file", fixed.applied_count);
                let changes = edits::by_lines(&self.file.text, &fixed.text);
                let edit = edits::of_text(self.snapshot, &self.file.uri, changes);
                actions.push(self.action(title, first, edit));
            }
        }
        actions
    }

    fn ignore_here(&self, found: &godot_tscn::Diagnostic) -> Option<CodeAction> {
        let config = self.workspace.config();
        if !godot_tscn::is_suppressible(found, &config.options()) {
            return None;
        }
        let ignoring =
            godot_tscn::ignore_here(self.file.text.bytes(), found.span.start, found.code);
        let title = format!("Ignore {} here", found.code);
        let changes = edits::by_lines(&self.file.text, &ignoring);
        Some(self.action(title, found, edits::of_text(self.snapshot, &self.file.uri, changes)))
    }

    fn ignore_in_file(&self, found: &godot_tscn::Diagnostic) -> Option<CodeAction> {
        let place = Where::File(self.file.path.strip_prefix("res://")?);
        let edit = ignored::ignore(self.snapshot, self.file, found.code, place)?;
        Some(self.action(format!("Ignore {} in this file", found.code), found, edit))
    }

    fn ignore_in_project(&self, found: &godot_tscn::Diagnostic) -> Option<CodeAction> {
        let edit = ignored::ignore(self.snapshot, self.file, found.code, Where::Project)?;
        Some(self.action(format!("Ignore {} in the project", found.code), found, edit))
    }

    fn fix_all(&self) -> Option<CodeAction> {
        let text = self.file.text.bytes();
        let choice = FixChoice::up_to(Applicability::Safe);
        let fixed = self.workspace.fix(&self.file.path, text, choice);
        let changes: Vec<TextEdit> = edits::by_lines(&self.file.text, &fixed.text);
        (!changes.is_empty()).then(|| CodeAction {
            title: "Apply all safe fixes".to_owned(),
            kind: Some(FIX_ALL),
            edit: Some(edits::of_text(self.snapshot, &self.file.uri, changes)),
            ..CodeAction::default()
        })
    }

    fn action(
        &self,
        title: String,
        found: &godot_tscn::Diagnostic,
        edit: WorkspaceEdit,
    ) -> CodeAction {
        CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![self.shown(found)]),
            edit: Some(edit),
            ..CodeAction::default()
        }
    }

    fn shown(&self, found: &godot_tscn::Diagnostic) -> Diagnostic {
        findings::converted(found, &self.file.text, &self.file.uri)
    }
}

/// By code.
fn first_of_each_rule<'f>(
    found: &[&'f godot_tscn::Diagnostic],
) -> impl Iterator<Item = &'f godot_tscn::Diagnostic> + use<'f> {
    let by_code: BTreeMap<&str, _> = found.iter().rev().map(|found| (found.code, *found)).collect();
    by_code.into_values()
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + characters.as_str()
}

/// Whether the client wants actions of a kind, or of those above it.
fn wants(context: &CodeActionContext, kind: &CodeActionKind) -> bool {
    let Some(only) = &context.only else { return true };
    only.iter().any(|wanted| {
        let rest = kind.as_str().strip_prefix(wanted.as_str());
        wanted.as_str().is_empty()
            || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}
