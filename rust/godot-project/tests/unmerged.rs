//! What the index has of files that git could not merge, and how git is set up, in repositories made for it.

use std::fs;
use std::path::Path;
use std::process::Command;

use godot_project::{Unmerged, merge_setup, set_up_merging, unmerged};
use testkit::git::git;

fn commit(top: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        fs::write(top.join(name), text).unwrap();
    }
    git(top, &["add", "."]);
    git(top, &["commit", "--quiet", "-m", "one"]);
}

/// A merge with conflicts fails.
fn merge_other(top: &Path) {
    let mut merge = Command::new("git");
    merge.args(["-c", "user.name=A", "-c", "user.email=a@example.com", "merge", "other"]);
    let output = merge.current_dir(top).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn sides_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let top = &folder.path().join("game [1]");
    fs::create_dir(top).unwrap();
    let names = ["main.tscn", "-a b*.tscn", "größe.tscn"];
    assert_eq!(unmerged(&top.join(names[0])), Ok(Unmerged::NoRepository));
    git(top, &["init", "--quiet", "--initial-branch=ours"]);
    commit(top, &names.map(|name| (name, "base\n")));
    git(top, &["branch", "other"]);
    commit(top, &names.map(|name| (name, "ours\n")));
    commit(top, &[("added.tscn", "ours\n")]);
    git(top, &["checkout", "--quiet", "other"]);
    commit(top, &names.map(|name| (name, "theirs\n")));
    fs::remove_file(top.join(names[2])).unwrap();
    commit(top, &[("added.tscn", "theirs\n"), ("fine.tscn", "theirs\n")]);
    git(top, &["checkout", "--quiet", "ours"]);
    assert_eq!(unmerged(&top.join(names[0])), Ok(Unmerged::Nothing), "before the merge");
    merge_other(top);
    let sides = |texts: [&str; 3]| {
        let text = |text: &str| (!text.is_empty()).then(|| text.as_bytes().to_vec());
        Ok(Unmerged::Sides(texts.map(text)))
    };
    for name in &names[..2] {
        assert_eq!(unmerged(&top.join(name)), sides(["base\n", "ours\n", "theirs\n"]), "{name}");
    }
    assert_eq!(unmerged(&top.join(names[2])), sides(["base\n", "ours\n", ""]), "removed by theirs");
    assert_eq!(unmerged(&top.join("added.tscn")), sides(["", "ours\n", "theirs\n"]), "added twice");
    assert_eq!(unmerged(&top.join("fine.tscn")), Ok(Unmerged::Nothing), "merged");
    assert_eq!(unmerged(&top.join("gone.tscn")), Ok(Unmerged::Nothing), "not there");
    git(top, &["add", "main.tscn"]);
    assert_eq!(unmerged(&top.join(names[0])), Ok(Unmerged::Nothing), "after git add");
}

#[test]
fn how_git_merges() {
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path();
    assert_eq!(merge_setup(top), Ok(None));
    assert!(set_up_merging(top).unwrap_err().contains("repository"));
    git(top, &["init", "--quiet"]);
    let is_set_up = || merge_setup(top).unwrap().map(|setup| setup.is_set_up);
    assert_eq!(is_set_up(), Some(false));
    git(top, &["config", "merge.gdscene.driver", "true"]);
    assert_eq!(is_set_up(), Some(true));
    let below = top.join("game");
    fs::create_dir(&below).unwrap();
    assert_eq!(merge_setup(&below).unwrap().map(|setup| setup.is_set_up), Some(true));
}
