//! PERF001

use crate::context::Context;
use crate::document::Section;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports values of more than 64 KiB of text that are or contain a `Packed…Array`.
    ///
    /// ## Why is this bad?
    /// Godot reads text byte by byte, at 7 to 8 MB/s. In a binary file (`.res`, `.scn`), the same array takes a
    /// fraction of the time and space, and does not fill every diff.
    ///
    /// ## Example
    /// A `metadata/points = PackedFloat32Array(…)` with ten thousand numbers.
    ///
    /// ## Use instead
    /// The resource in a separate file, saved as `.res` and listed as `ext_resource`.
    ///
    /// ## References
    /// Godot proposal 8053
    "PERF001", "large-packed-array", Info
}

/// This number of bytes takes Godot about ten milliseconds.
const LARGE: u32 = 64 * 1024;

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if context.facts.longest_value <= LARGE {
        return;
    }
    for property in context.document.sections().flat_map(Section::properties) {
        let size = property.value_span().len();
        if size <= LARGE {
            continue;
        }
        let source = property.source();
        let is_packed = [&b"Packed"[..], b"Pool"].iter().any(|name| {
            memchr::memmem::find(&source[..source.len().min(LARGE as usize)], name).is_some()
        });
        if is_packed {
            let message = format!(
                "the value takes {} KiB of text; move it into a `.res` file",
                size.div_ceil(1024)
            );
            reporter.report(property.key_span(), message);
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn sizes() {
        let file = |count: usize| {
            node(&format!("a = [PackedInt32Array(1{})]\n", ", 1234567".repeat(count)))
        };
        clean(&RULE, &file(100));
        assert_snapshot!(rendered(&RULE, &file(8000)), @"
        4:1-4:2 info: the value takes 71 KiB of text; move it into a `.res` file
            at: a
        ");
        clean(&RULE, &node(&format!("a = \"{}\"\n", "x".repeat(70_000))));
    }
}
