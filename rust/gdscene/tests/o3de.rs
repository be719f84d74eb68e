//! `gdscene o3de`: files that fit, files that do not, conversions and patches.

use std::fs;
use std::path::Path;

use crate::common::{run, scratch};

const SCHEMA: &str =
    r#"{"hp": "u8", "at": "Vector2", "tint": {"kind": "color", "default": [0, 0, 0, 1]}}"#;
const CLASSES: &str = r#"{
    "Base": {"fields": [{"name": "hp", "type": "u8", "default": 5}]},
    "Hero": {"bases": ["Base"], "fields": [{"name": "next", "type": {"kind": "ptr", "item": "Base"}}]}
}"#;

/// Files in a fresh folder, and how to name one on the command line.
fn files(name: &str, files: &[(&str, &str)]) -> impl Fn(&str) -> String + use<> {
    let folder = scratch(name);
    for (name, content) in files {
        fs::write(folder.join(name), content).unwrap();
    }
    move |name: &str| folder.join(name).to_str().unwrap().to_owned()
}

/// The output, without the folder's name.
fn plain(text: &str, path: &str) -> String {
    let folder = Path::new(path).parent().unwrap().to_str().unwrap().replace('\\', "/");
    text.replace(&format!("{folder}/"), "")
}

#[test]
fn checks() {
    let at = files(
        "o3de_check",
        &[
            ("schema.json", SCHEMA),
            ("classes.json", CLASSES),
            ("good.json", r#"{"hp": "0x10", "at": {"y": 2}, "tint": {"HEX": "FF0000"}} // fine"#),
            ("bad.json", r#"{"hp": 256, "at": [1, "x"], "tin": 1}"#),
            ("broken.json", "{\"hp\": 1,\n \"at\" 2}"),
            (
                "hero.json",
                r#"{"Type": "JsonSerialization", "ClassName": "Hero", "ClassData": {"next": {"$type": "Villain"}}}"#,
            ),
        ],
    );
    let (schema, classes) = (at("schema.json"), at("classes.json"));
    let check = |args: &[&str]| plain(&run(&[&["o3de", "check"], args].concat(), b""), &schema);
    assert_eq!(
        check(&["--schema", &schema, &at("good.json")]),
        "exit code 0\n--- stdout\n--- stderr\n"
    );
    let bad = check(&["--schema", &schema, &at("bad.json"), &at("broken.json"), &at("good.json")]);
    assert_eq!(
        bad,
        "exit code 1\n--- stdout\n\
         bad.json: /hp: 256 is not a valid integer from 0 to 255 (u8) [Unsupported]\n\
         bad.json: /at/1: \"x\" is not a valid component: write a number in the range of a 32-bit float [Unsupported]\n\
         bad.json: /tin: `record` has no field `tin`: remove it or correct its name [Skipped]\n\
         broken.json:2:7: expected `:`\n\
         --- stderr\n"
    );
    let hero = check(&["--classes", &classes, "--json", &at("hero.json")]);
    assert_eq!(
        hero,
        "exit code 1\n--- stdout\n\
         {\"file\":\"hero.json\",\"place\":\"/ClassData/next/$type\",\"outcome\":\"Unknown\",\
         \"message\":\"the class `Villain` is not registered: register it\"}\n--- stderr\n"
    );
    let missing = check(&["--schema", &at("none.json"), &at("good.json")]);
    assert!(missing.starts_with("exit code 2"), "{missing}");
}

#[test]
fn conversions() {
    let at = files(
        "o3de_convert",
        &[
            ("schema.json", SCHEMA),
            ("classes.json", CLASSES),
            ("save.json", r#"{"hp": "7", "tint": [1, 0, 0]}"#),
            ("bad.json", r#"{"hp": -1}"#),
            ("hero.json", r#"{"type": "JsonSerialization"}"#),
            ("level.json", r#"{"a": {"$import": {"filename": "part.json", "patch": {"x": 2}}}}"#),
            ("part.json", r#"{"x": 1, "y": 1}"#),
            ("out.json", r#"{"$import": "../part.json"}"#),
        ],
    );
    let schema = at("schema.json");
    let convert = |args: &[&str]| plain(&run(&[&["o3de", "convert"], args].concat(), b""), &schema);
    assert_eq!(
        convert(&["--schema", &schema, "--compact", &at("save.json")]),
        "exit code 0\n--- stdout\n{\"hp\":7,\"at\":[0.0,0.0],\"tint\":[1.0,0.0,0.0,1.0]}\n--- stderr\n"
    );
    assert_eq!(
        convert(&["--schema", &schema, "--compact", "--strip", &at("save.json")]),
        "exit code 0\n--- stdout\n{\"hp\":7,\"tint\":[1.0,0.0,0.0]}\n--- stderr\n"
    );
    assert_eq!(
        convert(&["--schema", &schema, &at("bad.json")]),
        "exit code 1\n--- stdout\n--- stderr\n\
         gdscene: bad.json: /hp: -1 is not a valid integer from 0 to 255 (u8) [Unsupported]\n"
    );
    let out = at("new.json");
    assert_eq!(
        convert(&["--imports", &at("level.json"), "-o", &out]),
        "exit code 0\n--- stdout\n--- stderr\n"
    );
    assert_eq!(
        fs::read_to_string(&out).unwrap(),
        "{\n    \"a\": {\n        \"x\": 2,\n        \"y\": 1\n    }\n}\n"
    );
    let outside = convert(&["--imports", &at("out.json")]);
    assert!(outside.starts_with("exit code 1") && outside.contains("outside"), "{outside}");
}

#[test]
fn patches() {
    let at = files(
        "o3de_patch",
        &[
            ("old.json", r#"{"hp": 1, "list": [1, 2]}"#),
            ("new.json", r#"{"hp": 2, "list": [1]}"#),
            ("bad.json", r#"[{"op": "remove", "path": "/none"}]"#),
        ],
    );
    let (old, new) = (at("old.json"), at("new.json"));
    let patch = |args: &[&str]| plain(&run(&[&["o3de", "patch"], args].concat(), b""), &old);
    assert_eq!(
        patch(&["--create", "--merge", "--compact", &old, &new]),
        "exit code 0\n--- stdout\n{\"hp\":2,\"list\":[1]}\n--- stderr\n"
    );
    let changes = at("changes.json");
    patch(&["--create", &old, &new, "-o", &changes]);
    assert_eq!(
        patch(&["--compact", &old, &changes]),
        "exit code 0\n--- stdout\n{\"hp\":2,\"list\":[1]}\n--- stderr\n"
    );
    assert_eq!(
        patch(&[&old, &at("bad.json")]),
        "exit code 1\n--- stdout\n--- stderr\n\
         gdscene: bad.json: /0/path: no value at this place [Invalid]\n"
    );
}

#[test]
fn schemas() {
    let schema = |args: &[&str], text: &str| {
        run(&[&["o3de", "schema", "--compact"], args].concat(), text.as_bytes())
    };
    assert_eq!(
        schema(&["-"], r#"["u8"]"#),
        "exit code 0\n--- stdout\n\
         {\"kind\":\"array\",\"item\":{\"kind\":\"int\",\"repr\":\"u8\"}}\n--- stderr\n"
    );
    let wrong = schema(&["-"], r#""u7""#);
    assert!(wrong.starts_with("exit code 1") && wrong.contains("`u7` is not a kind"), "{wrong}");
}
