//! A rule that the whole project or a file does without: an entry of `ignore` or `per-path-ignores` in `gdscene.toml`.

use gdscene_lint::CONFIG_NAME;
use ls_types::{
    CreateFile, DocumentChangeOperation, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, ResourceOp, TextDocumentEdit, WorkspaceEdit,
};
use toml_edit::{Array, DocumentMut, Item, TableLike, value};

use crate::snapshot::{File, Snapshot};
use crate::text::Text;
use crate::{edits, uris};

/// The actions that switch a rule off.
#[derive(Clone, Copy)]
pub(super) enum Where<'p> {
    Project,
    /// A file, by its path in the project without `res://`.
    File(&'p str),
}

/// Nothing if `gdscene.toml` cannot be read, or has something else under that key.
pub(super) fn ignore(
    snapshot: &Snapshot,
    file: &File,
    code: &str,
    place: Where<'_>,
) -> Option<WorkspaceEdit> {
    let path = file.project.root()?.join(CONFIG_NAME);
    let uri = uris::uri_of(&path)?;
    let is_there = snapshot.documents.contains_key(&uri) || path.exists();
    let text = match is_there {
        true => snapshot.file(&uri).ok()?.text,
        false => Text::new(Vec::new(), snapshot.client.encoding),
    };
    let changed = with_ignored(std::str::from_utf8(text.bytes()).ok()?, code, place)?;
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

fn with_ignored(text: &str, code: &str, place: Where<'_>) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let (table, key) = match place {
        Where::Project => (document.as_table_mut() as &mut dyn TableLike, "ignore".to_owned()),
        Where::File(path) => {
            let table = document.entry("per-path-ignores").or_insert_with(toml_edit::table);
            (table.as_table_like_mut()?, globset::escape(path))
        }
    };
    let ignored = table.entry(&key).or_insert_with(|| value(Array::new()));
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
        let ignored = |text| with_ignored(text, "REF007", Where::Project).unwrap();
        assert_eq!(ignored(""), "ignore = [\"REF007\"]\n");
        let text = "# ours\nignore = [\"STY001\"] # why\n\n[severity]\nREF001 = \"warning\"\n";
        assert_eq!(ignored(text), text.replace("\"STY001\"]", "\"STY001\", \"REF007\"]"));
        assert_eq!(ignored("ignore = [\"REF007\"]\n"), "ignore = [\"REF007\"]\n");
        for broken in ["ignore = 3\n", "[broken"] {
            assert_eq!(with_ignored(broken, "REF007", Where::Project), None);
        }
    }

    #[test]
    fn files_have_rows_of_their_own() {
        let ignored = |text| with_ignored(text, "REF007", Where::File("a/b [c].tscn"));
        let alone = "[per-path-ignores]\n\"a/b [[]c[]].tscn\" = [\"REF007\"]\n";
        assert_eq!(ignored("").as_deref(), Some(alone));
        let text = "ignore = []\n\n[per-path-ignores] # ours\n\"addons/**\" = [\"STY\"]\n";
        let both = format!("{text}\"a/b [[]c[]].tscn\" = [\"REF007\"]\n");
        assert_eq!(ignored(text), Some(both));
        assert_eq!(ignored("per-path-ignores = 3\n"), None);
        let inline = ignored("per-path-ignores = {}\n").unwrap();
        assert_eq!(inline, "per-path-ignores = { \"a/b [[]c[]].tscn\" = [\"REF007\"] }\n");
    }
}
