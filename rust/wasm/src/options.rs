//! What a call asks for.

use godot_tscn::{
    Diagnostic, GodotVersion, LintOptions, Profile, RULES, RuleChoice, RuleInfo, RuleState,
    UNUSED_SUPPRESSION, is_config_path,
};
use serde::Deserialize;
use wasm_bindgen::prelude::JsError;

/// What a call may ask for. One type for all calls: what reads it is a good part of the library. Which options a call has,
/// `rust/npm` knows.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub(crate) struct Options {
    /// The file's path or name. Nothing is read.
    pub(crate) path: Option<String>,
    target: Option<String>,
    profile: Option<String>,
    select: Vec<String>,
    ignore: Vec<String>,
    all_rules: bool,
    force_escn: bool,
    pub(crate) dialect: Option<String>,
    pub(crate) framed: Option<String>,
    pub(crate) max_rows: Option<usize>,
}

/// What checks a text.
pub(crate) struct Lint<'o> {
    path: Option<&'o str>,
    target: Option<GodotVersion>,
    profile: Profile,
    choice: RuleChoice,
}

/// The options that a JSON text holds.
pub(crate) fn read(options: &str) -> Result<Options, JsError> {
    serde_json::from_str(options).map_err(|error| JsError::new(&format!("options: {error}")))
}

impl Options {
    pub(crate) fn lint(&self) -> Result<Lint<'_>, JsError> {
        let profile = match self.profile.as_deref() {
            None | Some("trusted") => Profile::Trusted,
            Some("untrusted") => Profile::Untrusted,
            Some(other) => {
                let message =
                    format!("`{other}` is not a valid profile; expected `trusted` or `untrusted`");
                return Err(JsError::new(&message));
            }
        };
        let (path, target) = (self.path.as_deref(), target(self.target.as_deref())?);
        Ok(Lint { path, target, profile, choice: self.choice()? })
    }

    pub(crate) fn format(&self) -> Result<godot_tscn::FormatOptions<'_>, JsError> {
        let mut options = godot_tscn::FormatOptions::default();
        options.path = self.path.as_deref();
        options.force_escn = self.force_escn;
        options.target = target(self.target.as_deref())?;
        Ok(options)
    }

    /// As `--select`, `--ignore` and `--all-rules` say it.
    fn choice(&self) -> Result<RuleChoice, JsError> {
        let usual = ["DEFAULT".to_owned()];
        let select = if self.select.is_empty() { &usual[..] } else { &self.select };
        for pattern in self.select.iter().chain(&self.ignore) {
            known(pattern)?;
        }
        let strongest = |patterns: &[String], rule: &RuleInfo| {
            patterns.iter().map(|pattern| rule.rank(pattern)).max().unwrap_or(0)
        };
        let mut choice = RuleChoice::default();
        for rule in all_rules() {
            let selected = strongest(select, rule).max(u8::from(self.all_rules));
            let is_on = selected > strongest(&self.ignore, rule);
            choice.set(rule, if is_on { RuleState::On } else { RuleState::Off });
        }
        Ok(choice)
    }
}

impl Lint<'_> {
    /// What the rules report. Of scripts nothing is: what is wrong with them, only their project tells.
    pub(crate) fn diagnostics(&self, text: &[u8]) -> Vec<Diagnostic> {
        let extension = self.path.and_then(|path| path.rsplit_once('.')).map(|(_, end)| end);
        if extension.is_some_and(|extension| extension.eq_ignore_ascii_case("gd")) {
            return Vec::new();
        }
        let mut options = LintOptions::default();
        options.path = self.path;
        options.target = self.target;
        options.profile = self.profile;
        options.rules = Some(&self.choice);
        match self.path {
            Some(path) if is_config_path(path) => {
                godot_tscn::lint_config(text, &options).diagnostics
            }
            _ => godot_tscn::lint(text, &options).diagnostics,
        }
    }
}

/// The rules that are here.
pub(crate) fn all_rules() -> impl Iterator<Item = &'static RuleInfo> {
    RULES.iter().map(|rule| &rule.info).chain([&UNUSED_SUPPRESSION])
}

fn target(version: Option<&str>) -> Result<Option<GodotVersion>, JsError> {
    version.map(|version| version.parse().map_err(JsError::from)).transpose()
}

fn known(pattern: &str) -> Result<(), JsError> {
    if all_rules().any(|rule| rule.rank(pattern) > 0) {
        return Ok(());
    }
    let names = all_rules().flat_map(|rule| [rule.code.as_bytes(), rule.name.as_bytes()]);
    let meant = godot_tscn::nearest(pattern.as_bytes(), names).map(String::from_utf8_lossy);
    let hint = meant.map(|name| format!("did you mean `{name}`? ")).unwrap_or_default();
    Err(JsError::new(&format!(
        "`{pattern}` does not name a rule for single files; {hint}Rules that need a project are in the native program"
    )))
}
