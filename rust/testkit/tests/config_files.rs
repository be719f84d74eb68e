//! Settings files, against what Godot's `ConfigFile` reads (`rust/godot-tscn/goldens/config_files.txt`,
//! written by scripts/data/goldens.sh). Here, because neither `godot-tscn` nor `godot-variant-codec` knows the other.

use godot_variant::{Dictionary, Value};
use testkit::hex::hex;

const GOLDENS: &str = include_str!("../../godot-tscn/goldens/config_files.txt");

/// What Godot reads, but not as it looks: an error here.
const MISREAD: &[&str] = &[
    "[a]]\n",
    "a b=1\n",
    "a\nb=1\n",
    "# a\nb=1\n",
    "é=\"é😀\"\n[ü]\nä=1\n",
    "a=1 2\n",
    "[a\nb=1\n]\nc=1\n",
    "=1\n",
];

fn string(bytes: &[u8]) -> Value {
    Value::String(String::from_utf8_lossy(bytes).into())
}

/// The sections with keys that have a value, in the order in which they first come.
fn read(file: &godot_tscn::ConfigFile<'_>) -> Value {
    let mut sections = Dictionary::default();
    let mut names: Vec<Vec<u8>> = Vec::new();
    for section in file.sections() {
        let name = section.name().into_owned();
        if names.contains(&name) {
            continue;
        }
        let mut keys = Dictionary::default();
        for same in file.sections().filter(|same| *same.name() == *name) {
            for property in same.properties() {
                if let Some(value) = file.get(&name, &property.engine_key()) {
                    let value = value.value().expect("a value of a text without errors");
                    keys.insert(string(&property.engine_key()), value);
                }
            }
        }
        if keys.iter().next().is_some() {
            sections.insert(string(&name), Value::Dictionary(Box::new(keys)));
        }
        names.push(name);
    }
    Value::Dictionary(Box::new(sections))
}

#[test]
fn settings_are_what_godot_reads() {
    let (mut wrong, mut compared, mut misread, mut refused) = (Vec::new(), 0, Vec::new(), 0);
    for line in GOLDENS.lines().filter(|line| !line.starts_with('#')) {
        let (text, expected) = line.split_once('\t').expect("two columns");
        let text: String = serde_json::from_str(text).expect("a text as JSON");
        let file = godot_tscn::parse_config(text.as_bytes());
        if expected.is_empty() {
            refused += 1;
            let report =
                godot_tscn::lint_config(text.as_bytes(), &godot_tscn::LintOptions::default());
            if report.count(godot_tscn::Severity::Error) == 0 {
                wrong.push(format!("{text:?}\n   Godot refuses it, no error here"));
            }
            continue;
        }
        if !file.errors().is_empty() {
            misread.push(text);
            continue;
        }
        let found = hex(&godot_variant_codec::encode(&read(&file)).expect("no object"));
        compared += 1;
        if found != expected {
            wrong.push(format!("{text:?}\n   Godot {expected}\n   here  {found}"));
        }
    }
    assert_eq!((compared, refused), (22, 6));
    assert_eq!(misread, MISREAD);
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
}
