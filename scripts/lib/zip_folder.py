"""Packs a folder: zip_folder.py FOLDER FILE.zip SECONDS. The same files give the same bytes: they are sorted, and all get
the time SECONDS (since 1970, UTC) and the same rights."""

import pathlib
import sys
import time
import zipfile

folder, target, seconds = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        entry = zipfile.ZipInfo(file.relative_to(folder).as_posix(), time.gmtime(seconds)[:6])
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.create_system = 3  # Unix, wherever this runs
        entry.external_attr = 0o100644 << 16
        archive.writestr(entry, file.read_bytes())
