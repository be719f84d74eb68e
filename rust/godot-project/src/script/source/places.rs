//! Where text literals stand.

use godot_tscn::Span;
use tree_sitter::Node;

use crate::script::source::prepare::Words;
use crate::script::source::walk::{Frame, Walk};
use crate::script::source::{
    NodePathUse, ScriptSource, StringLiteral, StringPlace, literal, span_of,
};

impl ScriptSource<'_> {
    pub(super) fn add_literal(&mut self, walk: &Walk<'_>, frame: &Frame<'_>) {
        let span = span_of(frame.node);
        let Some((kind, is_raw, content)) = literal::pieces(&self.text, span) else { return };
        let text = literal::decoded(self.text_of(content), is_raw);
        let place = place(walk, frame);
        self.strings.push(StringLiteral {
            span,
            content,
            text,
            kind,
            is_raw,
            place,
            class: frame.class,
            is_certain: true,
        });
    }

    /// The path at a span that begins with `$` or `%`. `$%` is ` %` in the parsed text.
    pub(super) fn node_path(&self, mut span: Span) -> NodePathUse {
        let dollar = Span::new(span.start.saturating_sub(1), span.start);
        if self.text_of(span).starts_with('%') && self.text_of(dollar) == "$" {
            span.start -= 1;
        }
        let source = self.text_of(span);
        let (has_dollar, is_quoted) = (source.starts_with('$'), source.ends_with(['"', '\'']));
        let mut words = Words::new(&self.text, span.start as usize..span.end as usize);
        words.next();
        let path = words.node_path().filter(|_| words.peek().is_none());
        let text = if has_dollar { path } else { path.map(|path| format!("%{path}")) };
        NodePathUse { span, text, is_quoted, has_dollar, is_certain: true }
    }
}

fn place(walk: &Walk<'_>, frame: &Frame<'_>) -> StringPlace {
    let Some(parent) = walk.up(0) else { return StringPlace::Value };
    match parent.kind {
        "arguments" => walk.up(1).and_then(|call| argument(walk, call, frame)),
        "binary_operator" => Some(operand(parent.node)),
        "attribute" if frame.is_in_type => Some(StringPlace::Extends),
        "attribute" | "subscript" => Some(StringPlace::Operand),
        "subscript_arguments" => walk.up(1).and_then(|subscript| key(walk, subscript)),
        "extends_statement" => Some(StringPlace::Extends),
        "class_name_statement" => Some(StringPlace::Icon),
        "pair" if frame.field == Some("left") => Some(StringPlace::Key),
        "dictionary" => Some(StringPlace::Key),
        "pattern_section" => Some(StringPlace::Compared),
        "expression_statement" => Some(StringPlace::Statement),
        _ => None,
    }
    .unwrap_or(StringPlace::Value)
}

fn argument(walk: &Walk<'_>, call: &Frame<'_>, argument: &Frame<'_>) -> Option<StringPlace> {
    let callee = call.node.named_child(0).filter(|callee| callee.kind() == "identifier")?;
    let (function, index) = (span_of(callee), argument.index);
    match call.kind {
        "annotation" => Some(StringPlace::Annotation { name: function }),
        "call" => Some(StringPlace::Argument { function, receiver: None, index }),
        "attribute_call" => {
            let receiver = walk.receivers.get(&call.node.start_byte()).map(|found| found.span);
            Some(StringPlace::Argument { function, receiver, index })
        }
        _ => None,
    }
}

fn operand(operator: Node<'_>) -> StringPlace {
    let kind = operator.child_by_field_name("op").map_or("", |op| op.kind());
    if matches!(kind, "==" | "!=" | "in" | "not") {
        StringPlace::Compared
    } else {
        StringPlace::Operand
    }
}

/// `object["…"]`
fn key(walk: &Walk<'_>, subscript: &Frame<'_>) -> Option<StringPlace> {
    let named = subscript.node.named_child(0).map(span_of)?;
    let start = match subscript.kind {
        "subscript" => named.start,
        _ => walk.receivers.get(&subscript.node.start_byte())?.span.start,
    };
    Some(StringPlace::Subscript { receiver: Span::new(start, named.end) })
}
