//! Repositories, as the real git sees them afterwards.

use std::fs;
use std::path::Path;

use godot_project::Git;
use testkit::git::git;

use super::{carry_out, project, write};
use crate::{plan_undo, undo};

fn commit(folder: &Path) {
    git(folder, &["init", "-q", "-b", "main"]);
    git(folder, &["add", "."]);
    git(folder, &["commit", "-q", "-m", "first"]);
}

/// Git's status of the changes.
const RENAMED: [&str; 12] = [
    " M a.gd",
    " M b.tscn",
    " D gone.png",
    " D gone_folder/z.png",
    "R  folder/.hidden -> other/folder2/.hidden",
    "RM folder/inner/y.tscn -> other/folder2/inner/y.tscn",
    "R  folder/x.png -> other/folder2/x.png",
    " M sub/c.tscn",
    "RM changed_and_moved.gd -> sub/there.gd",
    "R  moved.gd -> made/deep/moved.gd",
    "?? made/deep/d.tres",
    "?? other/folder2/new.tres",
];

/// Carries the changes out and takes them back; git sees renames, and then nothing.
fn check(root: &Path) {
    let done = carry_out(root, &project().1).unwrap();
    assert!(done.notes.is_empty(), "{:?}", done.notes);
    let status = git(root, &["status", "--porcelain", "-uall"]);
    let mut found: Vec<&str> = status.lines().collect();
    let mut expected = RENAMED.to_vec();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
    undo(root, &plan_undo(root).unwrap()).unwrap();
    assert_eq!(git(root, &["status", "--porcelain", "-uall"]), "");
    assert_eq!(git(root, &["fsck", "--no-dangling"]), "");
    let git_folder = git(root, &["rev-parse", "--absolute-git-dir"]);
    assert!(!Path::new(git_folder.trim()).join("index.lock").exists());
}

#[test]
fn moved_files_are_renamed_in_the_index() {
    let (folder, _) = project();
    commit(folder.path());
    check(folder.path());
    git(folder.path(), &["checkout", "-q", "--detach"]);
    check(folder.path());
    // Data that git puts into several files.
    git(folder.path(), &["update-index", "--split-index"]);
    check(folder.path());
}

#[test]
fn a_project_below_the_repository() {
    let outer = tempfile::tempdir().unwrap();
    let (folder, _) = project();
    let root = outer.path().join("größe game");
    fs::rename(folder.path(), &root).unwrap();
    write(outer.path(), "readme", "x");
    commit(outer.path());
    // Another file there is changed, and stays so.
    write(outer.path(), "readme", "y");
    carry_out(&root, &project().1).unwrap();
    let status =
        git(outer.path(), &["-c", "core.quotePath=false", "status", "--porcelain", "-uall"]);
    for line in [" M readme", "R  \"größe game/moved.gd\" -> \"größe game/made/deep/moved.gd\""]
    {
        assert!(status.lines().any(|found| found == line), "{status}");
    }
    undo(&root, &plan_undo(&root).unwrap()).unwrap();
    assert_eq!(git(outer.path(), &["status", "--porcelain", "-uall"]), " M readme\n");
}

#[test]
fn submodules_and_work_trees() {
    let (folder, _) = project();
    commit(folder.path());
    let outer = tempfile::tempdir().unwrap();
    write(outer.path(), "readme", "x");
    commit(outer.path());
    git(outer.path(), &["submodule", "-q", "add", folder.path().to_str().unwrap(), "game"]);
    check(&outer.path().join("game"));
    let tree = outer.path().join("tree");
    git(folder.path(), &["worktree", "add", "-q", tree.to_str().unwrap()]);
    check(&tree);
}

/// The `.git` leads to the repository of another user, with files of the same names in its index.
#[cfg(unix)]
#[test]
fn repositories_of_others() {
    use std::os::unix::fs::symlink;
    let (victim, _) = project();
    let victim = fs::canonicalize(victim.path()).unwrap();
    commit(&victim);
    git(&victim, &["worktree", "add", "-q", victim.join("tree").to_str().unwrap()]);
    let foreign = victim.join(".git").display().to_string();
    let git_file = |target: &str, root: &Path| {
        fs::write(root.join(".git"), format!("gitdir: {target}\n")).unwrap();
    };
    let linked = |root: &Path| symlink(&foreign, root.join(".git")).unwrap();
    let named = |root: &Path| git_file(&foreign, root);
    let named_tree = |root: &Path| git_file(&format!("{foreign}/worktrees/tree"), root);
    let shared = |root: &Path| {
        commit(root);
        fs::write(root.join(".git/commondir"), &foreign).unwrap();
    };
    let makes: [&dyn Fn(&Path); 4] = [&linked, &named, &named_tree, &shared];
    for (number, make) in makes.into_iter().enumerate() {
        let (folder, changes) = project();
        let root = folder.path();
        make(root);
        let indexes = [".git/index", ".git/worktrees/tree/index"];
        let before = indexes.map(|index| fs::read(victim.join(index)).unwrap());
        let done = carry_out(root, &changes).unwrap();
        assert!(
            done.notes[0].contains("is the repository of another folder"),
            "{number}: {done:?}"
        );
        assert_eq!(indexes.map(|index| fs::read(victim.join(index)).unwrap()), before);
        assert!(root.join("other/folder2/x.png").exists());
    }
}

/// Files that git does not know, or ignores, move all the same; so do all if git cannot follow.
#[test]
fn what_git_does_not_follow() {
    let (folder, changes) = project();
    let root = folder.path();
    write(root, ".gitignore", "moved.gd\n");
    commit(root);
    carry_out(root, &changes).unwrap();
    assert!(root.join("made/deep/moved.gd").exists());
    undo(root, &plan_undo(root).unwrap()).unwrap();
    assert_eq!(git(root, &["status", "--porcelain", "-uall"]), "");
    write(root, ".git/index.lock", "");
    let done = carry_out(root, &changes).unwrap();
    assert!(
        done.notes[0].contains("another git process is running, or was killed"),
        "{:?}",
        done.notes
    );
    assert!(root.join("other/folder2/x.png").exists());
    let (folder, changes) = project();
    write(folder.path(), ".git", "nonsense");
    let done = carry_out(folder.path(), &changes).unwrap();
    assert!(
        done.notes[0].starts_with("the files were moved, but git's index was not updated: "),
        "{:?}",
        done.notes
    );
}

/// Nothing that the repository's configuration names is run.
#[cfg(unix)]
#[test]
fn a_repository_with_programs() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, changes) = project();
    let root = folder.path();
    write(root, ".gitattributes", "* filter=evil diff=evil merge=evil\n");
    commit(root);
    let mark = root.join("was-run");
    let program = root.join(".git/program");
    fs::write(&program, format!("#!/bin/sh\ntouch '{}'\ncat\n", mark.display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let program = program.to_str().unwrap();
    for key in [
        "core.fsmonitor",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "diff.evil.command",
        "diff.evil.textconv",
        "core.sshCommand",
        "core.pager",
        "core.editor",
        "diff.external",
    ] {
        fs::write(root.join(".git/config"), fs::read_to_string(root.join(".git/config")).unwrap())
            .unwrap();
        git(
            &std::env::temp_dir(),
            &["config", "--file", root.join(".git/config").to_str().unwrap(), key, program],
        );
    }
    for hook in ["post-index-change", "pre-commit", "post-checkout", "reference-transaction"] {
        fs::create_dir_all(root.join(".git/hooks")).unwrap();
        fs::copy(program, root.join(".git/hooks").join(hook)).unwrap();
    }
    let found = Git::open(&fs::canonicalize(root).unwrap()).unwrap().uncommitted(root).unwrap();
    assert!(found.changed.is_empty() && found.unknown.is_empty(), "{found:?}");
    assert!(carry_out(root, &changes).unwrap().notes.is_empty());
    undo(root, &plan_undo(root).unwrap()).unwrap();
    assert!(!mark.exists());
}

#[test]
fn what_is_not_committed() {
    let (folder, _) = project();
    let root = &fs::canonicalize(folder.path()).unwrap();
    commit(root);
    let uncommitted = |folder: &Path| {
        let found = Git::open(root).unwrap().uncommitted(folder).unwrap();
        let names = |paths: Vec<std::path::PathBuf>| {
            paths
                .iter()
                .map(|path| path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"))
                .collect::<Vec<_>>()
        };
        (names(found.changed), names(found.unknown))
    };
    assert_eq!(uncommitted(root), (vec![], vec![]));
    write(root, "a.gd", "dirty");
    write(root, "sub/c.tscn", "staged");
    git(root, &["add", "sub"]);
    write(root, "sub/c.tscn", "old c");
    fs::remove_file(root.join("moved.gd")).unwrap();
    write(root, "unknown.gd", "x");
    assert_eq!(uncommitted(root).0, ["a.gd", "moved.gd", "sub/c.tscn"]);
    assert_eq!(uncommitted(root).1, ["unknown.gd"]);
    assert_eq!(uncommitted(&root.join("sub")).0, ["sub/c.tscn"]);
    // Before the first commit.
    git(root, &["checkout", "-q", "--orphan", "new"]);
    assert!(uncommitted(root).0.contains(&"b.tscn".to_owned()));
}
