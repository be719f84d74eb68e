//! Every threshold of the native library, with the measurement or the reason behind it.
//!
//! Lengths are in bytes (`_LEN`), numbers of elements, entries, texts or units are counts
//! (`_COUNT`). All were measured on x86-64; a value that is twice as large or small costs a few per
//! cent, none changes a result.

// --- The route of a value to be encoded (`route.rs`)
// ------------------------------------------------------------------

/// From this length on a packed array is copied in less time than by the engine, which goes from element to element.
/// Shorter ones take the engine a few hundred nanoseconds.
pub const PACKED_COPY_LEN: usize = 1 << 10;

/// From this length on several cores copy a packed array in less time than one. A `PackedByteArray` is left to the
/// engine below it: that one type it copies at once.
pub const PACKED_PARALLEL_LEN: usize = 1 << 22;

/// From so many units on a `String` is encoded where it stays, without the buffer in between.
pub const LONG_TEXT_COUNT: usize = 1 << 17;

/// Values up to this length are encoded into a buffer that stays from call to call, and copied. What is longer is written where
/// it ends up, so that a call keeps no more memory than this.
pub const ENCODE_BUFFER_LEN: usize = 1 << 20;

// --- The length of a large value (`estimate.rs`)
// --------------------------------------------------------------------------

/// Fewer elements are no large container, whatever they are.
pub const LARGE_CONTAINER_COUNT: usize = 1 << 11;

/// Large containers are looked for this many levels deep: a small value pays for the search.
pub const SEARCH_DEPTH: usize = 3;

/// And only among this many elements of each container.
pub const SEARCH_COUNT: usize = 64;

/// How many elements of a container are measured for an estimate of its length.
pub const ESTIMATE_SAMPLES: usize = 8;

/// The same for entries of a dictionary, of which only the first ones can be had without a walk.
pub const ESTIMATE_ENTRY_SAMPLES: usize = 64;

/// The same for units of a text.
pub const ESTIMATE_UNIT_SAMPLES: usize = 256;

/// An estimate beyond this is not believed, as a few samples of large elements among small ones may
/// give any number; the value is measured first.
pub const TRUSTED_ESTIMATE_LEN: usize = 1 << 28;

/// An estimated output gets one part in this many more, so that it seldom has to grow.
pub const ESTIMATE_MARGIN: usize = 8;

// --- Long outputs (`uninit_output.rs`, `long_text.rs`, `packed.rs`)
// -------------------------------------------------------

/// So many bytes are filled with zeros before they are written to: they stay in the nearest caches until then.
pub const PREPARED_LEN: usize = 1 << 15;

/// Units of a long text that are looked at before what is not ASCII ends the try.
pub const TEXT_RUN_COUNT: usize = 1 << 14;

/// Bytes in a run of a packed array.
pub const PACKED_RUN_LEN: usize = 1 << 17;

/// How many units at the start of a long text are looked at before an array for nothing but ASCII is made: text of
/// another script shows it at once.
pub const ASCII_PROBE_COUNT: usize = 64;

// --- Elements that are read and written in runs
// ------------------------------------------------------------------------

/// How many elements of an array are recognised together as one plain type: few enough to stay in the nearest cache
/// between the look at their types and the look at their contents.
pub const PLAIN_RUN_COUNT: usize = 64;

// --- Prefetching (`prefetch.rs`)
// ---------------------------------------------------------------------------------------

/// How many elements of an array are emitted between the time when one is fetched and its own.
pub const ELEMENTS_AHEAD: usize = 4;

/// How many elements of an array are fetched for a later one that is made alike.
pub const ALIKE_CONTENT_COUNT: usize = 16;

/// How many entries of a large dictionary lie between the one that is fetched and the one whose content is fetched, and between
/// that and the one that is emitted.
pub const ENTRIES_AHEAD: usize = 8;

/// How many strings of a `PackedStringArray` are emitted between the time when one is fetched and its own.
pub const STRINGS_AHEAD: usize = 8;

/// Records further apart than this were not made one after the other, so that the distance says nothing.
pub const MAX_STRIDE: u32 = 1 << 16;

// --- Memory
// --------------------------------------------------------------------------------------------------------------

/// Shorter byte arrays are filled with zeros by the engine in less time than it takes to ask for one that is not.
pub const UNINIT_LEN: usize = 1 << 14;

/// Shorter memory holds too few whole pages of 2 MB.
pub const HUGE_PAGES_LEN: usize = 8 << 20;

/// A text of more units does not stay in a core's own cache anyway. Stores that go past the cache
/// took a third less time for a text of eight megabytes.
pub const STREAMED_TEXT_COUNT: usize = 2 << 20;

/// Units of a text for which there is room, however long each is, before they are encoded.
pub const TEXT_PIECE_COUNT: usize = 1 << 11;

// --- Cached strings (`string_cache.rs`)
// ----------------------------------------------------------------------------------

/// Longer texts seldom come twice.
pub const CACHED_STRING_LEN: usize = 32;

/// How many strings a cache holds: a power of two.
pub const CACHED_STRING_COUNT: usize = 256;

/// How many threads can have a cache at the same time.
pub const STRING_CACHE_COUNT: usize = 16;

/// How often a string may be looked for without success in one call. Where few strings come again, most of the time
/// would be lost with looking for them.
pub const STRING_MISS_BUDGET: u32 = 256;

/// How many more misses each string that is found pays for.
pub const MISSES_PER_HIT: u32 = 4;

/// Shorter encoded values hold no strings that come again.
pub const STRING_CACHE_MIN_LEN: usize = 32;

// --- Decoding into the engine
// --------------------------------------------------------------------------------------------

/// Longer packed arrays are decoded by the engine itself: it copies once, and what is made from outside is filled with
/// zeros first. But a call of it takes a while.
pub const PACKED_BY_ENGINE_LEN: usize = 6 << 10;

/// Places for so many elements, or entries, are made at once. A larger count must be kept first in a container that is
/// inside another one with such a count: each may announce as many elements as there are bytes, and no machine has the
/// memory for a thousand times that.
pub const TRUSTED_COUNT: usize = 512;

/// How many times more places an array gets when all are used. More would be more for arrays in arrays that each hold
/// just as many as there were places.
pub const ARRAY_GROWTH: usize = 2;

/// So many entries find room in the smallest table of a dictionary.
pub const SMALLEST_TABLE_COUNT: usize = 17;

// --- Threads
// -------------------------------------------------------------------------------------------------------------

/// How often a lock is tried before the thread sleeps until it is free.
pub const LOCK_SPINS: usize = 200;

/// How often the processor is told of a spin before the core is offered to another thread.
pub const SPINS_BEFORE_YIELD: usize = 32;

/// The stack of a worker thread: enough for the deepest value that the engine allows, in a build without optimisations
/// too.
pub const WORKER_STACK_LEN: usize = 8 << 20;

/// Parts are counted for so many threads.
pub const COUNTED_THREADS: usize = 64;
