//! What the rules find in a text, when the client asks for it.

use ls_types::request::DocumentDiagnosticRequest;
use ls_types::{
    DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentDiagnosticReportResult,
    FullDocumentDiagnosticReport, RelatedFullDocumentDiagnosticReport,
};

use crate::features::Answer;
use crate::findings;
use crate::snapshot::{Failure, Snapshot};

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
