//! Where scripts in C# declare a member.

use tree_sitter::Node;

use super::{DECLARATION, Finder, MOST_PARTS, Meaning, USE};
use crate::scripts::csharp::model::Place;
use crate::scripts::uses::MemberKind;

impl<'a> Finder<'_, 'a> {
    pub(super) fn declaration(&self, place: &Place<'a>, kind: MemberKind) -> Meaning {
        let index = place.class.filter(|class| self.model.classes[*class].parent.is_none());
        let Some(index) = index.filter(|_| kind == self.member.kind) else {
            return Meaning::Other;
        };
        // It is seen by the interface alone.
        if self.has_child(place, |child| child.kind() == "explicit_interface_specifier") {
            return Meaning::Other;
        }
        if self.owners.has(index) {
            Meaning::Certain(DECLARATION)
        } else if self.owners.hides(index) {
            Meaning::Doubt("a derived class declares the name again")
        } else {
            Meaning::Other
        }
    }

    /// Whether it is a declaration with `override` in the class that is to declare the member.
    pub(super) fn is_own_override(&self, place: &Place<'a>) -> bool {
        let class = place.class.map(|class| self.model.classes[class].name);
        class == Some(self.member.class)
            && self.has_child(place, |child| self.model.tree.text_of(child) == "override")
    }

    /// Whether the declaration at a place has such a part.
    fn has_child(&self, place: &Place<'a>, is: impl Fn(Node<'a>) -> bool) -> bool {
        let Some(member) = place.member.map(|member| self.model.members[member].node) else {
            return false;
        };
        let mut cursor = member.walk();
        member.named_children(&mut cursor).take(MOST_PARTS).any(is)
    }

    /// The name of the delegate of a signal.
    pub(super) fn delegate(&self, place: &Place<'a>) -> Meaning {
        let Some(parent) = place.around.first().map(|step| step.node) else {
            return Meaning::Other;
        };
        let of_class = |class: Option<Node<'a>>| {
            let name = class.map(|class| self.model.type_at(class));
            match name.is_some_and(|name| self.names(name)) {
                true => Meaning::Certain(USE),
                false => Meaning::Other,
            }
        };
        match (parent.kind(), place.step.field) {
            ("delegate_declaration", Some("name")) => self.declaration(place, MemberKind::Signal),
            ("qualified_name", Some("name")) => of_class(parent.child_by_field_name("qualifier")),
            ("member_access_expression", Some("name")) => {
                of_class(parent.child_by_field_name("expression"))
            }
            _ if place.step.node.kind() != "identifier" => Meaning::Other,
            _ if self.is_inside(place) => Meaning::Certain(USE),
            _ => Meaning::Other,
        }
    }
}
