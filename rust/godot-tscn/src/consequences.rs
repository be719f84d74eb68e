//! Findings that another one explains: they go away with it, and until then they only hide it.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::RuleGroup;
use crate::document::Document;
use crate::span::Span;
use crate::syntax::SyntaxErrorKind;

/// Leaves out findings that exist only because the text is broken: those at the place of a syntax error, and all but syntax
/// errors after a place where the structure is lost.
pub(crate) fn leave_out_consequences(document: &Document<'_>, diagnostics: &mut Vec<Diagnostic>) {
    if document.errors().is_empty() {
        return;
    }
    let mut broken: Vec<Span> = Vec::new();
    let mut unclear_from = u32::MAX;
    for error in document.errors() {
        if is_misread(error.kind) {
            broken.push(error.span);
        }
        // Text after such an end belongs to neither side.
        let has_no_end = error.kind == SyntaxErrorKind::ConflictMarker
            && error.related.is_none()
            && !error.span.of(document.text()).starts_with(b">");
        if has_no_end || error.kind == SyntaxErrorKind::Nul {
            unclear_from = unclear_from.min(error.span.start);
        }
    }
    let is_broken = |span: Span| {
        let after = broken.partition_point(|error| error.end <= span.start);
        broken.get(after).is_some_and(|error| error.start < span.end.max(span.start + 1))
    };
    diagnostics.retain(|found| {
        let is_cause = matches!(found.group, RuleGroup::Syntax | RuleGroup::Security);
        is_cause || found.span.start < unclear_from && !is_broken(found.span)
    });
}

/// Rules that explain less than any other that finds something at the same place.
const WEAK: &[&str] = &["TREE023"];

/// Leaves out the findings of [`WEAK`] rules with a span that contains that of another finding, or is
/// inside it.
pub(crate) fn leave_out_said_twice(diagnostics: &mut Vec<Diagnostic>) {
    let is_weak = |found: &Diagnostic| WEAK.contains(&found.code);
    if !diagnostics.iter().any(is_weak) {
        return;
    }
    let others = diagnostics.iter().filter(|found| !is_weak(found));
    let mut others: Vec<Span> = others.map(|found| found.span).collect();
    others.sort_unstable();
    // How far those reach that start at most here, and where the first of them ends that start at least here.
    let mut furthest = vec![None; others.len() + 1];
    let mut first_end = vec![u32::MAX; others.len() + 1];
    for (index, other) in others.iter().enumerate() {
        furthest[index + 1] = furthest[index].max(Some(other.end));
    }
    for (index, other) in others.iter().enumerate().rev() {
        first_end[index] = other.end.min(first_end[index + 1]);
    }
    diagnostics.retain(|found| {
        let span = found.span;
        let is_inside = || {
            furthest[others.partition_point(|other| other.start <= span.start)] >= Some(span.end)
        };
        let contains =
            || first_end[others.partition_point(|other| other.start < span.start)] <= span.end;
        !is_weak(found) || !is_inside() && !contains()
    });
}

/// Whether Godot reads another text at the place of such an error, or something unintended.
fn is_misread(kind: SyntaxErrorKind) -> bool {
    use SyntaxErrorKind::*;
    matches!(
        kind,
        UnexpectedCharacter
            | Expected { .. }
            | MissingEquals
            | TrailingGarbage
            | UnquotedKey
            | Unterminated(_)
            | UnknownIdentifier
    )
}

#[cfg(test)]
mod tests {
    use super::leave_out_said_twice;
    use crate::diagnostic::Diagnostic;
    use crate::lint::lint;
    use crate::options::LintOptions;
    use crate::rule_info::{Reporter, RuleInfo};
    use crate::span::Span;

    static WEAK: RuleInfo = crate::rule_info! {
        /// Weak.
        "TREE023", "weak", Warning
    };
    static OTHER: RuleInfo = crate::rule_info! {
        /// Not weak.
        "TREE001", "other", Error
    };

    #[test]
    fn weak_findings_go_as_if_all_pairs_were_compared() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..2000 {
            let mut found = Vec::new();
            for _ in 0..random.usize(..14) {
                let rule = if random.bool() { &WEAK } else { &OTHER };
                let start = random.u32(..16);
                let span = Span::new(start, start + random.u32(..8));
                Reporter::new(rule, &mut found).report(span, "");
            }
            let mut expected = found.clone();
            expected.retain(|weak| {
                let is_at_same_place = |other: &Diagnostic| {
                    other.code != WEAK.code
                        && (weak.span.contains(other.span) || other.span.contains(weak.span))
                };
                weak.code != WEAK.code || !found.iter().any(is_at_same_place)
            });
            let all = found.clone();
            leave_out_said_twice(&mut found);
            assert_eq!(found, expected, "of {all:?}");
        }
    }

    fn node(rest: &str) -> String {
        format!("[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n{rest}")
    }

    fn codes(text: &str) -> Vec<&'static str> {
        let found = lint(text.as_bytes(), &LintOptions::default()).diagnostics;
        found.iter().map(|found| found.code).collect()
    }

    const SCENE: &str = "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1\"]\n\n\
                         [sub_resource type=\"Gradient\" id=\"G\"]\noffsets = PackedFloat32Array(0, 1)\n\n\
                         [node name=\"A\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n\
                         position = Vector2(1, 2)\n\n\
                         [node name=\"B\" type=\"Node2D\" parent=\".\"]\nposition = Vector2(3, 4)\n\n\
                         [node name=\"C\" type=\"Node2D\" parent=\"B\"]\nmetadata/g = SubResource(\"G\")\n\n\
                         [connection signal=\"ready\" from=\"B\" to=\".\" method=\"f\"]\n";

    #[track_caller]
    fn check(old: &str, new: &str, expected: &[&str]) {
        assert!(SCENE.contains(old), "{old}");
        let text = SCENE.replacen(old, new, 1);
        assert_eq!(codes(&text), expected, "{text}");
    }

    /// Godot 4.6.3 refuses all of them with "Expected '['".
    #[test]
    fn junk_before_the_header() {
        check("[gd", "[gd", &[]);
        let junk = [
            "x",
            "x\n",
            "`",
            "hello world\n",
            "x y\nz\n",
            "#",
            "-",
            "\u{200b}",
            "}",
            "]",
            "=",
            "*",
            "<",
            ".",
            "1",
            ":",
            "'",
            "<!DOCTYPE html>\n<html>\n<body class=\"x\">\n</body></html>\n",
        ];
        for junk in junk {
            check("[gd", &format!("{junk}[gd"), &["SYN001"]);
        }
    }

    /// Text that Godot 4.6.3 refuses, or reads as properties of the section before (`node`,
    /// `connection`).
    #[test]
    fn junk_before_a_tag_and_tags_without_brackets() {
        for tag in ["ext_resource", "sub_resource", "node name=\"B\"", "connection"] {
            let whole = format!("[{tag}");
            let after_properties = tag.starts_with('n') || tag.starts_with('c');
            let junk = if after_properties { "SYN002" } else { "SYN001" };
            check(&whole, &format!("x{whole}"), &[junk]);
            check(&whole, tag, &["SYN001"]);
        }
        check("[gd_scene", "gd_scene", &["SYN001"]);
    }

    /// References to a node or resource with a broken tag are not reported.
    #[test]
    fn broken_tags() {
        for (old, new, code) in [
            ("name=\"B", "name=B", "SYN015"),
            ("name=\"B\"", "name=\"B", "SYN007"),
            ("[node name=\"B\"", "[nodename=\"B\"", "SYN001"),
            ("[node name=\"B\"", "[nod name=\"B\"", "STR003"),
            ("id=\"1\"]", "id=]", "SYN001"),
            ("id=\"1\"]", "id=\"1]", "SYN007"),
            ("\"Gradient\"", "\"Gradient", "SYN007"),
            ("parent=\".\"]", "parent=\".\"]]", "SYN004"),
        ] {
            check(old, new, &[code]);
        }
    }

    /// It is unknown to which side the rest belongs.
    #[test]
    fn conflicts() {
        let other = SCENE.replace("\"B\"", "\"BB\"");
        for text in [
            format!("<<<<<<< HEAD\n{SCENE}=======\n{other}>>>>>>> other\n"),
            format!("{SCENE}=======\n{other}>>>>>>> other\n"),
            format!("<<<<<<< HEAD\n{SCENE}=======\n{other}"),
            format!("{SCENE}=======\n{other}"),
        ] {
            let found = codes(&text);
            assert!(found.iter().all(|code| *code == "SYN006"), "{found:?} in {text}");
            assert!(found.len() <= 2, "{found:?} in {text}");
        }
    }

    /// Other errors are reported all the same.
    #[test]
    fn independent_errors() {
        let bad = "[node name=\"D\" type=\"Node\" parent=\"Nowhere\"]\nx = Nope(1)\n";
        assert_eq!(
            codes(&node(&format!("a = 0x10\nb = 1\n\n{bad}"))),
            ["SYN004", "TREE001", "SYN015"]
        );
        assert_eq!(codes(&format!("x{}", node(bad))), ["SYN001", "TREE001", "SYN015"]);
        let conflict = node(&format!("<<<<<<< a\nb = 1\n=======\nb = 2\n>>>>>>> c\n{bad}"));
        assert_eq!(codes(&conflict), ["SYN006", "SYN015"]);
    }
}
