//! Calls that take the name of a member as a text.

use crate::scripts::uses::MemberKind;

/// The argument that names a member, and its object.
pub(super) struct NamingCall {
    /// Which argument is the name.
    pub(super) name: usize,
    /// Which argument is the object; nothing where the call is one of the object itself.
    pub(super) object: Option<usize>,
    /// Whether the text may be a path: `position:x`.
    pub(super) is_path: bool,
}

const fn of_itself(name: usize) -> NamingCall {
    NamingCall { name, object: None, is_path: false }
}

const fn of_argument(name: usize, object: usize) -> NamingCall {
    NamingCall { name, object: Some(object), is_path: false }
}

/// How a call of a function with a text as this argument names a member of this kind; nothing if it does not.
pub(super) fn naming_call(function: &str, argument: usize, kind: MemberKind) -> Option<NamingCall> {
    let calls = match kind {
        MemberKind::Variable => variables(function),
        MemberKind::Function => functions(function),
        MemberKind::Signal => signals(function),
    };
    calls.into_iter().find(|call| call.name == argument)
}

fn variables(function: &str) -> Vec<NamingCall> {
    let call = match function {
        "get"
        | "set"
        | "set_deferred"
        | "set_thread_safe"
        | "set_deferred_thread_group"
        | "rset"
        | "rset_unreliable"
        | "property_can_revert"
        | "property_get_revert" => of_itself(0),
        "rset_id" => of_itself(1),
        "get_indexed" | "set_indexed" => NamingCall { is_path: true, ..of_itself(0) },
        "tween_property" | "interpolate_property" | "follow_property" | "targeting_property" => {
            NamingCall { is_path: true, ..of_argument(1, 0) }
        }
        "add_do_property" | "add_undo_property" => of_argument(1, 0),
        _ => return Vec::new(),
    };
    vec![call]
}

fn functions(function: &str) -> Vec<NamingCall> {
    let call = match function {
        "call"
        | "callv"
        | "call_deferred"
        | "call_thread_safe"
        | "call_deferred_thread_group"
        | "has_method"
        | "rpc"
        | "rpc_unreliable"
        | "rpc_config"
        | "get_method_argument_count" => of_itself(0),
        "rpc_id" | "rpc_unreliable_id" => of_itself(1),
        "Callable" | "funcref" | "add_do_method" | "add_undo_method" => of_argument(1, 0),
        "connect" | "disconnect" | "is_connected" => of_argument(2, 1),
        "interpolate_callback" | "interpolate_deferred_callback" => of_argument(2, 0),
        "interpolate_method" => of_argument(1, 0),
        "start" => of_argument(1, 0),
        // The nodes of a group: of any type.
        "call_group" => NamingCall { name: 1, object: Some(usize::MAX), is_path: false },
        "call_group_flags" => NamingCall { name: 2, object: Some(usize::MAX), is_path: false },
        _ => return Vec::new(),
    };
    vec![call]
}

fn signals(function: &str) -> Vec<NamingCall> {
    match function {
        "connect"
        | "disconnect"
        | "is_connected"
        | "emit_signal"
        | "has_signal"
        | "has_connections"
        | "get_signal_connection_list" => vec![of_itself(0)],
        "Signal" | "yield" => vec![of_argument(1, 0)],
        "call_deferred" | "call" => Vec::new(),
        _ => Vec::new(),
    }
}
