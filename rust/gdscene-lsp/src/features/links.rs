//! Paths and uids of files, to be opened.

use godot_project::{Project, ResolvedPath};
use godot_tscn::{Document, Span};
use ls_types::request::DocumentLinkRequest;
use ls_types::{DocumentLink, DocumentLinkParams};

use crate::features::Answer;
use crate::snapshot::{Failure, Snapshot};
use crate::{at, uris};

impl Answer for DocumentLinkRequest {
    fn answer(
        snapshot: &Snapshot,
        params: DocumentLinkParams,
    ) -> Result<Option<Vec<DocumentLink>>, Failure> {
        let file = snapshot.file(&params.text_document.uri)?;
        if !file.is_in_notation() {
            return Ok(None);
        }
        let Some(root) = file.project.root() else { return Ok(None) };
        let paths = file.with_document(paths);
        let links = file.project.look(|workspace| {
            let project = workspace.project()?;
            let link = |(span, path): (Span, Vec<u8>)| {
                let target = target(project, &file.path, &String::from_utf8_lossy(&path))?;
                // Its own uid leads nowhere new.
                (target != file.path).then(|| DocumentLink {
                    range: file.text.range(span),
                    target: uris::uri_in(root, target),
                    tooltip: Some(target.to_owned()),
                    data: None,
                })
            };
            Some(paths.into_iter().filter_map(link).collect())
        });
        Ok(links)
    }
}

/// The path of the file that a path or uid in the file `base` leads to.
pub(crate) fn target<'p>(project: &'p Project, base: &str, path: &str) -> Option<&'p str> {
    // Autoloads have a mark before it.
    match project.resolve(base, path.trim_start_matches('*')) {
        ResolvedPath::File(file) => Some(project.path(file)),
        _ => None,
    }
}

/// All that names files, without the quotes.
fn paths(document: &Document<'_>) -> Vec<(Span, Vec<u8>)> {
    let mut paths = Vec::new();
    let mut add = |span: Span, text: &[u8]| {
        if at::is_file(text.strip_prefix(b"*").unwrap_or(text)) {
            // Within the quotes, where they are.
            let source = span.of(document.text());
            let is_quoted = source.len() >= 2 && source[0] == b'"';
            let inner = if is_quoted { Span::new(span.start + 1, span.end - 1) } else { span };
            paths.push((inner, text.to_vec()));
        }
    };
    for section in document.sections() {
        for field in section.fields() {
            if let Some(text) = field.text() {
                add(field.value_span(), &text);
            }
        }
        for property in section.properties() {
            // Most values hold none, and are not taken apart.
            let source = property.source();
            if memchr::memmem::find(source, b"res://").is_none()
                && memchr::memmem::find(source, b"uid://").is_none()
            {
                continue;
            }
            for part in property.value_tree().parts() {
                if let Some(text) = part.text() {
                    add(part.span(), &text);
                }
            }
        }
    }
    paths
}
