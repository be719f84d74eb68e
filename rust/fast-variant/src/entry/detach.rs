//! Letting go of the library's file.
//!
//! On Linux, memory that is mapped from a file changes with the file, and ends where the file ends now (SIGBUS). Many programs
//! that unpack or copy a newer release over the addon write into the existing files: the editor that has the library loaded would
//! crash. So the library puts copies in the place of its own mappings, of some megabytes, once.

use std::ptr::{self, NonNull};
use std::{fs, io, slice};

/// Puts private memory in the place of all that is mapped from the library's file. No other thread may run code of the library
/// meanwhile: what it would write would be lost.
///
/// # Errors
/// What the system says; it may forbid memory with code that comes from no file. Then the rest stays as it was.
pub(super) fn let_go_of_file() -> io::Result<()> {
    let maps = fs::read_to_string("/proc/self/maps")?;
    let mappings: Vec<_> = maps.lines().filter_map(Mapping::parse).collect();
    let here = (&raw const ANCHOR).addr();
    let own = mappings.iter().find(|mapping| mapping.start <= here && here < mapping.end);
    // A second call finds memory that is not of a file.
    let Some(file) = own.map(|mapping| mapping.file).filter(|file| file.1 != "0") else {
        return Ok(());
    };
    mappings.iter().filter(|mapping| mapping.file == file && mapping.is_private).try_for_each(copy)
}

/// A line of `/proc/self/maps`.
struct Mapping<'a> {
    start: usize,
    end: usize,
    protection: libc::c_int,
    is_private: bool,
    /// Device and inode.
    file: (&'a str, &'a str),
}

impl<'a> Mapping<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let mut fields = line.split_ascii_whitespace();
        let (start, end) = fields.next()?.split_once('-')?;
        let rights = fields.next()?;
        let _offset = fields.next()?;
        let flags = [('r', libc::PROT_READ), ('w', libc::PROT_WRITE), ('x', libc::PROT_EXEC)];
        Some(Self {
            start: usize::from_str_radix(start, 16).ok()?,
            end: usize::from_str_radix(end, 16).ok()?,
            protection: flags
                .iter()
                .filter(|(right, _)| rights.contains(*right))
                .fold(libc::PROT_NONE, |all, (_, flag)| all | flag),
            is_private: rights.ends_with('p'),
            file: (fields.next()?, fields.next()?),
        })
    }
}

fn copy(mapping: &Mapping<'_>) -> io::Result<()> {
    // Unreadable memory is neither read nor run.
    if mapping.protection & libc::PROT_READ == 0 {
        return Ok(());
    }
    let len = mapping.end - mapping.start;
    let place = ptr::with_exposed_provenance_mut::<libc::c_void>(mapping.start);
    // SAFETY: new memory of the system's choice, which nobody else has.
    let copy = unsafe {
        libc::mmap(
            ptr::null_mut(),
            len,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        )
    };
    if copy == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    let copy = NonNull::new(copy).ok_or(io::ErrorKind::OutOfMemory)?;
    // SAFETY: both are `len` bytes long and apart; the library is loaded while this runs, and its mapping can be read. Where the
    // file is shorter than the mapping, that was so when it was loaded, and the rest is never used by a loader.
    unsafe {
        let bytes = slice::from_raw_parts(place.cast::<u8>(), len);
        copy.as_ptr().cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), len);
    }
    // SAFETY: the copy is this function's own. `mremap` puts it in the place of the mapping in one step, with the same bytes and
    // rights, so that code that runs there, this one included, goes on; no other thread of the library writes (see above).
    let is_replaced = unsafe {
        libc::mprotect(copy.as_ptr(), len, mapping.protection) == 0
            && libc::mremap(
                copy.as_ptr(),
                len,
                len,
                libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED,
                place,
            ) == place
    };
    if is_replaced {
        return Ok(());
    }
    let error = io::Error::last_os_error();
    // SAFETY: the copy was not moved, and nobody uses it.
    unsafe { libc::munmap(copy.as_ptr(), len) };
    Err(error)
}

/// An address in this library, and in no other one.
static ANCHOR: u8 = 0;
