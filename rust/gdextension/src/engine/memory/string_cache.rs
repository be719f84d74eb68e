//! Short strings that are met again and again.
//!
//! The keys of a thousand records are the same few words. The engine's Strings share their content
//! when they are copied, so a word is made once, kept, and copied from then on: no memory is taken,
//! nothing is written, nothing is freed. Words stay from one call to the next, or small values
//! would gain nothing.

use std::cell::{Cell, RefCell};

use engine_kernels::tuning::{
    CACHED_STRING_COUNT, CACHED_STRING_LEN, MISSES_PER_HIT, STRING_CACHE_COUNT, STRING_MISS_BUDGET,
};
use godot::builtin::Variant;
use spin::{Mutex, MutexGuard};
use variant::Text;

use crate::engine::ffi::api::{Api, api};
use crate::engine::memory::text;

static SHELVES: [Mutex<Option<Shelf>>; STRING_CACHE_COUNT] =
    [const { Mutex::new(None) }; STRING_CACHE_COUNT];

/// Keeps one word for each of its places. Each has cache lines of its own, as it is written to with every word.
#[repr(align(128))]
pub(crate) struct Shelf {
    places: RefCell<Box<[Place]>>,
    /// How often a word may still be looked for in vain in this call.
    patience: Cell<u32>,
}

// SAFETY: the engine counts references to the content of its Strings atomically, and one thread at a
// time copies from a shelf: the one that has its lock, or one to which that lends it (`together.rs`).
unsafe impl Send for Shelf {}

struct Place {
    /// The hash of the text that would have been put here last.
    asked_for: u64,
    len: usize,
    bytes: [u8; CACHED_STRING_LEN],
    /// A `String` with these bytes.
    string: Variant,
}

/// A shelf that nobody has, if there is one.
#[inline]
pub(crate) fn shelf() -> Option<ShelfGuard> {
    let mut shelf = SHELVES.iter().find_map(Mutex::try_lock)?;
    shelf.get_or_insert_with(Shelf::new).patience.set(STRING_MISS_BUDGET);
    Some(shelf)
}

/// The words of whoever has it.
pub(crate) type ShelfGuard = MutexGuard<'static, Option<Shelf>>;

/// Lets go of all words, except for those that a call works with: whether there was none.
pub(crate) fn shut_down() -> bool {
    let mut are_free = true;
    for shelf in &SHELVES {
        match shelf.try_lock() {
            Some(mut shelf) => *shelf = None,
            None => are_free = false,
        }
    }
    are_free
}

impl Shelf {
    #[cold]
    fn new() -> Shelf {
        let place = || Place {
            asked_for: 0,
            len: 0,
            bytes: [0; CACHED_STRING_LEN],
            string: Variant::nil(),
        };
        let places = (0..CACHED_STRING_COUNT).map(|_| place()).collect();
        Shelf { places: RefCell::new(places), patience: Cell::new(STRING_MISS_BUDGET) }
    }

    /// A String with this text, if it is one that is kept. It stays where it is until the next
    /// call.
    #[inline]
    pub(crate) fn find(&self, text: Text<'_>) -> Option<*const Variant> {
        match text {
            Text::Ascii(bytes) if bytes.len() <= CACHED_STRING_LEN && self.patience.get() > 0 => {
                let found = self.find_ascii(bytes);
                let patience = self.patience.get();
                self.patience.set(match found {
                    Some(_) => STRING_MISS_BUDGET.min(patience + MISSES_PER_HIT),
                    None => patience - 1,
                });
                found
            }
            _ => None,
        }
    }

    fn find_ascii(&self, bytes: &[u8]) -> Option<*const Variant> {
        let hash = hash(bytes);
        let mut places = self.places.borrow_mut();
        let place = &mut places[hash as usize % CACHED_STRING_COUNT];
        if place.bytes.get(..place.len) == Some(bytes) && place.len > 0 {
            return Some(&raw const place.string);
        }
        // Only what comes again is kept: to put a word up costs more than to make it.
        if place.asked_for != hash {
            place.asked_for = hash;
            return None;
        }
        place.put(api(), bytes);
        Some(&raw const place.string)
    }
}

impl Place {
    #[cold]
    #[inline(never)]
    fn put(&mut self, api: &'static Api, bytes: &[u8]) {
        self.len = bytes.len();
        self.bytes[..bytes.len()].copy_from_slice(bytes);
        self.string = text::make_variant(api, Text::Ascii(bytes));
    }
}

/// Of the first and the last bytes and the length: what is the same is compared as a whole.
#[inline]
fn hash(bytes: &[u8]) -> u64 {
    const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
    let word = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
    let half = |bytes: &[u8; 4]| u64::from(u32::from_le_bytes(*bytes));
    let (first, last) = match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => (word(first), word(last)),
        _ => match (bytes.first_chunk(), bytes.last_chunk()) {
            (Some(first), Some(last)) => (half(first), half(last)),
            _ => (bytes.iter().fold(0, |hash, &byte| hash << 8 | u64::from(byte)), 0),
        },
    };
    let mixed = (first ^ last.rotate_left(29) ^ bytes.len() as u64).wrapping_mul(MULTIPLIER);
    mixed ^ mixed >> 32
}
