//! A file as the last commit has it, in repositories made for it.

use std::fs;

use godot_project::{Committed, last_committed};
use testkit::git::git;

#[test]
fn of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path();
    let project = top.join("game [1]");
    fs::create_dir(&project).unwrap();
    let names = ["main.tscn", "-a b*.tscn", "größe.tscn", ":(top)x.tscn"];
    let mut files = names.map(|name| project.join(name)).to_vec();
    files.push(top.join("-r.tscn"));
    for file in &files {
        fs::write(file, "before\r\n").unwrap();
    }
    assert_eq!(last_committed(&files[0]), Ok(Committed::NoRepository));
    git(top, &["init", "--quiet"]);
    assert_eq!(last_committed(&files[0]), Ok(Committed::NoCommit));
    git(top, &["-c", "core.autocrlf=false", "add", "."]);
    git(top, &["commit", "--quiet", "-m", "one"]);
    for file in &files {
        fs::write(file, "after").unwrap();
        let committed = Committed::Content(b"before\r\n".to_vec());
        assert_eq!(last_committed(file), Ok(committed), "{}", file.display());
    }
    let fresh = project.join("fresh.tscn");
    fs::write(&fresh, "").unwrap();
    git(top, &["add", "."]);
    assert_eq!(last_committed(&fresh), Ok(Committed::NotThere), "the index is no commit");
    assert_eq!(last_committed(&project.join("a.tscn")), Ok(Committed::NotThere));
    // A folder of this name.
    fs::remove_file(&files[0]).unwrap();
    fs::create_dir(&files[0]).unwrap();
    git(top, &["rm", "--quiet", "-r", "--cached", "."]);
    fs::write(files[0].join("a"), "").unwrap();
    git(top, &["add", "."]);
    git(top, &["commit", "--quiet", "-m", "two"]);
    assert_eq!(last_committed(&files[0]), Ok(Committed::NotThere));
}

#[test]
fn in_a_work_tree_of_another_repository() {
    let folder = tempfile::tempdir().unwrap();
    let main = folder.path().join("main");
    fs::create_dir(&main).unwrap();
    git(&main, &["init", "--quiet"]);
    fs::write(main.join("a.tscn"), "one").unwrap();
    git(&main, &["add", "."]);
    git(&main, &["commit", "--quiet", "-m", "one"]);
    let other = folder.path().join("other");
    git(&main, &["worktree", "add", "--quiet", other.to_str().unwrap()]);
    fs::write(other.join("a.tscn"), "two").unwrap();
    assert_eq!(last_committed(&other.join("a.tscn")), Ok(Committed::Content(b"one".to_vec())));
}
