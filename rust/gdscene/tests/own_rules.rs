//! Rules that a project defines itself, in the command, and the sessions on their page.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::common::{gdscene_in, scratch, shell_in};

/// A copy of the project with the rule `area-without-shape`.
fn project(name: &str) -> PathBuf {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../gdscene-lint/tests/fixtures/GAME001-area-without-shape");
    let folder = scratch(name);
    for entry in fs::read_dir(fixture).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
    }
    folder
}

fn json(folder: &Path, args: &[&str]) -> Json {
    let (_, out, error) = gdscene_in(folder, args, b"");
    serde_json::from_str(&out).unwrap_or_else(|_| panic!("{args:?}: {out}{error}"))
}

#[test]
fn lists_and_explanations() {
    let folder = project("own_rules_lists");
    let (status, table, _) = gdscene_in(&folder, &["rules"], b"");
    assert_eq!(status, 0);
    assert_eq!(table.lines().count(), 2 + gdscene_lint::all_rules().count());
    let row = table.lines().find(|line| line.starts_with("GAME001 ")).unwrap();
    assert_eq!(
        row.split_whitespace().collect::<Vec<_>>(),
        ["GAME001", "area-without-shape", "error", "on", "-"]
    );
    let list = json(&folder, &["rules", "--output", "json"]);
    let row = list.as_array().unwrap().iter().find(|rule| rule["code"] == "GAME001").unwrap();
    assert_eq!(row["severity"], "error");
    for name in ["game001", "area-without-shape"] {
        let (status, text, _) = gdscene_in(&folder, &["explain", name], b"");
        assert_eq!(status, 0);
        assert!(text.starts_with("# GAME001 area-without-shape (error)\n"), "{text}");
        assert!(text.contains("nodes = { class = \"Area2D\" }"), "{text}");
    }
    // In other projects, the rule is unknown, and a broken configuration hides no other rule.
    let elsewhere = scratch("own_rules_elsewhere");
    assert_eq!(gdscene_in(&elsewhere, &["explain", "GAME001"], b"").0, 2);
    fs::write(folder.join("gdscene.toml"), "[[rule]]\n").unwrap();
    let (status, table, error) = gdscene_in(&folder, &["rules"], b"");
    assert_eq!((status, table.lines().count()), (0, 1 + gdscene_lint::all_rules().count()));
    assert!(error.contains("gdscene.toml:1:1: missing field `code`"), "{error}");
}

#[test]
fn choices_baselines_and_statistics() {
    let folder = project("own_rules_choices");
    let codes = |args: &[&str]| -> Vec<String> {
        let args = [&["check", "--output", "json"], args, &["."]].concat();
        let found = json(&folder, &args);
        let codes = found
            .as_array()
            .unwrap()
            .iter()
            .map(|found| found["code"].as_str().unwrap().to_owned());
        codes.collect()
    };
    assert_eq!(codes(&[]), ["RES001", "GAME001", "GAME001", "GAME001"]);
    assert_eq!(codes(&["--select", "GAME"]), ["GAME001"; 3]);
    assert_eq!(codes(&["--select", "area-without-shape"]), ["GAME001"; 3]);
    assert_eq!(codes(&["--ignore", "GAME001"]), ["RES001"]);
    // Then the code in the scene is no rule.
    assert_eq!(codes(&["--no-config"]), ["RES001", "STY011"]);
    let (status, _, error) =
        gdscene_in(&folder, &["check", "--no-config", "--ignore", "GAME001", "."], b"");
    assert!(status == 2 && error.contains("unknown rule `GAME001`"), "{error}");

    let written = ["check", "--write-baseline", "known.json", "."];
    assert_eq!(gdscene_in(&folder, &written, b"").0, 0);
    assert_eq!(codes(&["--baseline", "known.json"]), [""; 0]);
    let more = "\n[node name=\"New\" type=\"Area2D\" parent=\".\"]\n";
    let text = fs::read_to_string(folder.join("without.tscn")).unwrap();
    fs::write(folder.join("without.tscn"), text + more).unwrap();
    assert_eq!(codes(&["--baseline", "known.json"]), ["GAME001"]);
    let (_, table, _) = gdscene_in(&folder, &["check", "--statistics", "."], b"");
    assert!(table.contains("      4  GAME001  area-without-shape  error"), "{table}");
}

#[test]
fn every_format_has_the_code_and_the_message() {
    let folder = project("own_rules_formats");
    for format in
        ["full", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit", "rdjson"]
    {
        let (status, out, _) = gdscene_in(&folder, &["check", "--output", format, "."], b"");
        assert_eq!(status, 1, "{format}");
        for text in ["GAME001", "`Deeper` has no collision shape"] {
            assert!(out.contains(text), "{format}: {out}");
        }
    }
    let log = json(&folder, &["check", "--output", "sarif", "."]);
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    let own: Vec<&Json> = results.iter().filter(|result| result["ruleId"] == "GAME001").collect();
    assert_eq!(own.len(), 3);
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
    let rule = rules.iter().find(|rule| rule["id"] == "GAME001").unwrap();
    assert_eq!(rule["defaultConfiguration"]["level"], "error");
    assert_eq!(rule["properties"]["tags"][0], "GAME");
    let short = rule["shortDescription"]["text"].as_str().unwrap();
    assert_eq!(short, "A rule of this project. It reports: `{name}` has no collision shape");

    // Two projects, each with a rule of this code: the first one describes it, and both report.
    let both = scratch("own_rules_two_projects");
    fs::rename(project("own_rules_one_project"), both.join("one")).unwrap();
    fs::rename(project("own_rules_other_project"), both.join("two")).unwrap();
    let log = json(&both, &["check", "--output", "sarif", "one", "two"]);
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.iter().filter(|rule| rule["id"] == "GAME001").count(), 1);
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.iter().filter(|result| result["ruleId"] == "GAME001").count(), 6);
}

/// An edit reports what it breaks of own rules, and is made all the same: what mends it may be the next edit.
#[test]
fn edits_come_one_after_the_other() {
    let folder = project("own_rules_edit");
    let add =
        |args: &[&str]| gdscene_in(&folder, &[&["add", "with_shape.tscn"], args].concat(), b"");
    let (status, out, error) = add(&["Trap", "Area2D"]);
    assert_eq!(status, 0, "{out}{error}");
    assert!(format!("{out}{error}").contains("`Trap` has no collision shape"), "{out}{error}");
    let (status, out, error) = add(&["Trap/Shape", "CollisionPolygon2D"]);
    assert!(status == 0 && !format!("{out}{error}").contains("GAME001"), "{out}{error}");
}

/// What the page shows of sessions is what the command prints, and its script works.
#[test]
#[cfg(unix)]
fn sessions_on_the_page() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/own-rules.md"))
            .unwrap();
    let blocks = |language: &str| -> Vec<String> {
        let start = format!("```{language}\n");
        page.split(&start)
            .skip(1)
            .map(|rest| rest.split("```").next().unwrap().to_owned())
            .collect()
    };
    let folder = project("own_rules_page");
    let sessions = blocks("console");
    assert_eq!(sessions.len(), 2);
    for (number, session) in sessions.iter().enumerate() {
        if number == 1 {
            let text = fs::read_to_string(folder.join("gdscene.toml")).unwrap();
            fs::write(folder.join("gdscene.toml"), text.replace("\"Area2D\"", "\"Aera2D\""))
                .unwrap();
        }
        let (command, shown) = session.strip_prefix("$ ").unwrap().split_once('\n').unwrap();
        let output = shell_in(&folder, &format!("{command} 2>&1 || true"));
        let text = String::from_utf8(output.stdout).unwrap();
        for line in shown.lines() {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }
    let scripts = blocks("sh");
    assert_eq!(scripts.len(), 1);
    let scene = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Label\"]\ntext = \"Hello\"\n\n\
                 [node name=\"B\" type=\"Button\" parent=\".\"]\ntext = \"No\"\n";
    fs::write(folder.join("main.tscn"), scene).unwrap();
    if shell_in(&folder, "command -v jq").status.success() {
        let output = shell_in(&folder, &scripts[0]);
        assert_eq!(String::from_utf8(output.stdout).unwrap(), "\"Hello\"\n");
    }
}
