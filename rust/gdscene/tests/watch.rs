//! `gdscene check --watch`, with real changes of files.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use crate::common::{gdscene, scratch};

const CLEAN: &str = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n";
const BROKEN: &str = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = True\n";

/// The machine may be busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running program and the lines that it prints.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(path: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_gdscene"))
            .args(["check", "--watch", "--output", "concise"])
            .arg(path)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = mpsc::channel();
        let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let errors = sender.clone();
        thread::spawn(move || {
            BufReader::new(out)
                .lines()
                .map_while(Result::ok)
                .for_each(|line| _ = sender.send(line));
        });
        thread::spawn(move || {
            BufReader::new(err)
                .lines()
                .map_while(Result::ok)
                .for_each(|line| _ = errors.send(line));
        });
        Self { child, lines }
    }

    /// All lines until each of `ends` was in one. Standard output and standard error come in any order, and a
    /// busy machine may check a file twice, so unexpected lines are skipped.
    fn until(&self, ends: &[&str]) -> String {
        let mut text = String::new();
        while !ends.iter().all(|end| text.contains(end)) {
            let line = self.lines.recv_timeout(PATIENCE);
            text += &line.unwrap_or_else(|_| panic!("no {ends:?} after:\n{text}"));
            text.push('\n');
        }
        text
    }

    /// Ctrl+C.
    fn stop(mut self) {
        let interrupt = Command::new("kill").arg("-INT").arg(self.child.id().to_string()).status();
        assert!(interrupt.unwrap().success());
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn changed_files_are_checked_again() {
    let folder = scratch("watch");
    fs::write(folder.join("a.tscn"), CLEAN).unwrap();
    fs::write(folder.join("b.tscn"), BROKEN).unwrap();
    let watching = Watching::start(&folder);
    watching.until(&["2 files checked", "waiting for changes"]);
    fs::write(folder.join("a.tscn"), BROKEN).unwrap();
    let text = watching.until(&["a.tscn:4:", "a.tscn changed", "1 file checked"]);
    assert!(!text.contains("b.tscn"), "{text}");
    // As programs do that replace a file as a whole.
    fs::write(folder.join("a.tmp"), CLEAN).unwrap();
    fs::rename(folder.join("a.tmp"), folder.join("a.tscn")).unwrap();
    watching.until(&["1 file checked: nothing found"]);
    // A new folder with a new file.
    fs::create_dir(folder.join("new")).unwrap();
    thread::sleep(Duration::from_millis(300));
    fs::write(folder.join("new/c.tscn"), BROKEN).unwrap();
    watching.until(&["c.tscn:4:", "1 file checked"]);
    watching.stop();
}

#[test]
fn what_depends_on_a_changed_file_is_checked_too() {
    let folder = scratch("watch_project");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("project.godot", "config_version=5\n");
    write("inner.tscn", CLEAN);
    write("other.tscn", CLEAN);
    write(
        "outer.tscn",
        "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://inner.tscn\" id=\"1\"]\n\n\
         [node name=\"A\" type=\"Node\"]\n\n[node name=\"B\" parent=\".\" instance=ExtResource(\"1\")]\n",
    );
    let watching = Watching::start(&folder);
    watching.until(&["4 files checked", "waiting for changes"]);
    write("inner.tscn", BROKEN);
    let text = watching.until(&["inner.tscn:4:", "2 files checked"]);
    assert!(!text.contains("other.tscn"), "{text}");
    fs::remove_file(folder.join("inner.tscn")).unwrap();
    watching.until(&["1 file checked"]);
    write("inner.tscn", CLEAN);
    watching.until(&["2 files checked: nothing found"]);
    watching.stop();
}

#[test]
fn what_cannot_be_watched() {
    let folder = scratch("watch_wrong");
    let path = folder.to_str().unwrap();
    for args in [
        &["check", "--watch", "-"][..],
        &["check", "--watch", "no/such"],
        &["check", "--watch", "--output", "sarif", path],
        &["check", "--watch", "--since", "HEAD", path],
    ] {
        let output = gdscene(args, b"");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(!output.stderr.is_empty());
    }
}
