//! Findings in files for a Godot that is newer than the tables of this crate.

use crate::diagnostic::{Diagnostic, Severity};
use crate::godot_version::GodotVersion;
use crate::options::{LintOptions, Profile};

/// The tables that a rule depends on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Knowledge {
    /// Tags, fields, constructors, and their form in saved files.
    Format,
    /// Classes and their members. A running engine provides them, too.
    Classes,
    /// Values of properties, and settings.
    Values,
}

/// The rules that depend on tables of Godot's versions. All others hold in any version.
const RULES: &[(&str, Knowledge)] = &[
    ("FMT001", Knowledge::Values),
    ("FMT002", Knowledge::Values),
    ("FMT003", Knowledge::Values),
    ("FMT004", Knowledge::Values),
    ("FMT005", Knowledge::Values),
    ("FMT007", Knowledge::Values),
    ("MIG002", Knowledge::Values),
    ("MIG003", Knowledge::Values),
    ("MIG006", Knowledge::Values),
    ("MIG007", Knowledge::Format),
    ("RES007", Knowledge::Classes),
    ("RES018", Knowledge::Values),
    ("SIG002", Knowledge::Classes),
    ("SIG005", Knowledge::Classes),
    ("SIG006", Knowledge::Values),
    ("STR001", Knowledge::Format),
    ("STR002", Knowledge::Format),
    ("STR003", Knowledge::Format),
    ("STR004", Knowledge::Format),
    ("STR005", Knowledge::Format),
    ("STR006", Knowledge::Format),
    ("STR010", Knowledge::Format),
    ("STR013", Knowledge::Format),
    ("STR014", Knowledge::Format),
    ("STR017", Knowledge::Format),
    ("STY001", Knowledge::Format),
    ("STY009", Knowledge::Values),
    ("STY010", Knowledge::Format),
    ("SYN011", Knowledge::Format),
    ("SYN015", Knowledge::Format),
    ("TREE013", Knowledge::Classes),
    ("TREE014", Knowledge::Classes),
    ("TREE015", Knowledge::Classes),
    ("TREE016", Knowledge::Classes),
    ("TREE021", Knowledge::Classes),
    ("TREE022", Knowledge::Values),
];

/// The codes of the rules with findings that are infos in a file for a Godot that is newer than the
/// tables.
pub fn rules_of_versions() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|(code, _)| *code)
}

/// The largest number of characters that a message repeats from the file.
const SHOWN: usize = 60;

/// Turns findings into infos without a fix if their rule depends on tables older than the target. Untrusted files keep their
/// errors, because unknown things may be harmful.
pub(crate) fn soften(text: &[u8], options: &LintOptions<'_>, found: &mut [Diagnostic]) {
    let Some(target) = options.target.filter(|target| *target > GodotVersion::NEWEST_WITH_CLASSES)
    else {
        return;
    };
    if options.profile == Profile::Untrusted {
        return;
    }
    for found in found {
        let knowledge = RULES.iter().find(|(code, _)| *code == found.code);
        let newest = match knowledge {
            None => continue,
            Some((_, Knowledge::Classes)) if options.has_live_classes => continue,
            Some((_, Knowledge::Format)) => GodotVersion::NEWEST,
            Some(_) => GodotVersion::NEWEST_WITH_CLASSES,
        };
        if target > newest {
            soften_one(text, target, newest, found);
        }
    }
}

fn soften_one(text: &[u8], target: GodotVersion, newest: GodotVersion, found: &mut Diagnostic) {
    let shown = String::from_utf8_lossy(found.span.of(text));
    let line = shown.lines().next().unwrap_or_default().trim_matches('"');
    let name = line.char_indices().nth(SHOWN).map_or(line, |(end, _)| &line[..end]);
    found.severity = Severity::Info;
    found.message =
        format!("`{name}` is unknown to this version of gdscene, which knows Godot up to {newest}");
    found.cause = Some(
        format!(
            "Godot {target} is newer than this version of gdscene, which knows Godot up to {newest}"
        )
        .into(),
    );
    found.labels.clear();
    (found.consequence, found.help, found.fix) = (None, None, None);
}

#[cfg(test)]
mod tests {
    use super::RULES;
    use crate::{Diagnostic, GodotVersion, LintOptions, Profile, Severity, lint};

    const STRANGE: &[u8] =
        b"[gd_scene format=3]\n\n[widget name=\"A\"]\n\n[node name=\"A\" type=\"Node\" colour=1]\n\
                             x = Vector9(1, 2)\ny = [Vector2(1, 2)\n";

    fn check(options: LintOptions<'_>) -> Vec<Diagnostic> {
        lint(STRANGE, &options).diagnostics
    }

    #[test]
    fn what_a_newer_version_may_know_is_an_info() {
        let target = Some(GodotVersion::godot4(42));
        let found = check(LintOptions { target, ..LintOptions::default() });
        let of = |code: &str| found.iter().find(|found| found.code == code);
        for code in ["STR003", "STR006", "SYN015"] {
            let found = of(code).expect(code);
            assert_eq!((found.severity, &found.fix), (Severity::Info, &None), "{code}");
            assert!(found.message.contains("is unknown to this version of gdscene"), "{found:?}");
        }
        // No version reads an array without its end.
        assert!(
            found.iter().any(|found| found.code == "SYN007" && found.severity == Severity::Error)
        );
    }

    #[test]
    fn known_versions_and_untrusted_files_keep_their_errors() {
        let known = LintOptions { target: Some(GodotVersion::NEWEST), ..LintOptions::default() };
        let target = Some(GodotVersion::godot4(42));
        let untrusted =
            LintOptions { target, profile: Profile::Untrusted, ..LintOptions::default() };
        for options in [known, untrusted] {
            let found = check(options);
            assert!(
                found
                    .iter()
                    .any(|found| found.code == "STR003" && found.severity == Severity::Error)
            );
        }
    }

    #[test]
    fn rules_are_in_order() {
        assert!(RULES.is_sorted_by_key(|(code, _)| code));
    }
}
