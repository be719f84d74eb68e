//! SYN003

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix, Severity};
use crate::edit_set::Edit;
use crate::quote::quote;
use crate::rules::next_key::{Next, start_of_next};
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;
use crate::syntax::{HashLine, SyntaxErrorKind};

declare_rule! {
    /// ## What it does
    /// Reports lines that begin with `#`.
    ///
    /// ## Why is this bad?
    /// Comments begin with `;`. Among properties, `#` begins a key. The effect depends on the rest of the line:
    /// - Without `=` in the line, the key continues into the next property or tag, which is lost without a warning.
    /// - With `=` and a value, the line is a property with an unknown name. It is only an info, like a line at the end
    ///   of the file. Godot still loads the resources in such a value, and the other rules check them.
    /// - A quoted name replaces the `#` before it, so Godot sets that property.
    /// - With `=` and other text after it, with an open string, and outside properties, Godot does not load the file.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// # always
    /// process_mode = 3
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// ; always
    /// process_mode = 3
    /// ```
    ///
    /// ## Fix safety
    /// Writing `;` is safe outside properties, because Godot cannot load the file otherwise, and at the end of the
    /// file. Among properties the fix is unsafe: the next property takes effect again.
    ///
    /// ## References
    /// `VariantParser::get_token`, `VariantParser::parse_tag_assign_eof`
    /// (core/variant/variant_parser.cpp)
    "SYN003", "hash-comment", Error, for_settings_files
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let lines: Vec<(Span, HashLine)> = context
        .document
        .errors()
        .iter()
        .filter_map(|error| match error.kind {
            SyntaxErrorKind::HashComment(line) => Some((error.span, line)),
            _ => None,
        })
        .collect();
    let mut rest = lines.as_slice();
    while let Some(((first, line), _)) = rest.split_first() {
        let count = if *line == HashLine::Open { open_lines(context, rest) } else { 1 };
        let (run, after) = rest.split_at(count);
        let section = context.document.section_at(first.start);
        let among_properties =
            context.is_config || section.is_some_and(|section| section.kind().takes_properties());
        let name = known_name(context, *first).filter(|_| *line == HashLine::Property);
        let effect = match line {
            _ if !among_properties => REFUSED,
            HashLine::Refused => REFUSED_VALUE,
            HashLine::Property if name.is_some() => NAMED_PROPERTY,
            HashLine::Property => PROPERTY,
            HashLine::Open => effect_of_key(context, run, after),
        };
        report(run, &effect, name, reporter);
        rest = after;
    }
}

/// The effect of lines in Godot.
struct Effect {
    severity: Severity,
    consequence: &'static str,
    applicability: Applicability,
}

const REFUSED: Effect = Effect {
    severity: Severity::Error,
    consequence: "Godot does not load the file",
    applicability: Applicability::Safe,
};
const REFUSED_VALUE: Effect = Effect {
    consequence: "Godot reads a key without a value, and does not load the file",
    // The string or value may go on in the next lines.
    applicability: Applicability::Unsafe,
    ..REFUSED
};
const PROPERTY: Effect = Effect {
    severity: Severity::Info,
    consequence: "Godot reads it as a property with an unknown name",
    applicability: Applicability::Unsafe,
};
const NAMED_PROPERTY: Effect = Effect { severity: Severity::Warning, ..PROPERTY };
const LAST: Effect = Effect {
    severity: Severity::Info,
    consequence: "Godot ignores it, because nothing follows it",
    applicability: Applicability::Safe,
};
const BEFORE_PROPERTY: Effect = Effect {
    severity: Severity::Error,
    consequence: "Godot reads it as the beginning of the next key and drops that property",
    applicability: Applicability::Unsafe,
};
const BEFORE_TAG: Effect = Effect {
    consequence: "Godot reads it as the beginning of a key and drops the next tag, so that the text after the tag belongs to this section",
    ..BEFORE_PROPERTY
};

/// The name of the property that a line sets, unless the name begins with `#`. A quoted part of a key replaces the parts before
/// it: `# "scale" = 2` sets `scale`.
fn known_name(context: &Context<'_>, line: Span) -> Option<String> {
    let property = context.document.property_with_key_at(line.start)?;
    let key = property.engine_key();
    (!key.starts_with(b"#")).then(|| quote(&key))
}

/// How many of the lines, from the first one on, are the beginning of one key.
fn open_lines(context: &Context<'_>, lines: &[(Span, HashLine)]) -> usize {
    let text = context.document.text();
    let follows = |pair: &[(Span, HashLine)]| {
        let [(before, _), (next, line)] = pair else { return false };
        *line == HashLine::Open && start_of_next(text, before.end) == next.start as usize
    };
    1 + lines.windows(2).take_while(|pair| follows(pair)).count()
}

/// The fate of the key that starts with the lines of `run`; `after` are the lines with `#` behind them.
fn effect_of_key(
    context: &Context<'_>,
    run: &[(Span, HashLine)],
    after: &[(Span, HashLine)],
) -> Effect {
    let text = context.document.text();
    let end = run.last().map_or(0, |(line, _)| line.end);
    let next = start_of_next(text, end);
    match Next::after(text, end) {
        // It takes lines from which nothing is read.
        _ if after.first().is_some_and(|(line, _)| line.start as usize == next) => PROPERTY,
        Next::Nothing => LAST,
        Next::Tag => BEFORE_TAG,
        Next::Property => BEFORE_PROPERTY,
    }
}

fn report(
    run: &[(Span, HashLine)],
    effect: &Effect,
    name: Option<String>,
    reporter: &mut Reporter<'_>,
) {
    let Some((first, _)) = run.first() else { return };
    let message = match run.len() {
        1 => "`#` does not start a comment in this format; write `;`".to_owned(),
        count => format!("`#` does not start a comment in this format; write `;` in {count} lines"),
    };
    let edits =
        run.iter().map(|(line, _)| Edit::replace(Span::new(line.start, line.start + 1), ";"));
    let diagnostic = reporter.report(*first, message);
    diagnostic.severity = effect.severity;
    match name {
        Some(name) => diagnostic.consequence(format!("Godot reads it as the property {name}")),
        None => diagnostic.consequence(effect.consequence),
    };
    diagnostic.fix(Fix::new("write `;`", effect.applicability, edits.collect()));
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, node, rendered, rendered_file};

    #[test]
    fn lines_with_hash() {
        assert_snapshot!(rendered(&RULE, &node("# why\na = 1\n")), @"
        4:1-4:6 error: `#` does not start a comment in this format; write `;`
            at: # why
            so: Godot reads it as the beginning of the next key and drops that property
            unsafe fix: write `;`
              - # why
              + ; why
        ");
        let in_the_middle = "a = 1\n  # b = 2\n; c\n# d\n\n# e\n# f = 3\nb = 4\n# g\n[node name=\"B\" type=\"Node\" parent=\".\"]\n# h";
        assert_snapshot!(rendered(&RULE, &node(in_the_middle)), @"
        5:3-5:10 info: `#` does not start a comment in this format; write `;`
            at: # b = 2
            so: Godot reads it as a property with an unknown name
            unsafe fix: write `;`
              -   # b = 2
              +   ; b = 2
        7:1-7:4 info: `#` does not start a comment in this format; write `;` in 2 lines
            at: # d
            so: Godot reads it as a property with an unknown name
            unsafe fix: write `;`
              - # d
              + ; d
              - # e
              + ; e
        10:1-10:8 info: `#` does not start a comment in this format; write `;`
            at: # f = 3
            so: Godot reads it as a property with an unknown name
            unsafe fix: write `;`
              - # f = 3
              + ; f = 3
        12:1-12:4 error: `#` does not start a comment in this format; write `;`
            at: # g
            so: Godot reads it as the beginning of a key and drops the next tag, so that the text after the tag belongs to this section
            unsafe fix: write `;`
              - # g
              + ; g
        14:1-14:4 info: `#` does not start a comment in this format; write `;`
            at: # h
            so: Godot ignores it, because nothing follows it
            safe fix: write `;`
              - # h (no line feed)
              + ; h (no line feed)
        ");
        assert_snapshot!(rendered(&RULE, &node("# = b\nc = 1\n")), @"
        4:1-4:6 error: `#` does not start a comment in this format; write `;`
            at: # = b
            so: Godot reads a key without a value, and does not load the file
            unsafe fix: write `;`
              - # = b
              + ; = b
        ");
        assert_snapshot!(rendered(&RULE, &format!("# head\n{}", node(""))), @"
        1:1-1:7 error: `#` does not start a comment in this format; write `;`
            at: # head
            so: Godot does not load the file
            safe fix: write `;`
              - # head
              + ; head
        ");
        clean(&RULE, &node("a = #ff0000\n"));
    }

    /// Only the first of these takes a key away, as in the `.gdextension` of a published game.
    #[test]
    fn settings() {
        let text = "[libraries]\n# Godot does not find\n# the other one\nlinux.debug = \"res://a.so\"\n\
                    # linux.release = \"res://b.so\"\n# windows.debug = \"res://c.dll\"\n";
        assert_snapshot!(rendered_file(&RULE, "res://a.gdextension", text), @r#"
        2:1-2:22 error: `#` does not start a comment in this format; write `;` in 2 lines
            at: # Godot does not find
            so: Godot reads it as the beginning of the next key and drops that property
            unsafe fix: write `;`
              - # Godot does not find
              - # the other one
              + ; Godot does not find
              + ; the other one
        5:1-5:31 info: `#` does not start a comment in this format; write `;`
            at: # linux.release = "res://b.so"
            so: Godot reads it as a property with an unknown name
            unsafe fix: write `;`
              - # linux.release = "res://b.so"
              + ; linux.release = "res://b.so"
        6:1-6:32 info: `#` does not start a comment in this format; write `;`
            at: # windows.debug = "res://c.dll"
            so: Godot reads it as a property with an unknown name
            unsafe fix: write `;`
              - # windows.debug = "res://c.dll"
              + ; windows.debug = "res://c.dll"
        "#);
    }

    /// Godot loads the resources in the value, so they are used, and they must exist.
    #[test]
    fn values_are_read() {
        let text = "[gd_scene format=3]\n\n[ext_resource type=\"Texture2D\" path=\"res://a.png\" id=\"1\"]\n\n\
                    [node name=\"A\" type=\"Node\"]\n# why\n# a = [ExtResource(\"1\")]\n#b = ExtResource(\"2\"), 3\n";
        let report = crate::lint(text.as_bytes(), &crate::LintOptions::default());
        let found: Vec<_> = report
            .diagnostics
            .iter()
            .filter(|found| found.code != "SYN003")
            .map(|found| (found.code, found.span.of(text.as_bytes())))
            .collect();
        assert_eq!(found, [("REF001", b"\"2\"".as_slice()), ("SYN004", b", 3")]);
        let document = crate::parse(text.as_bytes());
        let keys: Vec<_> = document.sections().last().unwrap().properties().collect();
        let keys: Vec<_> = keys.iter().map(|property| property.engine_key()).collect();
        assert_eq!(keys, [b"#why#a".as_slice(), b"#b"]);
    }

    #[test]
    fn a_quoted_name_replaces_the_hash() {
        assert_snapshot!(rendered(&RULE, &node("# \"scale\" = 2\n")), @r#"
        4:1-4:14 warning: `#` does not start a comment in this format; write `;`
            at: # "scale" = 2
            so: Godot reads it as the property `scale`
            unsafe fix: write `;`
              - # "scale" = 2
              + ; "scale" = 2
        "#);
    }

    /// They are meant as comments, so two of them are not a duplicate; a line that only looks like
    /// one is.
    #[test]
    fn equal_lines_are_not_duplicates() {
        let count = |lines: &str| {
            let report = crate::lint(node(lines).as_bytes(), &crate::LintOptions::default());
            report.diagnostics.iter().filter(|found| found.code == "STR008").count()
        };
        assert_eq!(count("# a = 1\n# a = 1\n# a = 2\n"), 0);
        assert_eq!(count("b = 1 #a = 1\nc = 1 #a = 2\n"), 1);
        assert_eq!(count("\"#a\" = 1\n\"#a\" = 2\n"), 1);
    }

    #[test]
    fn fixes() {
        check_fix(&RULE, &node("# why\na = 1\n"), &node("; why\na = 1\n"));
    }
}
