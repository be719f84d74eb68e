//! Short strings that are met again and again.
//!
//! The keys of a thousand records are the same few strings. The engine's Strings share their content
//! when they are copied. So a string is made once, kept, and copied from then on: no memory is taken,
//! nothing is written, nothing is freed. Strings stay from one call to the next, or small values
//! would gain nothing.

use std::cell::{Cell, RefCell};

use engine_kernels::tuning::{
    CACHED_STRING_COUNT, CACHED_STRING_LEN, MISSES_PER_HIT, STRING_CACHE_COUNT, STRING_MISS_BUDGET,
};
use godot::builtin::Variant;
use godot_variant::Text;
use spin::{Mutex, MutexGuard};

use crate::engine::ffi::api::{Api, api};
use crate::engine::memory::text;

static CACHES: [Mutex<Option<StringCache>>; STRING_CACHE_COUNT] =
    [const { Mutex::new(None) }; STRING_CACHE_COUNT];

/// Strings by their hash, one for each entry. Each cache has cache lines of its own, as it is written to with every lookup.
#[repr(align(128))]
pub(crate) struct StringCache {
    entries: RefCell<Box<[Entry]>>,
    /// How often a string may still be looked for without success in this call.
    miss_budget: Cell<u32>,
}

// SAFETY: the engine counts references to the content of its Strings atomically, and one thread at a
// time copies from a cache: the one that has its lock.
unsafe impl Send for StringCache {}

struct Entry {
    /// The hash of the text that would have been put here last.
    asked_for: u64,
    len: usize,
    bytes: [u8; CACHED_STRING_LEN],
    /// A `String` with these bytes.
    string: Variant,
}

/// A cache that no other thread has, if there is one.
#[inline]
pub(crate) fn acquire() -> Option<StringCacheGuard> {
    let mut cache = CACHES.iter().find_map(Mutex::try_lock)?;
    cache.get_or_insert_with(StringCache::new).miss_budget.set(STRING_MISS_BUDGET);
    Some(cache)
}

/// A cache, as long as a thread has it.
pub(crate) type StringCacheGuard = MutexGuard<'static, Option<StringCache>>;

/// Frees all strings, except the ones that a call uses: whether there was no such call.
pub(crate) fn shut_down() -> bool {
    let mut are_free = true;
    for cache in &CACHES {
        match cache.try_lock() {
            Some(mut cache) => *cache = None,
            None => are_free = false,
        }
    }
    are_free
}

impl StringCache {
    #[cold]
    fn new() -> StringCache {
        let entry = || Entry {
            asked_for: 0,
            len: 0,
            bytes: [0; CACHED_STRING_LEN],
            string: Variant::nil(),
        };
        let entries = (0..CACHED_STRING_COUNT).map(|_| entry()).collect();
        StringCache { entries: RefCell::new(entries), miss_budget: Cell::new(STRING_MISS_BUDGET) }
    }

    /// A String with this text, if it is one that is kept. It stays where it is until the next
    /// call.
    #[inline(always)]
    pub(crate) fn find(&self, text: Text<'_>) -> Option<*const Variant> {
        match text {
            Text::Ascii(bytes)
                if self.miss_budget.get() > 0 && (1..=CACHED_STRING_LEN).contains(&bytes.len()) =>
            {
                self.find_ascii(bytes)
            }
            _ => None,
        }
    }

    fn find_ascii(&self, bytes: &[u8]) -> Option<*const Variant> {
        let found = self.look_up(bytes);
        let miss_budget = self.miss_budget.get();
        self.miss_budget.set(match found {
            Some(_) => STRING_MISS_BUDGET.min(miss_budget + MISSES_PER_HIT),
            None => miss_budget - 1,
        });
        found
    }

    #[inline]
    fn look_up(&self, bytes: &[u8]) -> Option<*const Variant> {
        let hash = hash(bytes);
        let mut entries = self.entries.borrow_mut();
        let entry = &mut entries[hash as usize % CACHED_STRING_COUNT];
        if entry.bytes.get(..entry.len) == Some(bytes) {
            return Some(&raw const entry.string);
        }
        // Only repeated strings are kept: filling an entry costs more than making the string.
        if entry.asked_for != hash {
            entry.asked_for = hash;
            return None;
        }
        entry.fill(api(), bytes);
        Some(&raw const entry.string)
    }
}

impl Entry {
    #[cold]
    #[inline(never)]
    fn fill(&mut self, api: &'static Api, bytes: &[u8]) {
        self.len = bytes.len();
        self.bytes[..bytes.len()].copy_from_slice(bytes);
        self.string = text::make_variant(api, Text::Ascii(bytes));
    }
}

/// A hash of the first and the last bytes and the length. Texts with equal hashes are compared as a whole.
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
