use std::fs;
use std::path::Path;

use super::{Change, WriteError, write_together};

/// Everything in a folder, by name.
fn content(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, if path.is_file() { fs::read(&path).unwrap() } else { Vec::new() })
        })
        .collect();
    files.sort();
    files
}

/// Three files, `a` and `c` are there and `b` is new.
fn with_changes(folder: &Path, meddle: impl Fn()) -> Result<(), WriteError> {
    let [a, b, c] = ["a", "b", "c"].map(|name| folder.join(name));
    fs::write(&a, "old a").unwrap();
    fs::write(&c, "old c").unwrap();
    meddle();
    let changes = [
        Change { path: &a, before: Some(b"old a"), after: b"new a" },
        Change { path: &b, before: None, after: b"new b" },
        Change { path: &c, before: Some(b"old c"), after: b"new c" },
    ];
    write_together(&changes)
}

#[test]
fn writes_all() {
    let folder = tempfile::tempdir().unwrap();
    with_changes(folder.path(), || {}).unwrap();
    let new = ["a", "b", "c"].map(|name| (name.to_owned(), format!("new {name}").into_bytes()));
    assert_eq!(content(folder.path()), new, "and nothing is left beside them");
}

/// A file was changed, removed or created in the meantime: nothing is written.
#[test]
fn writes_nothing_if_a_file_is_not_as_it_was() {
    type Meddle = fn(&Path);
    let cases: [Meddle; 5] = [
        |folder| fs::write(folder.join("c"), "newer c").unwrap(),
        |folder| fs::remove_file(folder.join("c")).unwrap(),
        |folder| fs::write(folder.join("b"), "somebody's b").unwrap(),
        |folder| fs::create_dir(folder.join("b")).unwrap(),
        |folder| {
            fs::remove_file(folder.join("c")).unwrap();
            fs::create_dir(folder.join("c")).unwrap();
        },
    ];
    for (number, meddle) in cases.iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let before = std::cell::RefCell::new(Vec::new());
        let meddled = || {
            meddle(folder.path());
            *before.borrow_mut() = content(folder.path());
        };
        with_changes(folder.path(), meddled).unwrap_err();
        assert_eq!(content(folder.path()), *before.borrow(), "case {number}");
    }
}

/// A hard link to a file that could not be changed in the end still leads to it.
#[cfg(unix)]
#[test]
fn a_link_stays_one() {
    let folder = tempfile::tempdir().unwrap();
    let real = tempfile::tempdir().unwrap();
    fs::write(real.path().join("c"), "old c").unwrap();
    let link = || {
        fs::remove_file(folder.path().join("c")).unwrap();
        std::os::unix::fs::symlink(real.path().join("c"), folder.path().join("c")).unwrap();
    };
    with_changes(folder.path(), link).unwrap();
    assert!(folder.path().join("c").is_symlink());
    assert_eq!(fs::read(real.path().join("c")).unwrap(), b"new c");
}
