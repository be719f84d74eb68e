use godot_tscn::diff::State;

use super::text;
use crate::output::diff_samples::{HOSTILE, file, files, hostile, many_nodes};
use crate::output::diff_words::visible;
use crate::terminal::printable;

#[test]
fn all_kinds() {
    insta::assert_snapshot!(text(&files(), false, false));
}

#[test]
fn in_full() {
    insta::assert_snapshot!(text(&files(), true, false));
}

#[test]
fn the_documentation() {
    let told = text(&files()[..1], false, false);
    let page = include_str!("../../../../docs/gdscene.md").replace("\r\n", "\n");
    assert!(page.contains(&format!("```text\n{told}```\n")), "{told}");
}

#[test]
fn colours() {
    let files = files();
    let painted = text(&files, false, true);
    assert!(painted.contains("\x1b[32m+ [\"maps\"]: []\x1b[0m\n"), "{painted}");
    assert!(
        painted.contains("\x1b[33m~ length:\x1b[0m \x1b[31m0.8\x1b[0m -> \x1b[32m1.2\x1b[0m\n")
    );
    let mut plain = String::new();
    for part in painted.split('\x1b') {
        let code = ["[0m", "[1m", "[2m", "[31m", "[32m", "[33m"]
            .into_iter()
            .find(|code| part.starts_with(code));
        plain.push_str(part.strip_prefix(code.unwrap_or_default()).unwrap_or_default());
    }
    assert_eq!(plain, text(&files, false, false));
}

/// Text from a file is on one line each, and controls no terminal.
#[test]
fn nothing_breaks_out() {
    for is_full in [false, true] {
        let told = text(&[hostile()], is_full, false);
        assert!(!told.contains(['\x1b', '\u{7}', '\u{202e}', '\r']), "{told}");
        let signs = told
            .lines()
            .skip(1)
            .filter(|line| !line.trim_start().starts_with(['+', '-', '~', '…']));
        assert_eq!(signs.count(), 0, "{told}");
        for hostile in HOSTILE {
            let shown = if is_full { printable(hostile) } else { visible(hostile) };
            assert!(told.contains(&*shown), "{hostile:?} of {told}");
        }
    }
}

#[test]
fn long_lists() {
    let line = |count: usize| {
        let text = text(&[many_nodes(count, false)], false, false);
        text.lines().filter(|line| line.starts_with("      ~ position: ")).count()
    };
    assert_eq!(line(5000), 5000);
    // A file that is new, one that is gone, and a node that is new.
    let nodes: String = (0..100)
        .map(|number| format!("\n[node name=\"N{number}\" type=\"Node\" parent=\".\"]\n"))
        .collect();
    let properties: String = (0..30).map(|number| format!("p{number} = 1\n")).collect();
    let start = "[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node\"]\n";
    let scene = format!("{start}{properties}{nodes}");
    for (old, new, sign, fate) in
        [("", &*scene, '+', "new file"), (&scene, "", '-', "file removed")]
    {
        let told = text(&[file("a.tscn", old.as_bytes(), new.as_bytes())], false, false);
        let became = if sign == '+' { "added" } else { "removed" };
        assert!(told.starts_with(&format!(
            "a.tscn ({fate}): 101 nodes {became}\n  {sign} Root (Node)\n    {sign} N0 (Node)\n    {sign} N1 (Node)\n"
        )), "{told}");
        assert!(told.ends_with("N28 (Node)\n  … 71 more nodes\n"), "{told}");
    }
    let changed = format!("{start}\n[node name=\"A\" type=\"Node\" parent=\".\"]\n{properties}");
    let told = text(&[file("a.tscn", start.as_bytes(), changed.as_bytes())], false, false);
    assert!(told.ends_with("      + p7: 1\n      … 22 more\n"), "{told}");
    let told = text(
        &[file("a.tscn", start.as_bytes(), format!("{start}{properties}").as_bytes())],
        false,
        false,
    );
    assert!(told.ends_with("      + p19: 1\n      … 10 more\n"), "{told}");
}

#[test]
fn files_of_one_line() {
    let uid = |name: &str| file(name, b"", b"uid://a\n");
    let scene = file("c.tscn", b"", b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n");
    let told = text(&[uid("a.uid"), uid("b.uid"), scene, uid("d.uid")], false, false);
    let expected = "a.uid (new file)\nb.uid (new file)\n\nc.tscn (new file): 1 node added\n  + A (Node)\n\nd.uid (new file)\n";
    assert_eq!(told, expected);
}

/// An added file has one, which is not news.
#[test]
fn a_header_is_told() {
    let mut file = file("a.tscn", b"", b"[gd_scene format=3]\n");
    assert_eq!(text(std::slice::from_ref(&file), false, false), "a.tscn (new file)\n");
    // It was there, and empty.
    file.state = State::Changed;
    let expected = "a.tscn: 1 header added\n  + header\n      + format: 3\n";
    assert_eq!(text(&[file], false, false), expected);
}
