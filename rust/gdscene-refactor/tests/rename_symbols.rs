//! Renaming classes, methods and signals: whole files before and after, refusals, and doubts.

use std::path::Path;

use gdscene_refactor::{
    RefactorError, rename_class, rename_method, rename_property, rename_signal,
};
use godot_project::{Plan, Project};
use tempfile::TempDir;

type Files = Vec<(String, String)>;

const SETTINGS: &str =
    "config_version=5\n\n[application]\n\nconfig/features=PackedStringArray(\"4.6\")\n";

fn project(files: &[(&str, &str)]) -> (TempDir, Project) {
    let folder = tempfile::tempdir().unwrap();
    let settings = [("project.godot", SETTINGS)];
    for (path, text) in settings.iter().chain(files) {
        std::fs::write(folder.path().join(path), text).unwrap();
    }
    let project = Project::open(folder.path()).unwrap();
    (folder, project)
}

fn apply(folder: &Path, plan: &Plan) {
    for file in &plan.files {
        let path = folder.join(file.path.trim_start_matches("res://"));
        std::fs::write(path, file.new_text()).unwrap();
    }
}

fn texts(folder: &Path) -> Files {
    let mut files: Files = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| {
            (
                entry.file_name().into_string().unwrap(),
                std::fs::read_to_string(entry.path()).unwrap(),
            )
        })
        .collect();
    files.sort();
    files
}

fn doubts(plan: &Plan) -> Vec<String> {
    plan.doubts
        .iter()
        .map(|doubt| format!("{}:{}: {}", doubt.path, doubt.line, doubt.what))
        .collect()
}

type Rename<'r> = &'r dyn Fn(&Project, &str, &str) -> Result<Plan, RefactorError>;

/// In the files, `{}` means the name. Renames it there and back.
#[track_caller]
fn check(rename: Rename<'_>, old: &str, new: &str, files: &[(&str, &str)]) -> Vec<String> {
    let with = |name: &str| -> Files {
        files.iter().map(|(path, text)| ((*path).to_owned(), text.replace("{}", name))).collect()
    };
    let before = with(old);
    let before: Vec<(&str, &str)> =
        before.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let (folder, project) = project(&before);
    let original = texts(folder.path());
    let plan = rename(&project, old, new).unwrap();
    assert_eq!(
        plan.places.len(),
        files.iter().map(|(_, text)| text.matches("{}").count()).sum::<usize>(),
        "{plan:#?}"
    );
    apply(folder.path(), &plan);
    let renamed = texts(folder.path());
    for (path, text) in with(new) {
        let found = renamed.iter().find(|(name, _)| *name == path).unwrap();
        assert_eq!(found.1, text, "{path}");
    }
    let back = rename(&Project::open(folder.path()).unwrap(), new, old).unwrap();
    apply(folder.path(), &back);
    assert_eq!(texts(folder.path()), original);
    doubts(&plan)
}

fn method(project: &Project, old: &str, new: &str) -> Result<Plan, RefactorError> {
    rename_method(project, "res://enemy.gd", old, new)
}

fn signal(project: &Project, old: &str, new: &str) -> Result<Plan, RefactorError> {
    rename_signal(project, "res://enemy.gd", old, new)
}

#[track_caller]
fn refusal(plan: Result<Plan, RefactorError>) -> String {
    plan.unwrap_err().to_string()
}

const HEADER: &str = "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://enemy.gd\" id=\"1\"]\n\
    [ext_resource type=\"PackedScene\" path=\"res://enemy.tscn\" id=\"2\"]\n\n";

#[test]
fn classes() {
    let doubts = check(
        &rename_class,
        "Enemy",
        "Foe",
        &[
            (
                "enemy.gd",
                "class_name {} extends Node2D\nenum Kind { A }\nstatic var all: Array[{}]\nstatic func make() -> {}:\n\treturn {}.new()\n",
            ),
            (
                "boss.gd",
                "extends {}\n@export_node_path(\"{}\", \"Timer\") var path\nvar kind: {}.Kind = {}.Kind.A\nfunc f(e: {}, d: Dictionary[String, {}]) -> void:\n\tif e is {}:\n\t\tprint(e as {}, {}.all)\n\tfor i: {} in []: pass\n\tfind_children(\"*\", \"{}\")\n\tvar Enemy = 1\n\tprint(Enemy, self.Enemy, \"Enemy\", $Enemy, {Enemy = 1})\n",
            ),
            (
                "own.gd",
                "class A:\n\tconst Enemy = 1\n\tfunc f(): return Enemy\nclass B extends {}:\n\tpass\n",
            ),
            (
                "a.tres",
                "[gd_resource type=\"Resource\" script_class=\"{}\" format=3]\n\n[ext_resource type=\"Script\" path=\"res://enemy.gd\" id=\"1\"]\n\n[resource]\nscript = ExtResource(\"1\")\nEnemy = \"Enemy\"\n",
            ),
        ],
    );
    assert_eq!(doubts, [""; 0]);
}

#[test]
fn doubts_of_classes() {
    let doubts = check(
        &rename_class,
        "Enemy",
        "Foe",
        &[
            ("enemy.gd", "## See [{}] and [method {}.f], not [Enemy2].\nclass_name {}\n"),
            (
                "a.gd",
                "@export_custom(0, \"Enemy\") var a\nfunc f(q):\n\tif q.is_class(\"Enemy\") or q == \"Enemy\": pass\n\tprint(\"Enemy\", &\"Enemy\")\nfunc g(:\n\tvar b: Enemy\n",
            ),
            (
                "b.tres",
                "[gd_resource type=\"Resource\" script_class=\"Enemy\" format=3]\n\n[resource]\n",
            ),
            ("c.cs", "class C { void F() { var a = \"Enemy\"; } }\n"),
            (
                "d.tscn",
                "[gd_scene format=3]\n\n[sub_resource type=\"GDScript\" id=\"1\"]\nscript/source = \"extends Enemy\n# Enemy2\nvar a: Enemy\n\"\n\n[node name=\"Enemy\" type=\"Node\"]\nscript = SubResource(\"1\")\n",
            ),
        ],
    );
    let places: Vec<String> =
        doubts.iter().map(|doubt| doubt.split(": ").next().unwrap().to_owned()).collect();
    assert_eq!(
        places,
        [
            "res://a.gd:1",
            "res://a.gd:3",
            "res://a.gd:3",
            "res://a.gd:4",
            "res://a.gd:6",
            "res://b.tres:1",
            "res://c.cs:1",
            "res://d.tscn:4",
            "res://d.tscn:6",
        ]
    );
}

#[test]
fn refused_classes() {
    let (_folder, project) = project(&[
        ("enemy.gd", "class_name Enemy\nextends Node\n"),
        (
            "other.gd",
            "class_name Other\nextends Node\nclass Inner:\n\tpass\nvar member\nfunc f(local: Enemy):\n\tprint(Enemy)\n",
        ),
        ("twice.gd", "class_name Twice\n"),
        ("again.gd", "class_name Twice\n"),
    ]);
    let refused = |old: &str, new: &str| refusal(rename_class(&project, old, new));
    assert_eq!(
        refused("Enemi", "A"),
        "no script of the project declares the class `Enemi`; did you mean `Enemy`?"
    );
    assert_eq!(refused("Twice", "A"), "several scripts declare the class `Twice`");
    assert_eq!(refused("Enemy", "Other"), "`res://other.gd` already declares a class `Other`");
    assert_eq!(refused("Enemy", "Sprite2D"), "Godot has a class or type `Sprite2D`");
    assert_eq!(refused("Enemy", "Vector2"), "Godot has a class or type `Vector2`");
    assert_eq!(refused("Enemy", "Inner"), "`res://other.gd` contains a class `Inner`");
    assert_eq!(
        refused("Enemy", "member"),
        "`res://other.gd`, line 6: `member` means something else here"
    );
    assert_eq!(
        refused("Enemy", "local"),
        "`res://other.gd`, line 6: `local` means something else here"
    );
    assert_eq!(refused("Enemy", "1a"), "`1a` is not a valid class name: it begins with a digit");
}

#[test]
fn classes_of_godot_3() {
    let folder = tempfile::tempdir().unwrap();
    let settings = |name: &str| {
        format!(
            "config_version=4\n\n_global_script_classes=[ {{\n\"base\": \"Node\",\n\"class\": \"{name}\",\n\"language\": \"GDScript\",\n\"path\": \"res://enemy.gd\"\n}}, {{\n\"base\": \"{name}\",\n\"class\": \"Boss\",\n\"language\": \"GDScript\",\n\"path\": \"res://boss.gd\"\n}} ]\n_global_script_class_icons={{\n\"{name}\": \"\"\n}}\n"
        )
    };
    std::fs::write(folder.path().join("project.godot"), settings("Enemy")).unwrap();
    std::fs::write(
        folder.path().join("enemy.gd"),
        "extends Node\nclass_name Enemy, \"res://a.png\"\n",
    )
    .unwrap();
    std::fs::write(
        folder.path().join("boss.gd"),
        "extends Enemy\nclass_name Boss\nexport(int) var a\n",
    )
    .unwrap();
    let plan = rename_class(&Project::open(folder.path()).unwrap(), "Enemy", "Foe").unwrap();
    apply(folder.path(), &plan);
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(text("project.godot"), settings("Foe"));
    assert_eq!(text("enemy.gd"), "extends Node\nclass_name Foe, \"res://a.png\"\n");
    assert_eq!(text("boss.gd"), "extends Foe\nclass_name Boss\nexport(int) var a\n");
}

#[test]
fn methods_in_scripts_and_connections() {
    let scene = format!(
        "{HEADER}[node name=\"Enemy\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n\n[node name=\"T\" type=\"Timer\" parent=\".\"]\n\n[connection signal=\"timeout\" from=\"T\" to=\".\" method=\"{{}}\"]\n[connection signal=\"timeout\" from=\"T\" to=\"T\" method=\"jump\"]\n"
    );
    let level = format!(
        "{HEADER}[node name=\"Level\" type=\"Node\"]\n\n[node name=\"E\" parent=\".\" instance=ExtResource(\"2\")]\n\n[connection signal=\"ready\" from=\".\" to=\"E\" method=\"{{}}\" flags=6]\n"
    );
    let doubts = check(
        &method,
        "jump",
        "leap",
        &[
            (
                "enemy.gd",
                "class_name Enemy\nextends Node2D\nsignal hit\nvar a: int:\n\tset = set_a\nfunc {}(): pass\nfunc set_a(v):\n\ta = v\n\t{}()\n\tself.{}.call()\n\tcall_deferred(\"{}\")\n",
            ),
            ("boss.gd", "extends Enemy\nfunc {}():\n\tsuper.{}()\n\tsuper()\n"),
            (
                "other.gd",
                "extends Node2D\nvar e: Enemy\nfunc jump():\n\tjump()\n\te.{}()\n\te.hit.connect(e.{})\n\te.hit.connect(jump)\n\tget(\"jump\")\n",
            ),
            ("enemy.tscn", &scene),
            ("level.tscn", &level),
        ],
    );
    assert_eq!(doubts, [""; 0]);
}

#[test]
fn methods_in_tracks() {
    let animation = |name: &str| {
        format!(
            "length = 1.0\ntracks/0/type = \"method\"\ntracks/0/imported = false\ntracks/0/enabled = true\ntracks/0/path = NodePath(\"{name}\")\ntracks/0/interp = 1\ntracks/0/loop_wrap = true\ntracks/0/keys = {{\n\"times\": PackedFloat32Array(0),\n\"transitions\": PackedFloat32Array(1),\n\"values\": [{{\n\"args\": [],\n\"method\": &\"NAME\"\n}}]\n}}\n"
        )
    };
    let scene = format!(
        "{HEADER}[sub_resource type=\"Animation\" id=\"A\"]\n{}\n[sub_resource type=\"Animation\" id=\"B\"]\n{}\n[sub_resource type=\"AnimationLibrary\" id=\"L\"]\n_data = {{\n&\"a\": SubResource(\"A\"),\n&\"b\": SubResource(\"B\")\n}}\n\n[node name=\"Root\" type=\"Node2D\"]\n\n[node name=\"E\" parent=\".\" instance=ExtResource(\"2\")]\n\n[node name=\"P\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries = {{\n&\"\": SubResource(\"L\")\n}}\n",
        animation("E").replace("NAME", "{}"),
        animation(".").replace("NAME", "jump")
    );
    let enemy =
        format!("{HEADER}[node name=\"Enemy\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n");
    let doubts = check(
        &method,
        "jump",
        "leap",
        &[
            ("enemy.gd", "class_name Enemy\nextends Node2D\nfunc {}(): pass\n"),
            ("enemy.tscn", &enemy),
            ("scene.tscn", &scene),
        ],
    );
    assert_eq!(doubts, [""; 0]);
}

#[test]
fn signals() {
    let scene = format!(
        "{HEADER}[node name=\"Enemy\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n\n[connection signal=\"{{}}\" from=\".\" to=\".\" method=\"hit\"]\n[connection signal=\"ready\" from=\".\" to=\".\" method=\"hit\"]\n"
    );
    let doubts = check(
        &signal,
        "hit",
        "was_hit",
        &[
            (
                "enemy.gd",
                "class_name Enemy\nextends Node2D\nsignal {}(by)\nfunc f():\n\t{}.emit(1)\n\temit_signal(\"{}\", 1)\n\t{}.connect(f)\n",
            ),
            (
                "other.gd",
                "extends Node\nfunc f(e: Enemy):\n\te.connect(&\"{}\", f)\n\tawait e.{}\n\te.{}.disconnect(f)\n\tprint(\"hit\")\n",
            ),
            ("enemy.tscn", &scene),
        ],
    );
    assert_eq!(doubts, [""; 0]);
}

#[test]
fn doubts_of_methods() {
    let base = format!(
        "{HEADER}[node name=\"Base\" type=\"Node2D\"]\n\n[connection signal=\"ready\" from=\".\" to=\".\" method=\"jump\"]\n"
    );
    let heir = "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://base.tscn\" id=\"1\"]\n[ext_resource type=\"Script\" path=\"res://enemy.gd\" id=\"2\"]\n\n[node name=\"Heir\" instance=ExtResource(\"1\")]\nscript = ExtResource(\"2\")\n";
    let inner = "[gd_scene format=3]\n\n[sub_resource type=\"GDScript\" id=\"1\"]\nscript/source = \"extends Node\nfunc f(q):\n\tq.jump()\n\tq.jump()\n\"\n\n[node name=\"A\" type=\"Node\"]\nscript = SubResource(\"1\")\n";
    let doubts = check(
        &method,
        "jump",
        "leap",
        &[
            ("enemy.gd", "class_name Enemy\nextends Node2D\nfunc {}(): pass\n"),
            ("a.gd", "func f(q):\n\tq.jump()\n\tq.call(\"jump\")\n"),
            ("b.cs", "class B { void F() { GetNode(\"A\").Call(\"jump\"); } }\n"),
            ("base.tscn", &base),
            ("heir.tscn", heir),
            ("inner.tscn", inner),
        ],
    );
    let places: Vec<String> =
        doubts.iter().map(|doubt| doubt.split(": ").next().unwrap().to_owned()).collect();
    assert_eq!(
        places,
        [
            "res://a.gd:2",
            "res://a.gd:3",
            "res://b.cs:1",
            "res://base.tscn:8",
            "res://inner.tscn:6",
            "res://inner.tscn:7"
        ]
    );
}

#[test]
fn scripts_that_are_not_read() {
    let huge =
        format!("extends Node\nvar health := 1\nfunc jump(): pass\n#{}\n", " ".repeat(4 << 20));
    let broken = "extends Node\nvar health := ((\nfunc jump(: pass\n";
    let (_folder, project) = project(&[("huge.gd", &huge), ("broken.gd", broken)]);
    let refused = |script: &str| {
        [
            rename_property(&project, script, "health", "a"),
            rename_method(&project, script, "jump", "a"),
            rename_signal(&project, script, "hurt", "a"),
        ]
        .map(refusal)
    };
    let too_long = "`res://huge.gd` is too long; the limit for scripts is 4 MiB";
    for refusal in refused("res://huge.gd") {
        assert_eq!(refusal, too_long);
    }
    let reason = "`res://broken.gd` cannot be read completely (its syntax cannot be parsed); repair it first";
    for refusal in refused("res://broken.gd") {
        assert_eq!(refusal, reason);
    }
}

#[test]
fn refused_members() {
    let (_folder, project) = project(&[
        (
            "enemy.gd",
            "class_name Enemy\nextends Node2D\nsignal hit\nvar health\nfunc jump():\n\tvar local = jump\n\treturn local\nfunc _ready(): pass\nfunc _init(): pass\nfunc f(arg): return jump if arg else rise()\n",
        ),
        ("boss.gd", "extends Enemy\nfunc jump(): pass\nvar fire\nfunc g(): return Other.new()\n"),
        ("lost.gd", "extends Lost\nfunc jump(): pass\n"),
        ("other.gd", "class_name Other\n"),
    ]);
    let refused = |old: &str, new: &str| refusal(method(&project, old, new));
    assert_eq!(refused("jumb", "a"), "`res://enemy.gd` has no method `jumb`; did you mean `jump`?");
    assert_eq!(
        refused("_ready", "a"),
        "`_ready` is a method of the Godot class `Node2D`, which uses this name"
    );
    assert_eq!(refused("_init", "a"), "Godot itself calls `_init`");
    assert_eq!(refused("jump", "health"), "`res://enemy.gd` already has a member `health`");
    assert_eq!(refused("jump", "hit"), "`res://enemy.gd` already has a member `hit`");
    assert_eq!(
        refused("jump", "rotate"),
        "`Node2D`, which `res://enemy.gd` extends, already has a member `rotate`"
    );
    assert_eq!(
        refused("jump", "fire"),
        "`res://boss.gd`, which extends `res://enemy.gd`, already has a member `fire`"
    );
    assert_eq!(refused("jump", "Node"), "Godot has a class or type `Node`");
    assert_eq!(
        refused("jump", "Other"),
        "`res://boss.gd`, line 4: the new name means something else here"
    );
    assert_eq!(
        refused("jump", "rise"),
        "`res://enemy.gd`, line 10: the new name means something else here"
    );
    assert_eq!(
        refused("jump", "arg"),
        "`res://enemy.gd`, line 10: a local variable or parameter has the new name here, and would be used instead"
    );
    assert_eq!(
        refused("jump", "for"),
        "`for` is not a valid method name: it is reserved in GDScript"
    );
    assert_eq!(
        refusal(rename_method(&project, "res://boss.gd", "jump", "leap")),
        "`res://boss.gd` inherits the method `jump` from `res://enemy.gd`; rename it there"
    );
    assert!(
        refusal(rename_method(&project, "res://lost.gd", "jump", "leap"))
            .contains("cannot determine what it extends")
    );
    assert!(
        refusal(rename_method(&project, "res://gone.gd", "jump", "leap"))
            .contains("not a file of the project")
    );
    assert_eq!(
        refusal(signal(&project, "hitt", "a")),
        "`res://enemy.gd` has no signal `hitt`; did you mean `hit`?"
    );
    assert_eq!(
        refusal(signal(&project, "hit", "ready")),
        "`Node2D`, which `res://enemy.gd` extends, already has a member `ready`"
    );
}

/// On which node an expression is worked out is said by the `AnimationTree` when the game runs.
#[test]
fn expressions_of_transitions() {
    let scene = "[gd_scene format=3]\n\n\
        [sub_resource type=\"AnimationNodeStateMachineTransition\" id=\"1\"]\n\
        advance_expression = \"health < 2 and is_hit()\"\n\n\
        [sub_resource type=\"AnimationNodeStateMachineTransition\" id=\"2\"]\n\
        advance_expression = \"healthy or is_hit_by\"\n\n\
        [node name=\"A\" type=\"Node\"]\n";
    let script = "extends Node\n\n@export var health := 3\n\nfunc is_hit():\n\treturn true\n";
    let (_folder, project) = project(&[("a.tscn", scene), ("enemy.gd", script)]);
    let why = "an expression that contains the name; cannot determine its node";
    let variable =
        gdscene_refactor::rename_property(&project, "res://enemy.gd", "health", "life").unwrap();
    assert_eq!(doubts(&variable), [format!("res://a.tscn:4: {why}")]);
    let method = rename_method(&project, "res://enemy.gd", "is_hit", "was_hit").unwrap();
    assert_eq!(doubts(&method), [format!("res://a.tscn:4: {why}")]);
}
