"""Packs a folder, with the empty folders in it: zip_folder.py FOLDER FILE.zip SECONDS. The same files give the same bytes:
they are sorted, and all get the time SECONDS (since 1970, UTC) and the same rights."""

import pathlib
import sys
import time
import zipfile

folder, target, seconds = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for path in sorted(folder.rglob("*")):
        if path.is_dir() and any(path.iterdir()):
            continue
        name = path.relative_to(folder).as_posix()
        entry = zipfile.ZipInfo(name + "/" if path.is_dir() else name, time.gmtime(seconds)[:6])
        entry.create_system = 3  # Unix, wherever this runs
        if path.is_dir():
            entry.external_attr = 0o40755 << 16 | 0x10  # MS-DOS's mark of a folder
            archive.writestr(entry, b"")
        else:
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, path.read_bytes())
