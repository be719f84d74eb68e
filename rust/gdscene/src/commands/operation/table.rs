//! The table of the commands.

use super::OperationCommand;
use super::argument::Takes::{
    Count, Flag, Integer, Json, Path, Properties, Resource, Text, Texts, Value, Values,
};
use super::argument::{Argument, arg};

/// The commands in the order of the help.
pub(super) const COMMANDS: &[OperationCommand] = &[
    command(
        "set",
        &[&[
            SCENE_OR_RESOURCE,
            AT,
            arg("VALUE", "value", Value, "The value").required_unless("load"),
            arg("--json", "value", Json, "The value is JSON: a number, a string in quotes, a list for a vector")
                .not_with(&["load"]),
            arg("--load FILE", "value", Resource, "The value is the resource in this file: a path, or `res://…`")
                .not_with(&["value"]),
        ]],
        "Write the value in the form of Godot's scenes: `Vector2(1, 2)`, `\"text\"`, `true`. It must fit the property's type. A value that
         equals the default is removed from the file, as Godot does. If Godot saves a different property instead, that one changes:
         for example `transform` for the `rotation` of a Node3D.

         Examples:
           gdscene set level.tscn Player:position 'Vector2(16, 32)'
           gdscene set level.tscn Player:speed 300
           gdscene set --json level.tscn Title:text '\"Start\"'
           gdscene set level.tscn Player/Sprite:texture --load player.png
           gdscene set sword.tres :damage 12",
    ),
    command(
        "unset",
        &[&[SCENE_OR_RESOURCE, AT]],
        "In an instanced scene, the default is the value in that scene, otherwise the default of the script or class. Resources
         inside the file that nothing uses any longer are removed.

         Examples:
           gdscene unset level.tscn Player:position",
    ),
    command(
        "add",
        &[&[SCENE, NEW_PATH, arg("TYPE", "type", Text, "A class of the engine, or the `class_name` of a script")], NEW_NODE],
        "NODE is the path of the new node; its parent must exist. If a sibling already has the name, the node gets a number, as in Godot,
         and the new path is printed.

         Examples:
           gdscene add level.tscn Player CharacterBody2D --script player.gd --group heroes
           gdscene add level.tscn Player/Sprite Sprite2D --set 'position=Vector2(0, -8)' --unique
           gdscene add menu.tscn Buttons/Quit Button --after Start --set 'text=\"Quit\"'",
    ),
    command(
        "instance",
        &[&[SCENE, NEW_PATH, arg("SCENE", "scene", Path, "The scene: a path, or `res://…`")], NEW_NODE],
        "NODE is the path of the new node, as in `gdscene add`.

         Examples:
           gdscene instance level.tscn Enemies/Slime slime.tscn --set 'position=Vector2(64, 0)'",
    ),
    command(
        "remove",
        &[&[
            SCENE,
            NODE,
            arg("--with-references", "with_references", Flag(true), "Reset properties that refer to the node to their defaults"),
        ]],
        "Properties that refer to the node are listed, and the node stays; with --with-references, they are reset to their defaults and
         the node is removed. Resources inside the file that nothing uses any longer are removed.

         Examples:
           gdscene remove level.tscn Enemies/Slime
           gdscene remove --with-references level.tscn Player",
    ),
    command(
        "attach",
        &[&[SCENE, NODE, arg("SCRIPT", "script", Path, "The script: a path, or `res://…`")]],
        "The script must extend the node's class or a class that it inherits.

         Examples:
           gdscene attach level.tscn Player player.gd",
    ),
    command(
        "detach",
        &[&[SCENE, NODE]],
        "Examples:
           gdscene detach level.tscn Player",
    ),
    command(
        "connect",
        &[CONNECTION, CONNECTED_WITH],
        "The node's class or script must have the signal. If the script does not have the method yet, this is a new error; --allow-errors
         makes the connection anyway.

         Examples:
           gdscene connect level.tscn Player/Area body_entered . _on_player_body_entered
           gdscene connect menu.tscn Start pressed . _on_level_chosen --bind 1",
    ),
    command(
        "disconnect",
        &[CONNECTION],
        "Examples:
           gdscene disconnect level.tscn Player/Area body_entered . _on_player_body_entered",
    ),
    command(
        "group",
        &[&[
            SCENE,
            NODE,
            arg("GROUP", "add", Texts, "Groups to add the node to").required_unless("remove"),
            arg("--remove GROUP", "remove", Texts, "A group to remove the node from"),
        ]],
        "Examples:
           gdscene group level.tscn Slime enemies
           gdscene group level.tscn Slime --remove enemies",
    ),
    command(
        "add-resource",
        &[&[
            SCENE_OR_RESOURCE,
            AT,
            arg("TYPE", "type", Text, "The resource's class, or the `class_name` of a script"),
            PROPERTIES,
        ]],
        "Examples:
           gdscene add-resource level.tscn Player/Shape:shape RectangleShape2D --set 'size=Vector2(16, 32)'
           gdscene add-resource hut.tscn Wall:material_override StandardMaterial3D",
    ),
    command(
        "load-resource",
        &[&[SCENE_OR_RESOURCE, AT, arg("PATH", "path", Path, "The other file: a path, or `res://…`")]],
        "The file is added as an `ext_resource` with its uid; an existing one is used again.

         Examples:
           gdscene load-resource level.tscn Player/Sprite:texture player.png
           gdscene load-resource level.tscn Player:stats res://stats.tres",
    ),
    command(
        "editable",
        &[&[SCENE, NODE, arg("--off", "on", Flag(false), "Make them not editable again")]],
        "Like \"Editable Children\" in the editor. With --off, changed nodes return to the state in their scene.

         Examples:
           gdscene editable level.tscn House
           gdscene editable --off level.tscn House",
    ),
    command(
        "new",
        &[],
        "The file is written as Godot would save it for the project's version, with a new uid.

         Examples:
           gdscene new scene player.tscn CharacterBody2D
           gdscene new scene boss.tscn --inherits enemy.tscn
           gdscene new resource sword.tres Weapon --set damage=12",
    ),
    command(
        "new scene",
        &[&[
            arg("FILE", "file", Path, "The new file: a path, or `res://…`, with the extension .tscn"),
            arg("TYPE", "type", Text, "The class of the root, or the `class_name` of a script")
                .required_unless("inherits").not_with(&["inherits"]),
            arg("--inherits SCENE", "inherits", Path, "The scene that it inherits: a path, or `res://…`"),
            arg("--name NAME", "name", Text, "The name of the root. Default: the name of the file"),
            PROPERTIES,
        ]],
        "Examples:
           gdscene new scene player.tscn CharacterBody2D
           gdscene new scene boss.tscn --inherits enemy.tscn --name Boss",
    ).about("Create a scene with a root"),
    command(
        "new resource",
        &[&[
            arg("FILE", "file", Path, "The new file: a path, or `res://…`, with the extension .tres"),
            arg("TYPE", "type", Text, "The class, or the `class_name` of a script"),
            PROPERTIES,
        ]],
        "Example:
           gdscene new resource sword.tres Weapon --set damage=12",
    ).about("Create a resource"),
];

const SCENE: Argument = arg("FILE", "file", Path, "The scene: a path, or `res://…`");

const SCENE_OR_RESOURCE: Argument =
    arg("FILE", "file", Path, "The scene or resource: a path, or `res://…`");

const NODE: Argument = arg("NODE", "node", Text, "The node: its path from the root");

const NEW_PATH: Argument = arg("NODE", "node", Text, "The path of the new node");

const AT: Argument = arg(
    "NODE:PROPERTY",
    "at",
    Text,
    "The property: `NODE:PROPERTY`, `:PROPERTY` in a resource, or `::ID:PROPERTY` of a `sub_resource`",
);

const PROPERTIES: Argument = arg(
    "--set PROPERTY=VALUE",
    "properties",
    Properties,
    "A property with its value in Godot's form: `--set 'position=Vector2(1, 2)'`",
);

/// The place and the contents of a new node.
const NEW_NODE: &[Argument] = &[
    arg("--before NAME", "before", Text, "Insert it before this sibling")
        .not_with(&["after", "index"]),
    arg("--after NAME", "after", Text, "Insert it after this sibling").not_with(&["index"]),
    arg(
        "--index INDEX",
        "index",
        Integer,
        "Its index among its siblings, counted from 0; from the end if negative",
    ),
    PROPERTIES,
    arg("--group GROUP", "groups", Texts, "A group for the node"),
    arg("--script SCRIPT", "script", Path, "Its script: a path, or `res://…`"),
    arg(
        "--unique",
        "unique_name",
        Flag(true),
        "Give it a unique name, so that the scene finds it as `%Name`",
    ),
];

const CONNECTION: &[Argument] = &[
    SCENE,
    arg("FROM", "from", Text, "The node that emits the signal"),
    arg("SIGNAL", "signal", Text, "The signal"),
    arg("TO", "to", Text, "The node whose method is called"),
    arg("METHOD", "method", Text, "The method"),
];

const CONNECTED_WITH: &[Argument] = &[
    arg(
        "--flags FLAGS",
        "flags",
        Integer,
        "`Object.ConnectFlags` as a number: 1 deferred, 2 persist, 4 one shot. All saved connections persist",
    ),
    arg(
        "--bind VALUE",
        "binds",
        Values,
        "An argument to pass after those of the signal, in Godot's form",
    ),
    arg("--unbinds COUNT", "unbinds", Count, "The number of the signal's last arguments to drop"),
];

/// The lines of the help are indented as the code is.
const fn command(
    name: &'static str,
    arguments: &'static [&'static [Argument]],
    details: &'static str,
) -> OperationCommand {
    OperationCommand { name, about: None, details, arguments }
}
