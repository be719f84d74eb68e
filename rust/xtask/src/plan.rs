//! Chooses the steps of a run.

use std::{path::Path, process::Command};

use crate::{
    arguments::Arguments,
    groups::{self, Group},
    steps::{self, STEPS, Step, When},
};

/// The steps of a run, in the order of the table.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<&'static Step>,
}

impl Plan {
    /// Chooses the steps that the arguments ask for, and those that they need.
    pub(crate) fn new(arguments: &Arguments, root: &Path) -> Result<Self, String> {
        for name in &arguments.steps {
            steps::named(name).ok_or_else(|| {
                format!("`{name}` is not a step; scripts/test.sh --list prints all of them")
            })?;
        }
        let mut groups = arguments.groups.clone();
        if let Some(revision) = &arguments.changed {
            groups.extend(changed_groups(root, revision)?);
        }
        let is_asked_for = |step: &Step| {
            arguments.steps.iter().any(|name| name == step.name)
                || match step.when {
                    When::Needed | When::Named => false,
                    When::Always if arguments.is_sample() => true,
                    When::Always | When::All => arguments.all || groups.contains(&step.group),
                }
        };
        let mut is_chosen: Vec<bool> = STEPS.iter().map(is_asked_for).collect();
        add_needs(&mut is_chosen);
        let steps = STEPS
            .iter()
            .zip(is_chosen)
            .filter_map(|(step, is_chosen)| is_chosen.then_some(step))
            .collect();
        Ok(Self { steps })
    }

    /// Prints what will run.
    pub(crate) fn announce(&self, arguments: &Arguments) {
        let how = if arguments.is_sample() { "a sample of each kind" } else { "in full" };
        let (count, seed) = (self.steps.len(), arguments.seed);
        eprintln!("{count} steps, {how}; seed {seed} (--seed {seed} repeats it)");
    }
}

/// Until nothing is added: what is needed needs others.
fn add_needs(is_chosen: &mut [bool]) {
    loop {
        let before = is_chosen.to_vec();
        for (place, step) in STEPS.iter().enumerate() {
            if is_chosen[place] {
                for (other, needed) in STEPS.iter().enumerate() {
                    is_chosen[other] |= step.needs.contains(&needed.name);
                }
            }
        }
        if before == is_chosen {
            return;
        }
    }
}

/// The groups of all files that differ from a revision, those included that git does not know yet.
fn changed_groups(root: &Path, revision: &str) -> Result<Vec<Group>, String> {
    let changed = git(root, &["diff", "--name-only", "--no-renames", revision, "--"])?;
    let new = git(root, &["ls-files", "--others", "--exclude-standard"])?;
    let groups = groups::touched(changed.lines().chain(new.lines()));
    if groups.is_empty() {
        return Err(format!("nothing differs from {revision}"));
    }
    let names: Vec<_> = groups.iter().map(|group| group.name()).collect();
    eprintln!("Changed since {revision}: {}", names.join(", "));
    Ok(groups)
}

fn git(root: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(arguments)
        .output()
        .map_err(|error| format!("git does not run: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("git {}: {}", arguments[0], String::from_utf8_lossy(&output.stderr).trim()))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Plan;
    use crate::arguments::Arguments;

    fn plan(line: &str) -> Vec<&'static str> {
        let arguments = Arguments::parse(line.split_whitespace().map(str::to_owned)).unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        Plan::new(&arguments, &root).unwrap().steps.iter().map(|step| step.name).collect()
    }

    #[test]
    fn a_step_brings_what_it_needs() {
        assert_eq!(plan("--step goldens"), ["engines", "goldens"]);
        assert_eq!(
            plan("--step release"),
            ["build", "engines", "libraries", "demo-project", "export", "release"]
        );
        assert_eq!(plan("--group docs"), ["build", "engines", "libraries", "class-pages", "site"]);
    }

    #[test]
    fn everything_contains_the_default_run() {
        let all = plan("--all");
        for name in plan("") {
            assert!(all.contains(&name), "{name}");
        }
        assert!(
            all.contains(&"growth")
                && !all.contains(&"arm64")
                && plan("--step arm64").contains(&"arm64")
        );
    }

    #[test]
    fn an_unknown_step_is_an_error() {
        let arguments =
            Arguments::parse(["--step".to_owned(), "lint".to_owned()].into_iter()).unwrap();
        assert!(Plan::new(&arguments, Path::new(".")).unwrap_err().contains("`lint`"));
    }
}
