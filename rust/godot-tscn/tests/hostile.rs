//! Texts made to take long or to overflow: the time grows with the size, and no more.

use std::time::{Duration, Instant};

use godot_tscn::{LintOptions, SyntaxErrorKind};

/// A tenth of a second would do in a release build; this leaves room for slow machines.
const LIMIT: Duration = Duration::from_secs(10);

const SIZE: usize = 500_000;

/// Lints the piece over and over, and the same as the value of a property.
#[track_caller]
fn check(piece: &str) {
    for text in
        [piece.repeat(SIZE / piece.len()), format!("[a]\nb = {}", piece.repeat(SIZE / piece.len()))]
    {
        let start = Instant::now();
        godot_tscn::lint(text.as_bytes(), &LintOptions::default());
        assert!(start.elapsed() < LIMIT, "{piece:?} took {:?}", start.elapsed());
        let end = godot_tscn::tokens(text.as_bytes()).last().map(|token| token.span.end as usize);
        assert_eq!(end, Some(text.len()));
    }
}

#[test]
fn deep_nesting() {
    for piece in ["[", "{", "{0:", "Array[int]([", "Object(A,\"b\":", "(", "[[\n"] {
        check(piece);
    }
}

#[test]
fn repeated_errors() {
    for piece in [
        "\"",
        "'",
        "\\",
        "\"\\",
        "\\\"\n[a]\n",
        "\\\"\n[a b=1]\n",
        "a = \"\n[b c=",
        "[a b=\"\n",
        "a = \"b\nc = \"\n",
        "a = [\n",
        "a = {\n\"b\": \n",
        "a = !\n",
        "a\n",
        "# a\n",
        "x = 1 2\n",
        "é = 1\n",
        ",",
        "a = [1 1\n",
        "[a",
        "[a b",
        "[1,,",
        "+1 ",
        "a = 1 ",
        "= ",
        ";",
        "; \n",
        "\0",
        " \t",
        "\n",
        "\r",
        "\\u",
        "\"\\q",
        "<<<<<<< a\n",
        "=======\n",
        ">>>>>>> a\n",
        "<<<<<<< a\n=======\n",
        "<",
        "a = [\n<<<<<<< b\n",
        "a = \"\n\n[node name=\"B",
        "ExtResource(1) ",
        "x = [ExtResource(1)]\n",
    ] {
        check(piece);
    }
}

#[test]
fn many_nodes_and_ids() {
    for piece in [
        "[node name=\"A\" parent=\"B/C/D\"]\n",
        "[node name=\"A\" type=\"B\" parent=\".\"]\n",
        "[sub_resource type=\"A\" id=\"1\"]\n",
        "[ext_resource]\n",
        "[node a=1 a=2 a=3 a=4]\n",
        "[node]\na = SubResource(\"abcdefgh\")\n",
    ] {
        check(piece);
    }
    let nodes: String = (0..40_000)
        .map(|n| format!("[node name=\"N{n}\" type=\"A\" parent=\"N{}\"]\n", n + 1))
        .collect();
    let start = Instant::now();
    godot_tscn::lint(nodes.as_bytes(), &LintOptions::default());
    assert!(start.elapsed() < LIMIT, "took {:?}", start.elapsed());
}

#[test]
#[cfg(target_pointer_width = "64")]
fn too_large() {
    // Zeroed memory is only promised, not touched.
    let text = vec![0; u32::MAX as usize + 1];
    let document = godot_tscn::parse(&text);
    assert_eq!(document.errors()[0].kind, SyntaxErrorKind::TooLarge);
    assert_eq!(document.sections().len(), 0);
    assert!(godot_tscn::tokens(&text).is_empty());
}
