//! How much a document may become: a patch of a kilobyte can ask for more than there is memory.

use crate::{Issue, Json, Outcome, ResultCode, Task};

/// How much patches, merges and imports may make of documents.
#[derive(Clone, Copy, Debug)]
pub struct DocumentLimits {
    /// Arrays and objects inside each other.
    pub max_depth: usize,
    /// How many values may be copied, moved, written into a patch or imported, all together. 64 bytes
    /// of text count as one more.
    pub max_values: usize,
    /// How many documents may be asked for.
    pub max_imports: usize,
}

impl Default for DocumentLimits {
    fn default() -> Self {
        DocumentLimits { max_depth: 256, max_values: 1_000_000, max_imports: 10_000 }
    }
}

/// Which limit was passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excess {
    Depth,
    Values,
    Imports,
}

/// What is left of the limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub(crate) limits: DocumentLimits,
    values: usize,
    imports: usize,
}

impl Budget {
    pub(crate) fn new(limits: DocumentLimits) -> Budget {
        Budget { limits, values: limits.max_values, imports: limits.max_imports }
    }

    /// Takes `count` values.
    pub(crate) fn take(&mut self, count: usize) -> Result<(), Excess> {
        self.values = self.values.checked_sub(count).ok_or(Excess::Values)?;
        Ok(())
    }

    /// Takes a text that is kept.
    pub(crate) fn take_text(&mut self, text: &str) -> Result<(), Excess> {
        self.take(text_weight(text))
    }

    /// Takes the call for a document.
    pub(crate) fn take_import(&mut self) -> Result<(), Excess> {
        self.imports = self.imports.checked_sub(1).ok_or(Excess::Imports)?;
        Ok(())
    }

    /// Takes all of `json`, which may have so many `levels`.
    pub(crate) fn take_json(&mut self, json: &Json, levels: usize) -> Result<(), Excess> {
        self.take(1)?;
        match json {
            Json::String(text) => self.take_text(text),
            Json::Array(elements) => {
                let levels = levels_inside(levels, elements.len())?;
                elements.iter().try_for_each(|element| self.take_json(element, levels))
            }
            Json::Object(members) => {
                let levels = levels_inside(levels, members.len())?;
                members.iter().try_for_each(|(name, value)| {
                    self.take_text(name)?;
                    self.take_json(value, levels)
                })
            }
            _ => Ok(()),
        }
    }

    /// What is wrong, and where.
    #[cold]
    pub(crate) fn issue(&self, excess: Excess, task: Task, path: &str) -> Issue {
        let DocumentLimits { max_depth, max_values, max_imports } = self.limits;
        let message = match excess {
            Excess::Depth => {
                format!("the document would nest deeper than {max_depth}: flatten it")
            }
            Excess::Values => format!(
                "more than {max_values} values are copied, moved or imported: raise `max_values`"
            ),
            Excess::Imports => {
                format!("more than {max_imports} documents are imported: raise `max_imports`")
            }
        };
        let code = ResultCode::new(task, Outcome::Catastrophic);
        Issue::new(path, message, code)
    }
}

/// The levels that are left inside a container of `count` values.
pub(crate) fn levels_inside(levels: usize, count: usize) -> Result<usize, Excess> {
    match levels.checked_sub(1) {
        Some(left) => Ok(left),
        None if count == 0 => Ok(0),
        None => Err(Excess::Depth),
    }
}

fn text_weight(text: &str) -> usize {
    text.len() / 64
}

/// Checks that `json` has at most so many levels.
pub(crate) fn check_depth(json: &Json, levels: usize) -> Result<(), Excess> {
    match json {
        Json::Array(elements) => {
            let levels = levels_inside(levels, elements.len())?;
            elements.iter().try_for_each(|element| check_depth(element, levels))
        }
        Json::Object(members) => {
            let levels = levels_inside(levels, members.len())?;
            members.iter().try_for_each(|(_, value)| check_depth(value, levels))
        }
        _ => Ok(()),
    }
}
