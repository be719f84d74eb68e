//! SYN016

use std::borrow::Cow;
use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::context::Context;
use crate::decode;
use crate::document::DictionaryKey;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a duplicate key of a dictionary.
    ///
    /// ## Why is this bad?
    /// Godot uses the last value, and the next save removes the others. Merges produce such dictionaries.
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
    if are_ordered(keys, text) {
        return;
    }
    each_duplicate(keys, text, |first, key| {
        reporter
            .report(key.span, format!("duplicate key {}; keep one", quote(key.span.of(text))))
            .label(first.span, "first defined here, but ignored")
            .consequence("Godot uses the last value");
    });
}

/// Whether in each dictionary each key comes after the one before, so that none is there twice. Godot sorts the keys that it saves,
/// and to look up those of a large dictionary in a table is to wait for memory.
fn are_ordered(keys: &[DictionaryKey], text: &[u8]) -> bool {
    // Open dictionaries, from outer ones to inner ones, each with its last key.
    let mut open: Vec<&DictionaryKey> = Vec::new();
    for key in keys {
        while open.pop_if(|last| last.dictionary > key.dictionary).is_some() {}
        match open.last_mut().filter(|last| last.dictionary == key.dictionary) {
            Some(last) => {
                if !comes_after(key.span.of(text), last.span.of(text)) {
                    return false;
                }
                *last = key;
            }
            None => open.push(key),
        }
    }
    true
}

/// Whether both keys are strings without escapes, and `key` is the greater one.
fn comes_after(key: &[u8], other: &[u8]) -> bool {
    let [[b'"', key @ .., b'"'], [b'"', other @ .., b'"']] = [key, other] else { return false };
    key > other && !key.contains(&b'\\') && !other.contains(&b'\\')
}

/// Calls `found` with each key that a dictionary has twice, after the first one.
fn each_duplicate(
    keys: &[DictionaryKey],
    text: &[u8],
    mut found: impl FnMut(&DictionaryKey, &DictionaryKey),
) {
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
            found(&keys[first as usize], &keys[index as usize]);
        }
    }
}

/// Memory for this number of keys is allocated at once.
const FEW: usize = 1 << 16;

/// The same bytes for keys that are the same to Godot: in its dictionaries `"a"` and `&"a"` are one
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

    use super::{RULE, are_ordered, each_duplicate};
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
            so: Godot uses the last value
        7:20-7:33 warning: duplicate key `Vector2i(1,2)`; keep one
            at: Vector2i(1,2)
            label 7:1-7:15: first defined here, but ignored: Vector2i(1, 2)
            so: Godot uses the last value
        7:44-7:45 warning: duplicate key `1`; keep one
            at: 1
            label 7:38-7:39: first defined here, but ignored: 1
            so: Godot uses the last value
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

    /// A dictionary of few different keys, in which others lie, as values and as keys.
    fn push_dictionary(out: &mut String, depth: usize, random: &mut fastrand::Rng) {
        let plain = ["\"\"", "\"a\"", "\"a b\"", "\"a!\"", "\"ab\"", "\"b\"", "\"c\""];
        let odd =
            ["&\"a\"", "\"\\u0061\"", "01", "-1", "1.0", "Vector2i(1, 2)", "Vector2i(1,2)", "\"\""];
        let mut start = 0;
        out.push('{');
        for index in 0..random.usize(..4) {
            out.push_str(if index > 0 { ", " } else { "" });
            match random.u8(..24) {
                0 => out.push_str(odd[random.usize(..odd.len())]),
                1 if depth > 0 => push_dictionary(out, depth - 1, random),
                2 => out.push_str(plain[random.usize(..plain.len())]),
                _ => {
                    out.push_str(plain[start]);
                    start = (start + random.usize(1..3)).min(plain.len() - 1);
                }
            }
            out.push_str(": ");
            match random.u8(..3) {
                0 if depth > 0 => push_dictionary(out, depth - 1, random),
                1 if depth > 0 => {
                    out.push('[');
                    push_dictionary(out, depth - 1, random);
                    out.push_str(", ");
                    push_dictionary(out, depth - 1, random);
                    out.push(']');
                }
                _ => out.push('1'),
            }
        }
        out.push('}');
    }

    #[test]
    fn dictionaries_in_order_have_no_key_twice() {
        let mut random = fastrand::Rng::with_seed(3);
        let (mut ordered_count, mut duplicate_count) = (0, 0);
        for _ in 0..10_000 {
            let mut value = String::new();
            push_dictionary(&mut value, random.usize(..4), &mut random);
            let text = node(&format!("a = {value}\n"));
            let document = crate::parse(text.as_bytes());
            let keys = &document.tree.dictionary_keys;
            let mut count = 0;
            each_duplicate(keys, document.text(), |_, _| count += 1);
            duplicate_count += count;
            if are_ordered(keys, document.text()) {
                assert_eq!(count, 0, "{text}");
                ordered_count += usize::from(keys.len() > 2);
            }
        }
        assert!(ordered_count > 500 && duplicate_count > 500, "{ordered_count}, {duplicate_count}");
    }
}
