//! What holds for the formatter, whatever it is given.

use std::time::{Duration, Instant};

use godot_tscn::{FormatOptions, FormatRefusal, format};
use proptest::prelude::*;

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
    "{\"b\": 1, \"a\": 2}",
    "1.50",
    "0.30000000000000004",
    "1e+06",
    "-0",
    "007",
    "\\n",
    "\\u0041",
    "\"a b\" = 1\n",
    "\"ab\" = 1\n",
    "load_steps=3 ",
    "[ext_resource id=\"2\"]\n[ext_resource id=\"1\"]\n",
    "#336699",
    "-inf",
    "PoolRealArray(1, 2.50)",
];

/// The comments, without blanks at their end, and the keys of all properties.
fn comments_and_keys(text: &[u8]) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let document = godot_tscn::parse(text);
    let comments = document.comments().iter().map(|span| {
        let comment = span.of(text);
        let blanks = comment.iter().rev().take_while(|byte| b" \t\r".contains(byte)).count();
        comment[..comment.len() - blanks].to_vec()
    });
    let properties = document.sections().flat_map(godot_tscn::Section::properties);
    (comments.collect(), properties.map(|property| property.key().into_owned()).collect())
}

/// Everything that is promised for any text.
fn check(text: &[u8]) {
    let targets = [None, Some("3.x"), Some("4.2"), Some("4.5"), Some("4.7")];
    for target in targets {
        let mut options = FormatOptions::default();
        options.target = target.map(|target| target.parse().unwrap());
        let formatted = match format(text, &options) {
            Ok(formatted) => formatted,
            Err(FormatRefusal::Bug(bug)) => {
                panic!("{bug:?} for {target:?}: {}", String::from_utf8_lossy(text))
            }
            Err(refusal) => {
                assert!(refusal.span().is_none_or(|span| span.end as usize <= text.len()));
                continue;
            }
        };
        assert_eq!(formatted.is_changed, *formatted.text != *text);
        assert_eq!(comments_and_keys(&formatted.text), comments_and_keys(text));
        assert!(godot_tscn::parse(&formatted.text).errors().is_empty());
        assert!(!format(&formatted.text, &options).unwrap().is_changed);
        assert!(formatted.text.ends_with(b"\n"));
    }
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
    assert!(start.elapsed() < Duration::from_secs(120), "took {:?}", start.elapsed());
}
