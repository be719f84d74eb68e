//! The workflows in `rust/docs` for pull requests: their permissions, and the effect of their steps in a real
//! repository.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::scratch;
use saphyr::{LoadableYamlNode, Yaml};
use testkit::git::git;

const OWN: &str = "github-scene-diff.yml";
const FORKS: &str = "github-scene-diff-forks.yml";

const OLD: &str =
    "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"]\nposition = Vector2(1, 2)\n";

/// The `gh` of the tests notes its arguments, and prints `GH_FOUND` when it is asked for something.
const GH: &str = "#!/bin/sh\n\
    echo \"$*\" >>\"$GH_LOG\"\n\
    case \"$*\" in *--paginate*|*'--method GET'*) printf '%s' \"$GH_FOUND\" ;; *) cp comment.md \"$GH_LOG.body\" ;; esac\n";

/// The text in the documentation.
fn text(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name)).unwrap()
}

fn yaml(text: &str) -> Yaml<'_> {
    Yaml::load_from_str(text).unwrap().remove(0)
}

fn map(value: &Yaml<'_>) -> Vec<(String, String)> {
    let text = |value: &Yaml<'_>| value.as_str().unwrap().to_owned();
    value.as_mapping().unwrap().iter().map(|(key, value)| (text(key), text(value))).collect()
}

/// The step with this name.
fn step<'y>(workflow: &'y Yaml<'y>, name: &str) -> &'y Yaml<'y> {
    let steps = workflow["jobs"]["diff"]["steps"].as_sequence().unwrap();
    steps
        .iter()
        .find(|step| step.as_mapping_get("name").and_then(Yaml::as_str) == Some(name))
        .unwrap()
}

/// A repository in which a branch changes a scene, and a folder with the programs that steps run.
struct BranchedRepository {
    repository: PathBuf,
    programs: PathBuf,
    log: PathBuf,
    base: String,
    head: String,
}

fn place(name: &str) -> BranchedRepository {
    let folder = scratch(name);
    let (repository, programs) = (folder.join("origin"), folder.join("bin"));
    fs::create_dir_all(&repository).unwrap();
    fs::create_dir_all(&programs).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_gdscene"), programs.join("gdscene")).unwrap();
    fs::write(programs.join("gh"), GH).unwrap();
    fs::set_permissions(programs.join("gh"), fs::Permissions::from_mode(0o755)).unwrap();
    git(&repository, &["init", "-q", "-b", "main"]);
    let commit = |text: &str, file: &str| {
        fs::write(repository.join(file), text).unwrap();
        git(&repository, &["add", "."]);
        git(&repository, &["commit", "-q", "-m", "c"]);
        git(&repository, &["rev-parse", "HEAD"]).trim_end().to_owned()
    };
    commit(OLD, "a.tscn");
    git(&repository, &["checkout", "-q", "-b", "feature"]);
    let head = commit(&OLD.replace("(1, 2)", "(3, 4)"), "a.tscn");
    git(&repository, &["checkout", "-q", "main"]);
    // Later commits on main are not changes of the branch.
    let base = commit(&OLD.replace("A", "B"), "later.tscn");
    git(&repository, &["update-ref", "refs/pull/7/head", &head]);
    BranchedRepository { repository, programs, log: folder.join("gh.log"), base, head }
}

impl BranchedRepository {
    /// Runs the script of a step in `folder` as a runner does.
    fn run(&self, folder: &Path, step: &Yaml<'_>, env: &[(&str, &str)]) {
        let path = format!("{}:{}", self.programs.display(), std::env::var("PATH").unwrap());
        let mut command = Command::new("bash");
        command
            .args(["-e", "-c", step["run"].as_str().unwrap()])
            .current_dir(folder)
            .env("PATH", path);
        command
            .env("GITHUB_STEP_SUMMARY", folder.join("summary.md"))
            .env("GITHUB_OUTPUT", folder.join("output"));
        command.env("GITHUB_REPOSITORY", "o/game").env("GH_LOG", &self.log).env("GH_FOUND", "");
        // Each variable that the step declares, and no other, has a value.
        for (name, _) in map(&step["env"]) {
            let value = env.iter().find(|(given, _)| *given == name).map(|(_, value)| *value);
            command.env(&name, value.unwrap_or_else(|| panic!("{name}")));
        }
        command.envs(env.iter().filter(|(name, _)| *name == "GH_FOUND").copied());
        let output = command.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && errors.is_empty(), "{:?}\n{errors}", output.status);
    }

    /// The calls of `gh` since the last time.
    fn asked(&self) -> Vec<String> {
        let text = fs::read_to_string(&self.log).unwrap_or_default();
        let _ = fs::remove_file(&self.log);
        text.lines().map(str::to_owned).collect()
    }

    /// Comments for the first time, again, and when nothing differs.
    fn comments(&self, folder: &Path, step: &Yaml<'_>) {
        let env = [("GH_TOKEN", "t"), ("NUMBER", "7")];
        self.run(folder, step, &env);
        let asked = self.asked();
        assert!(
            asked[0].starts_with("api --paginate repos/o/game/issues/7/comments --jq "),
            "{asked:?}"
        );
        assert_eq!(
            asked[1],
            "api --silent --method POST repos/o/game/issues/7/comments --field body=@comment.md"
        );
        let body = fs::read_to_string(self.log.with_extension("log.body")).unwrap();
        assert!(body.starts_with("<!-- gdscene diff -->\n### What differs in scenes\n\n1 file differs: 1 node changed.\n"), "{body}");
        let found = [&env[..], &[("GH_FOUND", "55\n66\n")]].concat();
        self.run(folder, step, &found);
        let updated =
            "api --silent --method PATCH repos/o/game/issues/comments/55 --field body=@comment.md";
        assert_eq!(self.asked()[1], updated);
        // An old comment is updated, a new one says nothing.
        fs::write(folder.join("diff.md"), "No scene, resource or settings file differs.\n")
            .unwrap();
        self.run(folder, step, &env);
        assert_eq!(self.asked().len(), 1);
        self.run(folder, step, &found);
        assert_eq!(self.asked()[1], updated);
    }
}

#[test]
fn a_pull_request_gets_its_comment() {
    let text = text(OWN);
    let workflow = yaml(&text);
    assert_eq!(workflow["on"].as_str(), Some("pull_request"));
    let place = place("workflow_own");
    let folder = &place.repository;
    // The checkout of a pull request: the branch, merged into its base.
    git(folder, &["merge", "-q", "--no-edit", "feature"]);
    place.run(folder, step(&workflow, "Compare"), &[("BASE", &place.base)]);
    let diff = fs::read_to_string(folder.join("diff.md")).unwrap();
    assert!(diff.contains("`position`: `Vector2(1, 2)` → `Vector2(3, 4)`"), "{diff}");
    assert!(!diff.contains("later.tscn"), "{diff}");
    assert_eq!(fs::read_to_string(folder.join("summary.md")).unwrap(), diff);
    assert!(
        fs::read_to_string(folder.join("scene-diff.html")).unwrap().starts_with("<!DOCTYPE html>")
    );
    place.comments(folder, step(&workflow, "Comment"));
}

#[test]
fn a_pull_request_from_a_fork_gets_its_comment() {
    let text = text(FORKS);
    let workflow = yaml(&text);
    let place = place("workflow_forks");
    let folder = place.repository.parent().unwrap().join("clone");
    git(
        &place.programs,
        &[
            "clone",
            "-q",
            "--single-branch",
            place.repository.to_str().unwrap(),
            folder.to_str().unwrap(),
        ],
    );
    let found = format!("number=7\nbase={}\n", place.base);
    let env = [
        ("GH_TOKEN", "t"),
        ("HEAD_OWNER", "x"),
        ("HEAD_BRANCH", "a&b=$(c)"),
        ("HEAD_SHA", &place.head),
        ("GH_FOUND", &found),
    ];
    place.run(&folder, step(&workflow, "Find the pull request"), &env);
    assert_eq!(fs::read_to_string(folder.join("output")).unwrap(), found);
    let asked = place.asked().join("\n");
    assert!(
        asked.contains(
            "repos/o/game/pulls --raw-field state=open --raw-field head=x:a&b=$(c) --jq "
        ),
        "{asked}"
    );
    let env = [("NUMBER", "7"), ("BASE", &*place.base), ("HEAD_SHA", &*place.head)];
    place.run(&folder, step(&workflow, "Compare"), &env);
    assert!(fs::read_to_string(folder.join("diff.md")).unwrap().contains("→ `Vector2(3, 4)`"));
    // Its files are missing.
    assert_eq!(fs::read_to_string(folder.join("a.tscn")).unwrap(), OLD);
    place.comments(&folder, step(&workflow, "Comment"));
}

#[test]
fn a_merge_request_gets_its_page() {
    let page = text("ci.md");
    let section = page.split("## GitLab\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let lines = section.lines().filter_map(|line| line.strip_prefix("    ")).collect::<Vec<_>>();
    let text = lines.join("\n");
    let jobs = yaml(&text);
    let job = &jobs["scene-diff"];
    let place = place("workflow_gitlab");
    git(&place.repository, &["checkout", "-q", "feature"]);
    let start = git(&place.repository, &["merge-base", &place.base, "HEAD"]);
    let start = start.trim_end();
    for line in job["script"].as_sequence().unwrap() {
        let path = format!("{}:{}", place.programs.display(), std::env::var("PATH").unwrap());
        let mut command = Command::new("sh");
        command.args(["-e", "-c", line.as_str().unwrap()]).current_dir(&place.repository);
        command.env("PATH", path).env("CI_MERGE_REQUEST_DIFF_BASE_SHA", start);
        assert!(command.status().unwrap().success(), "{line:?}");
    }
    let kept = job["artifacts"]["paths"][0].as_str().unwrap();
    assert!(
        fs::read_to_string(place.repository.join(kept))
            .unwrap()
            .contains("<del>1</del>, <del>2</del>")
    );
}

/// Inputs that an attacker could use.
#[test]
fn rights() {
    for name in [OWN, FORKS] {
        let text = text(name);
        let workflow = yaml(&text);
        let rights = map(&workflow["permissions"]);
        let expected = [("contents", "read"), ("pull-requests", "write")];
        assert_eq!(rights, expected.map(|(key, value)| (key.to_owned(), value.to_owned())));
        assert!(workflow["jobs"]["diff"].as_mapping_get("permissions").is_none());
        let steps = workflow["jobs"]["diff"]["steps"].as_sequence().unwrap();
        for step in steps {
            if let Some(action) = step.as_mapping_get("uses").and_then(Yaml::as_str) {
                assert!(action.starts_with("actions/"), "{action} is GitHub's own");
            }
            // Texts of a pull request come to a shell by variables only.
            let script = step.as_mapping_get("run").and_then(Yaml::as_str).unwrap_or_default();
            assert!(!script.contains("${{"), "{script}");
        }
        assert!(!text.contains("pull_request_target"));
    }
    let forks = text(FORKS);
    let forks = yaml(&forks);
    assert_eq!(
        forks["on"]["workflow_run"]["workflows"][0].as_str(),
        yaml(&text(OWN))["name"].as_str()
    );
    // The files of the fork are not checked out, and nothing that it made is downloaded.
    for step in forks["jobs"]["diff"]["steps"].as_sequence().unwrap() {
        let action = step.as_mapping_get("uses").and_then(Yaml::as_str).unwrap_or_default();
        assert!(!action.contains("download-artifact"));
        assert!(
            step.as_mapping_get("with").is_none_or(|with| with.as_mapping_get("ref").is_none())
        );
    }
}
