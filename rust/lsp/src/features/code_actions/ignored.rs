//! A rule that the whole project does without: an entry of `ignore` in `gdscene.toml`.

use ls_types::{
    CreateFile, DocumentChangeOperation, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, ResourceOp, TextDocumentEdit, WorkspaceEdit,
};
use project::CONFIG_NAME;
use toml_edit::{Array, DocumentMut, Item, value};

use crate::snapshot::{File, Snapshot};
use crate::text::Text;
use crate::{edits, uris};

/// Nothing if the file cannot be read, or has something else under that key.
pub(super) fn in_project(snapshot: &Snapshot, file: &File, code: &str) -> Option<WorkspaceEdit> {
    let path = file.project.root()?.join(CONFIG_NAME);
    let uri = uris::uri_of(&path)?;
    let is_there = snapshot.documents.contains_key(&uri) || path.exists();
    let text = match is_there {
        true => snapshot.file(&uri).ok()?.text,
        false => Text::new(Vec::new(), snapshot.client.encoding),
    };
    let changed = with_ignored(std::str::from_utf8(text.bytes()).ok()?, code)?;
    let edits = edits::between(&text, changed.as_bytes());
    if is_there {
        return Some(edits::of_text(snapshot, &uri, edits));
    }
    if !snapshot.client.features.edits_files {
        return None;
    }
    let create = CreateFile { uri: uri.clone(), options: None, annotation_id: None };
    let edit = TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { uri, version: None },
        edits: edits.into_iter().map(OneOf::Left).collect(),
    };
    let operations = vec![
        DocumentChangeOperation::Op(ResourceOp::Create(create)),
        DocumentChangeOperation::Edit(edit),
    ];
    let document_changes = Some(DocumentChanges::Operations(operations));
    Some(WorkspaceEdit { document_changes, ..WorkspaceEdit::default() })
}

fn with_ignored(text: &str, code: &str) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let ignored = document.entry("ignore").or_insert_with(|| value(Array::new()));
    let Item::Value(toml_edit::Value::Array(ignored)) = ignored else { return None };
    if !ignored.iter().any(|found| found.as_str() == Some(code)) {
        ignored.push(code);
    }
    Some(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_stays() {
        let ignored = |text| with_ignored(text, "REF007").unwrap();
        assert_eq!(ignored(""), "ignore = [\"REF007\"]\n");
        let text = "# ours\nignore = [\"STY001\"] # why\n\n[severity]\nREF001 = \"warning\"\n";
        assert_eq!(ignored(text), text.replace("\"STY001\"]", "\"STY001\", \"REF007\"]"));
        assert_eq!(ignored("ignore = [\"REF007\"]\n"), "ignore = [\"REF007\"]\n");
        assert_eq!(with_ignored("ignore = 3\n", "REF007"), None);
        assert_eq!(with_ignored("[broken", "REF007"), None);
    }
}
