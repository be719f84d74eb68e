//! Which files a check of everything looks at: held against git itself, and the same for the command as for the editor.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use gdscene_lint::{Config, Scope, Workspace};
use godot_project::{Project, WalkPolicy, walk};

use crate::project::write;

const SCENE: &str = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n";

fn git(folder: &Path, args: &[&str], input: &str) -> String {
    let mut git = Command::new("git")
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    git.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    String::from_utf8(git.wait_with_output().unwrap().stdout).unwrap()
}

/// The files that a command checks for this folder.
fn checked(folder: &Path) -> BTreeSet<String> {
    let walked = walk(folder, WalkPolicy::Check).unwrap();
    assert_eq!(walked.skipped, []);
    let name = |path: &Path| path.to_str().unwrap().replace('\\', "/");
    walked.files.iter().map(|file| name(&file.path)).collect()
}

/// The files that a check of the whole project checks.
fn checked_in_project(folder: &Path) -> BTreeSet<String> {
    let project = Project::open(folder).unwrap();
    let workspace = Workspace::of_project(project, Arc::<Config>::default());
    let project = workspace.project().unwrap();
    let name = |file| project.path(file).strip_prefix("res://").unwrap().to_owned();
    workspace.files(Scope::All).into_iter().map(name).collect()
}

/// Patterns of many kinds over few names, so that most of them match something.
#[test]
fn what_git_ignores_is_left_out() {
    const NAMES: [&str; 4] = ["a", "b", "ab", "c d"];
    let mut random = fastrand::Rng::with_seed(17);
    let (mut ignored_count, mut file_count, mut kept_count) = (0, 0, 0);
    for _ in 0..60 {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        git(folder, &["init", "--quiet"], "");
        let mut files: BTreeSet<String> = ["project.godot".to_owned()].into();
        let mut folders = BTreeSet::from([String::new()]);
        for _ in 0..40 {
            let mut path = String::new();
            for _ in 0..random.usize(0..4) {
                path += random.choice(NAMES).unwrap();
                path += "/";
                folders.insert(path.clone());
            }
            path += random.choice(NAMES).unwrap();
            files.insert(path + random.choice([".tscn", ".tres", ".cfg.import"]).unwrap());
        }
        files.iter().for_each(|file| write(folder, file, SCENE));
        write(folder, "project.godot", "config_version=5\n");
        let mut patterns = |count: usize| {
            (0..count).map(|_| pattern(&mut random, &NAMES)).collect::<Vec<_>>().join("\n")
        };
        for place in &folders {
            write(folder, &format!("{place}.gitignore"), patterns(2));
        }
        write(folder, ".git/info/exclude", patterns(1));
        // Git does not ignore the files that it tracks.
        let added = random.usize(0..6);
        let tracked: Vec<&str> =
            (0..added).map(|_| &**random.choice(files.iter()).unwrap()).collect();
        git(folder, &[&["add", "--force", "--"], &tracked[..]].concat(), "");
        let listed = files.iter().map(|file| file.clone() + "\0").collect::<String>();
        let ask = |arguments: &[&str]| -> BTreeSet<String> {
            let ignored = git(folder, arguments, &listed);
            ignored.split_terminator('\0').map(str::to_owned).collect()
        };
        let ignored = ask(&["check-ignore", "-z", "--stdin"]);
        let matched = ask(&["check-ignore", "--no-index", "-z", "--stdin"]);
        kept_count += matched.len() - ignored.len();
        let expected: BTreeSet<String> = files.difference(&ignored).cloned().collect();
        assert_eq!(checked(folder), expected, "{}", tree(folder, &folders));
        assert_eq!(checked_in_project(folder), expected);
        ignored_count += ignored.len();
        file_count += files.len();
    }
    assert!((file_count / 5..file_count * 4 / 5).contains(&ignored_count), "{ignored_count}");
    assert!(kept_count > 20, "{kept_count}");
}

/// In a submodule and in a linked work tree, `.git` is a file.
#[test]
fn tracked_files_of_linked_work_trees_and_submodules() {
    let above = tempfile::tempdir().unwrap();
    let main = above.path().join("main");
    write(&main, "project.godot", "config_version=5\n");
    write(&main, "levels/a.tscn", SCENE);
    testkit::git::git(&main, &["init", "--quiet"]);
    testkit::git::git(&main, &["add", "."]);
    testkit::git::git(&main, &["commit", "--quiet", "-m", "a"]);
    write(&main, ".gitignore", "*\n");
    testkit::git::git(&main, &["add", "--force", ".gitignore"]);
    testkit::git::git(&main, &["commit", "--quiet", "-m", "b"]);
    write(&main, "new.tscn", SCENE);
    let tracked: BTreeSet<String> = ["levels/a.tscn", "project.godot"].map(str::to_owned).into();
    assert_eq!((checked(&main), checked_in_project(&main)), (tracked.clone(), tracked.clone()));
    assert_eq!(checked(&main.join("levels")), ["a.tscn".to_owned()].into());
    let left_out = walk(&main, WalkPolicy::Check).unwrap().left_out;
    assert_eq!((left_out.ignored_files, left_out.ignored_folders), (1, 0));

    testkit::git::git(&main, &["worktree", "add", "--quiet", "../linked"]);
    let linked = above.path().join("linked");
    write(&linked, "new/b.tscn", SCENE);
    assert_eq!((checked(&linked), checked_in_project(&linked)), (tracked.clone(), tracked.clone()));
    assert_eq!(walk(&linked, WalkPolicy::Check).unwrap().left_out.ignored_folders, 1);

    let with_submodule = above.path().join("with_submodule");
    write(&with_submodule, ".gitignore", "*\n");
    testkit::git::git(&with_submodule, &["init", "--quiet"]);
    testkit::git::git(
        &with_submodule,
        &["submodule", "add", "--quiet", "--force", "../main", "game"],
    );
    assert_eq!(checked(&with_submodule.join("game")), tracked);
    assert!(checked(&with_submodule).contains("game/levels/a.tscn"));
}

fn pattern(random: &mut fastrand::Rng, names: &[&str]) -> String {
    let mut pattern = String::new();
    let mut one_of = |choices: &[&str]| (*random.choice(choices).unwrap()).to_owned();
    pattern += &one_of(&["", "", "", "!", "#"]);
    pattern += &one_of(&["", "", "/", "**/", "{a,b}", "[{b}]"]);
    pattern += &one_of(names);
    pattern += &one_of(&["", "*", "?", ".tscn", "/", "/*", "/**", "/b", ".t[rs]*", "\\ d"]);
    pattern + &one_of(&["", "", " ", "\r"])
}

/// The patterns, for the message of a failure.
fn tree(folder: &Path, folders: &BTreeSet<String>) -> String {
    let read = |place: &String| fs::read_to_string(folder.join(format!("{place}.gitignore")));
    folders.iter().map(|place| format!("{place}: {:?}\n", read(place).unwrap())).collect()
}

#[test]
fn repositories_above_and_below() {
    let above = tempfile::tempdir().unwrap();
    git(above.path(), &["init", "--quiet"], "");
    write(above.path(), ".gitignore", "left_out*\n");
    let folder = above.path().join("game");
    for file in ["a.tscn", "left_out.tscn", "left_out/b.tscn", "inner/left_out.tscn", "plugin.cfg"]
    {
        write(&folder, file, SCENE);
    }
    write(&folder, "project.godot", "config_version=5\n");
    let seen = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let expected: BTreeSet<String> = seen(&["a.tscn", "plugin.cfg", "project.godot"]);
    assert_eq!((checked(&folder), checked_in_project(&folder)), (expected.clone(), expected));
    // A repository in another one has its own patterns only.
    git(&folder.join("inner"), &["init", "--quiet"], "");
    let expected: BTreeSet<String> =
        seen(&["a.tscn", "inner/left_out.tscn", "plugin.cfg", "project.godot"]);
    assert_eq!((checked(&folder), checked_in_project(&folder)), (expected.clone(), expected));
    // Files that Godot ignores are left out, but not if the command names them.
    write(&folder, "inner/.gdignore", "");
    assert!(!checked(&folder).contains("inner/left_out.tscn"));
    assert_eq!(checked(&folder.join("inner")), seen(&["left_out.tscn"]));
    // git reads neither a link nor a folder of that name.
    fs::create_dir_all(folder.join("odd/.gitignore")).unwrap();
    write(&folder, "odd/b.tscn", SCENE);
    assert!(checked(&folder).contains("odd/b.tscn"));
    #[cfg(unix)]
    {
        write(&folder, "patterns", "*\n");
        write(&folder, "linked/b.tscn", SCENE);
        std::os::unix::fs::symlink("../patterns", folder.join("linked/.gitignore")).unwrap();
        assert!(checked(&folder).contains("linked/b.tscn"));
    }
    // Another project is checked by the command only, and as its own.
    write(&folder, "other/project.godot", "config_version=5\n");
    assert!(checked(&folder).contains("other/project.godot"));
    assert!(!checked_in_project(&folder).contains("other/project.godot"));
}

#[test]
fn outside_of_repositories() {
    let above = tempfile::tempdir().unwrap();
    write(above.path(), ".gitignore", "*\n");
    let folder = above.path().join("game");
    write(&folder, "project.godot", "config_version=5\n");
    write(&folder, ".gitignore", "left_out.tscn\n");
    for file in ["a.tscn", "left_out.tscn", "sub/b.tscn", "sub/left_out.tscn"] {
        write(&folder, file, SCENE);
    }
    let expected: BTreeSet<String> =
        ["a.tscn", "project.godot", "sub/b.tscn"].map(str::to_owned).into();
    assert_eq!((checked(&folder), checked_in_project(&folder)), (expected.clone(), expected));
    assert_eq!(checked(&folder.join("sub")), ["b.tscn".to_owned()].into());
    // A statement in untrusted files cannot leave them out.
    let project = Project::open_untrusted(&folder).unwrap();
    let workspace = Workspace::of_project(project, Arc::<Config>::default());
    assert_eq!(workspace.files(Scope::All).len(), 5);
}

/// Several threads share the entries of a large folder.
#[test]
fn large_folders() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (mut scenes, mut all) = (BTreeSet::new(), BTreeSet::new());
    for number in 0..1_300 {
        let name = match number % 5 {
            0 => format!("{number}/inner.tscn"),
            1 => format!("{number}.png"),
            2 => format!(".{number}.tscn"),
            _ => format!("{number}.tscn"),
        };
        write(folder, &name, SCENE);
        if name.starts_with('.') {
            continue;
        }
        if name.ends_with(".tscn") {
            scenes.insert(name.clone());
        }
        all.insert(name);
    }
    assert_eq!(checked(folder), scenes);
    let walked = walk(folder, WalkPolicy::Project).unwrap();
    let found = walked.files.iter().map(|file| file.path.to_str().unwrap().replace('\\', "/"));
    assert_eq!(found.collect::<BTreeSet<_>>(), all);
    assert!(walked.files.iter().all(|file| file.size == SCENE.len() as u64 && file.modified > 0));
}

#[cfg(unix)]
#[test]
fn linked_files_are_checked_where_they_are() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "project.godot", "config_version=5\n");
    write(folder.path(), "real/a.tscn", SCENE);
    std::os::unix::fs::symlink("real", folder.path().join("linked")).unwrap();
    std::os::unix::fs::symlink("real/a.tscn", folder.path().join("b.tscn")).unwrap();
    let expected: BTreeSet<String> = ["project.godot", "real/a.tscn"].map(str::to_owned).into();
    assert_eq!(checked(folder.path()), expected);
    assert_eq!(checked_in_project(folder.path()), expected);
    let project = Project::open(folder.path()).unwrap();
    assert!(project.file("res://linked/a.tscn").is_some());
}
