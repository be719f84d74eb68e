//! The arguments of `scripts/test.sh`.

use std::{thread, time::SystemTime};

use crate::groups::Group;

/// What to test, and how.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    /// Everything instead of a sample.
    pub(crate) all: bool,
    /// Only these groups.
    pub(crate) groups: Vec<Group>,
    /// Only the groups that differ from this revision.
    pub(crate) changed: Option<String>,
    /// Only the steps with these names.
    pub(crate) steps: Vec<String>,
    /// Arguments for the script of the only step.
    pub(crate) script_arguments: Vec<String>,
    /// Chooses samples and random inputs.
    pub(crate) seed: u32,
    /// How many steps run at a time.
    pub(crate) jobs: usize,
    /// Print the table of steps.
    pub(crate) list: bool,
}

impl Arguments {
    /// Parses the arguments behind the program's name.
    pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut parsed = Self {
            seed: seed_of_this_moment(),
            jobs: thread::available_parallelism().map_or(2, usize::from),
            ..Self::default()
        };
        let mut arguments = arguments.peekable();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--all" => parsed.all = true,
                "--list" => parsed.list = true,
                "--group" => parsed.groups.push(value(&argument, arguments.next())?.parse()?),
                "--step" => parsed.steps.push(value(&argument, arguments.next())?),
                "--seed" => parsed.seed = number(&argument, arguments.next())?,
                "--jobs" => parsed.jobs = number(&argument, arguments.next())?.max(1) as usize,
                "--changed" => {
                    let revision = arguments.next_if(|next| !next.starts_with('-'));
                    parsed.changed = Some(revision.unwrap_or_else(|| "HEAD".to_owned()));
                }
                "--" => parsed.script_arguments = arguments.by_ref().collect(),
                _ => {
                    return Err(format!(
                        "unknown argument `{argument}`; see scripts/test.sh --help"
                    ));
                }
            }
        }
        if !parsed.script_arguments.is_empty() && parsed.steps.len() != 1 {
            return Err("arguments after `--` need exactly one --step".to_owned());
        }
        Ok(parsed)
    }

    /// Whether only a sample of each kind is tested: named groups, steps and changes are tested in full.
    pub(crate) fn is_sample(&self) -> bool {
        !self.all && self.groups.is_empty() && self.steps.is_empty() && self.changed.is_none()
    }
}

fn value(option: &str, value: Option<String>) -> Result<String, String> {
    value.ok_or_else(|| format!("{option} needs a value; see scripts/test.sh --help"))
}

fn number(option: &str, text: Option<String>) -> Result<u32, String> {
    let text = value(option, text)?;
    text.parse().map_err(|_| {
        format!(
            "`{text}` is not a valid value of {option}; expected a number from 0 to {}",
            u32::MAX
        )
    })
}

/// Another one in each second. Small, so that it is easy to type.
fn seed_of_this_moment() -> u32 {
    let seconds = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |elapsed| elapsed.as_secs());
    u32::try_from(seconds % 100_000).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::Arguments;
    use crate::groups::Group;

    fn parse(line: &str) -> Result<Arguments, String> {
        Arguments::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn nothing_means_a_sample_and_everything_else_means_in_full() {
        assert!(parse("").unwrap().is_sample());
        assert!(parse("--seed 7 --jobs 3").unwrap().is_sample());
        for line in ["--all", "--group codec", "--step linter", "--changed", "--changed main"] {
            assert!(!parse(line).unwrap().is_sample(), "{line}");
        }
    }

    #[test]
    fn a_revision_may_follow_changed() {
        assert_eq!(parse("--changed").unwrap().changed.as_deref(), Some("HEAD"));
        assert_eq!(parse("--changed main~2").unwrap().changed.as_deref(), Some("main~2"));
        let both = parse("--changed --group docs").unwrap();
        assert_eq!((both.changed.as_deref(), both.groups), (Some("HEAD"), vec![Group::Docs]));
    }

    #[test]
    fn arguments_of_a_script_need_one_step() {
        assert_eq!(parse("--step merges -- 4").unwrap().script_arguments, ["4"]);
        assert!(parse("-- 4").is_err());
        assert!(parse("--step a --step b -- 4").is_err());
    }

    #[test]
    fn wrong_arguments_are_named() {
        assert!(parse("--group cdec").unwrap_err().contains("codec"));
        assert!(parse("--seed -1").unwrap_err().contains("--seed"));
        assert!(parse("--seed").unwrap_err().contains("needs a value"));
        assert!(parse("all").unwrap_err().contains("`all`"));
    }
}
