//! What can be said on the command line about rules, projects and configurations.

use std::path::PathBuf;

use clap::ValueEnum;
use project::Overrides;
use tscn::{GodotVersion, Profile};

/// How files are looked at.
#[derive(Debug, clap::Args)]
pub(crate) struct RuleArgs {
    /// Look at these rules only: codes, names, groups such as REF, DEFAULT or ALL, with commas between them.
    #[arg(long, value_delimiter = ',', value_name = "RULES")]
    pub(crate) select: Vec<String>,

    /// Do not look at these rules. The more exact of --select and --ignore wins.
    #[arg(long, value_delimiter = ',', value_name = "RULES")]
    pub(crate) ignore: Vec<String>,

    /// Look at the rules too that are off by default; `gdscene rules` marks them.
    #[arg(long)]
    pub(crate) all_rules: bool,

    /// How far those who made the files are trusted; `trusted` if the configuration says nothing else.
    #[arg(long, value_enum, value_name = "PROFILE")]
    pub(crate) profile: Option<ProfileChoice>,

    /// The version of Godot that the files are for: 3.x, 3.1 to 3.6, 4.0 to 4.7.
    ///
    /// Without it, and without one in the configuration, nothing is said about what only some versions
    /// read or write.
    #[arg(long, value_name = "VERSION")]
    pub(crate) target: Option<GodotVersion>,

    /// Take the configuration from this file instead of the gdscene.toml beside each project.godot.
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,

    /// Read no configuration.
    #[arg(long)]
    pub(crate) no_config: bool,

    /// Look at each file alone, without the project that it lies in.
    #[arg(long)]
    pub(crate) no_project: bool,
}

/// The value of `--profile`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ProfileChoice {
    /// They are part of the project.
    Trusted,
    /// They come from strangers: every way in which loading one may run code is an error.
    Untrusted,
}

impl RuleArgs {
    /// How far those who made the files are trusted, as far as the command line says.
    pub(crate) fn profile(&self) -> Profile {
        self.profile_choice().unwrap_or_default()
    }

    fn profile_choice(&self) -> Option<Profile> {
        self.profile.map(|profile| match profile {
            ProfileChoice::Trusted => Profile::Trusted,
            ProfileChoice::Untrusted => Profile::Untrusted,
        })
    }

    /// What counts more than a configuration file.
    pub(crate) fn overrides(&self) -> Overrides {
        Overrides {
            select: self.select.clone(),
            ignore: self.ignore.clone(),
            all_rules: self.all_rules,
            target: self.target,
            profile: self.profile_choice(),
        }
    }
}
