//! `gdscene rules --docs`: a page for each rule.

use std::fmt::Write;
use std::io;
use std::path::Path;

use gdscene_lint::KnownRule;
use godot_project::{create_folders, read_file};

use crate::commands::Status;
use crate::counted::Counted;
use crate::files::create_or_replace;
use crate::rule_text::{has_fix, what_it_does};
use crate::terminal::complain;

/// The meaning of the letters in codes.
const GROUPS: &[(&str, &str)] = &[
    ("SYN", "Syntax: what Godot's parser refuses or misreads"),
    ("STR", "Structure: tags, fields, what a file must hold"),
    ("REF", "References inside a file"),
    ("FMT", "Data of formats: bones, animations, surfaces"),
    ("RES", "Resources: files and uids that are referred to"),
    ("TREE", "Node trees"),
    ("SIG", "Signals and connections"),
    ("SCR", "Scripts: files, nodes and names that they use"),
    ("EXP", "Exported variables"),
    ("ENG", "The engine: findings of Godot when it loads the files (`gdscene check --engine`)"),
    ("STY", "Style"),
    ("SEC", "Security: what runs code or reaches out when a file is loaded"),
    ("PERF", "Speed and size"),
    ("MIG", "Migration between versions of Godot"),
];

pub(super) fn run(folder: &Path) -> Status {
    let rules: Vec<_> = gdscene_lint::all_rules().map(KnownRule::BuiltIn).collect();
    match write_all(folder, &rules) {
        Ok(()) => {
            println!(
                "{} and an index written to {}",
                Counted(rules.len(), "page"),
                folder.display()
            );
            Status::Clean
        }
        Err(error) => {
            complain(format_args!("{}: {error}", folder.display()));
            Status::Failure
        }
    }
}

/// Writes only files that change, so that builds which compare file times have nothing to do.
fn write_all(folder: &Path, rules: &[KnownRule<'_>]) -> io::Result<()> {
    create_folders(folder)?;
    let pages = rules.iter().map(|rule| (format!("{}.md", rule.code), page(rule)));
    for (name, text) in pages.chain([("README.md".to_owned(), index(rules))]) {
        let path = folder.join(name);
        if read_file(&path).ok().as_deref() != Some(text.as_bytes()) {
            create_or_replace(&path, text.as_bytes())?;
        }
    }
    Ok(())
}

fn page(rule: &KnownRule<'_>) -> String {
    let default = if rule.is_off_by_default { "off" } else { "on" };
    let fix = if has_fix(rule) { "yes" } else { "no" };
    format!(
        "# {} {}\n\nSeverity: {} · by default: {default} · fix: {fix}\n\n{}",
        rule.code,
        rule.name,
        rule.severity.as_str(),
        rule.markdown(),
    )
}

fn index(rules: &[KnownRule<'_>]) -> String {
    let mut text = "# Rules\n\nMade by `gdscene rules --docs`. `gdscene explain CODE` prints one of these pages.\n".to_owned();
    // Groups that have no title yet come last.
    let mut groups: Vec<(&str, &str)> = GROUPS.to_vec();
    for rule in rules {
        if !groups.iter().any(|(letters, _)| *letters == rule.letters()) {
            groups.push((rule.letters(), rule.letters()));
        }
    }
    for (letters, title) in groups {
        let mut members: Vec<_> = rules.iter().filter(|rule| rule.letters() == letters).collect();
        members.sort_by_key(|rule| rule.code);
        if members.is_empty() {
            continue;
        }
        let _ = write!(
            text,
            "\n## {title}\n\n| code | name | severity | default | fix | what it does |\n|---|---|---|---|---|---|\n"
        );
        for rule in members {
            let default = if rule.is_off_by_default { "off" } else { "on" };
            let fix = if has_fix(rule) { "yes" } else { "" };
            let what = what_it_does(rule).replace('|', "\\|");
            let (code, name, severity) = (rule.code, rule.name, rule.severity.as_str());
            let _ = writeln!(
                text,
                "| [{code}]({code}.md) | {name} | {severity} | {default} | {fix} | {what} |"
            );
        }
    }
    text
}
