//! The paths in scripts in C#.

use godot_project::FileId;
use godot_project::scripts::{CsharpLiteral, CsharpLiterals, CsharpPlace, Receiver};
use godot_tscn::Span;

use crate::csharp::stem;
use crate::draft::FileDraft;
use crate::node_change::rewrite::Seen;
use crate::node_change::script_uses::{ScriptUses, Start, Viewers};
use crate::node_change::{ChangeKind, NodeChange};

/// Functions of `Node` that take the path of a node.
const TAKE_PATHS: &[&str] =
    &["GetNode", "GetNodeOrNull", "HasNode", "GetNodeAndResource", "HasNodeAndResource"];

/// Functions that take a name, or a pattern of names.
const TAKE_NAMES: &[&str] = &["FindChild", "FindChildren", "FindParent"];

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
    let stem = stem(&draft.path).unwrap_or_default();
    let Some(found) = CsharpLiterals::of(&text, stem) else {
        draft.doubt(Span::empty(0), "the script contains the name of the node, but cannot be read");
        return;
    };
    let script = ScriptText { change, text: &text, viewers: Viewers::of(change, uses, file) };
    for literal in &found.literals {
        match script.literal(literal) {
            Seen::Same => {}
            Seen::New(new) => draft.edit(literal.content, new, "path in a script"),
            Seen::Unclear(why) => draft.doubt(literal.content, why),
        }
    }
    script.parents(draft);
}

/// A script with changed text.
struct ScriptText<'a, 'p> {
    change: &'a NodeChange<'p>,
    text: &'a [u8],
    viewers: Viewers<'a, 'p>,
}

impl ScriptText<'_, '_> {
    /// The new text of a literal.
    fn literal(&self, literal: &CsharpLiteral) -> Seen {
        let content = String::from_utf8_lossy(literal.content.of(self.text));
        if content.contains("://") {
            return Seen::Same;
        }
        if literal.has_escapes {
            return match self.change.is_named_in(content.as_bytes()) {
                true => Seen::Unclear("a string with escapes contains the name of the node"),
                false => Seen::Same,
            };
        }
        let unclear = |is_meant: bool, why| if is_meant { Seen::Unclear(why) } else { Seen::Same };
        let is_named = self.change.is_on_path(&content);
        let is_rename = matches!(self.change.kind, ChangeKind::Rename(_));
        let is_path = content.contains('/');
        const UNKNOWN: &str = "cannot determine which node the path starts at";
        match &literal.place {
            CsharpPlace::Argument { function, receiver, index: 0 } => {
                if TAKE_PATHS.contains(&function.as_str()) {
                    return self.path(literal, &self.start(receiver.as_ref()), &content);
                }
                if TAKE_NAMES.contains(&function.as_str()) {
                    return unclear(
                        is_named && is_rename,
                        "the code searches for a node by its name",
                    );
                }
                unclear(is_named && is_path, UNKNOWN)
            }
            CsharpPlace::Created { class } => {
                unclear(is_named && (is_path || class == "NodePath"), UNKNOWN)
            }
            CsharpPlace::Compared => unclear(
                is_named && is_rename && !is_path,
                "a compared string is the name of the node",
            ),
            CsharpPlace::Part => unclear(is_named && is_path, "the path is built at run time"),
            _ => unclear(is_named && is_path, UNKNOWN),
        }
    }

    /// The new path in a call of a function of `Node`.
    fn path(&self, literal: &CsharpLiteral, start: &Start, path: &str) -> Seen {
        match self.viewers.seen(start, path) {
            Seen::New(_) if !literal.is_certain => {
                Seen::Unclear("the script cannot be parsed here")
            }
            Seen::New(_) if !literal.is_own => {
                Seen::Unclear("cannot determine which node has the inner class")
            }
            Seen::New(new) if new.contains(['\\', '"']) => {
                Seen::Unclear("the path cannot be written in this string")
            }
            seen => seen,
        }
    }

    /// The node that paths start at which are given to a function of this.
    fn start(&self, receiver: Option<&Receiver>) -> Start {
        match receiver {
            None | Some(Receiver::Itself) => Start::Itself,
            Some(Receiver::Parent) => Start::Parent,
            Some(Receiver::Owner) => Start::Owner,
            Some(Receiver::Node(path)) => {
                let path = String::from_utf8_lossy(path.of(self.text)).into_owned();
                match path.contains('\\') || path.starts_with('/') {
                    true => Start::Unknown,
                    false => Start::At(path),
                }
            }
            Some(Receiver::Other(_)) => Start::Unknown,
        }
    }

    /// The uses of the parent in a node that gets another parent.
    fn parents(&self, draft: &mut FileDraft) {
        if self.change.kind != ChangeKind::Move || !self.viewers.has_moved_node() {
            return;
        }
        let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'.';
        for at in memchr::memmem::find_iter(self.text, b"GetParent") {
            let before = &self.text[..at];
            let before = before.strip_suffix(b"this.").unwrap_or(before);
            let after = self.text[at + "GetParent".len()..].first();
            if !before.last().is_some_and(is_of_word) && matches!(after, Some(b'(' | b'<')) {
                let span = Span::new(at as u32, (at + "GetParent".len()) as u32);
                draft.doubt(span, "the node gets a different parent");
            }
        }
    }
}
