//! STY007

use crate::context::Context;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports node names that are not in `PascalCase`: a capital letter first, then letters and digits.
    ///
    /// ## Why is this bad?
    /// Godot's own nodes and its style guide use this form. Paths in scripts are easier to write if all names have the
    /// same form.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="my_node" type="Node"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="MyNode" type="Node"]
    /// ```
    ///
    /// ## References
    /// The style guide for projects in Godot's manual, gdtoolkit issue 315
    "STY007", "node-naming", Info, off_by_default
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for node in &context.node_tree.nodes {
        let (Some(name), Some(field)) = (&node.name, node.section.field("name")) else { continue };
        // A node that another scene brings has its name from there.
        let is_own =
            node.section.field("type").is_some() || node.section.field("instance").is_some();
        if !is_own {
            continue;
        }
        let message = match context.node_names {
            None if is_pascal_case(name) => continue,
            None => format!("the name {} is not in `PascalCase`", quote(name)),
            Some(pattern) if pattern.is_match(&String::from_utf8_lossy(name)) => continue,
            Some(pattern) => {
                format!(
                    "the name {} does not match the pattern `{}`",
                    quote(name),
                    pattern.description()
                )
            }
        };
        reporter.report(field.value_span(), message);
    }
}

/// Scripts without capitals, such as Chinese, are left alone.
fn is_pascal_case(name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name);
    let mut characters = name.chars();
    let starts_well =
        characters.next().is_some_and(|first| !first.is_lowercase() && first.is_alphabetic());
    starts_well && characters.all(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn names() {
        let file =
            |name: &str| node(&format!("[node name=\"{name}\" type=\"Node\" parent=\".\"]\n"));
        for name in ["Node2D", "Äpfel", "節点", "HTTPRequest"] {
            clean(&RULE, &file(name));
        }
        let mut found = String::new();
        for name in ["node", "My Node", "My_Node", "2D", "ärger"] {
            found += &rendered(&RULE, &file(name));
        }
        assert_snapshot!(found, @r#"
        4:12-4:18 info: the name `node` is not in `PascalCase`
            at: "node"
        4:12-4:21 info: the name `My Node` is not in `PascalCase`
            at: "My Node"
        4:12-4:21 info: the name `My_Node` is not in `PascalCase`
            at: "My_Node"
        4:12-4:16 info: the name `2D` is not in `PascalCase`
            at: "2D"
        4:12-4:19 info: the name `ärger` is not in `PascalCase`
            at: "ärger"
        "#);
    }
}
