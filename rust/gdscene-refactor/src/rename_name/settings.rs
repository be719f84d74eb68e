//! The name in settings files.

use std::sync::Arc;

use godot_tscn::{key_text, parse_config};

use crate::draft::FileDraft;
use crate::rename_name::{Renaming, inside_quotes};

impl Renaming<'_> {
    pub(super) fn in_settings(&self, draft: &mut FileDraft) {
        let text = Arc::clone(&draft.text);
        let file = parse_config(&text);
        let section_of_kind = self.kind.settings().unwrap_or_default().trim_end_matches('/');
        let is_settings =
            matches!(draft.path.as_str(), "res://project.godot" | "res://override.cfg");
        for section in file.sections() {
            for property in section.properties() {
                let is_definition = is_settings
                    && *section.name() == *section_of_kind.as_bytes()
                    && *property.engine_key() == *self.old.as_bytes();
                if is_definition {
                    draft.edit(property.key_span(), key_text(self.new), "definition");
                }
                let tree = property.value_tree();
                for part in
                    tree.parts().filter(|part| part.text().as_deref() == Some(self.old.as_bytes()))
                {
                    if let Some(span) = inside_quotes(&text, part.span()) {
                        draft
                            .doubt(span, format!("a string that may name this {}", self.kind.word));
                    }
                }
            }
        }
    }
}
