"""Measures how long godot_parser takes to parse the files of a list.

Each line of the file LIST holds paths with tabs between. Prints for each line `loaded FILES BYTES SECONDS`: the files
that it parses, and one pass over them. It stops after some seconds: what is printed is what it has parsed by then.
"""

import sys
import time

from godot_parser import parse

BUDGET_SECONDS = 10

for line in open(sys.argv[1], encoding="utf-8"):
    files, size, seconds, start = 0, 0, 0.0, time.perf_counter()
    for path in line.rstrip("\n").split("\t"):
        if time.perf_counter() - start > BUDGET_SECONDS:
            break
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            if len(text) > 200_000:
                continue
            file_start = time.perf_counter()
            parse(text)
            seconds += time.perf_counter() - file_start
        except Exception:  # It is not the subject here why it cannot parse a file.
            continue
        files, size = files + 1, size + len(text.encode())
    print(f"loaded {files} {size} {seconds:.6f}")
