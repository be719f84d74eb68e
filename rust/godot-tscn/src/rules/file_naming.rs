//! STY008

use crate::context::Context;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;

declare_rule! {
    /// ## What it does
    /// Reports files whose name is not in `snake_case`: small letters, digits and `_`.
    ///
    /// ## Why is this bad?
    /// Windows and macOS treat `Door.tscn` and `door.tscn` as one file; Linux, Android and exported games treat them as
    /// two. Names without capital letters avoid this problem.
    ///
    /// ## Example
    /// A scene in the file `res://MyLevel.tscn`.
    ///
    /// ## Use instead
    /// The file `res://my_level.tscn`.
    ///
    /// ## References
    /// The style guide for projects in Godot's manual
    "STY008", "file-naming", Info, off_by_default
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let Some(path) = context.path else { return };
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let is_snake_case = |character: char| {
        !character.is_uppercase() && (character.is_alphanumeric() || matches!(character, '_' | '.'))
    };
    let message = match context.file_names {
        None if name.chars().all(is_snake_case) => return,
        None => format!("the file name {} is not in `snake_case`", quote(name.as_bytes())),
        Some(pattern) => {
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            if pattern.is_match(stem) {
                return;
            }
            let name = quote(name.as_bytes());
            format!("the file name {name} does not match the pattern `{}`", pattern.description())
        }
    };
    reporter.report(Span::empty(0), message);
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean_file, node, rendered_file};

    #[test]
    fn names() {
        let text = node("");
        for path in ["res://Folder A/my_level_2.tscn", "tür.tscn"] {
            clean_file(&RULE, path, &text);
        }
        let mut found = String::new();
        for path in ["res://MyLevel.tscn", "my-level.tres"] {
            found += &rendered_file(&RULE, path, &text);
        }
        assert_snapshot!(found, @"
        1:1-1:1 info: the file name `MyLevel.tscn` is not in `snake_case`
        1:1-1:1 info: the file name `my-level.tres` is not in `snake_case`
        ");
    }
}
