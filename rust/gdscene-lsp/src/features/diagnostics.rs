//! The findings of the rules, when the client asks for them.

use std::collections::HashMap;
use std::thread;
use std::time::Duration;

use ls_types::request::{DocumentDiagnosticRequest, WorkspaceDiagnosticRequest};
use ls_types::{
    DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentDiagnosticReportResult,
    FullDocumentDiagnosticReport, RelatedFullDocumentDiagnosticReport,
    UnchangedDocumentDiagnosticReport, Uri, WorkspaceDiagnosticParams, WorkspaceDiagnosticReport,
    WorkspaceDiagnosticReportResult, WorkspaceDocumentDiagnosticReport,
    WorkspaceFullDocumentDiagnosticReport, WorkspaceUnchangedDocumentDiagnosticReport,
};

use crate::features::Answer;
use crate::findings;
use crate::reports::Report;
use crate::snapshot::{Failure, Snapshot};

/// How often to look whether a project's first check is done.
const PAUSE: Duration = Duration::from_millis(20);

impl Answer for DocumentDiagnosticRequest {
    fn answer(
        snapshot: &Snapshot,
        params: DocumentDiagnosticParams,
    ) -> Result<DocumentDiagnosticReportResult, Failure> {
        let file = snapshot.file(&params.text_document.uri)?;
        let items = file
            .project
            .look(|workspace| findings::of(workspace, &file.path, &file.text, &file.uri));
        let full = FullDocumentDiagnosticReport { result_id: None, items };
        let report = RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: full,
        };
        Ok(DocumentDiagnosticReport::Full(report).into())
    }
}

impl Answer for WorkspaceDiagnosticRequest {
    /// The findings in files on the disk, as in the last check of each project. Findings with an id that the client knows
    /// are reported as unchanged. Files without findings are left out, unless the client still shows some.
    fn answer(
        snapshot: &Snapshot,
        params: WorkspaceDiagnosticParams,
    ) -> Result<WorkspaceDiagnosticReportResult, Failure> {
        while snapshot.projects.all().iter().any(|project| project.is_in_first_check()) {
            snapshot.check_cancelled()?;
            thread::sleep(PAUSE);
        }
        let mut reports = snapshot.reports.pull(|uri| !snapshot.documents.contains_key(uri));
        let known = params.previous_result_ids.into_iter();
        let known: HashMap<Uri, String> = known.map(|known| (known.uri, known.value)).collect();
        let mut items: Vec<_> = known
            .into_iter()
            .filter_map(|(uri, id)| match reports.remove(&uri) {
                Some(report) if report.id == id => Some(unchanged(uri, id)),
                Some(report) => Some(full(uri, report)),
                // An empty id is that of the report that said so before.
                None if id.is_empty() => None,
                None => Some(full(uri, Report { id: String::new(), found: Vec::new() })),
            })
            .collect();
        items.extend(reports.into_iter().map(|(uri, report)| full(uri, report)));
        Ok(WorkspaceDiagnosticReportResult::Report(WorkspaceDiagnosticReport { items }))
    }
}

fn full(uri: Uri, report: Report) -> WorkspaceDocumentDiagnosticReport {
    let full = FullDocumentDiagnosticReport { result_id: Some(report.id), items: report.found };
    WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
        uri,
        version: None,
        full_document_diagnostic_report: full,
    })
}

fn unchanged(uri: Uri, result_id: String) -> WorkspaceDocumentDiagnosticReport {
    let unchanged = UnchangedDocumentDiagnosticReport { result_id };
    WorkspaceDocumentDiagnosticReport::Unchanged(WorkspaceUnchangedDocumentDiagnosticReport {
        uri,
        version: None,
        unchanged_document_diagnostic_report: unchanged,
    })
}
