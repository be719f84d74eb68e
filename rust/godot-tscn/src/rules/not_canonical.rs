//! STY001

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::edit_set::Edit;
use crate::format::{FormatOptions, format};
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;

declare_rule! {
    /// ## What it does
    /// Reports a file whose layout differs from Godot's own, like `gdscene format --check`.
    ///
    /// ## Why is this bad?
    /// The next save in the editor changes unrelated lines.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    /// [node type="Node2D" name="A"]
    /// position=Vector2( 1.50, 2 )
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// position = Vector2(1.5, 2)
    /// ```
    ///
    /// ## Fix safety
    /// Safe: the formatter compares the data that Godot reads from both texts, and keeps comments.
    ///
    /// ## References
    /// `ResourceFormatSaverTextInstance::save` (scene/resources/resource_format_text.cpp)
    "STY001", "not-canonical", Info, off_by_default
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let text = context.document.text();
    let mut options = FormatOptions::default();
    (options.path, options.target) = (context.path, context.target);
    // A text that cannot be formatted has errors of its own.
    let Ok(formatted) = format(text, &options) else { return };
    if !formatted.is_changed {
        return;
    }
    let new = formatted.text.as_ref();
    let same = |pair: &(&u8, &u8)| pair.0 == pair.1;
    let start = text.iter().zip(new).take_while(same).count();
    let most = text.len().min(new.len()) - start;
    let end = text.iter().rev().zip(new.iter().rev()).take_while(same).count().min(most);
    // The replacement has to be UTF-8: characters are not cut.
    let start = start - text[..start].iter().rev().take_while(|byte| !byte.is_ascii()).count();
    let end = end - text[text.len() - end..].iter().take_while(|byte| !byte.is_ascii()).count();
    let span = Span::new(start as u32, (text.len() - end) as u32);
    let Ok(replacement) = std::str::from_utf8(&new[start..new.len() - end]) else { return };
    let edits = vec![Edit::replace(span, replacement)];
    reporter
        .report(
            Span::empty(span.start),
            "from here on, the layout differs from Godot's; format the file",
        )
        .fix(Fix::new("format the file", Applicability::Safe, edits));
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, node, rendered};

    #[test]
    fn layout() {
        clean(&RULE, &node("rotation = 0.5\n"));
        assert_snapshot!(rendered(&RULE, &node("rotation =  0.5\n")), @"
        4:12-4:12 info: from here on, the layout differs from Godot's; format the file
            safe fix: format the file
              - rotation =  0.5
              + rotation = 0.5
        ");
        check_fix(&RULE, &node("text= \"é\u{e8}\"\n"), &node("text = \"é\u{e8}\"\n"));
    }
}
