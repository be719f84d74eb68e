//! What must hold for all texts: the bodies of the fuzz targets in `rust/fuzz` for `godot-tscn`, which its tests run,
//! too, from a seeded corpus and from what fuzzing once found.
//!
//! Each takes bytes that anyone may have made up, and panics if something does not hold.

use godot_tscn::{
    Applicability, FixOptions, FormatOptions, FormatRefusal, LintOptions, Safety, SafetyOptions,
    Severity, TokenKind,
};

use crate::fuzz_bodies::Check;
use crate::merge_checks::merge_texts;

/// Every check, by the name of its fuzz target.
pub const ALL: [Check; 5] = [
    ("parse_text", parse_text),
    ("format_text_twice", format_text_twice),
    ("fix_text", fix_text),
    ("judge_text", judge_text),
    ("merge_texts", merge_texts),
];

/// What the formatter is asked for: whatever the text says, and versions whose forms differ.
const TARGETS: [Option<&str>; 5] = [None, Some("3.x"), Some("4.2"), Some("4.5"), Some("4.7")];

/// The tokens put end to end are the text, the tree lies within it, and every rule can look at it. The same
/// as a settings file.
pub fn parse_text(text: &[u8]) {
    for tokens in [godot_tscn::tokens(text), godot_tscn::config_tokens(text)] {
        let mut end = 0;
        for token in tokens {
            assert_eq!(token.span.start, end, "a gap or an overlap");
            assert!(!token.span.is_empty() && token.kind != TokenKind::Eof);
            end = token.span.end;
        }
        assert_eq!(end as usize, text.len());
    }
    let document = godot_tscn::parse(text);
    for section in document.sections() {
        assert!(section.span().end as usize <= text.len());
        for property in section.properties() {
            // Decoding does not fail either.
            let _ = (property.key(), property.value());
        }
    }
    for error in document.errors() {
        assert!(error.span.end as usize <= text.len());
    }
    let mut options = LintOptions::default();
    options.all_rules = true;
    for diagnostic in godot_tscn::lint_unsuppressed(&document, &options, |_| true).diagnostics {
        assert!(diagnostic.span.start <= diagnostic.span.end, "{diagnostic:?}");
        assert!(diagnostic.span.end as usize <= text.len(), "{diagnostic:?}");
        assert!(!diagnostic.message.contains('\n'), "{diagnostic:?}");
    }
    for section in godot_tscn::parse_config(text).sections() {
        let _ = section.name();
    }
    let _ = godot_tscn::parse_value(text);
}

/// A formatted text has the same comments and keys, no errors, and stays as it is when it is formatted
/// again.
pub fn format_text_twice(text: &[u8]) {
    for target in TARGETS {
        let mut options = FormatOptions::default();
        options.target = target.map(|target| target.parse().expect("a known version"));
        let formatted = match godot_tscn::format(text, &options) {
            Ok(formatted) => formatted,
            Err(FormatRefusal::Bug(bug)) => panic!("{bug:?} for {target:?}"),
            Err(refusal) => {
                assert!(refusal.span().is_none_or(|span| span.end as usize <= text.len()));
                continue;
            }
        };
        assert_eq!(formatted.is_changed, *formatted.text != *text);
        assert!(godot_tscn::parse(&formatted.text).errors().is_empty());
        assert_eq!(comments_and_keys(&formatted.text), comments_and_keys(text));
        let again = godot_tscn::format(&formatted.text, &options).expect("it was formatted before");
        assert!(!again.is_changed, "formatting again changes the text for {target:?}");
    }
}

/// A text that is called safe stays so when it is formatted, names the same files, and holds nothing of what a second,
/// simpler look finds: words of code in any string of a tag or a key.
pub fn judge_text(text: &[u8]) {
    let options = SafetyOptions::for_path("a.tscn");
    let mut whole = b"[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node2D\"]\n".to_vec();
    whole.extend_from_slice(text);
    for text in [text, &whole] {
        let before = godot_tscn::safety(text, &options);
        assert!(!before.is_safe || before.reasons.is_empty());
        if !before.is_safe {
            continue;
        }
        look_again(text);
        let Ok(formatted) = godot_tscn::format(text, &FormatOptions::default()) else { continue };
        let after = godot_tscn::safety(&formatted.text, &options);
        assert!(after.is_safe, "{:?}", after.reasons);
        assert_eq!(named(&before), named(&after));
    }
}

fn named(safety: &Safety) -> Vec<(&str, Option<&str>)> {
    let references = safety.references.iter();
    let mut named: Vec<_> =
        references.map(|found| (found.path.as_str(), found.class.as_deref())).collect();
    named.sort_unstable();
    named
}

/// What a safe text cannot hold, by its tokens alone.
fn look_again(text: &[u8]) {
    for token in godot_tscn::tokens(text) {
        let word = token.span.of(text);
        let is_code = matches!(word, b"Object" | b"Resource" | b"Callable" | b"Signal" | b"RID");
        assert!(token.kind != TokenKind::Identifier || !is_code, "a construct of code");
    }
    for section in godot_tscn::parse(text).sections() {
        for field in section.fields() {
            let source = String::from_utf8_lossy(field.source()).replace('\\', "");
            let names_code = ["Script", "user://", ".gd\"", "\"/root", "..", "queue_free"];
            let found = names_code.iter().find(|word| source.contains(**word));
            assert!(found.is_none() || field.name() == b"name", "{found:?} in a tag");
        }
        for property in section.properties() {
            let key = String::from_utf8_lossy(&property.engine_key()).into_owned();
            let words = ["script", "expression", "_bundled", "scene_file_path", "resource_path"];
            let found = words.iter().find(|word| key.contains(**word));
            assert!(found.is_none() || key.starts_with("metadata/"), "the property {key}");
            let is_kind = key.starts_with("tracks/") && key.contains("/type");
            assert!(!is_kind || !property.source().windows(6).any(|part| part == b"method"));
        }
    }
}

/// Fixes leave nothing that they would fix again, or say so. Safe ones leave no more errors than there were in a text without syntax
/// errors, and say so where they uncover some in another.
pub fn fix_text(text: &[u8]) {
    for limit in [Applicability::Safe, Applicability::Unsafe] {
        let mut options = FixOptions::for_path("a.tscn");
        options.limit = limit;
        let fixed = godot_tscn::fix(text, &options).expect("no .escn file");
        let again = godot_tscn::fix(&fixed.text, &options).expect("no .escn file");
        let is_done = again.applied_count == 0;
        assert_eq!(fixed.postponed_count == 0, is_done, "whether fixes are left is known");
        if limit == Applicability::Safe {
            let grown = error_count(&fixed.text).saturating_sub(error_count(text));
            assert_eq!(fixed.uncovered_count, grown, "errors that nothing is said of");
            let was_readable = godot_tscn::parse(text).errors().is_empty();
            assert!(!was_readable || grown == 0, "fixes made errors");
        }
    }
}

fn error_count(text: &[u8]) -> usize {
    godot_tscn::lint(text, &LintOptions::for_path("a.tscn")).count(Severity::Error)
}

/// The comments, without blanks at their end, and the keys of all properties.
fn comments_and_keys(text: &[u8]) -> (Vec<&[u8]>, Vec<Vec<u8>>) {
    let document = godot_tscn::parse(text);
    let comments = document.comments().iter().map(|span| span.of(text).trim_ascii_end());
    let properties = document.sections().flat_map(godot_tscn::Section::properties);
    (comments.collect(), properties.map(|property| property.key().into_owned()).collect())
}
