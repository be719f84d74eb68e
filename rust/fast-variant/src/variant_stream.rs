//! `VariantStream`: values out of a stream of bytes.
#![allow(clippy::needless_pass_by_value, reason = "gdext hands arguments over by value")]
#![allow(unreachable_pub, reason = "gdext makes the getters of properties public")]

use godot::builtin::{GString, PackedByteArray, Variant};
use godot::classes::{IRefCounted, RefCounted};
use godot::global::{Error, godot_error};
use godot::obj::{Base, Gd};
use godot::register::{GodotClass, godot_api};
use godot_variant::Refusal;
use godot_variant_codec::framing::{
    ByteOrder, FrameDecoder, FrameError, FrameOptions, append_frame,
};
use godot_variant_codec::{EncodeOptions, Limits, MAX_LEN};

use crate::by_name::StreamPeerArgument;
use crate::decode_options::CallOptions;
use crate::engine::{self, EngineValue, Objects, Slot};
use crate::fast_variant::decode_with;
use crate::fast_variant_result::FastVariantResult;
use crate::options_argument::OptionsArgument;

/// Reads values from a stream of bytes that comes in pieces of any length, such as a TCP connection, and writes them.
///
/// The format is that of [method StreamPeer.put_var] and [method FileAccess.store_var]: a length of 4 bytes, then the value. The other end may use those, another [VariantStream], or the Rust crate [code]godot-variant-codec[/code].
///
/// Unlike [method StreamPeer.get_var] it never waits, and it takes no memory for bytes that are not there yet.
///
/// A stream must be used by one thread at a time, and not by the scripts of the objects that it decodes.
///
/// ```gdscript
/// var stream := VariantStream.new()
///
/// func _process(_delta: float) -> void:
///     peer.poll()
///     if not stream.receive(peer):
///         push_error(stream.message)
///         peer.disconnect_from_host()
///     while stream.has_value():
///         handle(stream.pop())
/// ```
#[derive(GodotClass)]
#[class(base = RefCounted)]
struct VariantStream {
    /// Whether the length before each value is big-endian, as in a stream or file with [code]big_endian[/code] set. The values themselves are always little-endian.
    #[var]
    big_endian: bool,
    /// The longest value that is taken, in bytes. A longer one ends the stream with the error [code]frame_too_large[/code]. 8 MiB by default.
    #[var]
    max_value_size: i64,
    /// The most bytes that may wait to be read; [method push] refuses more, and [method receive] leaves them in the peer. 16 MiB by default, and never less than one value may have.
    #[var]
    max_buffered_size: i64,
    /// How each value is decoded: the options of [method FastVariant.try_decode] without [code]offset[/code], such as [code]{strict = true}[/code] for untrusted messages, or the dialect in which values are read and written. Setting wrong options logs an error and changes nothing.
    #[var(get = get_options, set = set_options)]
    options: OptionsArgument,
    /// The same, understood.
    call_options: CallOptions,
    /// What is wrong with the stream in one word that stays the same in later versions, or an empty string: [code]frame_too_large[/code], after which nothing more can be read; [code]buffer_full[/code] until the next successful [method push]; [code]connection_lost[/code] if [method receive] could not read.
    #[var(no_set)]
    error: GString,
    /// What is wrong with the stream in a sentence, or an empty string.
    #[var(no_set)]
    message: GString,
    decoder: FrameDecoder,
    base: Base<RefCounted>,
}

#[godot_api]
impl IRefCounted for VariantStream {
    fn init(base: Base<RefCounted>) -> VariantStream {
        let options = FrameOptions::default();
        VariantStream {
            big_endian: false,
            max_value_size: options.max_frame_len as i64,
            max_buffered_size: options.max_buffered_len as i64,
            options: OptionsArgument::none(),
            call_options: CallOptions::default(),
            error: GString::new(),
            message: GString::new(),
            decoder: FrameDecoder::new(options),
            base,
        }
    }
}

#[godot_api]
impl VariantStream {
    #[func]
    fn get_options(&self) -> OptionsArgument {
        self.options.clone()
    }

    #[func]
    fn set_options(&mut self, options: OptionsArgument) {
        let parsed = CallOptions::parse(&options.0).and_then(|parsed| match parsed.offset {
            0 => Ok(parsed),
            _ => Err("the option `offset` is not for streams".to_owned()),
        });
        match parsed {
            Ok(parsed) => {
                self.call_options = parsed;
                // What is changed in it afterwards would have no effect.
                self.options = options.kept();
            }
            Err(message) => godot_error!("VariantStream.options: {message}"),
        }
    }

    /// Takes the next bytes of the stream.
    ///
    /// Returns false if it did not take them, because too many wait to be read or because the stream has failed before; [member error] and [member message] say so.
    #[func]
    fn push(&mut self, bytes: PackedByteArray) -> bool {
        self.configure();
        if self.decoder.has_frame().is_err() {
            self.note_failure();
            return false;
        }
        let pushed = self.decoder.push(bytes.as_slice());
        self.note(pushed)
    }

    /// Takes the bytes that [param peer] has received so far, as many as there is room for. Does not wait.
    ///
    /// Returns false if the stream has failed, or if the peer cannot be read; [member error] and [member message] say so.
    #[func]
    fn receive(&mut self, peer: StreamPeerArgument) -> bool {
        let Some(mut peer) = peer.get() else { return self.note_lost("it is null") };
        let room = self.room();
        let available = peer.available_bytes();
        if available < 0 {
            return self.note_lost("it is not connected");
        }
        let wanted = available.min(i32::try_from(room).unwrap_or(i32::MAX));
        if wanted == 0 {
            self.configure();
            return !self.note_failure();
        }
        match peer.partial_data(wanted) {
            Ok(bytes) => self.push(bytes),
            Err(error) => self.note_lost(&format!("{error:?}")),
        }
    }

    /// Returns whether a whole value is there. It may turn out to be broken when it is decoded.
    #[func]
    fn has_value(&mut self) -> bool {
        self.configure();
        !self.note_failure() && self.decoder.has_frame().is_ok_and(|there| there)
    }

    /// Decodes the next value and removes it from the stream.
    ///
    /// If its bytes are not a valid value, or no whole value has arrived, logs an error and returns [code]null[/code]. The value behind a broken one can still be read.
    #[func]
    fn pop(&mut self) -> Variant {
        match self.next() {
            Ok(Some((value, _))) => value,
            Ok(None) => {
                godot_error!(
                    "VariantStream.pop: no whole value has arrived; ask has_value() first"
                );
                Variant::nil()
            }
            Err(error) => {
                godot_error!("VariantStream.pop: {error}");
                Variant::nil()
            }
        }
    }

    /// Decodes the next value, removes it from the stream and returns it with everything there is to know, as [method FastVariant.try_decode] does. Never logs an error.
    ///
    /// If no whole value has arrived, the error is [code]no_value[/code].
    #[func]
    fn try_pop(&mut self) -> Gd<FastVariantResult> {
        match self.next() {
            Ok(Some((value, len))) => FastVariantResult::decoded(value, len),
            Ok(None) => FastVariantResult::misuse("no_value", "no whole value has arrived yet", 0),
            Err(error) => FastVariantResult::failed_frame(&error),
        }
    }

    /// Returns the bytes to send for [param value]: its length and [method FastVariant.encode] of it. The same bytes as [method StreamPeer.put_var] sends.
    ///
    /// If the value cannot be encoded, logs an error and returns an empty array.
    #[func]
    fn encode(&self, value: Variant) -> PackedByteArray {
        self.frame(&value).map_or_else(
            |refusal| {
                godot_error!("VariantStream.encode: {refusal}");
                PackedByteArray::new()
            },
            PackedByteArray::from,
        )
    }

    /// Sends [param value] through [param peer], as [method StreamPeer.put_var] does, and waits until it is sent. Returns false if that fails.
    #[func]
    fn send(&self, peer: StreamPeerArgument, value: Variant) -> bool {
        let Some(mut peer) = peer.get() else {
            godot_error!("VariantStream.send: peer is null");
            return false;
        };
        let bytes = self.encode(value);
        !bytes.is_empty() && peer.put_data(&bytes) == Error::OK
    }

    /// Returns how many bytes wait to be read.
    #[func]
    fn buffered_size(&self) -> i64 {
        self.decoder.buffered_len() as i64
    }

    /// Forgets all bytes and errors, for a new stream.
    #[func]
    fn clear(&mut self) {
        self.decoder = FrameDecoder::new(self.options());
        self.error = GString::new();
        self.message = GString::new();
    }
}

impl VariantStream {
    fn byte_order(&self) -> ByteOrder {
        if self.big_endian { ByteOrder::BigEndian } else { ByteOrder::LittleEndian }
    }

    fn options(&self) -> FrameOptions {
        let size = |size: i64| usize::try_from(size).unwrap_or(0).min(MAX_LEN);
        FrameOptions {
            byte_order: self.byte_order(),
            max_frame_len: size(self.max_value_size),
            max_buffered_len: size(self.max_buffered_size),
            exact: false,
            decode: self.call_options.decode,
        }
    }

    /// Properties may have been set since the last call.
    fn configure(&mut self) {
        let options = self.options();
        self.decoder.set_options(options);
    }

    fn room(&self) -> usize {
        let options = self.options();
        options.largest_buffered_len().saturating_sub(self.decoder.buffered_len())
    }

    fn next(&mut self) -> Result<Option<(Variant, usize)>, FrameError> {
        self.configure();
        let before = self.decoder.position();
        let value = self.next_value();
        self.note_failure();
        let len = (self.decoder.position() - before) as usize;
        Ok(value?.map(|value| (value, len)))
    }

    fn next_value(&mut self) -> Result<Option<Variant>, FrameError> {
        let options = &self.call_options;
        let is_checked = options.decode.allow_objects
            || options.decode.limits.max_collisions < Limits::ENGINE.max_collisions;
        if options.dialect.is_native() && !is_checked {
            let mut value = Variant::nil();
            let there = self.decoder.next_into(Slot::new(&mut value))?;
            return Ok(there.then_some(value));
        }
        let at = self.decoder.position();
        let Some(frame) = self.decoder.next_frame()? else {
            return Ok(None);
        };
        match decode_with(&PackedByteArray::from(frame), 0, options) {
            Ok((value, _)) => Ok(Some(value)),
            Err(error) => Err(FrameError::NoValue { at, error }),
        }
    }

    /// The length of a value, and the value.
    fn frame(&self, value: &Variant) -> Result<Vec<u8>, Refusal> {
        let mut bytes = Vec::new();
        let dialect = self.call_options.dialect;
        if dialect.is_native() {
            append_frame(&mut bytes, &EngineValue::new(value, Objects::AsIds), self.byte_order())?;
            return Ok(bytes);
        }
        let double_precision = self.call_options.decode.double_precision;
        let options = EncodeOptions { double_precision, lossy: self.call_options.decode.lossy };
        let encoded = engine::encode_as(value, Objects::AsIds, dialect, options)?;
        bytes.extend(self.byte_order().length_bytes(encoded.len() as u32));
        bytes.extend_from_slice(encoded.as_slice());
        Ok(bytes)
    }

    /// Keeps a failure of the whole stream for the properties; true if there is one.
    fn note_failure(&mut self) -> bool {
        let failure = self.decoder.has_frame().err();
        let failed = failure.is_some();
        if let Some(error) = failure {
            self.note(Err(error));
        }
        failed
    }

    /// Keeps that the peer cannot be read for the properties; false.
    fn note_lost(&mut self, why: &str) -> bool {
        self.error = "connection_lost".into();
        self.message = GString::from(&format!("the peer cannot be read: {why}"));
        false
    }

    /// Keeps what is wrong for the properties; true if nothing is.
    fn note(&mut self, result: Result<(), FrameError>) -> bool {
        let (error, message) = match &result {
            Ok(()) => (GString::new(), GString::new()),
            Err(error) => (error.code().into(), GString::from(&error.to_string())),
        };
        self.error = error;
        self.message = message;
        result.is_ok()
    }
}
