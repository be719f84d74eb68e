//! Large arrays and dictionaries of what takes long to make, decoded by several threads at once.
//!
//! Each thread steps over the elements of the next part, which takes a tenth of the time, leaves what follows to the
//! others, and decodes the part.

use std::sync::atomic::{AtomicUsize, Ordering};

use variant::{ArraySink, DictionarySink, EntryTeller, Segment, Shape, StringsSink, VariantType};

use super::{Decoder, refused};
use crate::error::DecodeError;
use crate::header;
use crate::limits::Limits;
use crate::skip::Skipper;

/// Fewer elements, or fewer bytes, are decoded before another thread is awake.
const MANY: usize = 1 << 10;
const LONG: usize = 1 << 17;

/// How deep the elements stand at most: the large containers of a value are near its surface.
const MAX_DEPTH: usize = 4;

/// About how many bytes a part has: few enough that the threads finish together.
const PART_LEN: usize = 1 << 15;

/// The same for entries of a dictionary, which wait somewhere else until those before them have been put in.
const ENTRIES_LEN: usize = 1 << 13;

/// How many elements are stepped over at once.
const STEP: usize = 64;

/// Some elements that follow each other.
struct Part {
    /// The number of the first one.
    index: usize,
    count: usize,
    /// Where the first one starts.
    position: usize,
}

impl<'a> Decoder<'a> {
    /// Tells `count` elements at `depth` in parts; `None`, and nothing told, if they are better told one by one.
    #[inline]
    pub(super) fn tell_together<A: ArraySink>(
        &mut self,
        elements: &mut A,
        count: usize,
        depth: usize,
    ) -> Option<Result<(), DecodeError>> {
        if self.is_worthwhile(count, depth) && elements.takes_parts() && self.takes_long() {
            return self.tell_parts(elements, count, depth);
        }
        None
    }

    #[inline(never)]
    fn tell_parts<A: ArraySink>(
        &mut self,
        elements: &mut A,
        count: usize,
        depth: usize,
    ) -> Option<Result<(), DecodeError>> {
        let mut skipper = Skipper::new(count);
        let step = |decoder: &mut _, count| skipper.skip(decoder, count, 1, depth).is_ok();
        let mut cutter = Cutter::new(self, count, PART_LEN, step);
        let end = AtomicUsize::new(0);
        let len = cutter.estimate().filter(|&len| len >= LONG)?;
        let told = elements.together(
            len,
            || cutter.cut(),
            |part, sinks| {
                let mut decoder = self.for_part(&part);
                for (index, sink) in (part.index..).zip(sinks) {
                    decoder.inner_value(sink, depth).map_err(|e| e.at(Segment::Index(index)))?;
                }
                end.fetch_max(decoder.cursor.position(), Ordering::Relaxed);
                Ok(())
            },
        )?;
        self.cursor.move_to(end.into_inner());
        Some(told)
    }

    /// As [`Decoder::tell_together`], for the entries of a dictionary.
    #[inline]
    pub(super) fn tell_entries_together<D: DictionarySink>(
        &mut self,
        entries: &mut D,
        count: usize,
        depth: usize,
    ) -> Option<Result<(), DecodeError>> {
        if self.is_worthwhile(count, depth) && entries.takes_parts() && self.has_long_entries(depth)
        {
            return self.tell_parts_of_entries(entries, count, depth);
        }
        None
    }

    #[inline(never)]
    fn tell_parts_of_entries<D: DictionarySink>(
        &mut self,
        entries: &mut D,
        count: usize,
        depth: usize,
    ) -> Option<Result<(), DecodeError>> {
        let mut skipper = Skipper::new(count);
        let step = |decoder: &mut _, count| skipper.skip(decoder, count, 2, depth).is_ok();
        let mut cutter = Cutter::new(self, count, ENTRIES_LEN, step);
        let len = cutter.estimate().filter(|&len| len >= LONG)?;
        let teller = Entries { decoder: self.clone(), depth, end: AtomicUsize::new(0) };
        let told = entries.together(len, || cutter.cut(), &teller)?;
        self.cursor.move_to(teller.end.into_inner());
        Some(told)
    }

    /// As [`Decoder::tell_together`], for the strings of the array at `start`.
    pub(super) fn tell_strings_together<S: StringsSink>(
        &mut self,
        strings: &mut S,
        count: usize,
        depth: usize,
        start: usize,
    ) -> Option<Result<(), DecodeError>> {
        if !self.is_worthwhile(count, depth) || !strings.takes_parts() {
            return None;
        }
        let what = VariantType::PackedStringArray;
        let step = |decoder: &mut Decoder<'a>, count| {
            (0..count).all(|_| decoder.cursor.skip_text(what).is_ok())
        };
        let mut cutter = Cutter::new(self, count, PART_LEN, step);
        let len = cutter.estimate().filter(|&len| len >= LONG)?;
        let end = AtomicUsize::new(0);
        let told = strings.together(
            len,
            || cutter.cut(),
            |part, push| {
                let mut decoder = self.for_part(&part);
                for index in part.index..part.index + part.count {
                    let text = decoder.text(what).map_err(|e| e.at(Segment::Index(index)))?;
                    push(text).map_err(|refusal| refused(refusal, start))?;
                }
                end.fetch_max(decoder.cursor.position(), Ordering::Relaxed);
                Ok(())
            },
        )?;
        self.cursor.move_to(end.into_inner());
        Some(told)
    }

    /// Whether other threads can be of help with so many elements.
    #[inline]
    fn is_worthwhile(&self, count: usize, depth: usize) -> bool {
        // The first elements are looked at before: not at each of a thousand levels. What others have taken of the
        // limits no thread would know, and the code of objects' scripts runs on the caller's.
        count >= MANY
            && depth <= MAX_DEPTH
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

    fn for_part(&self, part: &Part) -> Decoder<'a> {
        let decoder = Decoder::at(self.cursor.bytes(), part.position, self.options);
        Decoder { is_one_of_many: true, ..decoder }
    }
}

/// Tells entries of a dictionary.
struct Entries<'a> {
    decoder: Decoder<'a>,
    depth: usize,
    /// Where the last of those ends that were told.
    end: AtomicUsize,
}

impl EntryTeller for Entries<'_> {
    type Part = Part;
    type Error = DecodeError;

    fn tell<A: ArraySink>(&self, part: Part, entries: &mut A) -> Result<(), DecodeError> {
        let mut decoder = self.decoder.for_part(&part);
        for index in part.index..part.index + part.count {
            let key_at = decoder.cursor.position();
            decoder
                .inner_value(entries.element(), self.depth)
                .map_err(|e| e.at(Segment::EntryKey(index)))?;
            decoder
                .inner_value(entries.element(), self.depth)
                .map_err(|e| e.at(Segment::Key(decoder.key_again(key_at))))?;
        }
        self.end.fetch_max(decoder.cursor.position(), Ordering::Relaxed);
        Ok(())
    }
}

/// Cuts parts off the front of `count` elements.
struct Cutter<'a, S> {
    decoder: Decoder<'a>,
    /// Steps over some elements, or says that something is wrong with them.
    step: S,
    index: usize,
    count: usize,
    /// About how many bytes a part has.
    part_len: usize,
}

impl<'a, S: FnMut(&mut Decoder<'a>, usize) -> bool> Cutter<'a, S> {
    fn new(decoder: &Decoder<'a>, count: usize, part_len: usize, step: S) -> Cutter<'a, S> {
        Cutter { decoder: decoder.clone(), step, index: 0, count, part_len }
    }

    /// About how many bytes all elements take, if they are like the first ones; `None` if something is wrong with
    /// those.
    fn estimate(&mut self) -> Option<usize> {
        let mut sample = self.decoder.clone();
        let is_good = (self.step)(&mut sample, STEP);
        let len = sample.cursor.position() - self.decoder.cursor.position();
        is_good.then(|| self.count.saturating_mul(len) / STEP)
    }

    /// The next part, and how many elements it has.
    fn cut(&mut self) -> Option<(Part, usize)> {
        let (index, position) = (self.index, self.decoder.cursor.position());
        while self.index < self.count && self.decoder.cursor.position() - position < self.part_len {
            let step = STEP.min(self.count - self.index);
            if (self.step)(&mut self.decoder, step) {
                self.index += step;
            } else {
                // Whoever decodes all that is left finds out what is wrong.
                self.index = self.count;
            }
        }
        let count = self.index - index;
        (count > 0).then_some((Part { index, count, position }, count))
    }
}
