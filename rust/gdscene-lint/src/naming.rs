//! Forms of names in a configuration: a style by its name, or a regular expression.

use godot_tscn::NamePattern;
use regex::RegexBuilder;

/// The styles, and the expressions that they stand for.
const STYLES: [(&str, &str); 4] = [
    ("PascalCase", r"[\p{Lu}\p{Lt}\p{Lo}][\p{L}\p{N}]*"),
    ("camelCase", r"[\p{Ll}\p{Lo}][\p{L}\p{N}]*"),
    ("snake_case", r"[\p{Ll}\p{Lo}\p{N}_.]+"),
    ("kebab-case", r"[\p{Ll}\p{Lo}\p{N}.-]+"),
];

/// The program of an expression, and what it remembers while it runs, have at most this many bytes each.
const MAX_PROGRAM: usize = 1 << 20;

/// The form that `text` describes, which whole names must have. To compare takes time in proportion to the name.
pub(crate) fn pattern(text: &str) -> Result<NamePattern, String> {
    let style = STYLES.iter().find(|(name, _)| *name == text);
    let expression = style.map_or(text, |(_, expression)| expression);
    let mut builder = RegexBuilder::new(&format!("^(?:{expression})$"));
    builder.size_limit(MAX_PROGRAM).dfa_size_limit(MAX_PROGRAM);
    let regex = builder.build().map_err(|error| {
        let reason = error.to_string();
        let reason = reason.lines().last().unwrap_or_default().trim_start_matches("error: ");
        let styles = STYLES.map(|(name, _)| name).join("`, `");
        format!("not a style (`{styles}`) and not a valid regular expression: {reason}")
    })?;
    Ok(NamePattern::new(text, move |name| regex.is_match(name)))
}
