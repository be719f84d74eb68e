//! `gdscene rename-class`, `rename-method` and `rename-signal`, as they are called.

use std::fs;
use std::path::Path;

use crate::common::{gdscene, scratch};

fn write(folder: &Path) {
    let files = [
        ("project.godot", "config_version=5\n"),
        ("enemy.gd", "class_name Enemy\nextends Node\nsignal hit\nfunc jump(): hit.emit()\n"),
        (
            "game.gd",
            "extends Node\nvar enemy: Enemy\nfunc f(other):\n\tenemy.jump()\n\tother.jump()\n",
        ),
    ];
    for (name, text) in files {
        fs::write(folder.join(name), text).unwrap();
    }
}

#[test]
fn there_and_back() {
    let folder = scratch("rename-symbols");
    write(&folder);
    let script = folder.join("enemy.gd");
    let (script, folder_text) = (script.to_str().unwrap(), folder.to_str().unwrap());
    let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let class = |old: &str, new: &str| {
        ["rename-class", old, new, "--project", folder_text].map(str::to_owned)
    };
    let run = |args: &[String]| {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        gdscene(&args, b"").status.code()
    };
    let member = |kind: &str, old: &str, new: &str| [kind, script, old, new].map(str::to_owned);
    assert_eq!(run(&class("Enemy", "Foe")), Some(0));
    assert_eq!(run(&member("rename-signal", "hit", "was_hit")), Some(0));
    // The object of one call is of any type.
    assert_eq!(run(&member("rename-method", "jump", "leap")), Some(1));
    assert_eq!(
        text("enemy.gd"),
        "class_name Foe\nextends Node\nsignal was_hit\nfunc leap(): was_hit.emit()\n"
    );
    assert_eq!(
        text("game.gd"),
        "extends Node\nvar enemy: Foe\nfunc f(other):\n\tenemy.leap()\n\tother.jump()\n"
    );
    assert_eq!(run(&class("Foe", "Enemy")), Some(0));
    assert_eq!(run(&member("rename-signal", "was_hit", "hit")), Some(0));
    assert_eq!(run(&member("rename-method", "leap", "jump")), Some(0));
    let changed = text("game.gd");
    write(&folder);
    assert_eq!(changed, text("game.gd"));
    assert_eq!(run(&class("Foe", "Enemy")), Some(2));
    assert_eq!(run(&member("rename-method", "jump", "queue_free")), Some(2));
}
