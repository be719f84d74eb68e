//! How the tests run the real program.
#![allow(unreachable_pub, reason = "a module of test programs, not of a library")]
#![allow(dead_code, reason = "not every test program needs all")]

pub mod page;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Runs `gdscene` in the crate's folder.
pub fn gdscene(args: &[&str], stdin: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gdscene"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("NO_COLOR")
        .env("XDG_CACHE_HOME", caches())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(stdin).unwrap();
    child.wait_with_output().unwrap()
}

/// The user's folder for caches in tests.
pub fn caches() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("caches")
}

/// Exit code, standard output and standard error in one text.
pub fn run(args: &[&str], stdin: &[u8]) -> String {
    let output = gdscene(args, stdin);
    let text = format!(
        "exit code {}\n--- stdout\n{}--- stderr\n{}",
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    );
    text.replace('\\', "/")
}

/// A fresh folder for files that a repository should not hold.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs `gdscene` in a folder: the exit status, standard output and standard error.
pub fn gdscene_in(folder: &Path, args: &[&str], stdin: &[u8]) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gdscene"))
        .args(args)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", caches())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that fails before it reads has closed it.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Runs a script of a shell in a folder, with `gdscene` on the PATH, and git without settings of the user's.
pub fn shell_in(folder: &Path, script: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_gdscene")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", script]).current_dir(folder).env("PATH", path);
    shell.env("XDG_CACHE_HOME", caches());
    for name in ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"] {
        shell.env(name, "/dev/null");
    }
    for role in ["AUTHOR", "COMMITTER"] {
        shell.env(format!("GIT_{role}_NAME"), "a");
        shell.env(format!("GIT_{role}_EMAIL"), "a@example.org");
    }
    shell.output().unwrap()
}

/// The files below a folder with their content, hidden ones left out.
pub fn content(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        match entry.file_name().to_string_lossy().starts_with('.') {
            true => {}
            false if path.is_dir() => all.extend(content(&path)),
            false => _ = all.insert(path.clone(), fs::read(path).unwrap_or_default()),
        }
    }
    all
}
