//! Packets of RPCs, as the engine's `SceneMultiplayer` sends them.

use godot::builtin::{
    AnyArray, Array, GString, PackedByteArray, VarArray, VarDictionary, Variant, VariantType, vdict,
};
use godot::meta::ToGodot;
use godot_variant_codec::DecodeOptions;
use godot_variant_codec::framing::rpc::{Arguments, Packet, Target};

use crate::decode_options::type_name;
use crate::engine::{EngineValue, Objects, Slot};

/// The bytes of a call, or why there are none.
pub(crate) fn encode(
    node: &Variant,
    method: i64,
    arguments: &AnyArray,
) -> Result<PackedByteArray, String> {
    let method = u16::try_from(method)
        .map_err(|_| format!("the method's id is {method}, expected 0 to 65535"))?;
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
                return Err(format!("the node is of type {found}, expected its id or path"));
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

/// What a call consists of, or why the bytes are none.
pub(crate) fn decode(bytes: &[u8], options: DecodeOptions) -> Result<VarDictionary, String> {
    let packet = Packet::parse(bytes).map_err(|error| error.to_string())?;
    let mut values: VarArray = Array::new();
    packet
        .arguments
        .decode_each(packet.argument_count, options, |argument| {
            let mut value = Variant::nil();
            argument.read(Slot::new(&mut value))?;
            values.push(&value);
            Ok(())
        })
        .map_err(|error| format!("the arguments: {error}"))?;
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
