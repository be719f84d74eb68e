mod file_systems;
mod git;
pub(super) mod killed;
mod refused;
mod taken_back;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use godot_project::FileMove;

use super::{Changes, Write, carry_out};

/// The contents at each path below a project's folder, except the journal: the text of files, and the targets of
/// links.
type Content = BTreeMap<String, String>;

/// A project, and changes of it of every kind.
fn project() -> (tempfile::TempDir, Changes) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for (path, content) in [
        ("project.godot", "config_version=5\n"),
        ("a.gd", "old a"),
        ("b.tscn", "old b"),
        ("sub/c.tscn", "old c"),
        ("folder/x.png", "x"),
        ("folder/.hidden", "hidden"),
        ("folder/inner/y.tscn", "old y"),
        ("moved.gd", "moved"),
        ("changed_and_moved.gd", "old m"),
        ("gone.png", "gone"),
        ("gone_folder/z.png", "z"),
    ] {
        write(root, path, content);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt, symlink};
        fs::set_permissions(root.join("a.gd"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink("sub/c.tscn", root.join("link.tscn")).unwrap();
    }
    #[cfg(not(unix))]
    write(root, "link.tscn", "old c");
    (folder, changes())
}

fn changes() -> Changes {
    Changes {
        title: "change everything".to_owned(),
        writes: vec![
            changed("res://a.gd", Some("old a"), "new a"),
            changed("res://b.tscn", Some("old b"), "new b"),
            changed("res://changed_and_moved.gd", Some("old m"), "new m"),
            changed("res://folder/inner/y.tscn", Some("old y"), "new y"),
            changed("res://folder/new.tres", None, "new in a folder that moves"),
            changed("res://link.tscn", Some("old c"), "new c"),
            changed("res://made/deep/d.tres", None, "new d"),
        ],
        moves: [
            ("res://changed_and_moved.gd", "res://sub/there.gd"),
            ("res://folder", "res://other/folder2"),
            ("res://moved.gd", "res://made/deep/moved.gd"),
        ]
        .map(|(from, to)| FileMove { from: from.to_owned(), to: to.to_owned() })
        .into(),
        removals: vec!["res://gone.png".to_owned(), "res://gone_folder".to_owned()],
        is_undoable: true,
    }
}

fn changed(path: &str, before: Option<&str>, after: &str) -> Write {
    let text = |text: &str| text.as_bytes().into();
    Write { path: path.to_owned(), before: before.map(text), after: Some(text(after)) }
}

fn write(root: &Path, path: &str, content: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

fn content(root: &Path) -> Content {
    let mut found = Content::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries: Vec<_> = fs::read_dir(&folder).unwrap().map(Result::unwrap).collect();
        for entry in &entries {
            let path = entry.path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            let kind = entry.file_type().unwrap();
            if [".godot", ".gdscene", ".git"].contains(&&*name) {
                continue;
            }
            if kind.is_dir() {
                found.insert(name + "/", String::new());
                folders.push(path);
            } else if kind.is_symlink() {
                found.insert(name, format!("-> {}", fs::read_link(&path).unwrap().display()));
            } else {
                let text = fs::read(&path).unwrap();
                found.insert(name, with_mode(&path, &String::from_utf8_lossy(&text)));
            }
        }
    }
    found
}

#[cfg(unix)]
fn with_mode(path: &Path, content: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    format!("{:o} {content}", fs::metadata(path).unwrap().permissions().mode() & 0o777)
}

#[cfg(not(unix))]
fn with_mode(_: &Path, content: &str) -> String {
    content.to_owned()
}

/// The content before and after the changes of [`project`].
fn before_and_after() -> (Content, Content) {
    let (folder, changes) = project();
    let before = content(folder.path());
    carry_out(folder.path(), &changes).unwrap();
    (before, content(folder.path()))
}

#[test]
fn all_is_done() {
    let (before, after) = before_and_after();
    let plain = |content: &Content| {
        let line = |(path, text): (&String, &String)| format!("{path}: {text}");
        content.iter().map(line).collect::<Vec<_>>()
    };
    assert_eq!(before.len(), 16, "{before:#?}");
    if cfg!(unix) {
        let expected = [
            "a.gd: 640 new a",
            "b.tscn: 644 new b",
            "link.tscn: -> sub/c.tscn",
            "made/: ",
            "made/deep/: ",
            "made/deep/d.tres: 644 new d",
            "made/deep/moved.gd: 644 moved",
            "other/: ",
            "other/folder2/: ",
            "other/folder2/.hidden: 644 hidden",
            "other/folder2/inner/: ",
            "other/folder2/inner/y.tscn: 644 new y",
            "other/folder2/new.tres: 644 new in a folder that moves",
            "other/folder2/x.png: 644 x",
            "project.godot: 644 config_version=5\n",
            "sub/: ",
            "sub/c.tscn: 644 new c",
            "sub/there.gd: 644 new m",
        ];
        assert_eq!(plain(&after), expected);
    }
}
