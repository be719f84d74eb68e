//! Packets of RPCs, as the engine's `SceneMultiplayer` sends them.

use godot::builtin::{
    AnyArray, Array, GString, PackedByteArray, VarArray, VarDictionary, Variant, VariantType, vdict,
};
use godot::meta::ToGodot;
use godot::obj::Gd;
use godot_variant_codec::framing::rpc::{Arguments, Packet, PacketError, Target};
use godot_variant_codec::{DecodeError, DecodeOptions, check_argument_collisions};

use crate::decode_options::type_name;
use crate::engine::{EngineValue, Objects, Slot};
use crate::fast_variant_result::FastVariantResult;

/// The bytes of a call, or the reason why it has no bytes.
pub(crate) fn encode(
    node: &Variant,
    method: i64,
    arguments: &AnyArray,
) -> Result<PackedByteArray, String> {
    let method = u16::try_from(method)
        .map_err(|_| format!("the method's id is {method}; expected 0 to 65535"))?;
    let path;
    let target = if let Ok(id) = node.try_to::<i64>() {
        let id = u32::try_from(id).ok().filter(|id| id >> 31 == 0);
        Target::Id(id.ok_or("the node's id is not between 0 and 2147483647")?)
    } else {
        path = match node.get_type() {
            VariantType::STRING | VariantType::STRING_NAME | VariantType::NODE_PATH => {
                node.stringify().to_string()
            }
            _ => {
                let found = type_name(node);
                return Err(format!("the node has the type {found}; expected its id or path"));
            }
        };
        Target::Path(&path)
    };
    let values: Vec<Variant> = arguments.iter_shared().collect();
    let sources: Vec<EngineValue<'_>> =
        values.iter().map(|value| EngineValue::new(value, Objects::AsIds)).collect();
    let arguments = Arguments::new(&sources).map_err(|refusal| refusal.to_string())?;
    let packet = Packet { target, method, argument_count: values.len(), arguments };
    let bytes = packet.to_bytes().map_err(|error| error.to_string())?;
    Ok(PackedByteArray::from(bytes))
}

/// Why bytes are not the packet of a call.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    #[error("{0}")]
    Packet(#[from] PacketError),
    /// An argument, at an offset from the packet's first byte.
    #[error("the arguments: {0}")]
    Argument(DecodeError),
}

impl CallError {
    /// The outcome of a call that does not log.
    pub(crate) fn into_result(self) -> Gd<FastVariantResult> {
        let message = self.to_string();
        match self {
            CallError::Packet(error) => {
                FastVariantResult::misuse(error.code(), &message, error.offset() as i64)
            }
            CallError::Argument(error) => FastVariantResult::failed_saying(&error, &message),
        }
    }
}

/// What a call consists of.
///
/// # Errors
/// The first thing that is wrong with the packet, or passes a limit. If `checks_types`, a value of another type than its typed
/// container declares, too.
pub(crate) fn decode(
    bytes: &[u8],
    options: DecodeOptions,
    checks_types: bool,
) -> Result<VarDictionary, CallError> {
    let (packet, start) = Packet::parse_within(bytes, options.limits)?;
    let argument = |error: DecodeError| CallError::Argument(error.behind(start));
    let (arguments, count) = (&packet.arguments, packet.argument_count);
    check_argument_collisions(arguments, count, options).map_err(argument)?;
    let mut values: VarArray = Array::new();
    let decoded = arguments.decode_each(count, options, |argument| {
        let mut value = Variant::nil();
        argument.read(Slot::new(&mut value).checking_types(checks_types))?;
        values.push(&value);
        Ok(())
    });
    decoded.map_err(argument)?;
    let node = match packet.target {
        Target::Id(id) => i64::from(id).to_variant(),
        Target::Path(path) => GString::from(path).to_variant(),
    };
    Ok(vdict! {
        "node" => &node,
        "method" => i64::from(packet.method),
        "arguments" => &values.to_variant(),
    })
}
