//! Untrusted folders: their contents cannot make `gdscene` run, write, wait or print anything that it should not.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use crate::common::{caches, gdscene, scratch};
use testkit::git::git;

const SCENE: &str = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n";

/// A project with a scene.
fn project(name: &str) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("project.godot"), "config_version=5\n").unwrap();
    fs::write(folder.join("a.tscn"), SCENE).unwrap();
    folder
}

/// Runs `gdscene` in the folder; a run that never ends fails.
fn run_in(folder: &Path, args: &[&str]) -> Output {
    run_with_caches(folder, &caches(), args)
}

fn run_with_caches(folder: &Path, caches: &Path, args: &[&str]) -> Output {
    let output = Command::new("timeout")
        .arg("300")
        .arg(env!("CARGO_BIN_EXE_gdscene"))
        .args(args)
        .env("XDG_CACHE_HOME", caches)
        .current_dir(folder)
        .output()
        .unwrap();
    assert_ne!(output.status.code(), Some(124), "{args:?} does not end");
    output
}

pub(crate) fn text(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    format!("{:?}\n{}{}", output.status.code(), text(&output.stdout), text(&output.stderr))
}

pub(crate) fn mkfifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// The names of the files that programs of the folder have written.
fn traces(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut traces: Vec<String> =
        names.filter_map(|name| Some(name.to_str()?.strip_prefix("RAN_")?.to_owned())).collect();
    traces.sort();
    for trace in &traces {
        fs::remove_file(folder.join(format!("RAN_{trace}"))).unwrap();
    }
    traces
}

/// A repository with a configuration that names a program wherever git runs one.
fn repository(name: &str) -> PathBuf {
    let folder = project(name);
    let mark = |name: &str| format!("touch {}/RAN_{name}", folder.display());
    let sub = folder.join("sub");
    fs::create_dir(&sub).unwrap();
    fs::write(sub.join("s.tscn"), SCENE).unwrap();
    git(&sub, &["init", "-q"]);
    git(&sub, &["add", "."]);
    git(&sub, &["commit", "-qm", "first"]);
    git(&folder, &["init", "-q"]);
    fs::write(folder.join("b.tscn"), SCENE).unwrap();
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-qm", "first"]);
    let script = |path: PathBuf, name: &str| {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{}\ncat\n", mark(name))).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    for hook in ["post-index-change", "reference-transaction", "fsmonitor-watchman", "pre-auto-gc"]
    {
        script(folder.join(".git/hooks").join(hook), hook);
    }
    let included = folder.join(".git/included");
    fs::write(&included, format!("[diff]\nexternal = {}\n", mark("included"))).unwrap();
    let config = format!(
        "[core]\nfsmonitor = \"{}; false\"\npager = {}\nsshCommand = {}\ngitProxy = {}\n\
         alternateRefsCommand = {}\naskPass = {}\neditor = {}\nuntrackedCache = true\n\
         [filter \"x\"]\nclean = \"{}; cat\"\nprocess = \"{}\"\nsmudge = \"{}; cat\"\n\
         [diff \"x\"]\ntextconv = \"{}; cat\"\ncommand = {}\n[credential]\nhelper = \"!{}\"\n\
         [pager]\ndiff = {}\nls-files = {}\n[alias]\nls-files = \"!{}\"\n[include]\npath = {}\n\
         [extensions]\npartialClone = origin\n[remote \"origin\"]\nurl = \"ext::sh -c '{}'\"\n\
         promisor = true\nuploadpack = {}\n[protocol]\nallow = always\n[protocol \"ext\"]\nallow = always\n\
         [submodule]\nrecurse = true\n[diff]\nsubmodule = diff\nignoreSubmodules = none\n[status]\nsubmoduleSummary = true\n",
        mark("fsmonitor"),
        mark("pager"),
        mark("ssh"),
        mark("proxy"),
        mark("alternate"),
        mark("askpass"),
        mark("editor"),
        mark("clean"),
        mark("process"),
        mark("smudge"),
        mark("textconv"),
        mark("driver"),
        mark("credential"),
        mark("pagerdiff"),
        mark("pagerls"),
        mark("alias"),
        included.display(),
        mark("ext"),
        mark("uploadpack"),
    );
    let mut all = fs::read_to_string(folder.join(".git/config")).unwrap();
    all = all.replace("repositoryformatversion = 0", "repositoryformatversion = 1") + &config;
    fs::write(folder.join(".git/config"), all).unwrap();
    let monitor = format!("[core]\nfsmonitor = \"{}; false\"\n", mark("submodule"));
    let sub_config = fs::read_to_string(sub.join(".git/config")).unwrap() + &monitor;
    fs::write(sub.join(".git/config"), sub_config).unwrap();
    fs::write(folder.join(".git/info/attributes"), "*.tscn filter=x diff=x\n").unwrap();
    fs::write(folder.join(".gitattributes"), "*.tscn filter=x diff=x\n").unwrap();
    folder
}

#[test]
fn a_repository_runs_nothing() {
    let folder = repository("hostile_git");
    // A file that was not touched since it was added may still have a different time.
    let touch = || {
        let hour_ago = SystemTime::now() - Duration::from_secs(3600);
        let file = fs::File::options().write(true).open(folder.join("a.tscn")).unwrap();
        file.set_modified(hour_ago).unwrap();
    };
    touch();
    // It fails after that, because a program of the repository is not a server.
    Command::new("git").arg("-C").arg(&folder).args(["diff", "--name-only"]).output().unwrap();
    let ran = traces(&folder);
    assert!(ran.contains(&"fsmonitor".to_owned()), "the repository is harmless: {ran:?}");
    let commands: [&[&str]; 8] = [
        &["check", "."],
        &["check", "a.tscn"],
        &["check", "--profile", "untrusted", "."],
        &["fix", "--dry-run", "."],
        &["stats", "."],
        &["check", "--since", "HEAD", "."],
        &["check", "--since", "HEAD", "--dependents", "."],
        &["format", "--check", "."],
    ];
    for command in commands {
        touch();
        let output = run_in(&folder, command);
        assert_eq!(traces(&folder), [""; 0], "{command:?}: {}", text(&output));
    }
    // An object that is missing is not fetched.
    fs::write(folder.join(".git/refs/heads/gone"), "1".repeat(40)).unwrap();
    let output = run_in(&folder, &["check", "--since", "gone", "."]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert_eq!(traces(&folder), [""; 0]);
    let blob = git(&folder, &["-c", "core.fsmonitor=false", "rev-parse", "HEAD^{tree}"]);
    let (start, end) = blob.trim().split_at(2);
    fs::remove_file(folder.join(".git/objects").join(start).join(end)).unwrap();
    traces(&folder);
    for command in [["check", "--since", "HEAD", "."], ["check", "--since", "HEAD~1", "."]] {
        let output = run_in(&folder, &command);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert_eq!(traces(&folder), [""; 0], "{command:?}");
    }
}

#[test]
fn what_changed_is_told_all_the_same() {
    let folder = repository("hostile_git_since");
    let checked = |folder: &Path| text(&run_in(folder, &["check", "--since", "HEAD", "."]));
    let untouched = checked(&folder);
    assert!(untouched.contains("0 files checked"), "{untouched}");
    fs::write(
        folder.join("b.tscn"),
        format!("{SCENE}\n[node name=\"B\" type=\"Node\" parent=\".\"]\n"),
    )
    .unwrap();
    assert!(checked(&folder).contains("1 file checked"));
    fs::write(folder.join("c.tscn"), SCENE).unwrap();
    assert!(checked(&folder).contains("2 files checked"));
    assert_eq!(traces(&folder), [""; 0]);
    let refused = run_in(&folder, &["check", "--profile", "untrusted", "--since", "HEAD", "."]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused).contains("--since needs git, which gdscene does not run"),
        "{}",
        text(&refused)
    );
}

#[test]
fn the_git_of_a_project_is_not_run() {
    let folder = project("hostile_git_program");
    git(&folder, &["init", "-q"]);
    git(&folder, &["add", "."]);
    let program = folder.join("git");
    fs::write(&program, format!("#!/bin/sh\ntouch {}/RAN_git\n", folder.display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(folder.join("b.gd"), "extends Node\n").unwrap();
    let scene = "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://b.gd\" id=\"1\"]\n\n\
                 [node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"1\")\n";
    fs::write(folder.join("a.tscn"), scene).unwrap();
    let path = std::env::var("PATH").unwrap();
    for first in [".".to_owned(), String::new(), folder.display().to_string()] {
        let output = Command::new(env!("CARGO_BIN_EXE_gdscene"))
            .args(["check", "--all", "."])
            .env("PATH", format!("{first}:{path}"))
            .env("XDG_CACHE_HOME", caches())
            .current_dir(&folder)
            .output()
            .unwrap();
        // The other git was asked.
        assert!(text(&output).contains("is not yet in git"), "{}", text(&output));
        assert_eq!(traces(&folder), [""; 0]);
    }
}

#[test]
fn a_git_file_that_leads_elsewhere() {
    let other = repository("hostile_git_elsewhere");
    let folder = project("hostile_git_file");
    for line in
        [format!("gitdir: {}/.git\n", other.display()), "gitdir: ../nowhere".to_owned(), "x".into()]
    {
        fs::write(folder.join(".git"), line).unwrap();
        for command in [["check", "."], ["stats", "."]] {
            let output = run_in(&folder, &command);
            assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        }
        run_in(&folder, &["check", "--since", "HEAD", "."]);
        assert_eq!((traces(&folder), traces(&other)), (vec![], vec![]));
    }
}

#[test]
fn a_configuration_of_strangers_hides_nothing() {
    let folder = project("hostile_config");
    let deep = format!(
        "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nmetadata/_lint_ignore = [\"SYN017\"]\n\
         metadata/x = {}Object(GDScript,\"script/source\",\"x\"){}\n",
        "[".repeat(600),
        "]".repeat(600)
    );
    let deep = format!("; gdscene: ignore[SYN017]\n{deep}");
    let configs = [
        "ignore = [\"SYN\"]\n",
        "select = [\"STY\"]\n",
        "[severity]\nSYN = \"info\"\n",
        "[per-path-ignores]\n\"**\" = [\"ALL\"]\n",
        "nonsense\n",
    ];
    fs::write(folder.join("a.tscn"), &deep).unwrap();
    for config in configs {
        fs::write(folder.join("gdscene.toml"), config).unwrap();
        let output = run_in(&folder, &["check", "--profile", "untrusted", "."]);
        assert_eq!(output.status.code(), Some(1), "{config}: {}", text(&output));
        assert!(text(&output).contains("error[SYN017"), "{config}: {}", text(&output));
    }
    // The configuration of another user is read, and still cannot hide it; neither can a list of
    // known diagnostics.
    let own = scratch("hostile_config_own").join("own.toml");
    fs::write(&own, "ignore = [\"SYN\", \"STY\"]\n").unwrap();
    let (own, known) = (own.to_str().unwrap(), folder.join("known.json"));
    let known = known.to_str().unwrap();
    run_in(&folder, &["check", "--profile", "untrusted", "--write-baseline", known, "."]);
    let args = ["check", "--profile", "untrusted", "--config", own, "--baseline", known, "."];
    let output = run_in(&folder, &args);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("error[SYN017"), "{}", text(&output));
    assert!(
        text(&output).contains("known.json: this baseline is in a folder of untrusted files"),
        "{}",
        text(&output)
    );
    assert!(!text(&output).contains("[STY"), "{}", text(&output));
}

#[test]
fn nothing_hides_from_the_untrusted_profile() {
    let folder = project("hostile_hidden");
    let bad = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = ExtResource(\"1\")\n";
    for place in [".hidden", "ignored", "left_out", ".git/x"] {
        fs::create_dir_all(folder.join(place)).unwrap();
        fs::write(folder.join(place).join("bad.tscn"), bad).unwrap();
    }
    fs::write(folder.join("ignored/.gdignore"), "").unwrap();
    fs::write(folder.join(".gitignore"), "left_out\n*.gd\n").unwrap();
    assert_eq!(run_in(&folder, &["check", "."]).status.code(), Some(0));
    let output =
        text(&run_in(&folder, &["check", "--profile", "untrusted", "--output", "concise", "."]));
    assert_eq!(output.matches("error[REF001").count(), 4, "{output}");
    // The target of a link is not theirs, and would be shown.
    let secret = scratch("hostile_secret").join("secret");
    fs::write(&secret, "password = hunter2\n").unwrap();
    symlink(&secret, folder.join("linked.tscn")).unwrap();
    symlink(secret.parent().unwrap(), folder.join("linked")).unwrap();
    for path in [".", "linked.tscn"] {
        let output = run_in(&folder, &["check", "--profile", "untrusted", path]);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert!(text(&output).contains("linked.tscn: is a symbolic link"), "{}", text(&output));
        assert!(!text(&output).contains("hunter2"), "{}", text(&output));
    }
}

#[test]
fn links_in_circles() {
    let folder = project("hostile_links");
    for (here, there) in [("a", "b"), ("b", "a")] {
        fs::create_dir_all(folder.join(here)).unwrap();
        for number in 1..=3 {
            symlink(format!("../{there}"), folder.join(here).join(format!("l{number}"))).unwrap();
        }
    }
    symlink("..", folder.join("a/up")).unwrap();
    // And without a circle: more paths than anybody can walk.
    for number in 0..12 {
        let level = folder.join(format!("d{number}"));
        fs::create_dir(&level).unwrap();
        for other in (0..12).filter(|other| *other != number) {
            symlink(format!("../d{other}"), level.join(format!("l{other}"))).unwrap();
        }
    }
    for command in [["check", "a.tscn"], ["deps", "a.tscn"], ["stats", "."], ["check", "."]] {
        let output = run_in(&folder, &command);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        let told = text(&output);
        let counts = ["is a link to a folder that contains it; skipped", "more are skipped"];
        assert!(counts.iter().all(|count| told.contains(count)), "{told}");
    }
}

#[test]
fn what_is_no_file() {
    let folder = project("hostile_pipes");
    for name in ["q.gd", "q.tres", "q.tscn.import", "s.cs"] {
        mkfifo(&folder.join(name));
    }
    symlink("/dev/zero", folder.join("zero.gd")).unwrap();
    let _listener = std::os::unix::net::UnixListener::bind(folder.join("socket.gd")).unwrap();
    fs::create_dir(folder.join(".godot")).unwrap();
    for name in ["uid_cache.bin", "global_script_class_cache.cfg"] {
        mkfifo(&folder.join(".godot").join(name));
    }
    for command in [["check", "a.tscn"], ["deps", "a.tscn"], ["stats", "."]] {
        let output = run_in(&folder, &command);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        for told in ["q.gd: is a pipe", "zero.gd: is a device", "socket.gd: is a socket"] {
            assert!(text(&output).contains(told), "{told}: {}", text(&output));
        }
    }
    let output = run_in(&folder, &["check", "."]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("q.tres: is a pipe, not a file"), "{}", text(&output));
    // An invalid project file does not make a project.
    let inner = folder.join("inner");
    fs::create_dir_all(inner.join("deeper/project.godot")).unwrap();
    mkfifo(&inner.join("project.godot"));
    for place in [&inner, &inner.join("deeper")] {
        fs::write(place.join("b.tscn"), SCENE).unwrap();
        for command in ["check", "format", "fix"] {
            let output = run_in(place, &[command, "b.tscn"]);
            assert_eq!(output.status.code(), Some(0), "{command}: {}", text(&output));
        }
    }
    for (name, target) in [("gdscene.toml", "/dev/zero"), ("gdscene.toml", "q.gd")] {
        symlink(target, folder.join(name)).unwrap();
        let output = run_in(&folder, &["check", "a.tscn"]);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert!(text(&output).contains("gdscene.toml: cannot be read: is a"), "{}", text(&output));
        fs::remove_file(folder.join(name)).unwrap();
    }
}

/// Another process makes pipes of files between the moments when they are found and when they are
/// read.
#[test]
fn files_become_pipes() {
    let folder = project("hostile_becoming_pipes");
    let paths: Vec<PathBuf> =
        (0..40).map(|number| folder.join(format!("s{number}.tscn"))).collect();
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for path in paths.iter().cycle().take_while(|_| !is_done.load(Ordering::Relaxed)) {
                let _ = fs::remove_file(path);
                mkfifo(path);
                let _ = fs::remove_file(path);
                fs::write(path, SCENE).unwrap();
            }
        });
        for _ in 0..60 {
            run_in(&folder, &["check", "."]);
        }
        is_done.store(true, Ordering::Relaxed);
    });
}

/// A named file may be a pipe, as a shell makes one for `<(git show :a.tscn)`.
#[test]
fn named_pipes_are_read() {
    let folder = project("hostile_named_pipes");
    let pipe = folder.join("pipe.tscn");
    mkfifo(&pipe);
    for command in ["check", "parse", "textconv"] {
        std::thread::scope(|scope| {
            scope.spawn(|| fs::write(&pipe, SCENE).unwrap());
            let output = run_in(&folder, &[command, "pipe.tscn"]);
            assert_eq!(output.status.code(), Some(0), "{command}: {}", text(&output));
        });
    }
}

#[test]
fn what_git_ignores_is_no_file() {
    for (name, place) in
        [("root", ".gitignore"), ("below", "sub/.gitignore"), ("git", ".git/info/exclude")]
    {
        let folder = project(&format!("hostile_gitignore_{name}"));
        let place = folder.join(place);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        for kind in ["pipe", "device", "braces"] {
            let _ = fs::remove_file(&place);
            match kind {
                "pipe" => mkfifo(&place),
                "device" => symlink("/dev/zero", &place).unwrap(),
                _ => fs::write(&place, "{".repeat(500_000)).unwrap(),
            }
            let output = run_in(&folder, &["check", "."]);
            // git itself does not follow a link that is called `.gitignore`.
            if kind == "device" && name != "git" {
                assert_eq!(output.status.code(), Some(0), "{name} {kind}: {}", text(&output));
                continue;
            }
            assert_eq!(output.status.code(), Some(2), "{name} {kind}: {}", text(&output));
            assert!(
                text(&output).contains("so nothing in its folder is checked"),
                "{}",
                text(&output)
            );
            // The project is listed all the same, with the parts that checks leave out.
            let output = run_in(&folder, &["check", "a.tscn"]);
            assert_eq!(output.status.code(), Some(0), "{name} {kind}: {}", text(&output));
            assert!(text(&output).contains("is checked; skipped"), "{}", text(&output));
        }
    }
}

#[test]
fn the_cache_is_in_the_users_folder() {
    let (folder, caches) = (project("hostile_cache"), scratch("hostile_cache_user"));
    fs::create_dir(folder.join(".godot")).unwrap();
    let kept = || {
        let all = fs::read_dir(caches.join("gdscene")).into_iter().flatten();
        all.map(|entry| entry.unwrap().path()).collect::<Vec<PathBuf>>()
    };
    run_with_caches(&folder, &caches, &["check", "--profile", "untrusted", "."]);
    assert_eq!(kept().len(), 0, "files from strangers get no cache");
    run_with_caches(&folder, &caches, &["check", "."]);
    assert_eq!(kept().len(), 1);
    assert_eq!(fs::read_dir(folder.join(".godot")).unwrap().count(), 0);
    let names = fs::read_dir(&folder).unwrap().count();
    assert_eq!(names, 3, "git would show what a check leaves in the project");
    let index = kept().remove(0);
    // A link in its place is not followed, neither to read nor to write.
    let victim = caches.join("victim");
    fs::write(&victim, "export SAFE=1\n").unwrap();
    fs::remove_file(&index).unwrap();
    symlink(&victim, &index).unwrap();
    run_with_caches(&folder, &caches, &["check", "."]);
    assert!(!index.is_symlink() && fs::read(&index).unwrap().starts_with(b"gdscene index"));
    assert_eq!(fs::read_to_string(&victim).unwrap(), "export SAFE=1\n");
    // Files of deleted projects are removed after some time; files of others stay.
    let old = SystemTime::now() - Duration::from_secs(100 * 24 * 60 * 60);
    for name in ["0123456789abcdef.bin", "mine.bin"] {
        let file = fs::File::create(index.with_file_name(name)).unwrap();
        file.set_modified(old).unwrap();
    }
    fs::write(folder.join("b.tscn"), SCENE).unwrap();
    run_with_caches(&folder, &caches, &["check", "."]);
    let mut expected = vec![index.clone(), index.with_file_name("mine.bin")];
    let mut found = kept();
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
    // One that cannot be written is done without.
    let file = caches.join("file");
    fs::write(&file, "").unwrap();
    let output = run_with_caches(&folder, &file, &["check", "."]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
}

#[test]
fn fixes_stay_in_the_project() {
    let folder = project("hostile_fix");
    let other = scratch("hostile_fix_other").join("mine.gd");
    let script = "extends Node\nvar a = load(\"res://old/x.gd\")\n";
    fs::write(&other, script).unwrap();
    symlink(&other, folder.join("linked.gd")).unwrap();
    fs::create_dir(folder.join("new")).unwrap();
    fs::write(folder.join("new/x.gd"), "extends Node\n").unwrap();
    let scene = "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://old/x.gd\" id=\"1\"]\n\n\
                 [node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"1\")\n";
    fs::write(folder.join("a.tscn"), scene).unwrap();
    let output = run_in(&folder, &["fix", "--unsafe", "."]);
    assert_eq!(fs::read_to_string(&other).unwrap(), script, "{}", text(&output));
    assert!(
        text(&output).contains("a link leads out of the project's folder"),
        "{}",
        text(&output)
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(!text(&output).contains("nothing left;"), "{}", text(&output));
}

#[test]
fn reports_do_not_follow_links() {
    let folder = project("hostile_reports");
    let other = scratch("hostile_reports_other");
    fs::write(other.join("victim"), "mine").unwrap();
    for name in ["victim", "new"] {
        let link = folder.join("report");
        let _ = fs::remove_file(&link);
        symlink(other.join(name), &link).unwrap();
        for option in ["--output-file", "--write-baseline"] {
            let output = run_in(&folder, &["check", option, "report", "."]);
            assert_eq!(output.status.code(), Some(2), "{}", text(&output));
            assert!(text(&output).contains("is a symbolic link"), "{}", text(&output));
        }
    }
    assert_eq!(fs::read_to_string(other.join("victim")).unwrap(), "mine");
    assert!(!other.join("new").exists());
}

#[test]
fn a_configuration_that_is_somebody_elses_secret() {
    let folder = project("hostile_secret_config");
    let secret = scratch("hostile_secret_config_other").join("secret");
    symlink(&secret, folder.join("gdscene.toml")).unwrap();
    let secrets = [
        "password=hunter2",
        "password = \"hunter2\"",
        "[a]\nx: hunter2",
        "root:hunter2:0",
        "hunter2",
    ];
    for content in secrets {
        fs::write(&secret, content).unwrap();
        let output = run_in(&folder, &["check", "."]);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert!(!text(&output).contains("hunter2"), "{}", text(&output));
    }
}

#[test]
fn orders_to_the_terminal() {
    let folder = project("hostile_names");
    let name = "a\x1b]0;pwned\x07\nb.tscn";
    let bad = "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://\x1b[2Jgone.gd\" id=\"1\"]\n\n\
               [node name=\"A\" type=\"Node\"]\nx = ExtResource(\"\x1b[31m\")\nscript = ExtResource(\"1\")\ny=True\n";
    fs::write(folder.join(name), bad).unwrap();
    fs::write(folder.join("gdscene.toml"), "").unwrap();
    mkfifo(&folder.join("\x1b[2Jq.gd"));
    let commands: [&[&str]; 7] = [
        &["check", "."],
        &["check", "--output", "concise", "."],
        &["deps", name],
        &["stats", "."],
        &["fix", "--dry-run", "."],
        &["format", "."],
        &["check", "\x1b[2Jnowhere"],
    ];
    for command in commands {
        let output = text(&run_in(&folder, command));
        assert!(!output.contains(['\x1b', '\x07']), "{command:?}: {output:?}");
        assert!(output.contains("\\u{1b}"), "{command:?}: {output:?}");
    }
    fs::write(folder.join("gdscene.toml"), "\"\\u001b[2J\" = 1\n").unwrap();
    let output = text(&run_in(&folder, &["check", "."]));
    assert!(output.contains(r"unknown key `\u{1b}[2J`"), "{output:?}");
    fs::remove_file(folder.join("gdscene.toml")).unwrap();
    // A patch keeps its contents, unless it is only for reading.
    let file = folder.join("c.tscn");
    fs::write(&file, bad).unwrap();
    let piped = run_in(&folder, &["fix", "--diff", "c.tscn"]);
    assert!(text(&piped).contains("\x1b[31m"), "{:?}", text(&piped));
    for command in ["fix --diff c.tscn", "deps --graph dot ."] {
        let command = format!("{} {command}", env!("CARGO_BIN_EXE_gdscene"));
        let shown = Command::new("script")
            .args(["-qec", &command, "/dev/null"])
            .current_dir(&folder)
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
        assert!(!shown.contains("\x1b[31m") && !shown.contains("\x1b[2J"), "{shown:?}");
        assert!(shown.contains("\\u{1b}["), "{shown:?}");
    }
}

#[test]
fn hostile_patterns_are_errors_of_the_configuration() {
    let folder = project("hostile_globs");
    for pattern in ["?".repeat(100_000), "{a,b,".repeat(400)] {
        fs::write(folder.join("gdscene.toml"), format!("[per-path-ignores]\n\"{pattern}\" = []\n"))
            .unwrap();
        let output = gdscene(&["check", folder.to_str().unwrap()], b"");
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert!(text(&output).contains("gdscene.toml:2:1: "), "{}", text(&output));
        assert!(output.stderr.len() < 500, "{}", text(&output));
    }
}

#[test]
fn what_a_killed_run_left_is_removed() {
    for command in ["fix", "format"] {
        let folder = project(&format!("hostile_left_{command}"));
        let left = folder.join(".gdscene-0a1b2c3d4e.tmp");
        fs::write(&left, "half a scene").unwrap();
        let file = fs::File::options().write(true).open(&left).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
        drop(file);
        fs::write(folder.join(".tmpABCDEF"), "of somebody else").unwrap();
        run_in(&folder, &["check", "."]);
        assert!(left.exists(), "check writes nothing, and removes nothing");
        run_in(&folder, &[command, "."]);
        assert!(!left.exists() && folder.join(".tmpABCDEF").exists(), "{command}");
    }
}
