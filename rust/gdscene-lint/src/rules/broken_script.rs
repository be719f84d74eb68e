//! SCR004

mod refused;

use godot_tscn::{LFS_POINTER, Reporter, Span};
use memchr::memchr;

use crate::rules::context::ScriptContext;
use crate::rules::declare_rule;

declare_rule! {
    for_scripts
    /// ## What it does
    /// Reports a GDScript file that Godot cannot compile. The file contains merge conflict markers, NUL bytes, bytes
    /// that are not UTF-8, a Git LFS pointer instead of its text, or a declaration that Godot 4 does not accept.
    ///
    /// These declarations are:
    ///
    /// - a `class_name` that another script already uses, and a class with the name of an autoload, a type or a Godot
    ///   class
    /// - a base class or variable type that is neither a Godot class nor a class of the project
    /// - a variable or signal with the name of a member of its base, which can be a script or a Godot class
    /// - an exported variable whose type the script cannot export: a node in a script that does not extend `Node`, or a
    ///   class that is neither a node nor a resource
    ///
    /// An extension or an engine module may provide unknown classes. If the project has a GDExtension, the rule does
    /// not report unknown classes. Without one, an unknown class is a warning if no known class has a similar name.
    /// Inside the editor, the rule knows the classes of extensions.
    ///
    /// ## Why is this bad?
    /// The script does not compile, or Godot reads only the text before the NUL byte. Nodes and resources that use the
    /// script lose it, and the next save removes the values of its variables from their files.
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
    /// (modules/gdscript/gdscript_tokenizer.cpp), `GDScriptAnalyzer::resolve_class_inheritance`,
    /// `GDScriptAnalyzer::resolve_datatype` (modules/gdscript/gdscript_analyzer.cpp), `GDScriptParser::export_annotations`
    /// (modules/gdscript/gdscript_parser.cpp)
    "SCR004", "broken-script", Error
}

const FAILS: &str = "the script does not compile";

fn check(context: &ScriptContext<'_>, reporter: &mut Reporter<'_>) {
    let text = context.text;
    let span = |start: usize, end: usize| Span::new(start as u32, end as u32);
    if text.starts_with(LFS_POINTER) {
        let message = "this is a Git LFS pointer, not the script; run `git lfs pull`";
        reporter.report(span(0, LFS_POINTER.len()), message).consequence(FAILS);
    } else if let Some(at) = memchr(0, text) {
        let message = "the script contains a NUL byte; restore it from version control";
        reporter
            .report(span(at, at + 1), message)
            .consequence("Godot does not read the text after it");
    } else if let Err(error) = std::str::from_utf8(text) {
        let start = error.valid_up_to();
        let end = start + error.error_len().unwrap_or(1);
        let message = "the script is not valid UTF-8; save it as UTF-8";
        reporter.report(span(start, end), message).consequence("Godot does not load the script");
    } else if let Some((start, end)) = conflict(text)
        && !is_in_string(context, span(start, end))
    {
        let message = "unresolved merge conflict; keep one side and remove the markers";
        reporter.report(span(start, end), message).consequence(FAILS);
    } else {
        refused::check(context, reporter);
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
