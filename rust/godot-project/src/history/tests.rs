use super::gone::gone_between;

/// The fate of the removed variables: `health → max_health!`; `!` marks certain ones.
fn told(path: &str, before: &str, after: &str) -> Vec<String> {
    let gone = gone_between(path, before.as_bytes(), after.as_bytes()).into_iter();
    gone.map(|gone| match gone.became {
        Some(became) if became.is_certain => format!("{} → {}!", gone.name, became.name),
        Some(became) => format!("{} → {}", gone.name, became.name),
        None => gone.name,
    })
    .collect()
}

fn gdscript(before: &str, after: &str) -> Vec<String> {
    told("res://enemy.gd", &format!("extends Node\n{before}"), &format!("extends Node\n{after}"))
}

const REST: &str = "@export var speed: float = 2.0\n";

#[test]
fn one_name_in_its_place() {
    assert_eq!(
        gdscript(
            &format!("@export var health: int = 3\n{REST}"),
            &format!("@export var max_health: int = 3\n{REST}")
        ),
        ["health → max_health!"]
    );
    // The annotation in a line of its own, and a setter with the name in its own.
    assert_eq!(
        gdscript(
            "@export_range(0, 9)\nvar health := 3:\n\tset = set_health\nfunc set_health(v):\n\thealth = v\n",
            "@export_range(0, 9)\nvar life := 3:\n\tset = set_life\nfunc set_life(v):\n\tlife = v\n"
        ),
        ["health → life!"]
    );
    assert_eq!(
        gdscript("export(int) var health = 3\n", "export(int) var max_health = 3\n"),
        ["health → max_health!"]
    );
    assert_eq!(
        gdscript(
            "export(int, 0, 9) var health setget set_health\n",
            "export(int, 0, 9) var max_health setget set_max_health\n"
        ),
        ["health → max_health!"]
    );
}

#[test]
fn in_csharp() {
    let class = |name: &str| {
        format!(
            "using Godot;\n\npublic partial class Enemy : Node\n{{\n    [Export] public int {name} {{ get; set; }} = 3;\n}}\n"
        )
    };
    assert_eq!(
        told("res://Enemy.cs", &class("Health"), &class("MaxHealth")),
        ["Health → MaxHealth!"]
    );
}

#[test]
fn uses_tell_it_where_the_declaration_does_not() {
    // Another place, and another value.
    assert_eq!(
        gdscript(
            "@export var health: int = 3\n@export var speed: float\nfunc hurt():\n\thealth -= 1\n",
            "@export var speed: float\n@export var life: int = 3\nfunc hurt():\n\tlife -= 1\n"
        ),
        ["health → life!"]
    );
    // The line is the same, but its uses are gone.
    assert_eq!(
        gdscript(
            "@export var health: int = 3\nfunc hurt():\n\thealth -= 1\n",
            "@export var damage: int = 3\nfunc hurt():\n\tprint(damage)\n"
        ),
        ["health"]
    );
}

#[test]
fn several_at_once() {
    assert_eq!(
        gdscript(
            "@export var minHealth: int\n@export var maxHealth: int\n",
            "@export var max_health: int\n@export var min_health: int\n"
        ),
        ["minHealth → min_health!", "maxHealth → max_health!"]
    );
    assert_eq!(
        gdscript(
            "@export var a: int\n@export var b: int\nfunc f():\n\treturn a - b\n",
            "@export var one: int\n@export var two: int\nfunc f():\n\treturn one - two\n"
        ),
        ["a → one!", "b → two!"]
    );
}

#[test]
fn what_cannot_be_told() {
    assert_eq!(gdscript("@export var health: int\n", ""), ["health"]);
    assert_eq!(gdscript("@export var health: int\n", "@export var title: String\n"), ["health"]);
    // Two come into question.
    assert_eq!(
        gdscript(
            "@export var health: int\n@export var speed: float\n",
            "@export var life: int\n@export var hearts: int\n@export var speed: float\n"
        ),
        ["health"]
    );
    // The same declaration, but a name of another kind, and no uses.
    assert_eq!(
        gdscript("@export var is_key: bool = false\n", "@export var unique: bool = false\n"),
        ["is_key → unique"]
    );
    // Another type, but the same uses.
    assert_eq!(
        gdscript(
            "@export var health: int\nfunc hurt():\n\thealth -= 1\n",
            "@export var life: float\nfunc hurt():\n\tlife -= 1\n"
        ),
        ["health → life"]
    );
    // It is only no longer exported.
    assert_eq!(gdscript("@export var health: int\n", "var health: int\n"), [""; 0]);
    // A script that cannot be read.
    assert_eq!(
        gdscript("@export var health: int\n", "@export var life: int\n<<<<<<< HEAD\n"),
        [""; 0]
    );
}
