//! Projects in folders: whole files before and after.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use godot_project::{FileMove, Plan, Project};
use tempfile::TempDir;

use super::{move_files, repair_moved};
use crate::RefactorError;

pub(super) struct Game(TempDir);

impl Game {
    pub(super) fn new(files: &[(&str, &str)]) -> Self {
        let game = Self(tempfile::tempdir().unwrap());
        game.write("project.godot", "config_version=5\n");
        for (path, text) in files {
            game.write(path, text);
        }
        game
    }

    pub(super) fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn plan(&self, from: &str, to: &str) -> Plan {
        move_files(&Project::open(self.0.path()).unwrap(), from, to).unwrap()
    }

    fn refusal(&self, from: &str, to: &str) -> String {
        let project = Project::open(self.0.path()).unwrap();
        move_files(&project, from, to).unwrap_err().to_string()
    }

    fn place(&self, path: &str) -> PathBuf {
        self.0.path().join(path.strip_prefix("res://").unwrap())
    }

    /// Carries out a plan.
    pub(super) fn carry_out(&self, plan: &Plan) {
        for file in &plan.files {
            fs::write(self.place(&file.path), file.new_text()).unwrap();
        }
        self.move_only(&plan.moves);
    }

    /// As another program moves files: references stay as they are.
    pub(super) fn move_only(&self, moves: &[FileMove]) {
        for moved in moves {
            let to = self.place(&moved.to);
            assert!(!to.exists(), "{} exists", moved.to);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::rename(self.place(&moved.from), to).unwrap();
        }
    }

    /// The repairs after these moves.
    pub(super) fn repair(&self, moves: &[FileMove]) -> Result<Plan, RefactorError> {
        repair_moved(&Project::open(self.0.path()).unwrap(), moves)
    }

    /// Moves, and gives the doubts.
    fn mv(&self, from: &str, to: &str) -> Vec<String> {
        let plan = self.plan(from, to);
        self.carry_out(&plan);
        doubts(&plan)
    }

    pub(super) fn files(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        read_all(self.0.path(), self.0.path(), &mut files);
        files
    }

    pub(super) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.0.path().join(path)).unwrap()
    }
}

fn read_all(root: &Path, folder: &Path, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_all(root, &path, files);
        } else {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            files.insert(name, String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned());
        }
    }
}

pub(super) fn doubts(plan: &Plan) -> Vec<String> {
    let doubt = |place: &godot_project::Place| {
        format!("{}:{}:{} {}", place.path, place.line, place.column, place.what)
    };
    plan.doubts.iter().map(doubt).collect()
}

/// Moves a file, compares all others, and moves it back.
#[track_caller]
fn check(files: &[(&str, &str)], from: &str, to: &str, expected: &[(&str, &str)]) {
    let game = Game::new(files);
    let before = game.files();
    let plan = game.plan(from, to);
    assert_eq!(doubts(&plan), [""; 0]);
    game.carry_out(&plan);
    for (path, text) in expected {
        assert_eq!(game.text(path), *text, "{path}");
    }
    assert_eq!(game.files().len(), before.len());
    check_repair(files, &plan, &game.files());
    let moved = plan.moves.iter().find(|moved| moved.from == from).unwrap();
    let back = game.mv(&moved.to, &moved.from);
    assert_eq!(back, [""; 0]);
    assert_eq!(game.files(), before);
}

/// Moved first and repaired later, all is as if it had moved with its references.
#[track_caller]
fn check_repair(files: &[(&str, &str)], plan: &Plan, expected: &BTreeMap<String, String>) {
    let game = Game::new(files);
    game.move_only(&plan.moves);
    let goes_along =
        |moved: &&FileMove| [".import", ".uid"].iter().any(|end| moved.from.ends_with(end));
    let moves: Vec<FileMove> =
        plan.moves.iter().filter(|moved| !goes_along(moved)).cloned().collect();
    let repair = game.repair(&moves).unwrap();
    assert_eq!(repair.moves, []);
    game.carry_out(&repair);
    assert_eq!(game.files(), *expected, "repaired after the move");
    assert_eq!(doubts(&repair), [""; 0]);
    assert!(game.repair(&moves).unwrap().is_empty(), "repaired twice");
}

#[test]
fn external_resources() {
    let scene = |path: &str| {
        format!(
            "[gd_scene load_steps=2 format=3]\n\n[ext_resource type=\"Script\" path=\"{path}\" id=\"1\"]\n\n\
             [node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"1\")\n"
        )
    };
    check(
        &[
            ("a.tscn", &scene("res://b.gd")),
            ("b.gd", "extends Node\n"),
            ("b.gd.uid", "uid://cqq2j4h8p6vy1\n"),
        ],
        "res://b.gd",
        "res://scripts/c.gd",
        &[("a.tscn", &scene("res://scripts/c.gd")), ("scripts/c.gd.uid", "uid://cqq2j4h8p6vy1\n")],
    );
    // A relative path in another file, and in the file itself.
    check(
        &[("x/a.tscn", &scene("../b.gd")), ("b.gd", "extends Node\n")],
        "res://b.gd",
        "res://x/b.gd",
        &[("x/a.tscn", &scene("b.gd"))],
    );
    check(
        &[("x/a.tscn", &scene("b.gd")), ("x/b.gd", "extends Node\n")],
        "res://x/a.tscn",
        "res://y/z/a.tscn",
        &[("y/z/a.tscn", &scene("../../x/b.gd"))],
    );
    // Neighbours that move together keep their relative paths.
    check(
        &[("x/a.tscn", &scene("b.gd")), ("x/b.gd", "extends Node\n"), ("x/.gitkeep", "")],
        "res://x",
        "res://y/z",
        &[("y/z/a.tscn", &scene("b.gd")), ("y/z/.gitkeep", "")],
    );
    check(
        &[("x/a.tscn", &scene("res://x/b.gd")), ("x/b.gd", "extends Node\n")],
        "res://x",
        "res://y",
        &[("y/a.tscn", &scene("res://y/b.gd"))],
    );
}

#[test]
fn uids_count_more_than_paths() {
    let scene = |path: &str| {
        format!(
            "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" uid=\"uid://cqq2j4h8p6vy1\" path=\"{path}\" id=\"1\"]\n\n[node name=\"A\" instance=ExtResource(\"1\")]\n"
        )
    };
    let target =
        "[gd_scene format=3 uid=\"uid://cqq2j4h8p6vy1\"]\n\n[node name=\"A\" type=\"Node\"]\n";
    // The path is an old one: Godot loads the moved file.
    let game = Game::new(&[("a.tscn", &scene("res://gone.tscn")), ("b.tscn", target)]);
    assert_eq!(game.mv("res://b.tscn", "res://c.tscn"), [""; 0]);
    assert_eq!(game.text("a.tscn"), scene("res://c.tscn"));
    // The path leads to another file than the one that Godot loads.
    let other = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n";
    let game =
        Game::new(&[("a.tscn", &scene("res://d.tscn")), ("b.tscn", target), ("d.tscn", other)]);
    let found = game.mv("res://d.tscn", "res://e.tscn");
    assert_eq!(
        found,
        ["res://a.tscn:3:66 is the moved path, but the uid next to it leads to another file"]
    );
    assert_eq!(game.text("a.tscn"), scene("res://d.tscn"));
}

#[test]
fn values_in_scenes() {
    let text = |path: &str, folder: &str| {
        format!(
            "[gd_scene format=3]\n\n[sub_resource type=\"GDScript\" id=\"1\"]\nscript/source = \"extends Node\nvar a = preload(\\\"{path}\\\")\n\"\n\n\
             [sub_resource type=\"Resource\" id=\"2\"]\nfiles = PackedStringArray(\"{path}\", \"res://b.png\")\n\n\
             [node name=\"A\" type=\"Node\"]\nmetadata/one = \"{path}\"\nmetadata/inner = \"{path}::1\"\n\
             metadata/both = \"uid://cqq2j4h8p6vy1::::{path}\"\nmetadata/list = [{{\n\"x\": Resource(\"{path}\"),\n&\"{path}\": NodePath(\"a\")\n}}]\n\
             metadata/folder = \"{folder}\"\n\n[node name=\"B\" parent=\".\" instance_placeholder=\"{path}\"]\n"
        )
    };
    check(
        &[("s.tscn", &text("res://x/a.png", "res://y")), ("x/a.png", "")],
        "res://x/a.png",
        "res://z/w.png",
        &[("s.tscn", &text("res://z/w.png", "res://y"))],
    );
    check(
        &[("s.tscn", &text("res://x/a.png", "res://x/")), ("x/a.png", "")],
        "res://x",
        "res://z/x",
        &[("s.tscn", &text("res://z/x/a.png", "res://z/x/"))],
    );
}

#[test]
fn doubts_in_scenes() {
    let text = "[gd_scene format=3]\n\n; res://x/a.png\n[node name=\"A\" type=\"Label\"]\ntext = \"[img]res://x/a.png[/img]\"\n\
                metadata/folder = \"res://x\"\nmetadata/other = \"res://x/a.png.png\"\nmetadata/case = \"res://X/a.png\"\n";
    let game = Game::new(&[("s.tscn", text), ("x/a.png", ""), ("x/b.png", "")]);
    let found = game.mv("res://x/a.png", "res://a.png");
    assert_eq!(game.text("s.tscn"), text);
    assert_eq!(
        found,
        [
            "res://s.tscn:3:3 is a moved path, in a place where Godot does not read paths",
            "res://s.tscn:5:9 contains the path among other text",
            "res://s.tscn:6:20 is a moved folder: the code chooses its files at run time",
            "res://s.tscn:8:18 differs from the path of a moved file only in upper and lower case",
        ]
    );
}

#[test]
fn gdscript() {
    let script = |path: &str, near: &str| {
        format!(
            "extends \"{near}\"\n# {path}\nconst A = preload(\"{path}\")\nconst B := preload('{near}')\nvar list := [\"{path}\", &\"{path}\"]\n\
             func f(): return load(\"{path}\") if ResourceLoader.exists('{path}') else null\n"
        )
    };
    let game = Game::new(&[
        ("s/user.gd", &script("res://s/base.gd", "base.gd")),
        ("s/base.gd", "extends Node\n"),
    ]);
    assert_eq!(game.mv("res://s/base.gd", "res://core/base.gd"), [""; 0]);
    let comment = |text: String| text.replace("# res://core/base.gd", "# res://s/base.gd");
    assert_eq!(game.text("s/user.gd"), comment(script("res://core/base.gd", "../core/base.gd")));
    // The script itself moves: its relative paths stay the same.
    assert_eq!(game.mv("res://s/user.gd", "res://core/"), [""; 0]);
    assert_eq!(game.text("core/user.gd"), comment(script("res://core/base.gd", "base.gd")));
    assert_eq!(game.mv("res://core/user.gd", "res://"), [""; 0]);
    assert_eq!(game.text("user.gd"), comment(script("res://core/base.gd", "core/base.gd")));
    // A way that is longer than it need be stays while it leads there.
    let game = Game::new(&[("a/b.gd", "extends \"../a/c.gd\"\n"), ("a/c.gd", "")]);
    game.mv("res://a/b.gd", "res://x/b.gd");
    assert_eq!(game.text("x/b.gd"), "extends \"../a/c.gd\"\n");
    check(
        &[
            ("a.gd", "@icon(\"i.svg\")\nextends Node\n"),
            ("b.gd", "class_name B, \"i.svg\"\n"),
            ("i.svg", ""),
        ],
        "res://i.svg",
        "res://icons/i.svg",
        &[
            ("a.gd", "@icon(\"icons/i.svg\")\nextends Node\n"),
            ("b.gd", "class_name B, \"icons/i.svg\"\n"),
        ],
    );
    // For the loader, relative paths count from the project's folder.
    check(
        &[("x/a.gd", "var a = load(\"x/b.gd\")\nvar b = preload(\"x/b.gd\")\n"), ("x/b.gd", "")],
        "res://x/b.gd",
        "res://c.gd",
        &[("x/a.gd", "var a = load(\"c.gd\")\nvar b = preload(\"x/b.gd\")\n")],
    );
}

#[test]
fn paths_that_scripts_put_together() {
    let script = "extends Node\nvar a = load(\"res://levels/\" + name)\nvar b = load(\"res://levels/level_%d.tscn\" % 1)\n\
                  var c = DirAccess.open(\"res://levels\")\nvar d = load(folder.path_join(\"level_1.tscn\"))\nvar e = \"res://\" + a\n\
                  var f = load(\"res://levels/%s/x.tscn\" % 1)\nvar g = \"res://levels/other.tscn\"\nvar h = load(\"res://levels/level_\" + str(1) + \".tscn\")\n";
    let scene = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n";
    let files = [("a.gd", script), ("levels/level_1.tscn", scene), ("levels/other.tscn", scene)];
    let game = Game::new(&files);
    let found = game.mv("res://levels/level_1.tscn", "res://old/level_1.tscn");
    assert_eq!(game.text("a.gd"), script);
    assert_eq!(
        found,
        [
            "res://a.gd:2:15 begins like a moved path: the rest is built at run time",
            "res://a.gd:3:15 may be a moved path: a part of it is filled in at run time",
            "res://a.gd:4:25 is a moved folder: the code chooses its files at run time",
            "res://a.gd:5:32 ends like the path of the moved file: the folder before it is built at run time",
            "res://a.gd:9:15 begins like a moved path: the rest is built at run time",
        ]
    );
    // All possible paths are in the folder.
    check(
        &files,
        "res://levels",
        "res://scenes/levels",
        &[("a.gd", &script.replace("res://levels", "res://scenes/levels"))],
    );
    // A neighbour's path begins the same.
    let game =
        Game::new(&[("a.gd", "var a = \"res://x\" + b\n"), ("x/a.gd", ""), ("x_2/a.gd", "")]);
    assert_eq!(game.mv("res://x", "res://y").len(), 1);
    // The end of a path loses its folder.
    let game = Game::new(&[
        ("a.gd", "var a = base + \"/x/a.png\"\nvar b = base + \"/a.png\"\n"),
        ("x/a.png", ""),
    ]);
    let found = game.mv("res://x", "res://y");
    assert_eq!(
        found,
        [
            "res://a.gd:1:17 ends like the path of a moved file: the text before it is built at run time"
        ]
    );
}

#[test]
fn warnings_that_count_elsewhere() {
    let files = [("addons/x/a.gd", "extends Node\n"), ("addons/x/b.gd", "extends Node\n")];
    assert_eq!(Game::new(&files).mv("res://addons/x", "res://addons/y"), [""; 0]);
    assert_eq!(
        Game::new(&files).mv("res://addons/x", "res://y"),
        [
            "res://addons/x/a.gd:1:1 leaves `res://addons` with 1 other scripts; Godot then applies its script warnings to it, and a warning that is set to error stops a script"
        ]
    );
}

#[test]
fn csharp() {
    let script = |path: &str| {
        format!(
            "// \"{path}\"\n[Icon(\"{path}\")]\npublic partial class A : Node {{\n  PackedScene a = GD.Load<PackedScene>(\"{path}\");\n  string b = @\"{path}\";\n}}\n"
        )
    };
    let game =
        Game::new(&[("A.cs", &script("res://x/a.tscn")), ("x/a.tscn", "[gd_scene format=3]\n")]);
    assert_eq!(game.mv("res://x/a.tscn", "res://b.tscn"), [""; 0]);
    assert_eq!(game.text("A.cs"), script("res://b.tscn").replace("// \"res://b", "// \"res://x/a"));
    let relative = |path: &str| {
        format!(
            "partial class A : Node {{\n  void B() {{ GD.Load<PackedScene>(\"{path}\"); ResourceLoader.Exists(\"{path}\"); Exists(\"x/c.tscn\"); }}\n}}\n"
        )
    };
    let game = Game::new(&[("A.cs", &relative("x/a.tscn")), ("x/a.tscn", "[gd_scene format=3]\n")]);
    assert_eq!(game.mv("res://x/a.tscn", "res://b.tscn"), [""; 0]);
    assert_eq!(game.text("A.cs"), relative("b.tscn"));
    let folder = |path: &str| {
        format!(
            "class A {{\n  string a = $\"res://{path}/{{name}}.tscn\", b = \"res://{path}/\" + name;\n}}\n"
        )
    };
    let game = Game::new(&[("A.cs", &folder("x")), ("x/a.tscn", "[gd_scene format=3]\n")]);
    assert_eq!(game.mv("res://x", "res://y"), [""; 0]);
    assert_eq!(game.text("A.cs"), folder("y"));
    let script = "var a = $\"res://x/{name}.tscn\"; var b = \"res://x/\" + name; var c = Path.Join(x, \"a.tscn\");\n";
    let game = Game::new(&[
        ("A.cs", script),
        ("A.csproj", "<Compile Remove=\"x\\a.tscn\" />"),
        ("x/a.tscn", ""),
    ]);
    let found = game.mv("res://x/a.tscn", "res://b.tscn");
    assert_eq!(found.len(), 4, "{found:?}");
    let found = game.mv("res://A.cs", "res://B.cs");
    assert_eq!(
        found,
        [
            "res://A.cs:1:1 gets a new name, but Godot uses the class with the name of the file; rename both with `gdscene rename-class`"
        ]
    );
}

#[test]
fn settings() {
    let text = |path: &str, folder: &str| {
        format!(
            "config_version=5\n\n[application]\n\nrun/main_scene=\"{path}\"\nconfig/icon=\"res://icon.svg\"\n\n[autoload]\n\nA=\"*{path}\"\nB=\"{path}\"\n\n\
             [file_customization]\n\nfolder_colors={{\n\"{folder}\": \"red\"\n}}\n\n[internationalization]\n\nlocale/translation_remaps={{\n\"{path}\": PackedStringArray(\"{path}:de\")\n}}\n"
        )
    };
    let presets = |path: &str, filter: &str| {
        format!(
            "[preset.0]\n\nexport_files=PackedStringArray(\"res://{path}\")\ninclude_filter=\"*.json, {filter}\"\nexclude_filter=\"{path},res://{path}\"\n"
        )
    };
    let scene = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n";
    let files = [
        ("project.godot", text("res://x/a.tscn", "res://x/")),
        ("export_presets.cfg", presets("x/a.tscn", "x/*")),
        ("x/a.tscn", scene.to_owned()),
    ];
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    check(
        &files,
        "res://x",
        "res://y/x",
        &[
            ("project.godot", &text("res://y/x/a.tscn", "res://y/x/")),
            ("export_presets.cfg", &presets("y/x/a.tscn", "y/x/*")),
        ],
    );
    let game = Game::new(&files);
    let found = game.mv("res://x/a.tscn", "res://b.tscn");
    assert_eq!(game.text("project.godot"), text("res://b.tscn", "res://x/"));
    assert_eq!(game.text("export_presets.cfg"), presets("b.tscn", "x/*"));
    assert_eq!(
        found,
        ["res://export_presets.cfg:4:25 is a pattern that matches different files after the move"]
    );
}

#[test]
fn addons() {
    let extension = |folder: &str| {
        format!(
            "[configuration]\n\nentry_symbol=\"e\"\n\n[libraries]\n\nlinux.x86_64=\"{folder}bin/a.so\"\nwindows.x86_64=\"res://addons/x/bin/a.dll\"\n\n[dependencies]\n\nlinux.x86_64={{\n\"{folder}bin/b.so\": \"\"\n}}\n"
        )
    };
    check(
        &[
            (
                "project.godot",
                "config_version=5\n\n[editor_plugins]\n\nenabled=PackedStringArray(\"res://addons/x/plugin.cfg\")\n",
            ),
            ("addons/x/plugin.cfg", "[plugin]\n\nname=\"X\"\nscript=\"plugin.gd\"\n"),
            ("addons/x/plugin.gd", "@tool\nextends EditorPlugin\n"),
        ],
        "res://addons/x/plugin.gd",
        "res://addons/x/code/main.gd",
        &[("addons/x/plugin.cfg", "[plugin]\n\nname=\"X\"\nscript=\"code/main.gd\"\n")],
    );
    let libraries =
        [("addons/x/bin/a.so", ""), ("addons/x/bin/b.so", ""), ("addons/x/bin/a.dll", "")];
    let (before, after) = (extension(""), extension("../addons/x/"));
    let mut files = vec![("addons/x/x.gdextension", &*before)];
    files.extend(libraries);
    check(
        &files,
        "res://addons/x/x.gdextension",
        "res://native/x.gdextension",
        &[("native/x.gdextension", &after)],
    );
}

/// As Godot's editor writes it when it imports the file at its new place.
#[test]
fn imported_files() {
    let import = |path: &str, imported: &str| {
        format!(
            "[remap]\n\nimporter=\"texture\"\ntype=\"CompressedTexture2D\"\nuid=\"uid://cqq2j4h8p6vy1\"\npath=\"res://.godot/imported/{imported}.ctex\"\n\n[deps]\n\nsource_file=\"{path}\"\ndest_files=[\"res://.godot/imported/{imported}.ctex\"]\n\n[params]\n\ncompress/mode=0\n"
        )
    };
    let (old, new) = (
        import("res://icon.svg", "icon.svg-218a8f2b3041327d8a5756f3a245f83b"),
        import("res://art/icon.svg", "icon.svg-a6f7b1cf7b2d3a8c1f7a0d8e5f3f0b4e"),
    );
    let game = Game::new(&[("icon.svg", ""), ("icon.svg.import", &old)]);
    assert_eq!(game.mv("res://icon.svg", "res://art/"), [""; 0]);
    let written = game.text("art/icon.svg.import");
    let hash = written.split("icon.svg-").nth(1).unwrap().split('.').next().unwrap();
    assert_eq!(written, new.replace("a6f7b1cf7b2d3a8c1f7a0d8e5f3f0b4e", hash));
    assert_ne!(hash, "218a8f2b3041327d8a5756f3a245f83b");
    assert_eq!(game.mv("res://art/icon.svg", "res://"), [""; 0]);
    assert_eq!(game.text("icon.svg.import"), old);
}

#[test]
fn translations_go_with_their_table() {
    let import = |path: &str| {
        format!(
            "[remap]\n\nimporter=\"csv_translation\"\ntype=\"Translation\"\n\n[deps]\n\nfiles=[\"res://{path}.de.translation\"]\n\nsource_file=\"res://{path}.csv\"\ndest_files=[\"res://{path}.de.translation\"]\n"
        )
    };
    let settings = |path: &str| {
        format!(
            "config_version=5\n\n[internationalization]\n\nlocale/translations=PackedStringArray(\"res://{path}.de.translation\")\n"
        )
    };
    check(
        &[
            ("project.godot", &settings("text")),
            ("text.csv", "keys,de\n"),
            ("text.csv.import", &import("text")),
            ("text.de.translation", ""),
        ],
        "res://text.csv",
        "res://words/words.csv",
        &[
            ("project.godot", &settings("words/words")),
            ("words/words.csv.import", &import("words/words")),
            ("words/words.de.translation", ""),
        ],
    );
}

#[test]
fn buses_that_no_setting_names() {
    let game = Game::new(&[(
        "default_bus_layout.tres",
        "[gd_resource type=\"AudioBusLayout\" format=3]\n\n[resource]\n",
    )]);
    assert_eq!(game.mv("res://default_bus_layout.tres", "res://audio/buses.tres"), [""; 0]);
    let expected =
        "config_version=5\n\n[audio]\n\nbuses/default_bus_layout=\"res://audio/buses.tres\"\n";
    assert_eq!(game.text("project.godot"), expected);
    game.mv("res://audio/buses.tres", "res://default_bus_layout.tres");
    assert_eq!(
        game.text("project.godot"),
        expected.replace("audio/buses.tres", "default_bus_layout.tres")
    );
}

#[test]
fn shaders_and_data() {
    check(
        &[
            (
                "s/a.gdshader",
                "shader_type spatial;\n#include \"b.gdshaderinc\"\n  #include \"res://s/b.gdshaderinc\"\n",
            ),
            ("s/b.gdshaderinc", ""),
        ],
        "res://s/b.gdshaderinc",
        "res://c.gdshaderinc",
        &[(
            "s/a.gdshader",
            "shader_type spatial;\n#include \"../c.gdshaderinc\"\n  #include \"res://c.gdshaderinc\"\n",
        )],
    );
    let json = |path: &str| {
        format!(
            "{{\"{path}\": [\"{path}\", \"{}\"], \"x\": \"a\\\"b\"}}\n",
            path.replace('/', "\\/")
        )
    };
    let table = |path: &str| format!("id,path\n1,{path}\n2,\"{path}\"\n");
    let toml = |path: &str| {
        format!(
            "third-party = [\"{path}/sub/*\", '!{path}/own']\n\n[per-path-ignores]\n\"{path}/**\" = [\"STY\"]\n\"other/**\" = []\n"
        )
    };
    check(
        &[
            ("a.json", &json("res://x/a.png")),
            ("b.csv", &table("res://x/a.png")),
            ("gdscene.toml", &toml("x")),
            ("x/a.png", ""),
        ],
        "res://x",
        "res://y/z",
        &[
            ("a.json", &json("res://y/z/a.png")),
            ("b.csv", &table("res://y/z/a.png")),
            ("gdscene.toml", &toml("y/z")),
        ],
    );
    let game =
        Game::new(&[("a.md", "![](/x/a.png) `x/a.png` https://b/x/a.png (x)\n"), ("x/a.png", "")]);
    assert_eq!(game.mv("res://x", "res://y").len(), 2);
    let game = Game::new(&[
        ("a.json", "{\"a\": \"see res://a.png\"}"),
        ("b.md", "`res://a.png`, res://a.png.\n"),
        ("a.png", ""),
    ]);
    assert_eq!(game.mv("res://a.png", "res://b.png").len(), 3);
}

#[test]
fn refusals() {
    let game = Game::new(&[
        ("a.tscn", "[gd_scene format=3]\n"),
        ("b.tscn", "[gd_scene format=3]\n"),
        ("x/a.png", ""),
        ("x/a.png.import", ""),
        ("ignored/.gdignore", ""),
        ("ignored/a.png", ""),
        ("inner/project.godot", ""),
        ("inner/a.png", ""),
    ]);
    // Where case counts, it is another folder than `x`.
    let _ = fs::create_dir(game.0.path().join("X"));
    let cases = [
        ("res://a.tscn", "res://b.tscn", "`res://b.tscn` exists"),
        ("res://a.tscn", "res://a.tscn", "`res://a.tscn` is already there"),
        ("res://x", "res://x/y", "`res://x` cannot be moved into itself"),
        ("res://x", "res://x", "`res://x` is already there"),
        ("res://x/a.png", "res://a.tscn/a.png", "`res://a.tscn` is a file, not a folder"),
        (
            "res://x/a.png",
            "res://B.tscn",
            "`res://B.tscn` differs from `res://b.tscn` only in upper and lower case, and some systems treat both as one file",
        ),
        (
            "res://a.tscn",
            "res://X/a.tscn",
            "`res://X` differs from `res://x` only in upper and lower case, and some systems treat both as one file",
        ),
        (
            "res://a.tscn",
            "res://a.tres",
            "Godot chooses a file's format by its extension; renaming `.tscn` to `.tres` does not convert the file",
        ),
        (
            "res://a.tscn",
            "res://a?.tscn",
            "`a?.tscn` is not a valid file name: `?` is not allowed in it",
        ),
        (
            "res://a.tscn",
            "res://.x/a.tscn",
            "`.x` is not a valid file name: Godot's editor does not see names that begin with a dot",
        ),
        ("res://a.tscn", "res://../a.tscn", "`res://../a.tscn` is not in the project's folder"),
        ("res://a.tscn", "user://a.tscn", "`user://a.tscn` is not in the project's folder"),
        (
            "res://a.tscn",
            "res://ignored/",
            "Godot's editor would ignore `res://ignored/a.tscn`: `res://ignored` has a `.gdignore`",
        ),
        (
            "res://a.tscn",
            "res://inner/",
            "Godot's editor would ignore `res://inner/a.tscn`: `res://inner` has a `project.godot`",
        ),
        (
            "res://ignored/a.png",
            "res://a.png",
            "Godot's editor ignores `res://ignored/a.png`: `res://ignored` has a `.gdignore`",
        ),
        ("res://ignored", "res://x/", "`res://ignored` contains no files that Godot's editor sees"),
        (
            "res://project.godot",
            "res://x/",
            "`res://project.godot` cannot be moved, because Godot requires this path",
        ),
        ("res://", "res://x/", "`res://` cannot be moved, because Godot requires this path"),
        (
            "res://x/a.png.import",
            "res://a.png.import",
            "`res://x/a.png.import` moves together with `res://x/a.png`; move that file instead",
        ),
        (
            "res://c.tscn",
            "res://x/",
            "`res://c.tscn` is not in the project; did you mean `res://a.tscn`?",
        ),
    ];
    for (from, to, expected) in cases {
        assert_eq!(game.refusal(from, to), expected, "{from} to {to}");
    }
}

/// A file may change its name by case alone, and `mv`'s rules for folders hold.
#[test]
fn places() {
    let game = Game::new(&[("a.png", ""), ("x/b.png", ""), ("y/c.png", "")]);
    fs::create_dir(game.0.path().join("empty")).unwrap();
    let cases = [
        ("res://a.png", "res://A.png", "res://A.png"),
        ("res://a.png", "res://a.PNG", "res://a.PNG"),
        ("res://a.png", "res://x", "res://x/a.png"),
        ("res://a.png", "res://new/", "res://new/a.png"),
        ("res://a.png", "res://empty", "res://empty/a.png"),
        ("res://x", "res://y", "res://y/x"),
        ("res://x", "res://X", "res://X"),
        ("res://x", "res://new", "res://new"),
        ("res://x/b.png", "res://", "res://b.png"),
    ];
    for (from, to, expected) in cases {
        let plan = game.plan(from, to);
        assert_eq!(
            plan.moves.iter().map(|moved| &*moved.to).collect::<Vec<_>>(),
            [expected],
            "{from} to {to}"
        );
    }
}

/// No text mentions links, and the system does not change them.
#[cfg(unix)]
#[test]
fn links() {
    use std::os::unix::fs::symlink;
    let game = Game::new(&[("a/b/c.gd", "extends Node\n"), ("d/e.gd", "extends Node\n")]);
    let root = game.0.path();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("f.gd"), "extends Node\n").unwrap();
    symlink(outside.path(), root.join("out")).unwrap();
    symlink("../d/e.gd", root.join("a/e.gd")).unwrap();
    symlink("b/c.gd", root.join("a/c.gd")).unwrap();
    symlink("a/b", root.join("b")).unwrap();
    let broken = |from: &str, to: &str| {
        let why = " is a link that leads to a different place after the move; create it again";
        let doubts = doubts(&game.plan(from, to));
        let links = doubts.iter().filter_map(|doubt| doubt.strip_suffix(why));
        links
            .map(|place| place.split(':').take(2).collect::<Vec<_>>().join(":"))
            .collect::<Vec<_>>()
    };
    assert_eq!(broken("res://d", "res://d2"), ["res://a/e.gd"]);
    assert_eq!(broken("res://a", "res://a2"), ["res://b"]);
    assert_eq!(broken("res://a", "res://d/"), ["res://a/e.gd", "res://b"]);
    assert_eq!(broken("res://out", "res://d/"), [""; 0]);
    assert_eq!(broken("res://b", "res://d/"), ["res://b"]);
    assert_eq!(broken("res://b", "res://b2"), [""; 0]);
}
