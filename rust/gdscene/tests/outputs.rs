//! The output formats for other programs, held against their schemas and read by their readers.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

use crate::common::{gdscene, scratch};

/// One diagnostic of each severity, with labels and fixes, on lines with characters of several bytes.
const SCENE: &str = "[gd_scene format=3]\n\n\
    [ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1_a\"]\n\n\
    [sub_resource type=\"A\" id=\"1\"]\n[sub_resource type=\"B\" id=\"1\"]\n\n\
    [node name=\"Größe\" type=\"Node\"]\n\"é\" = True\nvisible = True\nx\ny = 1 ; note\n";

fn check(format: &str) -> String {
    // Several tests want the same format at the same time.
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder = scratch(&format!("outputs_{format}_{number}"));
    fs::write(folder.join("a b,c%.tscn"), SCENE).unwrap();
    fs::write(
        folder.join("clean.tscn"),
        "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n",
    )
    .unwrap();
    let output =
        gdscene(&["check", "--all-rules", "--output", format, folder.to_str().unwrap()], b"");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn schema(name: &str) -> jsonschema::Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/schemas").join(name);
    jsonschema::validator_for(&read(&fs::read_to_string(path).unwrap())).unwrap()
}

fn validate(validator: &jsonschema::Validator, value: &Value) {
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

/// The diagnostics in the format `json`, with which the others must agree.
fn findings() -> Vec<Value> {
    let Value::Array(findings) = read(&check("json")) else { panic!("no list") };
    assert!(findings.len() > 5);
    for severity in ["error", "warning", "info"] {
        assert!(findings.iter().any(|found| found["severity"] == severity), "{severity}");
    }
    findings
}

#[test]
fn sarif() {
    let validator = schema("sarif-2.1.0.json");
    let log = read(&check("sarif"));
    validate(&validator, &log);
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.len(), gdscene_lint::all_rules().count());
    let results = run["results"].as_array().unwrap();
    let findings = findings();
    assert_eq!(results.len(), findings.len());
    for (result, found) in results.iter().zip(&findings) {
        assert_eq!(result["ruleId"], found["code"]);
        assert_eq!(rules[result["ruleIndex"].as_u64().unwrap() as usize]["id"], found["code"]);
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["artifactLocation"]["uri"].as_str().unwrap().ends_with("/a%20b,c%25.tscn"));
        let region = &place["region"];
        assert_eq!(region["byteOffset"], found["start"]);
        assert_eq!(region["startLine"], found["line"]);
        assert_eq!(region["startColumn"], found["column"]);
    }
    assert!(results.iter().any(|result| result["relatedLocations"].is_array()));
    // Applying the fixes by their byte offsets gives the results that the formats describe.
    let fixed = results.iter().find(|result| result["ruleId"] == "SYN013").unwrap();
    let change = &fixed["fixes"][0]["artifactChanges"][0]["replacements"][0];
    let start = change["deletedRegion"]["byteOffset"].as_u64().unwrap() as usize;
    let len = change["deletedRegion"]["byteLength"].as_u64().unwrap() as usize;
    assert_eq!(&SCENE[start..start + len], "True");
    assert_eq!(change["insertedContent"]["text"], "true");
}

#[test]
fn rdjson() {
    let validator = schema("rdformat.json");
    let result = read(&check("rdjson"));
    validate(&validator, &result);
    let diagnostics = result["diagnostics"].as_array().unwrap();
    let findings = findings();
    assert_eq!(diagnostics.len(), findings.len());
    let lines: Vec<&str> = SCENE.split('\n').collect();
    for (diagnostic, found) in diagnostics.iter().zip(&findings) {
        // Columns count bytes.
        let start = &diagnostic["location"]["range"]["start"];
        let line = start["line"].as_u64().unwrap() as usize;
        let before: usize = lines[..line - 1].iter().map(|line| line.len() + 1).sum();
        let offset = before as u64 + start["column"].as_u64().unwrap() - 1;
        assert_eq!(offset, found["start"].as_u64().unwrap(), "{diagnostic}");
    }
    assert!(diagnostics.iter().any(|found| found["suggestions"][0]["text"] == "true"));
}

#[test]
fn gitlab() {
    // The requirements of GitLab's parser: `Gitlab::Ci::Reports::CodequalityReports`,
    // `codeclimate.json`.
    let schema = serde_json::json!({
        "type": "array",
        "items": {
            "type": "object",
            "required": ["description", "check_name", "fingerprint", "severity", "location"],
            "properties": {
                "description": { "type": "string" },
                "check_name": { "type": "string" },
                "fingerprint": { "type": "string", "pattern": "^[0-9a-f]{16}$" },
                "severity": { "enum": ["info", "minor", "major", "critical", "blocker"] },
                "location": {
                    "type": "object",
                    "required": ["path", "lines"],
                    "properties": {
                        "path": { "type": "string", "pattern": "a b,c%\\.tscn$" },
                        "lines": {
                            "type": "object",
                            "required": ["begin"],
                            "properties": { "begin": { "type": "integer", "minimum": 1 } }
                        }
                    }
                }
            }
        }
    });
    let report = read(&check("gitlab"));
    validate(&jsonschema::validator_for(&schema).unwrap(), &report);
    let issues = report.as_array().unwrap();
    assert_eq!(issues.len(), findings().len());
    let mut prints: Vec<&Value> = issues.iter().map(|issue| &issue["fingerprint"]).collect();
    prints.sort_by_key(|print| print.as_str());
    prints.dedup();
    assert_eq!(prints.len(), issues.len(), "GitLab drops what has the same fingerprint");
}

#[test]
fn junit() {
    let text = check("junit");
    let suites = junit_parser::from_reader(text.as_bytes()).unwrap();
    assert_eq!(suites.suites.len(), 2);
    let findings = findings();
    let broken = &suites.suites[0];
    assert!(broken.name.ends_with("a b,c%.tscn"), "{}", broken.name);
    assert_eq!(broken.cases.len(), findings.len());
    let failing = findings.iter().filter(|found| found["severity"] != "info").count();
    assert_eq!(broken.failures, failing as u64);
    for (case, found) in broken.cases.iter().zip(&findings) {
        assert!(case.original_name.starts_with(found["code"].as_str().unwrap()));
        assert_eq!(case.status.is_failure(), found["severity"] != "info");
        if case.status.is_failure() {
            assert_eq!(case.status.failure_as_ref().message, found["message"].as_str().unwrap());
        }
    }
    let clean = &suites.suites[1];
    assert_eq!((clean.cases.len(), clean.failures), (1, 0));
    assert!(clean.cases[0].status.is_success());
}

#[test]
fn github() {
    let text = check("github");
    let (commands, rest): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with("::"));
    let findings = findings();
    assert_eq!(commands.len(), findings.len());
    assert_eq!(rest.len(), 2, "the summary");
    for (command, found) in commands.iter().zip(&findings) {
        let (name, properties, message) = workflow_command(command);
        let expected = match found["severity"].as_str().unwrap() {
            "error" => "error",
            "warning" => "warning",
            _ => "notice",
        };
        assert_eq!(name, expected);
        let property = |key: &str| {
            let found = properties.iter().find(|(name, _)| name == key);
            found.map(|(_, value)| value.as_str())
        };
        assert!(property("file").unwrap().ends_with("a b,c%.tscn"), "{command}");
        assert_eq!(property("line").unwrap(), found["line"].to_string());
        assert!(message.starts_with(found["message"].as_str().unwrap()), "{command}");
    }
}

/// Reads a command as `ActionCommand.TryParseV2` of actions/runner does.
fn workflow_command(line: &str) -> (String, Vec<(String, String)>, String) {
    let unescaped = |text: &str, is_property: bool| {
        let mut text = text.replace("%0D", "\r").replace("%0A", "\n");
        if is_property {
            text = text.replace("%3A", ":").replace("%2C", ",");
        }
        text.replace("%25", "%")
    };
    let (head, message) = line[2..].split_once("::").unwrap();
    let (name, properties) = head.split_once(' ').unwrap();
    let properties = properties.split(',').map(|pair| {
        let (key, value) = pair.split_once('=').unwrap();
        (key.to_owned(), unescaped(value, true))
    });
    (name.to_owned(), properties.collect(), unescaped(message, false))
}

#[test]
fn nothing_found_and_what_cannot_be_read() {
    let clean = "tests/fixtures/project/sub/clean.tscn";
    for format in ["sarif", "github", "gitlab", "junit", "rdjson"] {
        let output = gdscene(&["check", "--output", format, clean, "no/such\n.tscn"], b"");
        assert_eq!(output.status.code(), Some(2), "{format}");
        let text = String::from_utf8(output.stdout).unwrap();
        match format {
            "sarif" => {
                validate(&schema("sarif-2.1.0.json"), &read(&text));
                let invocation = &read(&text)["runs"][0]["invocations"][0];
                assert_eq!(invocation["executionSuccessful"], false);
                assert_eq!(invocation["toolExecutionNotifications"].as_array().unwrap().len(), 1);
            }
            "github" => assert!(text.starts_with("::error file=no/such%0A.tscn::"), "{text}"),
            "gitlab" => assert_eq!(read(&text), serde_json::json!([])),
            "junit" => {
                let suites = junit_parser::from_reader(text.as_bytes()).unwrap();
                assert_eq!((suites.suites.len(), suites.suites[1].errors), (2, 1));
            }
            _ => validate(&schema("rdformat.json"), &read(&text)),
        }
    }
}

#[test]
fn noise_and_control_characters() {
    let noise: Vec<u8> = (0..=255).cycle().take(3000).collect();
    let broken =
        b"[gd_scene format=3]\n\n[node name=\"A\x01\x1b]]>&<\" type=\"Node\"]\nx\n\x02 = \xff\n";
    for text in [&noise[..], broken, b"", b"\n", b"\xef\xbb\xbf"] {
        for format in ["sarif", "gitlab", "rdjson", "junit"] {
            let output = gdscene(&["check", "--all-rules", "--output", format, "-"], text);
            let text = String::from_utf8(output.stdout).unwrap();
            match format {
                "sarif" => validate(&schema("sarif-2.1.0.json"), &read(&text)),
                "rdjson" => validate(&schema("rdformat.json"), &read(&text)),
                "junit" => _ = junit_parser::from_reader(text.as_bytes()).unwrap(),
                _ => _ = read(&text),
            }
        }
    }
}

#[test]
fn into_a_file() {
    let folder = scratch("output_file");
    let file = folder.join("report.sarif");
    let args = ["check", "--output", "sarif", "--output-file", file.to_str().unwrap()];
    let output = gdscene(&[&args[..], &["tests/fixtures/project"]].concat(), b"");
    assert_eq!(output.status.code(), Some(1));
    let line = String::from_utf8(output.stdout).unwrap();
    assert!(line.ends_with("files checked: 2 errors, 1 warning\n"), "{line}");
    assert!(!line.contains("a.tscn"), "{line}");
    validate(&schema("sarif-2.1.0.json"), &read(&fs::read_to_string(&file).unwrap()));
    let into = folder.join("none/report");
    let output = gdscene(&["check", "--output-file", into.to_str().unwrap(), "tests"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("none/report"));
}
