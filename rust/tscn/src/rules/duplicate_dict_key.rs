//! SYN016

use std::borrow::Cow;
use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::decode;
use crate::lint::{Context, quote};
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a duplicate key of a dictionary.
    ///
    /// ## Why is this bad?
    /// Godot uses the last value; the others are lost with the next save. Such dictionaries come from merges.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = {
    /// "a": 1,
    /// "a": 2
    /// }
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = {
    /// "a": 1,
    /// "b": 2
    /// }
    /// ```
    ///
    /// ## References
    /// `VariantParser::_parse_dictionary` (core/variant/variant_parser.cpp)
    "SYN016", "duplicate-dict-key", Warning, for_settings_files
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let (keys, text) = (&context.document.tree.dictionary_keys, context.document.text());
    // Indices into `keys`: large dictionaries have many, and a table of their texts would not fit into
    // the processor's cache.
    let mut first_keys: HashTable<u32> = HashTable::with_capacity(keys.len().min(FEW));
    let hasher = DefaultHashBuilder::default();
    let parts = |index: u32| {
        let key = &keys[index as usize];
        (key.dictionary, canonical(key.span.of(text)))
    };
    let hash = |index: &u32| hasher.hash_one(parts(*index));
    for index in 0..keys.len() as u32 {
        let here = parts(index);
        let is_same =
            |other: &u32| keys[*other as usize].dictionary == here.0 && parts(*other).1 == here.1;
        let entry = first_keys.entry(hasher.hash_one(&here), is_same, hash);
        let first = *entry.or_insert(index).get();
        if first != index {
            let span = keys[index as usize].span;
            reporter
                .report(span, format!("duplicate key {}; keep one", quote(span.of(text))))
                .label(keys[first as usize].span, "first defined here, but ignored")
                .consequence("Godot uses the last one");
        }
    }
}

/// Room for so many keys is made at once.
const FEW: usize = 1 << 16;

/// The same bytes for keys that are the same to Godot, in whose dictionaries `"a"` and `&"a"` are one
/// key, but `1` and `1.0` are two.
fn canonical(source: &[u8]) -> Cow<'_, [u8]> {
    match source.first() {
        Some(b'"') if !source.contains(&b'\\') => Cow::Borrowed(source),
        Some(b'"' | b'&' | b'@') => {
            let mut key = b"\"".to_vec();
            key.extend_from_slice(&decode::text(source));
            key.push(b'"');
            Cow::Owned(key)
        }
        _ if source.contains(&b' ') => {
            Cow::Owned(source.iter().copied().filter(|byte| *byte > 32).collect())
        }
        _ => Cow::Borrowed(source),
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn keys() {
        let found = rendered(
            &RULE,
            &node(
                "a = {\n\"x\": 1,\n&\"x\": 2,\nVector2i(1, 2): 3, Vector2i(1,2): 4, 1: 5, 1: 6}\n",
            ),
        );
        assert_snapshot!(found, @r#"
        6:1-6:5 warning: duplicate key `&"x"`; keep one
            at: &"x"
            label 5:1-5:4: first defined here, but ignored: "x"
            so: Godot uses the last one
        7:20-7:33 warning: duplicate key `Vector2i(1,2)`; keep one
            at: Vector2i(1,2)
            label 7:1-7:15: first defined here, but ignored: Vector2i(1, 2)
            so: Godot uses the last one
        7:44-7:45 warning: duplicate key `1`; keep one
            at: 1
            label 7:38-7:39: first defined here, but ignored: 1
            so: Godot uses the last one
        "#);
    }

    #[test]
    fn different_keys() {
        clean(
            &RULE,
            &node(
                "a = {\"x\": {\"x\": 1}, \"y\": [{\"x\": 2}], 1: 0, 1.0: 0, \"1\": 0}\nb = {\"x\": 1}\n",
            ),
        );
        clean(&RULE, &node("a = Dictionary[String, int]({\"x\": 1})\n"));
    }
}
