//! Parts that several threads encode, and one thread puts in a row as they are done.
//!
//! The thread that wants the bytes does not wait for others to wake up, which takes as long as to
//! encode a thousand short texts: it starts at once, and whoever comes takes the next part.

use std::array;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use variant::Refusal;
use variant_codec::Buffer;

use super::parts::Part;
use super::workers;

/// How many parts may be encoded and not yet in the row, and how many bytes of each are kept
/// meanwhile: a megabyte in all.
pub(super) const WINDOW: usize = 8;
pub(super) const KEPT_LEN: usize = 1 << 17;

/// The parts of one value on their way.
pub(super) struct Pipeline<'p, 'v> {
    queue: Mutex<Queue<'p, 'v>>,
    /// Part number `n` goes through slot `n % WINDOW`.
    slots: [Slot<'p, 'v>; WINDOW],
    /// How many parts are in the row.
    appended: AtomicUsize,
    /// Nobody waits for the rest any more.
    stopped: AtomicBool,
}

/// What is not encoded yet.
struct Queue<'p, 'v> {
    parts: &'p [Part<'v>],
    /// What is left of the part that is cut just now.
    open: Option<Part<'v>>,
    taken: usize,
}

struct Slot<'p, 'v> {
    content: Mutex<Encoded<'p, 'v>>,
    is_ready: AtomicBool,
}

struct Encoded<'p, 'v> {
    buffer: &'p mut Buffer,
    part: Option<Piece<'p, 'v>>,
    outcome: Result<(), Refusal>,
}

/// A part, or a run of one.
enum Piece<'p, 'v> {
    Whole(&'p Part<'v>),
    Run(Part<'v>),
}

enum Next<'p, 'v> {
    Piece(usize, Piece<'p, 'v>),
    /// All slots are taken, or somebody else is taking a part just now.
    Wait,
    /// All parts are taken, so many.
    End(usize),
}

impl<'p, 'v> Pipeline<'p, 'v> {
    pub(super) fn new(parts: &'p [Part<'v>], buffers: &'p mut [Buffer; WINDOW]) -> Self {
        let mut buffers = buffers.iter_mut();
        let slots = array::from_fn(|_| {
            let buffer = buffers.next().expect("a buffer for each slot");
            let content = Encoded { buffer, part: None, outcome: Ok(()) };
            Slot { content: Mutex::new(content), is_ready: AtomicBool::new(false) }
        });
        Pipeline {
            queue: Mutex::new(Queue { parts, open: None, taken: 0 }),
            slots,
            appended: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
        }
    }

    /// Encodes parts, and hands all of them to `append` in their order, until it says no.
    pub(super) fn run(
        &self,
        mut append: impl FnMut(&Buffer, &Part<'v>) -> Result<bool, Refusal>,
    ) -> Result<bool, Refusal> {
        let _stop = StopOnDrop(self);
        let mut appended = 0;
        loop {
            let slot = &self.slots[appended % WINDOW];
            if slot.is_ready.load(Ordering::Acquire) {
                if !slot.hand_over(&mut append)? {
                    return Ok(false);
                }
                appended += 1;
                self.appended.store(appended, Ordering::Release);
                continue;
            }
            match self.next() {
                Next::Piece(number, piece) => self.slots[number % WINDOW].encode(piece),
                Next::End(count) if count == appended => return Ok(true),
                // A helper that failed leaves the rest to another way.
                _ if self.stopped.load(Ordering::Acquire) => return Ok(false),
                _ => workers::wait(),
            }
        }
    }

    /// Encodes parts as long as there are any.
    pub(super) fn help(&self) {
        let stop = StopOnDrop(self);
        while !self.stopped.load(Ordering::Acquire) {
            match self.next() {
                Next::Piece(number, piece) => {
                    workers::count_part();
                    self.slots[number % WINDOW].encode(piece);
                }
                Next::Wait => workers::wait(),
                Next::End(_) => break,
            }
        }
        std::mem::forget(stop);
    }

    fn next(&self) -> Next<'p, 'v> {
        // To sleep until somebody has cut a run would take longer than to cut one.
        let Ok(mut queue) = self.queue.try_lock() else { return Next::Wait };
        if queue.taken - self.appended.load(Ordering::Acquire) >= WINDOW {
            return Next::Wait;
        }
        let number = queue.taken;
        match queue.pop() {
            Some(piece) => {
                queue.taken += 1;
                Next::Piece(number, piece)
            }
            None => Next::End(number),
        }
    }
}

impl<'p, 'v> Queue<'p, 'v> {
    fn pop(&mut self) -> Option<Piece<'p, 'v>> {
        let mut open = match self.open.take() {
            Some(open) => open,
            None => {
                let part = self.parts.split_off_first()?;
                match part.uncut() {
                    Some(open) => open,
                    None => return Some(Piece::Whole(part)),
                }
            }
        };
        let Some(run) = open.split_off_run() else { return Some(Piece::Run(open)) };
        self.open = Some(open);
        Some(Piece::Run(run))
    }
}

impl<'p, 'v> Slot<'p, 'v> {
    fn encode(&self, piece: Piece<'p, 'v>) {
        let mut content = lock(&self.content);
        content.buffer.reset(KEPT_LEN);
        content.outcome = piece.part().encode(content.buffer);
        content.part = Some(piece);
        drop(content);
        self.is_ready.store(true, Ordering::Release);
    }

    /// What `append` says of the content, after which the slot is free.
    fn hand_over(
        &self,
        append: &mut impl FnMut(&Buffer, &Part<'v>) -> Result<bool, Refusal>,
    ) -> Result<bool, Refusal> {
        let mut content = lock(&self.content);
        std::mem::replace(&mut content.outcome, Ok(()))?;
        let Some(piece) = content.part.take() else { return Ok(false) };
        self.is_ready.store(false, Ordering::Relaxed);
        append(content.buffer, piece.part())
    }
}

impl<'v> Piece<'_, 'v> {
    fn part(&self) -> &Part<'v> {
        match self {
            Piece::Whole(part) => part,
            Piece::Run(part) => part,
        }
    }
}

/// Whoever leaves early, by a panic too, must not let the others wait for ever.
struct StopOnDrop<'a, 'p, 'v>(&'a Pipeline<'p, 'v>);

impl Drop for StopOnDrop<'_, '_, '_> {
    fn drop(&mut self) {
        self.0.stopped.store(true, Ordering::Release);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
