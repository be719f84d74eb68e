//! The pages about rules.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::{gdscene, scratch};

fn pages(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let page = |entry: fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap())
    };
    entries.map(page).collect()
}

#[test]
fn are_up_to_date() {
    let made = scratch("rule_docs");
    let output = gdscene(&["rules", "--docs", made.to_str().unwrap()], b"");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let made = pages(&made);
    let committed = pages(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rules"));
    let names = |pages: &BTreeMap<String, String>| pages.keys().cloned().collect::<Vec<_>>();
    let hint = "run `cargo run -p gdscene -- rules --docs rust/docs/rules`";
    assert_eq!(names(&made), names(&committed), "{hint}");
    for (name, text) in &made {
        assert_eq!(text, &committed[name], "{name} is not up to date: {hint}");
    }
}

#[test]
fn every_rule_has_a_page_and_a_line_in_the_index() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rules");
    let pages = pages(&folder);
    for rule in gdscene_lint::all_rules() {
        assert!(pages[&format!("{}.md", rule.code)].contains("## What it does\n"), "{}", rule.code);
        assert!(pages["README.md"].contains(&format!("[{0}]({0}.md)", rule.code)), "{}", rule.code);
    }
    assert_eq!(pages.len(), gdscene_lint::all_rules().count() + 1);
}
