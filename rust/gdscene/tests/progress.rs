//! The bar, on a terminal that the program `script` makes.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::common::scratch;

const BROKEN: &str = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nvisible=True\n";

/// The terminal's text when `gdscene` waits this long for a file; `redirect` is for the shell.
fn seen(command: &str, redirect: &str, wait: Duration) -> Option<String> {
    let folder = scratch(&format!("progress_{}_{}", wait.as_millis(), command.replace(' ', "_")));
    let pipe = folder.join("slow.tscn");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let gdscene = env!("CARGO_BIN_EXE_gdscene");
    let line = format!("'{gdscene}' {command} '{}' {redirect}", pipe.display());
    let terminal = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .current_dir(&folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(terminal) = terminal else {
        println!("SKIPPED: there is no program `script`");
        return None;
    };
    thread::sleep(wait);
    write(&pipe);
    let output = terminal.wait_with_output().unwrap();
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn write(pipe: &Path) {
    fs::write(pipe, BROKEN).unwrap();
}

#[test]
fn a_bar_while_the_work_takes_long() {
    for command in ["check", "format --check", "fix --diff"] {
        let Some(seen) = seen(command, "", Duration::from_millis(1500)) else { return };
        assert!(seen.contains("0 of 1 files"), "{command}: {seen:?}");
        // Findings are on their own lines, and the bar is gone at the end.
        let last_bar = seen.rfind("of 1 files").unwrap();
        assert!(seen[last_bar..].contains("\u{1b}[2K"), "{command}: {seen:?}");
        let plain = seen.replace("\u{1b}[2K", "").replace('\r', "\n");
        let found = ["error[", "+visible", "slow.tscn:"].map(|start| {
            plain.lines().any(|line| line.contains(start) && !line.contains("of 1 files"))
        });
        assert!(found.contains(&true), "{command}: {seen:?}");
    }
}

#[test]
fn the_bar_goes_to_standard_error() {
    let Some(seen) = seen("check", "> out.txt", Duration::from_millis(1500)) else { return };
    assert!(seen.contains("0 of 1 files"), "{seen:?}");
    assert!(!seen.contains("error["), "{seen:?}");
}

#[test]
fn no_bar_for_quick_work() {
    let Some(seen) = seen("check", "", Duration::ZERO) else { return };
    assert!(!seen.contains("of 1 files") && seen.contains("error["), "{seen:?}");
}

#[test]
fn no_bar_where_nobody_looks() {
    let Some(seen) = seen("check --color never", "2> err.txt", Duration::from_millis(1500)) else {
        return;
    };
    assert!(!seen.contains("of 1 files") && !seen.contains('\u{1b}'), "{seen:?}");
}
