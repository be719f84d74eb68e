//! `FastVariant`: the codec as GDScript sees it.
#![allow(clippy::needless_pass_by_value, reason = "gdext hands arguments over by value")]

use godot::builtin::{
    AnyArray, Array, GString, PackedByteArray, PackedInt64Array, VarArray, VarDictionary, Variant,
};
use godot::classes::FileAccess;
use godot::global::godot_error;
use godot::meta::ToGodot;
use godot::obj::Gd;
use godot::register::{GodotClass, godot_api};
use godot_variant::Refusal;
use godot_variant_codec::inspect::inspect;
use godot_variant_codec::{DecodeError, DecodeOptions, encoded_len};

use crate::decode_options::{self, CallOptions};
use crate::engine::{self, EngineValue, Objects};
use crate::fast_variant_result::FastVariantResult;
use crate::options_argument::OptionsArgument;
use crate::rpc_packet;
use crate::salvage;
use crate::saved_file;
use crate::variant_file::{self, FileError};
use crate::variant_view::VariantView;
use crate::wrong_file::{Reader, explained};

/// Encodes and decodes values in Godot's binary format, byte for byte as [method @GlobalScope.var_to_bytes] and [method @GlobalScope.bytes_to_var] do, but faster, and with error messages that name the problem.
///
/// ```gdscript
/// var bytes := FastVariant.encode({"name": "Ada", "position": Vector3(1, 2, 3)})
/// var value: Variant = FastVariant.decode(bytes)
/// ```
///
/// All methods are static and may be called from any thread. A value must not be changed by another thread while it is encoded. To hand a call with its arguments to another thread, use a lambda: Godot cannot call a static method of a native class that went through [method Callable.bind].
///
/// [b]Packets.[/b] Any peer that sends bytes can send values. Decode packets of other players with [code]strict[/code], which limits the work that a packet can cause. Over ENet, or another [MultiplayerPeer]:
///
/// ```gdscript
/// var peer := ENetMultiplayerPeer.new()
///
/// func send(value: Variant) -> void:
///     peer.put_packet(FastVariant.encode(value))
///
/// func _process(_delta: float) -> void:
///     peer.poll()
///     while peer.get_available_packet_count() > 0:
///         var sender := peer.get_packet_peer()
///         var result := FastVariant.try_decode(peer.get_packet(), {strict = true})
///         if result.ok:
///             receive(sender, result.value)
///         else:
///             push_warning("bad packet of peer %d: %s" % [sender, result.message])
/// ```
///
/// Over a WebSocket:
///
/// ```gdscript
/// var socket := WebSocketPeer.new()
///
/// func send(value: Variant) -> void:
///     socket.send(FastVariant.encode(value))
///
/// func _process(_delta: float) -> void:
///     socket.poll()
///     while socket.get_available_packet_count() > 0:
///         var result := FastVariant.try_decode(socket.get_packet(), {strict = true})
///         if result.ok:
///             receive(result.value)
///         else:
///             push_warning("bad packet: %s" % result.message)
/// ```
///
/// Next to the RPCs of the [MultiplayerAPI], with [method SceneMultiplayer.send_bytes]:
///
/// ```gdscript
/// func _ready() -> void:
///     var api: SceneMultiplayer = multiplayer
///     api.peer_packet.connect(_on_peer_packet)
///
/// func send(value: Variant, peer := MultiplayerPeer.TARGET_PEER_BROADCAST) -> void:
///     var api: SceneMultiplayer = multiplayer
///     api.send_bytes(FastVariant.encode(value), peer)
///
/// func _on_peer_packet(sender: int, packet: PackedByteArray) -> void:
///     var result := FastVariant.try_decode(packet, {strict = true})
///     if result.ok:
///         receive(sender, result.value)
/// ```
///
/// [b]Threads.[/b] Work that takes longer than a frame can run in the background. Free the node only after [code]_on_saved()[/code]: Godot crashes if an object is freed while a task runs its code.
///
/// ```gdscript
/// var task := -1
///
/// func save_in_background(state: Dictionary) -> void:
///     var copy := state.duplicate(true) # the game changes the state meanwhile
///     task = WorkerThreadPool.add_task(func() -> void:
///         var result := FastVariant.save_file("user://save.bin", copy)
///         _on_saved.call_deferred(result))
///
/// func _on_saved(result: FastVariantResult) -> void:
///     WorkerThreadPool.wait_for_task_completion(task)
///     task = -1
///     if not result.ok:
///         push_error(result.message)
/// ```
///
/// [b]Files.[/b] [method save_file] and [method load_file] show how to save a game.
///
/// Bytes made here can be read with [method @GlobalScope.bytes_to_var], [method FileAccess.get_var] (after a length) and [method PackedByteArray.decode_var], and the other way round.
#[derive(GodotClass)]
#[class(no_init, base = Object)]
pub(crate) struct FastVariant;

#[godot_api]
impl FastVariant {
    /// Encodes [param value], with the same bytes as [method @GlobalScope.var_to_bytes].
    ///
    /// Objects are encoded as their instance ids. If the value cannot be encoded (it is nested deeper than 1024 levels, or contains itself), logs an error and returns an empty array.
    #[func]
    fn encode(value: Variant) -> PackedByteArray {
        encoded_or_logged("encode", engine::encode(&value, Objects::AsIds))
    }

    /// Decodes one value from the start of [param bytes], with the same result as [method @GlobalScope.bytes_to_var]. Bytes after the value are ignored.
    ///
    /// If the bytes are not a valid value, logs one error with the reason and the place, and returns [code]null[/code]. Use [method try_decode] to distinguish this from an encoded [code]null[/code]. Objects with properties are rejected; see [method decode_with_objects].
    #[func]
    fn decode(bytes: PackedByteArray) -> Variant {
        decoded_or_logged("decode", &bytes, DecodeOptions::default())
    }

    /// Encodes [param value] as [method encode] does, but objects with their class and their stored properties, with the same bytes as [method @GlobalScope.var_to_bytes_with_objects].
    ///
    /// Scripts are encoded as their paths and must be files of the project; inner classes and built-in scripts cause an error.
    #[func]
    fn encode_with_objects(value: Variant) -> PackedByteArray {
        let encoded = engine::encode(&value, Objects::Full);
        encoded_or_logged("encode_with_objects", encoded)
    }

    /// Decodes one value as [method decode] does, and objects with their properties, with the same result as [method @GlobalScope.bytes_to_var_with_objects].
    ///
    /// [b]Warning:[/b] Decoded objects run the code of their scripts. Never use this for bytes from an untrusted source.
    #[func]
    fn decode_with_objects(bytes: PackedByteArray) -> Variant {
        let options = DecodeOptions { allow_objects: true, ..DecodeOptions::default() };
        decoded_or_logged("decode_with_objects", &bytes, options)
    }

    /// Encodes each of [param values] as [method encode] does, on all processor cores.
    ///
    /// The result has one entry for each value, in the same order. If a value cannot be encoded, its entry is empty and an error with its index is logged.
    #[func]
    fn encode_batch(values: AnyArray) -> Array<PackedByteArray> {
        engine::encode_batch(&values)
            .into_iter()
            .enumerate()
            .map(|(index, encoded)| {
                encoded.unwrap_or_else(|refusal| {
                    godot_error!("FastVariant.encode_batch: value {index}: {refusal}");
                    PackedByteArray::new()
                })
            })
            .collect()
    }

    /// Decodes each entry of [param batch], a [PackedByteArray], as [method decode] does, on all processor cores.
    ///
    /// The result has one value for each entry, in the same order. If an entry is not a valid value, its result is [code]null[/code] and an error with its index is logged.
    #[func]
    fn decode_batch(batch: AnyArray) -> VarArray {
        engine::decode_batch(&batch)
            .into_iter()
            .enumerate()
            .map(|(index, decoded)| {
                decoded.unwrap_or_else(|error| {
                    godot_error!("FastVariant.decode_batch: entry {index}: {error}");
                    Variant::nil()
                })
            })
            .collect()
    }

    /// Returns the number of bytes that [method encode] returns for [param value], without encoding it. It is always a multiple of 4.
    ///
    /// If the value cannot be encoded, logs an error and returns 0.
    #[func]
    fn encoded_size(value: Variant) -> i64 {
        let len = encoded_len(&EngineValue::new(&value, Objects::AsIds));
        len.map_or_else(
            |refusal| {
                godot_error!("FastVariant.encoded_size: {refusal}");
                0
            },
            |len| len as i64,
        )
    }

    /// Decodes one value that starts at byte [param offset] of [param bytes].
    ///
    /// The result contains the length of the value in bytes: the next value starts at [code]offset + result.bytes_read[/code]. Never logs an error.
    ///
    /// ```gdscript
    /// var offset := 0
    /// while offset < bytes.size():
    ///     var result := FastVariant.decode_at(bytes, offset)
    ///     if not result.ok:
    ///         break
    ///     print(result.value)
    ///     offset += result.bytes_read
    /// ```
    #[func]
    fn decode_at(bytes: PackedByteArray, offset: i64) -> Gd<FastVariantResult> {
        try_decode(&bytes, &CallOptions { offset, ..CallOptions::default() })
    }

    /// Decodes one value. The result also contains the number of bytes that were read, or the error with its byte and the path to the inner value. Never logs an error, except for keys that nest deeper than 100 levels, where Godot's hash function logs one. A typed container that holds a value of another type is the error [code]wrong_element_type[/code]: [method decode] converts or drops the value, as Godot does.
    ///
    /// [param options] can contain:
    /// - [code]offset[/code] ([int], default 0): the byte at which the value starts.
    /// - [code]strict[/code] ([bool], default [code]false[/code]): limits for an untrusted message: 1 MiB, 32 levels, 65536 elements, 64 KiB of text, 128 collisions. Without it the limits are those of the engine.
    /// - [code]max_bytes[/code], [code]max_depth[/code], [code]max_elements[/code], [code]max_string[/code] ([int]): single limits on the bytes that the value takes, on how deep it nests, on the elements of all its containers together, and on the bytes of UTF-8 of each text.
    /// - [code]max_collisions[/code] ([int]): how many other keys a key of a dictionary may meet in the engine's hash table on average, and a name in its table of names. Keys can be made to collide: without this limit 880 KB of them take the engine seconds.
    /// - [code]allow_objects[/code] ([bool], default [code]false[/code]): decode objects with their properties, if their classes are listed in [code]classes[/code] and their scripts, by path, in [code]scripts[/code] (both [Array] of [String], default empty). An entry that ends with [code]*[/code] allows everything that begins so. Nothing is made, and no script is loaded, before all of the value was looked at. A property [code]resource_path[/code] is refused, except if all classes are allowed: [method @GDScript.load] would return the object instead of the file. [b]Warning:[/b] this runs the code of the scripts that are listed. The engine logs an error of its own where a script cannot be compiled, does not fit its class, or gives a property what that refuses.
    /// - [code]dialect[/code] ([int], default [constant DIALECT_GODOT_4]): the dialect of the bytes.
    /// - [code]double_precision[/code] ([bool], default [code]false[/code]): the vectors of a dialect of the documentation have 64 bits.
    /// - [code]lossy[/code] ([bool], default [code]false[/code]): take the images and input events of Godot 2 as dictionaries, and of keys of Godot 2 and 3 that are the same in Godot 4, such as two empty dictionaries, the last value.
    ///
    /// - [code]salvage[/code] ([bool], default [code]false[/code]): if the bytes are damaged, [member FastVariantResult.value] has the whole parts, [member FastVariantResult.issues] lists the others, and [member FastVariantResult.ok] is [code]false[/code]. Damaged elements, entries and properties are left out, and objects that are not allowed. A damaged length or type hides the start of the next value, so the rest of its container is left out too. Damaged numbers and letters are not found, because only [method load_file] has a checksum.
    ///
    /// An unknown key, or a value of a wrong type, is reported as the error [code]invalid_option[/code].
    ///
    /// ```gdscript
    /// var result := FastVariant.try_decode(packet)
    /// if not result.ok:
    ///     push_warning("bad packet: %s (%s)" % [result.message, result.error])
    /// ```
    #[func]
    fn try_decode(
        bytes: PackedByteArray,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> Gd<FastVariantResult> {
        match CallOptions::parse(&options.0) {
            Ok(options) => try_decode(&bytes, &options),
            Err(message) => FastVariantResult::misuse("invalid_option", &message, 0),
        }
    }

    /// Returns a view of the value at the start of [param bytes], which reads single inner values in place, without decoding the rest.
    ///
    /// The view skips objects with properties. Reading one of them fails with [code]objects_not_allowed[/code].
    ///
    /// Nothing is copied: the view keeps the array as it is now, also if [param bytes] is changed later. Bytes after the value are ignored. Never logs an error: if [param bytes] is not a valid value, [method VariantView.is_valid] returns [code]false[/code].
    ///
    /// [param options] can contain [code]offset[/code], [code]strict[/code], [code]max_bytes[/code], [code]max_depth[/code], [code]max_elements[/code] and [code]max_string[/code] as for [method try_decode]. [code]max_bytes[/code] is looked at here: where there are more bytes, the value is stepped over once. [code]max_elements[/code] is that of each container that is walked or decoded. Other options are the failure [code]invalid_option[/code].
    ///
    /// ```gdscript
    /// var view := FastVariant.view(FileAccess.get_file_as_bytes("user://replay.bin"))
    /// var position: Vector3 = view.get_path([3, "pos"], Vector3.ZERO)
    /// ```
    #[func]
    fn view(
        bytes: PackedByteArray,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> Gd<VariantView> {
        VariantView::of(bytes, &options.0)
    }

    /// Appends [param value] to [param file], with the same bytes as [method FileAccess.store_var]: its length in the file's byte order, then [method encode] of it.
    ///
    /// Returns [code]false[/code] if the value cannot be encoded, which logs an error, or if the file cannot be written.
    ///
    /// ```gdscript
    /// var file := FileAccess.open("user://save.bin", FileAccess.WRITE)
    /// FastVariant.store(file, {"level": 3})
    /// ```
    #[func]
    fn store(file: Option<Gd<FileAccess>>, value: Variant) -> bool {
        variant_file::store(file, &value)
    }

    /// Reads the next value of [param file] that was written with [method store] or [method FileAccess.store_var].
    ///
    /// If there is no valid value, logs one error with the reason and returns [code]null[/code]. Use [method try_load] to distinguish this from a stored [code]null[/code]. Objects with properties are rejected.
    #[func]
    fn load(file: Option<Gd<FileAccess>>) -> Variant {
        match variant_file::load(file, &CallOptions::default()) {
            Ok((value, _)) => value,
            Err(error) => {
                godot_error!("FastVariant.load: {error}");
                Variant::nil()
            }
        }
    }

    /// Reads the next value of [param file] as [method load] does and returns it with all details, as [method try_decode] does. Never logs an error.
    ///
    /// At the end of the file the error is [code]end_of_file[/code]. [param options] are those of [method try_decode] without [code]offset[/code].
    #[func]
    fn try_load(
        file: Option<Gd<FileAccess>>,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> Gd<FastVariantResult> {
        match CallOptions::parse_whole(&options.0) {
            Ok(options) if options.offset != 0 => {
                let message = "the option `offset` does not work with files; use seek() instead";
                FastVariantResult::misuse("invalid_option", message, 0)
            }
            Ok(options) => variant_file::load(file, &options)
                .map_or_else(FileError::into_result, |(value, len)| {
                    FastVariantResult::decoded(value, len)
                }),
            Err(message) => FastVariantResult::misuse("invalid_option", &message, 0),
        }
    }

    /// Saves [param value] in the file at [param path], completely or not at all: even if the game is killed or the power fails, the file is either the old or the new one. Never logs an error: the result contains the reason if the file could not be saved.
    ///
    /// [param options] can contain:
    /// - [code]backup[/code] ([bool], default [code]false[/code]): keep the previous file as [code]path + ".bak"[/code].
    /// - [code]compress[/code] ([bool], default [code]false[/code]): compress the file with Zstandard if this makes it smaller. [method load_file] needs no option for it.
    /// - [code]allow_objects[/code] ([bool], default [code]false[/code]): save objects with their properties, as [method encode_with_objects] does; otherwise only their instance ids are saved, which are meaningless later.
    ///
    /// The bytes go into a new file in the same folder, reach the disk, and then take the name. The path may begin with [code]user://[/code] or [code]res://[/code], or be one of the system; its folder must be there. May be called from any thread, which keeps a large save from stopping the game for some frames.
    ///
    /// ```gdscript
    /// func save_game(state: Dictionary) -> void:
    ///     var result := FastVariant.save_file("user://save.bin", state, {backup = true, compress = true})
    ///     if not result.ok:
    ///         push_error(result.message)
    ///
    /// func load_game() -> Dictionary:
    ///     var result := FastVariant.load_file("user://save.bin", {backup = true})
    ///     if result.is_backup:
    ///         push_warning(result.message) # what is wrong with the file itself
    ///     elif result.error == "file_not_found":
    ///         return {} # a new game
    ///     elif not result.ok:
    ///         push_error(result.message)
    ///     return result.value if result.value is Dictionary else {}
    /// ```
    #[func]
    fn save_file(
        path: GString,
        value: Variant,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> Gd<FastVariantResult> {
        saved_file::save(&path.to_string(), &value, &options.0)
    }

    /// Loads the value of the file at [param path] that was saved with [method save_file], if the file is complete and unchanged. Never logs an error: the result contains the reason, with [code]file_not_found[/code] if the file does not exist.
    ///
    /// [param options] can contain:
    /// - [code]backup[/code] ([bool], default [code]false[/code]): if the file is missing or damaged, load the previous one, [code]path + ".bak"[/code]. Then [member FastVariantResult.is_backup] is [code]true[/code].
    /// - [code]salvage[/code] ([bool], default [code]false[/code]): as for [method try_decode], also if the checksum is wrong or the file ends early. A damaged compressed file cannot be read at all.
    /// - the limits of [method try_decode], and its [code]strict[/code], [code]allow_objects[/code], [code]classes[/code] and [code]scripts[/code]. [code]max_bytes[/code] holds for the value after it was decompressed, too; there it is 1 GiB by default. Set it for files that players may have changed.
    #[func]
    fn load_file(
        path: GString,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> Gd<FastVariantResult> {
        saved_file::load(&path.to_string(), &options.0)
    }

    /// Encodes a call of a remote method, with the same bytes as [method Node.rpc] sends: for custom implementations of [MultiplayerPeer], for servers, and for debugging.
    ///
    /// [param node] is the number on which both peers have agreed for the node, or its path ([String] or [NodePath]) below the root of the [MultiplayerAPI]. [param method] is the number of the method among the node's RPC methods in the order of their names, counted from 0 for methods of the script.
    ///
    /// If the call cannot be encoded, logs an error and returns an empty array.
    #[func]
    fn encode_rpc(node: Variant, method: i64, arguments: AnyArray) -> PackedByteArray {
        rpc_packet::encode(&node, method, &arguments).unwrap_or_else(|message| {
            godot_error!("FastVariant.encode_rpc: {message}");
            PackedByteArray::new()
        })
    }

    /// Decodes the packet of a call of a remote method, as [method encode_rpc] and [method Node.rpc] make it.
    ///
    /// Returns a [Dictionary] with the keys [code]node[/code] (number or path), [code]method[/code] (number) and [code]arguments[/code] ([Array]). If the bytes are not such a packet, logs an error and returns an empty one. The limits are those of the engine: for packets of other players, use [method try_decode_rpc] with [code]strict[/code].
    #[func]
    fn decode_rpc(packet: PackedByteArray) -> VarDictionary {
        rpc_packet::decode(packet.as_slice(), DecodeOptions::default(), false).unwrap_or_else(
            |error| {
                godot_error!("FastVariant.decode_rpc: {error}");
                VarDictionary::new()
            },
        )
    }

    /// Decodes the packet of a call as [method decode_rpc] does, and returns the [Dictionary] with everything there is to know: whether it succeeded, and if not, what is wrong at which byte of the packet. Never logs an error.
    ///
    /// [param options] can contain [code]strict[/code], [code]max_bytes[/code], [code]max_depth[/code], [code]max_elements[/code], [code]max_string[/code] and [code]max_collisions[/code] as for [method try_decode]. [code]max_bytes[/code] is that of the packet, [code]max_elements[/code] that of all arguments together. Other options are the error [code]invalid_option[/code].
    ///
    /// ```gdscript
    /// var result := FastVariant.try_decode_rpc(packet, {strict = true})
    /// if result.ok:
    ///     handle(result.value)
    /// ```
    #[func]
    fn try_decode_rpc(
        packet: PackedByteArray,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> Gd<FastVariantResult> {
        let options = CallOptions::parse_whole(&options.0)
            .and_then(|options| options.check_for_call().map(|()| options.decode));
        match options.map(|options| rpc_packet::decode(packet.as_slice(), options, true)) {
            Ok(Ok(call)) => FastVariantResult::decoded(call.to_variant(), packet.len()),
            Ok(Err(error)) => error.into_result(),
            Err(message) => FastVariantResult::misuse("invalid_option", &message, 0),
        }
    }

    /// Returns a listing of the value at the start of [param bytes], to see what is in a packet or a file: one line for each value in it, with its offset, its bytes, its type and its content.
    ///
    /// Bytes that are not a valid value are listed up to the place that is wrong, and the last line says what it is. Nothing is decoded into objects. At most [param max_rows] values are listed. [param dialect] is one of the [code]DIALECT_*[/code] constants.
    ///
    /// ```gdscript
    /// print(FastVariant.inspect(FastVariant.encode({"pos": Vector2(1, 2)})))
    /// # 00000000  1b000000 01000000                    Dictionary, 1 entry
    /// # 00000008  04000000 03000000 706f7300             [key 0] String "pos"
    /// # 00000014  05000000 0000803f 00000040             ["pos"] Vector2(1, 2)
    /// ```
    #[func]
    fn inspect(
        bytes: PackedByteArray,
        #[opt(default = 1000)] max_rows: i64,
        #[opt(default = 0)] dialect: i64,
    ) -> GString {
        let max_rows = usize::try_from(max_rows).unwrap_or(0);
        match decode_options::dialect(dialect) {
            Ok(dialect) => {
                let listing = inspect(bytes.as_slice()).max_rows(max_rows).dialect(dialect);
                GString::from(&listing.to_string())
            }
            Err(message) => {
                godot_error!("FastVariant.inspect: {message}");
                GString::new()
            }
        }
    }

    /// Returns which direct ways around the engine's functions are in use: for each of [code]variants[/code], [code]strings[/code], [code]packed_arrays[/code], [code]unfilled_arrays[/code], [code]arrays[/code], [code]dictionaries[/code], [code]table_sizes[/code] and [code]calls[/code] either [code]"direct"[/code] or [code]"portable"[/code].
    ///
    /// The direct ways are several times faster. When the library is loaded each is tried on known values, and used only if it holds in the running engine. The project setting [code]fast_variant/engine_memory/force_portable[/code], or the environment variable [code]FAST_VARIANT_PORTABLE[/code], forces the portable ones.
    ///
    /// [code]table_sizes[/code] is the only way that writes to a private field of the engine: a large dictionary gets its final size before it is filled, which takes a third off decoding one. The project setting [code]fast_variant/engine_memory/no_table_sizes[/code], or the environment variable [code]FAST_VARIANT_NO_TABLE_SIZES[/code], switches this way alone off; then the library does not even try it when it is loaded.
    #[func]
    fn backend() -> VarDictionary {
        engine::backend()
            .into_iter()
            .map(|(name, direct)| (name, if direct { "direct" } else { "portable" }))
            .map(|(name, way)| (GString::from(name).to_variant(), GString::from(way).to_variant()))
            .collect()
    }

    /// Returns for each of the library's threads how many values of a batch, or parts of a large packed array or of a document, it has worked on since the library was loaded. The work of the calling thread itself is not included.
    ///
    /// Shows whether a value is large enough for more than one thread: it is, if calling [method encode] or [method decode] adds to a number.
    /// ```gdscript
    /// var before := FastVariant.parts_by_thread()
    /// FastVariant.encode(saved_game)
    /// print("shared" if FastVariant.parts_by_thread() != before else "one thread did it all")
    /// ```
    #[func]
    fn parts_by_thread() -> PackedInt64Array {
        engine::parts_by_thread().into()
    }
}

fn encoded_or_logged(function: &str, encoded: Result<PackedByteArray, Refusal>) -> PackedByteArray {
    match encoded {
        Ok(bytes) => bytes,
        Err(refusal) => {
            godot_error!("FastVariant.{function}: {refusal}");
            PackedByteArray::new()
        }
    }
}

fn decoded_or_logged(function: &str, bytes: &PackedByteArray, options: DecodeOptions) -> Variant {
    match engine::decode(bytes, 0, options, false) {
        Ok((value, _)) => value,
        Err(error) => {
            let message =
                explained(error.to_string(), bytes.as_slice(), bytes.len(), Reader::Bytes);
            godot_error!("FastVariant.{function}: {message}");
            Variant::nil()
        }
    }
}

fn try_decode(bytes: &PackedByteArray, options: &CallOptions) -> Gd<FastVariantResult> {
    let start = match options.start(bytes) {
        Ok(start) => start,
        Err(message) => {
            return FastVariantResult::misuse("invalid_offset", &message, options.offset);
        }
    };
    match decode_with(bytes, start, options) {
        Ok((value, end)) => FastVariantResult::decoded(value, end - start),
        Err(error) => {
            let given = &bytes.as_slice()[start..];
            let message = explained(error.to_string(), given, given.len(), Reader::Bytes);
            let result = FastVariantResult::failed_saying(&error, &message);
            match options.salvage {
                true => salvage::with_parts(result, bytes, start, options),
                false => result,
            }
        }
    }
}

/// The value at `start` of `bytes` and where it ends, as the options of the call say.
pub(crate) fn decode_with(
    bytes: &PackedByteArray,
    start: usize,
    options: &CallOptions,
) -> Result<(Variant, usize), DecodeError> {
    options.check(bytes, start)?;
    if options.dialect.is_native() {
        engine::decode(bytes, start, options.decode, true)
    } else {
        engine::decode_as(bytes, start, options.dialect, options.decode)
    }
}
