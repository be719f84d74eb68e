//! SEC012

use crate::context::Context;
use crate::harmless::{Refusal, judge};
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports everything in an untrusted file that is not known to be harmless.
    ///
    /// It reports:
    ///
    /// - classes and properties that are not on a list
    /// - values of an unexpected form or out of range
    /// - animation tracks that set other properties
    /// - method calls by signals, except a few
    /// - paths that leave the scene
    /// - BBCode tags that do more than change the look of text
    /// - more nodes, characters, shapes or other objects than the budget allows
    ///
    /// ## Why is this bad?
    /// A list of dangerous data is never complete. Unknown data may run code, load files, reach other nodes, or make
    /// Godot crash or hang.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="HTTPRequest"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// ```
    ///
    /// ## References
    /// `rust/godot-tscn/data/harmless.txt`, and `rust/docs/untrusted-files.md` on how it came about
    "SEC012", "not-known-harmless", Info, off_by_default
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    report(judge(context).refusals, reporter);
}

/// Makes diagnostics of the refusals of the list.
pub(crate) fn report(refusals: Vec<Refusal>, reporter: &mut Reporter<'_>) {
    for refusal in refusals {
        reporter.report(refusal.span, refusal.reason);
    }
}
