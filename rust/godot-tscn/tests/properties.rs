//! What holds for every text whatsoever.

use godot_tscn::{Applicability, FixOptions, LintOptions, Severity, TokenKind};
use proptest::prelude::*;

const SCENES: &[&str] = &[
    include_str!("../fixtures/clean/godot4.tscn"),
    include_str!("../fixtures/clean/godot3.tscn"),
    include_str!("../fixtures/clean/resource.tres"),
    include_str!("../fixtures/findings/lost_properties.tscn"),
    include_str!("../fixtures/findings/refused.tscn"),
];

/// Pieces that mean something to the parser, so that random texts get past its first token.
const PIECES: &[&str] = &[
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "=",
    ":",
    ",",
    "\"",
    "\\",
    "\n",
    " ",
    ";",
    "#",
    "&\"",
    "^\"",
    "'",
    "-",
    "+",
    ".",
    "1",
    "0x1",
    "1e",
    "\\u12",
    "\0",
    "\r\n",
    "\u{feff}",
    "é",
    "node",
    "key = 1\n",
    "[node name=\"A\" type=\"Node\"]\n",
    "ExtResource(\"1\")",
    "SubResource( 1 )",
    "Vector2(",
    "Array[int]([",
    "Dictionary[int, Resource](",
    "Object(Node,",
    "\n<<<<<<< HEAD\n",
    "\n=======\n",
    "\n>>>>>>> x\n",
    "[gd_scene format=3]\n",
    "\nkey = \"",
    "[sub_resource type=\"A\" id=\"1\"]\n",
    "[ext_resource type=\"A\" path=\"b\" id=\"1\"]\n",
];

/// Everything that is promised for any text.
fn check(text: &[u8]) {
    let tokens = godot_tscn::tokens(text);
    let mut end = 0;
    for token in &tokens {
        assert_eq!(token.span.start, end, "a gap or an overlap");
        assert!(!token.span.is_empty());
        assert_ne!(token.kind, TokenKind::Eof);
        end = token.span.end;
    }
    assert_eq!(end as usize, text.len());

    let document = godot_tscn::parse(text);
    for section in document.sections() {
        assert!(section.span().end as usize <= text.len());
        for property in section.properties() {
            assert!(property.engine_key_span().start <= property.key_span().start);
            assert!(property.value_span().start <= property.value_span().end);
            property.engine_key();
        }
    }
    let report = godot_tscn::lint(text, &LintOptions::for_path("a.tscn"));
    for diagnostic in &report.diagnostics {
        assert!(diagnostic.span.end as usize <= text.len());
        assert!(diagnostic.labels.iter().all(|label| label.span.end as usize <= text.len()));
    }
    check_fixes(text, Applicability::Safe);
    check_fixes(text, Applicability::Unsafe);
}

/// Fixes come to an end, keep what nobody may lose, and make nothing worse.
fn check_fixes(text: &[u8], limit: Applicability) {
    let mut options = FixOptions::for_path("a.tscn");
    options.limit = limit;
    let fixed = godot_tscn::fix(text, &options).expect("no .escn");
    // Idempotent, which includes that an end was reached.
    let again = godot_tscn::fix(&fixed.text, &options).expect("no .escn");
    assert_eq!((again.applied_count, &again.text), (0, &fixed.text), "after {limit:?} fixes");
    let mut end = 0;
    for token in godot_tscn::tokens(&fixed.text) {
        assert_eq!(token.span.start, end, "a gap or an overlap after fixes");
        end = token.span.end;
    }
    assert_eq!(end as usize, fixed.text.len());
    if fixed.applied_count == 0 {
        assert_eq!(fixed.text, text);
    }
    if limit == Applicability::Safe {
        let (before, after) = (godot_tscn::parse(text), godot_tscn::parse(&fixed.text));
        // What could not be read may turn out to be something else.
        if !before.is_incomplete() {
            let kept = comments(&after);
            for comment in comments(&before) {
                assert!(kept.contains(&comment), "lost: {}", String::from_utf8_lossy(comment));
            }
        }
        // It may also show more errors when it can be read.
        if before.errors().is_empty() {
            let (before, after) = (errors(text), errors(&fixed.text));
            assert!(after <= before, "{after} errors after safe fixes, {before} before");
        }
    }
}

fn comments<'t>(document: &godot_tscn::Document<'t>) -> Vec<&'t [u8]> {
    document.comments().iter().map(|comment| comment.of(document.text()).trim_ascii_end()).collect()
}

fn errors(text: &[u8]) -> usize {
    godot_tscn::lint(text, &LintOptions::for_path("a.tscn")).count(Severity::Error)
}

/// A change to a text.
#[derive(Clone, Debug)]
enum Change {
    Delete { at: prop::sample::Index, length: usize },
    Duplicate { at: prop::sample::Index, length: usize },
    Insert { at: prop::sample::Index, piece: &'static str },
    Swap { at: prop::sample::Index, with: prop::sample::Index },
    Truncate { at: prop::sample::Index },
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        (at(), 1..40_usize).prop_map(|(at, length)| Change::Delete { at, length }),
        (at(), 1..80_usize).prop_map(|(at, length)| Change::Duplicate { at, length }),
        (at(), prop::sample::select(PIECES)).prop_map(|(at, piece)| Change::Insert { at, piece }),
        (at(), at()).prop_map(|(at, with)| Change::Swap { at, with }),
        at().prop_map(|at| Change::Truncate { at }),
    ]
}

fn apply(text: &mut Vec<u8>, change: &Change) {
    if text.is_empty() {
        return;
    }
    let size = text.len();
    match change {
        Change::Delete { at, length } => {
            let start = at.index(size);
            text.drain(start..(start + length).min(size));
        }
        Change::Duplicate { at, length } => {
            let start = at.index(size);
            let piece = text[start..(start + length).min(size)].to_vec();
            text.splice(start..start, piece);
        }
        Change::Insert { at, piece } => {
            let start = at.index(size);
            text.splice(start..start, piece.bytes());
        }
        Change::Swap { at, with } => text.swap(at.index(size), with.index(size)),
        Change::Truncate { at } => text.truncate(at.index(size)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn arbitrary_bytes(text in prop::collection::vec(any::<u8>(), 0..300)) {
        check(&text);
    }

    #[test]
    fn arbitrary_pieces(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
        check(pieces.concat().as_bytes());
    }

    #[test]
    fn changed_scenes(
        scene in prop::sample::select(SCENES),
        changes in prop::collection::vec(change(), 1..6),
    ) {
        let mut text = scene.as_bytes().to_vec();
        for change in &changes {
            apply(&mut text, change);
        }
        check(&text);
    }
}
