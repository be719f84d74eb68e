//! Processes that are killed before each step that they take on the disk.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::Duration;

use super::{Content, before_and_after, changes, content, project};
use crate::{Unfinished, carry_out, finish, plan_undo, take_back, undo, unfinished};

const FOLDER: &str = "JOURNAL_TEST_FOLDER";
const WORK: &str = "JOURNAL_TEST_WORK";
const LAST_STEP: &str = "JOURNAL_TEST_STEP";
/// The output of a process that waits to be killed.
const WAITS: &str = "waits to be killed";

/// Called before each step. In the process that will be killed, the step with the number in the environment never ends.
pub(crate) fn step() {
    static LAST: OnceLock<Option<usize>> = OnceLock::new();
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let last = LAST.get_or_init(|| env::var(LAST_STEP).ok()?.parse().ok());
    if last.is_some_and(|last| COUNT.fetch_add(1, Ordering::SeqCst) >= last) {
        // Another thread may have printed it, and the reader may be gone.
        let mut out = std::io::stdout();
        let _ = writeln!(out, "{WAITS}").and_then(|()| out.flush());
        loop {
            sleep(Duration::from_secs(60));
        }
    }
}

/// Not a test by itself: the other tests run it in a separate process, and kill it.
#[test]
fn works() {
    let Some(root) = env::var_os(FOLDER).map(PathBuf::from) else { return };
    match env::var(WORK).unwrap().as_str() {
        "carry out" => drop(carry_out(&root, &changes()).unwrap()),
        "undo" => drop(undo(&root, &plan_undo(&root).unwrap()).unwrap()),
        "finish" => drop(finish(&root).unwrap()),
        _ => drop(take_back(&root).unwrap()),
    }
}

/// Lets a process work, and kills it before its step with this number. Whether it had one.
fn killed(root: &Path, work: &str, step: usize) -> bool {
    let (_, module) = module_path!().split_once("::").unwrap();
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", &format!("{module}::works"), "--nocapture"])
        .envs([(FOLDER, root.as_os_str()), (WORK, work.as_ref())])
        .env(LAST_STEP, step.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let waits = lines.map_while(Result::ok).any(|line| line.contains(WAITS));
    if waits {
        child.kill().unwrap();
    }
    let status = child.wait().unwrap();
    assert!(waits || status.success(), "{work}, step {step}");
    waits
}

/// Each file is there once, at its old or new place, with its old or new content.
fn check_files(content: &Content, about: &str) {
    let files: [([&str; 2], [&str; 2]); 7] = [
        (["a.gd", "a.gd"], ["old a", "new a"]),
        (["b.tscn", "b.tscn"], ["old b", "new b"]),
        (["sub/c.tscn", "sub/c.tscn"], ["old c", "new c"]),
        (["changed_and_moved.gd", "sub/there.gd"], ["old m", "new m"]),
        (["folder/inner/y.tscn", "other/folder2/inner/y.tscn"], ["old y", "new y"]),
        (["folder/x.png", "other/folder2/x.png"], ["x", "x"]),
        (["moved.gd", "made/deep/moved.gd"], ["moved", "moved"]),
    ];
    for (mut places, texts) in files {
        if places[0] == places[1] {
            places[1] = "";
        }
        let found: Vec<&String> = places.iter().filter_map(|place| content.get(*place)).collect();
        let is_whole = |text: &str| texts.iter().any(|whole| text.ends_with(whole));
        assert!(found.len() == 1 && is_whole(found[0]), "{about}: {places:?} {found:?}");
    }
    for (path, text) in [
        ("gone.png", "gone"),
        ("gone_folder/z.png", "z"),
        ("made/deep/d.tres", "new d"),
        ("folder/new.tres", "new in a folder that moves"),
        ("other/folder2/new.tres", "new in a folder that moves"),
    ] {
        assert!(content.get(path).is_none_or(|found| found.ends_with(text)), "{about}: {path}");
    }
}

/// Without text that is being written next to the files, and its folders, which the next run removes.
fn without_leftovers(mut content: Content) -> Content {
    content.retain(|path, _| {
        let is_made = path.starts_with("made/") && path.ends_with('/');
        !is_made && !path.contains(".gdscene-")
    });
    content
}

#[test]
fn a_process_that_is_killed_leaves_files_old_or_new_and_the_next_finishes() {
    let (before, after) = before_and_after();
    let (mut begun, mut step) = (0, 0);
    loop {
        let (folder, changes) = project();
        let root = folder.path();
        let about = format!("step {step}");
        let was_killed = killed(root, "carry out", step);
        check_files(&content(root), &about);
        if unfinished(root).unwrap().is_some() {
            begun += 1;
            let known = unfinished(root).unwrap().unwrap();
            assert_eq!(known, Unfinished { changes: changes.clone(), restored: Vec::new() });
            // Nothing else begins before that.
            carry_out(root, &changes).unwrap_err();
            finish(root).unwrap().unwrap();
            assert_eq!(content(root), after, "{about}");
        } else if content(root) == after {
            assert!(finish(root).unwrap().is_none());
        } else {
            assert_eq!(without_leftovers(content(root)), before, "{about}");
            if step % 2 == 0 {
                assert!(finish(root).unwrap().is_none());
                assert_eq!(content(root), before, "{about}");
            }
            carry_out(root, &changes).unwrap();
            assert_eq!(content(root), after, "{about}");
        }
        undo(root, &plan_undo(root).unwrap()).unwrap();
        assert_eq!(content(root), before, "{about}");
        undo(root, &plan_undo(root).unwrap()).unwrap();
        assert_eq!(content(root), after, "{about}");
        if !was_killed {
            break;
        }
        step += 1;
    }
    assert!(begun > 15 && step > begun + 30, "{begun} of {step} steps");
}

#[test]
fn what_a_killed_process_has_begun_can_be_taken_back() {
    let (before, _) = before_and_after();
    for step in (0..).step_by(3) {
        let (folder, _) = project();
        let root = folder.path();
        let was_killed = killed(root, "carry out", step);
        if unfinished(root).unwrap().is_some() {
            take_back(root).unwrap().unwrap();
            assert_eq!(content(root), before, "step {step}");
        }
        if !was_killed {
            break;
        }
    }
}

#[test]
fn an_undo_that_is_killed_is_finished() {
    let (before, after) = before_and_after();
    for step in (0..).step_by(2) {
        let (folder, changes) = project();
        let root = folder.path();
        carry_out(root, &changes).unwrap();
        let was_killed = killed(root, "undo", step);
        check_files(&content(root), &format!("step {step}"));
        match unfinished(root).unwrap() {
            Some(known) => {
                assert_eq!(known.changes.title, "undo: change everything");
                assert_eq!(known.restored, changes.removals);
                if step % 4 == 0 {
                    finish(root).unwrap().unwrap();
                    assert_eq!(content(root), before, "step {step}");
                    undo(root, &plan_undo(root).unwrap()).unwrap();
                } else {
                    take_back(root).unwrap().unwrap();
                }
                assert_eq!(content(root), after, "step {step}");
            }
            None if content(root) == before => {}
            None => assert_eq!(
                without_leftovers(content(root)),
                without_leftovers(after.clone()),
                "step {step}"
            ),
        }
        if !was_killed {
            break;
        }
    }
}

/// Finishing and taking back are killed, too.
#[test]
fn what_finishes_may_be_killed() {
    let (before, after) = before_and_after();
    let is_begun = |step: &usize| {
        let (folder, _) = project();
        killed(folder.path(), "carry out", *step);
        unfinished(folder.path()).unwrap().is_some()
    };
    let first = (0..100).find(is_begun).unwrap();
    for work in ["finish", "take back"] {
        for begun in [first, first + 5, first + 10] {
            for step in (0..).step_by(3) {
                let (folder, _) = project();
                let root = folder.path();
                killed(root, "carry out", begun);
                let was_killed = killed(root, work, step);
                check_files(&content(root), &format!("{work}, step {begun}, {step}"));
                let is_left = unfinished(root).unwrap().is_some();
                if work == "finish" {
                    assert_eq!(finish(root).unwrap().is_some(), is_left);
                    assert_eq!(content(root), after, "step {begun}, {step}");
                } else {
                    assert_eq!(take_back(root).unwrap().is_some(), is_left);
                    assert_eq!(content(root), before, "step {begun}, {step}");
                }
                if !was_killed {
                    break;
                }
            }
        }
    }
}
