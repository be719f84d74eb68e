//! The columns of a layout, and their forms.

use std::collections::HashMap;

use crate::bits::{BitReader, BitWriter, unzigzag, width_of, zigzag};
use crate::encode::MAX_DEPTH;
use crate::layout::{Class, Field, Node, PackedForm};
use crate::rows::transpose;

/// How much may still be read of what takes nearly no bits.
pub(super) struct Left {
    /// The elements of inner arrays.
    pub(super) elements: usize,
    /// The bytes of texts that are listed once.
    pub(super) bytes: usize,
}

/// The columns of one place of a layout.
#[derive(Clone, Debug)]
pub(crate) enum Columns {
    Numbers(Cells<i64>),
    Texts(Cells<Box<[u8]>>),
    /// Those of the parts. The first one may say how many there are in the others.
    Parts {
        has_count: bool,
        parts: Vec<Columns>,
    },
}

/// The cells of a column, and the next one to take.
#[derive(Clone, Debug)]
pub(crate) struct Cells<T> {
    cells: Vec<T>,
    next: usize,
}

impl<T> Default for Cells<T> {
    fn default() -> Self {
        Self { cells: Vec::new(), next: 0 }
    }
}

impl<T: Clone> Cells<T> {
    pub(crate) fn push(&mut self, cell: T) {
        self.cells.push(cell);
    }

    pub(crate) fn take(&mut self) -> Option<T> {
        let cell = self.cells.get(self.next).cloned()?;
        self.next += 1;
        Some(cell)
    }
}

/// Whether a class contains itself, so that its columns have no end.
pub(super) fn is_endless(node: &Node, classes: &[Class], around: usize) -> bool {
    let any =
        |fields: &[Field]| fields.iter().any(|field| is_endless(&field.node, classes, around + 1));
    match node {
        Node::Object(_) if around > MAX_DEPTH => true,
        Node::Object(index) => any(&classes[*index].fields),
        Node::Record(fields) => any(fields),
        Node::Array { item, .. } | Node::Optional(item) => is_endless(item, classes, around + 1),
        Node::Tuple(items) => items.iter().any(|item| is_endless(item, classes, around + 1)),
        Node::Map { value, .. } => is_endless(value, classes, around + 1),
        _ => false,
    }
}

impl Columns {
    /// The empty columns of a place.
    pub(super) fn of(node: &Node, classes: &[Class]) -> Self {
        let number = || Self::Numbers(Cells::default());
        let texts = || Self::Texts(Cells::default());
        let parts = |parts: Vec<Self>| Self::Parts { has_count: false, parts };
        let counted =
            |of: Vec<Self>| Self::Parts { has_count: true, parts: [vec![number()], of].concat() };
        let of = |node: &Node| Self::of(node, classes);
        match node {
            Node::Bool
            | Node::Integer(_)
            | Node::Constant { .. }
            | Node::Float(_)
            | Node::OneOf { .. } => number(),
            Node::Text { .. } => texts(),
            Node::Reals { .. } | Node::Ints { .. } | Node::Color(_) | Node::Rotation { .. } => {
                parts(vec![number(); transpose::components(node)])
            }
            Node::Packed { form: PackedForm::Bytes, .. } => texts(),
            Node::Packed { .. } => counted(vec![number()]),
            Node::Strings { .. } => counted(vec![texts()]),
            Node::Array { item, .. } => counted(vec![of(item)]),
            Node::Tuple(items) => parts(items.iter().map(of).collect()),
            Node::Map { key, value, .. } => counted(vec![of(key), of(value)]),
            Node::Optional(item) => counted(vec![of(item)]),
            Node::Record(fields) => parts(fields.iter().map(|field| of(&field.node)).collect()),
            Node::Object(index) => {
                parts(classes[*index].fields.iter().map(|field| of(&field.node)).collect())
            }
        }
    }

    pub(super) fn write(&self, out: &mut BitWriter) {
        match self {
            Self::Numbers(numbers) => write_numbers(&numbers.cells, out),
            Self::Texts(texts) => write_texts(&texts.cells, out),
            Self::Parts { parts, .. } => parts.iter().for_each(|part| part.write(out)),
        }
    }

    /// Reads the cells for `count` values; nothing for what [`Columns::write`] does not write, and for more than is `left`.
    pub(super) fn read(
        &mut self,
        count: usize,
        left: &mut Left,
        reader: &mut BitReader<'_>,
    ) -> Option<()> {
        match self {
            Self::Numbers(numbers) => numbers.cells = read_numbers(count, reader)?,
            Self::Texts(texts) => texts.cells = read_texts(count, left, reader)?,
            Self::Parts { has_count: false, parts } => {
                parts.iter_mut().try_for_each(|part| part.read(count, left, reader))?;
            }
            Self::Parts { parts, .. } => {
                parts[0].read(count, left, reader)?;
                let inside = parts[0].sum()?;
                left.elements = left.elements.checked_sub(inside)?;
                parts[1..].iter_mut().try_for_each(|part| part.read(inside, left, reader))?;
            }
        }
        Some(())
    }

    /// The sum of the numbers, all of which are counts.
    fn sum(&self) -> Option<usize> {
        let Self::Numbers(numbers) = self else { return None };
        numbers.cells.iter().try_fold(0_usize, |sum, n| sum.checked_add(usize::try_from(*n).ok()?))
    }
}

/// The forms of a column of numbers, by their number in the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// The smallest number, and the distance of each from it.
    Distances,
    /// The first number, and the same of the differences to the number before.
    Differences,
    /// Pairs of a number and how often it comes: the two columns.
    Runs,
}

const FORMS: [Form; 3] = [Form::Distances, Form::Differences, Form::Runs];
const FORM_BITS: u32 = 2;

/// The bits in front of distances: the smallest number apart, how many bits each has.
const WIDTH_BITS: u32 = 7;

fn write_numbers(numbers: &[i64], out: &mut BitWriter) {
    if numbers.is_empty() {
        return;
    }
    let shortest = FORMS.into_iter().min_by_key(|form| size_of(*form, numbers));
    write_form(shortest.unwrap_or(Form::Distances), numbers, out);
}

fn write_form(form: Form, numbers: &[i64], out: &mut BitWriter) {
    out.put(form as u64, FORM_BITS);
    match form {
        Form::Distances => write_distances(numbers, out),
        Form::Differences => {
            out.put_varint(zigzag(numbers[0]));
            write_distances(&differences(numbers), out);
        }
        Form::Runs => {
            let (values, lengths) = runs(numbers);
            out.put_varint(values.len() as u64);
            write_distances(&values, out);
            write_distances(&lengths, out);
        }
    }
}

/// How many bits a form takes, without the number of the form.
fn size_of(form: Form, numbers: &[i64]) -> usize {
    match form {
        Form::Distances => size_of_distances(numbers),
        Form::Differences => {
            size_of_varint(zigzag(numbers[0])) + size_of_distances(&differences(numbers))
        }
        Form::Runs => {
            let (values, lengths) = runs(numbers);
            let count = size_of_varint(values.len() as u64);
            count + size_of_distances(&values) + size_of_distances(&lengths)
        }
    }
}

fn differences(numbers: &[i64]) -> Vec<i64> {
    numbers.windows(2).map(|pair| pair[1].wrapping_sub(pair[0])).collect()
}

fn runs(numbers: &[i64]) -> (Vec<i64>, Vec<i64>) {
    numbers.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as i64)).unzip()
}

/// The smallest number, and how many bits the distances from it have.
fn range(numbers: &[i64]) -> (i64, u32) {
    let (min, max) =
        numbers.iter().fold((i64::MAX, i64::MIN), |(min, max), n| (min.min(*n), max.max(*n)));
    (min, width_of(max.wrapping_sub(min) as u64))
}

fn size_of_varint(value: u64) -> usize {
    width_of(value).div_ceil(7).max(1) as usize * 8
}

fn size_of_distances(numbers: &[i64]) -> usize {
    if numbers.is_empty() {
        return 0;
    }
    let (min, width) = range(numbers);
    size_of_varint(zigzag(min)) + WIDTH_BITS as usize + width as usize * numbers.len()
}

fn write_distances(numbers: &[i64], out: &mut BitWriter) {
    if numbers.is_empty() {
        return;
    }
    let (min, width) = range(numbers);
    out.put_varint(zigzag(min));
    out.put(width.into(), WIDTH_BITS);
    numbers.iter().for_each(|number| out.put(number.wrapping_sub(min) as u64, width));
}

fn read_numbers(count: usize, reader: &mut BitReader<'_>) -> Option<Vec<i64>> {
    if count == 0 {
        return Some(Vec::new());
    }
    match FORMS.get(reader.take(FORM_BITS)? as usize)? {
        Form::Distances => read_distances(count, reader),
        Form::Differences => {
            let first = unzigzag(reader.take_varint()?);
            let mut numbers = vec![first];
            let mut last = first;
            for difference in read_distances(count - 1, reader)? {
                last = last.wrapping_add(difference);
                numbers.push(last);
            }
            Some(numbers)
        }
        Form::Runs => {
            let run_count =
                usize::try_from(reader.take_varint()?).ok().filter(|runs| *runs <= count)?;
            let values = read_distances(run_count, reader)?;
            let lengths = read_distances(run_count, reader)?;
            let mut numbers = Vec::new();
            for (value, length) in values.into_iter().zip(lengths) {
                let length =
                    usize::try_from(length).ok().filter(|n| *n <= count - numbers.len())?;
                numbers.resize(numbers.len() + length, value);
            }
            (numbers.len() == count).then_some(numbers)
        }
    }
}

fn read_distances(count: usize, reader: &mut BitReader<'_>) -> Option<Vec<i64>> {
    if count == 0 {
        return Some(Vec::new());
    }
    let min = unzigzag(reader.take_varint()?);
    let width = reader.take(WIDTH_BITS)? as u32;
    if width > 64 || count.checked_mul(width as usize)? > reader.left() {
        return None;
    }
    (0..count).map(|_| Some(min.wrapping_add(reader.take(width)? as i64))).collect()
}

/// The different texts, if they are much fewer, and the index of each; or all texts.
fn write_texts(texts: &[Box<[u8]>], out: &mut BitWriter) {
    if texts.is_empty() {
        return;
    }
    let mut indices = HashMap::new();
    let mut different: Vec<&[u8]> = Vec::new();
    let index_of = |text| {
        *indices.entry(text).or_insert_with(|| {
            different.push(text);
            different.len() as i64 - 1
        })
    };
    let numbers: Vec<i64> = texts.iter().map(|text| &**text).map(index_of).collect();
    let is_listed = different.len() * 2 <= texts.len();
    out.put(is_listed.into(), 1);
    if is_listed {
        out.put_varint(different.len() as u64);
        write_all_texts(&different, out);
        write_numbers(&numbers, out);
    } else {
        write_all_texts(&texts.iter().map(|text| &**text).collect::<Vec<_>>(), out);
    }
}

fn write_all_texts(texts: &[&[u8]], out: &mut BitWriter) {
    write_numbers(&texts.iter().map(|text| text.len() as i64).collect::<Vec<_>>(), out);
    texts.iter().for_each(|text| out.put_bytes(text));
}

fn read_texts(count: usize, left: &mut Left, reader: &mut BitReader<'_>) -> Option<Vec<Box<[u8]>>> {
    if count == 0 {
        return Some(Vec::new());
    }
    if reader.take(1)? == 0 {
        return read_all_texts(count, reader);
    }
    let different = usize::try_from(reader.take_varint()?).ok().filter(|n| *n <= count)?;
    let texts = read_all_texts(different, reader)?;
    let indices = read_numbers(count, reader)?;
    let cell = |index: i64| {
        let text = texts.get(usize::try_from(index).ok()?)?;
        left.bytes = left.bytes.checked_sub(text.len())?;
        Some(text.clone())
    };
    indices.into_iter().map(cell).collect()
}

fn read_all_texts(count: usize, reader: &mut BitReader<'_>) -> Option<Vec<Box<[u8]>>> {
    let lengths = read_numbers(count, reader)?;
    let take = |length: i64| Some(reader.take_bytes(usize::try_from(length).ok()?)?.into());
    lengths.into_iter().map(take).collect()
}
