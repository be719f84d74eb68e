//! The findings in the projects of `tests/fixtures`, and their fixes.
//!
//! Each folder is a project. The file next to it with its name and `.snap` lists every diagnostic of the rule at the start
//! of its name, in all files, as the tests of the rules of single files render them. `BLESS=1` writes the files again.
//!
//! A project with a folder `.history` is checked in a repository: each folder in it, by name, is committed over the one before,
//! and then the project.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use gdscene_lint::{Config, FixChoice, Overrides, PROJECT_RULES, Scope, Workspace};
use godot_project::{Project, is_checkable};
use godot_tscn::{Applicability, Diagnostic, fix_by};
use tempfile::TempDir;
use testkit::git::git;

use self::rendered::render;

#[path = "../../godot-tscn/src/rules/tests/rendered.rs"]
mod rendered;

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut folders = entries(&folder);
    folders.retain(|path| path.is_dir());
    folders
}

fn expected_of(fixture: &Path) -> PathBuf {
    fixture.with_extension("snap")
}

/// A project, ready to be looked at.
enum Place {
    AsItIs(PathBuf),
    InRepository(TempDir),
}

impl Place {
    fn of(fixture: &Path) -> Self {
        let history = fixture.join(".history");
        if !history.is_dir() {
            return Self::AsItIs(fixture.to_owned());
        }
        let folder = tempfile::tempdir().unwrap();
        git(folder.path(), &["init", "--quiet"]);
        for commit in entries(&history).iter().chain([&fixture.to_owned()]) {
            for file in entries(commit).iter().filter(|file| file.is_file()) {
                fs::copy(file, folder.path().join(file.file_name().unwrap())).unwrap();
            }
            git(folder.path(), &["add", "--all"]);
            git(folder.path(), &["commit", "--quiet", "-m", "Something"]);
        }
        Self::InRepository(folder)
    }

    fn path(&self) -> &Path {
        match self {
            Self::AsItIs(path) => path,
            Self::InRepository(folder) => folder.path(),
        }
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
}

fn code_of(folder: &Path) -> String {
    folder.file_name().unwrap().to_str().unwrap().split('-').next().unwrap().to_owned()
}

/// The project in a folder, with all rules, and its `gdscene.toml` if it has one.
fn open(folder: &Path) -> Workspace {
    let overrides = Overrides { all_rules: true, ..Overrides::default() };
    let config = Config::of_project(folder, &overrides).unwrap();
    Workspace::of_project(Project::open(folder).unwrap(), Arc::new(config))
}

/// The diagnostics as text, and the diagnostics that are left when the fixes were applied.
fn diagnostics_of(folder: &Path) -> (String, String) {
    let code = code_of(folder);
    let place = Place::of(folder);
    let workspace = open(place.path());
    let project = workspace.project().unwrap();
    let report = workspace.report(Scope::All);
    assert!(report.unreadable.is_empty(), "{:?}", report.unreadable);
    let mut found = String::new();
    for (path, located) in &report.files {
        let text = project.read(project.file(path).unwrap()).unwrap();
        let of_rule = located.iter().filter(|located| located.diagnostic.code == code);
        for located in of_rule {
            write!(found, "{path}:{}", render(&text, &located.diagnostic)).unwrap();
        }
    }
    (found, left_by_fixes(place.path(), &code))
}

/// The diagnostics with a fix that are left when all fixes were applied.
fn left_by_fixes(folder: &Path, code: &str) -> String {
    let overrides = Overrides { select: vec![code.to_owned()], ..Overrides::default() };
    let config = Config::of_project(folder, &overrides).unwrap();
    let project = Project::open(folder).unwrap();
    let paths = project.files().map(|file| project.path(file).to_owned());
    let paths: Vec<String> = paths.filter(|path| is_checkable(Path::new(path))).collect();
    let mut workspace = Workspace::of_project(project, Arc::new(config));
    workspace.fix_across(&paths, FixChoice::up_to(Applicability::Unsafe)).unwrap();
    let project = workspace.project().unwrap();
    let find = |path: &str, text: &[u8]| -> Vec<Diagnostic> { workspace.diagnostics(path, text) };
    let mut left = String::new();
    for path in paths {
        let text = project.read(project.file(&path).unwrap()).unwrap();
        let fixed = fix_by(&text, Applicability::Unsafe, |text| find(&path, text));
        for diagnostic in find(&path, &fixed.text) {
            if diagnostic.fix.is_some() {
                writeln!(left, "{path}: {}", diagnostic.message).unwrap();
            }
        }
    }
    left
}

#[test]
fn findings_are_as_expected() {
    for folder in fixtures() {
        let (found, left) = diagnostics_of(&folder);
        let expected = expected_of(&folder);
        if env::var_os("BLESS").is_some() {
            fs::write(&expected, &found).unwrap();
        }
        let expected = fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(found, expected, "in {}", folder.display());
        assert_eq!(left, "", "a fix leaves its diagnostic in {}", folder.display());
    }
}

#[test]
fn every_rule_has_a_project_in_which_it_finds_something() {
    let folders = fixtures();
    for rule in PROJECT_RULES {
        let folder = folders.iter().find(|folder| code_of(folder) == rule.code);
        let folder = folder.unwrap_or_else(|| panic!("no project for {}", rule.code));
        let expected = fs::read_to_string(expected_of(folder)).unwrap();
        assert!(!expected.is_empty(), "{} finds nothing", rule.code);
        let name = folder.file_name().unwrap().to_str().unwrap();
        assert_eq!(name, format!("{}-{}", rule.code, rule.name));
    }
}

#[test]
fn every_rule_is_documented_under_the_same_headings() {
    for rule in PROJECT_RULES {
        for heading in ["What it does", "Why is this bad?", "Example", "Use instead", "References"]
        {
            let found = rule.docs.contains(&format!(" ## {heading}\n"));
            assert!(found, "{} has no `## {heading}`", rule.code);
        }
        let folders = fixtures();
        let Some(folder) = folders.iter().find(|folder| code_of(folder) == rule.code) else {
            continue;
        };
        let has_fix = fs::read_to_string(expected_of(folder)).unwrap().contains(" fix: ");
        assert_eq!(rule.docs.contains(" ## Fix safety\n"), has_fix, "{}", rule.code);
    }
}

#[test]
fn codes_and_names_are_unique_and_in_order() {
    let mut codes: Vec<&str> = gdscene_lint::all_rules().map(|rule| rule.code).collect();
    let mut names: Vec<&str> = gdscene_lint::all_rules().map(|rule| rule.name).collect();
    for list in [&mut codes, &mut names] {
        let count = list.len();
        list.sort_unstable();
        list.dedup();
        assert_eq!(list.len(), count);
    }
}

/// The list of rules that was asked for names no rule that we lack.
#[test]
fn every_rule_of_the_reference_is_there() {
    let Some(path) = testkit::shared::require_shared("reference/tscn-format-and-rules.md") else {
        return;
    };
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("| "));
    let is_code = |word: &&str| {
        let digits = word.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
        word.len() > digits.len()
            && digits.len() == 3
            && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let wanted: Vec<&str> =
        rows.filter_map(|row| row.split([' ', '|']).next()).filter(is_code).collect();
    let lacking =
        wanted.iter().filter(|code| gdscene_lint::all_rules().all(|rule| rule.code != **code));
    assert_eq!(lacking.collect::<Vec<_>>(), [&""; 0]);
    assert!(wanted.len() >= 124, "only {} rules are listed", wanted.len());
}
