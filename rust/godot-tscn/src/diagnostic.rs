//! The findings of rules, as plain data. Renderers live elsewhere.

use std::borrow::Cow;

use crate::edit_set::Edit;
use crate::file_edits::FileEdits;
use crate::span::Span;

/// Something that is wrong, doubtful or needless in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule's code: `REF007`.
    pub code: &'static str,
    /// The rule's name: `unused-ext-resource`.
    pub name: &'static str,
    /// The rule's group.
    pub group: RuleGroup,
    /// How bad it is.
    pub severity: Severity,
    /// The problem and the remedy. Lower case, no final dot, code in backticks.
    pub message: String,
    /// Where it is.
    pub span: Span,
    /// Other places that explain this one.
    pub labels: Vec<Label>,
    /// The effect in Godot.
    pub consequence: Option<Cow<'static, str>>,
    /// Why it is so, if many diagnostics may have this cause: `the folder "res://art" is missing`. Output for people shows
    /// those with one cause together.
    pub cause: Option<Cow<'static, str>>,
    /// Further help.
    pub help: Option<Cow<'static, str>>,
    /// How to repair it.
    pub fix: Option<Fix>,
}

/// How bad a diagnostic is, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Works, but not as it should.
    Warning,
    /// Godot refuses, crashes or loses data.
    Error,
}

/// A group of rules: the letters that their codes begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleGroup {
    /// `ENG`: what the engine itself reports.
    Engine,
    /// `EXP`: exported variables.
    Export,
    /// `FMT`: layout.
    Format,
    /// `MIG`: content of another version of Godot.
    Migration,
    /// Rules that a project defines itself. Their codes begin with letters of its choice.
    Own,
    /// `PERF`: slow content.
    Performance,
    /// `REF`: ids of resources.
    Reference,
    /// `RES`: files and uids.
    Resource,
    /// `SCR`: references in scripts.
    Script,
    /// `SEC`: possible actions of an untrusted file.
    Security,
    /// `SIG`: signals and connections.
    Signal,
    /// `STR`: sections, fields and properties.
    Structure,
    /// `STY`: style.
    Style,
    /// `SYN`: text that Godot cannot read.
    Syntax,
    /// `TREE`: nodes.
    Tree,
}

/// A second place of a [`Diagnostic`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where it is.
    pub span: Span,
    /// Its relation to the diagnostic: `first defined here`.
    pub text: Cow<'static, str>,
}

/// A way to repair the finding of a [`Diagnostic`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Its effect: `remove the line`.
    pub title: Cow<'static, str>,
    /// Whether it may be applied without a look.
    pub applicability: Applicability,
    edits: Vec<Edit>,
    other_files: Vec<FileEdits>,
}

/// Whether a [`Fix`] may be applied without a look, the least careful last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Applicability {
    /// The object graph that Godot loads stays equal; or Godot could not load the file before.
    /// Comments are kept.
    Safe,
    /// The content that Godot loads may change.
    Unsafe,
    /// Only to be shown: it needs a human's completion.
    DisplayOnly,
}

impl Severity {
    /// `error`, `warning` or `info`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl RuleGroup {
    const ALL: &'static [(Self, &'static str)] = &[
        (Self::Engine, "ENG"),
        (Self::Export, "EXP"),
        (Self::Format, "FMT"),
        (Self::Migration, "MIG"),
        (Self::Performance, "PERF"),
        (Self::Reference, "REF"),
        (Self::Resource, "RES"),
        (Self::Script, "SCR"),
        (Self::Security, "SEC"),
        (Self::Signal, "SIG"),
        (Self::Structure, "STR"),
        (Self::Style, "STY"),
        (Self::Syntax, "SYN"),
        (Self::Tree, "TREE"),
    ];

    /// The group of the rule with this code.
    ///
    /// ```
    /// assert_eq!(godot_tscn::RuleGroup::of("TREE001"), Some(godot_tscn::RuleGroup::Tree));
    /// assert_eq!(godot_tscn::RuleGroup::of("TREES"), None);
    /// ```
    pub const fn of(code: &str) -> Option<Self> {
        let code = code.as_bytes();
        let mut len = 0;
        while len < code.len() && !code[len].is_ascii_digit() {
            len += 1;
        }
        let (letters, mut index) = (code.split_at(len).0, 0);
        while index < Self::ALL.len() {
            if is_same(letters, Self::ALL[index].1.as_bytes()) {
                return Some(Self::ALL[index].0);
            }
            index += 1;
        }
        None
    }

    /// The letters of all groups that have some.
    pub fn all_letters() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().map(|(_, letters)| *letters)
    }

    /// The letters that the codes begin with: `SEC`. Empty for [`RuleGroup::Own`].
    pub fn letters(self) -> &'static str {
        Self::ALL.iter().find(|(group, _)| *group == self).map_or("", |(_, letters)| letters)
    }
}

impl Applicability {
    /// `safe`, `unsafe` or `display-only`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
            Self::DisplayOnly => "display-only",
        }
    }
}

impl Diagnostic {
    /// Adds a second place.
    pub fn label(&mut self, span: Span, text: impl Into<Cow<'static, str>>) -> &mut Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Sets the effect in Godot.
    pub fn consequence(&mut self, text: impl Into<Cow<'static, str>>) -> &mut Self {
        self.consequence = Some(text.into());
        self
    }

    /// Sets why it is so.
    pub fn cause(&mut self, text: impl Into<Cow<'static, str>>) -> &mut Self {
        self.cause = Some(text.into());
        self
    }

    /// Sets further help.
    pub fn help(&mut self, text: impl Into<Cow<'static, str>>) -> &mut Self {
        self.help = Some(text.into());
        self
    }

    /// Sets how to repair it.
    pub fn fix(&mut self, fix: Fix) -> &mut Self {
        self.fix = Some(fix);
        self
    }
}

impl Fix {
    /// A fix of these edits, brought into order.
    ///
    /// # Panics
    /// When two edits overlap.
    pub fn new(
        title: impl Into<Cow<'static, str>>,
        applicability: Applicability,
        edits: Vec<Edit>,
    ) -> Self {
        let edits = Edit::in_order(edits);
        Self { title: title.into(), applicability, edits, other_files: Vec::new() }
    }

    /// Lets the fix change other files of the project too. It counts as a whole then: applying it changes all
    /// of the files or none.
    #[must_use]
    pub fn with_other_files(mut self, files: Vec<FileEdits>) -> Self {
        self.other_files = files;
        self
    }

    /// The edits in the text itself: disjoint, sorted by place.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// The changes in other files. [`crate::apply_fixes`] leaves such fixes out: it knows one text.
    pub fn other_files(&self) -> &[FileEdits] {
        &self.other_files
    }
}

/// `==`, which constants cannot use yet.
pub(crate) const fn is_same(left: &[u8], right: &[u8]) -> bool {
    let mut index = 0;
    while index < left.len() && index < right.len() && left[index] == right[index] {
        index += 1;
    }
    index == left.len() && index == right.len()
}
