//! Chunks of a value that several threads encode, and one thread appends to the output in order.
//!
//! The thread that wants the bytes does not wait for others to wake up, which takes as long as to
//! encode a thousand short texts: it starts at once, and whichever thread is awake takes the next
//! chunk.
//!
//! ```text
//! chunks:  0 | 1 (a, b, c) | 2 ...     a chunk may be divided into runs when its turn comes
//! pieces:  0   1   2   3     4         piece `n` goes through slot `n % PIPELINE_WINDOW`
//! slots:   [appended] [encoded] [being encoded] ...
//! ```

use std::array;

use variant::Refusal;
use variant_codec::{Buffer, Output};

use crate::sync::{AtomicBool, AtomicUsize, Mutex, Ordering};
use crate::tuning::{PIPELINE_BUFFER_LEN, PIPELINE_WINDOW};
use crate::{spin_lock, spin_wait};

/// A chunk of a value. Put end to end, the encoded chunks are the encoded value.
pub trait Chunk: Sized {
    /// Encodes the chunk.
    ///
    /// # Errors
    /// What in it cannot be encoded.
    fn encode<O: Output>(&self, out: &mut O) -> Result<(), Refusal>;

    /// A copy that runs can be split off from, if the chunk is to be divided.
    fn divisible(&self) -> Option<Self>;

    /// Takes a run off the front of what [`Chunk::divisible`] gave; `None` if what is left is itself a run.
    fn split_off_run(&mut self) -> Option<Self>;
}

/// The chunks of one value on their way.
#[derive(Debug)]
pub struct Pipeline<'p, C> {
    queue: Mutex<Queue<'p, C>>,
    /// Piece number `n` goes through slot `n % PIPELINE_WINDOW`.
    slots: [Slot<'p, C>; PIPELINE_WINDOW],
    /// How many pieces are in the output.
    appended: AtomicUsize,
    /// The thread that appends has ended, or one has panicked: the others are to end, too.
    stopped: AtomicBool,
}

/// What is not encoded yet.
#[derive(Debug)]
struct Queue<'p, C> {
    chunks: &'p [C],
    /// What is left of the chunk that is being divided.
    open: Option<C>,
    /// How many pieces were taken.
    taken: usize,
}

#[derive(Debug)]
struct Slot<'p, C> {
    content: Mutex<Encoded<'p, C>>,
    is_ready: AtomicBool,
}

#[derive(Debug)]
struct Encoded<'p, C> {
    buffer: &'p mut Buffer,
    piece: Option<Piece<'p, C>>,
    outcome: Result<(), Refusal>,
}

/// A chunk, or a run of one.
#[derive(Debug)]
enum Piece<'p, C> {
    Whole(&'p C),
    Run(C),
}

enum Next<'p, C> {
    Piece(usize, Piece<'p, C>),
    /// All slots are taken, or another thread is taking a piece.
    Wait,
    /// All pieces are taken, so many.
    End(usize),
}

impl<'p, C: Chunk> Pipeline<'p, C> {
    /// A pipeline for `chunks`, of which each piece is encoded into one of the buffers.
    pub fn new(chunks: &'p [C], buffers: &'p mut [Buffer; PIPELINE_WINDOW]) -> Self {
        let mut buffers = buffers.iter_mut();
        let slots = array::from_fn(|_| {
            let buffer = buffers.next().expect("a buffer for each slot");
            let content = Encoded { buffer, piece: None, outcome: Ok(()) };
            Slot { content: Mutex::new(content), is_ready: AtomicBool::new(false) }
        });
        Pipeline {
            queue: Mutex::new(Queue { chunks, open: None, taken: 0 }),
            slots,
            appended: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
        }
    }

    /// Encodes pieces, and hands all of them to `append` in order. One thread has to call this,
    /// while any number of others [help](Self::help). False if `append` returned false, or a thread
    /// that helped has panicked: then the output is not whole.
    ///
    /// # Errors
    /// What cannot be encoded in the first piece that fails, or what `append` returns.
    pub fn run(
        &self,
        mut append: impl FnMut(&Buffer, &C) -> Result<bool, Refusal>,
    ) -> Result<bool, Refusal> {
        let _stop = StopOnDrop(self);
        let mut appended = 0;
        loop {
            let slot = &self.slots[appended % PIPELINE_WINDOW];
            if slot.is_ready.load(Ordering::Acquire) {
                if !slot.hand_over(&mut append)? {
                    return Ok(false);
                }
                appended += 1;
                self.appended.store(appended, Ordering::Release);
                continue;
            }
            match self.next() {
                Next::Piece(number, piece) => self.slots[number % PIPELINE_WINDOW].encode(piece),
                Next::End(count) if count == appended => return Ok(true),
                // A thread that panicked has left its piece undone.
                _ if self.stopped.load(Ordering::Acquire) => return Ok(false),
                _ => spin_wait(),
            }
        }
    }

    /// Encodes pieces as long as there are any. `count` is called before each of them.
    pub fn help(&self, count: impl Fn()) {
        let stop = StopOnDrop(self);
        while !self.stopped.load(Ordering::Acquire) {
            match self.next() {
                Next::Piece(number, piece) => {
                    count();
                    self.slots[number % PIPELINE_WINDOW].encode(piece);
                }
                Next::Wait => spin_wait(),
                Next::End(_) => break,
            }
        }
        std::mem::forget(stop);
    }

    fn next(&self) -> Next<'p, C> {
        // To sleep until another thread has cut a run would take longer than to cut one.
        let Ok(mut queue) = self.queue.try_lock() else { return Next::Wait };
        if queue.taken - self.appended.load(Ordering::Acquire) >= PIPELINE_WINDOW {
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

impl<'p, C: Chunk> Queue<'p, C> {
    fn pop(&mut self) -> Option<Piece<'p, C>> {
        let mut open = match self.open.take() {
            Some(open) => open,
            None => {
                let chunk = self.chunks.split_off_first()?;
                match chunk.divisible() {
                    Some(open) => open,
                    None => return Some(Piece::Whole(chunk)),
                }
            }
        };
        let Some(run) = open.split_off_run() else { return Some(Piece::Run(open)) };
        self.open = Some(open);
        Some(Piece::Run(run))
    }
}

impl<'p, C: Chunk> Slot<'p, C> {
    fn encode(&self, piece: Piece<'p, C>) {
        let mut content = spin_lock(&self.content);
        content.buffer.reset(PIPELINE_BUFFER_LEN);
        content.outcome = piece.chunk().encode(content.buffer);
        content.piece = Some(piece);
        drop(content);
        self.is_ready.store(true, Ordering::Release);
    }

    /// What `append` returns for the content, after which the slot is free.
    fn hand_over(
        &self,
        append: &mut impl FnMut(&Buffer, &C) -> Result<bool, Refusal>,
    ) -> Result<bool, Refusal> {
        let mut content = spin_lock(&self.content);
        std::mem::replace(&mut content.outcome, Ok(()))?;
        let Some(piece) = content.piece.take() else { return Ok(false) };
        self.is_ready.store(false, Ordering::Relaxed);
        append(content.buffer, piece.chunk())
    }
}

impl<C> Piece<'_, C> {
    fn chunk(&self) -> &C {
        match self {
            Piece::Whole(chunk) => chunk,
            Piece::Run(chunk) => chunk,
        }
    }
}

/// A thread that ends early, by a panic too, must not let the others wait for ever.
struct StopOnDrop<'a, 'p, C>(&'a Pipeline<'p, C>);

impl<C> Drop for StopOnDrop<'_, '_, C> {
    fn drop(&mut self) {
        self.0.stopped.store(true, Ordering::Release);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::ops::Range;
    use std::thread;

    use variant::RefusalKind;

    use super::*;

    const THREADS: usize = 3;
    const CHUNKS: u32 = if cfg!(miri) { 12 } else { 400 };

    /// Numbers that are written as words; every third chunk is divided into runs of two.
    #[derive(Debug)]
    struct Numbers(Range<u32>);

    /// A number that cannot be encoded.
    const REFUSED: u32 = u32::MAX;

    impl Chunk for Numbers {
        fn encode<O: Output>(&self, out: &mut O) -> Result<(), Refusal> {
            if self.0.contains(&REFUSED) || self.0.end == REFUSED {
                return Err(Refusal::new(RefusalKind::Engine { what: "encode this number" }));
            }
            self.0.clone().for_each(|number| out.put(&number.to_le_bytes()));
            Ok(())
        }

        fn divisible(&self) -> Option<Numbers> {
            self.0.start.is_multiple_of(3).then(|| Numbers(self.0.clone()))
        }

        fn split_off_run(&mut self) -> Option<Numbers> {
            if self.0.len() <= 2 {
                return None;
            }
            let middle = self.0.start + 2;
            let run = Numbers(self.0.start..middle);
            self.0.start = middle;
            Some(run)
        }
    }

    fn chunks() -> Vec<Numbers> {
        (0..CHUNKS).map(|index| Numbers(7 * index..7 * (index + 1))).collect()
    }

    fn buffers() -> [Buffer; PIPELINE_WINDOW] {
        [const { Buffer::with_limit(PIPELINE_BUFFER_LEN) }; PIPELINE_WINDOW]
    }

    /// What all threads together make of the chunks.
    fn encoded(
        chunks: &[Numbers],
        mut append: impl FnMut(&mut Vec<u8>, &Buffer) -> bool,
    ) -> Result<Option<Vec<u8>>, Refusal> {
        let (mut buffers, mut bytes) = (buffers(), Vec::new());
        let pipeline = Pipeline::new(chunks, &mut buffers);
        let is_whole = thread::scope(|scope| {
            for _ in 1..THREADS {
                scope.spawn(|| pipeline.help(|| ()));
            }
            pipeline.run(|buffer, _| Ok(append(&mut bytes, buffer)))
        })?;
        Ok(is_whole.then_some(bytes))
    }

    fn append_all(bytes: &mut Vec<u8>, buffer: &Buffer) -> bool {
        bytes.extend_from_slice(buffer.kept().expect("a few numbers fit into a buffer"));
        true
    }

    #[test]
    fn the_chunks_stand_end_to_end() {
        let expected: Vec<u8> = (0..7 * CHUNKS).flat_map(u32::to_le_bytes).collect();
        assert_eq!(encoded(&chunks(), append_all).expect("nothing is refused"), Some(expected));
    }

    #[test]
    fn no_chunks_are_no_bytes() {
        assert_eq!(encoded(&[], append_all).expect("nothing is refused"), Some(Vec::new()));
    }

    #[test]
    fn what_a_chunk_refuses_the_whole_refuses() {
        let mut chunks = chunks();
        chunks[CHUNKS as usize / 2] = Numbers(REFUSED - 1..REFUSED);
        assert!(encoded(&chunks, append_all).is_err());
    }

    #[test]
    fn a_false_of_the_one_that_appends_ends_all() {
        let mut left = 5;
        let append = |bytes: &mut Vec<u8>, buffer: &Buffer| {
            left -= 1;
            left > 0 && append_all(bytes, buffer)
        };
        assert_eq!(encoded(&chunks(), append).expect("nothing is refused"), None);
    }
}

/// Loom runs this in every order in which the threads can take the locks and see the flags.
#[cfg(all(test, loom))]
mod loom_tests {
    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    struct Number(u8);

    impl Chunk for Number {
        fn encode<O: Output>(&self, out: &mut O) -> Result<(), Refusal> {
            out.put(&[self.0]);
            Ok(())
        }

        fn divisible(&self) -> Option<Number> {
            None
        }

        fn split_off_run(&mut self) -> Option<Number> {
            None
        }
    }

    static CHUNKS: [Number; 3] = [Number(7), Number(8), Number(9)];

    #[test]
    fn the_chunks_stand_end_to_end_and_both_threads_end() {
        let mut builder = loom::model::Builder::new();
        // More changes of the thread in one run find little else, and take hours.
        builder.preemption_bound = Some(2);
        builder.check(|| {
            let buffers = Box::leak(Box::new([const { Buffer::with_limit(16) }; PIPELINE_WINDOW]));
            let pipeline = Arc::new(Pipeline::new(&CHUNKS, buffers));
            let other = Arc::clone(&pipeline);
            let help = thread::spawn(move || other.help(|| ()));
            let mut bytes = Vec::new();
            let append = |buffer: &Buffer, _: &Number| {
                bytes.extend_from_slice(buffer.kept().expect("a byte fits into a buffer"));
                Ok(true)
            };
            assert!(pipeline.run(append).expect("nothing is refused"));
            help.join().expect("the other thread ends, too");
            assert_eq!(bytes, [7, 8, 9]);
        });
    }
}
