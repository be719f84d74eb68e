//! Repositories that tests make.

use std::path::Path;
use std::process::Command;

/// Runs git in a folder, without the settings of the machine. Returns what it prints.
///
/// # Panics
/// When git fails.
#[track_caller]
pub fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", folder.join("none"));
    for date in ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"] {
        command.env(date, "2026-05-01T12:00:00Z");
    }
    command.args(["-c", "user.name=A", "-c", "user.email=a@example.com"]);
    command.args(["-c", "core.autocrlf=false", "-c", "core.fileMode=false"]);
    command.args(["-c", "protocol.file.allow=always"]);
    let output = command.args(arguments).current_dir(folder).output().expect("git can be run");
    assert!(output.status.success(), "git {arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("git prints UTF-8")
}
