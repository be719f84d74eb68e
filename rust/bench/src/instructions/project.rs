//! A project that is made up, for the paths of `gdscene`.

use std::hint::black_box;
use std::path::Path as FilePath;
use std::{fs, io};

use gdscene_lint::{Workspace, WorkspaceOptions};
use godot_project::CachePlace;

use super::{Path, measured};

pub(super) fn paths() -> Vec<Path> {
    vec![Path::new("project: findings of a scene after a keystroke", keystroke)]
}

/// What the language server does for each letter that is typed: it tells the project of the text, and checks it.
fn keystroke() -> usize {
    let folder = tempfile::tempdir().expect("a folder can be made");
    write(folder.path(), 50).expect("a project can be written");
    let options = WorkspaceOptions { cache: CachePlace::None, ..WorkspaceOptions::default() };
    let mut workspace = Workspace::open(folder.path(), &options).expect("it is a project");
    let (text, typed) = (scene(7), scene(7).replacen("speed = ", "sped = ", 1));
    assert_eq!(findings(&mut workspace, &text), 0);
    assert_eq!(measured(|| findings(&mut workspace, black_box(&typed))), 1);
    typed.len()
}

/// How many properties are unknown in the scene number 7 with this text.
fn findings(workspace: &mut Workspace, text: &str) -> usize {
    let (path, text) = ("res://scene_7.tscn", text.as_bytes());
    let project = workspace.project_mut().expect("it is a project");
    project.set_overlay(path, Some(text)).expect("it can be listed");
    project.prepare();
    let found = workspace.diagnostics(path, text);
    found.iter().filter(|found| found.code == "TREE015").count()
}

/// Writes so many scenes that instance each other, each with a script whose property others set.
pub(crate) fn write(folder: &FilePath, scenes: usize) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    // Else git is asked about a folder that it ignores.
    fs::create_dir_all(folder.join(".git"))?;
    fs::write(
        folder.join("project.godot"),
        "config_version=5\n\n[application]\n\nconfig/name=\"Small\"\nrun/main_scene=\"res://scene_0.tscn\"\n\
         config/features=PackedStringArray(\"4.6\")\n",
    )?;
    for number in 0..scenes {
        fs::write(folder.join(format!("scene_{number}.tscn")), scene(number))?;
        let script = format!(
            "extends Node2D\n\n@export var speed := 1.0\n\nfunc _ready() -> void:\n\tspeed *= {number}.0\n\
             \t$Sprite.show()\n"
        );
        fs::write(folder.join(format!("script_{number}.gd")), script)?;
    }
    Ok(())
}

fn scene(number: usize) -> String {
    let mut text = format!(
        "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://script_{number}.gd\" id=\"1\"]\n"
    );
    if number > 0 {
        text += &format!(
            "[ext_resource type=\"PackedScene\" path=\"res://scene_{}.tscn\" id=\"2\"]\n",
            (number - 1) / 2
        );
    }
    text += "\n[node name=\"Root\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\nspeed = 3.0\n\n\
        [node name=\"Sprite\" type=\"Sprite2D\" parent=\".\"]\nposition = Vector2(1, 2)\n\n";
    for child in 0..20 {
        text += &format!(
            "[node name=\"Child{child}\" type=\"Node2D\" parent=\"Sprite\"]\nposition = Vector2({child}, 0)\n\n"
        );
    }
    if number > 0 {
        text += "[node name=\"Inner\" parent=\".\" instance=ExtResource(\"2\")]\nspeed = 2.0\n";
    }
    text
}
