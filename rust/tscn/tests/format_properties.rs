//! What holds for the formatter, whatever it is given.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use tscn::{FormatOptions, FormatRefusal, TokenKind, format};

const SCENES: &[&str] = &[
    include_str!("../fixtures/clean/godot4.tscn"),
    include_str!("../fixtures/clean/godot3.tscn"),
    include_str!("../fixtures/clean/resource.tres"),
    include_str!("../fixtures/findings/lost_properties.tscn"),
    "[gd_scene format=2]\n[node name=\"A\" groups=[\n\"a\",\n]]\na = [ {\n}, Vector2( 1, 2 ) ]\n",
    "[gd_scene format=3]\n; c\n[node name=\"A\"] ; d\n\na = [Object(A,\"b\":[1, 2])\n, ; e\n3]\n",
];

/// Pieces that mean something to the layout.
const PIECES: &[&str] = &[
    " ",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    ";",
    " ; comment\n",
    "\n; comment\n",
    ",",
    ":",
    "=",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "\"",
    "\\",
    "[]",
    "{}",
    "1",
    "-1",
    "true",
    "Array[int]([",
    "Vector2(",
    "Object(A,\"b\":1)",
    "key = 1\n",
    "\n[node name=\"B\"]\n",
    "\n[connection]\n",
    "é",
    "\0",
    "\u{feff}",
    "format=2",
    "format=3",
    "binds=",
    "groups=[\"a\",]",
    "&\"",
    "SubResource( 1 )",
];

/// All tokens but white space; comments without blanks at their end.
fn significant(text: &[u8]) -> Vec<(TokenKind, Vec<u8>)> {
    let tokens = tscn::tokens(text).into_iter();
    tokens
        .filter(|token| token.kind != TokenKind::Whitespace)
        .map(|token| {
            let mut bytes = token.span.of(text).to_vec();
            while token.kind == TokenKind::Comment
                && matches!(bytes.last(), Some(b' ' | b'\t' | b'\r'))
            {
                bytes.pop();
            }
            (token.kind, bytes)
        })
        .collect()
}

/// Everything that is promised for any text.
fn check(text: &[u8]) {
    let formatted = match format(text, &FormatOptions::default()) {
        Ok(formatted) => formatted,
        Err(FormatRefusal::Bug(bug)) => panic!("{bug:?}: {}", String::from_utf8_lossy(text)),
        Err(refusal) => {
            assert!(refusal.span().is_none_or(|span| span.end as usize <= text.len()));
            return;
        }
    };
    assert_eq!(formatted.is_changed, formatted.text != text);
    assert_eq!(significant(&formatted.text), significant(text));
    assert!(tscn::parse(&formatted.text).errors().is_empty());
    let again = format(&formatted.text, &FormatOptions::default()).unwrap();
    assert!(!again.is_changed);
    assert!(formatted.text.ends_with(b"\n"));
}

fn edit(scene: &str, edits: &[(prop::sample::Index, usize, &str)]) -> Vec<u8> {
    let mut text = scene.as_bytes().to_vec();
    for (at, removed, piece) in edits {
        let start = at.index(text.len() + 1);
        let end = (start + removed).min(text.len());
        text.splice(start..end, piece.bytes());
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn arbitrary_bytes(text in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&text);
    }

    #[test]
    fn arbitrary_pieces(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)) {
        check(format!("[gd_scene format=3]\n{}", pieces.concat()).as_bytes());
    }

    #[test]
    fn changed_scenes(
        scene in prop::sample::select(SCENES),
        edits in prop::collection::vec(
            (any::<prop::sample::Index>(), 0..3_usize, prop::sample::select(PIECES)), 0..5),
    ) {
        check(&edit(scene, &edits));
    }

    /// Added white space and comments leave most texts sound, so that the layout is reached.
    #[test]
    fn scenes_with_more_trivia(
        scene in prop::sample::select(SCENES),
        edits in prop::collection::vec(
            (any::<prop::sample::Index>(), Just(0), prop::sample::select(&PIECES[..8])), 0..8),
    ) {
        check(&edit(scene, &edits));
    }
}

/// Saved by Godot 4.6.3 from a script: values that no file of the corpus has, such as objects in
/// arrays, in dictionaries and at the very end.
#[test]
fn what_the_engine_saved_is_a_fixpoint() {
    for text in [
        &include_bytes!("format_engine/objects.tres")[..],
        include_bytes!("format_engine/objects.tscn"),
        include_bytes!("format_engine/object_at_the_end.tscn"),
    ] {
        let formatted = format(text, &FormatOptions::default()).unwrap();
        assert_eq!(String::from_utf8_lossy(&formatted.text), String::from_utf8_lossy(text));
        check(&edit(&String::from_utf8_lossy(text).replace('\n', "\r\n"), &[]));
    }
}

/// Twice the text takes twice the time, not four times: a tenth of a second would do in a release
/// build, this leaves room for slow machines.
#[test]
fn long_texts() {
    let start = Instant::now();
    for piece in
        ["; a\n", "a = [[[[]]]]\n", "a=1 ", "\n\n\n", "[node groups=[\"a\",]]", "[connection]"]
    {
        for format_version in [2, 3] {
            let header = format!("[gd_scene format={format_version}]\n[node name=\"A\"]\n");
            check((header + &piece.repeat(200_000 / piece.len())).as_bytes());
        }
    }
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
}
