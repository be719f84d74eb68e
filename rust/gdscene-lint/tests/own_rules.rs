//! Rules that a project defines itself: with all that codes work with, errors in them, and configurations that mean harm.

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, fs};

use gdscene_lint::{Config, Overrides, Scope, Workspace, WorkspaceOptions};
use godot_project::{CachePlace, Project, SceneContext};
use serde_json::Value as Json;
use tempfile::TempDir;

const PROJECT: &str =
    "config_version=5\n\n[application]\n\nconfig/features=PackedStringArray(\"4.6\")\n";

/// A rule that demands a tooltip of each button.
const TOOLTIP: &str = "[[rule]]\ncode = \"GAME001\"\nname = \"no-tooltip\"\nmessage = \"`{name}` has no tooltip\"\n\
                       nodes = { class = \"Button\" }\nmust = { properties = { tooltip_text = { set = true } } }\n";

fn project(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("project.godot", PROJECT)].iter().chain(files) {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn open(folder: &Path, overrides: Overrides) -> Workspace {
    let options =
        WorkspaceOptions { cache: CachePlace::None, overrides, ..WorkspaceOptions::default() };
    Workspace::open(folder, &options).unwrap()
}

/// What is found, each as `path code severity message`.
fn found(workspace: &Workspace) -> Vec<String> {
    assert_eq!(workspace.config_error().map(|error| error.to_string()), None);
    let mut lines = Vec::new();
    for (path, all) in workspace.report(Scope::All).files {
        for found in all {
            let found = found.diagnostic;
            let path = path.trim_start_matches("res://");
            lines.push(format!(
                "{path} {} {} {}",
                found.code,
                found.severity.as_str(),
                found.message
            ));
        }
    }
    lines
}

fn button(name: &str, more: &str) -> String {
    format!("[gd_scene format=3]\n\n[node name=\"{name}\" type=\"Button\"]\n{more}")
}

#[track_caller]
fn check(config: &str, files: &[(&str, &str)], overrides: Overrides, expected: &[&str]) {
    let files: Vec<_> = files.iter().copied().chain([("gdscene.toml", config)]).collect();
    let folder = project(&files);
    assert_eq!(found(&open(folder.path(), overrides)), expected, "{config}");
}

#[test]
fn own_codes_are_chosen_like_others() {
    let text = button("A", "");
    let files = [("a.tscn", text.as_str()), ("addons/gut/b.tscn", &text)];
    let finding = "a.tscn GAME001 warning `A` has no tooltip";
    let with = |head: &str| format!("{head}\n{TOOLTIP}");
    let none = Overrides::default;
    check(TOOLTIP, &files, none(), &[finding]);
    check(&with("select = [\"GAME\"]"), &files, none(), &[finding]);
    check(&with("select = [\"no-tooltip\"]"), &files, none(), &[finding]);
    check(&with("select = [\"REF\"]"), &files, none(), &[]);
    check(&with("ignore = [\"GAME001\"]"), &files, none(), &[]);
    check(&with("ignore = [\"game\"]"), &files, none(), &[]);
    let as_error = "a.tscn GAME001 error `A` has no tooltip";
    let in_addon = "addons/gut/b.tscn GAME001 error `A` has no tooltip";
    check(&with("severity = { GAME = \"error\" }"), &files, none(), &[as_error, in_addon]);
    check(&with("[per-path-ignores]\n\"*.tscn\" = [\"GAME\"]"), &files, none(), &[]);
    check(&with("[per-path-ignores]\n\"*.tscn\" = [\"no-tooltip\"]"), &files, none(), &[]);
    let ignored = Overrides { ignore: vec!["GAME001".to_owned()], ..none() };
    check(TOOLTIP, &files, ignored, &[]);
    let others = Overrides { select: vec!["REF".to_owned()], ..none() };
    check(TOOLTIP, &files, others, &[]);
    let all = Overrides { no_third_party: true, ..none() };
    let in_addon = "addons/gut/b.tscn GAME001 warning `A` has no tooltip";
    check(TOOLTIP, &files, all, &[finding, in_addon]);
}

#[test]
fn suppressions_name_own_codes() {
    let of = |text: &str, expected: &[&str]| {
        check(TOOLTIP, &[("a.tscn", text)], Overrides::default(), expected);
    };
    of(&button("A", "metadata/_lint_ignore = [\"GAME001\"]\n"), &[]);
    of(&button("A", "metadata/_lint_ignore = [\"no-tooltip\"]\n"), &[]);
    let unused = "a.tscn STY011 warning `GAME001` does not report anything here to ignore";
    let good = "tooltip_text = \"x\"\n";
    of(&button("A", &format!("{good}metadata/_lint_ignore = [\"GAME001\"]\n")), &[unused]);
    let finding = "a.tscn GAME001 warning `A` has no tooltip";
    let unknown = "a.tscn STY011 warning unknown rule `GAME002`";
    of(&button("A", "metadata/_lint_ignore = [\"GAME002\"]\n"), &[finding, unknown]);
    of(
        "; gdscene: ignore[GAME001] why\n[gd_scene format=3]\n\n[node name=\"A\" type=\"Button\"]\n",
        &[],
    );
    // Settings files and scripts know the codes, too.
    let files = [
        ("a.gd", "# gdscene: ignore[GAME001]\nextends Node\n"),
        ("b.gd", "# gdscene: ignore[GAME002]\nextends Node\n"),
    ];
    check(
        TOOLTIP,
        &files,
        Overrides::default(),
        &[
            "a.gd STY011 warning `GAME001` does not report anything here to ignore",
            "b.gd STY011 warning unknown rule `GAME002`",
        ],
    );
}

#[test]
fn instances_and_what_is_not_known() {
    let rules = "[[rule]]\ncode = \"AA1\"\nmessage = \"{path} ({class})\"\nnodes = { class = \"Hero\" }\n\
                 must = { script = \"hero.gd\", descendant = { name = \"Sword\" } }\n\
                 [[rule]]\ncode = \"AA2\"\nmessage = \"{path}\"\nnodes = { parent = { name = \"Skeleton\" } }\n\
                 must = { class = \"BoneAttachment3D\" }\n\
                 [[rule]]\ncode = \"AA3\"\nmessage = \"{path}\"\nnodes = { unique-name = true }\n\
                 must-not = { depth = { min = 2 } }\n\
                 [[rule]]\ncode = \"AA4\"\nmessage = \"{path}\"\nnodes = { script = true }\n\
                 must = { same-name-as = \"script\" }\n";
    let hero = "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://hero.gd\" id=\"1\"]\n\n\
                [node name=\"Hero\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n\n\
                [node name=\"Hand\" type=\"Node2D\" parent=\".\"]\n";
    let main = "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://hero.tscn\" id=\"1\"]\n\
                [ext_resource type=\"PackedScene\" path=\"res://model.glb\" id=\"2\"]\n\
                [ext_resource type=\"Script\" path=\"res://gone.gd\" id=\"3\"]\n\n\
                [sub_resource type=\"GDScript\" id=\"S\"]\nscript/source = \"extends Node\n\"\n\n\
                [node name=\"Main\" type=\"Node\"]\n\n\
                [node name=\"Hero\" parent=\".\" instance=ExtResource(\"1\")]\n\n\
                [node name=\"Sword\" type=\"Node2D\" parent=\"Hero/Hand\"]\nunique_name_in_owner = true\n\n\
                [node name=\"Unarmed\" parent=\".\" instance=ExtResource(\"1\")]\n\n\
                [node name=\"Model\" parent=\".\" instance=ExtResource(\"2\")]\n\n\
                [node name=\"Hat\" type=\"Node3D\" parent=\"Model/Skeleton\" index=\"0\"]\n\n\
                [node name=\"Skeleton\" type=\"Node3D\" parent=\"Model/Skeleton/Hat\"]\n\n\
                [node name=\"Helmet\" type=\"Node3D\" parent=\"Model/Skeleton/Hat/Skeleton\"]\n\n\
                [node name=\"Lost\" type=\"Node2D\" parent=\".\"]\nscript = ExtResource(\"3\")\n\n\
                [node name=\"BuiltIn\" type=\"Node\" parent=\".\"]\nscript = SubResource(\"S\")\n\n\
                [editable path=\"Hero\"]\n[editable path=\"Model\"]\n";
    let files = [
        ("gdscene.toml", rules),
        ("hero.gd", "class_name Hero\nextends Node2D\n"),
        ("hero.tscn", hero),
        ("main.tscn", main),
        ("model.glb", "glTF"),
        ("model.glb.import", "[remap]\n\nimporter=\"scene\"\ntype=\"PackedScene\"\n"),
    ];
    let folder = project(&files);
    let mut found = found(&open(folder.path(), Overrides::default()));
    found.retain(|line| line.contains(" AA"));
    assert_eq!(
        found,
        [
            "hero.tscn AA1 warning . (Hero)",
            "main.tscn AA3 warning Hero/Hand/Sword",
            "main.tscn AA1 warning Unarmed (Hero)",
            "main.tscn AA4 warning Unarmed",
            // Above it is an imported scene, but its parent is known.
            "main.tscn AA2 warning Helmet",
        ]
        .map(String::from)
    );
}

#[test]
fn changed_texts_of_instances_count() {
    let files = [
        ("gdscene.toml", TOOLTIP),
        ("button.tscn", &*button("Inner", "tooltip_text = \"x\"\n")),
        (
            "main.tscn",
            "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://button.tscn\" id=\"1\"]\n\n\
                       [node name=\"Main\" instance=ExtResource(\"1\")]\n",
        ),
    ];
    let folder = project(&files);
    let mut workspace = open(folder.path(), Overrides::default());
    let expected = [
        "button.tscn GAME001 warning `Inner` has no tooltip",
        "main.tscn GAME001 warning `Main` has no tooltip",
    ];
    for _ in 0..2 {
        assert_eq!(found(&workspace), [""; 0]);
        let changed = button("Inner", "");
        let overlay = [("res://button.tscn", Some(changed.as_bytes()))];
        workspace.project_mut().unwrap().set_overlays(overlay).unwrap();
        assert_eq!(found(&workspace), expected);
        workspace.project_mut().unwrap().set_overlays([("res://button.tscn", None)]).unwrap();
    }
}

#[test]
fn errors_in_rules_have_a_place() {
    let rule = |more: &str| format!("[[rule]]\ncode = \"GAME001\"\nmessage = \"x\"\n{more}\n");
    let must = "must = { root = true }";
    let nodes = |more: &str| rule(&format!("nodes = {{}}\n{more}"));
    for (config, expected) in [
        (rule(""), "2:8: a rule needs `must` or `must-not`, with what it demands or forbids"),
        ("[[rule]]\nmessage = \"x\"\n".to_owned(), "1:1: missing field `code`"),
        (rule("mus = {}"), "4:1: unknown key `mus`; did you mean `must`?"),
        (nodes("must = { clas = \"A\" }"), "5:10: unknown key `clas`; did you mean `class`?"),
        (
            nodes("must = { child = { clas = \"A\" } }"),
            "5:20: unknown key `clas`; did you mean `class`?",
        ),
        (
            nodes("must = { properties = { a = { sett = true } } }"),
            "5:31: unknown key `sett`; did you mean `set`?",
        ),
        (
            nodes("must = { properties = { a = {} } }"),
            "5:25: the property has no test; use a value, or `{ set = true }`",
        ),
        (
            nodes("must = { properties = { a = [] } }"),
            "5:25: the list has no values; name at least one",
        ),
        (
            nodes("must = { properties = { a = { min = 2, max = 1 } } }"),
            "5:46: no number is from 2 to 1; exchange `min` and `max`",
        ),
        (
            nodes("must = { properties = { a = { min = nan } } }"),
            "5:37: no number is from NaN to inf; exchange `min` and `max`",
        ),
        (
            nodes("must = { child = { min = 3, max = 2 } }"),
            "5:35: no number is at least 3 and at most 2; exchange `min` and `max`",
        ),
        (
            nodes("must = { child = { min = 0 } }"),
            "5:26: every number is at least 0; use a larger `min`, or `max`",
        ),
        (
            nodes("must = { parent = { max = 1 } }"),
            "5:27: `max` has no meaning here; only things that can be counted have it",
        ),
        (
            nodes("must = { depth = { min = 3, max = 2 } }"),
            "5:18: no number is at least 3 and at most 2; exchange `min` and `max`",
        ),
        (nodes("must = { depth = -1 }"), "5:18: `-1` is not a valid depth; expected 0 or more"),
        (
            nodes("must = {}"),
            "5:8: `must` has no condition; the conditions of nodes are `class`, `script`, ",
        ),
        (
            nodes("must = { path = \"a\" }"),
            "5:17: `path` does not fit here; the conditions of nodes are ",
        ),
        (
            rule("must = { class = \"A\" }"),
            "4:18: `class` does not fit here; the conditions of files are `name`, `path`, `node`, `resource`",
        ),
        (rule("must = { name = \"(\" }"), "4:17: not a style ("),
        (rule("must = { path = \"a[\" }"), "4:17: "),
        (
            rule("paths = []\nmust = { path = \"a\" }"),
            "4:9: the list is empty; add an entry or remove the key",
        ),
        (rule("paths = [\"\"]\nmust = { path = \"a\" }"), "4:10: the text is empty"),
        (
            rule("paths = 1\nmust = { path = \"a\" }"),
            "4:9: `paths` must be a string in quotes, or a list of them, not integer `1`",
        ),
        (
            rule("severity = \"bad\"\nmust = { path = \"a\" }"),
            "4:12: `bad` is not a valid severity; expected `error`, `warning` or `info`",
        ),
        (
            nodes("resources = {}\nmust = { class = \"Node\" }"),
            "5:13: a rule looks at `nodes` or at `resources`; use two rules",
        ),
        (
            rule("resources = { kind = \"extern\" }\nmust = { path = \"a\" }"),
            "4:22: `extern` is not a valid `kind`; did you mean `external`?",
        ),
        (
            nodes("must = { same-name-as = \"me\" }"),
            "5:25: `me` is not a valid `same-name-as`; expected `class`, `file`, ",
        ),
        (
            nodes("must = { root = true }").replace("GAME001", "REF001"),
            "2:8: `REF001` is gdscene's own rule `undefined-ext-id`; use another code, such as `GAME001`",
        ),
        (
            nodes("must = { root = true }").replace("GAME001", "REF999"),
            "2:8: codes with the letters `REF` belong to gdscene; use other letters, such as `GAME001`",
        ),
        (
            nodes("must = { root = true }").replace("GAME001", "game1"),
            "2:8: `game1` is not a valid code; expected 2 to 8 capital letters and then 1 to 4 digits, such as `GAME001`",
        ),
        (
            format!("{}{}", nodes(must), nodes(must)),
            "7:8: `GAME001` is already the rule `GAME001`; use another code or name",
        ),
        (
            rule(&format!("name = \"unknown-class\"\nnodes = {{}}\n{must}")),
            "4:8: `unknown-class` is gdscene's own rule `TREE013`; use another name",
        ),
        (
            rule(&format!("name = \"No Name\"\nnodes = {{}}\n{must}")),
            "4:8: `No Name` is not a valid name; expected small letters, digits and `-`, such as `area-without-shape`",
        ),
        (
            rule(&format!("name = \"game\"\nnodes = {{}}\n{must}")),
            "4:8: the name `game` stands for a group of rules; use another name",
        ),
        (
            nodes(must).replace("\"x\"", "\"{nam}\""),
            "3:11: unknown placeholder `{nam}`; did you mean `{name}`?",
        ),
        (
            nodes(must).replace("\"x\"", "\"{name\""),
            "3:11: a `{` without `}`; write `{{` for a brace",
        ),
        (
            rule("must = { path = \"a\" }").replace("\"x\"", "\"{class}\""),
            "3:11: unknown placeholder `{class}`; valid placeholders here are `{name}`, `{path}`, `{file}`",
        ),
        (nodes(must).replace("\"x\"", "\" \""), "3:11: the text is empty"),
        (
            nodes(must).replace("\"x\"", "\"a\\nb\""),
            "3:11: the text has a line break or another control character; use one line",
        ),
        (
            format!("ignore = [\"GAME002\"]\n{}", nodes(must)),
            "1:11: unknown rule `GAME002`; did you mean `GAME001`?",
        ),
        // What the project lacks.
        (nodes("must = { class = \"Labl\" }"), "5:18: unknown class `Labl`; did you mean `Label`?"),
        (
            nodes("must = { class = \"Qwertz\" }"),
            "5:18: unknown class `Qwertz`; use a class of Godot, or the `class_name` of a script",
        ),
        (
            rule("nodes = { class = \"Button\" }\nmust = { properties = { tooltip = true } }"),
            "5:25: `Button` has no property `tooltip`; did you mean `tooltip_text`?",
        ),
    ] {
        let folder = project(&[("gdscene.toml", &config), ("a.tscn", &button("A", ""))]);
        let workspace = open(folder.path(), Overrides::default());
        let error = workspace.config_error().map(|error| error.to_string()).unwrap_or_default();
        let place = format!("{}:", folder.path().join("gdscene.toml").display());
        let error = error.strip_prefix(&place).unwrap_or(&error);
        assert!(error.starts_with(expected), "{config}\n{error}\n{expected}");
        // The same is said of a text that is not saved.
        let unsaved = workspace.error_in_config(&config).unwrap().to_string();
        assert!(unsaved.ends_with(error), "{unsaved}");
        // Until it is mended, the usual rules run.
        assert_eq!(workspace.config().own_rules().count(), 0);
    }
}

#[test]
fn a_class_that_is_added_mends_the_configuration() {
    let config = TOOLTIP.replace("Button", "MyButton");
    let folder = project(&[("gdscene.toml", &config), ("a.tscn", &button("A", ""))]);
    let mut workspace = open(folder.path(), Overrides::default());
    assert!(workspace.config_error().is_some());
    fs::write(folder.path().join("my_button.gd"), "class_name MyButton\nextends Button\n").unwrap();
    workspace.refresh().unwrap();
    assert_eq!(workspace.config_error(), None);
    assert_eq!(workspace.config().own_rules().count(), 1);
    workspace.set_unsaved_config(Some(TOOLTIP.to_owned()));
    assert_eq!(found(&workspace), ["a.tscn GAME001 warning `A` has no tooltip"]);
    workspace.set_unsaved_config(None);
    assert_eq!(found(&workspace), [""; 0]);
    fs::remove_file(folder.path().join("my_button.gd")).unwrap();
    workspace.refresh().unwrap();
    assert!(workspace.config_error().is_some());
}

#[test]
fn classes_of_extensions_may_be_anything() {
    let config = TOOLTIP.replace("Button", "Voxel");
    let extension = "[configuration]\n\nentry_symbol=\"a\"\n";
    let folder = project(&[("gdscene.toml", &config), ("voxel.gdextension", extension)]);
    assert_eq!(open(folder.path(), Overrides::default()).config_error(), None);
}

#[test]
fn untrusted_files_choose_no_rules() {
    let folder = project(&[("gdscene.toml", TOOLTIP), ("a.tscn", &button("A", ""))]);
    let profile = Some(godot_tscn::Profile::Untrusted);
    let workspace = open(folder.path(), Overrides { profile, ..Overrides::default() });
    assert_eq!(workspace.config().own_rules().count(), 0);
}

fn parse(text: &str) -> Result<Config, String> {
    let parsed = Config::parse(text, Path::new("gdscene.toml"), &Overrides::default());
    parsed.map_err(|error| error.to_string())
}

fn many(count: usize, rule: impl Fn(usize) -> String) -> String {
    let rules = (0..count).map(|number| {
        format!("[[rule]]\ncode = \"GAME{number}\"\nmessage = \"x\"\n{}\n", rule(number))
    });
    rules.collect()
}

#[test]
fn hostile_configurations() {
    let start = Instant::now();
    // As many rules as are allowed, and one more.
    let rule = |_| "nodes={class=\"Node\"}\nmust={root=true}".to_owned();
    assert_eq!(parse(&many(1000, rule)).unwrap().own_rules().count(), 1000);
    let error = parse(&many(1001, rule)).unwrap_err();
    assert!(error.ends_with(": more than 1000 rules; use fewer rules"), "{error}");
    // Many patterns, equal ones count once.
    let pattern = |number: usize| format!("must={{name='\\w{{2,{}}}a{number}'}}", 2 + number % 7);
    parse(&many(100, pattern)).unwrap();
    let error = parse(&many(101, pattern)).unwrap_err();
    assert!(error.ends_with(": more than 100 different name patterns; use fewer"), "{error}");
    parse(&many(1000, |_| "must={name='[a-z]+'}".to_owned())).unwrap();
    let globs =
        |number: usize| format!("paths=[\"{number}/a\", \"{number}/b\"]\nmust={{path=\"**\"}}");
    let error = parse(&many(400, globs)).unwrap_err();
    assert!(error.ends_with(": more than 1000 path patterns; use fewer patterns"), "{error}");
    // Programs that grow.
    for pattern in ["(a{1000}){1000}", "\\p{L}{1000}", "((((a{9}){9}){9}){9}){9}"] {
        let error = parse(&many(1, |_| format!("must={{name='{pattern}'}}"))).unwrap_err();
        assert!(error.contains("not a valid regular expression"), "{error}");
    }
    // Tables in tables.
    let deep =
        format!("nodes={}{}\nmust={{root=true}}", "{child=".repeat(20_000), "}".repeat(20_000));
    assert!(parse(&many(1, |_| deep.clone())).is_err());
    let headers: String =
        (1..60).map(|depth| format!("[rule.nodes{}]\n", ".child".repeat(depth))).collect();
    parse(&many(1, |_| format!("must.root = true\n{headers}"))).unwrap();
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

/// Patterns that take others an exponential time, names of any length, nodes in each other, and scenes that contain each other.
#[test]
fn hostile_files() {
    let mut config = many(4, |number| {
        match number {
        0 => "nodes={}\nmust={name='(x+x+)+y|(a|a)*b|(a|b|ab)*c'}".to_owned(),
        1 => "nodes={}\nmust-not={descendant={descendant={descendant={name='y', min=2}, min=2}, min=2}}".to_owned(),
        2 => "nodes={}\nmust-not={ancestor={sibling={child={ancestor={group='q'}}}}}".to_owned(),
        _ => "must={node={max=5}}".to_owned(),
    }
    });
    config.insert_str(0, "select = [\"GAME\"]\n");
    let mut long = "[gd_scene format=3]\n".to_owned();
    let name = "xa".repeat(50_000);
    for number in 0..200 {
        let parent = if number == 0 { "" } else { " parent=\".\"" };
        write!(long, "\n[node name=\"{name}{number}\" type=\"Node\"{parent}]\n").unwrap();
    }
    let mut deep = "[gd_scene format=3]\n\n[node name=\"R\" type=\"Node\"]\n".to_owned();
    let mut parent = ".".to_owned();
    for _ in 0..600 {
        write!(deep, "\n[node name=\"x\" type=\"Node\" parent=\"{parent}\"]\n").unwrap();
        parent = if parent == "." { "x".to_owned() } else { format!("{parent}/x") };
    }
    let two_of = |inner: &str| {
        format!(
            "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://{inner}.tscn\" id=\"1\"]\n\n\
                 [node name=\"R\" type=\"Node\"]\n\n[node name=\"A\" parent=\".\" instance=ExtResource(\"1\")]\n\n\
                 [node name=\"B\" parent=\".\" instance=ExtResource(\"1\")]\n"
        )
    };
    let mut files = vec![
        ("gdscene.toml".to_owned(), config),
        ("long.tscn".to_owned(), long),
        ("deep.tscn".to_owned(), deep),
        ("ring.tscn".to_owned(), two_of("ring2")),
        ("ring2.tscn".to_owned(), two_of("ring")),
        (
            "d0.tscn".to_owned(),
            "[gd_scene format=3]\n\n[node name=\"R\" type=\"Node\"]\n".to_owned(),
        ),
    ];
    // 2^40 nodes.
    files.extend(
        (1..40).map(|number| (format!("d{number}.tscn"), two_of(&format!("d{}", number - 1)))),
    );
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let folder = project(&files);
    let start = Instant::now();
    let found = found(&open(folder.path(), Overrides::default()));
    assert!(start.elapsed() < Duration::from_secs(120), "{:?}", start.elapsed());
    for file in ["d39", "deep", "long"] {
        assert!(
            found.iter().any(|line| line.starts_with(&format!("{file}.tscn GAME3 "))),
            "{file}"
        );
    }
}

/// Configurations that are read again and again.
#[test]
fn reading_again_adds_no_code() {
    let codes = |config: &Config| config.own_rules().map(|rule| rule.code).collect::<Vec<_>>();
    let first = parse(TOOLTIP).unwrap();
    for number in 0..1000 {
        let text = TOOLTIP.replace("has no tooltip", &format!("message {number}"));
        let again = parse(&text).unwrap();
        assert!(
            codes(&first)
                .iter()
                .zip(codes(&again))
                .all(|(first, again)| std::ptr::eq(*first, again))
        );
    }
}

#[test]
fn rules_explain_themselves() {
    let text = format!(
        "target = \"4.6\"\n\n{TOOLTIP}help = \"write one\"\n\n[rule.except]\nname = \"Ok\"\n\n[naming]\nnodes = \"PascalCase\"\n"
    );
    let config = parse(&text).unwrap();
    let rule = config.own_rules().next().unwrap();
    let expected = format!(
        "## What it does\nA rule of this project. It reports: `{{name}}` has no tooltip\n\n\
         ## Help\nwrite one\n\n## Definition in gdscene.toml\n```toml\n\
         {TOOLTIP}help = \"write one\"\n\n[rule.except]\nname = \"Ok\"\n```\n"
    );
    assert_eq!(rule.markdown(), expected);
    let inline =
        parse("rule = [{code = \"GAME001\", message = \"x\", must = {path = \"a\"}}]\n").unwrap();
    assert!(!inline.own_rules().next().unwrap().markdown().contains("Definition"));
    let known: Vec<&str> = config.known_rules().map(|rule| rule.code).collect();
    assert_eq!(known.len(), gdscene_lint::all_rules().count() + 1);
    assert_eq!(known.last(), Some(&"GAME001"));
}

fn page() -> String {
    fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/own-rules.md")).unwrap()
}

/// The rules on the page, each the whole text of a block.
fn examples(page: &str) -> Vec<&str> {
    let blocks = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks.filter(|block| block.starts_with("[[rule]]")).collect()
}

/// Each example on the page is the configuration of a fixture, whose findings are compared with what is expected.
#[test]
fn the_page_has_the_rules_of_the_fixtures() {
    let text = page();
    let examples = examples(&text);
    assert!(examples.len() >= 10);
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    for example in examples {
        let config = parse(example).unwrap();
        let rule = config.own_rules().next().unwrap();
        let folder = fixtures.join(format!("{}-{}", rule.code, rule.name));
        let of_fixture = fs::read_to_string(folder.join("gdscene.toml")).unwrap();
        assert_eq!(example, of_fixture, "{}", folder.display());
        let findings = fs::read_to_string(folder.with_extension("snap")).unwrap();
        assert!(!findings.is_empty(), "{} finds nothing", rule.code);
    }
}

/// Each key that the page's tables name is one that the schema has, and the other way round.
#[test]
fn the_schema_takes_the_examples_and_knows_no_other_keys() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/gdscene.schema.json");
    let schema: Json = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let text = page();
    for example in examples(&text) {
        let value: Json = toml::from_str(example).unwrap();
        let mut wrong = Vec::new();
        validate(&schema, &schema, &value, "", &mut wrong);
        assert_eq!(wrong, [""; 0], "{example}");
    }
    for wrong in [
        "[[rule]]\nmessage = \"x\"\n",
        "[[rule]]\ncode = \"GAME001\"\nmessage = \"x\"\nnodes = { clas = \"A\" }\nmust = { root = true }\n",
        "[[rule]]\ncode = \"game\"\nmessage = \"x\"\nnodes = {}\nmust = { root = true }\n",
        "[[rule]]\ncode = \"GAME001\"\nmessage = \"x\"\nnodes = {}\nmust = { properties = { a = { mn = 1 } } }\n",
    ] {
        let value: Json = toml::from_str(wrong).unwrap();
        let mut found = Vec::new();
        validate(&schema, &schema, &value, "", &mut found);
        assert!(!found.is_empty(), "{wrong}");
    }
    // serde names all keys when it meets another.
    let keys = |toml: &str| -> Vec<String> {
        let message = parse(toml).unwrap_err();
        let mut keys: Vec<String> =
            message.split('`').skip(3).step_by(2).map(str::to_owned).collect();
        keys.sort();
        keys
    };
    let of_schema = |name: &str| -> Vec<String> {
        let mut keys: Vec<String> =
            schema["$defs"][name]["properties"].as_object().unwrap().keys().cloned().collect();
        keys.sort();
        keys
    };
    let odd = "there-is-no-such-key-at-all = 1";
    assert_eq!(of_schema("rule"), keys(&format!("[[rule]]\n{odd}\n")));
    assert_eq!(of_schema("conditions"), keys(&format!("[[rule]]\n[rule.must]\n{odd}\n")));
    assert_eq!(
        of_schema("connection"),
        keys(&format!("[[rule]]\n[rule.must.connection]\n{odd}\n"))
    );
    assert_eq!(of_schema("tests"), keys(&format!("[[rule]]\n[rule.must.properties.a]\n{odd}\n")));
}

/// As much of JSON Schema as the schema uses.
fn validate(root: &Json, schema: &Json, value: &Json, at: &str, wrong: &mut Vec<String>) {
    for (key, rule) in schema.as_object().unwrap() {
        let mut fail = || wrong.push(format!("{at}: {key}"));
        match key.as_str() {
            "$ref" => {
                let name = rule.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                validate(root, &root["$defs"][name], value, at, wrong);
            }
            "type" => {
                let is = |name: &str| match name {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "number" => value.is_number(),
                    "integer" => value.is_i64(),
                    name => panic!("{name}"),
                };
                let names = rule.as_array().cloned().unwrap_or_else(|| vec![rule.clone()]);
                if !names.iter().any(|name| is(name.as_str().unwrap())) {
                    fail();
                }
            }
            "enum" if !rule.as_array().unwrap().contains(value) => fail(),
            "pattern" => {
                let regex = regex::Regex::new(rule.as_str().unwrap()).unwrap();
                if value.as_str().is_some_and(|text| !regex.is_match(text)) {
                    fail();
                }
            }
            "required" => {
                let mut names = rule.as_array().unwrap().iter();
                let is_missing = names.any(|name| value.get(name.as_str().unwrap()).is_none());
                is_missing.then(&mut fail);
            }
            "anyOf" => {
                let fits = |schema: &Json| {
                    let mut wrong = Vec::new();
                    validate(root, schema, value, at, &mut wrong);
                    wrong.is_empty()
                };
                if !rule.as_array().unwrap().iter().any(fits) {
                    fail();
                }
            }
            "minItems" if value.as_array().is_some_and(Vec::is_empty) => fail(),
            "minimum" if value.as_f64().is_some_and(|number| number < rule.as_f64().unwrap()) => {
                fail();
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    validate(root, rule, item, &format!("{at}[{index}]"), wrong);
                }
            }
            "properties" => {
                for (name, schema) in rule.as_object().unwrap() {
                    if let Some(value) = value.get(name) {
                        validate(root, schema, value, &format!("{at}.{name}"), wrong);
                    }
                }
            }
            "additionalProperties" => {
                let known = schema.get("properties").and_then(Json::as_object);
                for (name, value) in value.as_object().into_iter().flatten() {
                    if known.is_some_and(|known| known.contains_key(name)) {
                        continue;
                    }
                    match rule {
                        Json::Bool(_) => wrong.push(format!("{at}.{name}: {key}")),
                        rule => validate(root, rule, value, &format!("{at}.{name}"), wrong),
                    }
                }
            }
            _ => {}
        }
    }
}

/// How long the check of a project takes with rules, and without: `OWN_RULES_SPEED=folder`.
#[test]
fn speed() {
    let Some(folder) = env::var_os("OWN_RULES_SPEED") else { return };
    let text = page();
    let config: String = examples(&text).into_iter().take(10).collect();
    let time = |config: &str| {
        let config =
            Config::parse(config, Path::new("gdscene.toml"), &Overrides::default()).unwrap();
        let options = WorkspaceOptions {
            cache: CachePlace::None,
            config: Some(std::sync::Arc::new(config)),
            ..WorkspaceOptions::default()
        };
        let start = Instant::now();
        let workspace = Workspace::open(Path::new(&folder), &options).unwrap();
        let count: usize =
            workspace.report(Scope::All).files.iter().map(|(_, found)| found.len()).sum();
        (start.elapsed(), count)
    };
    for _ in 0..5 {
        eprintln!("without {:?}, with {:?}", time(""), time(&config));
    }
}

/// The program on the page, which is between the marks.
#[test]
fn the_page_has_a_program_that_works() {
    let folder = project(&[("a.tscn", &button("A", "text = \"two  blanks\"\n"))]);
    let folder = folder.path();
    let mut printed = Vec::new();
    let mut show = |line: String| printed.push(line);
    // begin
    let project = Project::open(folder).unwrap();
    for file in project.text_files() {
        let text = project.read(file).unwrap();
        let document = godot_tscn::parse(&text);
        let context = SceneContext::new(&project, project.path(file), &document);
        for found in context.assignments() {
            let class = found.object.native().unwrap_or_default();
            if project.classes().inherits(class, "Control")
                && found.property.source().contains(&b' ')
            {
                show(format!("{}: {}", project.path(file), found.key));
            }
        }
    }
    // end
    assert_eq!(printed, ["res://a.tscn: text"]);
    let source = include_str!("own_rules.rs");
    let source = source.split("    // begin\n").nth(1).unwrap().split("    // end").next().unwrap();
    let source: String =
        source.lines().map(|line| format!("{}\n", line.get(4..).unwrap_or_default())).collect();
    let block = page().split("```rust\n").nth(1).unwrap().split("```").next().unwrap().to_owned();
    assert_eq!(block, source);
}
