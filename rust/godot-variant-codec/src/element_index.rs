//! Elements of one array, found again and again.

use crate::error::DecodeError;
use crate::skip::Skipper;
use crate::value_ref::ValueRef;
use crate::walk::Walk;

/// Remembers where some elements of an array start, so that the next one is found without walking
/// from the first again.
///
/// It grows as far as has been walked, by one place of eight bytes for 64 elements: at most a
/// thirty-second of the encoded bytes.
///
/// ```
/// use godot_variant_codec::{ElementIndex, ValueRef, encode, variant::{Array, Value}};
///
/// let bytes = encode(&Value::from(Array::from_iter((0..1000).map(Value::Int))))?;
/// let array = ValueRef::new(&bytes)?;
/// let mut index = ElementIndex::default();
/// for number in 0..1000 {
///     let element = index.get(array, number)?.expect("there are as many");
///     assert_eq!(element.as_int()?, Some(number as i64));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ElementIndex {
    /// Where the elements number 0, 64, 128, … start.
    starts: Vec<usize>,
    /// Number and start of the element that was asked for last: mostly the next one follows.
    last: (usize, usize),
    skipper: Option<Skipper>,
}

const STRIDE: usize = 64;

impl ElementIndex {
    /// The element number `index` of an `Array`, which must be the same one at each call; `None`
    /// behind the last, or for another type.
    ///
    /// # Errors
    /// The first thing that hides where the element starts.
    pub fn get<'a>(
        &mut self,
        array: ValueRef<'a>,
        index: usize,
    ) -> Result<Option<ValueRef<'a>>, DecodeError> {
        match array.elements_walk()? {
            Some(walk) if index < walk.remaining() => self.seek(walk, index)?.peek(),
            _ => Ok(None),
        }
    }

    /// The string number `index` of a `PackedStringArray`, as [`ElementIndex::get`].
    ///
    /// # Errors
    /// The first thing that hides where the string starts, or that it is not UTF-8.
    pub fn string<'a>(
        &mut self,
        strings: ValueRef<'a>,
        index: usize,
    ) -> Result<Option<&'a str>, DecodeError> {
        match strings.strings_walk()? {
            Some(walk) if index < walk.remaining() => self.seek(walk, index)?.text(),
            _ => Ok(None),
        }
    }

    /// The entry number `index` of a `Dictionary`, as [`ElementIndex::get`].
    ///
    /// # Errors
    /// The first thing that hides where the key or the value starts.
    pub fn entry<'a>(
        &mut self,
        dictionary: ValueRef<'a>,
        index: usize,
    ) -> Result<Option<(ValueRef<'a>, ValueRef<'a>)>, DecodeError> {
        match dictionary.entries_walk()? {
            Some(walk) if index < walk.remaining() => {
                self.seek(walk, index)?.next_entry(&mut Skipper::new(1))
            }
            _ => Ok(None),
        }
    }

    /// The walk moved on from the first element to this one, which there must be.
    fn seek<'a>(&mut self, mut walk: Walk<'a>, index: usize) -> Result<Walk<'a>, DecodeError> {
        let skipper = self.skipper.get_or_insert_with(|| Skipper::new(walk.remaining()));
        if self.starts.is_empty() {
            self.starts.push(walk.position());
            self.last = (0, walk.position());
        }
        let known = (index / STRIDE).min(self.starts.len() - 1);
        let known_index = known * STRIDE;
        if (known_index..=index).contains(&self.last.0) {
            walk.resume(self.last.0, self.last.1);
        } else {
            walk.resume(known_index, self.starts[known]);
        }
        for next in known + 1..=index / STRIDE {
            walk.skip(next * STRIDE - walk.index(), skipper)?;
            self.starts.push(walk.position());
        }
        walk.skip(index - walk.index(), skipper)?;
        self.last = (index, walk.position());
        Ok(walk)
    }
}
