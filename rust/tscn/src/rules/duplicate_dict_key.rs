//! SYN016

use std::borrow::Cow;
use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashSet, HashTable};

use crate::decode;
use crate::document::DictionaryKey;
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
    let unordered = unordered(keys, text);
    if unordered.is_empty() {
        return;
    }
    for (first, key) in duplicates(keys, text, |dictionary| unordered.contains(&dictionary)) {
        reporter
            .report(key.span, format!("duplicate key {}; keep one", quote(key.span.of(text))))
            .label(first.span, "first defined here, but ignored")
            .consequence("Godot uses the last one");
    }
}

/// The dictionaries that may have a key twice, by their `{`: those in which not each key comes after the one before. Godot sorts
/// the keys that it saves, and to look up those of a large dictionary in a table is to wait for memory.
fn unordered(keys: &[DictionaryKey], text: &[u8]) -> HashSet<u32> {
    let mut unordered = HashSet::new();
    // Those that may go on, from outer ones to inner ones, each with its last key.
    let mut open: Vec<&DictionaryKey> = Vec::new();
    for key in keys {
        while open.pop_if(|last| last.dictionary > key.dictionary).is_some() {}
        match open.last_mut().filter(|last| last.dictionary == key.dictionary) {
            Some(last) => {
                if !comes_after(key.span.of(text), last.span.of(text)) {
                    unordered.insert(key.dictionary);
                }
                *last = key;
            }
            None => open.push(key),
        }
    }
    unordered
}

/// Whether both keys are strings without escapes, or both are whole numbers, and `key` is the greater one.
fn comes_after(key: &[u8], other: &[u8]) -> bool {
    match (key, other) {
        ([b'"', key @ .., b'"'], [b'"', other @ .., b'"']) => {
            key > other && !key.contains(&b'\\') && !other.contains(&b'\\')
        }
        _ => is_whole(key) && is_whole(other) && (key.len(), key) > (other.len(), other),
    }
}

fn is_whole(key: &[u8]) -> bool {
    matches!(key, [b'0'] | [b'1'..=b'9', ..]) && key.iter().all(u8::is_ascii_digit)
}

/// The keys that a dictionary for which `is_meant` holds has twice, each after the first one.
fn duplicates<'k>(
    keys: &'k [DictionaryKey],
    text: &[u8],
    is_meant: impl Fn(u32) -> bool,
) -> Vec<(&'k DictionaryKey, &'k DictionaryKey)> {
    // Indices into `keys`: large dictionaries have many, and a table of their texts would not fit into
    // the processor's cache.
    let mut first_keys: HashTable<u32> = HashTable::with_capacity(keys.len().min(FEW));
    let hasher = DefaultHashBuilder::default();
    let parts = |index: u32| {
        let key = &keys[index as usize];
        (key.dictionary, canonical(key.span.of(text)))
    };
    let hash = |index: &u32| hasher.hash_one(parts(*index));
    let mut found = Vec::new();
    for index in (0..keys.len() as u32).filter(|index| is_meant(keys[*index as usize].dictionary)) {
        let here = parts(index);
        let is_same =
            |other: &u32| keys[*other as usize].dictionary == here.0 && parts(*other).1 == here.1;
        let entry = first_keys.entry(hasher.hash_one(&here), is_same, hash);
        let first = *entry.or_insert(index).get();
        if first != index {
            found.push((&keys[first as usize], &keys[index as usize]));
        }
    }
    found
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

    use super::{RULE, duplicates, unordered};
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

    /// A dictionary of few different keys, in which others lie, as values and as keys.
    fn push_dictionary(out: &mut String, depth: usize, random: &mut fastrand::Rng) {
        let plain = ["\"a\"", "\"a b\"", "\"a!\"", "\"b\"", "0", "1", "9", "10", "11"];
        let odd =
            ["&\"a\"", "\"\\u0061\"", "01", "-1", "1.0", "Vector2i(1, 2)", "Vector2i(1,2)", "\"\""];
        let mut start = 0;
        out.push('{');
        for index in 0..random.usize(..5) {
            out.push_str(if index > 0 { ", " } else { "" });
            match random.u8(..8) {
                0 => out.push_str(odd[random.usize(..odd.len())]),
                1 if depth > 0 => push_dictionary(out, depth - 1, random),
                2 => out.push_str(plain[random.usize(..plain.len())]),
                _ => {
                    start = random.usize(start..plain.len());
                    out.push_str(plain[start]);
                    start = (start + 1).min(plain.len() - 1);
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
        for _ in 0..3000 {
            let mut value = String::new();
            push_dictionary(&mut value, 3, &mut random);
            let text = node(&format!("a = {value}\n"));
            let document = crate::parse(text.as_bytes());
            let keys = &document.tree.dictionary_keys;
            let unordered = unordered(keys, document.text());
            let places = |is_meant: &dyn Fn(u32) -> bool| -> Vec<_> {
                let found = duplicates(keys, document.text(), is_meant);
                found.iter().map(|(first, key)| (first.span, key.span)).collect()
            };
            let expected = places(&|_| true);
            assert_eq!(places(&|dictionary| unordered.contains(&dictionary)), expected, "{text}");
            ordered_count += keys.iter().filter(|key| !unordered.contains(&key.dictionary)).count();
            duplicate_count += expected.len();
        }
        assert!(ordered_count > 1000 && duplicate_count > 1000);
    }
}
