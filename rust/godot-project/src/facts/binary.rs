//! The head of binary resources: `.scn`, `.res`.

use godot_tscn::LFS_POINTER;

use crate::Uid;
use crate::facts::{FileFacts, Refusal};

/// Bit of the flags that says that a uid follows (`ResourceFormatSaverBinaryInstance::FORMAT_FLAG_UIDS`).
const HAS_UID: u32 = 2;

/// Reads the head (`ResourceLoaderBinary::open`, core/io/resource_format_binary.cpp, Godot 4.6.3). The
/// contents of a compressed file are unknown.
pub(super) fn facts(content: &[u8]) -> FileFacts {
    if content.starts_with(LFS_POINTER) {
        let refusal = Some(Refusal { code: "SYN001".to_owned(), line: 1 });
        return FileFacts { refusal, ..FileFacts::unknown() };
    }
    read(content).unwrap_or_else(FileFacts::unknown)
}

fn read(content: &[u8]) -> Option<FileFacts> {
    let rest = content.strip_prefix(b"RSRC")?;
    let is_big_endian = rest.get(..4)? != [0; 4];
    let number = |at: usize| {
        let bytes: [u8; 4] = rest.get(at..at + 4)?.try_into().ok()?;
        Some(if is_big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    };
    // Endianness, precision, major, minor, format; then the type.
    let length = number(20)? as usize;
    let name = rest.get(24..24usize.checked_add(length)?)?;
    let name = name.strip_suffix(b"\0").unwrap_or(name);
    // The place of the import's data, then the flags.
    let after = 24 + length + 8;
    let flags = number(after)?;
    let uid = || {
        let halves = [number(after + 4)?, number(after + 8)?].map(u64::from);
        let [high, low] = if is_big_endian { halves } else { [halves[1], halves[0]] };
        Uid::new((high << 32 | low) as i64)
    };
    Some(FileFacts {
        uid: (flags & HAS_UID != 0).then(uid).flatten(),
        resource_type: Some(String::from_utf8_lossy(name).into_owned()),
        ..FileFacts::unknown()
    })
}
