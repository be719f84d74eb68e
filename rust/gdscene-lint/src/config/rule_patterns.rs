//! The names of rules in a configuration: a code, a name, a group such as `REF`, `DEFAULT` or
//! `ALL`.

use godot_tscn::RuleInfo;

/// The highest rank that one of the patterns gives the rule.
pub(super) fn strongest(patterns: &[String], rule: &RuleInfo) -> u8 {
    patterns.iter().map(|pattern| rule.rank(pattern)).max().unwrap_or(0)
}

/// Whether some rule of `known` is named.
pub(super) fn check_pattern(pattern: &str, known: &[&RuleInfo]) -> Result<(), String> {
    if known.iter().any(|rule| rule.rank(pattern) > 0) {
        return Ok(());
    }
    let names = known.iter().flat_map(|rule| [rule.code.as_bytes(), rule.name.as_bytes()]);
    match godot_tscn::nearest(pattern.as_bytes(), names) {
        Some(nearest) => {
            let nearest = String::from_utf8_lossy(nearest);
            Err(format!("unknown rule `{pattern}`; did you mean `{nearest}`?"))
        }
        None => Err(format!("unknown rule `{pattern}`; `gdscene rules` lists all rules")),
    }
}
