//! `VariantStream`: values out of a stream of bytes.
//!
//! The script of a decoded object may use the stream or free the last reference to it, and so may another thread. So no method
//! keeps gdext's borrow of the object: each takes a reference to the [`Stream`] in it. Decoding holds the lock of the decoder, and
//! a call that finds it locked returns an error.
#![allow(clippy::needless_pass_by_value, reason = "gdext hands arguments over by value")]
#![allow(unreachable_pub, reason = "gdext makes the getters of properties public")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use godot::builtin::{GString, PackedByteArray, Variant};
use godot::classes::{IRefCounted, RefCounted};
use godot::global::{Error, godot_error};
use godot::obj::{Base, Gd};
use godot::register::property::PhantomVar;
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

/// Reads values from a stream of bytes that arrives in pieces of any length, such as a TCP connection, and writes them.
///
/// The format is that of [method StreamPeer.put_var] and [method FileAccess.store_var]: a length of 4 bytes, then the value. The other end may use those, another [VariantStream], or the Rust crate [code]godot-variant-codec[/code].
///
/// Unlike [method StreamPeer.get_var], it never waits, and does not allocate memory for bytes that have not arrived yet.
///
/// A stream must be used by one thread at a time, and not by the scripts of the objects that it decodes: while it is in use, its methods do nothing and say so, [method push] and [method has_value] by [code]false[/code] and the [member error] [code]stream_in_use[/code].
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
    #[var(get = get_big_endian, set = set_big_endian)]
    big_endian: PhantomVar<bool>,
    /// The maximum length of a value, in bytes. A longer value ends the stream with the error [code]frame_too_large[/code]. 8 MiB by default; setting a negative size logs an error and changes nothing.
    #[var(get = get_max_value_size, set = set_max_value_size)]
    max_value_size: PhantomVar<i64>,
    /// The most bytes that may wait to be read; [method push] refuses more, and [method receive] leaves them in the peer. 16 MiB by default, and never less than one value may have; setting a negative size logs an error and changes nothing.
    #[var(get = get_max_buffered_size, set = set_max_buffered_size)]
    max_buffered_size: PhantomVar<i64>,
    /// How each value is decoded: the options of [method FastVariant.try_decode] without [code]offset[/code], such as [code]{strict = true}[/code] for untrusted messages, or the dialect in which values are read and written. Setting wrong options logs an error and changes nothing.
    #[var(get = get_options, set = set_options)]
    options: PhantomVar<OptionsArgument>,
    /// The error of the stream in one word that stays the same in later versions, or an empty string: [code]frame_too_large[/code], after which nothing more can be read; [code]buffer_full[/code] or [code]stream_in_use[/code] until the next successful [method push]; [code]connection_lost[/code] if [method receive] could not read.
    #[var(get = get_error, no_set)]
    error: PhantomVar<GString>,
    /// The error of the stream in a sentence, or an empty string.
    #[var(get = get_message, no_set)]
    message: PhantomVar<GString>,
    stream: Arc<Stream>,
}

/// The content of a `VariantStream`.
struct Stream {
    /// Locked only for moments.
    settings: Mutex<Settings>,
    /// The last error as a word and a sentence; locked only for moments.
    failure: Mutex<(GString, GString)>,
    /// Locked while a value is decoded.
    decoder: Mutex<FrameDecoder>,
    /// How many bytes wait in the decoder.
    buffered_len: AtomicUsize,
}

/// The values of the properties.
#[derive(Clone)]
struct Settings {
    big_endian: bool,
    max_value_size: i64,
    max_buffered_size: i64,
    options: OptionsArgument,
    /// The same, understood.
    call_options: Arc<CallOptions>,
}

/// gdext does not count borrows across threads.
static BORROWING: Mutex<()> = Mutex::new(());

/// The message of a call while the stream is in use.
const IN_USE: &str =
    "the stream is in use: by another thread, or by the script of an object that it is decoding";

#[godot_api]
impl IRefCounted for VariantStream {
    #[allow(
        clippy::arc_with_non_send_sync,
        reason = "the engine counts references to texts atomically, and lets any thread use an object"
    )]
    fn init(_: Base<RefCounted>) -> VariantStream {
        VariantStream {
            big_endian: PhantomVar::default(),
            max_value_size: PhantomVar::default(),
            max_buffered_size: PhantomVar::default(),
            options: PhantomVar::default(),
            error: PhantomVar::default(),
            message: PhantomVar::default(),
            stream: Arc::new(Stream::new()),
        }
    }
}

#[godot_api]
impl VariantStream {
    #[func]
    fn get_big_endian(&self) -> bool {
        self.stream.settings().big_endian
    }

    #[func]
    fn set_big_endian(&self, big_endian: bool) {
        self.stream.settings().big_endian = big_endian;
    }

    #[func]
    fn get_max_value_size(&self) -> i64 {
        self.stream.settings().max_value_size
    }

    #[func]
    fn set_max_value_size(&self, size: i64) {
        if is_size("max_value_size", size) {
            self.stream.settings().max_value_size = size;
        }
    }

    #[func]
    fn get_max_buffered_size(&self) -> i64 {
        self.stream.settings().max_buffered_size
    }

    #[func]
    fn set_max_buffered_size(&self, size: i64) {
        if is_size("max_buffered_size", size) {
            self.stream.settings().max_buffered_size = size;
        }
    }

    #[func]
    fn get_options(&self) -> OptionsArgument {
        self.stream.settings().options.clone()
    }

    #[func]
    fn set_options(&self, options: OptionsArgument) {
        let parsed = CallOptions::parse_whole(&options.0).and_then(|parsed| match parsed.offset {
            0 => Ok(parsed),
            _ => Err("the option `offset` does not work with streams".to_owned()),
        });
        match parsed {
            Ok(parsed) => {
                // Later changes in it would have no effect.
                let options = options.kept();
                let mut settings = self.stream.settings();
                settings.call_options = Arc::new(parsed);
                settings.options = options;
            }
            Err(message) => godot_error!("VariantStream.options: {message}"),
        }
    }

    #[func]
    fn get_error(&self) -> GString {
        self.stream.failure().0.clone()
    }

    #[func]
    fn get_message(&self) -> GString {
        self.stream.failure().1.clone()
    }

    /// Takes the next bytes of the stream.
    ///
    /// Returns [code]false[/code] if the bytes were not accepted, because too many bytes wait to be read or because the stream has failed before; [member error] and [member message] contain the reason.
    #[func(gd_self)]
    fn push(this: Gd<Self>, bytes: PackedByteArray) -> bool {
        Stream::of(&this).push(&bytes)
    }

    /// Takes as many of the received bytes of [param peer] as fit in the buffer. Does not wait.
    ///
    /// Returns [code]false[/code] if the stream has failed, or if the peer cannot be read; [member error] and [member message] contain the reason.
    #[func(gd_self)]
    fn receive(this: Gd<Self>, peer: StreamPeerArgument) -> bool {
        let stream = Stream::of(&this);
        let Some(mut peer) = peer.get() else { return stream.note_lost("it is null") };
        let Some(room) = stream.room() else { return false };
        let available = peer.available_bytes();
        if available < 0 {
            return stream.note_lost("it is not connected");
        }
        let wanted = available.min(i32::try_from(room).unwrap_or(i32::MAX));
        if wanted == 0 {
            return stream.is_whole().is_some();
        }
        match peer.partial_data(wanted) {
            Ok(bytes) => stream.push(&bytes),
            Err(error) => stream.note_lost(&format!("{error:?}")),
        }
    }

    /// Returns whether a complete value has arrived. Its bytes may still be invalid.
    #[func(gd_self)]
    fn has_value(this: Gd<Self>) -> bool {
        Stream::of(&this).is_whole().unwrap_or_default()
    }

    /// Decodes the next value and removes it from the stream.
    ///
    /// If its bytes are not a valid value, or no complete value has arrived, logs an error and returns [code]null[/code]. The value after a broken one can still be read.
    #[func(gd_self)]
    fn pop(this: Gd<Self>) -> Variant {
        match Stream::of(&this).next() {
            Some(Ok(Some((value, _)))) => return value,
            Some(Ok(None)) => {
                godot_error!(
                    "VariantStream.pop: no complete value has arrived; call has_value() first"
                );
            }
            Some(Err(error)) => godot_error!("VariantStream.pop: {error}"),
            None => godot_error!("VariantStream.pop: {IN_USE}"),
        }
        Variant::nil()
    }

    /// Decodes the next value, removes it from the stream and returns it with all details, as [method FastVariant.try_decode] does. Never logs an error.
    ///
    /// If no complete value has arrived, the error is [code]no_value[/code].
    #[func(gd_self)]
    fn try_pop(this: Gd<Self>) -> Gd<FastVariantResult> {
        match Stream::of(&this).next() {
            Some(Ok(Some((value, len)))) => FastVariantResult::decoded(value, len),
            Some(Ok(None)) => {
                FastVariantResult::misuse("no_value", "no complete value has arrived yet", 0)
            }
            Some(Err(error)) => FastVariantResult::failed_frame(&error),
            None => FastVariantResult::misuse(STREAM_IN_USE, IN_USE, 0),
        }
    }

    /// Returns the bytes to send for [param value]: its length and [method FastVariant.encode] of it. The same bytes as [method StreamPeer.put_var] sends.
    ///
    /// If the value cannot be encoded, logs an error and returns an empty array.
    #[func(gd_self)]
    fn encode(this: Gd<Self>, value: Variant) -> PackedByteArray {
        Stream::of(&this).encode("encode", &value)
    }

    /// Sends [param value] through [param peer], as [method StreamPeer.put_var] does, and waits until it is sent. Returns [code]false[/code] if this fails.
    #[func(gd_self)]
    fn send(this: Gd<Self>, peer: StreamPeerArgument, value: Variant) -> bool {
        let Some(mut peer) = peer.get() else {
            godot_error!("VariantStream.send: peer is null");
            return false;
        };
        let bytes = Stream::of(&this).encode("send", &value);
        !bytes.is_empty() && peer.put_data(&bytes) == Error::OK
    }

    /// Returns the number of bytes that wait to be read.
    #[func(gd_self)]
    fn buffered_size(this: Gd<Self>) -> i64 {
        Stream::of(&this).buffered_len.load(Ordering::Relaxed) as i64
    }

    /// Clears all bytes and errors, for a new stream.
    #[func(gd_self)]
    fn clear(this: Gd<Self>) {
        let stream = Stream::of(&this);
        let Some(mut decoder) = stream.decoder() else {
            godot_error!("VariantStream.clear: {IN_USE}");
            return;
        };
        *decoder = FrameDecoder::new(stream.settings().frame_options());
        stream.left(&decoder);
        *stream.failure() = (GString::new(), GString::new());
    }
}

/// The code of [`IN_USE`].
const STREAM_IN_USE: &str = "stream_in_use";

impl Settings {
    fn byte_order(&self) -> ByteOrder {
        if self.big_endian { ByteOrder::BigEndian } else { ByteOrder::LittleEndian }
    }

    fn frame_options(&self) -> FrameOptions {
        let size = |size: i64| usize::try_from(size).unwrap_or(0).min(MAX_LEN);
        FrameOptions {
            byte_order: self.byte_order(),
            max_frame_len: size(self.max_value_size),
            max_buffered_len: size(self.max_buffered_size),
            exact: false,
            decode: self.call_options.decode,
        }
    }
}

impl Stream {
    fn new() -> Stream {
        let options = FrameOptions::default();
        let settings = Settings {
            big_endian: false,
            max_value_size: options.max_frame_len as i64,
            max_buffered_size: options.max_buffered_len as i64,
            options: OptionsArgument::none(),
            call_options: Arc::new(CallOptions::default()),
        };
        Stream {
            settings: Mutex::new(settings),
            failure: Mutex::default(),
            decoder: Mutex::new(FrameDecoder::new(options)),
            buffered_len: AtomicUsize::new(0),
        }
    }

    /// The stream of an object.
    fn of(object: &Gd<VariantStream>) -> Arc<Stream> {
        let _alone = BORROWING.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&object.bind().stream)
    }

    fn settings(&self) -> MutexGuard<'_, Settings> {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failure(&self) -> MutexGuard<'_, (GString, GString)> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The decoder with the options of the properties. If it is in use, sets the error and returns nothing.
    fn decoder(&self) -> Option<MutexGuard<'_, FrameDecoder>> {
        let mut decoder = match self.decoder.try_lock() {
            Ok(decoder) => decoder,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                *self.failure() = (STREAM_IN_USE.into(), IN_USE.into());
                return None;
            }
        };
        decoder.set_options(self.settings().frame_options());
        Some(decoder)
    }

    /// Stores the number of bytes that wait.
    fn left(&self, decoder: &FrameDecoder) {
        self.buffered_len.store(decoder.buffered_len(), Ordering::Relaxed);
    }

    fn push(&self, bytes: &PackedByteArray) -> bool {
        let Some(mut decoder) = self.decoder() else { return false };
        if self.note_failure(&decoder) {
            return false;
        }
        let pushed = decoder.push(bytes.as_slice());
        self.left(&decoder);
        self.note(pushed)
    }

    /// The number of bytes that fit; nothing if the stream is in use.
    fn room(&self) -> Option<usize> {
        let decoder = self.decoder()?;
        let largest = self.settings().frame_options().largest_buffered_len();
        Some(largest.saturating_sub(decoder.buffered_len()))
    }

    /// Whether a whole value is there; nothing if the stream has failed or is in use.
    fn is_whole(&self) -> Option<bool> {
        let decoder = self.decoder()?;
        if self.note_failure(&decoder) {
            return None;
        }
        decoder.has_frame().ok()
    }

    /// The next value, if one is there, and how many bytes it takes; nothing if the stream is in use.
    fn next(&self) -> Option<Result<Option<(Variant, usize)>, FrameError>> {
        let mut decoder = self.decoder()?;
        let before = decoder.position();
        let options = Arc::clone(&self.settings().call_options);
        let value = next_value(&mut decoder, &options);
        self.note_failure(&decoder);
        self.left(&decoder);
        let len = (decoder.position() - before) as usize;
        Some(value.map(|value| value.map(|value| (value, len))))
    }

    fn encode(&self, method: &str, value: &Variant) -> PackedByteArray {
        self.frame(value).map_or_else(
            |refusal| {
                godot_error!("VariantStream.{method}: {refusal}");
                PackedByteArray::new()
            },
            PackedByteArray::from,
        )
    }

    /// The length of a value, and the value.
    fn frame(&self, value: &Variant) -> Result<Vec<u8>, Refusal> {
        let settings = self.settings().clone();
        let (options, order) = (&settings.call_options, settings.byte_order());
        let mut bytes = Vec::new();
        if options.dialect.is_native() {
            append_frame(&mut bytes, &EngineValue::new(value, Objects::AsIds), order)?;
            return Ok(bytes);
        }
        let double_precision = options.decode.double_precision;
        let encode = EncodeOptions { double_precision, lossy: options.decode.lossy };
        let encoded = engine::encode_as(value, Objects::AsIds, options.dialect, encode)?;
        bytes.extend(order.length_bytes(encoded.len() as u32));
        bytes.extend_from_slice(encoded.as_slice());
        Ok(bytes)
    }

    /// Keeps a failure of the whole stream for the properties; true if there is one.
    fn note_failure(&self, decoder: &FrameDecoder) -> bool {
        let failure = decoder.has_frame().err();
        let failed = failure.is_some();
        if let Some(error) = failure {
            self.note(Err(error));
        }
        failed
    }

    /// Keeps that the peer cannot be read for the properties; false.
    fn note_lost(&self, why: &str) -> bool {
        let message = format!("the peer cannot be read: {why}");
        *self.failure() = ("connection_lost".into(), GString::from(&message));
        false
    }

    /// Keeps what is wrong for the properties; true if nothing is.
    fn note(&self, result: Result<(), FrameError>) -> bool {
        *self.failure() = match &result {
            Ok(()) => (GString::new(), GString::new()),
            Err(error) => (error.code().into(), GString::from(&error.to_string())),
        };
        result.is_ok()
    }
}

/// Decodes the next value, which may run scripts.
fn next_value(
    decoder: &mut FrameDecoder,
    options: &CallOptions,
) -> Result<Option<Variant>, FrameError> {
    let is_checked = options.decode.allow_objects
        || options.decode.limits.max_collisions < Limits::ENGINE.max_collisions;
    if options.dialect.is_native() && !is_checked {
        let mut value = Variant::nil();
        let there = decoder.next_into(Slot::new(&mut value).checking_types(true))?;
        return Ok(there.then_some(value));
    }
    let at = decoder.position();
    let Some(frame) = decoder.next_frame()? else {
        return Ok(None);
    };
    match decode_with(&PackedByteArray::from(frame), 0, options) {
        Ok((value, _)) => Ok(Some(value)),
        Err(error) => Err(FrameError::NoValue { at, error }),
    }
}

/// Whether a property can be set to `size`; logs an error if not.
fn is_size(property: &str, size: i64) -> bool {
    if size < 0 {
        godot_error!("VariantStream.{property}: {size} is not a valid size; expected 0 or more");
    }
    size >= 0
}
