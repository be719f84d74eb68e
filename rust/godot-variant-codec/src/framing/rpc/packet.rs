//! The packet of one RPC.

use godot_variant::Value;

use super::Arguments;
use crate::error::DecodeError;
use crate::limits::Limits;

/// `SceneMultiplayer::NETWORK_COMMAND_REMOTE_CALL`, bits 0 to 2 of the first byte.
const REMOTE_CALL: u8 = 0;
const COMMAND_MASK: u8 = 0b111;
/// Bits 4 and 5: how wide the node's id is, 0 to 2 for 1, 2, 4 bytes.
const NODE_WIDTH_SHIFT: u8 = 4;
/// Bit 6: the method's id has 2 bytes, not 1.
const WIDE_METHOD: u8 = 1 << 6;
/// Bit 7: see [`Arguments::bare`].
const BARE: u8 = 1 << 7;
/// In the node's id: the rest is the offset of the node's path at the end of the packet.
const NODE_PATH: u32 = 0x8000_0000;

/// A call of a method on another peer, as `SceneMultiplayer` sends it
/// (`SceneRPCInterface::_send_rpc`, modules/multiplayer/scene_rpc_interface.cpp, Godot 4.6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// The node whose method is called.
    pub target: Target<'a>,
    /// Which method: its number among the node's RPC methods, sorted by name. Methods that a script
    /// declares count from 0, those of the node itself from 32768.
    pub method: u16,
    /// How many arguments there are, at most 255.
    pub argument_count: usize,
    /// The arguments.
    pub arguments: Arguments<'a>,
}

/// The node whose method is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target<'a> {
    /// By the number that both peers have agreed on.
    Id(u32),
    /// By its path below the root of the multiplayer API, until they have.
    Path(&'a str),
}

/// Why bytes are not the packet of an RPC.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PacketError {
    /// Another command of the multiplayer API: 1 simplified paths, 2 their confirmation, 3 raw
    /// bytes, 4 spawn, 5 despawn, 6 synchronization, 7 system.
    #[error("not a remote call: the packet's command is {command}")]
    OtherCommand {
        /// The command.
        command: u8,
    },
    /// A width of the node's id that does not exist.
    #[error("the node's id has the unknown width 3 (in byte 0)")]
    UnknownNodeWidth,
    /// The packet ends too soon.
    #[error("the packet ends after {len} bytes, inside {what}")]
    UnexpectedEnd {
        /// The part that is not there as a whole.
        what: &'static str,
        /// The length of the packet.
        len: usize,
    },
    /// The node's path is not where it should be, or is no UTF-8.
    #[error("no node path at byte {offset} of the packet")]
    NoPath {
        /// Where it should be.
        offset: usize,
    },
    /// The packet has more bytes than the caller allows.
    #[error("the packet has {len} bytes; the limit is {max}")]
    TooManyBytes {
        /// Its length.
        len: usize,
        /// The limit.
        max: usize,
    },
    /// The node's path is longer than the caller allows.
    #[error("the node path has {len} bytes; the limit is {max}")]
    PathTooLong {
        /// Its length in bytes of UTF-8.
        len: usize,
        /// The limit.
        max: usize,
        /// Where it begins.
        offset: usize,
    },
    /// More arguments than a packet can have.
    #[error("{count} arguments; the limit is 255")]
    TooManyArguments {
        /// Their number.
        count: usize,
    },
}

impl PacketError {
    /// A stable word for the kind, for programs to match.
    pub fn code(&self) -> &'static str {
        match self {
            PacketError::OtherCommand { .. }
            | PacketError::UnknownNodeWidth
            | PacketError::NoPath { .. } => "not_an_rpc",
            PacketError::UnexpectedEnd { .. } => "unexpected_end",
            PacketError::TooManyBytes { .. } => "too_many_bytes",
            PacketError::PathTooLong { .. } => "text_too_long",
            PacketError::TooManyArguments { .. } => "too_large",
        }
    }

    /// Where: the number of the byte of the packet at which the part begins that is wrong, or at which the packet ends.
    pub fn offset(&self) -> usize {
        match self {
            PacketError::UnexpectedEnd { len, .. } => *len,
            PacketError::NoPath { offset } | PacketError::PathTooLong { offset, .. } => *offset,
            _ => 0,
        }
    }
}

impl<'a> Packet<'a> {
    /// Takes a packet apart; its arguments are not looked at.
    ///
    /// # Errors
    /// What is wrong with the part before the arguments, or with the path behind them.
    pub fn parse(packet: &'a [u8]) -> Result<Packet<'a>, PacketError> {
        Packet::parse_within(packet, Limits::ENGINE).map(|(packet, _)| packet)
    }

    /// [`Packet::parse`] within limits, and the number of the byte at which the arguments begin.
    ///
    /// # Errors
    /// As [`Packet::parse`], and when the packet or the path of the node is longer than allowed.
    pub fn parse_within(
        packet: &'a [u8],
        limits: Limits,
    ) -> Result<(Packet<'a>, usize), PacketError> {
        if packet.len() > limits.max_bytes {
            let (len, max) = (packet.len(), limits.max_bytes);
            return Err(PacketError::TooManyBytes { len, max });
        }
        let mut rest = Rest { packet, position: 0 };
        let [first] = rest.take("the first byte")?;
        if first & COMMAND_MASK != REMOTE_CALL {
            return Err(PacketError::OtherCommand { command: first & COMMAND_MASK });
        }
        let node = match first >> NODE_WIDTH_SHIFT & 0b11 {
            0 => rest.take("the node's id").map(u8::from_le_bytes).map(u32::from)?,
            1 => rest.take("the node's id").map(u16::from_le_bytes).map(u32::from)?,
            2 => rest.take("the node's id").map(u32::from_le_bytes)?,
            _ => return Err(PacketError::UnknownNodeWidth),
        };
        let method = match first & WIDE_METHOD {
            0 => rest.take("the method's id").map(u8::from_le_bytes).map(u16::from)?,
            _ => rest.take("the method's id").map(u16::from_le_bytes)?,
        };
        let (target, end) = target(node, packet)?;
        if let Target::Path(path) = target
            && path.len() > limits.max_string
        {
            let (len, max) = (path.len(), limits.max_string);
            return Err(PacketError::PathTooLong { len, max, offset: end });
        }
        let bare = first & BARE != 0;
        let mut argument_count = 0;
        if !bare {
            let [count] = rest.take("the number of arguments")?;
            argument_count = usize::from(count);
        }
        let what = "the arguments";
        let ends_inside = PacketError::UnexpectedEnd { what, len: packet.len() };
        let bytes = packet.get(rest.position..end).ok_or(ends_inside)?;
        if bare {
            argument_count = usize::from(!bytes.is_empty());
        }
        let arguments = Arguments::received(bytes, bare);
        Ok((Packet { target, method, argument_count, arguments }, rest.position))
    }

    /// Decodes the arguments.
    ///
    /// # Errors
    /// As [`Arguments::decode`].
    pub fn decode_arguments(&self) -> Result<Vec<Value>, DecodeError> {
        self.arguments.decode(self.argument_count)
    }

    /// The packet's bytes, each id as narrow as the engine writes it.
    ///
    /// # Errors
    /// [`PacketError::TooManyArguments`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, PacketError> {
        let count = self.argument_count;
        let count_byte =
            u8::try_from(count).map_err(|_| PacketError::TooManyArguments { count })?;
        let mut bytes = vec![REMOTE_CALL];
        match self.target {
            Target::Id(id) if id <= 0xFF => bytes.push(id as u8),
            Target::Id(id) if id <= 0xFFFF => {
                bytes[0] |= 1 << NODE_WIDTH_SHIFT;
                bytes.extend((id as u16).to_le_bytes());
            }
            Target::Id(id) => {
                bytes[0] |= 2 << NODE_WIDTH_SHIFT;
                bytes.extend(id.to_le_bytes());
            }
            Target::Path(_) => {
                bytes[0] |= 2 << NODE_WIDTH_SHIFT;
                bytes.extend([0; 4]);
            }
        }
        match u8::try_from(self.method) {
            Ok(method) => bytes.push(method),
            Err(_) => {
                bytes[0] |= WIDE_METHOD;
                bytes.extend(self.method.to_le_bytes());
            }
        }
        match self.arguments.bare {
            true => bytes[0] |= BARE,
            false => bytes.push(count_byte),
        }
        bytes.extend_from_slice(&self.arguments.bytes);
        if let Target::Path(path) = self.target {
            let offset = NODE_PATH | bytes.len() as u32;
            bytes[1..5].copy_from_slice(&offset.to_le_bytes());
            bytes.extend_from_slice(path.as_bytes());
            bytes.push(0);
        }
        Ok(bytes)
    }
}

/// The node that `id` names, and where the arguments end.
fn target(id: u32, packet: &[u8]) -> Result<(Target<'_>, usize), PacketError> {
    if id & NODE_PATH == 0 {
        return Ok((Target::Id(id), packet.len()));
    }
    let offset = (id & !NODE_PATH) as usize;
    let no_path = || PacketError::NoPath { offset };
    let bytes = packet.get(offset..).filter(|bytes| !bytes.is_empty()).ok_or_else(no_path)?;
    // The path ends with a NUL.
    let path = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
    let path = std::str::from_utf8(path).map_err(|_| no_path())?;
    Ok((Target::Path(path), offset))
}

struct Rest<'a> {
    packet: &'a [u8],
    position: usize,
}

impl Rest<'_> {
    fn take<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], PacketError> {
        let rest = self.packet.get(self.position..).unwrap_or_default();
        let taken = rest.first_chunk().copied();
        self.position += N;
        taken.ok_or(PacketError::UnexpectedEnd { what, len: self.packet.len() })
    }
}
