use std::fs;

use godot_project::{Project, unused_files};

use crate::{PruneOptions, RefactorError, prune, prune_inside};

const MAIN: &str = "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://main.gd\" id=\"1\"]\n\n\
                    [node name=\"Main\" type=\"Node\"]\nscript = ExtResource(\"1\")\n";

/// A project with these files, and the script `main.gd` on its main scene; `script` goes into
/// `main.gd`.
struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    fn new(script: &str, files: &[(&str, &str)]) -> Self {
        let files_of_all = [
            (
                "project.godot",
                "config_version=5\n\n[application]\n\nrun/main_scene=\"res://main.tscn\"\n",
            ),
            ("main.tscn", MAIN),
        ];
        let own = Self { folder: tempfile::tempdir().unwrap() };
        own.write("main.gd", &format!("extends Node\n{script}"));
        for (path, text) in files_of_all.iter().chain(files) {
            own.write(path, text);
        }
        own
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn project(&self) -> Project {
        Project::open(self.folder.path()).unwrap()
    }

    fn unused(&self) -> Vec<String> {
        let project = self.project();
        let found = unused_files(&project);
        found.unused.iter().map(|row| project.path(row.file)["res://".len()..].to_owned()).collect()
    }

    fn kept(&self) -> Vec<String> {
        let project = self.project();
        let kept = unused_files(&project).kept;
        kept.iter()
            .map(|row| format!("{}: {}", &project.path(row.file)["res://".len()..], row.reason))
            .collect()
    }
}

const SCENE: &str = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n";

#[test]
fn scripts_are_used_by_what_names_them() {
    let files = [
        ("base.gd", "extends Node\n"),
        ("derived.gd", "extends \"base.gd\"\n"),
        ("item.gd", "class_name Item\nextends Resource\n"),
        ("weapon.gd", "class_name Weapon\nextends Item\n"),
        ("old.gd", "class_name Old\nextends OldBase\nvar item: Item\n"),
        ("old_base.gd", "class_name OldBase\nextends Node\n"),
        ("icon.png", ""),
        ("old_icon.png", ""),
    ];
    let script =
        "const Derived = preload(\"derived.gd\")\nvar weapon: Weapon\nvar icon = \"icon.png\"\n";
    let files = Files::new(script, &files);
    assert_eq!(files.unused(), ["old.gd", "old_base.gd", "old_icon.png"]);
    let project = files.project();
    let found = unused_files(&project);
    let named_by: Vec<&str> =
        found.unused[1].named_by.iter().map(|file| project.path(*file)).collect();
    assert_eq!(named_by, ["res://old.gd"]);
}

/// Files that only an unused file names are unused, too.
#[test]
fn unused_files_use_nothing() {
    let files = [
        ("old.gd", "extends Node\nvar a = load(\"res://levels/\" + str(1))\n"),
        ("levels/1.tscn", SCENE),
        (
            "old.tscn",
            "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://part.tscn\" id=\"1\"]\n",
        ),
        ("part.tscn", SCENE),
    ];
    assert_eq!(
        Files::new("", &files).unused(),
        ["levels/1.tscn", "old.gd", "old.tscn", "part.tscn"]
    );
}

#[test]
fn doubts_are_kept_with_the_reason() {
    let scene = "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://part.tscn\" id=\"1\"]\n";
    let files = [
        ("levels/1.tscn", scene),
        ("part.tscn", SCENE),
        ("art/a_1.png", ""),
        ("art/a_1.svg", ""),
        ("effects/boom.tscn", SCENE),
        ("effects/data.json", "{\"scene\": \"bam.tscn\"}"),
        ("other/bam.tscn", SCENE),
        ("addons/a/a.gd", "extends Node\n"),
        ("tool.gd", "extends EditorScript\n"),
        ("run.gd", "extends SceneTree\n"),
        ("painter.gd", "@tool\nextends Node\n"),
        ("my_test.gd", "extends GutTest\n"),
        ("README.md", "![](shot.png)\n"),
        ("shot.png", ""),
        (
            "export_presets.cfg",
            "[preset.0]\n\nname=\"Web\"\nexport_filter=\"scenes\"\nexport_files=PackedStringArray(\"res://demo.tscn\")\ninclude_filter=\"*.svg, data/*\"\n",
        ),
        ("demo.tscn", SCENE),
    ];
    let script = "func a(n):\n\tload(\"res://levels/\" + n)\n\tload(\"res://art/a_%d.png\" % n)\n\
                  \tvar folder = get_script().resource_path.get_base_dir()\n";
    let files = Files::new(script, &files);
    assert_eq!(files.unused(), ["effects/boom.tscn"]);
    assert_eq!(
        files.kept(),
        [
            "addons/a/a.gd: in an addon",
            "art/a_1.png: its path may be built at run time: \"res://art/a_….png\" in res://main.gd:4",
            "art/a_1.svg: the export preset `Web` includes `*.svg`",
            "demo.tscn: selected in the export preset `Web`",
            "levels/1.tscn: its path may be built at run time: \"res://levels/\" in res://main.gd:3",
            "my_test.gd: part of tests, which people or a test runner start directly",
            "other/bam.tscn: its name `bam.tscn` is in res://effects/data.json:1",
            "painter.gd: a tool script, which the editor runs",
            "part.tscn: needed by res://levels/1.tscn, which may be used",
            "run.gd: a main loop, which can be run from the command line",
            "shot.png: its name `shot.png` is in res://README.md:1",
            "tool.gd: an EditorScript, which the editor runs",
        ]
    );
}

#[test]
fn scripts_that_load_from_their_own_folder() {
    let files = [
        (
            "loader/loader.gd",
            "extends Node\nvar here = get_script().resource_path.get_base_dir()\n",
        ),
        ("loader/a.tscn", SCENE),
    ];
    let files = Files::new("const Loader = preload(\"res://loader/loader.gd\")\n", &files);
    assert_eq!(files.unused(), [""; 0]);
    assert_eq!(
        files.kept(),
        ["loader/a.tscn: in a folder that a script lists or loads from: res://loader/loader.gd:2"]
    );
}

/// Everything that imports read and write.
#[test]
fn imported_files() {
    let import = |importer: &str, rest: &str| {
        format!("[remap]\n\nimporter=\"{importer}\"\n\n[deps]\n\n{rest}\n")
    };
    let (scene, texture) = (import("scene", ""), import("texture", ""));
    let table = import("csv_translation", "dest_files=[\"res://texts.de.translation\"]");
    let saved = import("scene", "\"save_to_file/path\": \"res://steel.tres\"");
    let kept = import("keep", "");
    let files = [
        ("tree.glb", "glTF\0\"uri\":\"bark%20dark.png\""),
        ("tree.glb.import", scene.as_str()),
        ("tree_leaf.png", ""),
        ("tree_leaf.png.import", &texture),
        ("bark dark.png", ""),
        ("bark dark.png.import", &texture),
        ("old.gltf", "{\"uri\": \"old.bin\"}"),
        ("old.bin", ""),
        ("ship.obj", "mtllib ship.mtl\n"),
        ("ship.mtl", "map_Kd hull.png\n"),
        ("hull.png", ""),
        ("texts.csv", "keys,de\n"),
        ("texts.csv.import", &table),
        ("words.csv", "a\n"),
        ("words.csv.import", &kept),
        ("robot.glb", "glTF"),
        ("robot.glb.import", &saved),
        ("steel.tres", "[gd_resource type=\"StandardMaterial3D\" format=3]\n"),
        ("gone.png.import", &texture),
        ("away.png.import", &texture),
        (
            "override.cfg",
            "[internationalization]\n\nlocale/translations=PackedStringArray(\"res://texts.de.translation\")\n",
        ),
    ];
    let script = "var a = [preload(\"tree.glb\"), preload(\"ship.obj\"), preload(\"steel.tres\"), load(\"away.png\")]\n";
    let files = Files::new(script, &files);
    assert_eq!(files.unused(), ["gone.png.import", "old.bin", "old.gltf"]);
}

#[test]
fn shaders_and_csharp() {
    let files = [
        ("a.gdshader", "shader_type spatial;\n#include \"parts/noise.gdshaderinc\"\n"),
        ("parts/noise.gdshaderinc", "float noise() { return 1.0; }\n"),
        ("parts/old.gdshaderinc", ""),
        ("Main.cs", "public partial class Main : Node { Helper helper; [Marked] int a; }\n"),
        ("Helper.cs", "public class Helper {}\n"),
        ("MarkedAttribute.cs", "class MarkedAttribute : System.Attribute {}\n"),
        ("Old.cs", "public class Old {}\n"),
        ("Extensions.cs", "static class Extensions { static void A(this Node node) {} }\n"),
    ];
    let files =
        Files::new("const A = preload(\"a.gdshader\")\nconst B = preload(\"Main.cs\")\n", &files);
    assert_eq!(files.unused(), ["Old.cs", "parts/old.gdshaderinc"]);
    assert_eq!(files.kept(), ["Extensions.cs: it has extension methods"]);
}

/// Lists of classes and folders in `project.godot` use nothing.
#[test]
fn settings_that_only_list() {
    let files = [
        (
            "project.godot",
            "config_version=5\n\n_global_script_classes=[{\"class\": \"Old\", \"path\": \"res://old.gd\"}]\n\n[application]\n\nrun/main_scene=\"res://main.tscn\"\nboot_splash/image=\"res://splash.png\"\n\n[file_customization]\n\nfolder_colors={\n\"res://art/\": \"red\"\n}\n",
        ),
        ("old.gd", "class_name Old\nextends Node\n"),
        ("art/a.png", ""),
        ("splash.png", ""),
    ];
    assert_eq!(Files::new("", &files).unused(), ["art/a.png", "old.gd"]);
}

/// Names that are parts of others, or in other folders, are not uses.
#[test]
fn names_are_compared_as_a_whole() {
    let files = [
        ("a/icon.png", ""),
        ("b/icon.png", ""),
        ("on.png", ""),
        ("gd.png", ""),
        ("Enem.gd", "class_name Enem\n"),
    ];
    let script = "var a = \"res://a/icon.png\"\nvar Enemy = \"x/b.icon.png_\" + \"my_gd.png\"\n";
    assert_eq!(Files::new(script, &files).unused(), ["Enem.gd", "b/icon.png", "gd.png", "on.png"]);
}

#[test]
fn what_is_missing_is_said() {
    let scene =
        "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://gone.gd\" id=\"1\"]\n";
    let files = Files::new("const A = preload(\"a.tscn\")\n", &[("a.tscn", scene)]);
    let notes = unused_files(&files.project()).notes;
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].2.contains("(1 in the project)"), "{notes:?}");
}

#[test]
fn plans_of_removals() {
    let files = [
        (
            "old.tscn",
            "[gd_scene format=3]\n\n[ext_resource type=\"Texture2D\" path=\"res://old/old.png\" id=\"1\"]\n",
        ),
        ("old/old.png", "1234"),
        ("old/old.png.import", "[remap]\n\nimporter=\"texture\"\n"),
        ("levels/1.tscn", SCENE),
    ];
    let files = Files::new("var a = \"res://levels/\"\n", &files);
    let plan = |paths: &[&str]| {
        let paths = paths.iter().map(|path| (*path).to_owned()).collect();
        prune(&files.project(), &PruneOptions { paths, kinds: Vec::new() })
    };
    assert_eq!(
        plan(&[]).unwrap().removals,
        ["res://old.tscn", "res://old/old.png", "res://old/old.png.import"]
    );
    let folder = plan(&["res://old"]).unwrap();
    assert_eq!(folder.removals, ["res://old/old.png", "res://old/old.png.import"]);
    assert_eq!(
        folder.doubts[0].what,
        "this file stays, but refers to `res://old/old.png`, which will be removed"
    );
    // A possibly used file is removed only if it is named itself.
    assert_eq!(plan(&["res://levels"]).unwrap().removals, [""; 0]);
    assert_eq!(plan(&["res://levels/1.tscn"]).unwrap().removals, ["res://levels/1.tscn"]);
    let used = plan(&["res://main.gd"]).unwrap_err();
    assert!(
        matches!(&used, RefactorError::Refused(reason) if reason.starts_with("`res://main.gd` is not unused")),
        "{used}"
    );
    assert!(matches!(plan(&["res://none"]).unwrap_err(), RefactorError::NoSuchFile { .. }));
}

#[test]
fn resources_inside_files() {
    let scene = "[gd_scene format=3]\n\n[ext_resource type=\"Texture2D\" path=\"res://a.png\" id=\"1\"]\n\n\
                 [sub_resource type=\"AtlasTexture\" id=\"a\"]\natlas = ExtResource(\"1\")\n\n\
                 [sub_resource type=\"GDScript\" id=\"b\"]\nscript/source = \"extends Node\n\"\n\n\
                 [node name=\"A\" type=\"Node\"]\n";
    let files = Files::new("", &[("a.tscn", scene), ("a.png", "")]);
    let plan = prune_inside(&files.project(), &[]).unwrap();
    let after = "[gd_scene format=3]\n\n[sub_resource type=\"GDScript\" id=\"b\"]\nscript/source = \"extends Node\n\"\n\n\
                 [node name=\"A\" type=\"Node\"]\n";
    assert_eq!(String::from_utf8(plan.files[0].new_text()).unwrap(), after);
    let doubts: Vec<(u32, &str)> =
        plan.doubts.iter().map(|doubt| (doubt.line, doubt.what.as_ref())).collect();
    let why = "nothing refers to it, but its text, a comment, or a cut-off part of the file may be needed";
    assert_eq!(doubts, [(8, why)]);
}

/// A name may be part of thousands of others, and a text may begin thousands of paths.
#[test]
fn hostile_texts() {
    let starts: String = (0..10_000).map(|number| format!("\"res://{number}/%s.tscn\" ")).collect();
    let dots = "a.png ".repeat(20_000);
    let files = Files::new(
        "",
        &[("a.json", &starts), ("b.json", &dots), ("c/a.png", ""), ("d/old.tscn", SCENE)],
    );
    assert_eq!(files.unused(), [""; 0], "of so many starts, any may be meant");
}

/// Among hundreds of files with one name, each that a text may mean is kept, whatever folder is before it.
#[test]
fn one_name_for_many() {
    let paths: Vec<String> = (0..100).map(|number| format!("{number}/a.png")).collect();
    let mut all: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "")).collect();
    let text = "{ \"a\": \"3/a.png\" }\n".repeat(10_000);
    all.push(("a.json", &text));
    assert_eq!(Files::new("", &all).unused(), [""; 0]);
}

/// If a script may build any path, a plan that removes all files reports it.
#[test]
fn limits_of_removals() {
    let files = Files::new("\nvar a = load(\"res://\" + b)\n", &[("old.tscn", SCENE)]);
    let plan = |paths: &[&str]| {
        let paths = paths.iter().map(|path| (*path).to_owned()).collect();
        prune(&files.project(), &PruneOptions { paths, kinds: Vec::new() }).unwrap()
    };
    let all = plan(&[]);
    assert_eq!(all.removals, ["res://old.tscn"]);
    let [place] = all.doubts.as_slice() else { panic!("{:?}", all.doubts) };
    assert_eq!((place.path.as_str(), place.line), ("res://main.gd", 3));
    assert_eq!(plan(&["res://old.tscn"]).doubts, []);
}

/// Where a script adds all but `res://`, names without endings count.
#[test]
fn names_without_endings() {
    let script =
        |first: &str| format!("var a = [\"first\", 'sub/second']\nvar b = \"{first}\" + a[0]\n");
    let files = [("first.tscn", SCENE), ("sub/second.tscn", SCENE), ("third.tscn", SCENE)];
    assert_eq!(Files::new(&script("res://"), &files).unused(), ["third.tscn"]);
    assert_eq!(Files::new(&script("user://"), &files).unused().len(), 3);
    let kept = Files::new(&script("res://"), &files).kept();
    assert_eq!(kept[0], "first.tscn: its name `first` is in res://main.gd:2");
}
