use godot_project::{Plan, Project};

use crate::csharp_fixture::{Files, carried_out, opened, project_of};
use crate::{RefactorError, rename_method, rename_signal};

const ENEMY: &str = "using Godot;\n\n[GlobalClass]\npublic partial class Enemy : Node2D\n{\n\
    \t[Signal] public delegate void HitEventHandler(int power);\n\
    \t[Signal] public delegate void GoneEventHandler();\n\n\
    \tpublic virtual void Jump() => EmitSignal(SignalName.Hit, 1);\n\
    \tpublic override void _Ready() { Hit += OnHit; CallDeferred(MethodName.Jump); }\n\
    \tprivate void OnHit(int power) { EmitSignalHit(power); }\n}\n";
const BOSS: &str =
    "public partial class Boss : Enemy\n{\n\tpublic override void Jump() { base.Jump(); }\n}\n";
const GAME: &str = "using Godot;\npublic partial class Game : Node\n{\n\
    \t[Export] private Stage _stage;\n\
    \tpublic override async void _Ready()\n\t{\n\
    \t\t_stage.First.Jump();\n\
    \t\tFind().Jump();\n\
    \t\tawait ToSignal(_stage.First, Enemy.SignalName.Hit);\n\
    \t\tGetNode(\"A\").Call(\"Jump\");\n\t}\n}\n";
const STAGE: &str = "using Godot;\npublic partial class Stage : Node\n{\n\
    \tpublic Boss First => GetNode<Boss>(\"Boss\");\n}\n";
const SCRIPT: &str = "extends Node\n\n@export var enemy: Enemy\n@export var boss: Boss\n\n\nfunc _ready() -> void:\n\
    \tenemy.Jump()\n\tenemy.Hit.connect(enemy.Jump)\n\tenemy.connect(\"Hit\", Callable(self, \"_on\"))\n";
const SCENE: &str = "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://Boss.cs\" id=\"1\"]\n\n\
    [sub_resource type=\"Animation\" id=\"A\"]\ntracks/0/type = \"method\"\ntracks/0/imported = false\ntracks/0/enabled = true\n\
    tracks/0/path = NodePath(\".\")\ntracks/0/interp = 1\ntracks/0/loop_wrap = true\ntracks/0/keys = {\n\
    \"times\": PackedFloat32Array(0),\n\"transitions\": PackedFloat32Array(1),\n\"values\": [{\n\"args\": [],\n\
    \"method\": &\"Jump\"\n}]\n}\n\n\
    [sub_resource type=\"AnimationLibrary\" id=\"L\"]\n_data = {\n&\"a\": SubResource(\"A\")\n}\n\n\
    [node name=\"Boss\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n\n\
    [node name=\"Player\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries = {\n\"\": SubResource(\"L\")\n}\n\n\
    [connection signal=\"Hit\" from=\".\" to=\".\" method=\"Jump\"]\n\
    [connection signal=\"tree_entered\" from=\"Player\" to=\".\" method=\"Jump\"]\n";

fn files() -> Files {
    project_of(&[
        ("Boss.cs", BOSS),
        ("Enemy.cs", ENEMY),
        ("Game.cs", GAME),
        ("Stage.cs", STAGE),
        ("boss.tscn", SCENE),
        ("script.gd", SCRIPT),
    ])
}

type Rename = fn(&Project, &str, &str, &str) -> Result<Plan, RefactorError>;

fn plan(files: &Files, rename: Rename, old: &str, new: &str) -> Result<Plan, RefactorError> {
    let (_folder, project) = opened(files);
    rename(&project, "res://Enemy.cs", old, new)
}

fn doubts(plan: &Plan) -> Vec<String> {
    plan.doubts.iter().map(|doubt| format!("{}:{}", doubt.path, doubt.line)).collect()
}

#[track_caller]
fn there_and_back(rename: Rename, old: &str, new: &str, left: &[&str], changed: &[(&str, &str)]) {
    let before = files();
    let there = plan(&before, rename, old, new).unwrap();
    assert_eq!(doubts(&there), left);
    let after = carried_out(&before, &there);
    for ((name, text), (_, found)) in before.iter().zip(&after) {
        let expected = changed.iter().fold(text.clone(), |text, (from, to)| text.replace(from, to));
        assert_eq!(*found, expected, "{name}");
    }
    let back = plan(&after, rename, new, old).unwrap();
    assert_eq!(carried_out(&after, &back), before);
}

#[test]
fn a_method() {
    there_and_back(
        rename_method,
        "Jump",
        "Leap",
        &["res://Game.cs:8", "res://Game.cs:10"],
        &[("Jump", "Leap"), ("Find().Leap", "Find().Jump"), ("Call(\"Leap", "Call(\"Jump")],
    );
}

#[test]
fn a_signal() {
    let changed = [("Hit", "Struck"), ("OnStruck", "OnHit")];
    there_and_back(rename_signal, "Hit", "Struck", &[], &changed);
}

#[test]
fn what_is_refused() {
    let refused = |files: &Files, rename: Rename, old: &str, new: &str| {
        plan(files, rename, old, new).unwrap_err().to_string()
    };
    let is = |rename: Rename, old: &str, new: &str, why: &str| {
        let found = refused(&files(), rename, old, new);
        assert!(found.contains(why), "{found}");
    };
    is(rename_method, "Jump", "QueueFree", "`Node`");
    is(rename_method, "Jump", "OnHit", "already");
    is(rename_method, "Jump", "Hit", "already");
    is(rename_method, "Jump", "Enemy", "already");
    is(rename_method, "Jump", "while", "is reserved in");
    is(rename_method, "_Ready", "Start", "from its base");
    is(rename_method, "Jumps", "Leap", "did you mean `Jump`");
    is(rename_signal, "Hit", "Gone", "already");
    is(rename_signal, "Hit", "Ready", "`Node`");
    is(rename_signal, "Hit", "StruckEventHandler", "gdscene adds `EventHandler`");
    let mut asked = files();
    asked[1].1 = BOSS.replace(": Enemy", ": Enemy, IJump");
    asked.push(("IJump.cs", "public interface IJump : IMove { }\n".to_owned()));
    asked.push(("IMove.cs", "public interface IMove { void Jump(); }\n".to_owned()));
    let found = refused(&asked, rename_method, "Jump", "Leap");
    assert!(found.contains("the interface `IMove` requires"), "{found}");
    asked.pop();
    let unknown = plan(&asked, rename_method, "Jump", "Leap").unwrap();
    assert_eq!(doubts(&unknown)[0], "res://Enemy.cs:1");
}
