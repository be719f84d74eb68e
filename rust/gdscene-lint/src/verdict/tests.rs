use godot_tscn::{LintOptions, Span};

use super::{EngineFinding, EngineRule, add_to_list, named_path};
use crate::rules::all_rules;

/// What is reported of a text for which our rules have found `own`: codes, lines and messages.
fn reported(text: &str, own: &[(&str, u32, &str)], engine: &[EngineFinding]) -> Vec<String> {
    let lines = godot_tscn::LineIndex::new(text.as_bytes());
    let mut found = Vec::new();
    for (code, line, message) in own {
        let rule = all_rules().find(|rule| rule.code == *code).unwrap();
        let at = text.split_inclusive('\n').take(*line as usize - 1).map(str::len).sum::<usize>();
        let span = Span::new(at as u32, at as u32 + 1);
        godot_tscn::Reporter::new(rule, &mut found).report(span, *message);
    }
    let mut options = LintOptions::default();
    options.has_verdict = true;
    add_to_list(&mut found, text.as_bytes(), engine, &options);
    let new = found.iter().skip(own.len());
    new.map(|found| {
        let line = lines.position(found.span.start).line;
        format!("{} {line} {:?}", found.code, std::str::from_utf8(found.span.of(text.as_bytes())))
    })
    .collect()
}

fn load_error(line: Option<u32>, message: &str) -> EngineFinding {
    EngineFinding::new(EngineRule::LoadError, line, message)
}

#[test]
fn places() {
    let text = "\n  a = 1\nb\n";
    let lines = [None, Some(2), Some(3), Some(40)].map(|line| load_error(line, "m"));
    assert_eq!(
        reported(text, &[], &lines),
        [
            "ENG004 2 Ok(\"a = 1\")",
            "ENG004 2 Ok(\"a = 1\")",
            "ENG004 3 Ok(\"b\")",
            "ENG004 4 Ok(\"\")"
        ]
    );
    assert_eq!(reported("", &[], &lines[..1]), ["ENG004 1 Ok(\"\")"]);
}

#[test]
fn what_our_rules_report_is_not_repeated() {
    let text = "a\nb\nc\n";
    let missing = load_error(Some(3), "referenced non-existent resource at: res://gone.png.");
    let whole = load_error(Some(3), "Parse error");
    let known = |own: &[(&str, u32, &str)], engine: &EngineFinding| {
        reported(text, own, std::slice::from_ref(engine)).is_empty()
    };
    assert!(known(&[("RES001", 1, "the file \"res://gone.png\" is missing")], &missing));
    assert!(!known(&[("RES001", 1, "the file \"res://other.png\" is missing")], &missing));
    assert!(known(&[("SYN001", 1, "a quote is missing")], &whole));
    // A warning does not say why a file is refused.
    assert!(!known(&[("REF007", 1, "unused")], &whole));
    // The same line, whatever the message is; but not by rules on style.
    assert!(known(&[("REF007", 3, "unused")], &whole));
    assert!(!known(&[("STY007", 3, "not PascalCase")], &whole));
    let script = EngineFinding::new(EngineRule::ScriptError, Some(2), "m");
    assert!(known(&[("SCR004", 2, "does not compile")], &script));
    assert!(!known(&[("SCR004", 1, "does not compile")], &script));
    let crash = EngineFinding::new(EngineRule::Crash, Some(2), "m");
    assert!(!known(&[("SCR004", 2, "does not compile")], &crash));
}

#[test]
fn rules_are_in_the_order_of_the_kinds() {
    let kinds = [
        (EngineRule::ScriptError, "script-error"),
        (EngineRule::ScriptWarning, "script-warning"),
        (EngineRule::ShaderError, "shader-error"),
        (EngineRule::LoadError, "load-error"),
        (EngineRule::LoadWarning, "load-warning"),
        (EngineRule::RuntimeError, "runtime-error"),
        (EngineRule::Crash, "load-crash"),
        (EngineRule::Timeout, "load-timeout"),
        (EngineRule::ImportError, "import-error"),
    ];
    for (kind, name) in kinds {
        assert_eq!(kind.info().name, name);
    }
    assert_eq!(kinds.len(), super::RULES.len());
}

#[test]
fn paths_in_messages() {
    let paths = [
        ("Failed loading resource: res://a b.png.", Some("res://a")),
        ("'res://a b.png' is gone", Some("res://a b.png")),
        ("at: res://a.png.", Some("res://a.png")),
        ("uid://abc is gone", Some("uid://abc")),
        ("Parse error", None),
        ("res://", None),
    ];
    for (message, path) in paths {
        assert_eq!(named_path(message), path, "{message}");
    }
}
