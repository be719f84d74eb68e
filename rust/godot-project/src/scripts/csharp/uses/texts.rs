//! Texts in C# that name the member.

use tree_sitter::Node;

use super::{Finder, Meaning};
use crate::scripts::csharp::model::Place;
use crate::scripts::csharp::types::Scope;
use crate::scripts::uses::MemberKind;

/// Functions of Godot objects that take the name of a member of theirs as this argument.
const OF_ITSELF: &[(&str, MemberKind, u32)] = &[
    ("Set", MemberKind::Variable, 0),
    ("Get", MemberKind::Variable, 0),
    ("SetDeferred", MemberKind::Variable, 0),
    ("SetIndexed", MemberKind::Variable, 0),
    ("GetIndexed", MemberKind::Variable, 0),
    ("Call", MemberKind::Function, 0),
    ("Callv", MemberKind::Function, 0),
    ("CallDeferred", MemberKind::Function, 0),
    ("CallThreadSafe", MemberKind::Function, 0),
    ("CallDeferredThreadGroup", MemberKind::Function, 0),
    ("HasMethod", MemberKind::Function, 0),
    ("GetMethodArgumentCount", MemberKind::Function, 0),
    ("Rpc", MemberKind::Function, 0),
    ("RpcId", MemberKind::Function, 1),
    ("RpcConfig", MemberKind::Function, 0),
    ("Connect", MemberKind::Signal, 0),
    ("Disconnect", MemberKind::Signal, 0),
    ("IsConnected", MemberKind::Signal, 0),
    ("EmitSignal", MemberKind::Signal, 0),
    ("HasSignal", MemberKind::Signal, 0),
    ("HasConnections", MemberKind::Signal, 0),
    ("GetSignalConnectionList", MemberKind::Signal, 0),
];

/// Functions that take an object and the name of a member of it behind that.
const OF_FIRST: &[(&str, MemberKind)] = &[
    ("TweenProperty", MemberKind::Variable),
    ("AddDoProperty", MemberKind::Variable),
    ("AddUndoProperty", MemberKind::Variable),
    ("Callable", MemberKind::Function),
    ("AddDoMethod", MemberKind::Function),
    ("AddUndoMethod", MemberKind::Function),
    ("ToSignal", MemberKind::Signal),
    ("Signal", MemberKind::Signal),
];

/// Classes and functions that take other texts: names of actions, messages.
const TAKE_OTHERS: &[&str] = &[
    "Input",
    "InputMap",
    "GD",
    "Console",
    "IsAction",
    "IsActionPressed",
    "IsActionReleased",
    "IsActionJustPressed",
    "IsActionJustReleased",
];

const DOUBT: Meaning =
    Meaning::Doubt("a string with this name in C#, which may mean something else");

impl<'a> Finder<'_, 'a> {
    /// A text that is the name.
    pub(super) fn text(&self, place: &Place<'a>) -> Meaning {
        let around = place.around.iter().map(|step| step.node);
        let mut around = around.skip_while(|node| node.kind() == "string_literal");
        let (Some(argument), Some(list), Some(call)) =
            (around.next(), around.next(), around.next())
        else {
            return DOUBT;
        };
        let is_argument = argument.kind() == "argument" && list.kind() == "argument_list";
        let index = (0..3).find(|index| list.named_child(*index) == Some(argument));
        let Some(index) = index.filter(|_| is_argument) else { return DOUBT };
        let (receiver, function) = match call.kind() {
            "invocation_expression" => {
                let Some(function) = call.child_by_field_name("function") else { return DOUBT };
                match function.child_by_field_name("name") {
                    Some(name) if function.kind() == "member_access_expression" => {
                        (function.child_by_field_name("expression"), name)
                    }
                    Some(name) => (Some(function), name),
                    None => (None, function),
                }
            }
            "object_creation_expression" => match call.child_by_field_name("type") {
                Some(name) => (None, name),
                None => return DOUBT,
            },
            _ => return DOUBT,
        };
        self.text_for(place, (receiver, self.model.type_at(function)), (list, index))
    }

    fn text_for(
        &self,
        place: &Place<'a>,
        (receiver, function): (Option<Node<'a>>, &str),
        (list, index): (Node<'a>, u32),
    ) -> Meaning {
        let kind = self.member.kind;
        if OF_FIRST.contains(&(function, kind)) && index == 1 {
            // `this` has no name in the grammar.
            let last = |argument: Node<'a>| argument.child(argument.child_count().checked_sub(1)?);
            let object = list.named_child(0).and_then(last);
            return object.map_or(DOUBT, |object| self.text_of_object(object, place));
        }
        if OF_ITSELF.contains(&(function, kind, index)) {
            return match receiver {
                Some(object) => self.text_of_object(object, place),
                None if self.has(place.class) => Meaning::Certain("name in a text"),
                None => DOUBT,
            };
        }
        let receiver = receiver.map(|receiver| self.model.type_at(receiver));
        let takes_others = TAKE_OTHERS.contains(&function)
            || receiver.is_some_and(|receiver| TAKE_OTHERS.contains(&receiver));
        if takes_others { Meaning::Other } else { DOUBT }
    }

    /// A name of a member of this object.
    fn text_of_object(&self, object: Node<'a>, place: &Place<'a>) -> Meaning {
        let scope = Scope { class: place.class, member: place.member };
        let found = match self.model.tree.text_of(object) {
            "this" | "base" if self.has(place.class) => return Meaning::Certain("name in a text"),
            _ => self.typing.of(object, scope),
        };
        let Some(found) = found else { return DOUBT };
        match self.of_type(&found) {
            Meaning::Certain(_) => Meaning::Certain("name in a text"),
            // It is of another class of the project, unless it may be an object of this one.
            Meaning::Other
                if self.typing.knows(&found) && !self.member.bases.contains(found.as_str()) =>
            {
                Meaning::Other
            }
            _ => DOUBT,
        }
    }
}
