//! Result codes: what was done, how far it got, what came out.
//!
//! `JsonSerializationResult.h` of O3DE; the numbers are O3DE's.

use std::borrow::Cow;

use godot_variant::printable;

/// What was being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "O3DE's own names")]
pub enum Task {
    RetrieveInfo = 1,
    CreateDefault,
    Convert,
    Clear,
    ReadField,
    WriteValue,
    Merge,
    CreatePatch,
    Import,
}

impl Task {
    /// Every task, as O3DE numbers them.
    pub const ALL: [Task; 9] = [
        Task::RetrieveInfo,
        Task::CreateDefault,
        Task::Convert,
        Task::Clear,
        Task::ReadField,
        Task::WriteValue,
        Task::Merge,
        Task::CreatePatch,
        Task::Import,
    ];
}

/// How far it got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Processing {
    /// All that was asked for.
    Completed = 1,
    /// Nothing of this value, the rest went on.
    Altered,
    /// Some of this value's parts only.
    PartialAlter,
    /// It stopped here.
    Halted,
}

impl Processing {
    /// Every one, from the best to the worst.
    pub const ALL: [Processing; 4] =
        [Processing::Completed, Processing::Altered, Processing::PartialAlter, Processing::Halted];
}

/// What came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "O3DE's own names")]
pub enum Outcome {
    Success = 1,
    Skipped,
    PartialSkip,
    DefaultsUsed,
    PartialDefaults,
    Unavailable,
    Unsupported,
    TypeMismatch,
    TestFailed,
    Missing,
    Invalid,
    Unknown,
    Catastrophic,
}

impl Outcome {
    /// Every outcome, from the best to the worst.
    pub const ALL: [Outcome; 13] = [
        Outcome::Success,
        Outcome::Skipped,
        Outcome::PartialSkip,
        Outcome::DefaultsUsed,
        Outcome::PartialDefaults,
        Outcome::Unavailable,
        Outcome::Unsupported,
        Outcome::TypeMismatch,
        Outcome::TestFailed,
        Outcome::Missing,
        Outcome::Invalid,
        Outcome::Unknown,
        Outcome::Catastrophic,
    ];

    /// How far a step with this outcome got (`ResultCode::ResultCode(Tasks, Outcomes)`).
    pub fn processing(self) -> Processing {
        match self {
            Outcome::Success
            | Outcome::Skipped
            | Outcome::PartialSkip
            | Outcome::DefaultsUsed
            | Outcome::PartialDefaults => Processing::Completed,
            Outcome::Unavailable | Outcome::Unsupported => Processing::Altered,
            _ => Processing::Halted,
        }
    }
}

/// The code of a step, or of several steps combined.
///
/// The order is O3DE's: by outcome, then processing, then task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResultCode {
    outcome: Option<Outcome>,
    processing: Option<Processing>,
    task: Task,
}

impl ResultCode {
    /// The code of a step.
    pub fn new(task: Task, outcome: Outcome) -> ResultCode {
        ResultCode { outcome: Some(outcome), processing: Some(outcome.processing()), task }
    }

    /// The code of a task of which no step is done yet.
    pub fn started(task: Task) -> ResultCode {
        ResultCode { outcome: None, processing: None, task }
    }

    /// The code as O3DE's 32 bits: outcome, processing and task, a byte each from the third down.
    ///
    /// ```
    /// use o3de_json::{Outcome, ResultCode, Task};
    /// let code = ResultCode::new(Task::ReadField, Outcome::Unsupported);
    /// assert_eq!(code.to_bits(), 0x07_02_05);
    /// assert_eq!(ResultCode::from_bits(0x07_02_05), Some(code));
    /// ```
    pub fn to_bits(self) -> u32 {
        let outcome = self.outcome.map_or(0, |outcome| outcome as u32);
        let processing = self.processing.map_or(0, |processing| processing as u32);
        outcome << 16 | processing << 8 | self.task as u32
    }

    /// The code of O3DE's 32 bits; none if a part has no such number.
    pub fn from_bits(bits: u32) -> Option<ResultCode> {
        let [task, processing, outcome, rest] = bits.to_le_bytes();
        let task = Task::ALL.into_iter().find(|known| *known as u8 == task)?;
        if (processing, outcome, rest) == (0, 0, 0) {
            return Some(ResultCode::started(task));
        }
        let outcome = Outcome::ALL.into_iter().find(|known| *known as u8 == outcome)?;
        let processing = Processing::ALL.into_iter().find(|known| *known as u8 == processing)?;
        (rest == 0).then_some(ResultCode {
            outcome: Some(outcome),
            processing: Some(processing),
            task,
        })
    }

    /// Whether there was a step.
    pub fn has_done_work(self) -> bool {
        self.outcome.is_some()
    }

    /// What was being done.
    pub fn task(self) -> Task {
        self.task
    }

    /// How far it got; without a step, `Completed`.
    pub fn processing(self) -> Processing {
        self.processing.unwrap_or(Processing::Completed)
    }

    /// What came out; without a step, `DefaultsUsed`.
    pub fn outcome(self) -> Outcome {
        self.outcome.unwrap_or(Outcome::DefaultsUsed)
    }

    /// The code of both: the greater one, and where the two disagree in a known way, "partly"
    /// (`ResultCode::Combine`).
    ///
    /// ```
    /// use o3de_json::{Outcome, Processing, ResultCode, Task};
    /// let read = |outcome| ResultCode::new(Task::ReadField, outcome);
    /// let both = read(Outcome::Success).combine(read(Outcome::DefaultsUsed));
    /// assert_eq!(both.outcome(), Outcome::PartialDefaults);
    /// let both = read(Outcome::Success).combine(read(Outcome::Unsupported));
    /// assert_eq!(both.processing(), Processing::PartialAlter);
    /// ```
    #[must_use]
    pub fn combine(self, other: ResultCode) -> ResultCode {
        let mut combined = self.max(other);
        let (low, high) = (self.outcome.min(other.outcome), self.outcome.max(other.outcome));
        if low == Some(Outcome::Success) {
            match high {
                Some(Outcome::DefaultsUsed) => combined.outcome = Some(Outcome::PartialDefaults),
                Some(Outcome::Skipped) => combined.outcome = Some(Outcome::PartialSkip),
                _ => {}
            }
        }
        let (low, high) =
            (self.processing.min(other.processing), self.processing.max(other.processing));
        if low == Some(Processing::Completed) && high == Some(Processing::Altered) {
            combined.processing = Some(Processing::PartialAlter);
        }
        combined
    }

    /// Combines `other` into this code.
    pub fn add(&mut self, other: ResultCode) {
        *self = self.combine(other);
    }

    /// Whether the whole process has to stop.
    pub fn is_halted(self) -> bool {
        self.processing() == Processing::Halted
    }

    /// Whether a value was not taken over at all, or the process has to stop.
    pub fn is_refused(self) -> bool {
        matches!(self.processing(), Processing::Altered | Processing::Halted)
    }
}

/// Something that a step has to say.
///
/// Issues are printed, and names and texts in them come from documents of anybody. [`Issue::new`] escapes control characters,
/// so that a terminal or a log shows them instead of obeying them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// Where, as a JSON Pointer; empty for the whole document. Control characters in names are escaped, and long names cut.
    pub path: String,
    /// What, and what to do about it.
    pub message: String,
    /// The step's code.
    pub code: ResultCode,
    /// The place in the text, if there is a text and [`locate`](crate::locate) was called.
    pub place: Option<Place>,
}

/// A place in a text. Both count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column, in bytes.
    pub column: usize,
}

impl Issue {
    /// An issue. Control characters in its texts become escapes such as `\u{1b}`.
    ///
    /// ```
    /// use o3de_json::{Issue, Outcome, ResultCode, Task};
    /// let code = ResultCode::new(Task::ReadField, Outcome::Unknown);
    /// let issue = Issue::new("/a\nb", "unknown name `\x1b[2J`", code);
    /// assert_eq!(issue.path, r"/a\nb");
    /// assert_eq!(issue.message, r"unknown name `\u{1b}[2J`");
    /// ```
    pub fn new(path: impl Into<String>, message: impl Into<String>, code: ResultCode) -> Self {
        let shown = |text: String| match printable(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(shown) => shown,
        };
        Self { path: shown(path.into()), message: shown(message.into()), code, place: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combining_is_commutative_and_keeps_the_worst() {
        let outcomes = [
            Outcome::Success,
            Outcome::Skipped,
            Outcome::DefaultsUsed,
            Outcome::PartialDefaults,
            Outcome::Unsupported,
            Outcome::Invalid,
        ];
        for a in outcomes {
            for b in outcomes {
                let (a, b) = (ResultCode::new(Task::Clear, a), ResultCode::new(Task::Merge, b));
                assert_eq!(a.combine(b), b.combine(a));
                assert!(a.combine(b).outcome() >= a.outcome().max(b.outcome()));
                assert_eq!(a.combine(ResultCode::started(Task::ReadField)), a);
            }
        }
    }
}
