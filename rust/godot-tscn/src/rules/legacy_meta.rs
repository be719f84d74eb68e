//! MIG005

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix, Severity};
use crate::document::{Property, ValueKind};
use crate::edit_set::Edit;
use crate::rules::{Reporter, declare_rule};
use crate::value::tree::ValueTree;

declare_rule! {
    /// ## What it does
    /// Reports the property `__meta__`, in which Godot 3 stored an object's metadata. The rule ignores files of Godot
    /// 3.
    ///
    /// ## Why is this bad?
    /// Godot 4 does not read it, and the next save removes the metadata without a warning. In Godot 4, each entry is a
    /// separate property `metadata/…`. Data that only the editor uses, such as `_edit_lock_`, is only an info.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// __meta__ = {
    /// "speed": 5
    /// }
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// metadata/speed = 5
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: the object gets metadata that it does not have now. There is no fix if the object also has other
    /// metadata, or if a property cannot have the name of an entry.
    ///
    /// ## References
    /// `Object::set` (core/object/object.cpp), which knows `metadata/…` only
    "MIG005", "legacy-meta", Warning
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if !context.facts.has_meta || !context.is_for_godot4() {
        return;
    }
    for section in context.document.sections() {
        let has_others =
            || section.properties().any(|property| property.key().starts_with(b"metadata/"));
        for property in section.properties() {
            if property.key().as_ref() != b"__meta__" || property.kind() != ValueKind::Dictionary {
                continue;
            }
            let diagnostic = reporter.report(
                property.key_span(),
                "Godot 4 does not read `__meta__`; write `metadata/…`",
            );
            diagnostic.consequence("the next save removes the metadata");
            if is_for_editor_only(property) {
                diagnostic.severity = Severity::Info;
            }
            if let Some(lines) = lines(property).filter(|_| !has_others()) {
                let span = property.key_span().join(property.value_span());
                let edits = vec![Edit::replace(span, lines)];
                diagnostic.fix(Fix::new("write `metadata/…`", Applicability::Unsafe, edits));
            }
        }
    }
}

fn is_for_editor_only(property: Property<'_>) -> bool {
    let tree = property.value_tree();
    let mut entries = tree.root().entries();
    entries.all(|(key, _)| key.text().is_some_and(|key| key.starts_with(b"_edit")))
}

/// A property for each entry, if each can be one.
fn lines(property: Property<'_>) -> Option<String> {
    let source = property.source();
    // A comment in the dictionary would be lost.
    let has_comment = memchr::memchr(b';', source).is_some();
    let tree = ValueTree::new(source);
    let mut lines = Vec::new();
    for (key, value) in tree.root().entries() {
        let name = key.text()?;
        let is_plain = !name.is_empty()
            && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
            && !name[0].is_ascii_digit();
        let name = std::str::from_utf8(&name).ok().filter(|_| is_plain && !has_comment)?;
        let value = std::str::from_utf8(value.source()).ok()?;
        // Null removes metadata.
        if matches!(value, "null" | "nil") {
            return None;
        }
        lines.push(format!("metadata/{name} = {value}"));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, node, rendered};

    #[test]
    fn entries() {
        let text = node("__meta__ = {\n\"_edit_lock_\": true,\n\"b\": [ 1 ]\n}\na = 1\n");
        assert_snapshot!(rendered(&RULE, &text), @r#"
        4:1-4:9 warning: Godot 4 does not read `__meta__`; write `metadata/…`
            at: __meta__
            so: the next save removes the metadata
            unsafe fix: write `metadata/…`
              - __meta__ = {
              - "_edit_lock_": true,
              - "b": [ 1 ]
              - }
              + metadata/_edit_lock_ = true
              + metadata/b = [ 1 ]
        "#);
        check_fix(&RULE, &text, &node("metadata/_edit_lock_ = true\nmetadata/b = [ 1 ]\na = 1\n"));
        clean(&RULE, &text.replace("format=3", "format=2"));
    }
}
