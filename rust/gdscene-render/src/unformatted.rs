//! The diagnostics of `gdscene format --check`.

use godot_tscn::{Applicability, Diagnostic, Edit, Fix, FormatRefusal, RuleGroup, Severity, Span};

/// The finding that `text` should be `formatted`: shown at the first difference, with the fix.
pub fn format_changes(text: &[u8], formatted: &[u8]) -> Diagnostic {
    let start = text.iter().zip(formatted).take_while(|(a, b)| a == b).count();
    let common = text[start..].iter().rev().zip(formatted[start..].iter().rev());
    let end = common.take_while(|(a, b)| a == b).count();
    let (old_end, new_end) = (text.len() - end, formatted.len() - end);
    let line = text[start..old_end].iter().position(|byte| *byte == b'\n');
    let shown = Span::new(start as u32, line.map_or(old_end, |line| start + line) as u32);
    let mut diagnostic = finding("unformatted-file", Severity::Warning, shown);
    diagnostic.message =
        "the layout differs from Godot's; format the file with `gdscene format`".into();
    // The replacement of an edit is UTF-8, and the file may hold other bytes.
    if let Ok(replacement) = std::str::from_utf8(&formatted[start..new_end]) {
        let edit = Edit::replace(Span::new(start as u32, old_end as u32), replacement);
        diagnostic.fix(Fix::new("format the file", Applicability::Safe, vec![edit]));
    }
    diagnostic
}

/// The finding that a text cannot be formatted.
pub fn format_refused(text: &[u8], refusal: &FormatRefusal) -> Diagnostic {
    let end = text.len().min(u32::MAX as usize) as u32;
    let span = refusal.span().unwrap_or(Span::new(0, end.min(1)));
    let mut diagnostic = finding("refused-file", Severity::Error, span);
    diagnostic.message = format!("not formatted: {refusal}");
    diagnostic
}

fn finding(name: &'static str, severity: Severity, span: Span) -> Diagnostic {
    Diagnostic {
        code: "FORMAT",
        name,
        group: RuleGroup::Format,
        severity,
        message: String::new(),
        span,
        labels: Vec::new(),
        consequence: None,
        cause: None,
        help: None,
        fix: None,
    }
}
