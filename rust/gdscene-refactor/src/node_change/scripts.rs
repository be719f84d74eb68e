//! The paths in scripts in GDScript.

use godot_project::FileId;
use godot_project::script::source::{LiteralKind, Role, ScriptSource, StringLiteral, StringPlace};
use godot_tscn::Span;

use crate::draft::FileDraft;
use crate::node_change::rewrite::Seen;
use crate::node_change::script_uses::{ScriptUses, Start, Viewers};
use crate::node_change::{ChangeKind, NodeChange};

/// Functions of `Node` that take the path of a node.
const TAKE_PATHS: &[&str] =
    &["get_node", "get_node_or_null", "has_node", "get_node_and_resource", "has_node_and_resource"];

/// Functions that take a name, or a pattern of names.
const TAKE_NAMES: &[&str] = &["find_child", "find_children", "find_node", "find_parent"];

/// A script with changed text.
struct ScriptText<'a, 't, 'p> {
    change: &'a NodeChange<'p>,
    source: ScriptSource<'t>,
    viewers: Viewers<'a, 'p>,
}

/// Changes the paths in a script.
pub(super) fn change(
    change: &NodeChange<'_>,
    uses: &ScriptUses<'_>,
    file: FileId,
    draft: &mut FileDraft,
) {
    let text = std::sync::Arc::clone(&draft.text);
    if !change.is_named_in(&text) && !uses.is_on_moved(file) {
        return;
    }
    let Some(source) = ScriptSource::parse(&text) else {
        draft.doubt(Span::empty(0), "the script contains the name of the node, but cannot be read");
        return;
    };
    let viewers = Viewers::of(change, uses, file);
    let script = ScriptText { change, source, viewers };
    script.paths(draft);
    script.strings(draft);
    script.parents(draft);
}

impl ScriptText<'_, '_, '_> {
    /// `$A/B` and `%Name`.
    fn paths(&self, draft: &mut FileDraft) {
        for path in self.source.node_paths() {
            let Some(text) = &path.text else {
                if self.change.is_named_in(self.source.text_of(path.span).as_bytes()) {
                    draft.doubt(path.span, "the path has escapes");
                }
                continue;
            };
            match self.certain(path.span, path.is_certain, &Start::Itself, text) {
                Seen::Same => {}
                Seen::New(new) => draft.edit(path.span, path.replacement(&new), "path in a script"),
                Seen::Unclear(why) => draft.doubt(path.span, why),
            }
        }
    }

    /// The new form of a path, if all around it is certain.
    fn certain(&self, span: Span, is_certain: bool, start: &Start, path: &str) -> Seen {
        let is_inner =
            || self.source.classes().iter().skip(1).any(|class| class.span.contains(span));
        match self.viewers.seen(start, path) {
            Seen::New(_) if !is_certain => Seen::Unclear("the script cannot be parsed here"),
            Seen::New(_) if is_inner() => {
                Seen::Unclear("cannot determine which node has the inner class")
            }
            seen => seen,
        }
    }

    fn strings(&self, draft: &mut FileDraft) {
        for literal in self.source.strings() {
            let Some(text) = &literal.text else {
                if self.change.is_named_in(self.source.text_of(literal.span).as_bytes()) {
                    draft
                        .doubt(literal.span, "a string with escapes contains the name of the node");
                }
                continue;
            };
            let is_file = text.contains("://");
            if !is_file && let Some(why) = self.string(literal, text, draft) {
                draft.doubt(literal.span, why);
            }
        }
    }

    /// Changes a text that is a path. Returns why it may have to change otherwise.
    fn string(
        &self,
        literal: &StringLiteral,
        text: &str,
        draft: &mut FileDraft,
    ) -> Option<&'static str> {
        let is_rename = matches!(self.change.kind, ChangeKind::Rename(_));
        let is_named = self.change.is_on_path(text);
        match &literal.place {
            StringPlace::Argument { function, receiver, index: 0 } => {
                let function = self.source.text_of(*function);
                if TAKE_PATHS.contains(&function) {
                    let start = self.start(*receiver);
                    return match self.certain(literal.span, literal.is_certain, &start, text) {
                        Seen::Same => None,
                        Seen::New(new) => match literal.content_for(&new) {
                            Some(content) => {
                                draft.edit(literal.content, content, "path in a script");
                                None
                            }
                            None => Some("the path cannot be written in this string"),
                        },
                        Seen::Unclear(why) => Some(why),
                    };
                }
                let is_name = TAKE_NAMES.contains(&function) && is_rename;
                if is_named && is_name {
                    return Some("the code searches for a node by its name");
                }
                let is_path = function == "NodePath"
                    || literal.kind == LiteralKind::NodePath
                    || text.contains('/');
                (is_named && is_path).then_some("cannot determine which node the path starts at")
            }
            StringPlace::Compared if is_named && is_rename && !text.contains('/') => {
                Some("a compared string is the name of the node")
            }
            StringPlace::Operand if is_named && text.contains('/') => {
                Some("the path is built at run time")
            }
            StringPlace::Statement => None,
            _ if is_named && (literal.kind == LiteralKind::NodePath || text.contains('/')) => {
                Some("cannot determine which node the path starts at")
            }
            _ => None,
        }
    }

    /// The node that paths start at which are given to a function of `receiver`.
    fn start(&self, receiver: Option<Span>) -> Start {
        let Some(receiver) = receiver else { return Start::Itself };
        let text = self.source.text_of(receiver).trim();
        let mut paths = self.source.node_paths().iter();
        if let Some(path) = paths.find(|path| path.span == receiver && path.is_certain) {
            return path.text.clone().map_or(Start::Unknown, Start::At);
        }
        match text {
            "self" => Start::Itself,
            "owner" | "self.owner" => Start::Owner,
            "get_parent()" | "self.get_parent()" => Start::Parent,
            _ if self.names_autoload(receiver, text) => Start::Root(text.to_owned()),
            _ => Start::Unknown,
        }
    }

    fn names_autoload(&self, receiver: Span, text: &str) -> bool {
        let autoloads = &self.change.project.settings().autoloads;
        let is_autoload = autoloads.iter().any(|found| found.is_singleton && found.name == text);
        let is_bare = || {
            let names = self.source.names();
            let found = names.binary_search_by_key(&receiver.start, |name| name.span.start);
            found.is_ok_and(|index| names[index].role == Role::Bare)
        };
        is_autoload && is_bare()
    }

    /// The uses of the parent in a node that gets another parent.
    fn parents(&self, draft: &mut FileDraft) {
        if self.change.kind != ChangeKind::Move || !self.viewers.has_moved_node() {
            return;
        }
        for name in self.source.names() {
            let is_own = matches!(name.role, Role::Bare);
            if is_own && name.is_called && self.source.text_of(name.span) == "get_parent" {
                draft.doubt(name.span, "the node gets a different parent");
            }
        }
    }
}
