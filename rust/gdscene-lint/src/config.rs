//! `gdscene.toml`: a project's settings for the linter.
//!
//! The file is next to `project.godot`. All keys may be left out:
//!
//! ```toml
//! select = ["DEFAULT", "STY007"]      # codes, names, groups such as "REF", DEFAULT, ALL
//! ignore = ["unused-ext-resource"]
//! target = "4.5"                      # without it, the version does not matter
//! profile = "trusted"                 # or "untrusted"
//! third-party = ["addons/*"]          # folders of others: errors only; `!` before a pattern takes it out
//!
//! [severity]
//! STY = "warning"                     # error, warning or info
//!
//! [per-path-ignores]
//! "addons/**" = ["STY", "REF012"]
//!
//! [naming]
//! nodes = "PascalCase"                # a style, or a regular expression
//! files = "snake_case"
//!
//! [[rule]]                            # a rule of the project's own: see `docs/own-rules.md`
//! code = "GAME001"
//! message = "`{name}` has no tooltip"
//! nodes = { class = "BaseButton" }
//! must = { properties = { tooltip_text = { set = true } } }
//! ```

mod rule_patterns;
mod third_party;

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use godot_tscn::{
    Diagnostic, GodotVersion, LineIndex, LintOptions, NamePattern, Profile, RuleChoice, RuleInfo,
    RuleState, Severity, is_suppressible,
};
use serde::Deserialize;
use toml::Spanned;

pub(crate) use self::third_party::OwnAddons;
use godot_project::{Project, read_file_up_to};

use self::third_party::{MAX_FOLDERS, ThirdParty};
use crate::globs::{Glob, MAX_GLOBS};
use crate::naming;
use crate::own_rules::{KnownRule, OwnRule, OwnRules, RawRule};
use crate::rules::all_rules;

use rule_patterns::{check_pattern, strongest};

/// The name of the file.
pub const CONFIG_NAME: &str = "gdscene.toml";

/// A configuration that people have written is much smaller.
const MAX_SIZE: u64 = 256 << 10;

/// A project's settings for the linter.
///
/// ```
/// use gdscene_lint::{Config, Overrides};
/// let config = Config::parse("ignore = [\"REF001\"]", "gdscene.toml".as_ref(), &Overrides::default())?;
/// let text = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = ExtResource(\"1\")\n";
/// assert!(godot_tscn::lint(text, &config.options()).diagnostics.is_empty());
///
/// let error = Config::parse("ignor = []", "gdscene.toml".as_ref(), &Overrides::default()).unwrap_err();
/// assert_eq!(error.to_string(), "gdscene.toml:1:1: unknown key `ignor`; did you mean `ignore`?");
/// # Ok::<(), gdscene_lint::ConfigError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Config {
    rules: RuleChoice,
    path_ignores: Vec<(Glob, Vec<&'static str>)>,
    third_party: ThirdParty,
    target: Option<GodotVersion>,
    profile: Profile,
    node_names: Option<NamePattern>,
    file_names: Option<NamePattern>,
    own: Arc<OwnRules>,
    /// The file and its text, if the project has rules of its own: their names are looked up once the project is known.
    source: Option<Arc<(PathBuf, String)>>,
}

/// The settings of a command line, which have priority over the file.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Takes the place of `select`, if there is something in it.
    pub select: Vec<String>,
    /// Is added to `ignore`.
    pub ignore: Vec<String>,
    /// Whether both may name rules that only other projects define; [`Overrides::check`] finds those that nothing defines.
    pub may_name_others: bool,
    /// Whether to select all rules.
    pub all_rules: bool,
    /// Takes the place of `target`.
    pub target: Option<GodotVersion>,
    /// Takes the place of `profile`.
    pub profile: Option<Profile>,
    /// Whether no folder counts as code of others.
    pub no_third_party: bool,
}

impl Overrides {
    /// Whether each name in `select` and `ignore` is that of a rule in one of the configurations.
    ///
    /// # Errors
    /// The first one that is not.
    pub fn check(&self, configs: &[Arc<Config>]) -> Result<(), ConfigError> {
        let own = configs.iter().flat_map(|config| config.own.infos());
        let mut known: Vec<&RuleInfo> = all_rules().collect();
        known.extend(own);
        let mut patterns = self.select.iter().chain(&self.ignore);
        patterns.try_for_each(|pattern| {
            let error = |message| ConfigError { path: None, position: None, message };
            check_pattern(pattern, &known).map_err(error)
        })
    }
}

/// Why a configuration cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The file, if it is about one.
    pub path: Option<PathBuf>,
    /// The line and column, from 1, if it is about a place.
    pub position: Option<(u32, u32)>,
    /// The error.
    pub message: String,
}

/// The raw contents of the file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Raw {
    select: Option<Vec<Spanned<String>>>,
    ignore: Vec<Spanned<String>>,
    severity: BTreeMap<Spanned<String>, Spanned<String>>,
    per_path_ignores: BTreeMap<Spanned<String>, Vec<Spanned<String>>>,
    target: Option<Spanned<String>>,
    profile: Option<Spanned<String>>,
    third_party: Option<Vec<Spanned<String>>>,
    naming: RawNaming,
    rule: Vec<RawRule>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct RawNaming {
    nodes: Option<Spanned<String>>,
    files: Option<Spanned<String>>,
}

/// Something wrong at a place of the file, or on the command line.
type Wrong = (Option<Range<usize>>, String);

impl Config {
    /// The configuration of the project in the folder `root`: its `gdscene.toml`, if it has one, and the command
    /// line.
    ///
    /// # Errors
    /// When the file cannot be read, or something in it is unknown.
    pub fn of_project(root: &Path, overrides: &Overrides) -> Result<Self, ConfigError> {
        let path = root.join(CONFIG_NAME);
        match read_text(&path) {
            Ok(text) => Self::parse(&text, &path, overrides),
            Err(error) if error.kind() == ErrorKind::NotFound => Self::without_file(overrides),
            Err(error) => Err(ConfigError::unreadable(&path, &error)),
        }
    }

    /// The configuration in a file.
    ///
    /// # Errors
    /// As [`Config::of_project`]; also when there is no such file.
    pub fn read(path: &Path, overrides: &Overrides) -> Result<Self, ConfigError> {
        let text = read_text(path).map_err(|error| ConfigError::unreadable(path, &error))?;
        Self::parse(&text, path, overrides)
    }

    /// The settings of a command line, without a file.
    ///
    /// # Errors
    /// When it names rules that do not exist.
    pub fn without_file(overrides: &Overrides) -> Result<Self, ConfigError> {
        let made = Self::of_raw(&Raw::default(), "", overrides);
        made.map_err(|(_, message)| ConfigError { path: None, position: None, message })
    }

    /// Reads a text. `path` is for messages.
    ///
    /// # Errors
    /// As [`Config::of_project`].
    pub fn parse(text: &str, path: &Path, overrides: &Overrides) -> Result<Self, ConfigError> {
        let raw =
            toml::from_str::<Raw>(text).map_err(|error| (error.span(), explained(text, &error)));
        let made = raw.and_then(|raw| Self::of_raw(&raw, text, overrides));
        let mut config = made.map_err(|wrong| ConfigError::at(wrong, text, path))?;
        if !config.own.rules.is_empty() {
            config.source = Some(Arc::new((path.to_owned(), text.to_owned())));
        }
        Ok(config)
    }

    fn of_raw(raw: &Raw, text: &str, overrides: &Overrides) -> Result<Self, Wrong> {
        let own = OwnRules::read(&raw.rule, text);
        let own = Arc::new(own.map_err(|(span, message)| (Some(span), message))?);
        let mut known: Vec<&RuleInfo> = all_rules().collect();
        known.extend(own.infos());
        let mut config = Self { rules: chosen_rules(raw, overrides, &known)?, ..Self::default() };
        for (pattern, rules) in &raw.per_path_ignores {
            let matcher = glob(pattern, pattern.get_ref(), config.path_ignores.len(), MAX_GLOBS)?;
            let rules = checked(rules, &known)?;
            let codes = known.iter().filter(|rule| strongest(&rules, rule) > 0);
            config.path_ignores.push((matcher, codes.map(|rule| rule.code).collect()));
        }
        config.own = Arc::clone(&own);
        config.third_party = third_party(raw, overrides)?;
        let target = raw.target.as_ref().map(|target| {
            let version = target.get_ref().parse::<GodotVersion>();
            version.map_err(|error| (Some(target.span()), error.to_string()))
        });
        config.target = overrides.target.or(target.transpose()?);
        let profile = raw.profile.as_ref().map(|profile| match profile.get_ref().as_str() {
            "trusted" => Ok(Profile::Trusted),
            "untrusted" => Ok(Profile::Untrusted),
            other => {
                let message =
                    format!("`{other}` is not a valid profile; expected `trusted` or `untrusted`");
                Err((Some(profile.span()), message))
            }
        });
        config.profile = overrides.profile.or(profile.transpose()?).unwrap_or_default();
        config.node_names = pattern(raw.naming.nodes.as_ref())?;
        config.file_names = pattern(raw.naming.files.as_ref())?;
        Ok(config)
    }

    /// How far the authors of the files are trusted.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The rules that the project defines itself.
    pub fn own_rules(&self) -> impl Iterator<Item = &OwnRule> {
        self.own.rules.iter()
    }

    /// All rules, those that the project defines itself last.
    pub fn known_rules(&self) -> impl Iterator<Item = KnownRule<'_>> {
        all_rules().map(KnownRule::BuiltIn).chain(self.own_rules().map(KnownRule::Own))
    }

    /// What [`Config::own_rules`] find.
    pub(crate) fn own(&self) -> &OwnRules {
        &self.own
    }

    /// Whether a project has the classes and properties that its rules name.
    ///
    /// # Errors
    /// The first one that it does not have.
    pub fn check_names_in(&self, project: &Project) -> Result<(), ConfigError> {
        let Some(source) = &self.source else { return Ok(()) };
        let (path, text) = &**source;
        self.own
            .check_names_in(project)
            .map_err(|(span, message)| ConfigError::at((Some(span), message), text, path))
    }

    /// The options for a file; the caller adds its path.
    pub fn options(&self) -> LintOptions<'_> {
        let mut options = LintOptions::default();
        options.rules = Some(&self.rules);
        options.target = self.target;
        options.profile = self.profile;
        options.node_names = self.node_names.as_ref();
        options.file_names = self.file_names.as_ref();
        options
    }

    /// The third-party folder with the file at `path` (`res://…`). Untrusted files are all treated
    /// alike, wherever they lie.
    pub(crate) fn third_party_folder<'p>(
        &self,
        path: &'p str,
        own_addons: &OwnAddons,
    ) -> Option<&'p str> {
        let path = path.strip_prefix("res://").filter(|_| self.profile == Profile::Trusted)?;
        self.third_party.folder_of(path, own_addons)
    }

    /// Leaves out the findings that the configuration does not want in the file at `path` (`res://…`, or another name outside the
    /// project): rules in `per-path-ignores`, and all but errors in third-party code.
    pub(crate) fn leave_out(
        &self,
        path: &str,
        own_addons: &OwnAddons,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        if self.third_party_folder(path, own_addons).is_some() {
            diagnostics.retain(|found| found.severity == Severity::Error);
        }
        let path = path.strip_prefix("res://").unwrap_or(path);
        let options = self.options();
        for (_, codes) in self.path_ignores.iter().filter(|(glob, _)| glob.is_match(path)) {
            diagnostics
                .retain(|found| !codes.contains(&found.code) || !is_suppressible(found, &options));
        }
    }
}

impl ConfigError {
    fn at((span, message): Wrong, text: &str, path: &Path) -> Self {
        let position = span.map(|span| {
            let position = LineIndex::new(text.as_bytes()).position(span.start as u32);
            (position.line, position.column)
        });
        // What the command line says is nowhere in the file.
        let path = position.is_some().then(|| path.to_owned());
        Self { path, position, message }
    }

    fn unreadable(path: &Path, error: &std::io::Error) -> Self {
        let message = format!("cannot be read: {error}");
        Self { path: Some(path.to_owned()), position: None, message }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}:", path.display())?;
            if let Some((line, column)) = self.position {
                write!(f, "{line}:{column}:")?;
            }
            write!(f, " ")?;
        }
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for ConfigError {}

/// The state of every rule.
fn chosen_rules(
    raw: &Raw,
    overrides: &Overrides,
    known: &[&RuleInfo],
) -> Result<RuleChoice, Wrong> {
    let of_command = |patterns: &[String]| -> Result<Vec<String>, Wrong> {
        let checks = patterns.iter().map(|pattern| match check_pattern(pattern, known) {
            Err(message) if !overrides.may_name_others => Err((None, message)),
            _ => Ok(pattern.clone()),
        });
        checks.collect()
    };
    let of_file = raw.select.as_deref().map(|rules| checked(rules, known)).transpose()?;
    let mut select = of_file.unwrap_or_else(|| vec!["DEFAULT".to_owned()]);
    if !overrides.select.is_empty() {
        select = of_command(&overrides.select)?;
    }
    if overrides.all_rules {
        select.push("ALL".to_owned());
    }
    let mut ignore = checked(&raw.ignore, known)?;
    ignore.extend(of_command(&overrides.ignore)?);
    let mut severities = Vec::new();
    for (pattern, severity) in &raw.severity {
        check_pattern(pattern.get_ref(), known).map_err(|reason| (Some(pattern.span()), reason))?;
        let severities_known = [Severity::Error, Severity::Warning, Severity::Info];
        let named = severities_known.into_iter().find(|found| found.as_str() == severity.get_ref());
        let reason = || {
            let message = "expected `error`, `warning` or `info`; to turn a rule off, use `ignore`";
            let severity_name = severity.get_ref();
            (Some(severity.span()), format!("`{severity_name}` is not a valid severity; {message}"))
        };
        severities.push((pattern.get_ref(), named.ok_or_else(reason)?));
    }
    let mut choice = RuleChoice::default();
    for rule in known {
        let severity = severities.iter().map(|(pattern, severity)| (rule.rank(pattern), *severity));
        let severity = severity.filter(|(rank, _)| *rank > 0).max_by_key(|(rank, _)| *rank);
        let state = match severity {
            _ if strongest(&select, rule) <= strongest(&ignore, rule) => RuleState::Off,
            Some((_, severity)) => RuleState::As(severity),
            None => RuleState::On,
        };
        // Nothing has to be looked up for a rule that is as it says itself.
        let usual = if rule.is_off_by_default { RuleState::Off } else { RuleState::On };
        if state != usual {
            choice.set(rule, state);
        }
    }
    Ok(choice)
}

/// A pattern of paths, at `place` in the file, after `count` others of the same key.
fn glob(place: &Spanned<String>, text: &str, count: usize, max: usize) -> Result<Glob, Wrong> {
    let made = match count < max {
        true => Glob::new(text),
        false => Err(format!("more than {max} path patterns; use fewer patterns")),
    };
    made.map_err(|reason| (Some(place.span()), reason))
}

fn third_party(raw: &Raw, overrides: &Overrides) -> Result<ThirdParty, Wrong> {
    let Some(patterns) = &raw.third_party else {
        return Ok(match overrides.no_third_party {
            true => ThirdParty::new(Vec::new()),
            false => ThirdParty::default(),
        });
    };
    let made = patterns.iter().enumerate().map(|(count, pattern)| {
        let text = pattern.get_ref().as_str();
        let (is_in, text) = text.strip_prefix('!').map_or((true, text), |text| (false, text));
        // A folder is often written with a slash behind it.
        let text = text.strip_suffix('/').unwrap_or(text);
        Ok((is_in, glob(pattern, text, count, MAX_FOLDERS)?))
    });
    let mut patterns = made.collect::<Result<Vec<_>, Wrong>>()?;
    if overrides.no_third_party {
        patterns.clear();
    }
    Ok(ThirdParty::new(patterns))
}

fn checked(
    patterns: impl AsRef<[Spanned<String>]>,
    known: &[&RuleInfo],
) -> Result<Vec<String>, Wrong> {
    let checks = patterns.as_ref().iter().map(|pattern| {
        let name = pattern.get_ref();
        let check = check_pattern(name, known).map(|()| name.clone());
        check.map_err(|reason| (Some(pattern.span()), reason))
    });
    checks.collect()
}

fn pattern(text: Option<&Spanned<String>>) -> Result<Option<NamePattern>, Wrong> {
    let made = text
        .map(|text| naming::pattern(text.get_ref()).map_err(|reason| (Some(text.span()), reason)));
    made.transpose()
}

fn read_text(path: &Path) -> io::Result<String> {
    let text = read_file_up_to(path, MAX_SIZE)?;
    String::from_utf8(text).map_err(|_| io::Error::new(ErrorKind::InvalidData, "is not UTF-8"))
}

/// The message of an error: it names the key, and has a suggestion if the key is unknown.
fn explained(text: &str, error: &toml::de::Error) -> String {
    let message = error.message();
    if let Some((found, wanted)) =
        message.strip_prefix("invalid type: ").and_then(|rest| rest.split_once(", expected "))
    {
        let wanted = match wanted {
            "a string" => "a string in quotes",
            "a sequence" => "a list in brackets",
            "a map" => "a table",
            wanted if wanted.starts_with("struct ") => "a table",
            wanted => wanted,
        };
        return match error.span().and_then(|span| key_before(text, span.start)) {
            Some(key) => format!("`{key}` must be {wanted}, not {found}"),
            None => format!("expected {wanted}, found {found}"),
        };
    }
    if !message.starts_with("unknown field") {
        return message.trim_end_matches('.').to_owned();
    }
    // serde: unknown field `a`, expected one of `b`, `c`
    let mut words = message.split('`').skip(1).step_by(2);
    let unknown = words.next().unwrap_or_default();
    let known: Vec<&str> = words.collect();
    if unknown == "engine" {
        let instead = "use `--engine=PATH` or the variable GODOT";
        return format!(
            "a project cannot choose the engine that runs; remove `engine`, and {instead}"
        );
    }
    let nearest = godot_tscn::nearest(unknown.as_bytes(), known.iter().map(|word| word.as_bytes()));
    match nearest {
        Some(nearest) => {
            let nearest = String::from_utf8_lossy(nearest);
            format!("unknown key `{unknown}`; did you mean `{nearest}`?")
        }
        None => format!("unknown key `{unknown}`; valid keys are `{}`", known.join("`, `")),
    }
}

/// The key of the value that contains the offset `at`.
fn key_before(text: &str, at: usize) -> Option<&str> {
    let (before, _) = text.get(..at)?.rsplit_once('=')?;
    let key = before.rsplit('\n').next().unwrap_or(before).trim();
    (!key.is_empty()).then_some(key)
}

#[cfg(test)]
mod tests;
