//! A sink that fills a [`Value`] with several threads.

use std::collections::HashSet;
use std::mem;
use std::slice;
use std::sync::Mutex;
use std::thread::{self, ThreadId};

use variant_codec::variant::{
    Array, ArraySink, ContainerType, ContainerTypeRef, Dictionary, DictionarySink, NodePathRef,
    PackedType, ParallelSink, ParallelStrings, PartEmitter, Real, Refusal, Sink, StringKind,
    StringsEmitter, StringsSink, Text, Value, VariantType,
};

const THREADS: usize = 3;

/// Which threads emitted how many parts.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) threads: HashSet<ThreadId>,
    pub(crate) parts: usize,
}

/// A place for one value, whose large containers several threads fill.
pub(crate) struct Place<'v> {
    pub(crate) value: &'v mut Value,
    pub(crate) tally: &'v Mutex<Tally>,
}

macro_rules! pass_on {
    ($($name:ident $(<const $n:ident: usize>)? ($($argument:ident: $ty:ty),*);)*) => {
        $(fn $name $(<const $n: usize>)? (self, $($argument: $ty),*) -> Result<(), Refusal> {
            self.value.$name($($argument),*)
        })*
    };
}

impl<'v> Sink for Place<'v> {
    type Array = Elements<'v>;
    type Dictionary = Entries<'v>;
    type Object = <&'v mut Value as Sink>::Object;
    type Strings = Strings<'v>;

    pass_on! {
        nil();
        bool(value: bool);
        int(value: i64);
        float(value: f64);
        string(kind: StringKind, text: Text<'_>);
        reals<const N: usize>(ty: VariantType, components: &[Real; N]);
        ints<const N: usize>(ty: VariantType, components: &[i32; N]);
        color(components: &[f32; 4]);
        node_path(path: NodePathRef<'_>);
        rid(id: u64);
        null_object();
        object_id(id: u64);
        callable();
        signal(name: Text<'_>, object_id: u64);
        packed(ty: PackedType, elements: &[u8]);
    }

    fn object(self, class: Text<'_>, count: usize) -> Result<Self::Object, Refusal> {
        self.value.object(class, count)
    }

    fn array(self, ty: ContainerTypeRef<'_>, count: usize) -> Result<Elements<'v>, Refusal> {
        Ok(Elements { place: self, ty: ty.to_owned(), count, elements: Vec::new() })
    }

    fn dictionary(
        self,
        key_type: ContainerTypeRef<'_>,
        value_type: ContainerTypeRef<'_>,
        _count: usize,
    ) -> Result<Entries<'v>, Refusal> {
        let dictionary = Dictionary::typed(key_type.to_owned(), value_type.to_owned());
        Ok(Entries { place: self, dictionary, key: Value::Nil })
    }

    fn packed_strings(self, count: usize) -> Result<Strings<'v>, Refusal> {
        Ok(Strings { place: self, count, strings: Vec::new() })
    }
}

pub(crate) struct Elements<'v> {
    place: Place<'v>,
    ty: ContainerType,
    count: usize,
    elements: Vec<Value>,
}

impl ArraySink for Elements<'_> {
    type Element<'a>
        = Place<'a>
    where
        Self: 'a;

    fn element(&mut self) -> Place<'_> {
        self.elements.push(Value::Nil);
        let value = self.elements.last_mut().expect("an element was just pushed");
        Place { value, tally: self.place.tally }
    }

    fn parallel(&mut self) -> Option<impl ParallelSink> {
        Some(ParallelElements(self))
    }

    fn end(self) -> Result<(), Refusal> {
        let array = Array { element_type: self.ty, elements: self.elements };
        *self.place.value = Value::Array(Box::new(array));
        Ok(())
    }
}

struct ParallelElements<'a, 'v>(&'a mut Elements<'v>);

impl ParallelSink for ParallelElements<'_, '_> {
    fn fill<E: PartEmitter>(
        self,
        cut: impl FnMut() -> Option<(E::Part, usize)> + Send,
        emitter: &E,
    ) -> Option<Result<(), E::Error>> {
        let tally = self.0.place.tally;
        self.0.elements = vec![Value::Nil; self.0.count];
        Some(fill(tally, cut, &mut self.0.elements, |part, values: &mut [Value]| {
            let mut places = ElementPlaces { values: values.iter_mut(), tally };
            let outcome = emitter.emit(part, &mut places);
            assert!(outcome.is_err() || places.values.len() == 0, "each place takes an element");
            outcome
        }))
    }
}

/// The places of one part.
struct ElementPlaces<'v> {
    values: slice::IterMut<'v, Value>,
    tally: &'v Mutex<Tally>,
}

impl ArraySink for ElementPlaces<'_> {
    type Element<'a>
        = Place<'a>
    where
        Self: 'a;

    fn element(&mut self) -> Place<'_> {
        let value = self.values.next().expect("a part has a place for each element");
        Place { value, tally: self.tally }
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}

pub(crate) struct Entries<'v> {
    place: Place<'v>,
    dictionary: Dictionary,
    key: Value,
}

impl DictionarySink for Entries<'_> {
    type Key<'a>
        = Place<'a>
    where
        Self: 'a;
    type Value<'a>
        = Place<'a>
    where
        Self: 'a;

    fn key(&mut self) -> Place<'_> {
        Place { value: &mut self.key, tally: self.place.tally }
    }

    fn value(&mut self) -> Place<'_> {
        let value = self.dictionary.entry(mem::take(&mut self.key));
        Place { value, tally: self.place.tally }
    }

    fn parallel(&mut self) -> Option<impl ParallelSink> {
        Some(ParallelEntries(self))
    }

    fn end(self) -> Result<(), Refusal> {
        *self.place.value = Value::Dictionary(Box::new(self.dictionary));
        Ok(())
    }
}

struct ParallelEntries<'a, 'v>(&'a mut Entries<'v>);

impl ParallelSink for ParallelEntries<'_, '_> {
    fn fill<E: PartEmitter>(
        self,
        mut cut: impl FnMut() -> Option<(E::Part, usize)> + Send,
        emitter: &E,
    ) -> Option<Result<(), E::Error>> {
        let tally = self.0.place.tally;
        let mut lists: Vec<Vec<Value>> = Vec::new();
        let parts: Vec<_> = std::iter::from_fn(&mut cut).collect();
        lists.resize_with(parts.len(), Vec::new);
        let mut parts = parts.into_iter();
        let result = fill(
            tally,
            || parts.next().map(|part| (part, 1)),
            &mut lists,
            |(part, count), list: &mut [Vec<Value>]| {
                let mut place = Value::Nil;
                let place = Place { value: &mut place, tally };
                let (ty, elements) = (ContainerType::Any, Vec::new());
                let mut entries = Elements { place, ty, count: 2 * count, elements };
                let tally = emitter.emit(part, &mut entries);
                list[0] = entries.elements;
                tally
            },
        );
        let mut values = lists.into_iter().flatten();
        while let (Some(key), Some(value)) = (values.next(), values.next()) {
            self.0.dictionary.insert(key, value);
        }
        Some(result)
    }
}

pub(crate) struct Strings<'v> {
    place: Place<'v>,
    count: usize,
    strings: Vec<Box<str>>,
}

impl StringsSink for Strings<'_> {
    fn push(&mut self, text: Text<'_>) -> Result<(), Refusal> {
        self.strings.push(text.to_boxed_str());
        Ok(())
    }

    fn parallel(&mut self) -> Option<impl ParallelStrings> {
        Some(ParallelTexts(self))
    }

    fn end(self) -> Result<(), Refusal> {
        *self.place.value = Value::PackedStringArray(self.strings);
        Ok(())
    }
}

struct ParallelTexts<'a, 'v>(&'a mut Strings<'v>);

impl ParallelStrings for ParallelTexts<'_, '_> {
    fn fill<E: StringsEmitter>(
        self,
        cut: impl FnMut() -> Option<(E::Part, usize)> + Send,
        emitter: &E,
    ) -> Option<Result<(), E::Error>> {
        self.0.strings = vec![Box::default(); self.0.count];
        Some(fill(
            self.0.place.tally,
            cut,
            &mut self.0.strings,
            |part, strings: &mut [Box<str>]| {
                emitter.emit(part, &mut TextPlaces(strings.iter_mut()))
            },
        ))
    }
}

/// The places of one part.
struct TextPlaces<'v>(slice::IterMut<'v, Box<str>>);

impl StringsSink for TextPlaces<'_> {
    fn push(&mut self, text: Text<'_>) -> Result<(), Refusal> {
        *self.0.next().expect("a part has a place for each string") = text.to_boxed_str();
        Ok(())
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}

/// What is not taken yet.
struct Rest<'a, C, T> {
    cut: C,
    places: &'a mut [T],
    number: usize,
}

/// Has each part emit into its own places, and says what went wrong in the first one.
fn fill<'a, P, T: Send, E: Send>(
    tally: &Mutex<Tally>,
    cut: impl FnMut() -> Option<(P, usize)> + Send,
    places: &'a mut [T],
    emit: impl Fn(P, &'a mut [T]) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let rest = Mutex::new(Rest { cut, places, number: 0 });
    let first_error = Mutex::new(None);
    let next = || {
        let mut rest = rest.lock().unwrap();
        let (part, count) = (rest.cut)()?;
        let places = mem::take(&mut rest.places);
        let (mine, others) = places.split_at_mut(count);
        rest.places = others;
        rest.number += 1;
        Some((rest.number, part, mine))
    };
    let work = || {
        while let Some((number, part, places)) = next() {
            let outcome = emit(part, places);
            let mut tally = tally.lock().unwrap();
            tally.threads.insert(thread::current().id());
            tally.parts += 1;
            drop(tally);
            // The others have their turn, so that no thread emits all.
            thread::yield_now();
            if let Err(error) = outcome {
                let mut first = first_error.lock().unwrap();
                if first.as_ref().is_none_or(|(first, _)| number < *first) {
                    *first = Some((number, error));
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(work);
        }
    });
    first_error.into_inner().unwrap().map_or(Ok(()), |(_, error)| Err(error))
}
