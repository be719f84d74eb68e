//! What names rules in a configuration: a code, a name, a group such as `REF`, `DEFAULT` or `ALL`.

use godot_tscn::RuleInfo;

use crate::rules::all_rules;

/// The highest rank that one of the patterns gives the rule.
pub(super) fn strongest(patterns: &[String], rule: &RuleInfo) -> u8 {
    patterns.iter().map(|pattern| rule.rank(pattern)).max().unwrap_or(0)
}

/// Whether some rule is named.
pub(super) fn check_pattern(pattern: &str) -> Result<(), String> {
    if all_rules().any(|rule| rule.rank(pattern) > 0) {
        return Ok(());
    }
    let names = all_rules().flat_map(|rule| [rule.code.as_bytes(), rule.name.as_bytes()]);
    match godot_tscn::nearest(pattern.as_bytes(), names) {
        Some(nearest) => {
            let nearest = String::from_utf8_lossy(nearest);
            Err(format!("no rule `{pattern}`; did you mean `{nearest}`?"))
        }
        None => Err(format!("no rule `{pattern}`; `gdscene rules` lists all")),
    }
}
