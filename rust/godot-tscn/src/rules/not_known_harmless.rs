//! SEC012

use crate::context::Context;
use crate::harmless::{Refusal, judge};
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports all that is not known to be harmless in an untrusted file: classes and properties that are not on a
    /// list, values of another shape or out of range, tracks of animations that set anything else, calls by signals but
    /// for a few, paths that leave the scene, BBCode tags that do more than change how text looks, and sizes and counts
    /// that add up to too much.
    ///
    /// ## Why is this bad?
    /// A list of what is dangerous is never complete. What is not known to be harmless may run code, load files, reach
    /// other nodes, or make Godot crash or hang.
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

/// Makes diagnostics of what the list refuses.
pub(crate) fn report(refusals: Vec<Refusal>, reporter: &mut Reporter<'_>) {
    for refusal in refusals {
        reporter.report(refusal.span, refusal.reason);
    }
}
