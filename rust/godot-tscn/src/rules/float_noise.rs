//! STY005

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::document::{Property, Section, ValueKind};
use crate::edit_set::Edit;
use crate::rules::{Reporter, declare_rule};
use crate::value::tree::PartKind;

declare_rule! {
    /// ## What it does
    /// Reports numbers in a transform, basis or quaternion that are 0, 1 or -1 with a rounding
    /// error: `-4.37114e-08`, `0.99999994`.
    ///
    /// ## Why is this bad?
    /// These numbers change with every save and on every machine, and hide real changes in a diff.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node3D"]
    /// transform = Transform3D(1, 0, 0, 0, -4.37114e-08, -1, 0, 0.99999994, 0, 0, 0, 0)
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node3D"]
    /// transform = Transform3D(1, 0, 0, 0, 0, -1, 0, 1, 0, 0, 0, 0)
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: the numbers change, although by less than is visible.
    ///
    /// ## References
    /// Godot issue 98750
    "STY005", "float-noise", Info, off_by_default
}

/// The rest of a rotation by 90° in 32 bits is below; a value that was set is above.
const NOISE: f64 = 1e-6;

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for property in context.document.sections().flat_map(Section::properties) {
        if property.kind() != ValueKind::Construct {
            continue;
        }
        let edits = denoised(property);
        let Some(first) = edits.first() else { continue };
        let message =
            format!("{} is {} with a rounding error", context.quote(first.span), first.replacement);
        reporter.report(first.span, message).fix(Fix::new(
            "round the numbers",
            Applicability::Unsafe,
            edits,
        ));
    }
}

fn denoised(property: Property<'_>) -> Vec<Edit> {
    let source = property.source();
    let is_rotation = [&b"Transform"[..], b"Basis", b"Quat", b"Matrix3"]
        .iter()
        .any(|name| source.starts_with(name));
    if !is_rotation {
        return Vec::new();
    }
    let tree = property.value_tree();
    let root = tree.root();
    if root.kind() != PartKind::Numbers {
        return Vec::new();
    }
    let rounded = |number: &[u8]| {
        let value: f64 = std::str::from_utf8(number).ok()?.parse().ok()?;
        let round = value.round();
        let is_noise = value != round && (value - round).abs() < NOISE && round.abs() <= 1.0;
        is_noise.then(|| (if round == 0.0 { 0 } else { round as i64 }).to_string())
    };
    root.number_spans()
        .zip(root.numbers())
        .filter_map(|(span, number)| Some(Edit::replace(span, rounded(number)?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, node, rendered};

    #[test]
    fn numbers() {
        let text = node("rotation = Quaternion(1e-08, 0.99999994, -1.0000001, 0.7071068)\n");
        assert_snapshot!(rendered(&RULE, &text), @"
        4:23-4:28 info: `1e-08` is 0 with a rounding error
            at: 1e-08
            unsafe fix: round the numbers
              - rotation = Quaternion(1e-08, 0.99999994, -1.0000001, 0.7071068)
              + rotation = Quaternion(0, 1, -1, 0.7071068)
        ");
        check_fix(&RULE, &text, &node("rotation = Quaternion(0, 1, -1, 0.7071068)\n"));
        clean(&RULE, &node("a = 1e-08\nb = Vector2(1e-08, 0)\n"));
    }
}
