//! Compares the results of the running engine's functions for known values with the assumptions of
//! [`Layout`].

use std::ffi::c_void;
use std::mem::{offset_of, size_of};
use std::{ptr, slice};

use godot::builtin::{
    GString, PackedByteArray, StringName, VarArray, VarDictionary, Variant, vdict,
};
use godot::meta::ToGodot;
use godot_variant::{PackedType, VariantType};

use crate::engine::ffi::api::{Api, Content};
use crate::engine::ffi::layout::{
    ArrayLayout, CONTENT_OFFSET, DictionaryLayout, Entry, FIRST_BYTE_OFFSET, Layout, is_boxed,
    table_for,
};
use crate::engine::ffi::switches;
use crate::engine::memory::uninit_bytes;

/// Tries every path on known values.
pub(crate) fn layout(api: &Api) -> Layout {
    let variants = variants(api);
    let packed_arrays = packed_arrays(api);
    let dictionaries = if variants { dictionaries(api) } else { None };
    Layout {
        variants,
        strings: strings(api),
        packed_arrays,
        uninit_arrays: packed_arrays && uninit_bytes::probe(api),
        // Both contain Variants.
        arrays: if variants { arrays(api) } else { None },
        dictionaries,
        // Where it is switched off it is not tried either: to try it is to write.
        table_sizes: dictionaries
            .filter(|_| !switches::table_sizes_are_off())
            .and_then(|layout| table_sizes(api, layout)),
        calls: true,
    }
}

fn variants(api: &Api) -> bool {
    size_of::<Variant>() == 24
        && VariantType::ALL.into_iter().all(|ty| probe_place(api, ty))
        && probe_written()
}

/// A default value of each type: its type, and where its content is.
fn probe_place(api: &Api, ty: VariantType) -> bool {
    let mut variant = Variant::nil();
    if ty != VariantType::Nil {
        // SAFETY: a nil needs no destruction.
        unsafe { api.make_default(ty, &raw mut variant) };
    }
    let variant = &raw const variant;
    // SAFETY: a Variant has 24 bytes, all of which may be read as integers or addresses; the
    // content is asked for by its own type.
    unsafe {
        let type_id = variant.cast::<u32>().read();
        let inside = variant.byte_add(CONTENT_OFFSET);
        type_id == u32::from(ty.id())
            && match () {
                () if is_inline(ty) => api.content(ty, variant).cast_const() == inside.cast(),
                () if is_boxed(ty) => api.content(ty, variant) == inside.cast::<Content>().read(),
                () => true,
            }
    }
}

/// Values that are built by hand, as the writer does it, and read by the engine.
fn probe_written() -> bool {
    // SAFETY: the first three need no destruction whatever the engine takes them for; the last is
    // an empty String, whose null the engine has just been seen to use.
    let written = unsafe {
        [
            write_by_hand(VariantType::Int, (-7i64).cast_unsigned()),
            write_by_hand(VariantType::Float, 0.1f64.to_bits()),
            write_by_hand(VariantType::Bool, 1),
            write_by_hand(VariantType::String, 0),
        ]
    };
    let expected =
        [(-7i64).to_variant(), 0.1f64.to_variant(), true.to_variant(), GString::new().to_variant()];
    written == expected
}

/// # Safety
/// The bits must be what the engine has for the type in its first 8 bytes.
unsafe fn write_by_hand(ty: VariantType, bits: u64) -> Variant {
    let mut variant = Variant::nil();
    // SAFETY: a nil holds nothing that would leak; a Variant is three words.
    unsafe { (&raw mut variant).cast::<[u64; 3]>().write([u64::from(ty.id()), bits, 0]) };
    variant
}

fn strings(api: &Api) -> bool {
    let texts = ["", "a", "FastVariant", "\u{1F600} beyond the first plane", &"long ".repeat(1000)];
    texts.into_iter().all(|text| {
        let string = GString::from(text);
        let address: *const c_void = (&raw const string).cast();
        let interface = &api.interface;
        // SAFETY: a String is one pointer wide; the units are read only after both ways agreed on
        // where they are and the engine said how many there are.
        unsafe {
            let units = address.cast::<*const u32>().read();
            let len = (interface.string_to_utf32_chars)(address, ptr::null_mut(), 0) as usize;
            if len == 0 {
                return text.is_empty();
            }
            units == (interface.string_operator_index_const)(address, 0)
                && slice::from_raw_parts(units, len).iter().copied().eq(text.chars().map(u32::from))
        }
    })
}

fn packed_arrays(api: &Api) -> bool {
    const LENS: [usize; 5] = [1, 2, 100, 4096, 1 << 20];
    size_of::<PackedByteArray>() == FIRST_BYTE_OFFSET + size_of::<*const u8>()
        && LENS.into_iter().all(|len| {
            let array: PackedByteArray = (0..len).map(|index| index as u8).collect();
            let address: *const c_void = (&raw const array).cast();
            let index_const = api.packed(PackedType::Byte).index_const;
            // SAFETY: the array is two words wide, and has a first byte.
            unsafe {
                let first = address.byte_add(FIRST_BYTE_OFFSET).cast::<*mut u8>().read();
                first == index_const(address.cast_mut(), 0)
            }
        })
}

/// The offsets that hold for arrays of every size and type.
fn arrays(api: &Api) -> Option<ArrayLayout> {
    let sizes = [1, 2, 100].map(|count| {
        let array: VarArray = (0..count).map(|number| (number * 7).to_variant()).collect();
        Probed::new(api, VariantType::Array, array.to_variant())
    });
    let elements = sizes.iter().map(|probed| {
        let index_const = api.interface.array_operator_index_const;
        // SAFETY: there is an element with this index.
        let first = unsafe { index_const(probed.content(), 0) };
        (probed, first as usize as u64)
    });
    let types = TYPES.map(|ty| Probed::typed(api, VariantType::Array, ty, VariantType::Nil));
    let types = types.iter().zip(TYPES).map(|(probed, ty)| (probed, u64::from(ty.id())));
    Some(ArrayLayout { elements: offset_of_word(elements)?, element_type: offset_of_half(types)? })
}

/// The offsets that hold for dictionaries of every size and type, and after entries were removed.
fn dictionaries(api: &Api) -> Option<DictionaryLayout> {
    let mut grown = VarDictionary::new();
    for number in 0..100i64 {
        grown.set(number, number * 3);
    }
    let mut changed = grown.duplicate_shallow();
    for number in [0i64, 1, 50, 99] {
        changed.remove(number);
    }
    changed.set(1i64, "again");
    let one = vdict! { 7i64 => "x" };
    let two = vdict! { 7i64 => 1, 8i64 => &Variant::nil() };
    let samples = [(one, 1), (two, 2), (grown, 100), (changed, 97)];
    let sizes = samples.map(|(dictionary, count)| {
        let keys: Vec<Variant> = dictionary.keys_array().iter_shared().collect();
        (Probed::new(api, VariantType::Dictionary, dictionary.to_variant()), keys, count)
    });
    if !sizes.iter().all(|(probed, keys, _)| probed.chain_is_complete(keys)) {
        return None;
    }

    let first = |probed: &Probed<'_>, keys: &[Variant]| probed.entry_of(&keys[0]) as usize as u64;
    let entries = sizes.iter().map(|(probed, keys, _)| (probed, first(probed, keys)));
    let counts = sizes.iter().map(|(probed, _, count)| (probed, *count));
    let types = TYPES.map(|ty| Probed::typed(api, VariantType::Dictionary, ty, OTHER_TYPE));
    let key_types = types.iter().zip(TYPES).map(|(probed, ty)| (probed, u64::from(ty.id())));
    let swapped = TYPES.map(|ty| Probed::typed(api, VariantType::Dictionary, OTHER_TYPE, ty));
    let value_types = swapped.iter().zip(TYPES).map(|(probed, ty)| (probed, u64::from(ty.id())));
    Some(DictionaryLayout {
        entries: offset_of_word(entries)?,
        count: offset_of_half(counts)?,
        key_type: offset_of_half(key_types)?,
        value_type: offset_of_half(value_types)?,
    })
}

/// The offset of the table's size, at which a larger one can be asked for: tried
/// on dictionaries around the counts at which a table grows.
fn table_sizes(api: &Api, layout: DictionaryLayout) -> Option<usize> {
    const COUNTS: [i64; 7] = [0, 1, 17, 18, 35, 36, 73];
    let samples = COUNTS.map(|count| {
        let mut dictionary = VarDictionary::new();
        (0..count).for_each(|number| dictionary.set(number, -number));
        (Probed::new(api, VariantType::Dictionary, dictionary.to_variant()), count)
    });
    let table = |count| table_for(count as usize).map_or(u64::MAX, u64::from);
    let offset = offset_of_half(samples.iter().map(|(probed, count)| (probed, table(*count))))?;
    let (empty, others) = samples.split_first()?;
    let without = empty.0.table_and_chain(layout)?.iter().all(|&address| address == 0);
    let with = others.iter().all(|(probed, _)| {
        probed.table_and_chain(layout).is_some_and(|places| !places.contains(&0))
    });
    (without && with && grows_from(api, offset, 72)).then_some(offset)
}

/// Whether a dictionary that is given the table of `room` entries keeps it until there are more,
/// and all are found in it.
fn grows_from(api: &Api, offset: usize, room: i64) -> bool {
    let mut dictionary = VarDictionary::new();
    let probed = Probed::new(api, VariantType::Dictionary, dictionary.to_variant());
    let (Some(table), Some(next)) = (table_for(room as usize), table_for(room as usize + 1)) else {
        return false;
    };
    // SAFETY: the dictionary is new and ours, and has no table yet, as such a one was seen to have
    // none. The word there was an index like this one in dictionaries of seven sizes.
    unsafe { probed.content().cast::<*mut u8>().read().add(offset).cast::<u32>().write(table) };
    (0..=room).all(|number| {
        dictionary.set(number, -number);
        let found = probed.private()[offset / size_of::<u32>()];
        found == if number < room { table } else { next }
    }) && (0..=room).all(|number| dictionary.get(number) == Some((-number).to_variant()))
        && dictionary.len() as i64 == room + 1
}

/// Declared types to look for.
const TYPES: [VariantType; 5] = [
    VariantType::Nil,
    VariantType::Int,
    VariantType::String,
    VariantType::PackedVector4Array,
    VariantType::Bool,
];

/// What the other side of a dictionary is declared to be meanwhile.
const OTHER_TYPE: VariantType = VariantType::Color;

/// The first offset of a 64-bit word that is as expected in every sample.
fn offset_of_word<'p>(samples: impl Iterator<Item = (&'p Probed<'p>, u64)>) -> Option<usize> {
    let samples: Vec<_> = samples.map(|(probed, expected)| (probed.private(), expected)).collect();
    let word = |halves: &[u32], at: usize| u64::from(halves[at]) | u64::from(halves[at + 1]) << 32;
    let found =
        |&at: &usize| samples.iter().all(|(halves, expected)| word(halves, at) == *expected);
    (0..samples.first()?.0.len()).step_by(2).find(found).map(|at| at * size_of::<u32>())
}

/// The first offset of a 32-bit word that is as expected in every sample.
fn offset_of_half<'p>(samples: impl Iterator<Item = (&'p Probed<'p>, u64)>) -> Option<usize> {
    let samples: Vec<_> = samples.map(|(probed, expected)| (probed.private(), expected)).collect();
    let found =
        |&at: &usize| samples.iter().all(|(halves, expected)| u64::from(halves[at]) == *expected);
    (0..samples.first()?.0.len()).find(found).map(|at| at * size_of::<u32>())
}

/// A container that is looked into.
struct Probed<'a> {
    api: &'a Api,
    ty: VariantType,
    variant: Variant,
}

impl<'a> Probed<'a> {
    fn new(api: &'a Api, ty: VariantType, variant: Variant) -> Probed<'a> {
        Probed { api, ty, variant }
    }

    /// An empty container with a declared type of its elements, or of its keys and its values.
    fn typed(api: &'a Api, ty: VariantType, first: VariantType, second: VariantType) -> Probed<'a> {
        let mut variant = Variant::nil();
        let (first, second) = (u32::from(first.id()), u32::from(second.id()));
        let (no_class, no_script) = (StringName::default(), Variant::nil());
        // SAFETY: a nil needs no destruction; the container is new and ours. Only the type to be
        // looked for may be none, which leaves an array untyped.
        unsafe {
            let content = api.make_default(ty, &raw mut variant);
            if ty == VariantType::Dictionary {
                (api.interface.dictionary_set_typed)(
                    content, first, &no_class, &no_script, second, &no_class, &no_script,
                );
            } else if first != 0 {
                (api.interface.array_set_typed)(content, first, &no_class, &no_script);
            }
        }
        Probed { api, ty, variant }
    }

    fn content(&self) -> Content {
        // SAFETY: the Variant is of this type.
        unsafe { self.api.content(self.ty, &raw const self.variant) }
    }

    /// The start of what the container points to, as bare words.
    ///
    /// It is larger than that in every version since 4.4: an array holds a count, a vector of two
    /// words, a pointer, and the declared type of four words; a dictionary a count, a pointer, a
    /// hash map of five words (six before 4.5), two declared types, and a pointer.
    ///
    /// Between the members is padding that was never written. So the words are copied one by one by
    /// volatile reads, which give whatever bits stand there; the compiler knows nothing of memory that the engine allocated, and must not assume anything about them.
    /// No reference to the memory is
    /// made. What padding happens to hold decides nothing: an offset counts only if it is as
    /// expected in every sample.
    fn private(&self) -> Vec<u32> {
        let words = if self.ty == VariantType::Array { 8 } else { 16 };
        // SAFETY: the container is one pointer, and what is there has that many words.
        let word = |index| unsafe {
            self.content().cast::<*const u32>().read().add(index).read_volatile()
        };
        (0..2 * words).map(word).collect()
    }

    /// The addresses of a dictionary's table, of its hashes, and of the first and last entry of the chain (`HashMap`,
    /// core/templates/hash_map.h), reckoned from where the chain starts.
    fn table_and_chain(&self, layout: DictionaryLayout) -> Option<[u64; 4]> {
        let halves = self.private();
        let first: usize = (layout.entries / size_of::<u32>()).checked_sub(4_usize)?;
        let halves = halves.get(first..first + 8)?;
        let word =
            |index: usize| u64::from(halves[2 * index]) | u64::from(halves[2 * index + 1]) << 32;
        Some([word(0), word(1), word(2), word(3)])
    }

    /// The entry of a key that is there, reckoned back from where the engine says its value is.
    fn entry_of(&self, key: &Variant) -> *const Entry {
        // SAFETY: the key is there, so that nothing is inserted.
        let value = unsafe { (self.api.interface.dictionary_operator_index)(self.content(), key) };
        value.cast_const().wrapping_byte_sub(offset_of!(Entry, value)).cast()
    }

    /// Whether each entry points to the next one, holds its key, and the last points nowhere.
    fn chain_is_complete(&self, keys: &[Variant]) -> bool {
        let entries: Vec<_> = keys.iter().map(|key| self.entry_of(key)).collect();
        let next = entries.iter().skip(1).copied().chain([ptr::null()]);
        entries.iter().zip(next).zip(keys).all(|((&entry, next), key)| {
            // SAFETY: the engine said that the value is there, and what stands before it is memory
            // of the same entry, read as bare words.
            unsafe {
                let found = words_of(&raw const (*entry).key);
                (&raw const (*entry).next).read() == next && found == words_of(key)
            }
        })
    }
}

/// Type and first word of the content of a Variant.
///
/// # Safety
/// There must be as much memory there as a Variant has.
unsafe fn words_of(variant: *const Variant) -> (u32, u64) {
    // SAFETY: there is as much memory as a Variant has. Volatile for the reason of `Probed::private`: whether there is
    // a Variant is what is to be found out.
    unsafe {
        let content = variant.byte_add(CONTENT_OFFSET).cast::<u64>();
        (variant.cast::<u32>().read_volatile(), content.read_volatile())
    }
}

/// Whether the content is in the Variant itself.
const fn is_inline(ty: VariantType) -> bool {
    !is_boxed(ty)
        && !matches!(ty, VariantType::Nil | VariantType::Object)
        && (ty as u8) < VariantType::PackedByteArray as u8
}
