//! STR015

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::document::{Field, Section, TagKind, ValueKind};
use crate::edit_set::Edit;
use crate::rules::load_steps_obsolete::has_no_load_steps;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;

declare_rule! {
    /// ## What it does
    /// Reports a `load_steps` that differs from the number of resources plus one, a `load_steps` in a file without
    /// resources, and, in files of Godot 3, a missing `load_steps`. For Godot 4.6 and newer, see `load-steps-obsolete`.
    ///
    /// ## Why is this bad?
    /// Progress bars and tools rely on this number. Godot loads the file anyway, and since 4.6 it no longer writes the
    /// field.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene load_steps=5 format=3]
    ///
    /// [ext_resource type="Script" path="res://a.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene load_steps=2 format=3]
    ///
    /// [ext_resource type="Script" path="res://a.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    ///
    /// ## Fix safety
    /// Safe: every version of Godot loads the same data.
    ///
    /// ## References
    /// `ResourceFormatSaverTextInstance::save` (scene/resources/resource_format_text.cpp, up to 4.5)
    "STR015", "load-steps-mismatch", Info
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let document = context.document;
    let Some(header) = document.sections().next() else {
        return;
    };
    // There it is another rule's.
    if has_no_load_steps(context) {
        return;
    }
    let is_header = matches!(header.kind(), TagKind::GdScene | TagKind::GdResource);
    if !is_header || header.is_broken() || document.is_incomplete() || context.hides_sections {
        return;
    }
    let is_resource = |section: &Section<'_>| {
        matches!(section.kind(), TagKind::ExtResource | TagKind::SubResource)
    };
    let count = document.sections().filter(is_resource).count();
    let Some(field) = header.field("load_steps") else {
        let format = header.field("format").and_then(Field::int);
        if count > 0 && matches!(format, Some(1 | 2)) {
            let name = header.name_span();
            let edits = vec![Edit::insert(name.end, format!(" load_steps={}", count + 1))];
            reporter
                .report(
                    name,
                    format!(
                        "`load_steps` is missing in a file with {}; add `load_steps={}`",
                        resources(count),
                        count + 1
                    ),
                )
                .fix(Fix::new("add `load_steps`", Applicability::Safe, edits));
        }
        return;
    };
    if count == 0 {
        let end = field.span().end;
        let blank = document.text().get(end as usize) == Some(&b' ');
        let edits = vec![Edit::remove(Span::new(field.span().start, end + u32::from(blank)))];
        reporter
            .report(field.span(), "the file has no resources to load; remove `load_steps`")
            .fix(Fix::new("remove `load_steps`", Applicability::Safe, edits));
    } else if field.int() != Some(count as i64 + 1) && field.kind() == ValueKind::Int {
        let right = (count + 1).to_string();
        let message = format!("`load_steps` must be {right} for {}", resources(count));
        let edits = vec![Edit::replace(field.value_span(), right)];
        reporter.report(field.value_span(), message).fix(Fix::new(
            "correct the number",
            Applicability::Safe,
            edits,
        ));
    }
}

/// `1 resource`, `2 resources`.
fn resources(count: usize) -> String {
    format!("{count} resource{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, rendered};

    const REST: &str = "[ext_resource path=\"a\" type=\"A\" id=1]\n[sub_resource type=\"A\" id=1]\n\
                        [node name=\"A\" type=\"Node\"]\n";

    #[test]
    fn counts() {
        let file = |header: &str| format!("{header}\n{REST}");
        clean(&RULE, &file("[gd_scene load_steps=3 format=2]"));
        clean(&RULE, &file("[gd_scene format=3]"));
        assert_snapshot!(rendered(&RULE, &file("[gd_scene load_steps=4 format=3]")), @"
        1:22-1:23 info: `load_steps` must be 3 for 2 resources
            at: 4
            safe fix: correct the number
              - [gd_scene load_steps=4 format=3]
              + [gd_scene load_steps=3 format=3]
        ");
        assert_snapshot!(rendered(&RULE, &file("[gd_scene format=2]")), @"
        1:2-1:10 info: `load_steps` is missing in a file with 2 resources; add `load_steps=3`
            at: gd_scene
            safe fix: add `load_steps`
              - [gd_scene format=2]
              + [gd_scene load_steps=3 format=2]
        ");
    }

    #[test]
    fn fixes() {
        let file = |header: &str| format!("{header}\n{REST}");
        check_fix(
            &RULE,
            &file("[gd_scene load_steps=4 format=2]"),
            &file("[gd_scene load_steps=3 format=2]"),
        );
        check_fix(&RULE, &file("[gd_scene format=2]"), &file("[gd_scene load_steps=3 format=2]"));
        let node = "[node name=\"A\" type=\"Node\"]\n";
        check_fix(
            &RULE,
            &format!("[gd_scene load_steps=1 format=2]\n{node}"),
            &format!("[gd_scene format=2]\n{node}"),
        );
    }
}
