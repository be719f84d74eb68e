//! What came of all.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::lines::ByHand;
use crate::moves::{self, Fate};
use crate::renames::{self, Rename};

/// Numbers by what they count.
#[derive(Debug, Default)]
pub(crate) struct Sums(BTreeMap<&'static str, usize>);

/// The rows of the table.
const ROWS: &[&str] = &[
    "histories",
    "commits",
    "",
    "renamed exported variables",
    "renames outside of projects",
    "renames refused by us",
    "renames with values in files",
    "renames that left files behind",
    "files with values: by hand and by us alike",
    "files with values: left by hand, repaired by us",
    "files with values: value went or changed otherwise",
    "lines of scripts: by hand and by us alike",
    "lines of scripts: changed by us only",
    "lines of scripts: rewritten otherwise",
    "lines by hand only: we call them doubtful",
    "lines by hand only: we say nothing",
    "renames that differ if the script is renamed already",
    "new findings",
    "",
    "commits with moves",
    "commits with moves, replayed",
    "moves of files and folders",
    "moves refused by us or left out",
    "references: by hand and by us alike",
    "references: left by hand, repaired by us",
    "references: went or lead elsewhere by hand",
    "references: by hand only, we call them doubtful",
    "references: by hand only, we say nothing",
    "references: left by both",
    "wrong",
];

impl Sums {
    pub(crate) fn count(&mut self, what: &'static str, number: usize) {
        assert!(ROWS.contains(&what), "there is no row for `{what}`");
        *self.0.entry(what).or_default() += number;
    }

    /// Counts a rename, if it is likely to be one. Whether it is.
    pub(crate) fn count_rename(&mut self, rename: &Rename, outcome: &renames::Outcome) -> bool {
        let moved_values = outcome.count(ByHand::Alike) > 0;
        if !rename.is_likely
            && !moved_values
            && !outcome.gaps.iter().any(|(place, _)| place.is_value())
        {
            return false;
        }
        self.count("renamed exported variables", 1);
        self.count("renames refused by us", usize::from(outcome.refused.is_some()));
        self.count("renames with values in files", usize::from(outcome.has_values()));
        let has_left = outcome.count(ByHand::Left) > 0;
        self.count("renames that left files behind", usize::from(has_left));
        let files = [
            (
                ByHand::Alike,
                "files with values: by hand and by us alike",
                "lines of scripts: by hand and by us alike",
            ),
            (
                ByHand::Left,
                "files with values: left by hand, repaired by us",
                "lines of scripts: changed by us only",
            ),
            (
                ByHand::Otherwise,
                "files with values: value went or changed otherwise",
                "lines of scripts: rewritten otherwise",
            ),
        ];
        for (verdict, of_files, of_lines) in files {
            self.count(of_files, outcome.count(verdict));
            self.count(of_lines, outcome.uses.get(&verdict).copied().unwrap_or(0));
        }
        for (_, is_doubtful) in &outcome.gaps {
            let row = if *is_doubtful {
                "lines by hand only: we call them doubtful"
            } else {
                "lines by hand only: we say nothing"
            };
            self.count(row, 1);
        }
        let differs = usize::from(outcome.differs_if_renamed.is_some());
        self.count("renames that differ if the script is renamed already", differs);
        true
    }

    /// Counts the moves of a commit. Whether there is something to tell of them.
    pub(crate) fn count_moves(&mut self, outcome: &moves::Outcome) -> bool {
        self.count("commits with moves, replayed", 1);
        self.count("moves of files and folders", outcome.moves);
        self.count("moves refused by us or left out", outcome.refused.len());
        self.count("wrong", outcome.wrong.len());
        let fates = [
            (Fate::Alike, "references: by hand and by us alike"),
            (Fate::LeftByHand, "references: left by hand, repaired by us"),
            (Fate::Otherwise, "references: went or lead elsewhere by hand"),
            (Fate::Doubt, "references: by hand only, we call them doubtful"),
            (Fate::Miss, "references: by hand only, we say nothing"),
            (Fate::LeftByBoth, "references: left by both"),
        ];
        for (fate, row) in fates {
            self.count(row, outcome.count(fate));
        }
        !outcome.references.is_empty() || !outcome.wrong.is_empty() || !outcome.refused.is_empty()
    }

    pub(crate) fn add(&mut self, other: &Self) {
        other.0.iter().for_each(|(what, number)| self.count(what, *number));
    }

    /// In one line: what is not 0.
    pub(crate) fn short(&self) -> String {
        let rows = ROWS
            .iter()
            .filter_map(|row| Some((row, self.0.get(row).filter(|number| **number > 0)?)));
        rows.map(|(row, number)| format!("{row} {number}")).collect::<Vec<_>>().join("; ")
    }

    pub(crate) fn table(&self) -> String {
        let mut table = String::new();
        for row in ROWS {
            let number = self.0.get(row).copied().unwrap_or(0);
            let _ = if row.is_empty() {
                writeln!(table)
            } else {
                writeln!(table, "{row:<56} {number:>7}")
            };
        }
        table
    }
}
