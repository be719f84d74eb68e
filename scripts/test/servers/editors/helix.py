"""Drives Helix in a terminal with the settings of rust/docs/editors.md, and says what it shows.

Called by scripts/test/servers/editors.sh in a copy of the project beside this file, with the path of `hx`.
"""

import fcntl
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

ROWS, COLUMNS = 45, 160
ESCAPE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|[()][A-Z0-9]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_].*?\x1b\\|[=>NOc78DEHM])", re.S)


class Terminal:
    """A screen that is written to by place: of a program's output, what stands on it now."""

    def __init__(self, command):
        self.rows = [[" "] * COLUMNS for _ in range(ROWS)]
        self.row = self.column = 0
        self.rest = b""
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execv(command[0], command)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))

    def read(self, seconds):
        """Takes in what comes in this time. False when the program has ended."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.file], [], [], left)[0]:
                continue
            try:
                data = os.read(self.file, 65536)
            except OSError:
                return False
            if not data:
                return False
            self.show(self.rest + data)
        return True

    def show(self, data):
        place = 0
        while place < len(data):
            if data[place] == 0x1B:
                match = ESCAPE.match(data, place)
                if match is None:
                    if len(data) - place < 200:
                        break
                    place += 1
                    continue
                self.control(match.group().decode("latin-1"))
                place = match.end()
            else:
                end = data.find(b"\x1b", place)
                end = len(data) if end < 0 else end
                self.put(data[place:end].decode("utf-8", "replace"))
                place = end
        self.rest = data[place:]

    def control(self, code):
        answers = {"\x1b[c": b"\x1b[?62;22c", "\x1b[0c": b"\x1b[?62;22c", "\x1b[6n": b"\x1b[1;1R"}
        if code in answers:
            os.write(self.file, answers[code])
        if match := re.fullmatch(r"\x1b\[(\d*)(?:;(\d*))?[Hf]", code):
            self.row = min(int(match[1] or 1), ROWS) - 1
            self.column = min(int(match[2] or 1), COLUMNS) - 1
        elif code in ("\x1b[2J", "\x1b[3J"):
            self.rows = [[" "] * COLUMNS for _ in range(ROWS)]
        elif code in ("\x1b[K", "\x1b[0K"):
            self.rows[self.row][self.column:] = [" "] * (COLUMNS - self.column)

    def put(self, text):
        for character in text:
            if character == "\r":
                self.column = 0
            elif character == "\n":
                self.row = min(self.row + 1, ROWS - 1)
            elif character >= " " and self.column < COLUMNS:
                self.rows[self.row][self.column] = character
                self.column += 1

    def text(self):
        return "\n".join("".join(row).rstrip() for row in self.rows)

    def type(self, keys):
        os.write(self.file, keys.encode())
        self.read(0.3)

    def wait_for(self, is_there, seconds=30):
        """Whether this becomes true of the screen."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if is_there(self.text()):
                return True
            if not self.read(0.1):
                return is_there(self.text())
        return False

    def close(self):
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(self.pid, 0)


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, is_right, seen):
        if is_right:
            self.passed += 1
            print(f"ok: {name}")
        else:
            self.failed += 1
            print(f"FAIL: {name}:\n{seen}")


def wait_for_file(path, text):
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if text in path.read_text():
            return True
        time.sleep(0.1)
    return False


def session(hx, checks):
    health = subprocess.run([hx, "--health", "godot-resource"], capture_output=True, text=True, check=False)
    seen = re.sub(r"\x1b\[[0-9;]*m", "", health.stdout)
    checks.check("the server is found", "gdscene" in seen and "bin/gdscene" in seen, seen + health.stderr)

    scene, script = pathlib.Path("level.tscn"), pathlib.Path("level.gd")
    terminal = Terminal([hx, "level.tscn"])
    try:
        terminal.wait_for(lambda screen: "[gd_scene" in screen)
        # The picker of problems does not wait for them: it is opened again until there are some.
        is_shown = False
        for _ in range(20):
            terminal.type(" d")
            is_shown = terminal.wait_for(lambda screen: "TREE013" in screen and "SIG004" in screen, 1)
            terminal.type("\x1b")
            if is_shown:
                break
        checks.check("problems are shown", is_shown, terminal.text())

        terminal.type("gg/Sprit2D\r")
        terminal.type(" a")
        checks.check("fixes are offered", terminal.wait_for(lambda screen: "Write `Sprite2D`" in screen), terminal.text())
        terminal.type("\r")
        is_fixed = terminal.wait_for(lambda screen: 'name="Hat" type="Sprite2D"' in screen)
        checks.check("a quick fix is applied", is_fixed, terminal.text())

        terminal.type("gg/Player\r")
        terminal.type(" r")
        terminal.type("\x7f" * 10 + "Hero\r")
        is_renamed = terminal.wait_for(lambda screen: 'name="Hero"' in screen and 'parent="Hero"' in screen)
        checks.check("a node is renamed", is_renamed, terminal.text())
        terminal.type(":wa\r")
        checks.check("scripts follow", wait_for_file(script, "$Hero/Shape"), script.read_text() + terminal.text())
        is_formatted = wait_for_file(scene, "position = Vector2(1, 2)")
        checks.check("the text is formatted on save", is_formatted, scene.read_text() + terminal.text())

        terminal.type(" s")
        is_outlined = terminal.wait_for(lambda screen: "Hero" in screen and "Shape" in screen and "object" in screen)
        checks.check("the outline has the nodes", is_outlined, terminal.text())
        terminal.type("\x1b")
        terminal.type(":q!\r")
        checks.check("Helix ends", not terminal.read(5), terminal.text())
    finally:
        terminal.close()


def main():
    checks = Checks()
    try:
        session(sys.argv[1], checks)
    except Exception as error:  # noqa: BLE001: what breaks the session is a failure of the test
        checks.check("the session runs to its end", False, repr(error))
    print(f"{checks.passed} passed, {checks.failed} failed")


main()
