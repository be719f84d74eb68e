use godot_project::Plan;

use crate::csharp_fixture::{Files, carried_out, opened, project_of};
use crate::{RefactorError, rename_property};

const ENEMY: &str = "using Godot;\n\n[GlobalClass]\npublic partial class Enemy : Node2D\n{\n\
    \t[Export] public int Health { get; set; } = 3;\n\
    \t[Export] private Node _target;\n\n\
    \tpublic void Hit(int Power) { Health -= Power; Set(PropertyName.Health, Health); }\n}\n";
const BOSS: &str = "public partial class Boss : Enemy\n{\n\tint Twice => 2 * Health;\n}\n";
const GAME: &str = "using Godot;\npublic partial class Game : Node\n{\n\
    \tpublic override void _Ready()\n\t{\n\
    \t\tvar enemy = GetNode<Enemy>(\"Enemy\");\n\
    \t\tGD.Print(enemy.Health, Find().Health);\n\t}\n}\n";
const SCENE: &str = "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://Enemy.cs\" id=\"1\"]\n\n\
    [node name=\"Enemy\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\nHealth = 5\n";

fn files() -> Files {
    project_of(&[("Boss.cs", BOSS), ("Enemy.cs", ENEMY), ("Game.cs", GAME), ("enemy.tscn", SCENE)])
}

fn plan(files: &Files, old: &str, new: &str) -> Result<Plan, RefactorError> {
    let (_folder, project) = opened(files);
    rename_property(&project, "res://Enemy.cs", old, new)
}

#[test]
fn there_and_back() {
    let before = files();
    let there = plan(&before, "Health", "MaxHealth").unwrap();
    let after = carried_out(&before, &there);
    let doubts: Vec<String> =
        there.doubts.iter().map(|doubt| format!("{}:{}", doubt.path, doubt.line)).collect();
    assert_eq!(doubts, ["res://Game.cs:7"]);
    for (name, text) in &before {
        let expected = match *name {
            "Game.cs" => text.replace("enemy.Health", "enemy.MaxHealth"),
            _ => text.replace("Health", "MaxHealth"),
        };
        let found = after.iter().find(|(found, _)| found == name);
        assert_eq!(found.unwrap().1, expected, "{name}");
    }
    let back = plan(&after, "MaxHealth", "Health").unwrap();
    assert_eq!(carried_out(&after, &back), before);
}

#[test]
fn what_is_refused() {
    let refusal = |files: &Files, new: &str| plan(files, "Health", new).unwrap_err().to_string();
    let files = files();
    assert!(refusal(&files, "string").contains("reserved in C#"));
    let mut taken = files.clone();
    taken[1].1 = BOSS.replace("{\n", "{\n\tconst int MaxHealth = 1;\n");
    assert!(refusal(&taken, "MaxHealth").contains("has"), "{}", refusal(&taken, "MaxHealth"));
    assert!(refusal(&files, "Hit").contains("Hit"));
}
