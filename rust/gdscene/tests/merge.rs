//! `gdscene merge`, `gdscene resolve` and `gdscene git`, as they are called.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{gdscene, scratch};

const BASE: &str = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"]\nposition = Vector2(1, 2)\nrotation = 0.5\n";

fn ours() -> String {
    BASE.replace("Vector2(1, 2)", "Vector2(3, 4)")
}

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        fs::write(folder.join(name), text).unwrap();
    }
}

#[test]
fn merged_and_resolved() {
    let folder = scratch("merge");
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let theirs = BASE.replace("0.5", "1.5");
    let other = BASE.replace("Vector2(1, 2)", "Vector2(5, 6)");
    write(
        &folder,
        &[("b.tscn", BASE), ("o.tscn", &ours()), ("t.tscn", &theirs), ("x.tscn", &other)],
    );
    let merge = |theirs: &str, out: &str| {
        gdscene(&["merge", &at("b.tscn"), &at("o.tscn"), &at(theirs), "-o", &at(out)], b"")
    };
    let both = ours().replace("0.5", "1.5");
    let output = merge("t.tscn", "m.tscn");
    assert_eq!((output.status.code(), read("m.tscn")), (Some(0), both.clone()));
    assert!(output.stderr.is_empty());
    // To standard output, and over one of the three.
    let output = gdscene(&["merge", &at("b.tscn"), &at("o.tscn"), &at("t.tscn")], b"");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), both);
    assert_eq!(merge("t.tscn", "t.tscn").status.code(), Some(0));
    assert_eq!(read("t.tscn"), both);
    // Both moved the node.
    let output = merge("x.tscn", "m.tscn");
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("conflict: node \".\": property position\n"), "{errors}");
    assert!(errors.contains("theirs Vector2(5, 6)\n"), "{errors}");
    let output = gdscene(&["resolve", &at("m.tscn")], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("property position"));
    for (side, text) in [("--ours", ours()), ("--theirs", other), ("--base", BASE.to_owned())] {
        merge("x.tscn", "m.tscn");
        assert_eq!(gdscene(&["resolve", side, &at("m.tscn")], b"").status.code(), Some(0));
        assert_eq!(read("m.tscn"), text);
        assert_eq!(gdscene(&["resolve", &at("m.tscn")], b"").status.code(), Some(0));
    }
    assert_eq!(merge("gone.tscn", "m.tscn").status.code(), Some(2));
}

#[test]
fn conflicts_one_by_one() {
    let folder = scratch("merge-pick");
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let read = || fs::read_to_string(folder.join("m.tscn")).unwrap();
    let text = |position: u32, rotation: &str| {
        BASE.replace("Vector2(1, 2)", &format!("Vector2({position}, 2)")).replace("0.5", rotation)
    };
    let (ours, theirs) = (text(3, "1.5"), text(4, "2.5"));
    write(&folder, &[("b.tscn", BASE), ("o.tscn", &ours), ("t.tscn", &theirs)]);
    let merge = || {
        let texts = [at("b.tscn"), at("o.tscn"), at("t.tscn"), at("m.tscn")];
        gdscene(&["merge", &texts[0], &texts[1], &texts[2], "-o", &texts[3]], b"")
    };
    assert_eq!(merge().status.code(), Some(1));
    let output = gdscene(&["check", &at("m.tscn")], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("SYN006"));
    let output = gdscene(&["resolve", "--pick", "2=theirs", &at("m.tscn")], b"");
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("1 conflict settled\n") && told.contains("conflict 1: "), "{told}");
    assert!(read().starts_with(&text(3, "2.5")));
    let output = gdscene(&["resolve", "--pick", "1=base", &at("m.tscn")], b"");
    assert_eq!((output.status.code(), read()), (Some(0), text(1, "2.5")));
    assert_eq!(
        gdscene(&["resolve", "--pick", "1=ours", &at("m.tscn")], b"").status.code(),
        Some(2)
    );
    assert_eq!(gdscene(&["resolve", "--pick", "x", &at("m.tscn")], b"").status.code(), Some(2));
    // By answers: the first is empty.
    merge();
    let output = gdscene(&["resolve", "--interactive", &at("m.tscn")], b"what?\nt\no\n");
    assert_eq!((output.status.code(), read()), (Some(0), text(4, "1.5")));
    assert!(String::from_utf8(output.stdout).unwrap().contains("theirs Vector2(4, 2)\n"));
    merge();
    let output = gdscene(&["resolve", "-i", &at("m.tscn")], b"l\nt\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(read().starts_with(&text(3, "2.5")));
}

#[test]
fn what_cannot_be_read_is_merged_by_lines() {
    let folder = scratch("merge-lines");
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let text = "one\ntwo\nthree\nfour\nfive\n";
    let (ours, theirs) = (text.replace("one", "1"), text.replace("five", "5"));
    let other = text.replace("one", "I");
    write(&folder, &[("b", text), ("o", &ours), ("t", &theirs), ("x", &other)]);
    let output = gdscene(&["merge", &at("b"), &at("o"), &at("t")], b"");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "1\ntwo\nthree\nfour\n5\n");
    assert!(String::from_utf8(output.stderr).unwrap().contains("git merge-file"));
    let output = gdscene(&["merge", &at("b"), &at("o"), &at("x")], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.starts_with(b"<<<<<<< ours\n1\n"));
}

#[test]
fn git_merges_with_it() {
    let folder = scratch("merge-git");
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(&folder).args(["-c", "user.name=a", "-c", "user.email=a@b"]);
        command.env("GIT_CONFIG_GLOBAL", folder.join("none")).env("GIT_CONFIG_NOSYSTEM", "1");
        command.args(arguments).output().unwrap()
    };
    let gdscene = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gdscene"));
        command.current_dir(&folder).args(arguments).output().unwrap()
    };
    let path = "a folder/le'vel.tscn";
    let write = |text: &str| fs::write(folder.join(path), text).unwrap();
    let commit = |text: &str| {
        write(text);
        assert!(git(&["add", "-A"]).status.success());
        assert!(git(&["commit", "-q", "-m", "scene"]).status.success());
    };
    git(&["init", "-q", "-b", "main"]);
    fs::create_dir(folder.join("a folder")).unwrap();
    fs::write(folder.join(".gitattributes"), "*.png binary").unwrap();
    let output = gdscene(&["git", "install"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let attributes = || fs::read_to_string(folder.join(".gitattributes")).unwrap();
    let lines = attributes();
    assert!(lines.starts_with("*.png binary\n*.tscn merge=gdscene diff=gdscene\n"), "{lines}");
    assert!(lines.contains("\nproject.godot merge=gdscene diff=gdscene\n"), "{lines}");
    assert_eq!(gdscene(&["git", "install"]).status.code(), Some(0));
    assert_eq!(attributes(), lines);
    commit(BASE);
    git(&["checkout", "-q", "-b", "theirs"]);
    // Lines side by side: git itself would have a conflict.
    commit(&BASE.replace("0.5", "1.5"));
    git(&["checkout", "-q", "-b", "other", "main"]);
    commit(&BASE.replace("Vector2(1, 2)", "Vector2(5, 6)"));
    git(&["checkout", "-q", "main"]);
    commit(&ours());
    let output = git(&["merge", "-q", "-m", "merge", "theirs"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = || fs::read_to_string(folder.join(path)).unwrap();
    assert_eq!(read(), ours().replace("0.5", "1.5"));
    let output = git(&["rebase", "main", "other"]);
    assert!(!output.status.success());
    assert!(
        String::from_utf8_lossy(&output.stderr).contains(path)
            || String::from_utf8_lossy(&output.stdout).contains(path)
    );
    assert!(read().contains("_gdscene_conflicts"), "{}", read());
    assert_eq!(gdscene(&["resolve", "--theirs", path]).status.code(), Some(0));
    assert_eq!(read(), BASE.replace("Vector2(1, 2)", "Vector2(5, 6)").replace("0.5", "1.5"));
    git(&["add", "-A"]);
    assert!(git(&["-c", "core.editor=true", "rebase", "--continue"]).status.success());
    // All of it is taken back.
    assert_eq!(gdscene(&["git", "uninstall"]).status.code(), Some(0));
    assert_eq!(attributes(), "*.png binary\n");
    let config = fs::read_to_string(folder.join(".git/config")).unwrap();
    assert!(!config.contains("gdscene"), "{config}");
    assert_eq!(gdscene(&["git", "uninstall"]).status.code(), Some(0));
}

/// A program with windows starts git with a PATH on which the program is not, or that is empty.
#[test]
#[cfg(unix)]
fn the_driver_finds_the_program_or_leaves_markers() {
    let usual = std::env::var_os("PATH").unwrap();
    let mut gits = std::env::split_paths(&usual).map(|path| path.join("git"));
    let git_program = gits.find(|git| git.is_file()).unwrap();
    for (name, is_moved) in [("merge-without-path", false), ("merge-without-program", true)] {
        let folder = scratch(name);
        let program = folder.join("it's 100%AB here").join("gdscene");
        fs::create_dir_all(program.parent().unwrap()).unwrap();
        fs::copy(env!("CARGO_BIN_EXE_gdscene"), &program).unwrap();
        let repository = folder.join("repository");
        fs::create_dir(&repository).unwrap();
        let git = |arguments: &[&str]| {
            let mut command = Command::new(&git_program);
            command.current_dir(&repository).args(["-c", "user.name=a", "-c", "user.email=a@b"]);
            command.env("GIT_CONFIG_GLOBAL", folder.join("none")).env("GIT_CONFIG_NOSYSTEM", "1");
            command.env("PATH", "").args(arguments).output().unwrap()
        };
        let commit = |text: &str| {
            fs::write(repository.join("a.tscn"), text).unwrap();
            assert!(git(&["add", "-A"]).status.success());
            assert!(git(&["commit", "-q", "-m", "scene"]).status.success());
        };
        git(&["init", "-q", "-b", "main"]);
        let mut install = Command::new(&program);
        let mut path = vec![program.parent().unwrap().to_owned()];
        path.extend(std::env::split_paths(&usual));
        install.current_dir(&repository).env("PATH", std::env::join_paths(path).unwrap());
        assert!(install.args(["git", "install"]).output().unwrap().status.success());
        commit(BASE);
        git(&["checkout", "-q", "-b", "theirs"]);
        commit(&BASE.replace("0.5", "1.5"));
        git(&["checkout", "-q", "main"]);
        commit(&ours());
        if is_moved {
            fs::remove_file(&program).unwrap();
        }
        let output = git(&["merge", "-q", "-m", "merge", "theirs"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let merged = fs::read_to_string(repository.join("a.tscn")).unwrap();
        assert_eq!(output.status.success(), !is_moved, "{said}");
        if is_moved {
            assert!(said.contains("git merge-file merges a.tscn by lines"), "{said}");
            assert!(merged.contains("<<<<<<< ours\n"), "{merged}");
            assert!(merged.contains(">>>>>>> theirs\n") && merged.contains("1.5"), "{merged}");
        } else {
            assert_eq!(merged, ours().replace("0.5", "1.5"));
        }
        let shown =
            git(&["-c", "core.pager=", "diff", "--ext-diff", "HEAD~", "HEAD", "--", "a.tscn"]);
        assert!(shown.status.success(), "{}", String::from_utf8_lossy(&shown.stderr));
        assert!(!shown.stdout.is_empty());
    }
}

/// For a file in Git LFS, git gives pointers.
#[test]
fn pointers_of_git_lfs_are_not_merged() {
    let repository = scratch("merge-lfs");
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(&repository).args(arguments).output().unwrap()
    };
    git(&["init", "-q"]);
    fs::write(repository.join(".gitattributes"), "*.tscn filter=lfs merge=lfs -text\n").unwrap();
    let mut install = Command::new(env!("CARGO_BIN_EXE_gdscene"));
    let output = install.current_dir(&repository).args(["git", "install"]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("Git LFS stores *.tscn: git merges only its pointers"), "{said}");

    let at = |name: &str| repository.join(name).to_str().unwrap().to_owned();
    let pointer =
        |id: &str| format!("version https://git-lfs.github.com/spec/v1\noid sha256:{id}\nsize 9\n");
    write(&repository, &[("b", &pointer("1")), ("o", &pointer("2")), ("t", &pointer("3"))]);
    let output = gdscene(&["merge", &at("b"), &at("o"), &at("t")], b"");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("the text of base is a Git LFS pointer"), "{said}");
    assert!(output.stdout.starts_with(b"version"), "{said}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("\noid sha256:2\n=======\noid sha256:3\n"), "{text}");
}

#[test]
fn settings_are_merged_and_resolved() {
    let folder = scratch("merge-settings");
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let text = |x: u32, y: u32| format!("config_version=5\n\n[my]\n\nx={x}\ny={y}\n");
    write(&folder, &[("b", &text(1, 1)), ("o", &text(2, 1)), ("t", &text(3, 4))]);
    let merge = |out: &str| gdscene(&["merge", &at("b"), &at("o"), &at("t"), "-o", &at(out)], b"");
    let output = merge("project.godot");
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("conflict: [my]: setting x\n"), "{errors}");
    assert!(read("project.godot").starts_with(&text(2, 4)));
    let output = gdscene(&["check", &at("project.godot")], b"");
    assert!(String::from_utf8(output.stdout).unwrap().contains("SYN006"));
    let output = gdscene(&["resolve", "--pick", "1=theirs", &at("project.godot")], b"");
    assert_eq!((output.status.code(), read("project.godot")), (Some(0), text(3, 4)));
    // Godot would write these without the parts that it does not know.
    assert_eq!(merge("plugin.cfg").status.code(), Some(1));
    let markers = "<<<<<<< ours\nx=2\n=======\nx=3\n>>>>>>> theirs";
    assert_eq!(read("plugin.cfg"), text(2, 4).replace("x=2", markers));
}

#[test]
fn uids_of_both_sides() {
    let folder = scratch("merge-uid");
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    write(&folder, &[("b", ""), ("o.gd.uid", "uid://a\n"), ("t", "uid://b\n"), ("x", "one\n")]);
    let merge = |theirs: &str| gdscene(&["merge", &at("b"), &at("o.gd.uid"), &at(theirs)], b"");
    let output = merge("t");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"uid://a\n"[..]));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("that of theirs was uid://b"), "{errors}");
    assert_eq!(merge("x").status.code(), Some(1));
}

const ENEMY: &str = "[gd_scene format=3]\n\n[node name=\"Enemy\" type=\"Node2D\"]\n\n\
    [node name=\"Sprite\" type=\"Sprite2D\" parent=\".\"]\nframe = 3\n\n\
    [node name=\"Light\" type=\"PointLight2D\" parent=\"Sprite\"]\n";

const LEVEL: &str = "[gd_scene format=3]\n\n\
    [ext_resource type=\"PackedScene\" path=\"res://enemy.tscn\" id=\"1_a\"]\n\n\
    [node name=\"Level\" type=\"Node2D\"]\nrotation = 0.5\n\n\
    [node name=\"Enemy\" parent=\".\" instance=ExtResource(\"1_a\")]\n";

/// A repository with the driver, and a project in a folder.
struct Repository {
    folder: std::path::PathBuf,
}

impl Repository {
    fn new(name: &str) -> Self {
        let repository = Self { folder: scratch(name) };
        repository.git(&["init", "-q", "-b", "main"]);
        let mut install = Command::new(env!("CARGO_BIN_EXE_gdscene"));
        let status = install.current_dir(&repository.folder).args(["git", "install"]).output();
        assert!(status.unwrap().status.success());
        fs::create_dir_all(repository.folder.join("game")).unwrap();
        repository.commit(&[("project.godot", "config_version=5\n")]);
        repository
    }

    fn git(&self, arguments: &[&str]) -> std::process::Output {
        let mut command = Command::new("git");
        command.current_dir(&self.folder).args(["-c", "user.name=a", "-c", "user.email=a@b"]);
        command.env("GIT_CONFIG_GLOBAL", self.folder.join("none")).env("GIT_CONFIG_NOSYSTEM", "1");
        command.args(arguments).output().unwrap()
    }

    fn commit(&self, files: &[(&str, &str)]) {
        for (name, text) in files {
            fs::write(self.folder.join("game").join(name), text).unwrap();
        }
        assert!(self.git(&["add", "-A"]).status.success());
        assert!(self.git(&["commit", "-q", "-m", "a (scene)"]).status.success());
    }

    /// Main has the first files, then the second ones, and the branch `other` the third.
    fn branches(&self, files: [&[(&str, &str)]; 3]) {
        self.commit(files[0]);
        self.git(&["checkout", "-q", "-b", "other"]);
        self.commit(files[2]);
        self.git(&["checkout", "-q", "main"]);
        self.commit(files[1]);
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join("game").join(name)).unwrap()
    }
}

#[test]
fn nodes_that_the_merge_renames_inside_of_an_instance() {
    let renamed = ENEMY.replace("name=\"Sprite\"", "name=\"Body\"");
    let renamed = renamed.replace("parent=\"Sprite\"", "parent=\"Body\"");
    let turned = LEVEL.replace("0.5", "1.5");
    let changed = format!(
        "{LEVEL}\n[node name=\"Sprite\" parent=\"Enemy\"]\nframe = 7\n\n\
         [node name=\"Tag\" type=\"RemoteTransform2D\" parent=\"Enemy/Sprite/Light\"]\nremote_path = NodePath(\"../..\")\n\n\
         [node name=\"Cam\" type=\"RemoteTransform2D\" parent=\".\"]\nremote_path = NodePath(\"../Enemy/Sprite/Light:energy\")\n\n\
         [connection signal=\"frame_changed\" from=\"Enemy/Sprite\" to=\".\" method=\"_on_frame\"]\n\n\
         [editable path=\"Enemy\"]\n"
    );
    let wanted = changed.replace("0.5", "1.5").replace("name=\"Sprite\"", "name=\"Body\"");
    let wanted = wanted.replace("Enemy/Sprite", "Enemy/Body");
    let base: &[_] = &[("enemy.tscn", ENEMY), ("level.tscn", LEVEL)];
    let (ours, theirs): (&[_], &[_]) = (
        &[("enemy.tscn", renamed.as_str()), ("level.tscn", turned.as_str())],
        &[("level.tscn", changed.as_str())],
    );
    for (name, sides, command) in [
        ("renamed-inside", [ours, theirs], ["merge", "-q", "--no-edit", "other"]),
        ("renamed-inside-picked", [ours, theirs], ["cherry-pick", "other", "-x", "--allow-empty"]),
        ("renamed-inside-theirs", [theirs, ours], ["merge", "-q", "--no-edit", "other"]),
        ("renamed-inside-rebased", [theirs, ours], ["rebase", "-q", "main", "other"]),
    ] {
        let repository = Repository::new(name);
        repository.branches([base, sides[0], sides[1]]);
        let output = repository.git(&command);
        assert!(output.status.success(), "{name}: {output:?}");
        assert_eq!(repository.read("level.tscn"), wanted, "{name}");
        assert_eq!(repository.read("enemy.tscn"), renamed, "{name}");
    }
}

#[test]
fn nodes_that_the_merge_removes_from_an_instance() {
    let repository = Repository::new("removed-inside");
    let removed = ENEMY.split("\n[node name=\"Sprite\"").next().unwrap();
    let turned = LEVEL.replace("0.5", "1.5");
    let changed = format!("{LEVEL}\n[node name=\"Sprite\" parent=\"Enemy\"]\nframe = 7\n");
    repository.branches([
        &[("enemy.tscn", ENEMY), ("level.tscn", LEVEL)],
        &[("enemy.tscn", removed), ("level.tscn", &turned)],
        &[("level.tscn", &changed)],
    ]);
    let output = repository.git(&["merge", "-q", "other"]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    let expected =
        "conflict: node \"Enemy/Sprite\": the merge removes `Sprite` from res://enemy.tscn";
    assert!(told.contains(expected), "{told}");
    assert_eq!(repository.read("level.tscn"), changed.replace("0.5", "1.5"));
}

#[test]
fn nodes_renamed_in_a_scene_inside_of_an_instance() {
    let repository = Repository::new("renamed-deep");
    let room = LEVEL.replace("Level", "Room");
    let level = LEVEL.replace("enemy.tscn", "room.tscn").replace("\"Enemy\"", "\"Room\"");
    let renamed = ENEMY.replace("\"Light\"", "\"Lamp\"");
    let changed =
        format!("{level}\n[node name=\"Light\" parent=\"Room/Enemy/Sprite\"]\nenergy = 2.0\n");
    repository.branches([
        &[("enemy.tscn", ENEMY), ("room.tscn", &room), ("level.tscn", &level)],
        &[("enemy.tscn", &renamed), ("level.tscn", &level.replace("0.5", "1.5"))],
        &[("level.tscn", &changed)],
    ]);
    let output = repository.git(&["merge", "-q", "--no-edit", "other"]);
    assert!(output.status.success(), "{output:?}");
    let wanted = changed.replace("0.5", "1.5").replace("\"Light\"", "\"Lamp\"");
    assert_eq!(repository.read("level.tscn"), wanted);
}
