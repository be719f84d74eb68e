//! What must hold for streams and packets, however their bytes are cut.

use godot_variant_codec::framing::rpc::{Arguments, Packet};
use godot_variant_codec::framing::{ByteOrder, FrameDecoder, FrameError, FrameOptions, LENGTH_LEN};
use godot_variant_codec::variant::Value;
use godot_variant_codec::{DecodeOptions, Dialect, DialectDecoder, Limits};

use super::{TIGHT, has_mark, nulls_as_nil};

/// A stream gives the same values and errors in pieces of any length as at once, and both are what
/// cutting it at the lengths by hand gives.
///
/// The first [`CONTROL_LEN`] bytes are how it is read, see [`Reading::new`].
pub fn stream_chunks(bytes: &[u8]) {
    let Some((control, stream)) = bytes.split_first_chunk() else { return };
    let reading = Reading::new(*control);
    let expected = reading.by_hand(stream);
    assert_eq!(reading.in_pieces(stream, usize::MAX, || usize::MAX), expected, "at once");
    // Pieces of 1 to 16 bytes, or of up to 4096.
    let mut state = u32::from(control[1]);
    let widest = if control[1] & 1 == 0 { 0xF } else { 0xFFF };
    let pieces = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        1 + (state >> 16 & widest) as usize
    };
    assert_eq!(reading.in_pieces(stream, 0, pieces), expected, "in pieces");
}

/// The bytes in front of a stream for [`stream_chunks`].
pub const CONTROL_LEN: usize = 4;

/// How a stream is read.
#[derive(Debug)]
struct Reading {
    options: FrameOptions,
    dialect: &'static Dialect,
}

/// What reading a stream gives, in order: values and errors as text, then how it ended.
type Events = Vec<String>;

impl Reading {
    /// Bits of the first byte: big-endian, exact, tight limits. The second are the pieces, the third
    /// the longest frame by its power of two, the fourth the dialect.
    fn new(control: [u8; CONTROL_LEN]) -> Reading {
        let [flags, _, longest, dialect] = control;
        let limits = if flags & 4 == 0 { Limits::ENGINE } else { TIGHT };
        let byte_order =
            if flags & 1 == 0 { ByteOrder::LittleEndian } else { ByteOrder::BigEndian };
        let options = FrameOptions {
            byte_order,
            max_frame_len: 1 << (longest % 15),
            max_buffered_len: usize::MAX,
            exact: flags & 2 != 0,
            decode: DecodeOptions { limits, ..DecodeOptions::default() },
        };
        let dialect = Dialect::ALL[usize::from(dialect) % Dialect::ALL.len()];
        Reading { options, dialect }
    }

    /// What a decoder gives that holds at most `max_buffered_len` bytes, or one whole frame.
    fn in_pieces(
        &self,
        mut stream: &[u8],
        max_buffered_len: usize,
        mut piece_len: impl FnMut() -> usize,
    ) -> Events {
        let options = FrameOptions { max_buffered_len, ..self.options };
        let most = options.largest_buffered_len();
        let mut decoder = FrameDecoder::with_dialect(options, self.dialect);
        let mut events = Events::new();
        while !stream.is_empty() {
            let mut len = piece_len().min(stream.len());
            let room = most - decoder.buffered_len();
            assert!(room > 0, "there is no room for the rest of a frame");
            if len > room {
                let error = decoder.push(&stream[..len]).expect_err("there is no room");
                assert_eq!(error.code(), "buffer_full");
                len = room;
            }
            decoder.push(&stream[..len]).expect("there is room");
            stream = &stream[len..];
            loop {
                match decoder.next_value() {
                    Ok(Some(value)) => events.push(format!("{value:?}")),
                    Ok(None) => break,
                    Err(error) => {
                        events.push(error.to_string());
                        if error.is_fatal() {
                            return events;
                        }
                    }
                }
            }
        }
        let end = decoder.position();
        events.push(format!("{end} {:?}", decoder.finish().map_err(|error| error.to_string())));
        events
    }

    /// The same without a decoder of streams.
    fn by_hand(&self, stream: &[u8]) -> Events {
        let (mut events, mut at) = (Events::new(), 0);
        let max = self.options.max_frame_len;
        let error = loop {
            let position = at as u64;
            let rest = &stream[at..];
            let ends = FrameError::Unfinished { at: position, available: rest.len() };
            let Some((length, rest)) = rest.split_first_chunk::<LENGTH_LEN>() else { break ends };
            let len = match self.options.byte_order {
                ByteOrder::LittleEndian => u32::from_le_bytes(*length),
                ByteOrder::BigEndian => u32::from_be_bytes(*length),
            };
            if len as usize > max {
                events.push(FrameError::TooLarge { at: position, len, max }.to_string());
                return events;
            }
            let Some(frame) = rest.get(..len as usize) else { break ends };
            events.push(self.one_by_hand(position, frame));
            at += LENGTH_LEN + frame.len();
        };
        let finished = if at == stream.len() { Ok(()) } else { Err(error.to_string()) };
        events.push(format!("{at} {finished:?}"));
        events
    }

    fn one_by_hand(&self, at: u64, frame: &[u8]) -> String {
        let mut value = Value::Nil;
        let mut decoder = DialectDecoder::new(frame, self.dialect, self.options.decode);
        let (decoded, len) = (decoder.decode_into(&mut value), frame.len());
        match decoded {
            Err(error) => FrameError::NoValue { at, error }.to_string(),
            Ok(()) if self.options.exact && decoder.offset() < len => {
                FrameError::TrailingBytes { at, value_len: decoder.offset(), len }.to_string()
            }
            Ok(()) => format!("{value:?}"),
        }
    }
}

/// A packet of a remote call is the same when it is written and taken apart again, and so are its
/// arguments.
pub fn rpc_packets(bytes: &[u8]) {
    let Ok(packet) = Packet::parse(bytes) else { return };
    let written = packet.to_bytes().expect("it has as many arguments as a packet can");
    assert!(written.len() <= bytes.len() + 1, "no id is wider, but a NUL may be added");
    assert_eq!(Packet::parse(&written).expect("we wrote it"), packet);
    let Ok(values) = packet.decode_arguments() else { return };
    let count = if packet.arguments.bare { values.len() } else { packet.argument_count };
    assert_eq!(values.len(), count);
    // A reader takes the mark off a text that begins with one; the next takes another.
    // One empty array of bytes is sent as nothing, as no argument is. The engine cannot distinguish them, either.
    if has_mark(bytes) || values == [Value::PackedByteArray(Vec::new())] {
        return;
    }
    let again = Arguments::new(&values).expect("what was read can be written");
    let again = again.decode(values.len()).expect("we wrote it");
    let plain = |values: Vec<Value>| values.into_iter().map(nulls_as_nil).collect::<Vec<_>>();
    assert_eq!(plain(again), plain(values));
}
