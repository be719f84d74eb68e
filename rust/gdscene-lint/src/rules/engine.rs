//! ENG001 to ENG009: what Godot itself reports when it loads the files of a project.
//!
//! No check of ours finds these: [`Verdict`](crate::Verdict) brings them.

use godot_tscn::{RuleInfo, rule_info};

/// All of them, by code.
pub(crate) static RULES: &[RuleInfo] = &[
    rule_info! {
        /// ## What it does
        /// Reports an error with which Godot refuses to compile a script. `gdscene check --engine` finds it.
        ///
        /// ## Why is this bad?
        /// Nodes and resources that use the script lose it. Scripts that depend on it do not compile either.
        ///
        /// ## Example
        /// ```gdscript
        /// extends Node
        ///
        /// func _ready() -> void:
        ///     print(speed)
        /// ```
        ///
        /// ## Use instead
        /// ```gdscript
        /// extends Node
        ///
        /// var speed: float = 1.0
        ///
        /// func _ready() -> void:
        ///     print(speed)
        /// ```
        ///
        /// ## References
        /// `GDScript::reload` (modules/gdscript/gdscript.cpp)
        "ENG001", "script-error", Error
    },
    rule_info! {
        /// ## What it does
        /// Reports a warning that Godot gives for a script. The settings below `debug/gdscript/warnings` in
        /// `project.godot` decide which warnings there are. `gdscene check --engine` finds it.
        ///
        /// ## Why is this bad?
        /// The message says it. Its end names the warning, such as `UNUSED_VARIABLE`.
        ///
        /// ## Example
        /// ```gdscript
        /// extends Node
        ///
        /// func _ready() -> void:
        ///     var speed: float = 1.0
        /// ```
        ///
        /// ## Use instead
        /// Follow the message, or write `@warning_ignore("unused_variable")` above the line.
        ///
        /// ## References
        /// `GDScript::reload` (modules/gdscript/gdscript.cpp), `GDScriptWarning::get_message`
        /// (modules/gdscript/gdscript_warning.cpp)
        "ENG002", "script-warning", Warning
    },
    rule_info! {
        /// ## What it does
        /// Reports an error with which Godot refuses to compile a shader. `gdscene check --engine` finds it, from Godot 4.4
        /// on: older versions do not compile shaders without a window.
        ///
        /// ## Why is this bad?
        /// Everything that uses the shader is drawn without it.
        ///
        /// ## Example
        /// ```gdshader
        /// shader_type canvas_item;
        ///
        /// void fragment() {
        ///     COLOR = tint;
        /// }
        /// ```
        ///
        /// ## Use instead
        /// ```gdshader
        /// shader_type canvas_item;
        ///
        /// uniform vec4 tint : source_color;
        ///
        /// void fragment() {
        ///     COLOR = tint;
        /// }
        /// ```
        ///
        /// ## References
        /// `ShaderCompiler::compile` (servers/rendering/shader_compiler.cpp)
        "ENG003", "shader-error", Error
    },
    rule_info! {
        /// ## What it does
        /// Reports a scene, resource or asset that Godot does not load, or loads without a part that it refers to.
        /// `gdscene check --engine` finds it. It is not reported if a rule `SYN`, `STR`, `REF`, `RES` or `SCR` reports an
        /// error with the same cause in this file.
        ///
        /// ## Why is this bad?
        /// The game runs without the file, or without the missing part.
        ///
        /// ## Example
        /// ```tscn
        /// [gd_resource type="Recipe" format=3]
        ///
        /// [resource]
        /// amount = 3
        /// ```
        /// where `Recipe` is a class of an extension that is not installed.
        ///
        /// ## Use instead
        /// Install the extension, or change the type.
        ///
        /// ## References
        /// `ResourceLoader::_load` (core/io/resource_loader.cpp), `ResourceLoaderText::load`
        /// (scene/resources/resource_format_text.cpp)
        "ENG004", "load-error", Error
    },
    rule_info! {
        /// ## What it does
        /// Reports a file that Godot loads with a warning or an error message of the engine. `gdscene check --engine` finds
        /// it.
        ///
        /// ## Why is this bad?
        /// Godot replaces or drops something in the file. The message says what.
        ///
        /// ## Example
        /// ```tscn
        /// [gd_resource type="Curve" format=3]
        ///
        /// [resource]
        /// _limits = [0.0]
        /// ```
        ///
        /// ## Use instead
        /// Open the file in the editor, and save it.
        ///
        /// ## References
        /// `ResourceLoader::_load` (core/io/resource_loader.cpp)
        "ENG005", "load-warning", Warning
    },
    rule_info! {
        /// ## What it does
        /// Reports an error of code that runs while Godot starts or loads a file: static variables, `_static_init()`,
        /// setters, and the constructors of autoloads. `gdscene check --engine` finds it.
        ///
        /// ## Why is this bad?
        /// The function stops at this line, and the rest of it does not run. It is a warning, because the code can depend
        /// on something that is only there in the game.
        ///
        /// ## Example
        /// ```gdscript
        /// extends Node
        ///
        /// static var prices: Dictionary = {}
        /// static var sword: int = prices["sword"]
        /// ```
        ///
        /// ## Use instead
        /// ```gdscript
        /// extends Node
        ///
        /// static var prices: Dictionary = {}
        /// static var sword: int = prices.get("sword", 0)
        /// ```
        ///
        /// ## References
        /// `GDScriptFunction::call` (modules/gdscript/gdscript_vm.cpp)
        "ENG006", "runtime-error", Warning
    },
    rule_info! {
        /// ## What it does
        /// Reports a file at which Godot crashes or ends when it loads it. `gdscene check --engine` finds it. Godot starts
        /// again after this file, and does not load files that need it.
        ///
        /// ## Why is this bad?
        /// The game ends, and so does the editor. The player sees no reason.
        ///
        /// ## Example
        /// ```gdscript
        /// extends Node
        ///
        /// static func _static_init() -> void:
        ///     OS.crash("no licence")
        /// ```
        ///
        /// ## Use instead
        /// Remove the call. For a crash of the engine itself, report it to Godot, with the file.
        ///
        /// ## References
        /// `handle_crash` (platform/linuxbsd/crash_handler_linuxbsd.cpp)
        "ENG007", "load-crash", Error
    },
    rule_info! {
        /// ## What it does
        /// Reports a file that Godot does not finish loading in time. `gdscene check --engine` finds it; the option
        /// `--engine-timeout` sets the seconds. Godot starts again after this file, and does not load files that need it.
        ///
        /// ## Why is this bad?
        /// The game hangs, or its players wait.
        ///
        /// ## Example
        /// ```gdscript
        /// extends Node
        ///
        /// static func _static_init() -> void:
        ///     while true:
        ///         pass
        /// ```
        ///
        /// ## Use instead
        /// End the loop. If the file only takes long, raise the limit.
        ///
        /// ## References
        /// `GDScript::_static_init` (modules/gdscript/gdscript.cpp)
        "ENG008", "load-timeout", Error
    },
    rule_info! {
        /// ## What it does
        /// Reports an asset that Godot cannot import, such as a broken image. `gdscene check --engine` finds it.
        ///
        /// ## Why is this bad?
        /// Everything that uses the asset is loaded without it.
        ///
        /// ## Example
        /// A file `icon.png` that contains an HTML page, because a download failed.
        ///
        /// ## Use instead
        /// Replace the file with one that other programs can open.
        ///
        /// ## References
        /// `EditorFileSystem::_reimport_file` (editor/file_system/editor_file_system.cpp)
        "ENG009", "import-error", Error
    },
];
