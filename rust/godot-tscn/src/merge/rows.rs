//! All that the three texts have, each thing once.

use crate::document::TagKind;
use crate::merge::pairs::{self, Pairs};
use crate::merge::side::{BASE, NONE, OURS, Side, THEIRS};

/// A thing, and the section that it is in each text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) kind: TagKind,
    /// [`NONE`] where it is not.
    pub(crate) at: [u32; 3],
}

impl Row {
    pub(crate) fn is_in(&self, side: usize) -> bool {
        self.at[side] != NONE
    }

    /// The text that it is taken from: ours if it is there.
    pub(super) fn origin(&self) -> usize {
        if self.is_in(OURS) { OURS } else { THEIRS }
    }

    /// The side that removed it, if one did and the other did not.
    pub(super) fn removed_by(&self) -> Option<usize> {
        match (self.is_in(BASE), self.is_in(OURS), self.is_in(THEIRS)) {
            (true, false, true) => Some(OURS),
            (true, true, false) => Some(THEIRS),
            _ => None,
        }
    }

    /// Whether no side removed it, or both did.
    pub(super) fn is_left(&self) -> bool {
        self.removed_by().is_none()
    }
}

/// Things and where they are.
#[derive(Debug)]
pub(crate) struct Rows {
    pub(crate) rows: Vec<Row>,
    /// For each text and section, the row.
    pub(crate) of: [Vec<u32>; 3],
}

impl Rows {
    pub(super) fn new(sides: &[Side<'_>; 3]) -> Self {
        let [base, ours, theirs] = sides;
        let mut to_ours = Pairs::new(base, ours);
        pairs::find(base, ours, &mut to_ours);
        let mut to_theirs = Pairs::new(base, theirs);
        pairs::find(base, theirs, &mut to_theirs);
        let mut both = Pairs::through(&to_ours, &to_theirs, ours, theirs);
        pairs::find(ours, theirs, &mut both);
        let counts = [0, 1, 2].map(|side: usize| sides[side].document.sections().len());
        let mut rows = Self { rows: Vec::new(), of: counts.map(|count| vec![NONE; count]) };
        for index in 0..counts[BASE] as u32 {
            rows.add(sides, [index, to_ours.to_b[index as usize], to_theirs.to_b[index as usize]]);
        }
        for index in 0..counts[OURS] as u32 {
            if rows.of[OURS][index as usize] == NONE {
                rows.add(sides, [NONE, index, both.to_b[index as usize]]);
            }
        }
        for index in 0..counts[THEIRS] as u32 {
            if rows.of[THEIRS][index as usize] == NONE {
                rows.add(sides, [NONE, NONE, index]);
            }
        }
        rows
    }

    /// For one text, used for all three.
    pub(super) fn of_one(sides: &[Side<'_>; 3]) -> Self {
        let count = sides[OURS].document.sections().len();
        let mut rows = Self { rows: Vec::new(), of: [0; 3].map(|_| vec![NONE; count]) };
        for index in 0..count as u32 {
            rows.add(sides, [index; 3]);
        }
        rows
    }

    /// For two texts alone: base and ours are the same one.
    pub(crate) fn of_two(sides: &[Side<'_>; 3]) -> Self {
        let [old, _, new] = sides;
        let mut pairs = Pairs::new(old, new);
        pairs::find(old, new, &mut pairs);
        let counts = [0, 1, 2].map(|side: usize| sides[side].document.sections().len());
        let mut rows = Self { rows: Vec::new(), of: counts.map(|count| vec![NONE; count]) };
        for (index, partner) in (0..).zip(&pairs.to_b) {
            rows.add(sides, [index, index, *partner]);
        }
        for (index, _) in (0..).zip(&pairs.to_a).filter(|(_, partner)| **partner == NONE) {
            rows.add(sides, [NONE, NONE, index]);
        }
        rows
    }

    fn add(&mut self, sides: &[Side<'_>; 3], at: [u32; 3]) {
        let row = self.rows.len() as u32;
        let mut kind = TagKind::Unknown;
        for side in 0..3 {
            if at[side] != NONE {
                self.of[side][at[side] as usize] = row;
                kind = sides[side].section(at[side]).kind();
            }
        }
        self.rows.push(Row { kind, at });
    }

    pub(crate) fn row(&self, row: u32) -> &Row {
        &self.rows[row as usize]
    }
}
