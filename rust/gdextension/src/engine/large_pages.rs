//! Large memory in large pages.
//!
//! The system hands out memory page by page when it is first touched, and for a text of megabytes that takes longer
//! than to write it. Linux takes pages of 2 MB instead of 4 KB where it is asked to.

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
