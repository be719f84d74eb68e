//! Large arrays and dictionaries of what takes long to make, decoded by several threads at once.
//!
//! Each thread steps over the elements of the next range, which takes a tenth of the time, leaves what follows to the
//! others, and decodes the range.

use std::sync::atomic::{AtomicUsize, Ordering};

use variant::{
    ArraySink, DictionarySink, ParallelSink, ParallelStrings, PartEmitter, Segment, Shape,
    StringsEmitter, StringsSink, VariantType,
};

use super::{Decoder, refused};
use crate::error::DecodeError;
use crate::header;
use crate::limits::Limits;
use crate::skip::Skipper;

/// Fewer elements, or fewer bytes, are decoded before another thread is awake.
const PARALLEL_MIN_COUNT: usize = 1 << 10;
const PARALLEL_MIN_LEN: usize = 1 << 17;

/// How deep the elements stand at most: the large containers of a value are near its surface.
const PARALLEL_MAX_DEPTH: usize = 4;

/// About how many bytes a range of elements has: few enough that the threads finish together.
const ELEMENT_RANGE_LEN: usize = 1 << 15;

/// The same for entries of a dictionary, which wait somewhere else until those before them have been put in.
const ENTRY_RANGE_LEN: usize = 1 << 13;

/// How many elements are stepped over at once.
const SKIP_COUNT: usize = 64;

/// Some elements that follow each other.
struct ElementRange {
    /// The number of the first one.
    index: usize,
    count: usize,
    /// Where the first one starts.
    position: usize,
}

impl<'a> Decoder<'a> {
    /// Emits `count` elements at `depth` in ranges; `None`, and nothing emitted, if they are better emitted one by one.
    #[inline]
    pub(super) fn emit_parallel<A: ArraySink>(
        &mut self,
        elements: &mut A,
        count: usize,
        depth: usize,
    ) -> Option<Result<(), DecodeError>> {
        if !self.is_worthwhile(count, depth) || !self.takes_long() {
            return None;
        }
        self.emit_ranges(elements.parallel()?, count, depth)
    }

    #[inline(never)]
    fn emit_ranges(
        &mut self,
        elements: impl ParallelSink,
        count: usize,
        depth: usize,
    ) -> Option<Result<(), DecodeError>> {
        let mut skipper = Skipper::new(count);
        let step = |decoder: &mut _, count| skipper.skip(decoder, count, 1, depth).is_ok();
        let mut cutter = Cutter::new(self, count, ELEMENT_RANGE_LEN, step);
        cutter.estimate().filter(|&len| len >= PARALLEL_MIN_LEN)?;
        let emitter = Elements(RangeDecoder::new(self, depth));
        let emitted = elements.fill(|| cutter.cut(), &emitter)?;
        self.cursor.move_to(emitter.0.end.into_inner());
        Some(emitted)
    }

    /// As [`Decoder::emit_parallel`], for the entries of a dictionary.
    #[inline]
    pub(super) fn emit_entries_parallel<D: DictionarySink>(
        &mut self,
        entries: &mut D,
        count: usize,
        depth: usize,
    ) -> Option<Result<(), DecodeError>> {
        if !self.is_worthwhile(count, depth) {
            return None;
        }
        self.emit_ranges_of_entries(entries.parallel()?, count, depth)
    }

    #[inline(never)]
    fn emit_ranges_of_entries(
        &mut self,
        entries: impl ParallelSink,
        count: usize,
        depth: usize,
    ) -> Option<Result<(), DecodeError>> {
        if !self.has_long_entries(depth) {
            return None;
        }
        let mut skipper = Skipper::new(count);
        let step = |decoder: &mut _, count| skipper.skip(decoder, count, 2, depth).is_ok();
        let mut cutter = Cutter::new(self, count, ENTRY_RANGE_LEN, step);
        cutter.estimate().filter(|&len| len >= PARALLEL_MIN_LEN)?;
        let emitter = Entries(RangeDecoder::new(self, depth));
        let emitted = entries.fill(|| cutter.cut(), &emitter)?;
        self.cursor.move_to(emitter.0.end.into_inner());
        Some(emitted)
    }

    /// As [`Decoder::emit_parallel`], for the strings of the array at `start`.
    pub(super) fn emit_strings_parallel<S: StringsSink>(
        &mut self,
        strings: &mut S,
        count: usize,
        depth: usize,
        start: usize,
    ) -> Option<Result<(), DecodeError>> {
        if !self.is_worthwhile(count, depth) {
            return None;
        }
        let strings = strings.parallel()?;
        let step = |decoder: &mut Decoder<'a>, count| {
            (0..count).all(|_| decoder.cursor.skip_text(VariantType::PackedStringArray).is_ok())
        };
        let mut cutter = Cutter::new(self, count, ELEMENT_RANGE_LEN, step);
        cutter.estimate().filter(|&len| len >= PARALLEL_MIN_LEN)?;
        let emitter = Strings { decoder: RangeDecoder::new(self, depth), start };
        let emitted = strings.fill(|| cutter.cut(), &emitter)?;
        self.cursor.move_to(emitter.decoder.end.into_inner());
        Some(emitted)
    }

    /// Whether other threads can be of help with so many elements.
    #[inline]
    fn is_worthwhile(&self, count: usize, depth: usize) -> bool {
        // The first elements are looked at before: not at each of a thousand levels. What others have taken of the
        // limits no thread would know, and the code of objects' scripts runs on the caller's.
        count >= PARALLEL_MIN_COUNT
            && depth <= PARALLEL_MAX_DEPTH
            && !self.is_one_of_many
            && !self.options.allow_objects
            && self.options.limits == Limits::ENGINE
    }

    /// Whether the key or the value of the next entry [takes long](Decoder::takes_long).
    fn has_long_entries(&self, depth: usize) -> bool {
        let mut entry = self.clone();
        entry.takes_long()
            || Skipper::new(1).skip(&mut entry, 1, 1, depth).is_ok() && entry.takes_long()
    }

    /// Whether the next value is of a type for which memory is taken. Numbers are decoded faster than they are
    /// fetched from memory.
    fn takes_long(&self) -> bool {
        let header = self.cursor.peek_u32().unwrap_or_default();
        let ty = VariantType::from_id(header & header::TYPE_MASK);
        ty.is_some_and(|ty| matches!(ty.shape(), Shape::Text | Shape::Container))
    }
}

/// Decodes ranges of one container, each with a decoder of its own.
struct RangeDecoder<'a> {
    decoder: Decoder<'a>,
    /// The depth of the elements.
    depth: usize,
    /// Where the last of those ends that were emitted.
    end: AtomicUsize,
}

impl<'a> RangeDecoder<'a> {
    fn new(decoder: &Decoder<'a>, depth: usize) -> RangeDecoder<'a> {
        RangeDecoder { decoder: decoder.clone(), depth, end: AtomicUsize::new(0) }
    }

    /// Calls `emit` with the number of each element, and a decoder that stands at it.
    #[inline]
    fn emit_each(
        &self,
        range: &ElementRange,
        mut emit: impl FnMut(usize, &mut Decoder<'a>) -> Result<(), DecodeError>,
    ) -> Result<(), DecodeError> {
        let Decoder { cursor, options, .. } = &self.decoder;
        let decoder = Decoder::at(cursor.bytes(), range.position, *options);
        let mut decoder = Decoder { is_one_of_many: true, ..decoder };
        for index in range.index..range.index + range.count {
            emit(index, &mut decoder)?;
        }
        self.end.fetch_max(decoder.cursor.position(), Ordering::Relaxed);
        Ok(())
    }
}

struct Elements<'a>(RangeDecoder<'a>);

impl PartEmitter for Elements<'_> {
    type Part = ElementRange;
    type Error = DecodeError;

    fn emit<A: ArraySink>(&self, part: ElementRange, elements: &mut A) -> Result<(), DecodeError> {
        let depth = self.0.depth;
        self.0.emit_each(&part, |index, decoder| {
            decoder.inner_value(elements.element(), depth).map_err(|e| e.at(Segment::Index(index)))
        })
    }
}

struct Entries<'a>(RangeDecoder<'a>);

impl PartEmitter for Entries<'_> {
    type Part = ElementRange;
    type Error = DecodeError;

    fn emit<A: ArraySink>(&self, part: ElementRange, entries: &mut A) -> Result<(), DecodeError> {
        let depth = self.0.depth;
        self.0.emit_each(&part, |index, decoder| {
            let key_at = decoder.cursor.position();
            decoder
                .inner_value(entries.element(), depth)
                .map_err(|e| e.at(Segment::EntryKey(index)))?;
            decoder
                .inner_value(entries.element(), depth)
                .map_err(|e| e.at(Segment::Key(decoder.key_again(key_at))))
        })
    }
}

struct Strings<'a> {
    decoder: RangeDecoder<'a>,
    /// Where the array starts.
    start: usize,
}

impl StringsEmitter for Strings<'_> {
    type Part = ElementRange;
    type Error = DecodeError;

    fn emit<S: StringsSink>(&self, part: ElementRange, strings: &mut S) -> Result<(), DecodeError> {
        let what = VariantType::PackedStringArray;
        self.decoder.emit_each(&part, |index, decoder| {
            let text = decoder.text(what).map_err(|e| e.at(Segment::Index(index)))?;
            strings.push(text).map_err(|refusal| refused(refusal, self.start))
        })
    }
}

/// Cuts ranges off the front of `count` elements.
struct Cutter<'a, S> {
    decoder: Decoder<'a>,
    /// Steps over some elements, or says that something is wrong with them.
    step: S,
    index: usize,
    count: usize,
    /// About how many bytes a range has.
    range_len: usize,
}

impl<'a, S: FnMut(&mut Decoder<'a>, usize) -> bool> Cutter<'a, S> {
    fn new(decoder: &Decoder<'a>, count: usize, range_len: usize, step: S) -> Cutter<'a, S> {
        Cutter { decoder: decoder.clone(), step, index: 0, count, range_len }
    }

    /// About how many bytes all elements take, if they are like the first ones; `None` if something is wrong with
    /// those.
    fn estimate(&mut self) -> Option<usize> {
        let mut sample = self.decoder.clone();
        let is_good = (self.step)(&mut sample, SKIP_COUNT);
        let len = sample.cursor.position() - self.decoder.cursor.position();
        is_good.then(|| self.count.saturating_mul(len) / SKIP_COUNT)
    }

    /// The next range, and how many elements it has.
    fn cut(&mut self) -> Option<(ElementRange, usize)> {
        let (index, position) = (self.index, self.decoder.cursor.position());
        while self.index < self.count && self.decoder.cursor.position() - position < self.range_len
        {
            let step = SKIP_COUNT.min(self.count - self.index);
            if (self.step)(&mut self.decoder, step) {
                self.index += step;
            } else {
                // The thread that decodes all that is left finds out what is wrong.
                self.index = self.count;
            }
        }
        let count = self.index - index;
        (count > 0).then_some((ElementRange { index, count, position }, count))
    }
}
