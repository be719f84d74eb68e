//! SCR004

use godot_tscn::{LFS_POINTER, Reporter, Span};
use memchr::memchr;

use crate::rules::context::ScriptContext;
use crate::rules::declare_rule;

declare_rule! {
    for_scripts
    /// ## What it does
    /// Reports a script in GDScript that holds the marks of a merge conflict, NUL bytes, bytes that are not UTF-8, or a pointer of
    /// Git LFS in place of its text.
    ///
    /// ## Why is this bad?
    /// The script does not compile, or Godot reads only the text before the NUL byte. Nodes that have it lose it.
    ///
    /// ## Example
    /// ```gdscript
    /// extends Node
    /// <<<<<<< HEAD
    /// var speed := 1.0
    /// =======
    /// var speed := 2.0
    /// >>>>>>> faster
    /// ```
    ///
    /// ## Use instead
    /// ```gdscript
    /// extends Node
    /// var speed := 2.0
    /// ```
    ///
    /// ## References
    /// `GDScript::load_source_code` (modules/gdscript/gdscript.cpp), `GDScriptTokenizerText::check_vcs_marker`
    /// (modules/gdscript/gdscript_tokenizer.cpp)
    "SCR004", "broken-script", Error
}

const FAILS: &str = "the script does not compile";

fn check(context: &ScriptContext<'_>, reporter: &mut Reporter<'_>) {
    let text = context.text;
    let span = |start: usize, end: usize| Span::new(start as u32, end as u32);
    if text.starts_with(LFS_POINTER) {
        let message = "this is a pointer of Git LFS, not the script; run `git lfs pull`";
        reporter.report(span(0, LFS_POINTER.len()), message).consequence(FAILS);
    } else if let Some(at) = memchr(0, text) {
        let message = "the script holds a NUL byte; restore it from version control";
        reporter.report(span(at, at + 1), message).consequence("Godot does not read what follows");
    } else if let Err(error) = std::str::from_utf8(text) {
        let start = error.valid_up_to();
        let end = start + error.error_len().unwrap_or(1);
        let message = "the script is not UTF-8; save it as UTF-8";
        reporter.report(span(start, end), message).consequence("Godot does not load the script");
    } else if let Some((start, end)) = conflict(text)
        && !is_in_string(context, span(start, end))
    {
        let message = "a merge conflict is not settled; keep one side and remove the marks";
        reporter.report(span(start, end), message).consequence(FAILS);
    }
}

/// Whether Godot reads the marks as part of a string with several lines.
fn is_in_string(context: &ScriptContext<'_>, mark: Span) -> bool {
    let source = context.source();
    source.is_some_and(|source| source.strings().iter().any(|found| found.span.contains(mark)))
}

/// The first mark of a conflict, if all marks are there in their order.
fn conflict(text: &[u8]) -> Option<(usize, usize)> {
    let mut wanted = [&b"<<<<<<< "[..], b"=======", b">>>>>>> "].into_iter().peekable();
    let (mut at, mut first) = (0, None);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if wanted.next_if(|mark| line.starts_with(mark)).is_some() {
            first.get_or_insert((at, at + line.trim_ascii_end().len()));
        }
        at += line.len();
    }
    first.filter(|_| wanted.peek().is_none())
}
