use godot_project::{FileMove, Plan};

use crate::csharp_fixture::{Files, carried_out, opened, project_of};
use crate::{RefactorError, rename_class};

const ENEMY: &str = "using Godot;\n\nnamespace Game;\n\n[GlobalClass]\npublic partial class Enemy : Resource\n{\n\
    \t[Export] public Enemy Next { get; set; }\n\n\
    \tpublic static Enemy Load() => GD.Load<Enemy>(\"res://units/Enemy.cs\");\n}\n";
const BOSS: &str =
    "namespace Game;\n\npublic partial class Boss : Enemy\n{\n\tEnemy Enemy { get; set; }\n}\n";
const SCRIPT: &str = "extends Node\n\n@export var enemies: Array[Enemy]\nconst PATH = preload(\"res://units/Enemy.cs\")\n\n\n\
    func _ready() -> void:\n\tprint(Enemy.new())\n";
const RESOURCE: &str = "[gd_resource type=\"Resource\" script_class=\"Enemy\" format=3]\n\n\
    [ext_resource type=\"Script\" uid=\"uid://c123\" path=\"res://units/Enemy.cs\" id=\"1_Enemy\"]\n\n\
    [resource]\nscript = ExtResource(\"1_Enemy\")\nresource_name = \"Enemy\"\n";

fn files() -> Files {
    project_of(&[
        ("Boss.cs", BOSS),
        ("units/Enemy.cs", ENEMY),
        ("units/Enemy.cs.uid", "uid://c123\n"),
        ("enemy.tres", RESOURCE),
        ("script.gd", SCRIPT),
    ])
}

fn plan(files: &Files, old: &str, new: &str) -> Result<Plan, RefactorError> {
    let (_folder, project) = opened(files);
    rename_class(&project, old, new)
}

#[test]
fn with_its_file() {
    let before = files();
    let there = plan(&before, "Enemy", "Foe").unwrap();
    let moved = |from: &str, to: &str| FileMove { from: from.to_owned(), to: to.to_owned() };
    assert_eq!(
        there.moves,
        [
            moved("res://units/Enemy.cs", "res://units/Foe.cs"),
            moved("res://units/Enemy.cs.uid", "res://units/Foe.cs.uid"),
        ]
    );
    let kept = [
        ("Foe Foe", "Foe Enemy"),
        ("id=\"1_Foe", "id=\"1_Enemy"),
        ("ExtResource(\"1_Foe", "ExtResource(\"1_Enemy"),
        ("resource_name = \"Foe", "resource_name = \"Enemy"),
    ];
    for ((name, text), (_, found)) in before.iter().zip(&carried_out(&before, &there)) {
        let expected = text.replace("Enemy", "Foe");
        let expected = kept.iter().fold(expected, |text, (from, to)| text.replace(from, to));
        assert_eq!(*found, expected, "{name}");
    }
    let doubts: Vec<&str> = there.doubts.iter().map(|doubt| doubt.path.as_str()).collect();
    assert!(doubts.is_empty(), "{:?}", there.doubts);
    // The class gets the name of a file, and its old name again.
    let mut after = carried_out(&before, &there);
    (after[2].0, after[3].0) = ("units/Foe.cs", "units/Foe.cs.uid");
    let mut back = carried_out(&after, &plan(&after, "Foe", "Enemy").unwrap());
    (back[2].0, back[3].0) = ("units/Enemy.cs", "units/Enemy.cs.uid");
    assert_eq!(back, before);
}

#[test]
fn one_that_is_not_global() {
    let there = plan(&files(), "Boss", "Chief").unwrap();
    assert_eq!(there.moves.len(), 1);
    assert_eq!(there.files.len(), 1);
    assert_eq!(there.files[0].new_text(), BOSS.replace("Boss", "Chief").as_bytes());
    // GDScript does not know the class, so an autoload may be called as it is.
    let mut files = files();
    files[0].1 += "\n[autoload]\n\nChief=\"*res://Boss.cs\"\n";
    assert!(plan(&files, "Boss", "Chief").is_ok());
    let known = plan(&files, "Enemy", "Chief").unwrap_err().to_string();
    assert!(known.contains("is an autoload"), "{known}");
}

#[test]
fn what_is_refused() {
    let is = |files: &Files, old: &str, new: &str, why: &str| {
        let found = plan(files, old, new).unwrap_err().to_string();
        assert!(found.contains(why), "{found}");
    };
    is(&files(), "Enemy", "Boss", "`res://Boss.cs` already has a class `Boss`");
    is(&files(), "Enemy", "string", "reserved in C#");
    is(&files(), "Enemy", "Next", "already has `Next`");
    is(&files(), "Enemy", "Node", "Godot has a class or type `Node`");
    is(&files(), "Enemies", "Foe", "did you mean `Enemy`");
    let mut twice = files();
    twice.push(("other/Enemy.cs", "class Enemy {}\n".to_owned()));
    is(&twice, "Enemy", "Foe", "it is ambiguous which class");
}
