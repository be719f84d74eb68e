//! Data that is computed once for all rules.

use std::cell::RefCell;

use crate::allow_list::AllowList;
use crate::budget::Budget;
use crate::document::{Document, Field, ReferenceKind, Section, TagKind, ValueKind};
use crate::godot_version::GodotVersion;
use crate::model::facts::Facts;
use crate::model::field_name::FieldName;
use crate::model::node_tree::NodeTree;
use crate::model::resource_ids::ResourceIds;
use crate::options::LintOptions;
use crate::quote::quote;
use crate::rule_choice::NamePattern;
use crate::span::Span;
use crate::suggest::SuggestionBudget;
use crate::syntax::SyntaxErrorKind;
use crate::words;

/// The input of every rule: the document, and data that is computed once for all rules.
pub(crate) struct Context<'d> {
    pub(crate) document: &'d Document<'d>,
    /// The file's path or name.
    pub(crate) path: Option<&'d str>,
    /// Whether it is a settings file.
    pub(crate) is_config: bool,
    /// The kind that the file's name promises.
    pub(crate) file_kind: Option<FileKind>,
    pub(crate) ext_resources: ResourceIds<'d>,
    pub(crate) sub_resources: ResourceIds<'d>,
    pub(crate) node_tree: NodeTree<'d>,
    pub(crate) facts: Facts,
    pub(crate) target: Option<GodotVersion>,
    pub(crate) allow_list: Option<&'d AllowList>,
    pub(crate) budget: Budget,
    pub(crate) node_names: Option<&'d NamePattern>,
    pub(crate) file_names: Option<&'d NamePattern>,
    /// Whether tags may be in the text that the parser could not see.
    pub(crate) hides_sections: bool,
    suggestions: SuggestionBudget,
    searched_words: RefCell<Vec<(&'static str, bool)>>,
}

/// The kind that a file's extension promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// `.tscn`, `.escn`
    Scene,
    /// `.tres`
    Resource,
}

impl<'d> Context<'d> {
    pub(crate) fn new(
        document: &'d Document<'d>,
        options: &LintOptions<'d>,
        is_config: bool,
    ) -> Self {
        Self {
            document,
            path: options.path,
            is_config,
            file_kind: options.path.and_then(FileKind::of),
            ext_resources: ResourceIds::new(document, ReferenceKind::ExtResource),
            sub_resources: ResourceIds::new(document, ReferenceKind::SubResource),
            node_tree: NodeTree::new(document),
            facts: Facts::new(document),
            target: options.target,
            allow_list: options.allow_list,
            budget: options.budget.copied().unwrap_or_default(),
            node_names: options.node_names,
            file_names: options.file_names,
            hides_sections: hides_sections(document),
            suggestions: SuggestionBudget::new(),
            searched_words: RefCell::default(),
        }
    }

    /// Whether `word` is anywhere in the text: a quick way out for rules on rare things.
    ///
    /// Several rules ask for the same word, which is looked for once.
    pub(crate) fn contains(&self, word: &'static str) -> bool {
        let mut known = self.searched_words.borrow_mut();
        if let Some((_, is_there)) = known.iter().find(|(asked, _)| *asked == word) {
            return *is_there;
        }
        let is_there = words::holds(self.document.text(), word.as_bytes());
        known.push((word, is_there));
        is_there
    }

    /// The fields of a tag, with the names that Godot knows.
    #[inline]
    pub(crate) fn named_fields(
        &self,
        section: Section<'d>,
    ) -> impl Iterator<Item = (Field<'d>, Option<FieldName>)> {
        let names = &self.facts.field_names[section.field_range()];
        section.fields().zip(names.iter().copied())
    }

    /// The header's tag, if the text starts with one.
    pub(crate) fn header(&self) -> Option<Section<'d>> {
        let header = self.document.sections().next()?;
        matches!(header.kind(), TagKind::GdScene | TagKind::GdResource).then_some(header)
    }

    /// The number after `format=`. A header without one counts as that of Godot 4.
    pub(crate) fn format(&self) -> Option<i64> {
        self.header()?.field("format").map_or(Some(3), Field::int)
    }

    /// Whether the target is known and not older.
    pub(crate) fn is_for(&self, version: GodotVersion) -> bool {
        self.target.is_some_and(|target| target >= version)
    }

    /// Whether the file is for Godot 4: by its header or by the target.
    pub(crate) fn is_for_godot4(&self) -> bool {
        match self.target {
            Some(target) => target.major >= 4,
            None => self.format().is_some_and(|format| format >= 3),
        }
    }

    /// Whether the allow list has this path, or a path for its uid.
    pub(crate) fn is_listed(&self, path: &[u8]) -> bool {
        let Some(list) = self.allow_list else { return false };
        std::str::from_utf8(path).is_ok_and(|path| list.lists_path(path))
    }

    /// The candidate that was probably meant by `word`.
    pub(crate) fn nearest<'c>(
        &self,
        word: &[u8],
        candidates: impl IntoIterator<Item = &'c [u8]>,
    ) -> Option<&'c [u8]> {
        self.suggestions.nearest(word, candidates)
    }

    /// The source at `span` for a message: one line, shortened, in backticks.
    pub(crate) fn quote(&self, span: Span) -> String {
        quote(span.of(self.document.text()))
    }
}

impl FileKind {
    fn of(path: &str) -> Option<Self> {
        match path.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "tscn" | "escn" => Some(Self::Scene),
            "tres" => Some(Self::Resource),
            _ => None,
        }
    }
}

/// Whether an id or a node may be defined where the parser could not read it.
pub fn hides_sections(document: &Document<'_>) -> bool {
    use SyntaxErrorKind::*;
    let hides_definition = |section: Section<'_>| {
        let field = match section.kind() {
            TagKind::ExtResource | TagKind::SubResource => "id",
            TagKind::Node => "name",
            // A misspelt node or resource.
            TagKind::Unknown if !section.name().is_empty() => {
                let has = |field| section.field(field).is_some();
                return section.is_broken() || has("name") || has("id");
            }
            _ => return section.name().is_empty(),
        };
        let is_broken = |field: Field<'_>| field.kind() == ValueKind::Invalid;
        section.is_broken() && section.field(field).is_none_or(is_broken)
    };
    document.sections().any(hides_definition)
        || document
            .errors()
            .iter()
            .any(|error| matches!(error.kind, ConflictMarker | Binary | TooLarge | Nul))
}
