"""Shows generated files to Godot (show.gd, or measured by limits.gd), under a limit of memory and time. Reports files that
crash, hang, open files or sockets, or start programs.

    show.py PROJECT FIRST LAST [--render] [--trace STRACE] [--memory MIB] [--seconds N] [--results FILE] -- GODOT [ARGUMENT...]

Prints a line for each file that falls, and at the end how many passed. RESULTS gets a line `class TAB count` for each class
of the objects in files that passed.
"""

import argparse
import collections
import os
import re
import resource
import select
import signal
import subprocess
import sys
import time

SUCCESS = "harmless files: DONE"
# A file that takes more processor time hangs the engine; one that only takes long is reported.
HANG, SLOW = 30.0, 2.0
# The processor may be busy with others: nothing at all happens for so long in wall clock.
SILENCE = 180.0
# The engine is started again after this number of files, so that leftovers of one affect only few.
BATCH = 150
CALLS = "openat,open,openat2,creat,connect,socket,bind,execve,execveat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,link,linkat,symlink,symlinkat,truncate"


def main():
    arguments, engine = parse()
    cases = read_index(arguments.project)
    run = Run(arguments, engine, cases)
    run.all()
    run.report()
    sys.exit(1 if run.fallen else 0)


def parse():
    split = sys.argv.index("--")
    parser = argparse.ArgumentParser()
    parser.add_argument("project")
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--trace")
    parser.add_argument("--memory", type=int, default=4096)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--patience", type=float, default=HANG)
    parser.add_argument("--results")
    # The limits for the measurements of limits.gd.
    parser.add_argument("--milliseconds", type=int)
    parser.add_argument("--growth", type=int)
    return parser.parse_args(sys.argv[1:split]), sys.argv[split + 1:]


def read_index(project):
    cases = []
    with open(f"{project}/cases/index.tsv", encoding="utf-8") as index:
        for line in index:
            name, _, cost, kind, counts = line.rstrip("\n").split("\t")
            cases.append((name, int(cost), kind, [pair.split("=") for pair in counts.split()]))
    return cases


class Run:
    def __init__(self, arguments, engine, cases):
        self.arguments, self.engine, self.cases = arguments, engine, cases
        self.fallen, self.slow, self.passed, self.opened = {}, [], set(), collections.Counter()
        self.used = []
        self.script = "limits.gd" if arguments.milliseconds else "show.gd"
        self.start = time.monotonic()

    def all(self):
        number, last = self.arguments.first, min(self.arguments.last, len(self.cases))
        while number < last and not self.is_over():
            number = self.batch(number, min(number + BATCH, last))

    def is_over(self):
        return self.arguments.seconds and time.monotonic() - self.start > self.arguments.seconds

    def batch(self, first, last):
        """Shows the files from `first` on; returns the number of the one to go on with."""
        trace = f"{self.arguments.project}/trace.{first}"
        command = [*self.engine, "--path", self.arguments.project, "-s", f"res://{self.script}", "--", str(first), str(last)]
        if self.arguments.trace:
            command = [self.arguments.trace, "-f", "--seccomp-bpf", "-qq", "-o", trace, "-e", f"trace={CALLS}", *command]
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=self.limit, start_new_session=True
        )
        current, stage, output, why = self.watch(process, first)
        done = SUCCESS in output
        shown = last if done else current
        if not done:
            self.fall(current, why or f"ended with {process.returncode}", stage, output)
        if self.arguments.trace:
            self.read_trace(trace, first, shown)
        self.passed.update(number for number in range(first, shown) if number not in self.fallen)
        return last if done else current + 1

    def limit(self):
        size = self.arguments.memory << 20
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def watch(self, process, first):
        """Reads what the engine prints until it ends: the number and stage of the last file, the last lines, and why it was ended."""
        current, stage, tail, why = first, "start", [], None
        began = spent(process.pid)
        stdout, rest = process.stdout.fileno(), b""
        heard = time.monotonic()
        while True:
            if select.select([stdout], [], [], 1.0)[0]:
                data = os.read(stdout, 65536)
                if not data:
                    break
                heard = time.monotonic()
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    line = line.decode("utf-8", "replace")
                    tail = (tail + [line])[-200:]
                    used = re.match(r"used (\d+) (\d+) (-?\d+)$", line)
                    if used:
                        self.judge_use(*map(int, used.groups()))
                    match = re.match(r"case (\d+) (\w+)$", line)
                    if not match:
                        continue
                    if int(match[1]) != current or stage == "start":
                        now = spent(process.pid)
                        if stage != "start" and now - began > SLOW:
                            self.slow.append((now - began, current, stage))
                        current, began = int(match[1]), now
                    stage = match[2]
            elif why is None and (spent(process.pid) - began > self.arguments.patience or time.monotonic() - heard > SILENCE):
                why = f"hangs ({spent(process.pid) - began:.0f} s)"
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return current, stage, tail, why

    def judge_use(self, number, milliseconds, kibibytes):
        """Whether a file took no more than it may."""
        self.used.append((milliseconds, kibibytes, number))
        why = []
        if milliseconds > self.arguments.milliseconds:
            why.append(f"{milliseconds} ms of processor time")
        if kibibytes > self.arguments.growth << 10:
            why.append(f"{kibibytes >> 10} MiB")
        if why:
            self.fall(number, "took " + ", ".join(why), "run", [])

    def fall(self, number, why, stage, output):
        name, cost, kind, _ = self.cases[number]
        self.fallen[number] = why
        print(f"FALLEN {number} {name} [{kind}] at {stage}: {why}, cost {cost}", flush=True)
        for line in told(output):
            print(f"    {line[:200]}", flush=True)

    def read_trace(self, path, first, last):
        """Judges the system calls between the marks."""
        number, seen = None, set()
        project = os.path.realpath(self.arguments.project)
        with open(path, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                mark = re.search(r'"/harmless_marks/(\w+)"', line)
                if mark:
                    number = None if mark[1] == "end" else int(mark[1])
                    continue
                if number is None or "resumed>" in line and '"' not in line:
                    continue
                if f"/cases/{self.cases[number][0]}" in line:
                    seen.add(number)
                what = re.sub(r"^\d+ +", "", line.rstrip("\n"))
                if what.startswith(("+++", "---")) or is_expected(what, project):
                    continue
                if number not in self.fallen:
                    name, _, kind, _ = self.cases[number]
                    self.fallen[number] = what
                    print(f"FALLEN {number} {name} [{kind}]: {what[:200]}", flush=True)
                self.opened[re.sub(r"\d+", "N", what)[:120]] += 1
        os.remove(path)
        # Else the proof would be one of nothing.
        for number in set(range(first, last)) - seen:
            self.fallen[number] = "was not seen to be opened"
            print(f"FALLEN {number} {self.cases[number][0]}: {self.fallen[number]}", flush=True)

    def report(self):
        for seconds, number, stage in sorted(self.slow, reverse=True)[:25]:
            name, cost, kind, _ = self.cases[number]
            print(f"slow: {seconds:.1f} s {name} [{kind}] cost {cost}")
        if self.used:
            print(f"most used: {max(self.used)[0]} ms, {max(kibibytes for _, kibibytes, _ in self.used) >> 10} MiB")
        for what, count in self.opened.most_common(20):
            print(f"call: {count} {what}")
        counts = collections.Counter()
        for number in self.passed:
            for name, count in self.cases[number][3]:
                counts[name] += int(count)
        if self.arguments.results:
            with open(self.arguments.results, "a", encoding="utf-8") as results:
                for name, count in sorted(counts.items()):
                    results.write(f"{name}\t{count}\n")
        objects = sum(counts.values())
        print(f"{len(self.passed)} files passed, {len(self.fallen)} fell, {objects} objects, {time.monotonic() - self.start:.0f} s")


def told(output):
    """What the engine said last, before the list of addresses that a crash ends with."""
    lines = [line for line in output if not re.match(r"case |\s*\[\d+\]|\s*at: ", line)]
    crash = next((index for index, line in enumerate(lines) if "handle_crash" in line), len(lines))
    return lines[max(0, crash - 4):crash + 1]


def is_expected(call, project):
    """What the engine does by itself: reads the case and its own files, and looks at the machine."""
    match = re.search(r'"([^"]*)"', call)
    path = match[1] if match else ""
    if not call.startswith(("openat", "open(")) or re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC", call):
        return False
    return path.startswith((f"{project}/cases/", f"{project}/own/", "/proc/self/", "/sys/devices/system/", "/proc/meminfo"))


def spent(pid):
    """The processor seconds of the process and its children."""
    total, pids = 0.0, [pid]
    while pids:
        number = pids.pop()
        try:
            with open(f"/proc/{number}/stat", encoding="utf-8", errors="replace") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            with open(f"/proc/{number}/task/{number}/children", encoding="utf-8") as children:
                pids += [int(child) for child in children.read().split()]
        except (OSError, IndexError):
            continue
    return total


if __name__ == "__main__":
    main()
