//! `O3deJson`: O3DE's JSON serialization as GDScript sees it.
#![allow(clippy::needless_pass_by_value, reason = "gdext hands arguments over by value")]

mod call;
pub(crate) mod classes;
mod derive;
pub(crate) mod descriptor;
mod documents;
mod files;
mod misuse;
pub(crate) mod objects;
mod registration;
mod work;

pub(crate) use call::NoJson;
pub(crate) use misuse::Misuse;

use godot::builtin::{AnyDictionary, Array, Callable, GString, Variant};
use godot::global::godot_error;
use godot::obj::Gd;
use godot::register::{GodotClass, godot_api};
use godot_variant::printable;
use o3de_json::Task;

use crate::default_argument::DefaultArgument;
use crate::o3de_json_result::O3deJsonResult;
use crate::options_argument::OptionsArgument;

/// Stores values as JSON that people can read, and loads them again by a schema: the JSON serialization of Open 3D Engine (O3DE) for Godot's values.
///
/// Integers stay integers, enums and flags are names, colors have six spellings, defaults can be left out, and each value that does not fit is reported with its place. Objects are made only of classes that were registered: data never loads a script.
///
/// ```gdscript
/// class_name Hero extends Resource
/// enum State { IDLE, RUNNING }
/// @export var name: String
/// @export var hp: int = 100
/// @export var state: State
///
/// func save_and_load() -> void:
///     var saved := O3deJson.store(self)
///     print(saved.text)  # {"name": "Ada", "hp": 100, "state": "IDLE"}, laid out
///     var loaded := O3deJson.load(saved.text, Hero)
///     for issue in loaded.issues:
///         push_warning("%s: %s" % [issue.path, issue.message])
/// ```
///
/// [b]Any JSON.[/b] [method parse] and [method stringify] need no schema: they read and write plain JSON as [JSON] does, but integers of up to 64 bits stay integers, where [method JSON.parse_string] makes floats of all numbers.
///
/// [b]Schemas.[/b] A schema can be short: a type ([constant TYPE_VECTOR3]), a word ([code]"u8"[/code], [code]"f32"[/code], [code]"string"[/code], [code]"uuid"[/code], [code]"color"[/code], [code]"transform"[/code] …), [code]["i32"][/code] for an array, [code]["i32", "string"][/code] for a tuple, a [Dictionary] of names and schemas for a record ([code]{"hp": "u16", "at": TYPE_VECTOR2}[/code]), an enum of GDScript ([code]Hero.State[/code]; names with capitals and integers are one), a script, or the name of a class. The long form is a [Dictionary] with [code]kind[/code], e.g. [code]{"kind": "map", "key": "string", "value": "f32"}[/code]; the file [code]rust/docs/o3de-json.md[/code] lists all kinds. [method schema_of] shows the long form of any.
///
/// [b]Options[/b] of all calls:
/// - [code]profile[/code] ([String], default [code]"doc"[/code]): which one to follow if O3DE's documentation and its C++ code differ: [code]"doc"[/code] or [code]"engine"[/code].
/// - [code]keep_defaults[/code] ([bool], default [code]true[/code], with the profile [code]"engine"[/code] [code]false[/code]): also store values that equal their defaults.
/// - [code]default[/code] (any): store only differences from this value.
/// - [code]target[/code] (any): load over this value; an object is filled in place.
/// - [code]clear_containers[/code] ([bool], default [code]true[/code], with a [code]target[/code] or the profile [code]"engine"[/code] [code]false[/code]): empty the arrays and dictionaries that are there first, be it in the target or by default, where otherwise elements are added.
/// - [code]report[/code] ([Callable]): called with [code]message: String, code: int, path: String[/code] for each issue, and gives the code to go on with. [code]code[/code] has the outcome in bits 16 to 23, the processing in bits 8 to 15 and the task below.
/// - [code]pretty[/code] ([bool], default [code]true[/code]): indent the JSON with four spaces a level, up to 32 levels.
/// - [code]max_bytes[/code] ([int], default 1 GiB), [code]max_depth[/code] ([int], default and most 256): limits on JSON that is read, and on the depth of what is made of it. Values that nest deeper than 256, or contain themselves, are an issue with the path to them.
/// - [code]max_values[/code] ([int], default 1000000): how many values a call of [method apply_patch], [method create_patch], [method resolve_imports] or [method restore_imports] may copy, move, or import, all together; 64 bytes of text count as one more. So a patch of a kilobyte cannot ask for more than there is memory.
/// - [code]max_imports[/code] ([int], default 10000): how many documents a call may ask its resolver for.
/// - [code]max_collisions[/code] ([int], default 128): how many other keys a key of a dictionary that is loaded may meet in the engine's hash table on average, and a name in its table of names; some thousands are free. Keys can be made to collide, and the engine takes seconds for a megabyte of them: they are an issue with the path to them.
///
/// An option with an unknown name or a wrong type is an issue, and the call does nothing else. All methods are static and can be called from any thread, except [method register_class] of a script with an [code]_init[/code] that requires the main thread.
#[derive(GodotClass)]
#[class(no_init, base = Object)]
pub(crate) struct O3deJson;

#[godot_api]
impl O3deJson {
    /// A type was looked up.
    #[constant]
    const TASK_RETRIEVE_INFO: i64 = 1;
    /// A default value was created.
    #[constant]
    const TASK_CREATE_DEFAULT: i64 = 2;
    /// A value was converted.
    #[constant]
    const TASK_CONVERT: i64 = 3;
    /// A container was emptied.
    #[constant]
    const TASK_CLEAR: i64 = 4;
    /// A value was read.
    #[constant]
    const TASK_READ_FIELD: i64 = 5;
    /// A value was written.
    #[constant]
    const TASK_WRITE_VALUE: i64 = 6;
    /// A patch was applied.
    #[constant]
    const TASK_MERGE: i64 = 7;
    /// A patch was created.
    #[constant]
    const TASK_CREATE_PATCH: i64 = 8;
    /// A document was imported.
    #[constant]
    const TASK_IMPORT: i64 = 9;

    /// The whole task was completed.
    #[constant]
    const PROCESSING_COMPLETED: i64 = 1;
    /// This value was skipped, and the rest was processed.
    #[constant]
    const PROCESSING_ALTERED: i64 = 2;
    /// Some parts of this value were skipped.
    #[constant]
    const PROCESSING_PARTIAL_ALTER: i64 = 3;
    /// Processing stopped at this value.
    #[constant]
    const PROCESSING_HALTED: i64 = 4;

    /// Everything was processed.
    #[constant]
    const OUTCOME_SUCCESS: i64 = 1;
    /// An unknown part was skipped.
    #[constant]
    const OUTCOME_SKIPPED: i64 = 2;
    /// Unknown parts were skipped.
    #[constant]
    const OUTCOME_PARTIAL_SKIP: i64 = 3;
    /// All values are defaults.
    #[constant]
    const OUTCOME_DEFAULTS_USED: i64 = 4;
    /// Some values are defaults.
    #[constant]
    const OUTCOME_PARTIAL_DEFAULTS: i64 = 5;
    /// There was no place for a value, such as an element that a set already contains.
    #[constant]
    const OUTCOME_UNAVAILABLE: i64 = 6;
    /// A value has a form that its type does not accept.
    #[constant]
    const OUTCOME_UNSUPPORTED: i64 = 7;
    /// A value has a different type.
    #[constant]
    const OUTCOME_TYPE_MISMATCH: i64 = 8;
    /// The `test` of a patch failed.
    #[constant]
    const OUTCOME_TEST_FAILED: i64 = 9;
    /// A required part is missing.
    #[constant]
    const OUTCOME_MISSING: i64 = 10;
    /// The data itself is invalid, such as text that is not valid JSON.
    #[constant]
    const OUTCOME_INVALID: i64 = 11;
    /// A type is unknown.
    #[constant]
    const OUTCOME_UNKNOWN: i64 = 12;
    /// Processing cannot continue, such as after an import that cannot be read.
    #[constant]
    const OUTCOME_CATASTROPHIC: i64 = 13;

    /// Reads any JSON, without a schema: objects become a [Dictionary], in order, arrays an [Array]. A number without fraction and exponent is an [int] if 64 bits with a sign hold it; any other number is a [float].
    ///
    /// [param json] is as for [method load]. Where a name occurs twice in an object, the last value counts. Text that is not valid JSON is one issue with [code]line[/code] and [code]column[/code]; keys that were made to collide are one with their path. An integer that 64 bits with a sign do not hold is read as the nearest [float]. If that is another number, as for [code]99999999999999999999[/code], there is an issue with [code]line[/code] and [code]column[/code]; [code]1000000000000000000000[/code] is exactly a [float] and needs none. [param options] are those of the class, without [code]default[/code], [code]target[/code] and [code]report[/code].
    ///
    /// ```gdscript
    /// var result := O3deJson.parse('{"port": 8080, "id": 9007199254740993, "volume": 0.5}')
    /// if result.ok:
    ///     print(result.value)  # { "port": 8080, "id": 9007199254740993, "volume": 0.5 }
    /// ```
    #[func]
    fn parse(
        json: Variant,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> Gd<O3deJsonResult> {
        documents::parse(&json, &options.0)
            .unwrap_or_else(|message| O3deJsonResult::misuse(Task::ReadField, message))
    }

    /// Writes [param value] as JSON that [method parse] reads as the same value: [code]null[/code], [bool], [int], [float], [String], [Array], and [Dictionary] with texts for keys.
    ///
    /// Another type, NaN or infinity is an issue with its path: [method store] writes all types. [param options] are those of the class, without [code]default[/code], [code]target[/code] and [code]report[/code].
    ///
    /// ```gdscript
    /// print(O3deJson.stringify({"port": 8080, "volume": 1.0}, {pretty = false}).text)  # {"port":8080,"volume":1.0}
    /// ```
    #[func]
    fn stringify(
        value: Variant,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> Gd<O3deJsonResult> {
        documents::stringify(&value, &options.0)
            .unwrap_or_else(|message| O3deJsonResult::misuse(Task::WriteValue, message))
    }

    /// Stores [param value] as JSON, by [param schema] or, without one, by its own type.
    ///
    /// The JSON is in [member O3deJsonResult.text]. A value that its schema cannot hold, such as 256 as [code]"u8"[/code], an object of a class that is not registered, NaN or infinity, is an issue with its path, and the result is not [member O3deJsonResult.ok]. [param options] are those of the class.
    ///
    /// ```gdscript
    /// var result := O3deJson.store({"hp": 3, "at": Vector2(1, 2)}, {"hp": "u8", "at": TYPE_VECTOR2})
    /// print(result.text)  # {"hp": 3, "at": [1.0, 2.0]}, laid out
    /// ```
    #[func]
    fn store(
        value: Variant,
        #[opt(default = DefaultArgument::null())] schema: DefaultArgument,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> Gd<O3deJsonResult> {
        work::store(&value, &schema.0, &options.0)
            .unwrap_or_else(|message| O3deJsonResult::misuse(Task::WriteValue, message))
    }

    /// Loads the value that [param json] holds by [param schema]; with [code]null[/code] for a schema, what names its own type in [code]$type[/code]. For JSON that names no types, use [method parse].
    ///
    /// [param json] is text ([String], or its UTF-8 as [PackedByteArray]) or a tree of the kind that [method JSON.parse_string] makes. Comments are allowed. Text that is not valid JSON is one issue with [code]line[/code] and [code]column[/code].
    ///
    /// An integer that a [float] of the schema does not hold is rounded, with an issue: write [code]9007199254740993.0[/code] if any number near it will do. What can be read is read, as O3DE does it: see [member O3deJsonResult.ok] and [member O3deJsonResult.issues] for what could not. Objects are made of registered classes only. [param options] are those of the class.
    ///
    /// ```gdscript
    /// var result := O3deJson.load('{"hp": "12", "at": {"y": 2}}', {"hp": "u8", "at": TYPE_VECTOR2})
    /// if result.ok:
    ///     print(result.value)  # { "hp": 12, "at": (0.0, 2.0) }
    /// ```
    #[func]
    fn load(
        json: Variant,
        schema: Variant,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> Gd<O3deJsonResult> {
        work::load(&json, &schema, &options.0)
            .unwrap_or_else(|message| O3deJsonResult::misuse(Task::ReadField, message))
    }

    /// Stores [param value] in the file at [param path], in O3DE's wrapper: [code]{"Type": "JsonSerialization", "Version": 1, "ClassName": …, "ClassData": …}[/code].
    ///
    /// [code]ClassName[/code] is the registered class of an object, or the name of another value's type. The file is written only if the whole value can be stored, and is there as a whole or as it was before, as with [method FastVariant.save_file]; if it cannot be written, the issue says why. [param options] are those of the class.
    #[func]
    fn store_file(
        path: GString,
        value: Variant,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> Gd<O3deJsonResult> {
        files::store(&path, &value, &options.0)
            .unwrap_or_else(|message| O3deJsonResult::misuse(Task::WriteValue, message))
    }

    /// Loads the value of the file at [param path].
    ///
    /// A file in O3DE's wrapper names its class, which must be registered and, if [param schema] is a class, that one; as in O3DE, anything in it that is unknown or does not fit fails the whole load. A file without the wrapper is loaded by [param schema] as [method load] does. [param options] are those of the class.
    #[func]
    fn load_file(
        path: GString,
        #[opt(default = DefaultArgument::null())] schema: DefaultArgument,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> Gd<O3deJsonResult> {
        files::load(&path, &schema.0, &options.0)
            .unwrap_or_else(|message| O3deJsonResult::misuse(Task::ReadField, message))
    }

    /// Applies the JSON Patch (RFC 6902) [param patch] to [param document], both as for [method load], and returns the changed document.
    ///
    /// If an operation fails, there is one issue with its place in the patch, and no text.
    ///
    /// ```gdscript
    /// var result := O3deJson.apply_patch('{"hp": 1}', '[{"op": "replace", "path": "/hp", "value": 5}]')
    /// ```
    #[func]
    fn apply_patch(
        document: Variant,
        patch: Variant,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> Gd<O3deJsonResult> {
        documents::apply_patch(&document, &patch, &options.0)
            .unwrap_or_else(|message| O3deJsonResult::misuse(Task::Merge, message))
    }

    /// Merges [param patch] into [param document] (JSON Merge Patch, RFC 7386) and returns the changed document: members of objects are merged, [code]null[/code] removes, all else replaces.
    #[func]
    fn merge_patch(
        document: Variant,
        patch: Variant,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> Gd<O3deJsonResult> {
        documents::merge_patch(&document, &patch, &options.0)
            .unwrap_or_else(|message| O3deJsonResult::misuse(Task::Merge, message))
    }

    /// Returns the patch that turns [param source] into [param target]: a JSON Patch for [method apply_patch], or with [param kind] [code]"merge_patch"[/code] one for [method merge_patch].
    ///
    /// A merge patch cannot set a value to [code]null[/code]: that is an issue.
    #[func]
    fn create_patch(
        source: Variant,
        target: Variant,
        #[opt(default = "json_patch")] kind: GString,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> Gd<O3deJsonResult> {
        documents::create_patch(&source, &target, &kind.to_string(), &options.0)
            .unwrap_or_else(|message| O3deJsonResult::misuse(Task::CreatePatch, message))
    }

    /// Replaces each object with [code]$import[/code] by the document that it names. [param resolver] is called with each name and returns the document, as for [method load], or [code]null[/code].
    ///
    /// With [param in_order], what is imported is merged into the members before it, and those behind it change that again; documents called [code].jsonpatch[/code] are JSON Patches.
    #[func]
    fn resolve_imports(
        document: Variant,
        resolver: Callable,
        #[opt(default = false)] in_order: bool,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> Gd<O3deJsonResult> {
        documents::resolve_imports(&document, &resolver, in_order, &options.0)
            .unwrap_or_else(|message| O3deJsonResult::misuse(Task::Import, message))
    }

    /// Takes the documents out again that [method resolve_imports] has put in: [param imports] is [member O3deJsonResult.imports] of that call, [param resolver] as there. Where a document was changed, the change becomes the [code]patch[/code] of its [code]$import[/code].
    ///
    /// ```gdscript
    /// var whole := O3deJson.resolve_imports('{"hero": {"$import": "hero.json"}}', resolver)
    /// var changed := O3deJson.merge_patch(whole.text, '{"hero": {"hp": 5}}')
    /// var saved := O3deJson.restore_imports(changed.text, whole.imports, resolver)
    /// # {"hero": {"$import": {"filename": "hero.json", "patch": {"hp": 5}}}}, laid out
    /// ```
    #[func]
    fn restore_imports(
        document: Variant,
        imports: Array<AnyDictionary>,
        resolver: Callable,
        #[opt(default = OptionsArgument::none())] options: OptionsArgument,
    ) -> Gd<O3deJsonResult> {
        documents::restore_imports(&document, &imports, &resolver, &options.0)
            .unwrap_or_else(|message| O3deJsonResult::misuse(Task::Import, message))
    }

    /// Compares two JSON values in O3DE's sort order: -1 if [param a] comes first, 0 if they are equal, 1 if [param b] comes first. Both as for [method load].
    ///
    /// Null, false, true, objects, arrays, strings and numbers follow each other. If one is not valid JSON, logs an error and returns -2.
    #[func]
    fn compare(a: Variant, b: Variant) -> i64 {
        documents::compare(&a, &b).unwrap_or_else(|message| {
            godot_error!("O3deJson.compare: {}", printable(&message));
            -2
        })
    }
}
