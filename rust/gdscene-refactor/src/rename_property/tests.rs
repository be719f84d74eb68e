use godot_project::{Plan, Project};

use crate::{RefactorError, rename_property};

/// A project of these files.
struct Files(Vec<(&'static str, String)>);

const ENEMY: &str =
    "class_name Enemy\nextends Node2D\n\n@export var health := 3\n@export var target: Node\n";

fn scene(body: &str) -> String {
    format!(
        "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://enemy.gd\" id=\"1\"]\n\
         [ext_resource type=\"PackedScene\" path=\"res://enemy.tscn\" id=\"2\"]\n\n{body}"
    )
}

impl Files {
    fn new(files: &[(&'static str, &str)]) -> Self {
        let all = [
            (
                "project.godot",
                "config_version=5\n\n[application]\n\nconfig/features=PackedStringArray(\"4.6\")\n",
            ),
            ("enemy.gd", ENEMY),
        ];
        let all = all.iter().chain(files).map(|(path, text)| (*path, (*text).to_owned()));
        Self(all.collect())
    }

    fn plan(&self, script: &str, old: &str, new: &str) -> Result<Plan, RefactorError> {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in &self.0 {
            std::fs::write(folder.path().join(path), text).unwrap();
        }
        rename_property(&Project::open(folder.path()).unwrap(), script, old, new)
    }

    /// The changed text of the only scene or resource that changes.
    fn changed(&self, path: &str) -> String {
        let plan = self.plan("res://enemy.gd", "health", "max_health").unwrap();
        let file = plan.files.iter().find(|file| file.path == format!("res://{path}"));
        let file = file.unwrap_or_else(|| panic!("{path} does not change: {plan:#?}"));
        String::from_utf8(file.new_text()).unwrap()
    }

    fn doubts(&self) -> Vec<String> {
        let plan = self.plan("res://enemy.gd", "health", "max_health").unwrap();
        let places = plan.places.iter().filter(|place| !place.path.ends_with(".gd"));
        assert_eq!(places.count(), 0, "{plan:#?}");
        plan.doubts
            .iter()
            .map(|doubt| format!("{}:{}: {}", doubt.path, doubt.line, doubt.what))
            .collect()
    }
}

#[test]
fn values_of_nodes() {
    let body = "[node name=\"Root\" type=\"Node2D\"]\n\n\
        [node name=\"A\" type=\"Node2D\" parent=\".\" node_paths=PackedStringArray(\"target\")]\nscript = ExtResource(\"1\")\nhealth = 5\ntarget = NodePath(\"..\")\n\n\
        [node name=\"Other\" type=\"Node2D\" parent=\".\"]\nhealth = 7\n";
    let text = Files::new(&[("a.tscn", &scene(body))]).changed("a.tscn");
    assert_eq!(text, scene(&body.replace("health = 5", "max_health = 5")));
}

#[test]
fn node_paths() {
    let body = "[node name=\"A\" type=\"Node2D\" node_paths=PackedStringArray(\"target\")]\nscript = ExtResource(\"1\")\ntarget = NodePath(\".\")\n";
    let files = Files::new(&[("a.tscn", &scene(body))]);
    let plan = files.plan("res://enemy.gd", "target", "prey").unwrap();
    let text = plan.files.iter().find(|file| file.path == "res://a.tscn").unwrap().new_text();
    assert_eq!(String::from_utf8(text).unwrap(), scene(&body.replace("target", "prey")));
}

#[test]
fn values_of_instances_and_heirs() {
    let enemy = scene("[node name=\"Enemy\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n");
    let boss = "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://enemy.tscn\" id=\"2\"]\n\
        [ext_resource type=\"Script\" path=\"res://boss.gd\" id=\"3\"]\n\n\
        [node name=\"Boss\" instance=ExtResource(\"2\")]\nscript = ExtResource(\"3\")\nhealth = 50\n";
    let level = scene(
        "[node name=\"Level\" type=\"Node2D\"]\n\n[node name=\"E\" parent=\".\" instance=ExtResource(\"2\")]\nhealth = 9\n",
    );
    let files = Files::new(&[
        ("enemy.tscn", &enemy),
        ("boss.gd", "extends Enemy\n"),
        ("boss.tscn", boss),
        ("level.tscn", &level),
    ]);
    assert!(files.changed("boss.tscn").ends_with("\nmax_health = 50\n"));
    assert!(files.changed("level.tscn").ends_with("\nmax_health = 9\n"));
}

#[test]
fn values_of_resources() {
    let tres = "[gd_resource type=\"Resource\" script_class=\"Stats\" format=3]\n\n\
        [ext_resource type=\"Script\" path=\"res://stats.gd\" id=\"1\"]\n\n\
        [sub_resource type=\"Resource\" id=\"r\"]\nscript = ExtResource(\"1\")\nhealth = 2\n\n\
        [resource]\nscript = ExtResource(\"1\")\nhealth = 1\nnext = SubResource(\"r\")\n";
    let files = Files::new(&[
        (
            "stats.gd",
            "class_name Stats\nextends Resource\n@export var health := 3\n@export var next: Stats\n",
        ),
        ("a.tres", tres),
    ]);
    let plan = files.plan("res://stats.gd", "health", "hp").unwrap();
    let text = plan.files.iter().find(|file| file.path == "res://a.tres").unwrap().new_text();
    assert_eq!(String::from_utf8(text).unwrap(), tres.replace("health = ", "hp = "));
}

#[test]
fn tracks() {
    let body = |name: &str| {
        format!(
            "[sub_resource type=\"Animation\" id=\"a\"]\ntracks/0/type = \"value\"\ntracks/0/path = NodePath(\"E:{name}\")\n\
         tracks/1/type = \"value\"\ntracks/1/path = NodePath(\".:health\")\n\
         tracks/2/type = \"value\"\ntracks/2/path = \"E:{name}\"\n\n\
         [node name=\"Root\" type=\"Node2D\"]\n\n[node name=\"E\" type=\"Node2D\" parent=\".\"]\nscript = ExtResource(\"1\")\n\n\
         [node name=\"Player\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries/ = {{\n\"\": 0\n}}\nanims/a = SubResource(\"a\")\n"
        )
    };
    let files = Files::new(&[("a.tscn", &scene(&body("health")))]);
    assert_eq!(files.changed("a.tscn"), scene(&body("max_health")));
}

#[test]
fn tracks_to_a_resource_in_a_variable() {
    let body = |name: &str| {
        scene(&format!(
        "[sub_resource type=\"Animation\" id=\"a\"]\ntracks/0/type = \"value\"\ntracks/0/path = NodePath(\"E:stats:{name}:x\")\n\n\
         [node name=\"Root\" type=\"Node2D\"]\n\n[node name=\"E\" type=\"Node2D\" parent=\".\"]\nscript = ExtResource(\"1\")\n\n\
         [node name=\"Player\" type=\"AnimationPlayer\" parent=\".\"]\nanims/a = SubResource(\"a\")\n"
    )).replace("enemy.gd", "holder.gd")
    };
    let files = Files::new(&[
        ("stats.gd", "class_name Stats\nextends Resource\n@export var offset := Vector2()\n"),
        ("holder.gd", "extends Node2D\n@export var stats: Stats\n"),
        ("a.tscn", &body("offset")),
    ]);
    let plan = files.plan("res://stats.gd", "offset", "place").unwrap();
    let text = plan.files.iter().find(|file| file.path == "res://a.tscn").unwrap().new_text();
    assert_eq!(String::from_utf8(text).unwrap(), body("place"));
}

#[test]
fn tracks_of_an_animation_in_a_file_of_its_own() {
    let animation = |name: &str| {
        format!(
            "[gd_resource type=\"Animation\" format=3]\n\n[resource]\ntracks/0/type = \"value\"\ntracks/0/path = NodePath(\"E:{name}\")\n"
        )
    };
    let body = |script: &str| {
        scene(&format!(
            "[ext_resource type=\"Animation\" path=\"res://a.tres\" id=\"4\"]\n\n[node name=\"Root\" type=\"Node2D\"]\n\n\
         [node name=\"E\" type=\"Node2D\" parent=\".\"]\n{script}\n\
         [node name=\"Player\" type=\"AnimationPlayer\" parent=\".\"]\nanims/a = ExtResource(\"4\")\n"
        ))
    };
    let with_script = body("script = ExtResource(\"1\")\n");
    let files = Files::new(&[("a.tscn", &with_script), ("a.tres", &animation("health"))]);
    assert_eq!(files.changed("a.tres"), animation("max_health"));
    // Another scene plays it on a node of another kind.
    let files = Files::new(&[
        ("a.tscn", &with_script),
        ("b.tscn", &body("")),
        ("a.tres", &animation("health")),
    ]);
    assert_eq!(files.doubts().len(), 1);
}

#[test]
fn what_is_not_certain_is_a_doubt() {
    let unknown =
        scene("[node name=\"A\" type=\"Node2D\"]\nscript = ExtResource(\"9\")\nhealth = 5\n");
    let doubts = Files::new(&[("a.tscn", &unknown)]).doubts();
    assert_eq!(
        doubts,
        ["res://a.tscn:8: a value of this name; cannot determine the script of its object"]
    );
}

#[test]
fn a_script_that_has_the_new_name_already() {
    let body = scene("[node name=\"A\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\nhp = 5\n");
    let files = Files::new(&[("a.tscn", &body)]);
    let plan = files.plan("res://enemy.gd", "hp", "health").unwrap();
    assert_eq!(plan.files.len(), 1);
    assert_eq!(plan.files[0].new_text(), body.replace("hp = 5", "health = 5").into_bytes());
    // Both exist: Godot loads the new one.
    let both = scene(
        "[node name=\"A\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\nhp = 5\nhealth = 6\n",
    );
    let plan = Files::new(&[("a.tscn", &both)]).plan("res://enemy.gd", "hp", "health").unwrap();
    assert!(plan.is_empty());
    assert_eq!(plan.doubts.len(), 1);
}

#[test]
fn refusals() {
    let files = Files::new(&[
        ("boss.gd", "extends Enemy\nvar rage := 1\n"),
        (
            "a.tscn",
            &scene(
                "[node name=\"A\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\nhealth = 5\nmax_health = 6\n",
            ),
        ),
    ]);
    let refused =
        |script: &str, old: &str, new: &str| files.plan(script, old, new).unwrap_err().to_string();
    insta::assert_snapshot!(
        [
            refused("res://gone.gd", "health", "hp"),
            refused("res://a.tscn", "health", "hp"),
            refused("res://enemy.gd", "helth", "hp"),
            refused("res://enemy.gd", "health", "2hp"),
            refused("res://enemy.gd", "health", "position"),
            refused("res://enemy.gd", "health", "target"),
            refused("res://enemy.gd", "health", "rage"),
            refused("res://enemy.gd", "health", "Vector2"),
            refused("res://enemy.gd", "health", "Node"),
            refused("res://enemy.gd", "health", "_init"),
            refused("res://enemy.gd", "health", "PROCESS_MODE_ALWAYS"),
            refused("res://enemy.gd", "health", "script"),
            refused("res://boss.gd", "health", "hp"),
            refused("res://enemy.gd", "health", "max_health"),
        ]
        .join("\n"), @r"
    `res://gone.gd` is not a file of the project, or Godot's editor does not see it
    `res://a.tscn` is not a script
    `res://enemy.gd` has no variable `helth`; did you mean `health`?
    `2hp` is not a valid variable name: it begins with a digit
    `Node2D`, which `res://enemy.gd` extends, already has a member `position`
    `res://enemy.gd` already has a member `target`
    `res://boss.gd`, which extends `res://enemy.gd`, already has a member `rage`
    Godot has a class or type `Vector2`
    Godot has a class or type `Node`
    Godot itself calls methods with the name `_init`
    `Node2D`, which `res://enemy.gd` extends, already has a member `PROCESS_MODE_ALWAYS`
    `Node2D`, which `res://enemy.gd` extends, already has a member `script`
    `res://boss.gd` inherits `health` from the script that it extends, `res://enemy.gd`; rename it there
    `res://a.tscn` already has a value of `max_health` (line 9), which Godot ignores; remove it first
    "
    );
}

#[test]
fn uses_in_scripts() {
    let game = |name: &str| {
        format!(
            "extends Node\nvar enemy: Enemy\nvar health := 1\nfunc _ready():\n\tenemy.{name} = health\n\tprint(self.health)\n"
        )
    };
    let files = Files::new(&[("game.gd", &game("health"))]);
    let plan = files.plan("res://enemy.gd", "health", "max_health").unwrap();
    let text = |path: &str| {
        let file = plan.files.iter().find(|file| file.path == path).unwrap();
        String::from_utf8(file.new_text()).unwrap()
    };
    assert_eq!(text("res://enemy.gd"), ENEMY.replace("var health", "var max_health"));
    assert_eq!(text("res://game.gd"), game("max_health"));
    assert!(plan.doubts.is_empty(), "{:?}", plan.doubts);
}

#[test]
fn uses_of_unknown_objects_are_doubts() {
    let game = "extends Node\nfunc hurt(who):\n\twho.health -= 1\n\twho.set(\"health\", 2)\n";
    let plan = Files::new(&[("game.gd", game)]).plan("res://enemy.gd", "health", "hp").unwrap();
    let lines: Vec<u32> = plan.doubts.iter().map(|doubt| doubt.line).collect();
    assert_eq!(lines, [3, 4]);
}
