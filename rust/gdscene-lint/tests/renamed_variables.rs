//! TREE024 in repositories of its own.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use gdscene_lint::{Config, FixChoice, Scope, Workspace};
use godot_project::Project;
use godot_tscn::Applicability;
use tempfile::TempDir;
use testkit::git::git;

const HEADER: &str = "[gd_scene format=3]\n\n\
    [ext_resource type=\"Script\" path=\"res://enemy.gd\" id=\"1\"]\n\n\
    [node name=\"Enemy\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n";

/// A project in a repository.
struct Repository(TempDir);

impl Repository {
    fn new() -> Self {
        let this = Self(tempfile::tempdir().unwrap());
        this.git(&["init", "--quiet"]);
        this.write("project.godot", "config_version=5\n");
        this
    }

    fn folder(&self) -> &Path {
        self.0.path()
    }

    fn git(&self, arguments: &[&str]) {
        git(self.folder(), arguments);
    }

    fn write(&self, name: &str, text: &str) -> &Self {
        fs::write(self.folder().join(name), text).unwrap();
        self
    }

    fn commit(&self) -> &Self {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty-message", "-m", ""]);
        self
    }

    /// The scripts one after the other, each in a commit of its own, and a scene with these values.
    fn of_scripts(scripts: &[&str], values: &str) -> Self {
        let this = Self::new();
        for script in scripts {
            this.write("enemy.gd", &format!("extends Node2D\n{script}")).commit();
        }
        this.write("main.tscn", &format!("{HEADER}{values}")).commit();
        this
    }

    fn workspace(&self) -> Workspace {
        Workspace::of_project(Project::open(self.folder()).unwrap(), Arc::<Config>::default())
    }

    /// The reports on unknown values, without the names of commits.
    fn found(&self) -> Vec<String> {
        found(self.folder())
    }

    /// The scene after the fixes.
    fn fixed(&self) -> String {
        let text = fs::read(self.folder().join("main.tscn")).unwrap();
        let fixed =
            self.workspace().fix("res://main.tscn", &text, FixChoice::up_to(Applicability::Unsafe));
        String::from_utf8(fixed.text).unwrap()
    }
}

fn found(folder: &Path) -> Vec<String> {
    let workspace = Workspace::of_project(Project::open(folder).unwrap(), Arc::<Config>::default());
    let report = workspace.report(Scope::All);
    let all = report.files.iter().flat_map(|(_, located)| located).map(|found| &found.diagnostic);
    let is_meant = |code: &str| matches!(code, "TREE024" | "TREE015" | "FMT006");
    all.filter(|found| is_meant(found.code))
        .map(|found| {
            let words = found.message.split(' ').map(|word| {
                let is_commit =
                    word.len() >= 7 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
                if is_commit { "COMMIT" } else { word }
            });
            format!("{}: {}", found.code, words.collect::<Vec<_>>().join(" "))
        })
        .collect()
}

#[test]
fn a_name_of_before() {
    let repository = Repository::of_scripts(
        &["@export var health: int = 3\n", "@export var max_health: int = 3\n"],
        "health = 5\n",
    );
    assert_eq!(
        repository.found(),
        [
            "TREE024: the variable `health` of `enemy.gd` was renamed to `max_health` in COMMIT (2026-05-01)"
        ]
    );
    assert_eq!(repository.fixed(), format!("{HEADER}max_health = 5\n"));
}

#[test]
fn two_names_of_before() {
    let scripts = ["a", "b", "c"].map(|name| format!("@export var the_{name}: int = 3\n"));
    let scripts: Vec<&str> = scripts.iter().map(String::as_str).collect();
    let repository = Repository::of_scripts(&scripts, "the_a = 5\n");
    assert_eq!(
        repository.found(),
        [
            "TREE024: the variable `the_a` of `enemy.gd` was renamed to `the_b` in COMMIT (2026-05-01), then to `the_c` in COMMIT (2026-05-01)"
        ]
    );
    assert_eq!(repository.fixed(), format!("{HEADER}the_c = 5\n"));
    // Both cannot become one.
    let repository = Repository::of_scripts(&scripts, "the_a = 5\nthe_b = 6\n");
    assert_eq!(repository.found().len(), 2);
    assert_eq!(repository.fixed(), format!("{HEADER}the_a = 5\nthe_b = 6\n"));
}

#[test]
fn what_is_not_committed_yet() {
    let repository = Repository::of_scripts(&["@export var health: int = 3\n"], "health = 5\n");
    assert_eq!(repository.found(), [""; 0]);
    repository.write("enemy.gd", "extends Node2D\n@export var max_health: int = 3\n");
    assert_eq!(
        repository.found(),
        [
            "TREE024: the variable `health` of `enemy.gd` was renamed to `max_health`, which is not committed yet"
        ]
    );
    assert_eq!(repository.fixed(), format!("{HEADER}max_health = 5\n"));
}

#[test]
fn a_script_that_was_moved() {
    let repository = Repository::new();
    let body = "var one := 1\nvar two := 2\nfunc hurt():\n\tone += two\n";
    let script = |name: &str| format!("extends Node2D\n@export var {name}: int = 3\n{body}");
    repository.write("old.gd", &script("health")).commit();
    repository.write("old.gd", &script("max_health")).commit();
    repository.git(&["mv", "old.gd", "enemy.gd"]);
    repository.commit().write("main.tscn", &format!("{HEADER}health = 5\n"));
    assert_eq!(repository.found().len(), 1);
    assert_eq!(repository.fixed(), format!("{HEADER}max_health = 5\n"));
}

#[test]
fn a_script_that_was_moved_and_changed_at_once() {
    let repository = Repository::new();
    let body = "var one := 1\nvar two := 2\nfunc hurt():\n\tone += two\n";
    let script = |name: &str| format!("extends Node2D\n@export var {name}: int = 3\n{body}");
    repository.write("old.gd", &script("health")).commit();
    repository.git(&["mv", "old.gd", "enemy.gd"]);
    repository.write("enemy.gd", &script("max_health")).commit();
    repository.write("main.tscn", &format!("{HEADER}health = 5\n"));
    assert_eq!(repository.fixed(), format!("{HEADER}max_health = 5\n"));
}

#[test]
fn a_variable_of_the_base() {
    let repository = Repository::new();
    repository.write("enemy.gd", "extends \"res://base.gd\"\n");
    repository.write("base.gd", "extends Node2D\n@export var health: int = 3\n").commit();
    repository.write("base.gd", "extends Node2D\n@export var max_health: int = 3\n").commit();
    repository.write("main.tscn", &format!("{HEADER}health = 5\n"));
    assert_eq!(
        repository.found(),
        [
            "TREE024: the variable `health` of `base.gd` was renamed to `max_health` in COMMIT (2026-05-01)"
        ]
    );
}

#[test]
fn nodes_in_variables() {
    let script = |name: &str| format!("@export var {name}: Node2D\n");
    let repository = Repository::of_scripts(&[&script("target"), &script("main_target")], "");
    let scene = |name: &str| {
        HEADER.replace(
            "type=\"Node2D\"]",
            &format!("type=\"Node2D\" node_paths=PackedStringArray(\"{name}\")]"),
        ) + &format!("{name} = NodePath(\".\")\n")
    };
    repository.write("main.tscn", &scene("target"));
    assert_eq!(repository.fixed(), scene("main_target"));
}

#[test]
fn a_name_that_is_taken_or_does_not_fit() {
    let scripts = ["@export var health: int = 3\n", "@export var max_health: int = 3\n"];
    for (values, found) in [
        ("health = 5\nmax_health = 6\n", "TREE015: `Node2D` (`enemy.gd`) has no property `health`"),
        ("health = \"five\"\n", "TREE015: `Node2D` (`enemy.gd`) has no property `health`"),
    ] {
        let repository = Repository::of_scripts(&scripts, values);
        assert_eq!(repository.found(), [found]);
        assert_eq!(repository.fixed(), format!("{HEADER}{values}"));
    }
}

#[test]
fn what_is_not_certain_has_no_fix() {
    let repository = Repository::of_scripts(
        &[
            "@export var health: int\nfunc hurt():\n\thealth -= 1\n",
            "@export var life: float\nfunc hurt():\n\tlife -= 1\n",
        ],
        "health = 5\n",
    );
    assert_eq!(
        repository.found(),
        [
            "TREE024: the variable `health` of `enemy.gd` was probably renamed to `life` in COMMIT (2026-05-01)"
        ]
    );
    assert_eq!(repository.fixed(), format!("{HEADER}health = 5\n"));
}

/// Then the nearest name counts, among those that accept the value.
#[test]
fn without_a_history() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("project.godot", "config_version=5\n");
    write("enemy.gd", "extends Node2D\n@export var heath: String\n@export var health2: int\n");
    write("main.tscn", &format!("{HEADER}health = 5\n"));
    let meant = "TREE015: `Node2D` (`enemy.gd`) has no property `health`; did you mean `health2`?";
    assert_eq!(found(folder.path()), [meant]);
    git(folder.path(), &["init", "--quiet"]);
    assert_eq!(found(folder.path()), [meant], "nothing is committed");
    fs::remove_dir_all(folder.path().join(".git")).unwrap();
    write(".git", "gitdir: nowhere\n");
    assert_eq!(found(folder.path()), [meant], "a repository that is not there");
}

#[test]
fn clones_and_worktrees() {
    let scripts = ["@export var health: int = 3\n", "@export var max_health: int = 3\n"];
    let repository = Repository::of_scripts(&scripts, "health = 5\n");
    let place = tempfile::tempdir().unwrap();
    let url = format!("file://{}", repository.folder().display());
    let at = |name: &str| place.path().join(name);
    git(place.path(), &["clone", "--quiet", "--depth=1", &url, "shallow"]);
    git(place.path(), &["clone", "--quiet", "--depth=2", &url, "deeper"]);
    git(place.path(), &["clone", "--quiet", "--depth=3", &url, "whole"]);
    git(&at("whole"), &["worktree", "add", "--quiet", "../tree"]);
    git(place.path(), &["init", "--quiet", "outer"]);
    git(
        &at("outer"),
        &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &url, "game"],
    );
    let none = ["TREE015: `Node2D` (`enemy.gd`) has no property `health`"];
    assert_eq!(found(&at("shallow")), none);
    assert_eq!(found(&at("deeper")), none, "what was before is cut off");
    let all = repository.found();
    assert!(all[0].contains("`max_health`"), "{all:?}");
    for name in ["whole", "tree", "outer/game"] {
        assert_eq!(found(&at(name)), all, "{name}");
    }
}

#[test]
fn tracks_of_animations() {
    let repository = Repository::of_scripts(
        &["@export var health: int = 3\n", "@export var max_health: int = 3\n"],
        "",
    );
    let scene = "[gd_scene format=3]\n\n\
        [ext_resource type=\"Script\" path=\"res://enemy.gd\" id=\"1\"]\n\n\
        [sub_resource type=\"Animation\" id=\"a\"]\ntracks/0/type = \"value\"\ntracks/0/path = NodePath(\".:health\")\n\n\
        [sub_resource type=\"AnimationLibrary\" id=\"l\"]\n_data = {\n&\"a\": SubResource(\"a\")\n}\n\n\
        [node name=\"Enemy\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n\n\
        [node name=\"Player\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries = {\n&\"\": SubResource(\"l\")\n}\n";
    repository.write("main.tscn", scene);
    let found = repository.found();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].ends_with("was renamed to `max_health` in COMMIT (2026-05-01)"), "{found:?}");
}

/// The main thread of an editor starts no programs.
#[test]
fn without_asking() {
    let scripts = ["@export var health: int = 3\n", "@export var max_health: int = 3\n"];
    let repository = Repository::of_scripts(&scripts, "health = 5\n");
    let codes = |ask: bool| -> Vec<&str> {
        let workspace = repository.workspace();
        let text = fs::read(repository.folder().join("main.tscn")).unwrap();
        let check = || workspace.diagnostics("res://main.tscn", &text);
        let found = if ask { check() } else { godot_project::without_asking_git(check) };
        found.iter().map(|found| found.code).filter(|code| code.starts_with("TREE")).collect()
    };
    assert_eq!(codes(false), ["TREE015"]);
    assert_eq!(codes(true), ["TREE024"]);
    assert_eq!(codes(false), ["TREE024"], "what was told is known");
}
