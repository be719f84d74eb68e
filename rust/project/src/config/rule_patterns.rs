//! What names rules in a configuration: a code, a name, a group such as `REF`, `DEFAULT` or `ALL`.

use tscn::RuleInfo;

use crate::rules::all_rules;

/// How exactly `pattern` names the rule: 0 not at all, 1 with all others, 2 with its group, 3 alone.
pub(super) fn rank(pattern: &str, rule: &RuleInfo) -> u8 {
    if rule.is_called(pattern) {
        3
    } else if rule.group.letters().eq_ignore_ascii_case(pattern) {
        2
    } else {
        let is_on = !rule.is_off_by_default;
        u8::from(pattern == "ALL" || pattern == "DEFAULT" && is_on)
    }
}

/// The highest rank that one of the patterns gives the rule.
pub(super) fn strongest(patterns: &[String], rule: &RuleInfo) -> u8 {
    patterns.iter().map(|pattern| rank(pattern, rule)).max().unwrap_or(0)
}

/// Whether some rule is named.
pub(super) fn check_pattern(pattern: &str) -> Result<(), String> {
    if all_rules().any(|rule| rank(pattern, rule) > 0) {
        return Ok(());
    }
    let names = all_rules().flat_map(|rule| [rule.code.as_bytes(), rule.name.as_bytes()]);
    match tscn::nearest(pattern.as_bytes(), names) {
        Some(nearest) => {
            let nearest = String::from_utf8_lossy(nearest);
            Err(format!("no rule `{pattern}`; did you mean `{nearest}`?"))
        }
        None => Err(format!("no rule `{pattern}`; `gdscene rules` lists all")),
    }
}
