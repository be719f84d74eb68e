//! Untrusted projects with a journal, links, pipes, and repositories of others: nothing outside the project is changed or
//! taken.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::{caches, scratch};
use crate::hostile::{mkfifo, text};
use testkit::git::git;

const SCENE: &str = "[gd_scene   format=3]\n\n[node name=\"A\" type=\"Node\"]\n";

/// Commands that change files in a project, and commands that only read it.
const COMMANDS: [&[&str]; 12] = [
    &["fix", "--unsafe", "."],
    &["format", "."],
    &["set", "a.tscn", ".:process_priority", "3"],
    &["mv", "--allow-dirty", "a.tscn", "b.tscn"],
    &["rename-node", "--allow-dirty", "a.tscn", ".", "B"],
    &["new", "scene", "new.tscn", "Node"],
    &["prune", "--yes", "--allow-dirty", "."],
    &["undo"],
    &["undo", "--dry-run"],
    &["upgrade", "--allow-dirty", "."],
    &["check", "."],
    &["tree", "a.tscn"],
];

/// Runs `gdscene` for a user with the state in this folder; a run that never ends fails.
fn run(folder: &Path, state: &Path, args: &[&str]) -> Output {
    let output = Command::new("timeout")
        .arg("60")
        .arg(env!("CARGO_BIN_EXE_gdscene"))
        .args(args)
        .env("XDG_CACHE_HOME", caches())
        .env("XDG_STATE_HOME", state)
        .current_dir(folder)
        .output()
        .unwrap();
    assert_ne!(output.status.code(), Some(124), "{args:?} does not end");
    assert!(!text(&output).contains("\nUsage: "), "{args:?}: {}", text(&output));
    output
}

/// All that is below a folder, except the names that are left out.
fn content(folder: &Path, left_out: &[&str]) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if left_out.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        let kind = entry.file_type().unwrap();
        if kind.is_symlink() {
            found.insert(
                path.clone(),
                fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes(),
            );
        } else if kind.is_dir() {
            found.extend(content(&path, left_out));
            found.insert(path, Vec::new());
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    found
}

/// A project in which a run of the user with this state was killed after it wrote the journal. The run was
/// removing `payload.tres`, which nothing uses.
fn interrupted(name: &str, state: &Path) -> PathBuf {
    let folder = scratch(name).join("project");
    fs::create_dir(&folder).unwrap();
    let settings = "config_version=5\n\n[application]\n\nrun/main_scene=\"res://a.tscn\"\n";
    fs::write(folder.join("project.godot"), settings).unwrap();
    fs::write(folder.join("a.tscn"), SCENE).unwrap();
    let payload = "[gd_resource type=\"Resource\" format=3]\n\n[resource]\n";
    fs::write(folder.join("payload.tres"), payload).unwrap();
    let pruned = run(&folder, state, &["prune", "--yes", "--allow-dirty", "."]);
    assert!(!folder.join("payload.tres").exists(), "{}", text(&pruned));
    let home = folder.join(".godot/gdscene");
    fs::rename(home.join("last"), home.join("pending")).unwrap();
    fs::remove_file(home.join("pending/kept/0")).unwrap();
    fs::write(folder.join("payload.tres"), payload).unwrap();
    folder
}

/// Some folder of the user's, with files of the names that are looked for in it.
fn victim(project: &Path) -> PathBuf {
    let victim = project.with_file_name("victim");
    for folder in
        ["", "kept", "last/kept", "pending/kept", "gdscene/pending/kept", "gdscene/last/kept"]
    {
        fs::create_dir_all(victim.join(folder)).unwrap();
        for name in ["0", "7", "journal", "lock"] {
            fs::write(victim.join(folder).join(name), "mine").unwrap();
        }
    }
    victim
}

#[test]
fn a_journal_of_a_stranger_is_reported_and_nothing_is_done() {
    let (own, strangers) = (scratch("journal_own_state"), scratch("journal_strangers_state"));
    for command in COMMANDS {
        let folder = interrupted("journal_of_a_stranger", &strangers);
        let before = content(folder.parent().unwrap(), &[]);
        let output = run(&folder, &own, command);
        let reads = matches!(command[0], "check" | "tree");
        assert_eq!(
            output.status.code(),
            Some(if reads { 0 } else { 2 }),
            "{command:?}: {}",
            text(&output)
        );
        let pending = folder.join(".godot/gdscene/pending");
        for part in [
            "was not written by your gdscene",
            &format!("remove the folder `{}`", pending.display()),
        ] {
            assert!(reads || text(&output).contains(part), "{command:?}: {}", text(&output));
        }
        let mut after = content(folder.parent().unwrap(), &[]);
        // The lock is all that is made.
        after.retain(|path, _| before.contains_key(path) || !path.ends_with(".godot/gdscene/lock"));
        assert_eq!(after, before, "{command:?}");
        // As the message says.
        fs::remove_dir_all(&pending).unwrap();
        let formatted = run(&folder, &own, &["format", "."]);
        assert_eq!(formatted.status.code(), Some(0), "{}", text(&formatted));
    }
}

#[test]
fn the_users_own_journal_is_finished_where_it_was_begun_only() {
    let own = scratch("journal_moved_state");
    let folder = interrupted("journal_moved", &own);
    git(&folder, &["init", "-q"]);
    git(&folder, &["add", "-f", "."]);
    git(&folder, &["commit", "-qm", "x"]);
    let (cloned, copied) = (folder.with_file_name("cloned"), folder.with_file_name("copied"));
    git(folder.parent().unwrap(), &["clone", "-q", "project", "cloned"]);
    assert!(Command::new("cp").arg("-r").args([&folder, &copied]).status().unwrap().success());
    for other in [&cloned, &copied] {
        // git keeps no empty folders.
        fs::create_dir_all(other.join(".godot/gdscene/pending/kept")).unwrap();
        let output = run(other, &own, &["fix", "."]);
        assert!(text(&output).contains("was not written by your gdscene"), "{}", text(&output));
        assert!(other.join("payload.tres").exists());
    }
    let output = run(&folder, &own, &["fix", "."]);
    assert!(text(&output).contains("gdscene has finished it now"), "{}", text(&output));
    assert!(!folder.join("payload.tres").exists());
    let output = run(&folder, &own, &["undo"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(folder.join("payload.tres").exists());
}

#[test]
fn links_in_the_place_of_our_folders_lead_nowhere() {
    let (own, strangers) = (scratch("journal_links_own"), scratch("journal_links_strangers"));
    let links = [
        ".godot",
        ".godot/gdscene",
        ".godot/gdscene/pending",
        ".godot/gdscene/pending/kept",
        ".godot/gdscene/pending/kept/0",
        ".godot/gdscene/pending/journal",
        ".godot/gdscene/last",
        ".godot/gdscene/last/kept",
        ".godot/gdscene/last/journal",
        ".godot/gdscene/begun",
        ".godot/gdscene/old",
        ".godot/gdscene/lock",
        ".godot/gdscene/.gitignore",
        ".gdscene",
    ];
    for state in [&own, &strangers] {
        for link in links {
            let folder = interrupted("journal_links", state);
            let victim = victim(&folder);
            let place = folder.join(link);
            let target = if place.is_file() { victim.join("0") } else { victim.clone() };
            if place.is_dir() {
                // The files there are also found through the link.
                Command::new("cp").arg("-r").arg(place.join(".")).arg(&victim).status().unwrap();
                fs::remove_dir_all(&place).unwrap();
            } else {
                let _ = fs::remove_file(&place);
                fs::create_dir_all(place.parent().unwrap()).unwrap();
            }
            symlink(&target, &place).unwrap();
            let before = content(&victim, &[]);
            for command in COMMANDS {
                let output = run(&folder, &own, command);
                assert!(
                    output.status.code().is_some_and(|code| code <= 2),
                    "{link}: {}",
                    text(&output)
                );
                assert_eq!(content(&victim, &[]), before, "{link} {command:?}: {}", text(&output));
            }
        }
    }
}

/// The files that the user's own `last` journal removed come back from their own place only.
#[test]
fn undo_takes_nothing_from_elsewhere() {
    let own = scratch("journal_undo_state");
    let folder = interrupted("journal_undo", &own);
    run(&folder, &own, &["fix", "."]);
    assert!(folder.join(".godot/gdscene/last/kept/0").is_file());
    let victim = victim(&folder);
    fs::remove_dir_all(folder.join(".godot/gdscene/last/kept")).unwrap();
    symlink(&victim, folder.join(".godot/gdscene/last/kept")).unwrap();
    let before = content(&victim, &[]);
    for command in [&["undo"][..], &["undo", "--dry-run"], &["undo", "--diff"]] {
        let output = run(&folder, &own, command);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert!(
            text(&output).contains("is a symbolic link, which is not followed"),
            "{}",
            text(&output)
        );
        assert!(!text(&output).contains("mine"), "{}", text(&output));
    }
    assert_eq!(content(&victim, &[]), before);
    assert!(!folder.join("payload.tres").exists());
}

/// Where the user has no place for the key, changes are made all the same, and only this process can take them back.
#[test]
fn without_a_place_for_the_key() {
    let folder = interrupted("journal_no_state", &scratch("journal_no_state_own"));
    fs::remove_dir_all(folder.join(".godot")).unwrap();
    let file = folder.with_file_name("file");
    fs::write(&file, "").unwrap();
    for (state, reason) in [(&file, "Not a directory"), (&folder, "is inside the project")] {
        let output = run(&folder, state, &["set", "a.tscn", ".:process_priority", "3"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        assert!(
            text(&output).contains("a later `gdscene undo` cannot undo this"),
            "{}",
            text(&output)
        );
        assert!(text(&output).contains(reason), "{}", text(&output));
        assert!(!folder.join("gdscene/journal.key").exists());
        let output = run(&folder, state, &["undo"]);
        assert!(text(&output).contains("was not written by your gdscene"), "{}", text(&output));
        fs::write(folder.join("a.tscn"), SCENE).unwrap();
    }
}

/// A file that a link in the project leads to is not of the project.
#[test]
fn named_files_behind_links_are_not_written() {
    let own = scratch("named_links_state");
    let folder = scratch("named_links").join("project");
    let victim = folder.with_file_name("victim");
    fs::create_dir(&folder).unwrap();
    fs::create_dir(&victim).unwrap();
    fs::write(folder.join("project.godot"), "config_version=5\n").unwrap();
    let bad = format!("{SCENE}\n[connection signal=\"x\" from=\".\" to=\".\" method=\"m\"]\n")
        + "[connection signal=\"x\" from=\".\" to=\".\" method=\"m\"]\n";
    fs::write(victim.join("a.tscn"), &bad).unwrap();
    symlink("../victim/a.tscn", folder.join("a.tscn")).unwrap();
    symlink("../victim", folder.join("linked")).unwrap();
    for path in ["a.tscn", "linked/a.tscn", "linked", "./linked/../a.tscn"] {
        for command in ["fix", "format"] {
            let output = run(&folder, &own, &[command, path]);
            assert_eq!(output.status.code(), Some(2), "{command} {path}: {}", text(&output));
            assert_eq!(fs::read_to_string(victim.join("a.tscn")).unwrap(), bad, "{command} {path}");
        }
    }
    let output = run(&folder, &own, &["set", "linked/a.tscn", ".:process_priority", "3"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    let output = run(&folder, &own, &["check", "--output-file", "linked/report.txt", "."]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert_eq!(content(&victim, &[]).len(), 1);
    // The same file by its own name.
    let output = run(&folder, &own, &["format", "../victim/a.tscn"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert_ne!(fs::read_to_string(victim.join("a.tscn")).unwrap(), bad);
}

/// A project in a folder, with another folder of the user next to it.
fn project_and_victim(name: &str) -> (PathBuf, PathBuf) {
    let (folder, victim) = (scratch(name).join("project"), scratch(&format!("{name}_victim")));
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("project.godot"), "config_version=5\n").unwrap();
    fs::write(folder.join("a.tscn"), SCENE).unwrap();
    (folder, victim)
}

/// A folder of the project can look like a repository without a work tree, with a link or a pipe as its
/// configuration.
#[test]
fn git_install_changes_the_repository_above_only() {
    let state = scratch("git_install_state");
    let (folder, victim) = project_and_victim("git_install");
    let bare = folder.join("bare");
    for inner in ["objects", "refs"] {
        fs::create_dir_all(bare.join(inner)).unwrap();
    }
    fs::write(bare.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    git(&folder, &["init", "-q"]);
    fs::write(victim.join("config"), "").unwrap();
    for kind in ["link", "pipe"] {
        let config = bare.join("config");
        let _ = fs::remove_file(&config);
        if kind == "link" {
            symlink(victim.join("config"), &config).unwrap();
        } else {
            mkfifo(&config);
        }
        for action in ["install", "uninstall", "install"] {
            let output = run(&bare, &state, &["git", action]);
            assert_eq!(output.status.code(), Some(0), "{kind}: {}", text(&output));
        }
    }
    assert_eq!(fs::read_to_string(victim.join("config")).unwrap(), "");
    assert!(fs::read_to_string(folder.join(".git/config")).unwrap().contains("merge \"gdscene\""));
    // The repository's own files are links and pipes.
    for (name, kind) in [
        ("config", "link"),
        ("config", "pipe"),
        ("../.gitattributes", "link"),
        ("../.gitattributes", "pipe"),
    ] {
        let place = folder.join(".git").join(name);
        let before = fs::read(&place).unwrap();
        fs::remove_file(&place).unwrap();
        fs::write(victim.join("config"), &before).unwrap();
        if kind == "link" {
            symlink(victim.join("config"), &place).unwrap();
        } else {
            mkfifo(&place);
        }
        let output =
            run(&folder, &state, &["git", if name == "config" { "install" } else { "uninstall" }]);
        // Attributes in which nothing is left are removed, and so is a link to them.
        let is_removed = !place.is_symlink() && !place.exists();
        assert!(output.status.code() == Some(2) || is_removed, "{name} {kind}: {}", text(&output));
        assert_eq!(fs::read(victim.join("config")).unwrap(), before, "{name} {kind}");
        let _ = fs::remove_file(&place);
        fs::write(&place, &before).unwrap();
    }
}

/// A folder that claims to be a linked work tree or a submodule of another repository.
#[test]
fn repositories_of_others_are_not_changed() {
    let state = scratch("foreign_git_state");
    let (folder, victim) = project_and_victim("foreign_git");
    fs::write(victim.join("a.tscn"), SCENE).unwrap();
    git(&victim, &["init", "-q"]);
    git(&victim, &["add", "."]);
    git(&victim, &["commit", "-qm", "x"]);
    let foreign = victim.join(".git").display().to_string();
    let fake = folder.join("fake/worktrees/x");
    fs::create_dir_all(&fake).unwrap();
    fs::write(folder.join(".git"), "gitdir: fake/worktrees/x\n").unwrap();
    fs::write(fake.join("HEAD"), "ref: refs/heads/master\n").unwrap();
    fs::write(fake.join("gitdir"), format!("{}\n", folder.join(".git").display())).unwrap();
    let configuration = format!("[core]\n\tworktree = {}\n", folder.display());
    fs::write(fake.join("config"), configuration).unwrap();
    let inner = folder.join("inner");
    fs::create_dir(&inner).unwrap();
    fs::write(inner.join("project.godot"), "config_version=5\n").unwrap();
    fs::write(inner.join("a.tscn"), SCENE).unwrap();
    for (root, git_file) in
        [(&folder, "fake/worktrees/x"), (&inner, "../fake/worktrees/x"), (&inner, &*foreign)]
    {
        fs::write(root.join(".git"), format!("gitdir: {git_file}\n")).unwrap();
        fs::write(fake.join("gitdir"), format!("{}\n", root.join(".git").display())).unwrap();
        fs::write(fake.join("commondir"), &foreign).unwrap();
        let before = content(&victim, &[]);
        let output = run(root, &state, &["git", "install"]);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        let output = run(root, &state, &["mv", "--allow-dirty", "a.tscn", "b.tscn"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        run(root, &state, &["mv", "--allow-dirty", "b.tscn", "a.tscn"]);
        assert_eq!(content(&victim, &[]), before, "{git_file}");
    }
}

/// Neither the index of another repository, nor the content of another file.
#[test]
fn nothing_is_copied_into_the_project() {
    let state = scratch("copied_state");
    let (folder, victim) = project_and_victim("copied_in");
    fs::write(
        victim.join("secret.tres"),
        "[gd_resource type=\"Resource\" format=3]\n\n[resource]\nresource_name = \"hunter2\"\n",
    )
    .unwrap();
    fs::write(victim.join("hunter2.gd"), "extends Node\n").unwrap();
    for repository in [&folder, &victim] {
        git(repository, &["init", "-q"]);
        git(repository, &["add", "."]);
        git(repository, &["commit", "-qm", "x"]);
    }
    fs::remove_file(folder.join(".git/index")).unwrap();
    symlink(victim.join(".git/index"), folder.join(".git/index")).unwrap();
    let output = run(&folder, &state, &["mv", "--allow-dirty", "a.tscn", "b.tscn"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(folder.join(".git/index").is_symlink(), "{}", text(&output));
    symlink(victim.join("secret.tres"), folder.join("link.tres")).unwrap();
    symlink(&victim, folder.join("linked")).unwrap();
    for path in ["link.tres", "linked/secret.tres"] {
        let scene = format!(
            "[gd_scene format=3]\n\n[ext_resource type=\"Resource\" path=\"res://{path}\" id=\"1\"]\n\n\
             [node name=\"A\" type=\"Node\"]\nmetadata/x = ExtResource(\"1\")\n"
        );
        fs::write(folder.join("s.tscn"), &scene).unwrap();
        for more in [&[][..], &["--diff"]] {
            let output =
                run(&folder, &state, &[&["inline", "--allow-dirty", "s.tscn", "1"], more].concat());
            assert_eq!(output.status.code(), Some(2), "{}", text(&output));
            assert!(
                text(&output).contains("a link leads out of the project's folder"),
                "{}",
                text(&output)
            );
            assert!(!text(&output).contains("hunter2"), "{}", text(&output));
        }
        assert_eq!(fs::read_to_string(folder.join("s.tscn")).unwrap(), scene);
    }
}

/// A link in a project to another project, and to a folder with remains of a killed run.
#[test]
fn a_project_behind_a_link_of_another_is_named_by_its_own_path() {
    let state = scratch("linked_project_state");
    let (folder, victim) = project_and_victim("linked_project");
    fs::write(victim.join("project.godot"), "config_version=5\n").unwrap();
    fs::write(victim.join("a.tscn"), SCENE).unwrap();
    let left = victim.join(".gdscene-0123456789.tmp");
    fs::write(&left, "half a scene").unwrap();
    let hour_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    fs::File::options().write(true).open(&left).unwrap().set_modified(hour_ago).unwrap();
    symlink(&victim, folder.join("sub")).unwrap();
    let before = content(&victim, &[]);
    for command in [
        &["format", "sub"][..],
        &["format", "sub/a.tscn"],
        &["fix", "--unsafe", "sub"],
        &["mv", "--allow-dirty", "sub/a.tscn", "sub/b.tscn"],
        &["set", "sub/a.tscn", ".:process_priority", "3"],
    ] {
        let output = run(&folder, &state, command);
        assert!(
            output.status.code() == Some(2) || command[0] == "fix",
            "{command:?}: {}",
            text(&output)
        );
        assert_eq!(content(&victim, &[]), before, "{command:?}: {}", text(&output));
    }
    let output = run(&victim, &state, &["format", "."]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(!left.exists() && fs::read_to_string(victim.join("a.tscn")).unwrap() != SCENE);
    // The outer one of two links on the path leads out.
    fs::create_dir(victim.join("nested")).unwrap();
    fs::write(victim.join("nested/project.godot"), "config_version=5\n").unwrap();
    fs::write(victim.join("nested/a.tscn"), SCENE).unwrap();
    symlink("nested", victim.join("inner_link")).unwrap();
    let output = run(&folder, &state, &["format", "sub/inner_link/a.tscn"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    let output = run(&victim, &state, &["format", "inner_link/a.tscn"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    // The user's own link to a project does not belong to another project.
    let link = folder.with_file_name("my_game");
    symlink(&folder, &link).unwrap();
    let output = run(folder.parent().unwrap(), &state, &["format", "my_game"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert_ne!(fs::read_to_string(folder.join("a.tscn")).unwrap(), SCENE);
}

/// Output files at names of pipes without a reader, and of links.
#[test]
fn outputs_at_planted_names() {
    let state = scratch("planted_state");
    let (folder, victim) = project_and_victim("planted");
    mkfifo(&folder.join("pipe"));
    symlink(victim.join("new"), folder.join(".merge_file_x")).unwrap();
    symlink(&victim, folder.join("docs_link")).unwrap();
    fs::create_dir(folder.join("docs")).unwrap();
    mkfifo(&folder.join("docs/REF007.md"));
    for command in [
        &["check", "--output-file", "pipe", "."][..],
        &["check", "--write-baseline", "pipe", "."],
        &["merge", "a.tscn", "a.tscn", "a.tscn", "-o", "pipe"],
        &["merge", "a.tscn", "a.tscn", "a.tscn", "-o", ".merge_file_x"],
        &["merge", "a.tscn", "a.tscn", "a.tscn", "-o", "docs_link/new"],
        &["rules", "--docs", "docs"],
        &["rules", "--docs", "docs_link/deep/er"],
        &["rules", "--docs", "docs_link"],
    ] {
        let output = run(&folder, &state, command);
        assert_eq!(output.status.code(), Some(2), "{command:?}: {}", text(&output));
    }
    assert_eq!(content(&victim, &[]), BTreeMap::new());
    // Standard output is a file.
    let report = folder.join("report.txt");
    for place in ["/dev/stdout", "/proc/self/fd/1", "/dev/fd/1"] {
        let output = Command::new(env!("CARGO_BIN_EXE_gdscene"))
            .args(["check", "--output-file", place, "."])
            .env("XDG_CACHE_HOME", caches())
            .current_dir(&folder)
            .stdout(fs::File::create(&report).unwrap())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{place}: {}", text(&output));
        assert!(fs::read_to_string(&report).unwrap().contains("files checked"), "{place}");
    }
    // A pipe with a reader.
    let reader = Command::new("timeout")
        .arg("60")
        .arg("cat")
        .arg(folder.join("pipe"))
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let written = (0..200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        run(&folder, &state, &["check", "--output-file", "pipe", "."]).status.code() == Some(0)
    });
    let read = reader.wait_with_output().unwrap().stdout;
    assert!(written && String::from_utf8(read).unwrap().contains("files checked"));
}

/// Others can read the key, as after `git clone` of a folder with it.
#[test]
fn a_key_that_is_not_secret() {
    use std::os::unix::fs::PermissionsExt;
    let state = scratch("shared_key_state");
    let folder = interrupted("shared_key", &state);
    let key = state.join("gdscene/journal.key");
    assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    let output = run(&folder, &state, &["format", "."]);
    assert!(text(&output).contains("was not written by your gdscene"), "{}", text(&output));
}
