use super::*;
use crate::lint::lint_unsuppressed;
use crate::rules::RULES;
use crate::syntax;

const NODE: &str = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = ExtResource(\"1\")\n\n\
                    [connection signal=\"s\" from=\"B\" to=\".\" method=\"m\"]\n";

fn codes(text: &[u8]) -> Vec<&'static str> {
    let document = syntax::parse(text);
    let options = LintOptions::default();
    let mut found = lint_unsuppressed(&document, &options, |_| true).diagnostics;
    found.retain(|found| found.code != "STY006");
    let rules: Vec<&RuleInfo> = RULES.iter().map(|rule| &rule.info).collect();
    apply_suppressions(&document, &options, &rules, &mut found);
    found.iter().map(|found| found.code).collect()
}

#[track_caller]
fn ignored(text: &str, code: &str) -> String {
    let found = crate::lint(text.as_bytes(), &LintOptions::default()).diagnostics;
    let found = found.iter().find(|found| found.code == code).unwrap();
    String::from_utf8(ignore_here(text.as_bytes(), found.span.start, code)).unwrap()
}

#[test]
fn metadata_where_there_is_a_node_and_a_comment_elsewhere() {
    assert_eq!(codes(NODE.as_bytes()), ["REF001", "SIG001"]);
    let text = ignored(NODE, "REF001");
    assert!(text.contains("(\"1\")\nmetadata/_lint_ignore = [\"REF001\"]\n\n[connection"));
    assert_eq!(codes(text.as_bytes()), ["SIG001"]);
    let text = ignored(&text, "SIG001");
    assert!(text.contains("\n; gdscene: ignore[SIG001]\n[connection"));
    assert_eq!(codes(text.as_bytes()), [""; 0]);
}

#[test]
fn a_list_grows() {
    for list in ["[]", "[\"A1\"]", "Array[String]([\"A1\"])", "PackedStringArray(\"A1\")"] {
        let text = NODE.replace("\n\n[conn", &format!("\nmetadata/_lint_ignore = {list}\n\n[conn"));
        let text = ignored(&text, "REF001");
        assert_eq!(codes(text.as_bytes()), ["SIG001"], "{text}");
        assert!(syntax::parse(text.as_bytes()).errors().is_empty(), "{text}");
    }
}

#[test]
fn comments_are_about_their_line_or_the_next() {
    let comment = "; gdscene: ignore[SIG001, ref001] why";
    let line = "x = ExtResource(\"1\")";
    let alone = NODE.replace(line, &format!("{comment}\n{line}"));
    assert_eq!(codes(alone.as_bytes()), ["STY011", "SIG001"]);
    let behind = NODE.replace(line, &format!("{line} {comment}"));
    assert_eq!(codes(behind.as_bytes()), ["STY011", "SIG001"]);
    let behind_another = NODE.replace(line, &format!("y = 1 {comment}\n{line}"));
    assert_eq!(codes(behind_another.as_bytes()), ["STY011", "STY011", "REF001", "SIG001"]);
}

#[test]
fn strange_texts() {
    assert_eq!(ignore_here(b"", 9, "A1"), b"; gdscene: ignore[A1]\n");
    assert_eq!(ignore_here(b"[node", 2, "A1"), b"; gdscene: ignore[A1]\n[node");
    assert_eq!(codes(b"; gdscene: ignore["), codes(b";"));
}

#[test]
fn above_the_first_tag_it_is_about_the_file() {
    let text = format!("; gdscene: ignore[REF001, unknown-connection-end] why\n\n{NODE}");
    assert_eq!(codes(text.as_bytes()), [""; 0]);
}

#[test]
fn the_root_speaks_for_what_has_no_metadata() {
    let list = "x = 1\nmetadata/_lint_ignore = [\"SIG001\"]";
    let text = NODE.replace("x = ExtResource(\"1\")", list);
    assert_eq!(codes(text.as_bytes()), [""; 0]);
}

#[test]
fn what_is_not_needed_is_reported() {
    let text =
        NODE.replace("\n\n[conn", "\nmetadata/_lint_ignore = [\"REF001\", \"REF007\"]\n\n[conn");
    assert_eq!(codes(text.as_bytes()), ["STY011", "SIG001"]);
    let text = NODE.replace("[conn", "; gdscene: ignore[SIG001, XYZ001, ref007]\n[conn");
    assert_eq!(codes(text.as_bytes()), ["REF001", "STY011"]);
}

#[test]
fn codes_that_no_rule_has() {
    let text = NODE.replace("[conn", "; gdscene: ignore[SIG001, REF01, unused-ext-resorce]\n[conn");
    let document = syntax::parse(text.as_bytes());
    let options = LintOptions::default();
    let mut found = lint_unsuppressed(&document, &options, |_| true).diagnostics;
    let rules = RULES.iter().map(|rule| &rule.info).chain([&UNUSED_SUPPRESSION]);
    apply_suppressions(&document, &options, &rules.collect::<Vec<_>>(), &mut found);
    found.retain(|found| found.code == "STY011");
    let told = found.iter().map(|found| (found.message.as_str(), found.help.as_deref()));
    assert_eq!(
        told.collect::<Vec<_>>(),
        [
            ("unknown rule `REF01`", Some("did you mean `REF001`?")),
            ("unknown rule `unused-ext-resorce`", Some("did you mean `unused-ext-resource`?")),
        ]
    );
}

#[test]
fn a_file_from_strangers_cannot_waive_what_makes_it_dangerous() {
    let text = "; gdscene: ignore[SEC001, SEC003, SYN001]\n[gd_resource type=\"Resource\" format=3]\n\n\
                [resource]\nmetadata/x = Resource(\"user://a.gd\")\n";
    let options = LintOptions { profile: Profile::Untrusted, ..LintOptions::default() };
    let found = crate::lint(text.as_bytes(), &options).diagnostics;
    assert!(found.iter().any(|found| found.code == "SEC003"), "{found:?}");
}

#[test]
fn a_file_from_strangers_has_no_say() {
    let text = NODE.replace("x = Ext", "metadata/_lint_ignore = [\"REF001\", \"STY011\"]\nx = Ext");
    let text = format!("; gdscene: ignore[SIG001]\n{text}");
    assert_eq!(codes(text.as_bytes()), ["STY011"; 0]);
    let mut options = LintOptions { profile: Profile::Untrusted, ..LintOptions::default() };
    let untrusted = |options: &LintOptions<'_>| -> Vec<&'static str> {
        let found = crate::lint(text.as_bytes(), options).diagnostics;
        let codes = found.iter().map(|found| found.code);
        codes.filter(|code| *code != "STY006" && !code.starts_with("SEC")).collect()
    };
    assert_eq!(untrusted(&options), ["REF001", "SIG001"]);
    // The caller may leave out the one, but not the other.
    let mut choice = crate::RuleChoice::default();
    for rule in RULES {
        choice.set(&rule.info, RuleState::Off);
    }
    options.rules = Some(&choice);
    assert_eq!(untrusted(&options), ["REF001"]);
}

/// Where the parser gives up something may stand unseen.
#[test]
fn what_cannot_be_read_is_an_error_in_a_file_from_strangers() {
    let mut choice = crate::RuleChoice::default();
    for rule in RULES {
        choice.set(&rule.info, RuleState::Off);
    }
    let mut options = LintOptions { profile: Profile::Untrusted, ..LintOptions::default() };
    options.rules = Some(&choice);
    let deep = format!("[gd_scene format=3]\n\n[node name=\"A\"]\nx = {}", "[".repeat(600));
    let lines =
        ["<<<<<<< a", "x = Nope(1)", "x = @", "[node name=", "x = \"", "RSRC", "[", "]", "\0"];
    let parts: Vec<String> =
        lines.map(|line| NODE.replace("x = Ext", &format!("{line}\nx = "))).into();
    let cut = (0..NODE.len()).map(|end| NODE[..end].to_owned());
    let broken = (0..NODE.len()).map(|place| [&NODE[..place], &NODE[place + 1..]].concat());
    let mut count = 0;
    for text in parts.into_iter().chain(cut).chain(broken).chain([deep, "RSRC\0".to_owned()]) {
        if syntax::parse(text.as_bytes()).is_incomplete() {
            count += 1;
            let found = crate::lint(text.as_bytes(), &options).diagnostics;
            let is_error = |found: &Diagnostic| found.severity == crate::Severity::Error;
            assert!(found.iter().any(is_error), "{text}");
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn comments_in_scripts() {
    static RULE: RuleInfo = crate::rule_info! {
        /// About scripts.
        "SCR001", "a-rule", Error
    };
    let script = "\u{FEFF}# A license\n\n# head\nextends Node\nvar a = 1\nvar b = 2\n";
    let left = |text: &str| {
        let is_comment = |line: &&str| line.contains('#');
        let offset = |part: &str| (part.as_ptr().addr() - text.as_ptr().addr()) as u32;
        let comments = text.lines().filter(is_comment).map(|line| {
            let start = offset(line) + line.find('#').unwrap() as u32;
            Span { start, end: offset(line) + line.len() as u32 }
        });
        let comments: Vec<Span> = comments.collect();
        let mut found = Vec::new();
        for name in ["a = 1", "b = 2"] {
            let start = text.find(name).unwrap() as u32;
            let mut reporter = Reporter::new(&RULE, &mut found);
            reporter.report(Span { start, end: start + 1 }, name.to_owned());
        }
        let rules = [&RULE, &UNUSED_SUPPRESSION];
        let options = LintOptions::default();
        apply_script_suppressions(text.as_bytes(), &comments, &options, &rules, &mut found);
        found.iter().map(|found| found.message.clone()).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(left(script), "a = 1; b = 2");
    assert_eq!(left(&script.replace("= 1", "= 1 # gdscene: ignore[SCR001] why")), "b = 2");
    assert_eq!(left(&script.replace("# head", "# gdscene: ignore[a-rule]")), "");
    let ignored = ignore_here(script.as_bytes(), script.find("b = 2").unwrap() as u32, "SCR001");
    let ignored = String::from_utf8(ignored).unwrap();
    assert!(ignored.ends_with("var a = 1\n# gdscene: ignore[SCR001]\nvar b = 2\n"), "{ignored}");
    assert_eq!(left(&ignored), "a = 1");
    // A comment of scenes does not count here.
    assert_eq!(left(&script.replace("= 1", "= 1 #; gdscene: ignore[SCR001]")), "a = 1; b = 2");
    let unused = script.replace("extends Node", "extends Node # gdscene: ignore[SCR001, SCR999]");
    assert_eq!(
        left(&unused),
        "`SCR001` does not report anything here to ignore; unknown rule `SCR999`; a = 1; b = 2"
    );
}
