//! For programs that show tests: JUnit's XML. Each file is a test suite, each diagnostic a test that failed.

use std::borrow::Cow;

use godot_tscn::{Diagnostic, Severity};
use quick_xml::Writer;
use quick_xml::events::{BytesEnd, BytesStart, BytesText, Event};

use crate::output::place::{Region, full_message, relative};
use crate::output::{FileDiagnostics, Renderer, Run};

/// The format `junit`.
///
/// A file without diagnostics has one test that passed, so that readers list it, and a diagnostic of the severity `info`
/// passes, too.
pub(crate) struct Junit;

/// A `testcase` element.
struct Case {
    name: String,
    class: String,
    /// The element inside, its type, its message and its text.
    outcome: Option<(&'static str, String, String, String)>,
}

impl Renderer for Junit {
    fn start(&self, out: &mut String) {
        out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gdscene\">\n");
    }

    fn file(&self, out: &mut String, file: &FileDiagnostics<'_>) {
        let path = relative(file.path);
        let mut cases: Vec<Case> =
            file.diagnostics.iter().map(|diagnostic| case(file, &path, diagnostic)).collect();
        if cases.is_empty() {
            cases.push(Case { name: path.clone(), class: "gdscene".to_owned(), outcome: None });
        }
        out.push_str(&suite(&path, &cases));
    }

    fn end(&self, out: &mut String, run: &Run<'_>) {
        for problem in run.problems {
            let path = relative(&problem.path.to_string_lossy());
            let reason = problem.reason.clone();
            let outcome = ("error", "unreadable".to_owned(), reason, String::new());
            let case = Case { name: path.clone(), class: path.clone(), outcome: Some(outcome) };
            out.push_str(&suite(&path, &[case]));
        }
        out.push_str("</testsuites>\n");
    }
}

fn case(file: &FileDiagnostics<'_>, path: &str, diagnostic: &Diagnostic) -> Case {
    let Diagnostic { code, name, severity, span, message, .. } = diagnostic;
    let start = Region::new(file, *span).start;
    let place = format!("{path}:{}:{}", start.line, start.column);
    let outcome = (*severity > Severity::Info).then(|| {
        let text = format!("{place}: {}", full_message(diagnostic));
        ("failure", severity.as_str().to_owned(), message.clone(), text)
    });
    Case {
        name: format!("{code} {name} ({}:{})", start.line, start.column),
        class: path.to_owned(),
        outcome,
    }
}

fn suite(name: &str, cases: &[Case]) -> String {
    let count = |kind| {
        let is_kind = |case: &&Case| case.outcome.as_ref().is_some_and(|outcome| outcome.0 == kind);
        cases.iter().filter(is_kind).count().to_string()
    };
    let tests = cases.len().to_string();
    let (failures, errors) = (count("failure"), count("error"));
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    let attributes =
        [("name", name), ("tests", &tests), ("failures", &failures), ("errors", &errors)];
    // A `Vec` takes everything.
    let _ = writer.write_event(Event::Start(element("testsuite", &attributes)));
    for case in cases {
        write_case(&mut writer, case);
    }
    let _ = writer.write_event(Event::End(BytesEnd::new("testsuite")));
    let mut xml = String::from_utf8_lossy(&writer.into_inner()).into_owned();
    xml.push('\n');
    xml
}

fn write_case(writer: &mut Writer<Vec<u8>>, case: &Case) {
    let start = element("testcase", &[("name", &case.name), ("classname", &case.class)]);
    let Some((kind, class, message, text)) = &case.outcome else {
        let _ = writer.write_event(Event::Empty(start));
        return;
    };
    let _ = writer.write_event(Event::Start(start));
    let inner = element(kind, &[("type", class), ("message", message)]);
    let _ = writer.write_event(Event::Start(inner));
    let _ = writer.write_event(Event::Text(BytesText::new(&allowed(text))));
    let _ = writer.write_event(Event::End(BytesEnd::new(*kind)));
    let _ = writer.write_event(Event::End(BytesEnd::new("testcase")));
}

fn element(name: &'static str, attributes: &[(&str, &str)]) -> BytesStart<'static> {
    let mut element = BytesStart::new(name);
    for (key, value) in attributes {
        element.push_attribute((*key, &*allowed(value)));
    }
    element
}

/// The text without the characters that an XML document must not hold, not even escaped (XML 1.0, production 2).
fn allowed(text: &str) -> Cow<'_, str> {
    let is_forbidden = |character: char| matches!(character, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}');
    if text.contains(is_forbidden) {
        Cow::Owned(text.replace(is_forbidden, "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}
