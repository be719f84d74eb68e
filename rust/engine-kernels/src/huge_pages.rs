//! Large memory in huge pages.
//!
//! The system hands out memory page by page when it is first touched, and for a text of megabytes
//! that takes longer than to write it. Linux takes pages of 2 MB instead of 4 KB where it is asked
//! to. Only memory that is about to be written is advised; nothing about the process is changed.
#![allow(unsafe_code)]

use crate::tuning::HUGE_PAGES_LEN;

/// The size of a huge page on x86-64, and on ARM with pages of 4 KB.
const HUGE_PAGE_LEN: usize = 2 << 20;

/// Asks for huge pages behind `len` bytes from `first` on, which are about to be written, if they
/// are many. Whether such pages come is up to the system; what stands in the memory stays.
///
/// # Safety
/// The bytes must be memory of one allocation that the caller owns.
#[inline]
pub unsafe fn advise(first: *mut u8, len: usize) {
    if len >= HUGE_PAGES_LEN {
        // SAFETY: the bytes are memory of one allocation of the caller's.
        unsafe { advise_whole_pages(first, len) };
    }
}

#[cfg(target_os = "linux")]
#[cold]
unsafe fn advise_whole_pages(first: *mut u8, len: usize) {
    let to_first_page = first.align_offset(HUGE_PAGE_LEN);
    let Some(rest) = len.checked_sub(to_first_page) else { return };
    // SAFETY: the range lies within the caller's memory, and the advice changes nothing that a program can see. A
    // system that knows no such pages says so, and nothing is lost.
    unsafe {
        let first_page = first.add(to_first_page).cast();
        libc::madvise(first_page, rest - rest % HUGE_PAGE_LEN, libc::MADV_HUGEPAGE);
    }
}

#[cfg(not(target_os = "linux"))]
unsafe fn advise_whole_pages(_first: *mut u8, _len: usize) {
    let _ = HUGE_PAGE_LEN;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Miri has no such system call: it runs the case in which there is no whole page to ask for.
    #[test]
    fn what_stands_in_the_memory_stays() {
        let lens = [0, 1, HUGE_PAGE_LEN, HUGE_PAGES_LEN - 1, HUGE_PAGES_LEN, HUGE_PAGES_LEN + 5000];
        for len in if cfg!(miri) { &lens[..2] } else { &lens[..] } {
            let mut bytes = vec![0xA5_u8; *len];
            // SAFETY: the bytes are one allocation of this test.
            unsafe { advise(bytes.as_mut_ptr(), bytes.len()) };
            assert!(bytes.iter().all(|&byte| byte == 0xA5), "{len} bytes");
        }
    }
}
