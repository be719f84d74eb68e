use std::collections::BTreeSet;
use std::path::Path;

use godot_tscn::{GodotVersion, Profile, RuleInfo, RuleState};

use super::{Config, Overrides};
use crate::rules::all_rules;

fn parse(text: &str) -> Result<Config, String> {
    let parsed = Config::parse(text, Path::new("gdscene.toml"), &Overrides::default());
    parsed.map_err(|error| error.to_string())
}

fn state(config: &Config, code: &str) -> RuleState {
    let rule: &RuleInfo = all_rules().find(|rule| rule.is_called(code)).unwrap();
    config.options().state_of(rule)
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    assert_eq!(parse(text).unwrap_err(), expected);
}

#[test]
fn the_more_exact_pattern_wins() {
    let config = parse("select = [\"REF\", \"STY007\"]\nignore = [\"REF007\", \"STY\"]\n").unwrap();
    for (code, expected) in [
        ("REF001", RuleState::On),
        ("REF012", RuleState::On),
        ("REF007", RuleState::Off),
        ("STY007", RuleState::On),
        ("STY002", RuleState::Off),
        ("SYN001", RuleState::Off),
    ] {
        assert_eq!(state(&config, code), expected, "{code}");
    }
    let config = parse("select = [\"DEFAULT\", \"REF012\"]\n").unwrap();
    assert_eq!(state(&config, "STY007"), RuleState::Off);
    assert_eq!(state(&config, "REF012"), RuleState::On);
    assert_eq!(state(&config, "RES001"), RuleState::On);
}

#[test]
fn other_keys() {
    let config = parse(
        "target = \"4.5\"\nprofile = \"untrusted\"\n[severity]\nREF = \"info\"\nREF001 = \"warning\"\n\
         [naming]\nnodes = \"snake_case\"\nfiles = \"[A-Z].*\"\n",
    )
    .unwrap();
    // In untrusted files, the finding that a file cannot be judged stays an error.
    assert_eq!(state(&config, "REF001"), RuleState::On);
    assert_eq!(state(&config, "REF007"), RuleState::As(godot_tscn::Severity::Info));
    let options = config.options();
    assert_eq!(options.target, Some(GodotVersion::godot4(5)));
    assert_eq!(options.profile, Profile::Untrusted);
    let (nodes, files) = (options.node_names.unwrap(), options.file_names.unwrap());
    assert!(nodes.is_match("my_node") && !nodes.is_match("MyNode"));
    assert!(files.is_match("Level") && !files.is_match("level"));
}

#[test]
fn what_is_not_known() {
    for (text, expected) in [
        ("a = 1\n", "1:1: unknown key `a`; valid keys are "),
        ("\n selct = []\n", "2:2: unknown key `selct`; did you mean `select`?"),
        ("[naming]\nnode = \"x\"\n", "2:1: unknown key `node`; did you mean `nodes`?"),
        ("ignore = [\"REF01\"]\n", "1:11: unknown rule `REF01`; did you mean `REF001`?"),
        ("target = \"5.0\"\n", "1:10: "),
        (
            "profile = \"x\"\n",
            "1:11: `x` is not a valid profile; expected `trusted` or `untrusted`",
        ),
        ("[severity]\nREF = \"bad\"\n", "2:7: `bad` is not a valid severity; expected "),
        ("[per-path-ignores]\n\"a[\" = []\n", "2:1: "),
        ("third-party = [\"a\", \"!a[\"]\n", "1:21: "),
        ("[naming]\nfiles = \"(\"\n", "2:9: not a style ("),
        ("ignore = 1\n", "1:10: `ignore` must be a list in brackets, not integer `1`"),
        ("ignore = [\n", "1:"),
    ] {
        let error = parse(text).unwrap_err();
        assert!(error.starts_with(&format!("gdscene.toml:{expected}")), "{text}: {error}");
    }
    check_error(
        "profile = \"x\"\n",
        "gdscene.toml:1:11: `x` is not a valid profile; expected `trusted` or `untrusted`",
    );
}

#[test]
fn hostile_patterns() {
    let table = |patterns: &str| format!("[per-path-ignores]\n{patterns}");
    let long = format!("\"{}\" = []\n", "?".repeat(200_000));
    check_error(&table(&long), "gdscene.toml:2:1: the pattern has 200000 bytes; the limit is 1000");
    let braces = format!("a = []\n\"{}\" = []\n", "{a,b,".repeat(400));
    let error = parse(&table(&braces)).unwrap_err();
    assert_eq!(error, "gdscene.toml:3:1: the pattern has 2000 bytes; the limit is 1000");
    let braces = format!("\"{}{}\" = []\n", "{a,b,".repeat(100), "}".repeat(100));
    check_error(&table(&braces), "gdscene.toml:2:1: more than 8 nested braces");
    let many: String = (0..1001).map(|number| format!("\"{number}/**\" = []\n")).collect();
    let error = parse(&table(&many)).unwrap_err();
    assert!(error.ends_with(": more than 1000 path patterns; use fewer patterns"), "{error}");
    let folders: Vec<String> = (0..101).map(|number| format!("\"{number}\"")).collect();
    let error = parse(&format!("third-party = [{}]\n", folders.join(", "))).unwrap_err();
    assert!(error.ends_with(": more than 100 path patterns; use fewer patterns"), "{error}");
    // The largest allowed patterns can be made, and are compared in very little time.
    let braces = ["?", "*", "a", "[!a-z]"].map(|part| {
        let inner = part.repeat(900 / part.len() - 10);
        format!("\"{}{inner}{}\" = []\n", "{a,".repeat(8), "}".repeat(8))
    });
    parse(&table(&braces.concat())).unwrap();
}

#[test]
fn a_file_without_end() {
    let folder = tempfile::tempdir().unwrap();
    let of_project = || Config::of_project(folder.path(), &Overrides::default());
    let file = std::fs::File::create(folder.path().join("gdscene.toml")).unwrap();
    file.set_len(1 << 40).unwrap();
    let error = of_project().unwrap_err();
    assert!(error.to_string().contains("gdscene.toml: cannot be read: has more than 262144 bytes"));
    assert_eq!(error.path.unwrap(), folder.path().join("gdscene.toml"));
    #[cfg(unix)]
    {
        std::fs::remove_file(folder.path().join("gdscene.toml")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", folder.path().join("gdscene.toml")).unwrap();
        let error = of_project().unwrap_err().to_string();
        assert!(
            error.ends_with("gdscene.toml: cannot be read: is a device, not a file"),
            "{error}"
        );
    }
}

/// The keys of the tables: serde names them when it meets another.
fn keys(table: &str) -> BTreeSet<String> {
    let error = toml::from_str::<super::Raw>(&format!("{table}there-is-no-such-key = 1\n"));
    let message = error.unwrap_err().message().to_owned();
    message.split('`').skip(3).step_by(2).map(str::to_owned).collect()
}

#[test]
fn the_schema_has_the_same_keys() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/gdscene.schema.json");
    let schema: serde_json::Value =
        serde_json::from_slice(&std::fs::read(path).unwrap()).expect("JSON");
    let properties = |table: &serde_json::Value| -> BTreeSet<String> {
        assert_eq!(table["additionalProperties"], false);
        table["properties"].as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(properties(&schema), keys(""));
    assert_eq!(properties(&schema["properties"]["naming"]), keys("[naming]\n"));
    let values = |key: &str| schema["properties"][key]["enum"].as_array().unwrap().clone();
    for (key, values) in [("target", values("target")), ("profile", values("profile"))] {
        for value in values {
            parse(&format!("{key} = {value}\n")).unwrap();
        }
    }
    for severity in
        schema["properties"]["severity"]["additionalProperties"]["enum"].as_array().unwrap()
    {
        parse(&format!("[severity]\nREF001 = {severity}\n")).unwrap();
    }
}
