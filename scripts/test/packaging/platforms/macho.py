"""Says what is wrong with a program or library for macOS. Arguments: the file, and `aarch64` or `x86_64`.

Looks at the load commands themselves, as the loader of macOS does (mach-o/loader.h): the processor, the oldest system, the libraries
that it needs, and the signature, without which macOS starts nothing on Apple's processors.
"""

import hashlib
import pathlib
import struct
import sys

MAGIC = 0xFEEDFACF
PROCESSORS = {"aarch64": 0x0100000C, "x86_64": 0x01000007}
EXECUTE, LIBRARY = 2, 6
SYMBOL_TABLE, LOAD_DYLIB, CODE_SIGNATURE, VERSION_MIN, BUILD_VERSION = 0x2, 0xC, 0x1D, 0x24, 0x32
CODE_DIRECTORY, EMBEDDED_SIGNATURE = 0xFADE0C02, 0xFADE0CC0
AD_HOC = 2
# Bits of a symbol's type: not for this file alone, and defined in it.
PRIVATE_EXTERNAL, DEFINED, EXTERNAL = 0x10, 0x0E, 0x01
ENTRY = b"_fast_variant_init"
# Libraries that every macOS has.
SYSTEM = ("/usr/lib/", "/System/Library/Frameworks/")


def commands(data, count):
    offset = 32
    for _ in range(count):
        kind, size = struct.unpack_from("<II", data, offset)
        yield kind, offset
        offset += size


def complaints(data, processor, is_library):
    magic, cpu, _, kind, count = struct.unpack_from("<IIIII", data)
    if magic != MAGIC:
        yield "it is not a Mach-O file of 64 bits"
        return
    if cpu != PROCESSORS[processor]:
        yield f"it is for the processor {cpu:#x}"
    if kind != (LIBRARY if is_library else EXECUTE):
        yield f"it is of the type {kind}"
    found = list(commands(data, count))
    for name in (text(data, offset) for kind, offset in found if kind & 0x7FFFFFFF == LOAD_DYLIB):
        if not name.startswith(SYSTEM):
            yield f"it needs {name}, which only this machine has"
    oldest = [version(data, offset, kind) for kind, offset in found if kind in (VERSION_MIN, BUILD_VERSION)]
    if not oldest or oldest[0] > (12, 0):
        yield f"the oldest macOS that it runs on is {oldest}"
    signatures = [offset for kind, offset in found if kind == CODE_SIGNATURE]
    if signatures:
        yield from wrong_hashes(data, *struct.unpack_from("<II", data, signatures[0] + 8))
    elif processor == "aarch64":
        yield "it has no signature"
    if is_library and ENTRY not in exported(data, found):
        yield "it does not export its entry"


def exported(data, found):
    """The names of what other programs can look up."""
    names = set()
    for table in (offset for kind, offset in found if kind == SYMBOL_TABLE):
        symbols, count, strings, _ = struct.unpack_from("<IIII", data, table + 8)
        for index in range(count):
            name, kind = struct.unpack_from("<IB", data, symbols + 16 * index)
            if kind & (PRIVATE_EXTERNAL | DEFINED | EXTERNAL) == DEFINED | EXTERNAL:
                names.add(data[strings + name:data.index(b"\0", strings + name)])
    return names


def text(data, offset):
    start = offset + struct.unpack_from("<I", data, offset + 8)[0]
    return data[start:data.index(b"\0", start)].decode()


def version(data, offset, kind):
    packed = struct.unpack_from("<I", data, offset + (8 if kind == VERSION_MIN else 12))[0]
    return packed >> 16, packed >> 8 & 0xFF


def wrong_hashes(data, start, size):
    """The signature has a hash of each page; the kernel ends a process that loads one that differs."""
    magic, _, count = struct.unpack_from(">III", data, start)
    if magic != EMBEDDED_SIGNATURE or start + size > len(data):
        yield "its signature is damaged"
        return
    for index in range(count):
        place = start + struct.unpack_from(">I", data, start + 12 + 8 * index + 4)[0]
        fields = struct.unpack_from(">IIIIIIIIIBBBB", data, place)
        if fields[0] != CODE_DIRECTORY:
            continue
        flags, hashes, slots, limit, page = fields[3], fields[4], fields[7], fields[8], 1 << fields[12]
        if not flags & AD_HOC:
            yield "it is signed by somebody"
        for slot in range(slots):
            wanted = data[place + hashes + 32 * slot:place + hashes + 32 * slot + 32]
            if hashlib.sha256(data[page * slot:min(page * (slot + 1), limit)]).digest() != wanted:
                yield f"the signature does not fit page {slot}"
                return
        return
    yield "its signature has no directory"


def main():
    file, processor = pathlib.Path(sys.argv[1]), sys.argv[2]
    data = file.read_bytes()
    found = list(complaints(data, processor, file.suffix == ".dylib"))
    print(f"{file.name}, {processor}: {len(data) / 1e6:.1f} MB")
    if found:
        sys.exit("\n".join(f"error: {file.name}: {complaint}" for complaint in found))


main()
