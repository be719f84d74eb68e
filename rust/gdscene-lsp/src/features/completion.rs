//! The possible texts at a place.

mod names;
mod values;

use godot_project::Project;
use godot_tscn::{Document, Section, Span, TagKind};
use ls_types::request::Completion;
use ls_types::{
    CompletionItem, CompletionItemKind, CompletionParams, CompletionResponse, CompletionTextEdit,
    Documentation, MarkupContent, MarkupKind, Range, TextEdit,
};

use crate::features::Answer;
use crate::objects::Object;
use crate::snapshot::{Failure, File, Snapshot};
use crate::{at, documentation};

/// At most this number of items is sent: a client filters its items.
const MAX_ITEMS: usize = 2_000;

impl Answer for Completion {
    fn answer(
        snapshot: &Snapshot,
        params: CompletionParams,
    ) -> Result<Option<CompletionResponse>, Failure> {
        let place = params.text_document_position;
        let file = snapshot.file(&place.text_document.uri)?;
        let document = file.scene();
        let is_script = file.path.ends_with(".gd");
        if document.is_none() && !is_script {
            return Ok(None);
        }
        let offset = file.text.offset(place.position);
        let items = file.project.look_at_all(|workspace| {
            let project = workspace.project()?;
            let Some(document) = &document else {
                return Some(names::in_script(&file, project, offset));
            };
            let section = document.section_at(offset)?;
            let completer = Completer { file: &file, document, project, section, offset };
            Some(completer.items())
        });
        Ok(items.map(CompletionResponse::Array))
    }
}

struct Completer<'c> {
    file: &'c File,
    document: &'c Document<'c>,
    project: &'c Project,
    section: Section<'c>,
    offset: u32,
}

/// The contents of an item.
struct Choice {
    text: String,
    kind: CompletionItemKind,
    detail: String,
    documentation: Option<&'static str>,
}

impl Choice {
    fn new(text: impl Into<String>, kind: CompletionItemKind, detail: impl Into<String>) -> Self {
        Self { text: text.into(), kind, detail: detail.into(), documentation: None }
    }

    fn documented(self, documentation: Option<&'static str>) -> Self {
        Self { documentation, ..self }
    }
}

impl Completer<'_> {
    fn items(&self) -> Vec<CompletionItem> {
        let before = self.line_before();
        // Between quotes that are not closed, the text since the last one.
        let is_quoted = before.matches('"').count() % 2 == 1;
        let (start, choices) = if is_quoted {
            let quote = before.rfind('"').unwrap_or_default();
            (quote + 1, self.in_quotes(&before[..quote], &before[quote + 1..]))
        } else if before.trim_start().starts_with('[') {
            (word_start(before), self.fields())
        } else if let Some((key, value)) = before.split_once('=') {
            let start = before.len() - value.trim_start().len();
            (start, self.values(key.trim()))
        } else {
            (0, self.properties())
        };
        let span = Span::new(self.offset - (before.len() - start) as u32, self.offset);
        items(choices, self.file.text.range(span))
    }

    /// The line up to the cursor. Text that is not UTF-8 has no completions.
    fn line_before(&self) -> &str {
        let before = &self.document.text()[..self.offset as usize];
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        std::str::from_utf8(&before[start..]).unwrap_or_default()
    }

    fn object(&self) -> Object {
        Object::of(self.project, &self.file.path, self.document, self.section)
    }

    /// The possible texts between quotes, by the text before them.
    fn in_quotes(&self, before: &str, typed: &str) -> Vec<Choice> {
        let ends = |word: &str| before.ends_with(word);
        match self.section.kind() {
            _ if ends("ExtResource(") => self.ids(TagKind::ExtResource),
            _ if ends("SubResource(") => self.ids(TagKind::SubResource),
            _ if ends("NodePath(") => self.nodes_seen_from_here(),
            TagKind::Editable if ends(" path=") => self.instances(),
            _ if typed.starts_with("res://") || ends(" path=") => self.files(),
            TagKind::Node if ends(" type=") => self.classes("Node"),
            TagKind::SubResource | TagKind::ExtResource | TagKind::GdResource if ends(" type=") => {
                self.classes("Resource")
            }
            TagKind::Node if ends(" parent=") => self.nodes(),
            TagKind::Connection if ends(" from=") || ends(" to=") => self.nodes(),
            TagKind::Connection if ends(" signal=") => self.signals(),
            TagKind::Connection if ends(" method=") => self.methods(),
            _ => self.names(before),
        }
    }

    fn ids(&self, kind: TagKind) -> Vec<Choice> {
        let sections = self.document.sections().filter(|section| section.kind() == kind);
        let choice = |section: Section<'_>| {
            let class = at::text(section, "type").unwrap_or_default();
            let path = at::text(section, "path").unwrap_or_default();
            let detail = format!("{class} {path}");
            Some(Choice::new(
                at::text(section, "id")?,
                CompletionItemKind::REFERENCE,
                detail.trim(),
            ))
        };
        sections.filter_map(choice).collect()
    }

    /// The nodes of the scene, those of instanced scenes too.
    fn nodes(&self) -> Vec<Choice> {
        let kind = CompletionItemKind::VALUE;
        if let Ok(outline) = gdscene_refactor::outline(self.project, &self.file.path, true) {
            let choice = |node: gdscene_refactor::NodeOutline| {
                Choice::new(node.path, kind, node.class.unwrap_or_default())
            };
            return outline.nodes.into_iter().map(choice).collect();
        }
        let nodes = self.document.sections().filter_map(|section| {
            let class = at::text(section, "type").unwrap_or_default();
            Some(Choice::new(at::node_path(section)?, kind, class))
        });
        nodes.collect()
    }

    /// The nodes that are instances, for an `editable` tag.
    fn instances(&self) -> Vec<Choice> {
        let sections = self.document.sections();
        let instances = sections.filter(|section| section.field("instance").is_some());
        let choice = |section| {
            Some(Choice::new(at::node_path(section)?, CompletionItemKind::VALUE, "instance"))
        };
        instances.filter_map(choice).collect()
    }

    fn nodes_seen_from_here(&self) -> Vec<Choice> {
        let Some(here) = at::node_path(self.section) else { return self.nodes() };
        let seen = |choice: Choice| Choice { text: relative(&here, &choice.text), ..choice };
        self.nodes().into_iter().map(seen).collect()
    }

    fn files(&self) -> Vec<Choice> {
        let paths = self.project.files().map(|file| self.project.path(file));
        let is_named = |path: &&str| !path.ends_with(".import") && !path.ends_with(".uid");
        let kind = CompletionItemKind::FILE;
        paths.filter(is_named).map(|path| Choice::new(path, kind, "")).collect()
    }

    /// The classes that objects can be made of, below a base.
    fn classes(&self, base: &str) -> Vec<Choice> {
        let classes = self.project.classes();
        let is_meant = |name: &&str| {
            let class = classes.class(name);
            classes.inherits(name, base)
                && class.is_some_and(|class| class.is_instantiable() && !class.is_editor_only())
        };
        let detail = |name: &str| {
            let base = classes.class(name).and_then(godot_project::Class::base);
            base.map_or_else(String::new, |base| format!("inherits {}", base.name()))
        };
        let names = classes.class_names().filter(is_meant);
        let choice = |name: &str| {
            let choice = Choice::new(name, CompletionItemKind::CLASS, detail(name));
            choice.documented(documentation::of_class(name))
        };
        names.map(choice).collect()
    }

    fn signals(&self) -> Vec<Choice> {
        let Some(from) = at::text(self.section, "from") else { return Vec::new() };
        let object = Object::node(self.project, &self.file.path, &from);
        let mut found = Vec::new();
        for file in object.scripts(self.project) {
            let signals = self.project.scripts().script(file).into_iter();
            let signals = signals.flat_map(|script| &script.signals);
            let detail = self.project.path(file);
            let kind = CompletionItemKind::EVENT;
            found.extend(signals.map(|signal| Choice::new(&*signal.name, kind, detail)));
        }
        for class in self.project.classes().lineage(object.class.as_deref().unwrap_or("Node")) {
            let kind = CompletionItemKind::EVENT;
            let choice = |name: &str| {
                let choice = Choice::new(name, kind, class.name());
                choice.documented(documentation::of_member(class.name(), name))
            };
            found.extend(class.signal_names().map(choice));
        }
        found
    }

    fn methods(&self) -> Vec<Choice> {
        let Some(to) = at::text(self.section, "to") else { return Vec::new() };
        let object = Object::node(self.project, &self.file.path, &to);
        let mut found = Vec::new();
        for file in object.scripts(self.project) {
            let functions = self.project.scripts().script(file).into_iter();
            let functions = functions.flat_map(|script| &script.functions);
            let detail = self.project.path(file);
            let kind = CompletionItemKind::METHOD;
            found.extend(functions.map(|function| Choice::new(&*function.name, kind, detail)));
        }
        found
    }

    /// The properties that the section does not set yet.
    fn properties(&self) -> Vec<Choice> {
        if !self.section.kind().takes_properties() {
            return Vec::new();
        }
        let is_set = |name: &str| {
            let mut properties = self.section.properties();
            properties.any(|property| *property.key() == *name.as_bytes())
        };
        let members = self.object().members(self.project);
        let choice = |member: crate::objects::Member| {
            let default = member.default.map_or_else(String::new, |value| format!(" = {value}"));
            let detail = format!("{}{default} ({})", member.holds, member.declared_by);
            let said = documentation::of_member(&member.declared_by, &member.name);
            Choice::new(member.name, CompletionItemKind::PROPERTY, detail).documented(said)
        };
        members.into_iter().filter(|member| !is_set(&member.name)).map(choice).collect()
    }

    /// The fields of a tag.
    fn fields(&self) -> Vec<Choice> {
        let names: &[&str] = match self.section.kind_of_name() {
            TagKind::Node => &["name", "type", "parent", "instance", "groups", "index", "owner"],
            TagKind::ExtResource => &["type", "uid", "path", "id"],
            TagKind::SubResource => &["type", "id"],
            TagKind::Connection => &["signal", "from", "to", "method", "flags", "binds", "unbinds"],
            TagKind::Editable => &["path"],
            TagKind::GdScene | TagKind::GdResource => &["type", "format", "uid"],
            TagKind::Resource | TagKind::Nested | TagKind::Unknown => &[],
        };
        let missing = names.iter().filter(|name| self.section.field(name).is_none());
        missing.map(|name| Choice::new(*name, CompletionItemKind::FIELD, "")).collect()
    }
}

fn items(choices: Vec<Choice>, range: Range) -> Vec<CompletionItem> {
    choices.into_iter().take(MAX_ITEMS).map(|choice| item(choice, range)).collect()
}

fn item(choice: Choice, range: Range) -> CompletionItem {
    CompletionItem {
        label: choice.text.clone(),
        kind: Some(choice.kind),
        detail: (!choice.detail.is_empty()).then_some(choice.detail),
        documentation: choice.documentation.map(|text| {
            let kind = MarkupKind::Markdown;
            Documentation::MarkupContent(MarkupContent { kind, value: text.to_owned() })
        }),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range, choice.text))),
        ..CompletionItem::default()
    }
}

/// Where the word at the end of a text begins.
fn word_start(text: &str) -> usize {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    text.trim_end_matches(is_part).len()
}

/// The path of a node as another sees it.
fn relative(from: &str, to: &str) -> String {
    let names = |path: &str| -> Vec<String> {
        path.split('/').filter(|name| *name != ".").map(str::to_owned).collect()
    };
    let (from, to) = (names(from), names(to));
    let same = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let mut path = vec!["..".to_owned(); from.len() - same];
    path.extend_from_slice(&to[same..]);
    if path.is_empty() { ".".to_owned() } else { path.join("/") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_between_nodes() {
        assert_eq!(relative(".", "A/B"), "A/B");
        assert_eq!(relative("A/B", "A/C"), "../C");
        assert_eq!(relative("A", "A"), ".");
        assert_eq!(relative("A/B", "."), "../..");
    }
}
