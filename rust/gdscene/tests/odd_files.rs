//! Files that cannot be read or written, or are not text. `check`, `format` and `fix` report and
//! count them, do the rest of their work, and write only complete files.
#![cfg(unix)]

use std::fs::{self, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::common::{gdscene, scratch};

const COMMANDS: [&str; 3] = ["check", "format", "fix"];

const TIDY: &str = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n";

/// There is something to format and to fix in it.
const UNTIDY: &str =
    "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nvisible=True\nprocess_mode=3\n";

/// The same, for `format`.
const UNFORMATTED: &str = "[gd_scene format=3]\n[node name=\"A\" type=\"Node\"]\n";

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A text that the command would change.
fn changeable(command: &str) -> &'static str {
    if command == "format" { UNFORMATTED } else { UNTIDY }
}

/// Runs `gdscene` on a folder so that the permissions of files mean something: they do not for the
/// superuser.
fn as_somebody(command: &str, folder: &Path) -> Output {
    let args = [command, folder.to_str().unwrap()];
    let is_root = fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
    if !is_root {
        return gdscene(&args, b"");
    }
    // Not `fs::copy`: a child of another test would hold the program open for a moment.
    let program = folder.with_extension("program");
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_gdscene")).arg(&program).status();
    assert!(copied.unwrap().success());
    let output =
        Command::new(&program).args(args).current_dir("/").uid(65534).gid(65534).output().unwrap();
    fs::remove_file(&program).unwrap();
    output
}

/// A folder that everybody can reach and write to.
fn open_scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("gdscene_{name}_{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::set_permissions(&folder, Permissions::from_mode(0o777)).unwrap();
    folder
}

/// Starts `gdscene` on a pipe and `others`. Reading the pipe takes until it is written to, and only one
/// thread works, so that the others are known but not read yet.
fn start_on_pipe(command: &str, pipe: &Path, others: &[&Path]) -> std::process::Child {
    if !pipe.exists() {
        assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
    }
    assert!(fs::metadata(pipe).unwrap().file_type().is_fifo());
    Command::new(env!("CARGO_BIN_EXE_gdscene"))
        .arg(command)
        .arg(pipe)
        .args(others)
        .env("RAYON_NUM_THREADS", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn a_file_that_vanishes_before_it_is_read() {
    for command in COMMANDS {
        let folder = scratch(&format!("vanishing_{command}"));
        let (pipe, gone, last) =
            (folder.join("a.tscn"), folder.join("b.tscn"), folder.join("c.tscn"));
        fs::write(&gone, TIDY).unwrap();
        fs::write(&last, changeable(command)).unwrap();
        let child = start_on_pipe(command, &pipe, &[&gone, &last]);
        // Waits until the pipe is being read.
        let mut writer = OpenOptions::new().write(true).open(&pipe).unwrap();
        fs::remove_file(&gone).unwrap();
        writer.write_all(TIDY.as_bytes()).unwrap();
        drop(writer);
        let output = child.wait_with_output().unwrap();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(2), "{command}: {stdout}{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{command}: {stderr}");
        assert!(stderr.contains("b.tscn: No such file"), "{command}: {stderr}");
        assert!(stdout.contains("; 1 path not "), "{command}: {stdout}");
        assert!(!gone.exists(), "{command} made the file again");
        let is_changed = fs::read_to_string(&last).unwrap() != changeable(command);
        assert_eq!(is_changed, command != "check", "{command} did not do the rest");
    }
}

#[test]
fn what_cannot_be_read() {
    for command in COMMANDS {
        let folder = open_scratch(&format!("unreadable_{command}"));
        let (file, inner) = (folder.join("secret.tscn"), folder.join("inner"));
        fs::write(&file, UNTIDY).unwrap();
        fs::write(folder.join("tidy.tscn"), TIDY).unwrap();
        fs::create_dir(&inner).unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o000)).unwrap();
        fs::set_permissions(&inner, Permissions::from_mode(0o000)).unwrap();
        let output = as_somebody(command, &folder);
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(2), "{command}: {stdout}{stderr}");
        assert!(stderr.contains("secret.tscn: Permission denied"), "{command}: {stderr}");
        assert!(stderr.contains("inner: Permission denied"), "{command}: {stderr}");
        assert!(stdout.contains("; 2 paths not "), "{command}: {stdout}");
        fs::set_permissions(&inner, Permissions::from_mode(0o700)).unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), UNTIDY);
        fs::remove_dir_all(&folder).unwrap();
    }
}

#[test]
fn what_must_not_be_written() {
    for command in ["format", "fix"] {
        let folder = open_scratch(&format!("protected_{command}"));
        let (file, closed) = (folder.join("a.tscn"), folder.join("closed"));
        fs::create_dir(&closed).unwrap();
        // Everybody may write the second, but not put another in its place.
        for (path, mode) in [(&file, 0o444), (&closed.join("b.tscn"), 0o666)] {
            fs::write(path, changeable(command)).unwrap();
            fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        }
        fs::set_permissions(&closed, Permissions::from_mode(0o555)).unwrap();
        let output = as_somebody(command, &folder);
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(2), "{command}: {stdout}{stderr}");
        assert!(stderr.contains("a.tscn: Permission denied"), "{command}: {stderr}");
        assert!(stderr.contains("b.tscn: Permission denied"), "{command}: {stderr}");
        assert!(stdout.contains("; 2 paths not "), "{command}: {stdout}");
        // The rest of those files is unknown.
        assert!(!stdout.contains("nothing left;"), "{command}: {stdout}");
        fs::set_permissions(&closed, Permissions::from_mode(0o755)).unwrap();
        for path in [&file, &closed.join("b.tscn")] {
            assert_eq!(fs::read_to_string(path).unwrap(), changeable(command), "{command}");
        }
        assert_eq!(fs::read_dir(&closed).unwrap().count(), 1, "{command} left a file");
        fs::remove_dir_all(&folder).unwrap();
    }
}

#[test]
fn permissions_and_links_stay() {
    for command in ["format", "fix"] {
        let folder = scratch(&format!("links_{command}"));
        let (file, link) = (folder.join("file.tscn"), folder.join("link.tscn"));
        fs::write(&file, changeable(command)).unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
        symlink("file.tscn", &link).unwrap();
        let output = gdscene(&[command, link.to_str().unwrap()], b"");
        assert_ne!(output.status.code(), Some(2), "{command}: {}", text(&output.stderr));
        assert_ne!(fs::read_to_string(&file).unwrap(), changeable(command), "{command}");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640, "{command}");
        assert_eq!(fs::read_link(&link).unwrap(), Path::new("file.tscn"), "{command}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "{command} left a file");
    }
}

#[test]
fn what_is_no_utf8() {
    let utf16: Vec<u8> =
        [0xfeff].into_iter().chain(UNTIDY.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let latin1 = b"[gd_scene format=3]\n\n[node name=\"caf\xe9\" type=\"Node\"]\n".to_vec();
    for (name, bytes, codes) in
        [("utf16.tscn", utf16, [1, 2, 1]), ("latin1.tscn", latin1, [1, 0, 1])]
    {
        let file = scratch("no_utf8").join(name);
        for (command, code) in COMMANDS.into_iter().zip(codes) {
            fs::write(&file, &bytes).unwrap();
            let output = gdscene(&[command, file.to_str().unwrap()], b"");
            let report = text(&output.stdout) + &text(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{command} {name}: {report}");
            assert!(code == 0 || report.contains(name) || report.contains("left"), "{report}");
            assert_eq!(fs::read(&file).unwrap(), bytes, "{command} {name}");
        }
    }
}

/// The reader closes the pipe before there is anything to read.
#[test]
fn a_closed_pipe_is_no_failure() {
    for (command, code) in [("check", 1), ("format", 0), ("fix", 0)] {
        let folder = scratch(&format!("closed_pipe_{command}"));
        let (pipe, last) = (folder.join("a.tscn"), folder.join("b.tscn"));
        fs::write(&last, changeable(command)).unwrap();
        let mut child = start_on_pipe(command, &pipe, &[&last]);
        drop(child.stdout.take());
        fs::write(&pipe, TIDY).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(text(&output.stderr), "", "{command}");
        assert_eq!(output.status.code(), Some(code), "{command}");
        let is_changed = fs::read_to_string(&last).unwrap() != changeable(command);
        assert_eq!(is_changed, command != "check", "{command}");
    }
}
