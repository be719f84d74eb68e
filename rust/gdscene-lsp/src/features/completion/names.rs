//! Names that scripts and scenes hold as text: input actions, groups and the like.

use godot_project::Project;
use godot_project::names::{KindOfName, NameKind, kinds_at};
use godot_tscn::{Span, TagKind};
use ls_types::{CompletionItem, CompletionItemKind};

use super::{Choice, Completer, items};
use crate::snapshot::File;

/// The names between the quotes at a place of a script.
pub(super) fn in_script(file: &File, project: &Project, offset: u32) -> Vec<CompletionItem> {
    let Some((text, kinds)) = kinds_at(file.text.bytes(), offset) else { return Vec::new() };
    let choices = kinds.into_iter().flat_map(|kind| choices(project, kind)).collect();
    items(choices, file.text.range(Span::new(text.start, offset)))
}

impl Completer<'_> {
    /// The names between the quotes behind `before`, where a node or resource holds one.
    pub(super) fn names(&self, before: &str) -> Vec<Choice> {
        let list = before.rsplit_once(" groups=[").filter(|(_, list)| !list.contains(']'));
        if self.section.kind() == TagKind::Node && list.is_some() {
            return choices(self.project, NameKind::of(KindOfName::Group));
        }
        let key = before.split_once('=').map(|(key, _)| key.trim().trim_matches('"'));
        let found = key.and_then(|key| {
            NameKind::of_property(self.project.classes(), &self.object().class?, key)
        });
        found.map_or_else(Vec::new, |(kind, _)| choices(self.project, kind))
    }
}

fn choices(project: &Project, kind: &NameKind) -> Vec<Choice> {
    let item_kind = match kind.id {
        KindOfName::Signal => CompletionItemKind::EVENT,
        KindOfName::Method => CompletionItemKind::METHOD,
        KindOfName::Property => CompletionItemKind::PROPERTY,
        _ => CompletionItemKind::VALUE,
    };
    let mut names: Vec<&str> = project.known_names(kind.id).names().collect();
    names.sort_unstable();
    names.into_iter().map(|name| Choice::new(name, item_kind, kind.word)).collect()
}
