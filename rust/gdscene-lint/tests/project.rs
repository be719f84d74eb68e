//! The index of a project: the files it sees, the cache, and changes.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use gdscene_lint::{Config, Observer, Overrides, Scope, Workspace, WorkspaceOptions};
use godot_project::{CachePlace, Project, ProjectError, ResolvedPath, Uid};
use godot_tscn::LocatedDiagnostic;

pub(crate) fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn scene(uid: &str) -> String {
    format!("[gd_scene format=3 uid=\"{uid}\"]\n\n[node name=\"A\" type=\"Node\"]\n")
}

/// A project with one scene, `res://a.tscn`.
fn small() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "project.godot", "config_version=5\n");
    write(folder.path(), "a.tscn", scene("uid://cqq2j4h8p6vy1"));
    folder
}

/// The project in a folder, with the rules that are on by default.
fn open(folder: &Path) -> Workspace {
    Workspace::of_project(Project::open(folder).unwrap(), Arc::<Config>::default())
}

fn paths(project: &Project) -> Vec<&str> {
    project.files().map(|file| project.path(file)).collect()
}

/// Both names count, and nothing is seen behind a link that leads round.
#[cfg(unix)]
#[test]
fn links_are_followed_to_their_end() {
    use std::os::unix::fs::symlink;
    let folder = small();
    let shared = tempfile::tempdir().unwrap();
    write(shared.path(), "lib/b.gd", "extends Node\n");
    symlink(folder.path(), shared.path().join("lib/back")).unwrap();
    symlink(shared.path(), folder.path().join("one")).unwrap();
    symlink(shared.path(), folder.path().join("two")).unwrap();
    symlink("one/lib/b.gd", folder.path().join("c.gd")).unwrap();
    symlink("nowhere", folder.path().join("d.gd")).unwrap();
    let project = Project::open(folder.path()).unwrap();
    let seen = ["a.tscn", "c.gd", "one/lib/b.gd", "project.godot", "two/lib/b.gd"];
    assert_eq!(paths(&project), seen.map(|path| format!("res://{path}")));
    let skipped: Vec<_> = project.skipped().iter().map(|skipped| skipped.path.as_str()).collect();
    assert_eq!(skipped, ["res://one/lib/back", "res://two/lib/back"]);
}

/// Such a file has no path that Godot could open.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf_8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = small();
    let name = std::ffi::OsStr::from_bytes(b"b\xff.gd");
    std::fs::write(folder.path().join(name), "extends Node\n").unwrap();
    let project = Project::open(folder.path()).unwrap();
    assert_eq!(paths(&project), ["res://a.tscn", "res://project.godot"]);
    let [skipped] = project.skipped() else { panic!("{:?}", project.skipped()) };
    assert_eq!(skipped.path, "res://b\u{fffd}.gd");
    assert_eq!(skipped.reason, "its name is not UTF-8, so Godot cannot open it");
}

#[test]
fn sees_what_the_editor_sees() {
    let folder = small();
    write(folder.path(), "sub/b.tscn", scene("uid://b4gkfwf4i3ydl"));
    write(folder.path(), ".hidden/c.tscn", "");
    write(folder.path(), "ignored/.gdignore", "");
    write(folder.path(), "ignored/deeper/d.tscn", "");
    write(folder.path(), "other/project.godot", "");
    write(folder.path(), "other/e.tscn", "");
    let project = Project::open(folder.path().join("sub")).unwrap();
    assert_eq!(paths(&project), ["res://a.tscn", "res://project.godot", "res://sub/b.tscn"]);
    assert_eq!(
        project.resolve("res://a.tscn", "ignored/deeper/d.tscn"),
        ResolvedPath::Unseen("res://ignored/deeper/d.tscn".to_owned())
    );
    let uid = Uid::parse(b"uid://b4gkfwf4i3ydl").unwrap();
    let found = project.files_with_uid(uid);
    assert_eq!(found, [project.file("res://sub/b.tscn").unwrap()]);
    assert_eq!(
        project.resolve("res://a.tscn", "uid://b4gkfwf4i3ydl"),
        ResolvedPath::File(found[0])
    );
}

/// The file that Godot 4.6.3 loads by the uid in each case, after it scanned all files.
#[test]
fn a_shared_uid_leads_to_the_last_file_that_is_scanned() {
    const UID: &str = "uid://b4gkfwf4i3ydl";
    for (names, last) in [
        (vec!["b.tscn", "c.tscn"], "res://c.tscn"),
        (vec!["b.tscn", "b - Copy.tscn"], "res://b.tscn"),
        (vec!["b.tscn", "sub/c.tscn"], "res://b.tscn"),
        (vec!["sub/c.tscn", "asub/d.tscn"], "res://sub/c.tscn"),
        (vec!["c.tscn", "B.tscn"], "res://c.tscn"),
        (vec!["b10.tscn", "b2.tscn"], "res://b10.tscn"),
    ] {
        let folder = small();
        names.iter().for_each(|name| write(folder.path(), name, scene(UID)));
        let project = Project::open(folder.path()).unwrap();
        let found = project.file(last).unwrap();
        assert_eq!(project.resolve("res://a.tscn", UID), ResolvedPath::File(found), "{names:?}");
        let text = format!(
            "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" uid=\"{UID}\" path=\"res://{}\" id=\"1\"]\n",
            names[0]
        );
        let document = godot_tscn::parse(text.as_bytes());
        let context = godot_project::SceneContext::new(&project, "res://new.tscn", &document);
        assert_eq!(context.targets()[0], ResolvedPath::File(found), "{names:?}");
    }
}

#[test]
fn uids_come_from_wherever_godot_keeps_them() {
    let folder = small();
    let write = |name: &str, text: &[u8]| write(folder.path(), name, text);
    write("player.gd", b"extends Node\n");
    write("player.gd.uid", b"uid://bq8ubm3xk6c4u\n");
    write("icon.png", b"");
    write(
        "icon.png.import",
        b"[remap]\n\ntype=\"CompressedTexture2D\"\nuid=\"uid://b8a3m0607cq6k\"\n",
    );
    write("squeezed.res", b"RSCC");
    let uid = Uid::parse(b"uid://b4gkfwf4i3ydl").unwrap();
    let mut cache = 1u32.to_le_bytes().to_vec();
    cache.extend(uid.number().to_le_bytes());
    cache.extend(18u32.to_le_bytes());
    cache.extend(b"res://squeezed.res");
    write(".godot/uid_cache.bin", &cache);
    let project = Project::open(folder.path()).unwrap();
    let uid_of = |path: &str| project.uid(project.file(path).unwrap()).unwrap().to_string();
    assert_eq!(uid_of("res://player.gd"), "uid://bq8ubm3xk6c4u");
    assert_eq!(uid_of("res://icon.png"), "uid://b8a3m0607cq6k");
    assert_eq!(uid_of("res://squeezed.res"), "uid://b4gkfwf4i3ydl");
    assert_eq!(uid_of("res://a.tscn"), "uid://cqq2j4h8p6vy1");
}

#[test]
fn links_in_a_circle_end() {
    let folder = small();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path(), folder.path().join("again")).unwrap();
    let project = Project::open(folder.path()).unwrap();
    assert_eq!(paths(&project), ["res://a.tscn", "res://project.godot"]);
}

#[test]
fn no_project() {
    let folder = tempfile::tempdir().unwrap();
    let error = Project::open(folder.path()).unwrap_err();
    assert!(matches!(error, ProjectError::NotFound(_)));
    assert!(error.to_string().starts_with("no `project.godot` in `"), "{error}");
}

#[test]
fn hostile_files_do_no_harm() {
    let folder = small();
    let write = |name: &str, text: &[u8]| write(folder.path(), name, text);
    write("project.godot", b"[autoload\n=\xff\"*");
    write(".godot/uid_cache.bin", &[0xff; 100]);
    write(".godot/global_script_class_cache.cfg", b"list=Array[Dictionary]([{\"class\": 3}, 7");
    write("a.png.import", &[0x5b; 1000]);
    write(
        "b.scn",
        b"RSRC\0\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
    );
    write("c.gd.uid", b"uid://\xff\xff");
    write("d.tscn", &b"[gd_scene format=3]\n[node name=\"A\" parent=\"../..//\xff\"]\n".repeat(50));
    let report = open(folder.path()).report(Scope::Scenes);
    assert_eq!(report.checked_count, 2);
}

#[test]
fn unsaved_text_counts() {
    let folder = small();
    let mut workspace = open(folder.path());
    let user = b"[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://a.tscn\" id=\"1\"]\n\n\
                 [node name=\"A\" type=\"Node\"]\n\n[node name=\"B\" parent=\".\" instance=ExtResource(\"1\")]\n\n\
                 [node name=\"C\" type=\"Node\" parent=\"B/New\"]\n\n[editable path=\"B\"]\n";
    let codes = |workspace: &Workspace| -> Vec<&str> {
        let found = workspace.diagnostics("res://user.tscn", user);
        found.iter().map(|found| found.code).collect()
    };
    assert_eq!(codes(&workspace), ["TREE001"]);
    let changed =
        scene("uid://cqq2j4h8p6vy1") + "\n[node name=\"New\" type=\"Node\" parent=\".\"]\n";
    let set = |workspace: &mut Workspace, path: &str, text: Option<&str>| {
        let project = workspace.project_mut().unwrap();
        project.set_overlay(path, text.map(str::as_bytes)).unwrap();
    };
    set(&mut workspace, "res://a.tscn", Some(&changed));
    assert_eq!(codes(&workspace), [""; 0]);
    set(&mut workspace, "res://new.tscn", Some(&changed));
    let project = workspace.project().unwrap();
    assert_eq!(paths(project), ["res://a.tscn", "res://new.tscn", "res://project.godot"]);
    assert_eq!(codes(&workspace), [""; 0]);
    set(&mut workspace, "res://new.tscn", None);
    set(&mut workspace, "res://a.tscn", None);
    assert_eq!(paths(workspace.project().unwrap()), ["res://a.tscn", "res://project.godot"]);
    assert_eq!(codes(&workspace), ["TREE001"]);
}

/// A file that did not change on disk is read again once no unsaved text replaces it.
#[test]
fn unsaved_text_leaves_nothing_behind() {
    let folder = small();
    let mut project = Project::open(folder.path()).unwrap();
    let uid =
        |project: &Project| project.uid(project.file("res://a.tscn").unwrap()).unwrap().to_string();
    project.set_overlay("res://a.tscn", Some(scene("uid://b4gkfwf4i3ydl").as_bytes())).unwrap();
    assert_eq!(uid(&project), "uid://b4gkfwf4i3ydl");
    project.set_overlay("res://a.tscn", None).unwrap();
    assert_eq!(uid(&project), "uid://cqq2j4h8p6vy1");
}

/// Sets the time of change far enough back for a cache to trust it.
fn age(path: &Path) {
    let file = fs::File::options().write(true).open(path).unwrap();
    let time = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    file.set_modified(time).unwrap();
}

/// An error and a warning.
const BROKEN: &str = "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://gone.gd\" id=\"1\"]\n\n\
                      [node name=\"A\" type=\"Node\"]\nx = ExtResource(\"2\")\n";

#[test]
fn only_errors_count_in_code_of_others() {
    let folder = small();
    write(
        folder.path(),
        "project.godot",
        "config_version=5\n[application]\nconfig/name=\"Mine, a Demo\"\n",
    );
    for place in ["addons/mine", "addons/gut/sub", "vendor", "."] {
        write(folder.path(), &format!("{place}/broken.tscn"), BROKEN);
    }
    let paths = ["addons/gut/sub", "addons/mine", "vendor"];
    let in_full = |configuration: &str, options: &WorkspaceOptions| {
        write(folder.path(), "gdscene.toml", configuration);
        let mut workspace = Workspace::open(folder.path(), options).unwrap();
        workspace.refresh().unwrap();
        let is_in_full = |place: &&str| {
            let path = format!("res://{place}/broken.tscn");
            let found = workspace.check(&path, BROKEN.as_bytes());
            let codes: Vec<&str> = found.iter().map(|found| found.diagnostic.code).collect();
            assert!(codes.contains(&"REF001"), "{place}: {codes:?}");
            let is_in_full = codes.contains(&"REF007");
            assert_eq!(workspace.third_party_folder(&path).is_none(), is_in_full, "{path}");
            is_in_full
        };
        paths.iter().copied().filter(is_in_full).collect::<Vec<_>>()
    };
    let usual = WorkspaceOptions { cache: CachePlace::None, ..WorkspaceOptions::default() };
    assert_eq!(in_full("", &usual), ["addons/mine", "vendor"]);
    let without_project = WorkspaceOptions { without_project: true, ..usual.clone() };
    assert_eq!(in_full("", &without_project), ["addons/mine", "vendor"]);
    assert_eq!(in_full("third-party = []", &usual), paths);
    let others = "third-party = [\"addons/*\", \"!addons/gut/\", \"vendor/\"]";
    assert_eq!(in_full(others, &usual), ["addons/gut/sub"]);
    let overrides = Overrides { no_third_party: true, ..Overrides::default() };
    assert_eq!(in_full(others, &WorkspaceOptions { overrides, ..usual.clone() }), paths);
    let start = |main_scene: &str| {
        let text = format!("config_version=5\n[application]\nrun/main_scene=\"{main_scene}\"\n");
        write(folder.path(), "project.godot", text);
    };
    start("res://addons/gut/sub/broken.tscn");
    assert_eq!(in_full("", &usual), ["addons/gut/sub", "vendor"]);
    write(folder.path(), "addons/mine/start.tscn", scene("uid://b4gkfwf4i3ydl"));
    start("uid://b4gkfwf4i3ydl");
    assert_eq!(in_full("", &usual), ["addons/mine", "vendor"]);
    // Where files lie says nothing about untrusted ones.
    assert_eq!(in_full("profile = \"untrusted\"", &usual), paths);
}

#[test]
fn a_cache_saves_reading() {
    let folder = small();
    write(folder.path(), "b.tscn", scene("uid://b4gkfwf4i3ydl"));
    age(&folder.path().join("a.tscn"));
    age(&folder.path().join("b.tscn"));
    let caches = tempfile::tempdir().unwrap();
    let place = CachePlace::At(caches.path().join("deep/index.bin"));
    let open = || Project::open_with_cache(folder.path(), &place).unwrap();
    let first = open();
    assert_eq!(first.read_count(), 2);
    let second = open();
    assert_eq!(second.read_count(), 0);
    for file in first.files() {
        assert_eq!(first.facts(file), second.facts(file), "{}", first.path(file));
        assert_eq!(first.uid(file), second.uid(file));
    }

    write(folder.path(), "b.tscn", scene("uid://bq8ubm3xk6c4u"));
    let third = open();
    assert_eq!(third.read_count(), 1);
    let changed = third.uid(third.file("res://b.tscn").unwrap()).unwrap();
    assert_eq!(changed.to_string(), "uid://bq8ubm3xk6c4u");
    // A change within the tick of the clock would not be seen in the times.
    assert_eq!(open().read_count(), 1, "a file that has just changed is read again");

    fs::remove_file(folder.path().join("b.tscn")).unwrap();
    assert_eq!(open().file("res://b.tscn"), None);

    let file = caches.path().join("deep/index.bin");
    let content = fs::read(&file).unwrap();
    for length in (0..content.len()).step_by(7) {
        fs::write(&file, &content[..length]).unwrap();
        assert_eq!(
            open().uid(first.file("res://a.tscn").unwrap()),
            first.uid(first.file("res://a.tscn").unwrap())
        );
    }
}

#[test]
fn refresh_reads_what_has_changed() {
    let folder = small();
    let mut project = Project::open(folder.path()).unwrap();
    project.refresh().unwrap();
    assert_eq!(project.read_count(), 0);
    write(folder.path(), "b.tscn", scene("uid://b4gkfwf4i3ydl"));
    project.refresh().unwrap();
    assert_eq!(project.read_count(), 1);
    assert!(project.file("res://b.tscn").is_some());
}

#[test]
fn checking_can_be_watched_and_stopped() {
    #[derive(Default)]
    struct Watcher {
        is_cancelled: AtomicBool,
        paths: Mutex<Vec<String>>,
        done: AtomicUsize,
    }
    impl Observer for Watcher {
        fn begin(&self, paths: &[&str]) {
            *self.paths.lock().unwrap() = paths.iter().map(ToString::to_string).collect();
        }
        fn done(&self, _: usize, found: std::io::Result<Vec<LocatedDiagnostic>>) {
            assert!(!found.unwrap().is_empty());
            self.done.fetch_add(1, Ordering::Relaxed);
            self.is_cancelled.store(true, Ordering::Relaxed);
        }
        fn is_cancelled(&self) -> bool {
            self.is_cancelled.load(Ordering::Relaxed)
        }
    }
    let folder = small();
    let names: Vec<_> = (0..100).map(|index| format!("b{index:03}.tscn")).collect();
    for name in &names {
        write(folder.path(), name, scene("uid://cqq2j4h8p6vy1"));
    }
    let watcher = Watcher::default();
    open(folder.path()).check_all(Scope::Scenes, &watcher);
    assert_eq!(watcher.paths.into_inner().unwrap().len(), 101);
    let done = watcher.done.into_inner();
    assert!((1..101).contains(&done), "{done}");
}

/// Scenes that contain each other, and long chains, end.
#[test]
fn circles_and_chains() {
    let folder = small();
    let inside = |name: &str, inner: &str| {
        let text = format!(
            "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://{inner}\" id=\"1\"]\n\n\
             [node name=\"Root\" instance=ExtResource(\"1\")]\n\n\
             [node name=\"Child\" parent=\".\" instance=ExtResource(\"1\")]\n\n\
             [node name=\"Deep\" type=\"Node\" parent=\"Child/Child/Child/Nope\"]\n"
        );
        write(folder.path(), name, text);
    };
    inside("x.tscn", "y.tscn");
    inside("y.tscn", "x.tscn");
    inside("self.tscn", "self.tscn");
    for index in 0..300 {
        inside(&format!("chain_{index}.tscn"), &format!("chain_{}.tscn", index + 1));
    }
    let report = open(folder.path()).report(Scope::Scenes);
    assert_eq!(report.checked_count, 304);
    let (_, x) = report.files.iter().find(|(path, _)| path == "res://x.tscn").unwrap();
    assert!(x.iter().any(|found| found.diagnostic.code == "RES008"));
}

/// A scene that inherits itself has its own nodes once, whether its text is the file's or is being edited.
#[test]
fn a_scene_that_inherits_itself_does_not_double_its_nodes() {
    let folder = small();
    let text = "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://own.tscn\" id=\"1\"]\n\n\
                [node name=\"Root\" instance=ExtResource(\"1\")]\n\n[node name=\"X\" type=\"Node\" parent=\".\"]\n";
    write(folder.path(), "own.tscn", text);
    let workspace = open(folder.path());
    for text in [text.to_owned(), format!("{text}\n")] {
        let found = workspace.diagnostics("res://own.tscn", text.as_bytes());
        let codes: Vec<_> = found.iter().map(|found| found.code).collect();
        assert!(codes.contains(&"REF011") && !codes.contains(&"TREE003"), "{codes:?}");
    }
}

/// A name that means another node in a path is a name where nodes are made.
#[test]
fn objects_are_known_by_names_that_no_path_has() {
    let folder = small();
    let workspace = open(folder.path());
    for name in ["a:b", "a/b", "%A", "..", "."] {
        let text = format!(
            "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n\n\
             [node name=\"{name}\" type=\"RemoteTransform2D\" parent=\".\"]\n\
             positoin = Vector2(1, 2)\nremote_path = NodePath(\"../Nope\")\n"
        );
        let found = workspace.diagnostics("res://names.tscn", text.as_bytes());
        let codes: Vec<_> = found.iter().map(|found| found.code).collect();
        assert!(codes.contains(&"TREE015") && codes.contains(&"TREE005"), "{name}: {codes:?}");
    }
}
