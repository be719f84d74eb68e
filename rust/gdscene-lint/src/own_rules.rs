//! Rules that a project defines itself: the key `rule` of its configuration.
//!
//! `raw` is the configuration as written, `read` makes `conditions` of it, and `check` compares them with the nodes and
//! resources of a file, which `nodes`, `objects`, `properties` and `relations` find. Each condition holds, does not hold, or cannot be determined
//! ([`conditions::Truth`]); a rule reports what is certain.

mod check;
mod code_names;
mod conditions;
mod known;
mod message;
mod nodes;
mod objects;
mod properties;
mod raw;
mod read;
mod relations;
mod scene_text;
mod values;
mod words;

use std::ops::Deref;

use godot_tscn::RuleInfo;

use self::conditions::{Condition, Mention, Subject};
use self::message::Message;
pub(crate) use self::raw::RawRule;
use self::scene_text::SceneTexts;
use crate::globs::Glob;

/// The rules of a project.
#[derive(Debug, Default)]
pub(crate) struct OwnRules {
    pub(crate) rules: Vec<OwnRule>,
    /// The classes that they name.
    classes: Vec<String>,
    /// The properties that they name.
    keys: Vec<String>,
    class_mentions: Vec<Mention>,
    property_mentions: Vec<Mention>,
    texts: SceneTexts,
}

/// A rule that a project defines itself. It derefs to the facts that all rules have.
#[derive(Debug)]
pub struct OwnRule {
    pub(crate) info: RuleInfo,
    message: Message,
    help: Option<String>,
    /// The lines of the configuration, if they are in one place.
    definition: String,
    paths: Vec<Glob>,
    ignore: Vec<Glob>,
    subject: Subject,
    select: Vec<Condition>,
    except: Vec<Condition>,
    must: Vec<Condition>,
    must_not: Vec<Condition>,
}

/// A rule of gdscene, or one that a project defines itself. It derefs to the facts that all rules have.
#[derive(Clone, Copy, Debug)]
pub enum KnownRule<'c> {
    /// One of [`all_rules`](crate::all_rules).
    BuiltIn(&'static RuleInfo),
    /// One of a configuration.
    Own(&'c OwnRule),
}

impl OwnRules {
    /// The facts about the rules.
    pub(crate) fn infos(&self) -> impl Iterator<Item = &RuleInfo> {
        self.rules.iter().map(|rule| &rule.info)
    }
}

impl Deref for OwnRule {
    type Target = RuleInfo;

    fn deref(&self) -> &RuleInfo {
        &self.info
    }
}

impl Deref for KnownRule<'_> {
    type Target = RuleInfo;

    fn deref(&self) -> &RuleInfo {
        match self {
            Self::BuiltIn(info) => info,
            Self::Own(rule) => &rule.info,
        }
    }
}

impl OwnRule {
    /// The documentation, in Markdown: what the configuration says.
    pub fn markdown(&self) -> String {
        let mut text = format!(
            "## What it does\nA rule of this project. It reports: {}\n",
            self.message.source()
        );
        if let Some(help) = &self.help {
            text.push_str(&format!("\n## Help\n{help}\n"));
        }
        if !self.definition.is_empty() {
            text.push_str(&format!(
                "\n## Definition in gdscene.toml\n```toml\n{}\n```\n",
                self.definition
            ));
        }
        text
    }
}

impl KnownRule<'_> {
    /// The documentation, in Markdown.
    pub fn markdown(&self) -> String {
        match self {
            Self::BuiltIn(info) => info.markdown(),
            Self::Own(rule) => rule.markdown(),
        }
    }
}
