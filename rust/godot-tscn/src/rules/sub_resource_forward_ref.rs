//! REF003

use std::ops::Range;

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::document::{Reference, ReferenceKind, TagKind};
use crate::model::section_order::reordered;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a `SubResource("…")` that is used before the section that defines its id.
    ///
    /// ## Why is this bad?
    /// Godot reads the file once from top to bottom, and does not accept an id before its definition.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_resource type="Resource" format=3]
    ///
    /// [sub_resource type="GradientTexture1D" id="a"]
    /// gradient = SubResource("b")
    ///
    /// [sub_resource type="Gradient" id="b"]
    ///
    /// [resource]
    /// metadata/x = SubResource("a")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_resource type="Resource" format=3]
    ///
    /// [sub_resource type="Gradient" id="b"]
    ///
    /// [sub_resource type="GradientTexture1D" id="a"]
    /// gradient = SubResource("b")
    ///
    /// [resource]
    /// metadata/x = SubResource("a")
    /// ```
    ///
    /// ## Fix safety
    /// Safe: Godot cannot load the file otherwise. Each resource moves before the first resource that uses it, together
    /// with the comments directly above it. There is no fix for resources that use each other in a cycle.
    ///
    /// ## References
    /// `ResourceLoaderText::_parse_sub_resource` (scene/resources/resource_format_text.cpp)
    "REF003", "sub-resource-forward-ref", Error
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if !context.sub_resources.has_early_use {
        return;
    }
    // It sorts all resources, so the first diagnostic alone has it.
    let mut fix = std::iter::once_with(|| sorted(context)).flatten();
    for reference in context.document.references() {
        if reference.kind != ReferenceKind::SubResource {
            continue;
        }
        let id = context.document.target(reference);
        let Some(definition) = context.sub_resources.find(&id) else {
            continue;
        };
        // A resource may refer to itself: it exists before its properties are read.
        if reference.section.is_some_and(|section| section >= definition.section.index()) {
            continue;
        }
        let message =
            format!("{} is used before its definition; move the definition up", quote(&id));
        let diagnostic = reporter.report(reference.target, message);
        diagnostic
            .label(definition.section.tag_span(), "defined here")
            .consequence("Godot does not load the file")
            .fix = fix.next();
    }
}

/// Sorts the `sub_resource` sections so that each comes after its dependencies; sections that can
/// stay in place do.
fn sorted(context: &Context<'_>) -> Option<Fix> {
    let document = context.document;
    let is_sub = |index: u32| document.section(index).kind() == TagKind::SubResource;
    let count = document.sections().len() as u32;
    let first = (0..count).find(|index| is_sub(*index))?;
    let end = (first..count).find(|index| !is_sub(*index)).unwrap_or(count);
    // Elsewhere the order of kinds is wrong, which is corrected first; with a repeated id the users
    // are unknown.
    if (end..count).any(is_sub) || context.sub_resources.duplicates().next().is_some() {
        return None;
    }
    let used_by = |user: u32| {
        let references = document.section(user).references().iter();
        let to_sub = |reference: &&Reference| reference.kind == ReferenceKind::SubResource;
        references.filter(to_sub).filter_map(move |reference| {
            let definition = context.sub_resources.find(&document.target(reference))?;
            Some(definition.section.index()).filter(|used| *used != user)
        })
    };
    let order = (0..first).chain(users_last(first..end, used_by)?).chain(end..count);
    let edit = reordered(document, &order.collect::<Vec<_>>())?;
    Some(Fix::new("sort the resources by use", Applicability::Safe, vec![edit]))
}

/// The items of `range`, each after those that `used_by` gives for it; nothing if there is a circle.
fn users_last<I: Iterator<Item = u32>>(
    range: Range<u32>,
    used_by: impl Fn(u32) -> I,
) -> Option<Vec<u32>> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; range.len()];
    let mut sorted = Vec::with_capacity(range.len());
    // Not recursive: a chain may be as long as the file.
    let mut open: Vec<(u32, I)> = Vec::new();
    for root in range.clone() {
        if states[(root - range.start) as usize] == State::New {
            states[(root - range.start) as usize] = State::Open;
            open.push((root, used_by(root)));
        }
        while let Some((user, used)) = open.last_mut() {
            let Some(next) = used.next() else {
                states[(*user - range.start) as usize] = State::Done;
                sorted.push(*user);
                open.pop();
                continue;
            };
            match states[(next - range.start) as usize] {
                State::New => {
                    states[(next - range.start) as usize] = State::Open;
                    open.push((next, used_by(next)));
                }
                State::Open => return None,
                State::Done => {}
            }
        }
    }
    Some(sorted)
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, diagnostics, rendered};

    #[test]
    fn order() {
        let found = rendered(
            &RULE,
            "[gd_scene format=3]\n[sub_resource type=\"A\" id=\"a\"]\nx = SubResource(\"b\")\n\
             y = SubResource(\"a\")\n[sub_resource type=\"B\" id=\"b\"]\nx = SubResource(\"a\")\n\
             [node name=\"A\" type=\"Node\"]\nx = SubResource(\"b\")\n",
        );
        assert_snapshot!(found, @r#"
        3:17-3:20 error: `b` is used before its definition; move the definition up
            at: "b"
            label 5:1-5:31: defined here: [sub_resource type="B" id="b"]
            so: Godot does not load the file
        "#);
    }

    const HEAD: &str = "[gd_scene format=3]\n\n";
    const END: &str = "[node name=\"A\" type=\"Node\"]\n";

    fn sub(id: &str, used: &str) -> String {
        let used: String =
            used.chars().map(|used| format!("x{used} = [SubResource(\"{used}\")]\n")).collect();
        format!("; {id}\n[sub_resource type=\"A\" id=\"{id}\"]\n{used}\n")
    }

    #[test]
    fn fixes() {
        for (before, after) in [
            ([("a", "b"), ("b", "")].as_slice(), [("b", ""), ("a", "b")].as_slice()),
            // Sections stay if they can.
            (
                &[("a", ""), ("b", "d"), ("c", "a"), ("d", "ad"), ("e", "")],
                &[("a", ""), ("d", "ad"), ("b", "d"), ("c", "a"), ("e", "")],
            ),
            (
                &[("a", "b"), ("b", "c"), ("c", "d"), ("d", "")],
                &[("d", ""), ("c", "d"), ("b", "c"), ("a", "b")],
            ),
        ] {
            let file = |subs: &[(&str, &str)]| {
                let subs: String = subs.iter().map(|(id, used)| sub(id, used)).collect();
                format!("{HEAD}{subs}{END}")
            };
            check_fix(&RULE, &file(before), &file(after));
        }
    }

    #[test]
    fn no_fix() {
        let circle = [sub("a", "b"), sub("b", "c"), sub("c", "a")].concat();
        let twice = [sub("a", "b"), sub("b", ""), sub("b", "")].concat();
        let apart = [sub("a", "b"), END.to_owned(), sub("b", "")].concat();
        for subs in [circle, twice, apart] {
            let found = diagnostics(&RULE, format!("{HEAD}{subs}{END}").as_bytes());
            assert!(!found.is_empty() && found.iter().all(|found| found.fix.is_none()), "{subs}");
        }
    }

    #[test]
    fn long_chains() {
        let subs: String = (0..20_000)
            .map(|n| {
                format!("[sub_resource type=\"A\" id=\"{n}\"]\nx = SubResource(\"{}\")\n", n + 1)
            })
            .collect();
        let text = format!("{HEAD}{subs}[sub_resource type=\"A\" id=\"20000\"]\n{END}");
        assert!(diagnostics(&RULE, text.as_bytes())[0].fix.is_some());
    }
}
