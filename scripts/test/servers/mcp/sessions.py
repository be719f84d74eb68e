"""Sessions with `gdscene mcp`, by the official client of the Model Context Protocol.

    python sessions.py GDSCENE PROJECT WORK

GDSCENE is the program, PROJECT a project that is copied into the folder WORK for each session. Prints a line for each session that
failed, and `N passed, N failed, N skipped` at the end. scripts/test/servers/mcp.sh calls it.
"""

import asyncio
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path

from mcp import ClientSession, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client

GDSCENE, PROJECT, WORK = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])

READING = {"project", "tree", "get", "check", "explain", "class", "references"}
WRITING = {"edit", "rename", "move_file", "move_node", "fix", "format", "undo"}

# No answer takes a server so long, also where it shares the machine.
PATIENCE = 60
# How often a server is killed while it writes.
KILLS = 25

sessions = []


def session(run):
    """Counts as one test."""
    sessions.append(run)
    return run


def copied(name):
    """A copy of the project."""
    folder = WORK / name / "game"
    shutil.copytree(PROJECT, folder)
    return folder


class Client:
    """The client, with what tests ask of it."""

    def __init__(self, client):
        self.client = client

    async def result(self, tool, **arguments):
        return await self.client.call_tool(tool, arguments, read_timeout_seconds=PATIENCE)

    async def text(self, tool, **arguments):
        """The text of a call that goes well."""
        result = await self.result(tool, **arguments)
        assert not result.is_error, result.content[0].text
        assert result.structured_content is not None
        return result.content[0].text

    async def data(self, tool, **arguments):
        result = await self.result(tool, **arguments)
        assert not result.is_error, result.content[0].text
        return result.structured_content

    async def refusal(self, tool, **arguments):
        """The text of a call that is refused."""
        result = await self.result(tool, **arguments)
        assert result.is_error, result.content[0].text
        return result.content[0].text

    async def names(self):
        return {tool.name for tool in (await self.client.list_tools()).tools}


@contextlib.asynccontextmanager
async def connected(root, *arguments, name="log"):
    """A session with a server for the project in the folder `root`."""
    command = StdioServerParameters(command=GDSCENE, args=["mcp", "--root", str(root), *arguments])
    with open(root.parent / f"{name}.txt", "w") as log:
        async with stdio_client(command, errlog=log) as (read, write):
            async with ClientSession(read, write) as client:
                answer = await client.initialize()
                assert answer.server_info.name == "gdscene", answer
                assert "res://" in answer.instructions, answer
                yield Client(client)
    assert (root.parent / f"{name}.txt").read_text() == ""


def contents(root):
    """What Godot sees of a project."""
    files = (path for path in root.rglob("*") if path.is_file() and ".godot" not in path.parts)
    return {str(path.relative_to(root)): path.read_bytes() for path in files}


def holds(text, *parts):
    for part in parts:
        assert part in text, f"no {part!r} in:\n{text}"


@session
async def every_tool_is_listed_and_does_its_work():
    root = copied("tools")
    before = contents(root)
    async with connected(root) as client:
        tools = (await client.client.list_tools()).tools
        assert {tool.name for tool in tools} == READING | WRITING, tools
        for tool in tools:
            assert tool.annotations.read_only_hint == (tool.name in READING), tool.name
            assert tool.annotations.open_world_hint is False, tool.name
            assert tool.input_schema["additionalProperties"] is False, tool.name
        holds(await client.text("project"), "Refactored (Godot 4.4)", "main scene: res://levels/main.tscn")
        holds(await client.text("tree", file="levels/main.tscn", resolve=True), "Foes", "made by res://actors/")
        holds(await client.text("get", file="actors/actor.tscn", at="Hurtbox"), "Area2D")
        holds(await client.text("check"), "files checked: 0 errors")
        holds(await client.text("explain", rule="RES001"), "missing-file", "## What it does")
        holds(await client.text("class", name="Sprite2D", filter="region"), "region_rect: Rect2")
        holds(await client.text("class", name="Enemy"), "extends Actor < Node2D")
        holds(await client.text("references", kind="file", file="items/sword.tres"), "res://levels/main.tscn")
        add = {"op": "add", "node": "Lamp", "type": "PointLight2D", "properties": {"energy": 2}}
        edited = await client.text("edit", file="levels/main.tscn", operations=[add])
        holds(edited, "(done)", '+[node name="Lamp" type="PointLight2D"', "+energy = 2.0")
        await client.text("undo")
        assert contents(root) == before
        renamed = await client.data("rename", kind="class", name="Enemy", new_name="Foe")
        assert renamed["is_done"] and "res://actors/enemy.gd" in renamed["changed"]["items"], renamed
        moved = await client.data("move_file", **{"from": "items/sword.tres", "to": "arms/"})
        assert (root / "arms/sword.tres").is_file() and not (root / "items/sword.tres").exists()
        assert "res://levels/main.tscn" in moved["changed"]["items"], moved
        holds((root / "levels/main.tscn").read_text(), "res://arms/sword.tres")
        holds(await client.text("move_node", scene="actors/actor.tscn", node="Hurtbox", new_parent=".", index=0), "(done)")
        fixed = await client.data("fix", paths=["items/bow.tres"])
        assert fixed["fixes"] > 0 and "Nothing uses it" not in (root / "items/bow.tres").read_text(), fixed
        (root / "rough.tscn").write_text('[gd_scene   format=3]\n[node name="A"   type="Node"]\n')
        await client.text("format", paths=["rough.tscn"])
        assert (root / "rough.tscn").read_text() == '[gd_scene format=3]\n\n[node name="A" type="Node"]\n'
        holds(await client.text("check"), "files checked: 0 errors")


@session
async def a_scene_is_built_broken_renamed_and_taken_back():
    root = copied("build")
    scene = root / "levels/arena.tscn"
    async with connected(root) as client:
        built = await client.data(
            "edit",
            file="res://levels/arena.tscn",
            operations=[
                {"op": "new", "file": "res://levels/arena.tscn", "type": "Node2D"},
                {"op": "add", "node": "Floor", "type": "StaticBody2D"},
                {"op": "add", "node": "Floor/Shape", "type": "CollisionShape2D"},
                {"op": "add-resource", "at": "Floor/Shape:shape", "type": "RectangleShape2D", "properties": {"size": [400, 20]}},
                {"op": "instance", "node": "Foe", "scene": "res://actors/enemy.tscn", "properties": {"position": [100, -40]}},
                {"op": "add", "node": "Clock", "type": "Timer", "properties": {"wait_time": 2.5, "autostart": True}},
                {"op": "connect", "signal": "timeout", "from": "Clock", "to": "Foe", "method": "calm_down"},
            ],
        )
        assert [outcome["node"] for outcome in built["outcomes"]["items"] if "node" in outcome][:1], built
        text = scene.read_text()
        holds(text, '[sub_resource type="RectangleShape2D"', "size = Vector2(400, 20)", "wait_time = 2.5")
        holds(await client.text("check", paths=["levels/arena.tscn"], severity="error"), "0 errors")
        wrong = {"op": "connect", "signal": "timeout", "from": "Clock", "to": "Foe", "method": "calm"}
        refusal = await client.refusal("edit", file="levels/arena.tscn", operations=[wrong])
        holds(refusal, "nothing was changed", "SIG003", "allow_errors")
        refusal = await client.refusal("edit", file="levels/arena.tscn", operations=[{"op": "set", "at": "Clock:wait_tim", "value": 1}])
        holds(refusal, "did you mean `wait_time`?")
        assert scene.read_text() == text
        await client.text("rename", kind="node", file="levels/arena.tscn", name="Foe", new_name="Boss")
        renamed = scene.read_text()
        holds(renamed, '[node name="Boss"', 'to="Boss"')
        await client.text("undo")
        assert scene.read_text() == text
        holds(await client.text("undo"), "Boss")
        assert scene.read_text() == renamed
        remove = {"op": "remove", "node": "Boss"}
        await client.text("edit", file="levels/arena.tscn", operations=[remove])
        assert "Boss" not in scene.read_text() and "connection" not in scene.read_text()


@session
async def a_read_only_server_writes_nothing():
    root = copied("read_only")
    before = contents(root)
    async with connected(root, "--read-only") as client:
        assert await client.names() == READING
        holds(await client.text("tree", file="levels/main.tscn"), "Foes")
        for tool in sorted(WRITING):
            holds(await client.refusal(tool), "--read-only")
    assert contents(root) == before
    assert not (root / ".godot").exists()


@session
async def nothing_leads_out_of_the_project():
    root = copied("hostile")
    outside = root.parent / "outside.tscn"
    outside.write_text('[gd_scene format=3]\n\n[node name="A" type="Node"]\n')
    (root / "link.tscn").symlink_to(outside)
    (root / "linked").symlink_to(root.parent)
    (root / "broken.tscn").write_text('[gd_scene format=3]\n\n[node name="A" type="Node"\nx = (\n')
    before = contents(root)
    ways_out = ["../outside.tscn", "res://../outside.tscn", str(outside), "link.tscn", "linked/outside.tscn", "user://a.tscn"]
    ways_out += ["/etc/hosts", ".godot/a.tscn", "res://.git/hooks/a.tscn", "broken.tscn"]
    async with connected(root) as client:
        for path in ways_out:
            await client.refusal("edit", file=path, operations=[{"op": "add", "node": "B", "type": "Node"}])
            await client.refusal("rename", kind="node", file=path, name=".", new_name="B")
            if path != "broken.tscn":
                await client.refusal("move_file", **{"from": "levels/main.tscn", "to": path})
        for path in ["../new.tscn", "linked/new.tscn", str(root.parent / "new.tscn")]:
            await client.refusal("edit", operations=[{"op": "new", "file": path, "type": "Node"}])
        assert contents(root) == before
        assert sorted(path.name for path in root.parent.iterdir()) == ["game", "log.txt", "outside.tscn"]


@session
async def wrong_calls_do_not_end_the_session():
    root = copied("wrong_calls")
    before = contents(root)
    async with connected(root) as client:
        try:
            await client.result("explode")
            raise AssertionError("an unknown tool was called")
        except MCPError as error:
            holds(str(error), "no tool `explode`")
        holds(await client.refusal("check", limit="many"), "invalid type")
        holds(await client.refusal("check", pathes=[]), "unknown field `pathes`")
        holds(await client.refusal("edit", file="levels/main.tscn", operations={"op": "set"}), "expected a sequence")
        holds(await client.refusal("edit", file="levels/main.tscn", operations=[{"op": "set", "at": 1, "value": 1}]), "operation 1")
        huge = {"op": "set", "at": ".:position", "value": [1] * 200_000}
        refusal = await client.refusal("edit", file="levels/main.tscn", operations=[huge])
        assert len(refusal) < 25_000, len(refusal)
        assert contents(root) == before
        holds(await client.text("check"), "files checked")


@session
async def arguments_by_chance_do_not_end_the_session():
    root = copied("chance")
    chance = random.Random(11)
    texts = ["levels/main.tscn", "res://actors/actor.tscn", "actors/enemy.gd", "items/bow.tres", "art/icon.svg", "", ".", "..", "::1", ":"]
    texts += ["Foes/Second", "Foes/Second:position", "Enemy", "Area2D", "take_hit", "anger", "%A", "a\nb", "\u202e", "x" * 5000, "res://"]

    def value(schema):
        if chance.random() < 0.05:
            return chance.choice([None, -1, 2**63, 1e300, [], {}, [[]], True])
        if "enum" in schema or "oneOf" in schema:
            return chance.choice([*schema.get("enum", []), *(one["const"] for one in schema.get("oneOf", []))])
        kinds = schema.get("type", "object")
        kind = kinds if isinstance(kinds, str) else kinds[0]
        if kind == "array":
            return [value(schema.get("items", {})) for _ in range(chance.randrange(3))]
        if kind == "object":
            fields = schema.get("properties", {"position": {"type": "string"}})
            return {name: value(field) for name, field in fields.items() if name == "op" or chance.random() < 0.4}
        return {"string": chance.choice(texts), "integer": chance.randrange(5), "boolean": chance.random() < 0.5}.get(kind)

    async with connected(root) as client:
        tools = (await client.client.list_tools()).tools
        for _ in range(400):
            tool = chance.choice(tools)
            named = tool.input_schema.get("$defs", {})
            fields = tool.input_schema["properties"].items()
            known = {name: named.get(field.get("$ref", "").split("/")[-1], field) for name, field in fields}
            required = tool.input_schema.get("required", [])
            arguments = {name: value(field) for name, field in known.items() if name in required or chance.random() < 0.5}
            result = await client.result(tool.name, **arguments)
            text = result.content[0].text
            assert "internal error of gdscene" not in text and len(text) < 25_000, (tool.name, arguments, text[:500])
        holds(await client.text("project"), "Refactored")


@session
async def calls_at_the_same_time_are_all_answered():
    root = copied("parallel")
    async with connected(root) as client:
        def add(number):
            return {"op": "add", "node": f"N{number}", "type": "Node"}
        writes = [client.text("edit", file="levels/second.tscn", operations=[add(number)]) for number in range(15)]
        reads = [client.text("check", paths=["levels"]) for _ in range(15)]
        reads += [client.text("references", kind="class", name="Enemy") for _ in range(5)]
        await asyncio.gather(*writes, *reads)
    text = (root / "levels/second.tscn").read_text()
    assert all(f'name="N{number}"' in text for number in range(15)), text


@session
async def two_servers_write_in_one_project():
    root = copied("two_servers")
    async with connected(root, name="one") as one, connected(root, name="two") as two:
        async def add(client, name):
            # Another process may be at work, or have changed the file since it was read: an agent asks again.
            for _ in range(20):
                result = await client.result("edit", file="levels/second.tscn", operations=[{"op": "add", "node": name, "type": "Node"}])
                if not result.is_error:
                    return
                holds(result.content[0].text, "nothing was changed")
            raise AssertionError(result.content[0].text)
        await asyncio.gather(*(add(client, f"{who}{number}") for number in range(6) for who, client in (("A", one), ("B", two))))
    text = (root / "levels/second.tscn").read_text()
    assert all(f'name="{who}{number}"' in text for number in range(6) for who in "AB"), text


@session
async def files_change_between_calls():
    root = copied("changes")
    async with connected(root) as client:
        holds(await client.text("check", severity="error"), " 0 errors")
        (root / "actors/enemy.gd").unlink()
        holds(await client.text("check", severity="error"), "RES001", "res://actors/enemy.gd")


@session
async def what_the_output_holds_is_the_protocol():
    root = copied("raw")
    server = subprocess.Popen([GDSCENE, "mcp", "--root", root], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
    lines = [json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello})]
    lines += [json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})]
    lines += ["{", "nonsense", "[]", json.dumps({"id": 7})]
    for number, tool in enumerate(sorted(READING | WRITING), 2):
        lines.append(json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": {}}}))
    out, errors = server.communicate(("\n".join(lines) + "\n").encode(), timeout=PATIENCE)
    assert server.returncode == 0, (server.returncode, errors)
    answers = [json.loads(line) for line in out.decode().splitlines()]
    assert all(answer["jsonrpc"] == "2.0" for answer in answers), answers
    answered = {answer.get("id") for answer in answers}
    assert answered >= set(range(1, 2 + len(READING | WRITING))), answered
    assert errors == b"", errors


@session
async def a_server_that_is_killed_leaves_a_whole_project():
    root = copied("killed")
    for number in range(120):
        (root / f"foe_{number}.tscn").write_text(
            f'[gd_scene format=3]\n\n[ext_resource type="Script" path="res://actors/enemy.gd" id="1"]\n\n'
            f'[node name="Foe{number}" type="Node2D"]\nscript = ExtResource("1")\nanger = {number}\n'
        )
    names = ["anger", "fury"]
    states = {}
    async with connected(root) as client:
        states["anger"] = contents(root)
        start = time.monotonic()
        await client.text("rename", kind="property", file="actors/enemy.gd", name="anger", new_name="fury")
        duration = time.monotonic() - start
        states["fury"] = contents(root)
    random.seed(7)
    found = {"before": 0, "after": 0, "between": 0}
    for number in range(KILLS):
        now = next(name for name in names if contents(root) == states[name])
        other = names[1 - names.index(now)]
        kill_while_it_renames(root, now, other, duration * random.uniform(0.2, 1.1))
        left = contents(root)
        found["after" if left == states[other] else "before" if left == states[now] else "between"] += 1
        async with connected(root, name=f"after_{number}") as client:
            # A tool that writes finishes an interrupted change.
            await client.text("format", paths=["levels/second.tscn"])
        whole = contents(root)
        assert whole in (states[now], states[other]), f"round {number}: neither as before nor as after"
    print(f"killed {KILLS} times, found {found}", file=sys.stderr)


def kill_while_it_renames(root, now, other, delay):
    server = subprocess.Popen([GDSCENE, "mcp", "--root", root], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
    rename = {"kind": "property", "file": "actors/enemy.gd", "name": now, "new_name": other}

    def send(message):
        server.stdin.write((json.dumps({"jsonrpc": "2.0", **message}) + "\n").encode())
        server.stdin.flush()

    send({"id": 1, "method": "initialize", "params": hello})
    server.stdout.readline()
    send({"method": "notifications/initialized"})
    # The project is open then, and the next call takes as long as it did.
    send({"id": 2, "method": "tools/call", "params": {"name": "project", "arguments": {}}})
    server.stdout.readline()
    send({"id": 3, "method": "tools/call", "params": {"name": "rename", "arguments": rename}})
    time.sleep(delay)
    os.kill(server.pid, signal.SIGKILL)
    server.wait()


async def main():
    passed = failed = 0
    for run in sessions:
        start = time.monotonic()
        try:
            async with asyncio.timeout(10 * PATIENCE) if hasattr(asyncio, "timeout") else contextlib.nullcontext():
                await run()
            passed += 1
            print(f"{run.__name__}: {time.monotonic() - start:.1f} s", file=sys.stderr)
        except BaseException as error:  # The client's tasks end in groups of errors, which are not of one class.
            if isinstance(error, KeyboardInterrupt):
                raise
            failed += 1
            print(f"FAIL {run.__name__}", file=sys.stderr)
            traceback.print_exception(error, file=sys.stderr)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    sys.exit(failed > 0)


asyncio.run(main())
