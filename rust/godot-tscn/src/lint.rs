//! The whole way from a text to its diagnostics.

use std::cell::RefCell;
use std::sync::LazyLock;

use crate::config_file::{ConfigFile, is_config_path, parse_config};
use crate::consequences::leave_out_consequences;
use crate::diagnostic::{Diagnostic, Severity};
use crate::document::{Document, Field, ReferenceKind, Section, TagKind, ValueKind};
use crate::godot_version::GodotVersion;
use crate::harmless::{self, Weight};
use crate::ignore::apply_suppressions;
use crate::model::facts::Facts;
use crate::model::field_name::FieldName;
use crate::model::node_tree::NodeTree;
use crate::model::resource_ids::ResourceIds;
use crate::rule_choice::{NamePattern, RuleChoice, RuleState};
use crate::rules::{RULES, Reporter, Rule, RuleGroup, RuleInfo, not_known_harmless};
use crate::safety::AllowList;
use crate::span::Span;
use crate::suggest::SuggestionBudget;
use crate::syntax::{self, SyntaxErrorKind};
use crate::withhold::withhold_fixes;
use crate::words;

/// What [`lint`] should know besides the text.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct LintOptions<'a> {
    /// The file's path or name. Nothing is read.
    pub path: Option<&'a str>,
    /// Whether to look at the rules too that are off by default.
    pub all_rules: bool,
    /// The version of Godot that the file is for. Without it, nothing is said about what only some
    /// versions read or write.
    pub target: Option<GodotVersion>,
    /// How far those who made the file are trusted.
    pub profile: Profile,
    /// What an untrusted file may name, if not everything else is allowed.
    pub allow_list: Option<&'a AllowList>,
    /// What is said of single rules.
    pub rules: Option<&'a RuleChoice>,
    /// What names of nodes should look like, if not `PascalCase`.
    pub node_names: Option<&'a NamePattern>,
    /// What names of files should look like, without their extension, if not `snake_case`.
    pub file_names: Option<&'a NamePattern>,
}

/// How far those who made a file are trusted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// It is part of the project: that it runs code is what it is for.
    #[default]
    Trusted,
    /// It is untrusted, such as mods and levels of players. Every way in which loading it may
    /// run code is an error (the rules `SEC…`).
    Untrusted,
}

/// What [`lint`] found.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LintReport {
    /// The diagnostics, by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks a text with all rules, and leaves out what the text suppresses ([`apply_suppressions`]). A settings file, which it is by its path ([`is_config_path`]), is checked
/// by [`lint_config`].
///
/// [`is_config_path`]: crate::is_config_path
///
/// ```
/// use godot_tscn::{LineIndex, LintOptions};
///
/// let text = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"1\")\n";
/// let report = godot_tscn::lint(text, &LintOptions::for_path("res://a.tscn"));
/// let diagnostic = &report.diagnostics[0];
/// assert_eq!(diagnostic.code, "REF001");
/// let position = LineIndex::new(text).position(diagnostic.span.start);
/// assert_eq!((position.line, position.column), (4, 22));
/// ```
pub fn lint(text: &[u8], options: &LintOptions<'_>) -> LintReport {
    if options.path.is_some_and(is_config_path) {
        return lint_config(text, options);
    }
    lint_parsed(&syntax::parse(text), options)
}

/// [`lint`], of a scene or resource that was parsed before.
pub fn lint_parsed(document: &Document<'_>, options: &LintOptions<'_>) -> LintReport {
    let mut report = lint_unsuppressed(document, options, |_| true);
    apply_suppressions(document, options, &RULES_FOR_FILES, &mut report.diagnostics);
    report
}

/// What is told of each of [`RULES`].
static RULES_FOR_FILES: LazyLock<Vec<&RuleInfo>> =
    LazyLock::new(|| RULES.iter().map(|rule| &rule.info).collect());

/// Checks a settings file with the rules for such: those of the group SYN, `duplicate-property` and
/// `duplicate-section`.
///
/// ```
/// let text = b"config_version=5\n\n[application]\n\nconfig/name=\"Game\"\nrun/main_scene=\"res://a.tscn\n";
/// let report = godot_tscn::lint_config(text, &godot_tscn::LintOptions::default());
/// assert_eq!(report.diagnostics[0].name, "unterminated");
/// ```
pub fn lint_config(text: &[u8], options: &LintOptions<'_>) -> LintReport {
    let file = parse_config(text);
    let mut report = lint_config_unsuppressed(&file, options);
    apply_suppressions(file.document(), options, &RULES_FOR_FILES, &mut report.diagnostics);
    report
}

/// [`lint_config`], of a file that was parsed before. What the text suppresses is reported too.
pub fn lint_config_unsuppressed(file: &ConfigFile<'_>, options: &LintOptions<'_>) -> LintReport {
    let context = Context { is_config: true, ..Context::new(file.document(), options) };
    check(&context, options, |rule| rule.is_for_settings_files)
}

/// Checks a parsed text with the rules for which `runs` is true. What the text suppresses is reported too.
pub fn lint_unsuppressed(
    document: &Document<'_>,
    options: &LintOptions<'_>,
    runs: impl Fn(&RuleInfo) -> bool,
) -> LintReport {
    check(&Context::new(document, options), options, |rule| runs(&rule.info))
}

/// Checks an untrusted parsed text with the rules that speak against loading it, and weighs it. No other rule is
/// looked at, however long it would take.
pub(crate) fn lint_for_safety(
    document: &Document<'_>,
    options: &LintOptions<'_>,
) -> (LintReport, Weight) {
    let context = Context::new(document, options);
    let mut report = check(&context, options, |rule| {
        use RuleGroup::{Reference, Security, Structure, Syntax};
        matches!(rule.group, Security | Syntax | Structure | Reference)
            && rule.code != not_known_harmless::RULE.code
    });
    let judgement = harmless::judge(&context);
    let info = &not_known_harmless::RULE.info;
    options.state_of(info).run(&mut report.diagnostics, |diagnostics| {
        not_known_harmless::report(judgement.refusals, &mut Reporter::new(info, diagnostics));
    });
    report.diagnostics.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
    (report, judgement.weight)
}

fn check(
    context: &Context<'_>,
    options: &LintOptions<'_>,
    runs: impl Fn(&Rule) -> bool,
) -> LintReport {
    let mut diagnostics = Vec::new();
    for rule in RULES.iter().filter(|rule| runs(rule)) {
        options.state_of(&rule.info).run(&mut diagnostics, |diagnostics| {
            (rule.check)(context, &mut Reporter::new(&rule.info, diagnostics));
        });
    }
    leave_out_consequences(context.document, &mut diagnostics);
    if !context.is_config {
        withhold_fixes(context.document, options, &mut diagnostics);
    }
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
    LintReport { diagnostics }
}

impl<'a> LintOptions<'a> {
    /// Options for the file at `path`.
    pub fn for_path(path: &'a str) -> Self {
        Self { path: Some(path), ..Self::default() }
    }

    /// Whether a rule is looked at. In untrusted files the rules `SEC…` always are, and so are those that tell that
    /// Godot may read the text in another way than we do.
    pub fn state_of(&self, rule: &RuleInfo) -> RuleState {
        if self.profile == Profile::Untrusted && rule.group == RuleGroup::Security {
            return RuleState::As(Severity::Error);
        }
        let is_on = self.all_rules || !rule.is_off_by_default;
        let usual = if is_on { RuleState::On } else { RuleState::Off };
        if self.profile == Profile::Untrusted && is_about_reading(rule.group, rule.severity) {
            return usual;
        }
        self.rules.and_then(|choice| choice.get(rule)).unwrap_or(usual)
    }
}

/// Whether a diagnostic tells that Godot may read the text in another way than we do, or not at all.
pub(crate) fn is_about_reading(group: RuleGroup, severity: Severity) -> bool {
    match group {
        RuleGroup::Syntax => true,
        RuleGroup::Structure | RuleGroup::Reference => severity == Severity::Error,
        _ => false,
    }
}

impl LintReport {
    /// How many diagnostics have this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count()
    }
}

/// What every rule gets: the document, and what was worked out of it once for all rules.
pub(crate) struct Context<'d> {
    pub(crate) document: &'d Document<'d>,
    /// The file's path or name.
    pub(crate) path: Option<&'d str>,
    /// Whether it is a settings file.
    pub(crate) is_config: bool,
    /// What the file's name promises.
    pub(crate) file_kind: Option<FileKind>,
    pub(crate) ext_resources: ResourceIds<'d>,
    pub(crate) sub_resources: ResourceIds<'d>,
    pub(crate) node_tree: NodeTree<'d>,
    pub(crate) facts: Facts,
    pub(crate) target: Option<GodotVersion>,
    pub(crate) allow_list: Option<&'d AllowList>,
    pub(crate) node_names: Option<&'d NamePattern>,
    pub(crate) file_names: Option<&'d NamePattern>,
    /// Whether tags may be in the text that the parser could not see.
    pub(crate) hides_sections: bool,
    suggestions: SuggestionBudget,
    searched_words: RefCell<Vec<(&'static str, bool)>>,
}

/// What a file's extension promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// `.tscn`, `.escn`
    Scene,
    /// `.tres`
    Resource,
}

impl<'d> Context<'d> {
    fn new(document: &'d Document<'d>, options: &LintOptions<'d>) -> Self {
        Self {
            document,
            path: options.path,
            is_config: false,
            file_kind: options.path.and_then(FileKind::of),
            ext_resources: ResourceIds::new(document, ReferenceKind::ExtResource),
            sub_resources: ResourceIds::new(document, ReferenceKind::SubResource),
            node_tree: NodeTree::new(document),
            facts: Facts::new(document),
            target: options.target,
            allow_list: options.allow_list,
            node_names: options.node_names,
            file_names: options.file_names,
            hides_sections: hides_sections(document),
            suggestions: SuggestionBudget::new(),
            searched_words: RefCell::default(),
        }
    }

    /// Whether `word` is anywhere in the text: a quick way out for rules on rare things.
    ///
    /// Several rules ask for the same word, which is looked for once.
    pub(crate) fn contains(&self, word: &'static str) -> bool {
        let mut known = self.searched_words.borrow_mut();
        if let Some((_, is_there)) = known.iter().find(|(asked, _)| *asked == word) {
            return *is_there;
        }
        let is_there = words::holds(self.document.text(), word.as_bytes());
        known.push((word, is_there));
        is_there
    }

    /// The fields of a tag, with their names as far as Godot knows them.
    #[inline]
    pub(crate) fn named_fields(
        &self,
        section: Section<'d>,
    ) -> impl Iterator<Item = (Field<'d>, Option<FieldName>)> {
        let names = &self.facts.field_names[section.field_range()];
        section.fields().zip(names.iter().copied())
    }

    /// The header's tag, if the text starts with one.
    pub(crate) fn header(&self) -> Option<Section<'d>> {
        let header = self.document.sections().next()?;
        matches!(header.kind(), TagKind::GdScene | TagKind::GdResource).then_some(header)
    }

    /// The number after `format=`. A header without one counts as that of Godot 4.
    pub(crate) fn format(&self) -> Option<i64> {
        self.header()?.field("format").map_or(Some(3), Field::int)
    }

    /// Whether the target is known and not older.
    pub(crate) fn is_for(&self, version: GodotVersion) -> bool {
        self.target.is_some_and(|target| target >= version)
    }

    /// Whether the file is for Godot 4: by its header or by the target.
    pub(crate) fn is_for_godot4(&self) -> bool {
        match self.target {
            Some(target) => target.major >= 4,
            None => self.format().is_some_and(|format| format >= 3),
        }
    }

    /// The candidate that was probably meant by `word`.
    pub(crate) fn nearest<'c>(
        &self,
        word: &[u8],
        candidates: impl IntoIterator<Item = &'c [u8]>,
    ) -> Option<&'c [u8]> {
        self.suggestions.nearest(word, candidates)
    }

    /// The source at `span` for a message: one line, shortened, in backticks.
    pub(crate) fn quote(&self, span: Span) -> String {
        quote(span.of(self.document.text()))
    }
}

impl FileKind {
    fn of(path: &str) -> Option<Self> {
        match path.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "tscn" | "escn" => Some(Self::Scene),
            "tres" => Some(Self::Resource),
            _ => None,
        }
    }
}

/// Text for a message: one line, in backticks. Of a long one the middle is left out, so that the end of a path is seen;
/// paths of files (`res://…`) stay whole.
///
/// ```
/// assert_eq!(godot_tscn::quote(b"two\nlines"), "`two lines`");
/// let long = [b'a'; 40].iter().chain(&[b'b'; 40]).copied().collect::<Vec<u8>>();
/// assert_eq!(godot_tscn::quote(&long), format!("`{}…{}`", "a".repeat(24), "b".repeat(24)));
/// ```
pub fn quote(text: &[u8]) -> String {
    const MAX_CHARACTERS: usize = 49;
    const MAX_PATH: usize = 512;
    let text = text.trim_ascii();
    let is_path =
        [&b"res://"[..], b"uid://", b"user://"].iter().any(|start| text.starts_with(start));
    let most = if is_path { MAX_PATH } else { MAX_CHARACTERS };
    // Nearly all are short and as plain as they look.
    let is_plain = |byte: &u8| matches!(byte, 32..127) && *byte != b'`';
    if text.len() <= most
        && text.iter().all(is_plain)
        && let Ok(text) = std::str::from_utf8(text)
    {
        return format!("`{text}`");
    }
    let mut quoted = String::from("`");
    // No character has more than four bytes.
    let most_bytes = 4 * most;
    if text.len() <= most_bytes && String::from_utf8_lossy(text).chars().count() <= most {
        push_plain(&mut quoted, String::from_utf8_lossy(text).chars());
    } else {
        let half = most / 2;
        let head = String::from_utf8_lossy(&text[..text.len().min(most_bytes)]);
        let tail = String::from_utf8_lossy(&text[text.len().saturating_sub(most_bytes)..]);
        push_plain(&mut quoted, head.chars().take(half));
        quoted.push('…');
        let left_out = tail.chars().count().saturating_sub(half);
        push_plain(&mut quoted, tail.chars().skip(left_out));
    }
    quoted.push('`');
    quoted
}

/// What stands before the name of a class or type: `an` before `Array`.
pub fn article(name: &str) -> &'static str {
    if name.starts_with(['A', 'E', 'I', 'O', 'U', 'a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

fn push_plain(out: &mut String, characters: impl Iterator<Item = char>) {
    for character in characters {
        match character {
            '\r' => {}
            '\n' => out.push(' '),
            '`' => out.push('\''),
            character if character.is_control() => out.push('\u{fffd}'),
            character => out.push(character),
        }
    }
}

/// Whether an id or a node may be defined where the parser could not read it.
pub fn hides_sections(document: &Document<'_>) -> bool {
    use SyntaxErrorKind::*;
    let hides_definition = |section: Section<'_>| {
        let field = match section.kind() {
            TagKind::ExtResource | TagKind::SubResource => "id",
            TagKind::Node => "name",
            // A misspelt node or resource.
            TagKind::Unknown if !section.name().is_empty() => {
                let has = |field| section.field(field).is_some();
                return section.is_broken() || has("name") || has("id");
            }
            _ => return section.name().is_empty(),
        };
        let is_broken = |field: Field<'_>| field.kind() == ValueKind::Invalid;
        section.is_broken() && section.field(field).is_none_or(is_broken)
    };
    document.sections().any(hides_definition)
        || document
            .errors()
            .iter()
            .any(|error| matches!(error.kind, ConflictMarker | Binary | TooLarge | Nul))
}

#[cfg(test)]
mod tests {
    use super::{LintOptions, lint};

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        for path in ["res://project.godot", "a/b.png.import", "plugin.cfg", "c.gdextension"] {
            let found = lint(text.as_bytes(), &LintOptions::for_path(path)).diagnostics;
            let found: Vec<_> = found
                .iter()
                .map(|found| format!("{} {}", found.code, found.severity.as_str()))
                .collect();
            assert_eq!(found, expected, "{path}: {text}");
        }
    }

    #[test]
    fn settings() {
        check("", &[]);
        check("a=1\n\n[b]\n\nc/d.e=\"f\"\n; g\n\"h i\"=Vector2i(1, 2)\n", &[]);
        for (text, found) in [
            ("\u{feff}[a]\n", "SYN009 error"),
            ("[a]\n<<<<<<< b\nc=1\n=======\nc=2\n>>>>>>> d\n", "SYN006 error"),
            ("[a\nb=1\n", "SYN007 error"),
            ("[a]\nb=\"c\n", "SYN007 error"),
            ("[a]\nb=\n[c]\n", "SYN001 error"),
            ("[a]\nb=True\n", "SYN013 error"),
            ("b\nc=1\n", "SYN002 error"),
            ("# b\nc=1\n", "SYN003 error"),
            ("[a]\nb=0x10\nc=1\n", "SYN004 error"),
            ("a b=1\n", "SYN005 error"),
            ("a=Vector2(1)\n", "SYN011 error"),
            ("a={\"b\": 1, \"b\": 2}\n", "SYN016 warning"),
            ("a=1\na=2\n", "STR008 error"),
            ("a=1\na=1\n", "STR008 warning"),
            ("[a]\n[b]\n[a]\n", "STR018 warning"),
        ] {
            check(text, &[found]);
        }
    }
}
