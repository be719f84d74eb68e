"""Measures how long godot_parser takes to parse the files of a list.

Each line of the file LIST holds paths with tabs between. Prints for each line `loaded FILES BYTES SECONDS`: the files
that it parses, and one pass over them. It stops after some seconds: what is printed is what it has parsed by then. Of
files for which it would take minutes only `skipped` is printed.
"""

import sys
import time

from godot_parser import parse

BUDGET_SECONDS = 10
MAX_CHARACTERS = 200_000

for line in open(sys.argv[1], encoding="utf-8"):
    files, size, seconds, start, too_long = 0, 0, 0.0, time.perf_counter(), False
    for path in line.rstrip("\n").split("\t"):
        if time.perf_counter() - start > BUDGET_SECONDS:
            break
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            if len(text) > MAX_CHARACTERS:
                too_long = True
                continue
            file_start = time.perf_counter()
            parse(text)
            seconds += time.perf_counter() - file_start
        except Exception:  # It is not the subject here why it cannot parse a file.
            continue
        files, size = files + 1, size + len(text.encode())
    print(f"loaded {files} {size} {seconds:.6f}" if files or not too_long else "skipped")
