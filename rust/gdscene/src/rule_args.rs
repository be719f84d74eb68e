//! The options for rules, projects and configurations, which several commands have.

use std::path::PathBuf;

use clap::ValueEnum;
use gdscene_lint::Overrides;
use godot_tscn::{GodotVersion, Profile, Severity};

/// How files are checked.
#[derive(Debug, clap::Args)]
pub(crate) struct RuleArgs {
    /// Check only these rules: codes, names, or groups such as REF, DEFAULT or ALL, separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "RULES")]
    pub(crate) select: Vec<String>,

    /// Do not check these rules. If --select and --ignore both match a rule, the more specific one wins.
    #[arg(long, value_delimiter = ',', value_name = "RULES")]
    pub(crate) ignore: Vec<String>,

    /// Also check the rules that are off by default; `gdscene rules` marks them.
    #[arg(long)]
    pub(crate) all_rules: bool,

    /// Report all diagnostics in addons and other third-party code, not only errors.
    ///
    /// The key `third-party` of gdscene.toml lists these folders. By default, these are the folders in addons/, except
    /// an addon with the name of the project and the addon that contains its main scene.
    #[arg(long)]
    pub(crate) third_party: bool,

    /// Whether the files are trusted. Default: the profile in the configuration, or `trusted`.
    #[arg(long, value_enum, value_name = "PROFILE")]
    pub(crate) profile: Option<ProfileChoice>,

    /// The Godot version of the files: 3.x, 3.1 to 3.6, 4.0 to 4.7.
    ///
    /// If neither this option nor the configuration gives a version, version-specific rules do not report anything.
    #[arg(long, value_name = "VERSION")]
    pub(crate) target: Option<GodotVersion>,

    /// Read the configuration from this file instead of the gdscene.toml next to each project.godot.
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,

    /// Ignore all configuration files.
    #[arg(long)]
    pub(crate) no_config: bool,

    /// Check each file alone, without its project.
    #[arg(long)]
    pub(crate) no_project: bool,
}

/// The value of `--profile`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ProfileChoice {
    /// The files are part of the project.
    Trusted,
    /// The files come from others: everything that may run code when Godot loads the file is an error.
    Untrusted,
}

/// The least severity that something is done about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SeverityChoice {
    Error,
    Warning,
    Info,
}

impl RuleArgs {
    /// The profile on the command line, or the default one.
    pub(crate) fn profile(&self) -> Profile {
        self.profile_choice().unwrap_or_default()
    }

    fn profile_choice(&self) -> Option<Profile> {
        self.profile.map(|profile| match profile {
            ProfileChoice::Trusted => Profile::Trusted,
            ProfileChoice::Untrusted => Profile::Untrusted,
        })
    }

    /// The least severity that is shown or fixed, unless the command line says so: who names rules wants all that they report.
    pub(crate) fn least_severity(&self, asked: Option<SeverityChoice>) -> Severity {
        match asked {
            Some(choice) => choice.severity(),
            None if self.all_rules || !self.select.is_empty() => Severity::Info,
            None => Severity::Warning,
        }
    }

    /// The options that override a configuration file.
    pub(crate) fn overrides(&self) -> Overrides {
        Overrides {
            select: self.select.clone(),
            ignore: self.ignore.clone(),
            may_name_others: true,
            all_rules: self.all_rules,
            target: self.target,
            profile: self.profile_choice(),
            no_third_party: self.third_party,
        }
    }
}

impl SeverityChoice {
    pub(crate) fn severity(self) -> Severity {
        match self {
            Self::Error => Severity::Error,
            Self::Warning => Severity::Warning,
            Self::Info => Severity::Info,
        }
    }
}
