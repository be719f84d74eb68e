//! C# in a project, by its grammar: classes, literals, types, and uses of names.

mod class;
mod literals;
mod model;
mod syntax;
mod types;
mod uses;

pub use class::CsharpClass;
pub use literals::{CsharpLiteral, CsharpLiterals, CsharpPlace, Receiver};
pub use types::CsharpTypes;
pub use uses::{CsharpMember, CsharpUses};

use godot_tscn::Span;

/// All identifiers of a script, in the order of the text. Nothing for an unreadable text.
pub(crate) fn csharp_names(text: &[u8]) -> Option<Vec<(Span, &str)>> {
    struct Names<'n, 't>(&'n syntax::CsharpTree<'t>, Vec<(Span, &'t str)>);

    impl<'a> syntax::Visitor<'a> for Names<'_, '_> {
        fn enter(&mut self, step: syntax::Step<'a>, _: &[syntax::Step<'a>]) {
            if step.node.kind() == "identifier" {
                self.1.push((syntax::span_of(step.node), self.0.text_of(step.node)));
            }
        }

        fn leave(&mut self, _: tree_sitter::Node<'a>) {}
    }

    let tree = syntax::CsharpTree::parse(text)?;
    let mut names = Names(&tree, Vec::new());
    tree.walk(&mut names)?;
    Some(names.1)
}
