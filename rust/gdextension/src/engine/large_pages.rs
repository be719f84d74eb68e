//! Large memory in large pages.
//!
//! The system hands out memory page by page when it is first touched, and for a text of megabytes that takes longer
//! than to write it. Linux takes pages of 2 MB instead of 4 KB where it is asked to.

#[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
use std::hint;

/// Shorter memory holds too few whole pages of that size.
const WORTHWHILE: usize = 8 << 20;
const LARGE_PAGE: usize = 2 << 20;

/// Asks for large pages behind `len` bytes from `first` on, which are about to be written. Whether they come is up to
/// the system; what stands in the memory stays.
///
/// # Safety
/// The bytes must be memory of one allocation of ours.
#[inline]
pub(super) unsafe fn advise(first: *mut u8, len: usize) {
    if len >= WORTHWHILE {
        // SAFETY: promised by the caller.
        unsafe { advise_whole_pages(first, len) };
    }
}

/// Prepares the C library for the many small values that are about to be decoded from `encoded_len` bytes.
///
/// They stand one behind the other at the end of its memory, which grows page by page: in a loop that decodes and frees
/// twenty thousand records, a third of the time was the system's. So it is made to grow at once, by a piece that is
/// given back before anything is done with it, and large pages are asked for there. The piece is taken twice:
/// glibc keeps a first one apart, sees it freed, and takes pieces of this size from the common memory from then on
/// (its dynamic threshold, mallopt(3)), as it does after any buffer of this size was freed. It then also keeps up to twice
/// as much of what is freed at the end of its memory.
#[inline]
pub(super) fn prepare(encoded_len: usize, growth: Growth) {
    let len = encoded_len.saturating_mul(growth as usize).min(MAX_PREPARED);
    if len >= WORTH_PREPARING {
        prepare_memory(len);
    }
}

/// How many bytes small values take in memory for each encoded one: rather too few, or the last of the large pages would
/// hardly be used.
#[derive(Clone, Copy)]
pub(super) enum Growth {
    /// Beside its entries a dictionary has tables, which are no small pieces of memory.
    Entries = 3,
    Elements = 6,
}

const WORTH_PREPARING: usize = 4 << 20;
/// Larger pieces glibc always keeps apart, on systems of 64 bits.
const MAX_PREPARED: usize = 31 << 20;

#[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
#[cold]
fn prepare_memory(len: usize) {
    // SAFETY: what is taken is given back, and between the two it is ours.
    unsafe {
        // The compiler would leave both out.
        libc::free(hint::black_box(libc::malloc(len)));
        let piece = libc::malloc(len).cast::<u8>();
        if !piece.is_null() {
            advise_whole_pages(piece, len);
        }
        libc::free(piece.cast());
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64")))]
fn prepare_memory(_len: usize) {}

#[cfg(target_os = "linux")]
#[cold]
unsafe fn advise_whole_pages(first: *mut u8, len: usize) {
    let to_first_page = first.align_offset(LARGE_PAGE);
    let Some(rest) = len.checked_sub(to_first_page) else { return };
    // SAFETY: the range lies within the caller's memory, and the advice changes nothing that a program can see. A
    // system that knows no such pages says so, and nothing is lost.
    unsafe {
        let first_page = first.add(to_first_page).cast();
        libc::madvise(first_page, rest - rest % LARGE_PAGE, libc::MADV_HUGEPAGE);
    }
}

#[cfg(not(target_os = "linux"))]
unsafe fn advise_whole_pages(_first: *mut u8, _len: usize) {
    let _ = LARGE_PAGE;
}
