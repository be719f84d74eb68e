//! The table of all tests.

use std::fmt::Write;

use crate::groups::Group;

/// One part of a test run. It counts its tests itself, or counts as one.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) group: Group,
    pub(crate) when: When,
    /// What no other step may use at the same time.
    pub(crate) uses: Uses,
    /// Steps that have to pass before this one.
    pub(crate) needs: &'static [&'static str],
    pub(crate) work: Work,
    pub(crate) about: &'static str,
}

/// In which runs a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// Only if another step needs it.
    Needed,
    /// In all runs; without `--all`, on a sample.
    Always,
    /// With `--all`, and if its group is asked for.
    All,
    /// Only by its name: it takes an hour, or compiles tools.
    Named,
}

/// What steps cannot share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Uses {
    Nothing,
    /// The folder of the local build, which cargo locks.
    LocalBuild,
    /// The folder of the release build.
    ReleaseBuild,
    /// The tools and the library of the npm package.
    Npm,
    /// Both cores in time: windows in which a test waits for what a user would see.
    Window,
}

/// What a step does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Work {
    /// Builds everything that is built locally.
    BuildLocal,
    /// Builds programs as releases have them.
    BuildShipped,
    /// Puts the libraries into the addon: those of the local build, with `--all` those of a release.
    InstallLibraries,
    Cargo(&'static [&'static str]),
    CrateTests,
    /// A script and its arguments, which is one test.
    Script(&'static str, &'static [&'static str]),
    /// A script and its arguments, which counts its tests in its last line.
    Suite(&'static str, &'static [&'static str]),
}

/// All steps. Of those that could run, the first one runs first.
#[rustfmt::skip] // a table
pub(crate) const STEPS: &[Step] = {
    use Group::{
        Codec, Crates, Docs, Editor, Javascript, Packaging, Performance, Project, Scenes, Servers,
    };
    use Uses::{LocalBuild, Nothing, Npm, ReleaseBuild, Window};
    use When::{All, Always, Named, Needed};
    use Work::{BuildLocal, BuildShipped, Cargo, CrateTests, InstallLibraries, Script, Suite};

    const PROGRAMS: &[&str] = &["build", "engines"];
    const ADDON: &[&str] = &["libraries", "engines"];
    const EXPORT: &[&str] = &["export"];
    &[
        step("build",               Crates,      Needed,  LocalBuild,   &[],
            BuildLocal,
            "all programs, libraries, examples and tests"),
        step("engines",             Crates,      Needed,  Nothing,      &[],
            Script("scripts/setup.sh", &[]),
            "a Godot 4, a Godot 3.6 and export templates"),
        step("release-build",       Performance, Needed,  ReleaseBuild, &[],
            BuildShipped,
            "gdscene and bench as they ship"),
        step("libraries",           Codec,       Needed,  ReleaseBuild, &["build"],
            InstallLibraries,
            "the addon's libraries"),
        step("format",              Crates,      Always,  Nothing,      &[],
            Cargo(&["fmt", "--all", "--check"]),
            "rustfmt"),
        step("tests",               Crates,      Always,  LocalBuild,   &["build"],
            CrateTests,
            "tests of all crates, and of their documentation"),
        step("demo-project",        Codec,       Needed,  Nothing,      ADDON,
            Script("scripts/test/codec/engine.sh", &["import"]),
            "the demo project, imported"),
        step("export",              Codec,       Needed,  Nothing,      &["demo-project"],
            Script("scripts/test/codec/engine.sh", &["export"]),
            "the demo project, exported"),
        step("release",             Codec,       Always,  Nothing,      EXPORT,
            Suite("scripts/test/codec/engine.sh", &["release"]),
            "tests in Godot, in an exported release build"),
        step("plugin",              Editor,      Always,  Nothing,      ADDON,
            Script("scripts/test/editor/plugin.sh", &[]),
            "the addon in the editor, without a window"),
        step("linter",              Scenes,      Always,  Nothing,      PROGRAMS,
            Suite("scripts/test/scenes/linter.sh", &[]),
            "broken scenes: what Godot refuses or loses is reported"),
        step("fixes",               Project,     Always,  Nothing,      PROGRAMS,
            Suite("scripts/test/project/fixes.sh", &[]),
            "safe fixes change nothing that Godot loads"),
        step("refactorings",        Project,     Always,  Nothing,      PROGRAMS,
            Suite("scripts/test/project/refactorings.sh", &[]),
            "projects load the same after a refactoring"),
        step("edits",               Project,     Always,  Nothing,      PROGRAMS,
            Suite("scripts/test/project/edits.sh", &[]),
            "edits give what Godot's editor saves"),
        step("editor",              Codec,       Always,  Nothing,      &["demo-project"],
            Suite("scripts/test/codec/engine.sh", &["editor"]),
            "tests in Godot, in the editor's program"),
        step("merges",              Project,     Always,  Nothing,      PROGRAMS,
            Suite("scripts/test/project/merges.sh", &[]),
            "merges load as both edits made them"),
        step("formatter",           Scenes,      Always,  Nothing,      PROGRAMS,
            Suite("scripts/test/scenes/formatter.sh", &[]),
            "numbers, values and scenes as engines write them"),
        step("fixtures",            Project,     Always,  Nothing,      PROGRAMS,
            Suite("scripts/test/project/fixtures.sh", &[]),
            "rules of projects: Godot does what they say"),
        step("engine-verdict",      Project,     Always,  Nothing,      PROGRAMS,
            Suite("scripts/test/project/engine_verdict.sh", &[]),
            "what Godot reports is what the command reports"),
        step("names",               Project,     Always,  Nothing,      PROGRAMS,
            Suite("scripts/test/project/names.sh", &[]),
            "renames accept the names that Godot accepts"),
        step("exported-values",     Project,     Always,  Nothing,      PROGRAMS,
            Suite("scripts/test/project/exported_values.sh", &[]),
            "values that Godot drops are those that rules report"),
        step("security",            Scenes,      Always,  Nothing,      PROGRAMS,
            Suite("scripts/test/scenes/security.sh", &[]),
            "untrusted files run code in Godot when rules say so"),
        step("budget",              Scenes,      Always,  Nothing,      PROGRAMS,
            Suite("scripts/test/scenes/harmless.sh", &["--limits", "--files", "120"]),
            "files at the limits of the budget are cheap"),
        step("godot3-values",       Codec,       Always,  Nothing,      PROGRAMS,
            Script("scripts/test/codec/godot3.sh", &[]),
            "values to and from Godot 3.6"),
        step("goldens",             Codec,       Always,  Nothing,      &["engines"],
            Script("scripts/data/goldens.sh", &["--check"]),
            "stored answers of Godot are those of this Godot"),
        step("same-findings",       Editor,      Always,  Nothing,      &["build", "libraries", "engines"],
            Suite("scripts/test/editor/same_diagnostics.sh", &[]),
            "the editor and the command report the same"),
        step("limits",              Scenes,      Always,  Nothing,      &["engines"],
            Suite("scripts/test/scenes/limits.sh", &[]),
            "numbers that Godot refuses"),
        step("lengths",             Scenes,      Always,  Nothing,      PROGRAMS,
            Suite("scripts/test/scenes/lengths.sh", &[]),
            "lists and elements that Godot refuses, cuts or drops"),
        step("clippy",              Crates,      Always,  LocalBuild,   &[],
            Cargo(&["clippy", "--quiet", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"]),
            "lints"),
        step("class-rules",         Project,     All,     Nothing,      &["engines"],
            Script("scripts/test/project/class_rules.sh", &[]),
            "rules on classes: Godot does what they say"),
        step("harmless",            Scenes,      All,     Nothing,      PROGRAMS,
            Suite("scripts/test/scenes/harmless.sh", &[]),
            "files that are known to be harmless do no harm"),
        step("budget-in-full",      Scenes,      All,     Nothing,      PROGRAMS,
            Suite("scripts/test/scenes/harmless.sh", &["--limits", "--files", "2000", "--seeds", "1 2"]),
            "the same, each class with each dimension"),
        step("refactorings-godot3", Project,     All,     Nothing,      PROGRAMS,
            Suite("scripts/test/project/refactorings_godot3.sh", &[]),
            "refactorings in Godot 3.6"),
        step("portable",            Codec,       All,     Nothing,      EXPORT,
            Suite("scripts/test/codec/engine.sh", &["portable"]),
            "the same, with the portable paths to the engine's memory"),
        step("no-table-sizes",      Codec,       All,     Nothing,      EXPORT,
            Suite("scripts/test/codec/engine.sh", &["no-table-sizes"]),
            "large values, with the sizes of dictionaries left to the engine"),
        step("class-pages",         Docs,        All,     Nothing,      ADDON,
            Script("scripts/data/class_reference.sh", &["--check"]),
            "pages on classes are what the library says"),
        step("addon",               Editor,      All,     Nothing,      ADDON,
            Suite("scripts/test/editor/addon.sh", &[]),
            "export guard, inspector, replaced libraries"),
        step("window",              Editor,      All,     Window,       ADDON,
            Suite("scripts/test/editor/window.sh", &[]),
            "the addon in a window, with mouse and keys"),
        step("writing",             Editor,      All,     Window,       ADDON,
            Suite("scripts/test/editor/writing.sh", &[]),
            "nothing is lost that the addon writes beside a user"),
        step("package",             Packaging,   All,     Nothing,      ADDON,
            Suite("scripts/test/packaging/addon.sh", &[]),
            "the addon as users get it"),
        step("published-crates",    Packaging,   All,     LocalBuild,   &[],
            Suite("scripts/test/packaging/crates.sh", &[]),
            "crates build from their packages"),
        step("miri",                Crates,      All,     Nothing,      &[],
            Suite("scripts/test/crates/miri.sh", &[]),
            "crates without an engine under Miri"),
        step("licences",            Crates,      All,     Nothing,      &[],
            Suite("scripts/test/crates/deny.sh", &[]),
            "licences, sources and holes of other crates"),
        step("mcp",                 Servers,     All,     Nothing,      &["build"],
            Suite("scripts/test/servers/mcp.sh", &[]),
            "sessions of an agent"),
        step("editors",             Servers,     All,     Nothing,      &["build"],
            Suite("scripts/test/servers/editors.sh", &[]),
            "gdscene lsp in Neovim, Helix and Emacs"),
        step("npm",                 Javascript,  All,     Npm,          &["build"],
            Suite("scripts/test/javascript/npm.sh", &[]),
            "the npm package in Node and Chromium"),
        step("playground",          Javascript,  All,     Npm,          &["build"],
            Suite("scripts/test/javascript/playground.sh", &[]),
            "the playground in Chromium"),
        step("site",                Docs,        All,     Nothing,      &[],
            Suite("scripts/test/docs/site.sh", &[]),
            "links, search and pages of the documentation"),
        step("growth",              Performance, All,     Nothing,      &["release-build"],
            Suite("scripts/test/performance/growth.sh", &[]),
            "work in proportion to the input"),
        step("instructions",        Performance, All,     Nothing,      &["release-build"],
            Suite("scripts/bench.sh", &["instructions", "--check"]),
            "instructions of the most used paths"),
        step("vscode",              Servers,     Named,   Nothing,      &["build"],
            Suite("scripts/test/servers/vscode.sh", &[]),
            "the extension in VS Code"),
        step("install",             Packaging,   Named,   Nothing,      &[],
            Suite("scripts/test/packaging/install.sh", &[]),
            "wheel, hooks, archive"),
        step("dist",                Packaging,   Named,   Nothing,      &["build"],
            Suite("scripts/test/packaging/release.sh", &[]),
            "what a release would do"),
        step("arm64",               Packaging,   Named,   Nothing,      &["engines"],
            Suite("scripts/test/packaging/platforms.sh", &["arm64"]),
            "Linux on arm64, by QEMU"),
        step("windows",             Packaging,   Named,   Nothing,      &["engines"],
            Suite("scripts/test/packaging/platforms.sh", &["windows"]),
            "Windows, by Wine"),
        step("macos",               Packaging,   Named,   Nothing,      &["engines"],
            Suite("scripts/test/packaging/platforms.sh", &["macos"]),
            "macOS, linked"),
        step("valgrind",            Codec,       Named,   ReleaseBuild, &["engines"],
            Script("scripts/test/codec/valgrind.sh", &[]),
            "tests in Godot under valgrind's memcheck"),
    ]
};

const fn step(
    name: &'static str,
    group: Group,
    when: When,
    uses: Uses,
    needs: &'static [&'static str],
    work: Work,
    about: &'static str,
) -> Step {
    Step { name, group, when, uses, needs, work, about }
}

/// The step with this name.
pub(crate) fn named(name: &str) -> Option<&'static Step> {
    STEPS.iter().find(|step| step.name == name)
}

/// The table for people.
pub(crate) fn table() -> String {
    let mut table = format!("{:<20} {:<12} {:<8} {}\n", "STEP", "GROUP", "RUNS", "TESTS");
    for step in STEPS {
        let when = match step.when {
            When::Needed => "needed",
            When::Always => "always",
            When::All => "--all",
            When::Named => "--step",
        };
        let _ =
            writeln!(table, "{:<20} {:<12} {when:<8} {}", step.name, step.group.name(), step.about);
    }
    table
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, fs, path::Path};

    use super::{STEPS, Work, named};

    #[test]
    fn names_are_unique_and_needs_come_first() {
        let mut seen = HashSet::new();
        for step in STEPS {
            for need in step.needs {
                assert!(named(need).is_some(), "{}: {need}", step.name);
            }
            assert!(seen.insert(step.name), "{}", step.name);
        }
    }

    /// A script that no step names would never run.
    #[test]
    fn each_script_of_a_group_is_a_step_and_exists() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let scripts: HashSet<_> = STEPS
            .iter()
            .filter_map(|step| {
                if let Work::Script(path, _) | Work::Suite(path, _) = step.work {
                    Some(path)
                } else {
                    None
                }
            })
            .collect();
        for path in &scripts {
            assert!(root.join(path).is_file(), "{path}");
        }
        for folder in fs::read_dir(root.join("scripts/test")).unwrap().map(Result::unwrap) {
            for file in fs::read_dir(folder.path()).unwrap().map(Result::unwrap) {
                let path = format!(
                    "scripts/test/{}/{}",
                    folder.file_name().display(),
                    file.file_name().display()
                );
                assert!(!path.ends_with(".sh") || scripts.contains(path.as_str()), "{path}");
            }
        }
    }

    /// A file that `tests/main.rs` does not name would never be compiled.
    #[test]
    fn each_test_file_of_a_crate_is_named() {
        let rust = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut count = 0;
        for folder in fs::read_dir(rust).unwrap().map(|entry| entry.unwrap().path()) {
            let Ok(names) = fs::read_to_string(folder.join("tests/main.rs")) else { continue };
            let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
            for file in fs::read_dir(folder.join("tests")).unwrap() {
                let path = file.unwrap().path();
                let name = path.file_stem().unwrap().to_str().unwrap();
                if path.extension().is_some_and(|extension| extension == "rs") && name != "main" {
                    let is_named = names.contains(&format!("mod {name};\n"))
                        || manifest.contains(&format!("[[test]]\nname = \"{name}\"\n"));
                    assert!(is_named, "{} is in no test program", path.display());
                    count += 1;
                }
            }
        }
        assert!(count > 0);
    }

    /// A script that cannot find what it sources, or that a faulty line ends, does not get to its help.
    #[cfg(unix)]
    #[test]
    fn each_script_prints_its_help() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let of = |folder: &Path| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut folders =
            vec![root.join("scripts"), root.join("scripts/data"), root.join("scripts/package")];
        folders.extend(of(&root.join("scripts/test")));
        let files = folders.iter().flat_map(|folder| of(folder));
        for script in
            files.filter(|path| path.extension().is_some_and(|extension| extension == "sh"))
        {
            let output = std::process::Command::new(&script).arg("--help").output().unwrap();
            let help = String::from_utf8_lossy(&output.stdout);
            let name = script.strip_prefix(&root).unwrap().display().to_string();
            assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
            assert!(help.contains(&name), "{name} --help does not name it: {help}");
        }
    }
}
