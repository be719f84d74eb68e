//! Files that another program has moved; `move_files/tests.rs` also tries these for a move with its
//! references.

use godot_project::FileMove;

use crate::move_files::tests::{Game, doubts};

const SCENE: &str = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n";

fn moved(from: &str, to: &str) -> FileMove {
    FileMove { from: from.to_owned(), to: to.to_owned() }
}

/// Godot's dock has repaired the scene, and the user one line of the script.
#[test]
fn what_is_repaired_stays() {
    let user = |path: &str| {
        format!(
            "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"{path}\" id=\"1\"]\n\n\
             [node name=\"A\" type=\"Node\"]\npath = \"{path}\"\n"
        )
    };
    let script = |first: &str, second: &str| {
        format!("extends Node\n\n\nfunc f() -> void:\n\tload(\"{first}\")\n\tload(\"{second}\")\n")
    };
    let (old, new) = ("res://old.tscn", "res://x/new.tscn");
    let game = Game::new(&[
        ("x/new.tscn", SCENE),
        ("user.tscn", &user(old).replacen(old, new, 1)),
        ("user.gd", &script(new, old)),
        ("other.tscn", &user(new)),
    ]);
    let mut expected = game.files();
    let repair = game.repair(&[moved(old, new)]).unwrap();
    assert_eq!(
        repair.title,
        "repair the references to `res://old.tscn`, which is `res://x/new.tscn` now"
    );
    assert_eq!(doubts(&repair), [""; 0]);
    game.carry_out(&repair);
    expected.insert("user.tscn".to_owned(), user(new));
    expected.insert("user.gd".to_owned(), script(new, new));
    assert_eq!(game.files(), expected);
}

/// From the new place a path may lead to another file, and be meant so.
#[test]
fn relative_paths_of_what_moved() {
    let script = "extends Node\n\nconst A := preload(\"a.gd\")\nconst B := preload(\"b.gd\")\nconst C := preload(\"c.gd\")\n";
    let empty = "extends Node\n";
    let game = Game::new(&[
        ("new/s.gd", script),
        ("old/a.gd", empty),
        ("old/b.gd", empty),
        ("new/b.gd", empty),
        ("new/c.gd", empty),
    ]);
    let repair = game.repair(&[moved("res://old/s.gd", "res://new/s.gd")]).unwrap();
    assert_eq!(
        doubts(&repair),
        ["res://new/s.gd:4:21 is relative, and leads to a different file from the new location"]
    );
    let mut expected = game.files();
    game.carry_out(&repair);
    expected.insert("new/s.gd".to_owned(), script.replace("\"a.gd\"", "\"../old/a.gd\""));
    assert_eq!(game.files(), expected);
}

#[test]
fn several_at_once() {
    let script = |x: &str, y: &str, folder: &str| {
        format!(
            "extends Node\n\nconst X := preload(\"y.gd\")\n\n\nfunc f() -> void:\n\tload(\"{x}\")\n\tload(\"{y}\")\n\tload(\"{folder}/d.gd\")\n"
        )
    };
    let files = |x: &str, y: &str, folder: &str| {
        let script =
            script(&format!("res://{x}"), &format!("res://{y}"), &format!("res://{folder}"));
        vec![
            (x.to_owned(), script.clone()),
            (y.to_owned(), script),
            (format!("{folder}/d.gd"), String::new()),
        ]
    };
    let of = |files: &[(String, String)]| {
        let files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        Game::new(&files)
    };
    let game = of(&files("x.gd", "y.gd", "folder"));
    let moves = [
        moved("res://x.gd", "res://z/x.gd"),
        moved("res://y.gd", "res://z/y.gd"),
        moved("res://folder", "res://z/place"),
    ];
    game.move_only(&moves);
    let repair = game.repair(&moves).unwrap();
    assert_eq!(repair.title, "repair the references to 3 moved files and folders");
    game.carry_out(&repair);
    assert_eq!(game.files(), of(&files("z/x.gd", "z/y.gd", "z/place")).files());
    assert_eq!(doubts(&repair), [""; 0]);
}

#[test]
fn refusals() {
    let game =
        Game::new(&[("new.tscn", SCENE), ("old.tscn", SCENE), ("a/b.gd", ""), ("c/b.gd", "")]);
    let refusal = |from: &str, to: &str| game.repair(&[moved(from, to)]).unwrap_err().to_string();
    assert_eq!(
        refusal("res://old.tscn", "res://new.tscn"),
        "a new file exists at `res://old.tscn`, and references may mean this file"
    );
    assert_eq!(
        refusal("res://a", "res://c"),
        "a new file exists at `res://a`, and references may mean this file"
    );
    assert_eq!(
        refusal("res://gone.tscn", "res://nowhere.tscn"),
        "`res://nowhere.tscn` is not a file of the project, or Godot's editor does not see it"
    );
    assert_eq!(refusal("../a", "res://new.tscn"), "`../a` is not in the project's folder");
    assert_eq!(refusal("res://", "res://c"), "`res://` is not in the project's folder");
}
