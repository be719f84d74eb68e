//! Values of properties, and what rules ask of them.

use std::borrow::Cow;

use godot_tscn::{PartKind, PartRef, ValueTree};

use super::conditions::Truth;
use super::raw::Literal;

/// The value that an object has.
pub(super) enum Found<'v> {
    /// A text gives it, or it is the default.
    Value { source: Cow<'v, [u8]>, is_set: bool },
    /// No text gives one, and the default is not known.
    NotSet,
    /// The object has no such property, or nothing is known of it.
    Unknown,
}

impl Found<'_> {
    /// Whether the object has another value than the default, and than `null`.
    pub(super) fn is_set(&self) -> Truth {
        match self {
            Self::Value { source, is_set } => Truth::of(*is_set && source.as_ref() != b"null"),
            Self::NotSet => Truth::No,
            Self::Unknown => Truth::Unknown,
        }
    }
}

/// The text of a value: of a string, a path to a node, or the path of the resource that it names.
pub(super) fn text<'v>(
    root: PartRef<'v>,
    resource_path: impl FnOnce(&[u8]) -> Option<String>,
) -> Option<Cow<'v, str>> {
    let lossy = |text: Cow<'v, [u8]>| Cow::Owned(String::from_utf8_lossy(&text).into_owned());
    if let Some(text) = root.text() {
        return Some(lossy(text));
    }
    if let Some(id) = root.inner_text("ExtResource") {
        return resource_path(&id).map(Cow::Owned);
    }
    root.inner_text("NodePath").or_else(|| root.inner_text("Resource")).map(lossy)
}

/// Whether a value is the one that a rule names. `text` is that of the value.
pub(super) fn is_literal(root: PartRef<'_>, text: Option<&str>, literal: &Literal) -> bool {
    match literal {
        Literal::Bool(wanted) => root.kind() == PartKind::Word && root.source() == word(*wanted),
        Literal::Int(wanted) => match root.int() {
            Some(number) => number == *wanted,
            None => root.number() == Some(*wanted as f64),
        },
        Literal::Float(wanted) => root.number() == Some(*wanted),
        Literal::Text(wanted) => match text {
            Some(text) => text == wanted,
            // Such as `Vector2(0, 1)`.
            None => is_same(root, ValueTree::new(wanted.as_bytes()).root()),
        },
    }
}

fn word(is: bool) -> &'static [u8] {
    if is { b"true" } else { b"false" }
}

/// Whether two values are the same, except for blanks and the form of numbers.
pub(super) fn is_same(left: PartRef<'_>, right: PartRef<'_>) -> bool {
    // Not by recursion: values may be nested deeply.
    let mut open = vec![(left, right)];
    while let Some((left, right)) = open.pop() {
        if let (Some(left), Some(right)) = (left.number(), right.number()) {
            if left == right {
                continue;
            }
            return false;
        }
        if left.kind() != right.kind() || left.name() != right.name() {
            return false;
        }
        let is_same = match left.kind() {
            PartKind::String | PartKind::StringName => left.text() == right.text(),
            PartKind::Word | PartKind::Color => left.source() == right.source(),
            PartKind::Numbers => {
                let number = |text: &[u8]| std::str::from_utf8(text).ok()?.parse::<f64>().ok();
                left.number_count() == right.number_count()
                    && left.numbers().zip(right.numbers()).all(|(left, right)| {
                        left == right || number(left).is_some() && number(left) == number(right)
                    })
            }
            PartKind::Number
            | PartKind::Array
            | PartKind::Dictionary
            | PartKind::Construct
            | PartKind::Typed => {
                let (left, right): (Vec<_>, Vec<_>) =
                    (left.children().collect(), right.children().collect());
                let is_as_long = left.len() == right.len();
                open.extend(left.into_iter().zip(right));
                is_as_long
            }
        };
        if !is_same {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_without_their_form() {
        for (left, right, expected) in [
            ("Vector2(0, 1)", "Vector2( 0.0,1 )", true),
            ("Vector2(0, 1)", "Vector2(0, 2)", false),
            ("Vector2(0, 1)", "Vector2i(0, 1)", false),
            ("[[1], 2]", "[[1, 2]]", false),
            ("[[1], 2]", "[ [1.0], 2 ]", true),
            ("{\"a\": 1}", "{\"a\":1}", true),
            ("{\"a\": 1}", "{\"b\": 1}", false),
            ("1", "1.0", true),
            ("true", "false", false),
            ("\"a\"", "&\"a\"", false),
        ] {
            let (first, second) =
                (ValueTree::new(left.as_bytes()), ValueTree::new(right.as_bytes()));
            assert_eq!(is_same(first.root(), second.root()), expected, "{left} and {right}");
        }
        let deep = "[".repeat(100_000);
        let tree = ValueTree::new(deep.as_bytes());
        assert!(is_same(tree.root(), tree.root()));
    }

    #[test]
    fn values_of_a_configuration() {
        for (value, literal, expected) in [
            ("true", Literal::Bool(true), true),
            ("1", Literal::Bool(true), false),
            ("2.0", Literal::Int(2), true),
            ("2", Literal::Float(2.0), true),
            ("9007199254740993", Literal::Int(9_007_199_254_740_993), true),
            ("9007199254740992", Literal::Int(9_007_199_254_740_993), false),
            ("\"a\"", Literal::Text("a".into()), true),
            ("&\"a\"", Literal::Text("a".into()), true),
            ("NodePath(\"A/B\")", Literal::Text("A/B".into()), true),
            ("Color(1, 0, 0, 1)", Literal::Text("Color(1,0,0,1)".into()), true),
            ("\"Vector2(0, 0)\"", Literal::Text("Vector2(0,0)".into()), false),
        ] {
            let tree = ValueTree::new(value.as_bytes());
            let text = text(tree.root(), |_| None);
            let found = is_literal(tree.root(), text.as_deref(), &literal);
            assert_eq!(found, expected, "{value} and {literal:?}");
        }
    }
}
