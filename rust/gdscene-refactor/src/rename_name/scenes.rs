//! The name in scenes and resources.

use std::sync::Arc;

use godot_project::SceneContext;
use godot_project::names::KindOfName;
use godot_project::settings::lossy;
use godot_tscn::{PartRef, Span};

use crate::draft::FileDraft;
use crate::rename_member::doubt_inner_script;
use crate::rename_name::{Renaming, inside_quotes};
use crate::whole_word::first_word;

impl Renaming<'_> {
    pub(super) fn in_scene(&self, draft: &mut FileDraft) {
        let text = Arc::clone(&draft.text);
        let document = godot_tscn::parse(&text);
        let path = draft.path.clone();
        let context = SceneContext::new(self.project, &path, &document);
        if context.hides_sections || document.is_incomplete() {
            if let Some(at) = first_word(&text, self.old) {
                let span = Span::new(at as u32, (at + self.old.len()) as u32);
                draft.doubt(
                    span,
                    "the file has errors and cannot be read completely; repair it first",
                );
            }
            return;
        }
        if self.kind.id == KindOfName::Group {
            for groups in document.sections().filter_map(|section| section.field("groups")) {
                for group in groups.value_tree().root().children() {
                    self.edit(draft, group, "group of a node");
                }
            }
        }
        for assignment in context.assignments() {
            let class = assignment.object.native().unwrap_or_default();
            let tree = assignment.property.value_tree();
            let key = lossy(&assignment.property.engine_key());
            if self.kind.property(self.project.classes(), class, &key).is_some() {
                self.edit(draft, tree.root(), "value of a property");
            } else if assignment.key == "script/source" {
                doubt_inner_script(assignment.property, self.old, draft);
            } else {
                let texts =
                    tree.parts().filter(|part| part.text().as_deref() == Some(self.old.as_bytes()));
                for span in texts.filter_map(|part| inside_quotes(&text, part.span())) {
                    draft.doubt(span, format!("a string that may name this {}", self.kind.word));
                }
            }
        }
    }

    fn edit(&self, draft: &mut FileDraft, part: PartRef<'_>, what: &'static str) {
        if part.text().as_deref() == Some(self.old.as_bytes())
            && let Some(span) = inside_quotes(&draft.text, part.span())
        {
            draft.edit(span, self.new, what);
        }
    }
}
