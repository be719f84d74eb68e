//! The paths in scripts in C#, which are found by a light scan: texts that are the whole argument of a function of `Node`.

use tscn::Span;

use crate::project::FileId;
use crate::refactor::draft::FileDraft;
use crate::refactor::node_change::NodeChange;
use crate::refactor::node_change::rewrite::Seen;
use crate::refactor::node_change::script_uses::{ScriptUses, Start, Viewers};

/// Functions of `Node` that take the path of a node.
const TAKE_PATHS: &[&str] = &["GetNode", "GetNodeOrNull", "HasNode"];

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
    let viewers = Viewers::of(change, uses, file);
    for literal in literals(&text) {
        let content = String::from_utf8_lossy(literal.content.of(&text));
        if content.contains('\\') {
            continue;
        }
        let is_named = change.is_on_path(&content);
        let Some(call) = literal.call(&text) else {
            if is_named && content.contains('/') && !content.contains("://") {
                draft.doubt(literal.content, "it is not known which node sees the path");
            }
            continue;
        };
        let start = if call.is_own { Start::Itself } else { Start::Unknown };
        match viewers.seen(&start, &content) {
            Seen::Same => {}
            Seen::New(new) if !new.contains(['\\', '"']) => {
                draft.edit(literal.content, new, "path in a script");
            }
            Seen::New(_) => draft.doubt(literal.content, "the path would need escapes"),
            Seen::Unclear(why) => draft.doubt(literal.content, why),
        }
    }
}

/// A text between quotes.
struct Literal {
    /// What is between the quotes.
    content: Span,
}

/// The call of which a text is the only argument.
struct Call {
    /// Whether it is a function of the object itself.
    is_own: bool,
}

impl Literal {
    /// The call of which the text is the only argument, if it is one of those that take paths.
    fn call(&self, text: &[u8]) -> Option<Call> {
        let after = text.get(self.content.end as usize + 1..)?.trim_ascii_start();
        let before = text[..self.content.start as usize - 1].trim_ascii_end();
        let before =
            before.strip_suffix(b"(").filter(|_| after.starts_with(b")"))?.trim_ascii_end();
        let before = without_type(before)?;
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = before.iter().rev().take_while(|byte| is_word(byte)).count();
        let (before, name) = before.split_at(before.len() - length);
        if !TAKE_PATHS.iter().any(|known| known.as_bytes() == name) {
            return None;
        }
        let before = before.trim_ascii_end();
        let Some(receiver) = before.strip_suffix(b".") else { return Some(Call { is_own: true }) };
        let receiver = receiver.trim_ascii_end();
        let rest = receiver.strip_suffix(b"this");
        let is_own =
            rest.is_some_and(|rest| rest.last().is_none_or(|last| !is_word(last) && *last != b'.'));
        Some(Call { is_own })
    }
}

/// What stands before the type in `GetNode<Type>`.
fn without_type(before: &[u8]) -> Option<&[u8]> {
    let Some(inside) = before.strip_suffix(b">") else { return Some(before) };
    let mut depth = 1;
    for (index, byte) in inside.iter().enumerate().rev().take(1000) {
        match byte {
            b'>' => depth += 1,
            b'<' => depth -= 1,
            b';' | b'{' | b'}' => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(inside[..index].trim_ascii_end());
        }
    }
    None
}

/// The plain texts of a script: not those in comments, and none with `@` or `$` before it.
fn literals(text: &[u8]) -> Vec<Literal> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        let rest = &text[at..];
        let length = match byte {
            b'/' if rest.starts_with(b"//") => line_length(rest),
            b'/' if rest.starts_with(b"/*") => {
                memchr::memmem::find(&rest[2..], b"*/").map_or(rest.len(), |end| end + 4)
            }
            b'\'' => quoted_length(rest, b'\''),
            b'"' if rest.starts_with(b"\"\"\"") => {
                memchr::memmem::find(&rest[3..], b"\"\"\"").map_or(rest.len(), |end| end + 6)
            }
            b'"' => {
                let is_verbatim = text[..at].ends_with(b"@") || text[..at].ends_with(b"@$");
                let length =
                    if is_verbatim { verbatim_length(rest) } else { quoted_length(rest, b'"') };
                let is_plain = !is_verbatim && !text[..at].ends_with(b"$");
                if is_plain && length >= 2 && rest[length - 1] == b'"' {
                    let content = Span::new(at as u32 + 1, (at + length) as u32 - 1);
                    found.push(Literal { content });
                }
                length
            }
            _ => 1,
        };
        at += length.max(1);
    }
    found
}

fn line_length(text: &[u8]) -> usize {
    memchr::memchr(b'\n', text).unwrap_or(text.len())
}

/// How long a text is that begins with `quote`, both quotes included. It ends with its line at the latest.
fn quoted_length(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => return at,
            found if *found == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// How long a text in `@"…"` is, in which two quotes stand for one.
fn verbatim_length(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(next) = text.get(at..).and_then(|rest| memchr::memchr(b'"', rest)) {
        at += next + 1;
        if text.get(at) != Some(&b'"') {
            return at;
        }
        at += 1;
    }
    text.len()
}
