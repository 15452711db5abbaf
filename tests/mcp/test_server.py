"""Each tool of `elf mcp`, called by the official client of the Model Context Protocol."""

import os
import subprocess
from pathlib import Path

import pytest
from big_tree import big_tree
from client import ELF, LONGEST, SLOWEST, TODAY, run, served

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.ged"))
CORPUS = sorted(Path(os.environ.get("ELF_CORPUS", ROOT.parent / "shared" / "corpus")).rglob("*.ged"))
LONG = os.environ.get("ELF_LONG_MCP")

READING = {
    "file_info", "find_people", "person", "family", "tree", "kinship", "places", "findings", "explain", "search_notes",
    "statistics", "lines", "duplicates",
}  # fmt: skip
CHANGING = {
    "propose_edits", "propose_fact", "propose_merge", "propose_replacement", "changes", "apply_proposal", "undo",
}  # fmt: skip

TREE = """\
0 HEAD
1 CHAR UTF-8
0 @I1@ INDI
1 NAME Anna /Müller/
1 BIRT
2 DATE 3 MAR 1850
1 DEAT
2 DATE 1910
1 FAMS @F1@
0 @I2@ INDI
1 NAME Max /Strauss/
1 BIRT
2 DATE 1990
0 @F1@ FAM
1 WIFE @I1@
0 TRLR
"""


@pytest.fixture
def tree(tmp_path):
    path = tmp_path / "tree.ged"
    path.write_bytes(TREE.encode())
    return path


async def read_all(client):
    """Calls each tool for reading, on the first people and families of a file."""
    info = await client.ask("file_info")
    assert "problem" not in info["files"][0], info
    people = (await client.ask("find_people", limit=5))["people"]
    ids = [person["id"] for person in people if "id" in person]
    # Nobody knows who is meant by an identifier that several people have.
    ids = [one for one in ids if ids.count(one) == 1]
    for one in ids:
        person = await client.ask("person", id=one)
        assert person["person"]["cite"].startswith(info["files"][0]["file"] + ":")
        await client.ask("tree", id=one, up=4, down=4)
        await client.ask("lines", record=one)
        for family in person.get("families", []):
            if "id" in family:
                await client.ask("family", id=family["id"])
    for one, other in zip(ids, ids[1:]):
        if one != other:
            await client.ask("kinship", a=one, b=other)
    await client.ask("places")
    await client.ask("findings")
    await client.ask("findings", kind="questions")
    await client.ask("search_notes", text="a")
    await client.ask("statistics")
    if info["files"][0]["lines"] > 0:
        await client.ask("lines", **{"from": 1})
    if ids:
        await client.ask("duplicates", id=ids[0])
    return ids


def test_the_tools_are_those_that_the_user_allows(tree):
    async def work(options, expected):
        async with served(tree, options=options) as client:
            tools = {tool.name: tool for tool in (await client.session.list_tools()).tools}
            assert set(tools) == expected
            for tool in tools.values():
                assert tool.description and tool.outputSchema["type"] == "object", tool.name
                assert tool.inputSchema["additionalProperties"] is False
                assert tool.annotations.readOnlyHint == (tool.name not in {"apply_proposal", "undo"})

    run(work([], READING))
    run(work(["--allow-edits"], READING | CHANGING))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
@pytest.mark.parametrize("options", [[], ["--living"]], ids=["hiding", "living"])
def test_the_examples_are_read_with_every_tool(path, options):
    async def work():
        async with served(path, options=options) as client:
            await read_all(client)
            for code in ("E0203", "E0602", "P02"):
                await client.result("explain", {"code": code})
            assert (await client.ask("explain", tag="BIRT"))["meanings"]
            assert (await client.ask("explain", date="ABT 1850"))["date"]["form"] == "approximated"

    run(work())


def test_wrong_calls_get_clear_errors(tree):
    async def work():
        async with served(tree) as client:
            for tool, arguments, part in [
                ("person", {}, "missing field `id`"),
                ("person", {"id": 1}, "argument `id`: expected a text, found a number"),
                ("person", {"id": "@I9@"}, "no person has the identifier @I9@"),
                ("person", {"id": "@I9\x1b[2J\u202e@"}, "no person has the identifier @I9␛[2J▯@"),
                ("family", {"id": "@F9@"}, "no family has the identifier @F9@"),
                ("kinship", {"a": "@I1@", "b": "@I1@"}, "are the same person"),
                ("lines", {"record": "@X@"}, "@X@"),
                ("find_people", {"limit": -1}, "argument `limit`: expected a whole number from 1 to 100, found -1"),
                ("find_people", {"born": "soon"}, "`born` is `soon`"),
                ("explain", {}, "set exactly one"),
                ("person", {"id": "@I1@", "file": "other.ged"}, "no file `other.ged` is served"),
                ("find_people", {"nam": "x"}, "did you mean `name`?"),
                ("find_people", {"cursor": "1:2"}, "start again without a cursor"),
                ("propose_edits", {"reason": "x", "edits": []}, "--allow-edits"),
                ("nonsense", {}, "there is no tool `nonsense`"),
            ]:
                message = await client.fail(tool, **arguments)
                assert part in message, (tool, arguments, message)

    run(work())


def test_a_change_is_proposed_applied_and_undone(tree):
    async def work():
        set_date = {"op": "set", "path": "@I1@/DEAT/DATE", "value": "12 MAY 1910"}
        async with served(tree, options=["--allow-edits"]) as client:
            proposed = await client.ask("propose_edits", reason="gravestone", edits=[set_date])
            assert proposed["changes"][0]["added"] == ["2 DATE 12 MAY 1910"]
            assert tree.read_bytes() == TREE.encode()
            await client.ask("apply_proposal", number=proposed["number"])
            assert tree.read_bytes() == TREE.replace("2 DATE 1910", "2 DATE 12 MAY 1910").encode()
        async with served(tree, options=["--allow-edits"]) as client:
            assert (await client.ask("changes"))["changes"][0]["state"] == "applied"
            change = (await client.ask("changes", number=proposed["number"]))["change"]
            assert (change["kind"], change["changes"]) == ("edits", proposed["changes"]), change
            await client.ask("undo", number=proposed["number"])
            assert tree.read_bytes() == TREE.encode()
            fact = await client.ask("propose_fact", reason="letter", record="@I1@", kind="occupation", value="Weaver")
            shown = await client.ask("changes", number=fact["number"])
            assert shown["proposal"]["changes"] == fact["changes"]
            new = {"tags": ["NAME"], "from": "Müller", "to": "Mueller"}
            assert (await client.ask("propose_replacement", reason="as signed", **new))["total_changes"] == 1
            # A character that no line can have.
            for value in ["Wien\x1b[2J", "Wien\u0000"]:
                edits = [{"op": "insert", "under": "@I1@/BIRT", "tag": "PLAC", "value": value}]
                assert "control characters" in await client.fail("propose_edits", reason="x", edits=edits)

    run(work())


def test_two_records_are_merged(tree):
    twin = "0 @I3@ INDI\n1 NAME Anna /Müller/\n1 SEX F\n1 DEAT\n2 DATE 1910\n1 FAMS @F3@\n0 @F3@ FAM\n1 WIFE @I3@\n0 TRLR\n"
    before = TREE.replace("0 TRLR\n", twin).encode()
    tree.write_bytes(before)

    async def work():
        async with served(tree, options=["--allow-edits"]) as client:
            pair = (await client.ask("duplicates", id="@I1@", at_least=0.1))["pairs"][0]
            merge = {"keep": pair["a"]["id"], "remove": pair["b"]["id"]}
            number = (await client.ask("propose_merge", reason="the same gravestone", **merge))["number"]
            await client.ask("apply_proposal", number=number)
            person = await client.ask("person", id="@I1@")
            assert person["person"]["sex"] == "F" and len(person["families"]) == 2, person
            assert b"@I3@" not in tree.read_bytes()
            await client.ask("undo", number=number)
            assert tree.read_bytes() == before
            assert "which are hidden" in await client.fail("propose_merge", reason="x", keep="@I1@", remove="@I2@")

    run(work())


def test_calls_at_once_and_long_messages(tree):
    import asyncio

    async def work():
        def edit(date):
            return {"reason": "x", "edits": [{"op": "set", "path": "@I1@/DEAT/DATE", "value": date}]}

        async with served(tree, options=["--allow-edits"]) as client:
            years = range(1911, 1921)
            proposed = await asyncio.gather(*(client.ask("propose_edits", **edit(str(year))) for year in years))
            numbers = [answer["number"] for answer in proposed]
            assert len(set(numbers)) == len(numbers)
            applied = await asyncio.gather(*(client.result("apply_proposal", {"number": one}) for one in numbers))
            assert [one.isError for one in applied].count(False) == 1
            assert len((await client.ask("changes"))["changes"]) == len(numbers)
            await client.fail("find_people", name="/" * 500_000)
            assert "more than 1048576 bytes" in await client.fail("find_people", name="x" * 2_000_000)

    run(work())


def test_a_changed_file_and_two_servers_at_once(tree):
    async def work():
        def edit(date):
            return [{"op": "set", "path": "@I1@/DEAT/DATE", "value": date}]

        async with served(tree, options=["--allow-edits"]) as one, served(tree, options=["--allow-edits"]) as other:
            first = (await one.ask("propose_edits", reason="x", edits=edit("1911")))["number"]
            second = (await other.ask("propose_edits", reason="x", edits=edit("1912")))["number"]
            await one.ask("apply_proposal", number=first)
            assert "has changed since proposal" in await other.fail("apply_proposal", number=second)
            third = (await one.ask("propose_edits", reason="x", edits=edit("1913")))["number"]
            tree.write_bytes(TREE.replace("1850", "1851").encode())
            assert "has changed since proposal" in await one.fail("apply_proposal", number=third)
            assert "not touched" in await one.fail("undo", number=first)
            assert tree.read_bytes() == TREE.replace("1850", "1851").encode()

    run(work())


def test_archives_are_read_and_not_changed(tree, tmp_path):
    import gzip

    packed = tmp_path / "packed.ged.gz"
    packed.write_bytes(gzip.compress(TREE.encode()))

    async def work():
        async with served(packed, options=["--allow-edits"]) as client:
            assert (await client.ask("person", id="@I1@"))["person"]["name"] == "Anna Müller"
            edits = [{"op": "remove", "path": "@I1@/DEAT"}]
            number = (await client.ask("propose_edits", reason="x", edits=edits))["number"]
            assert "archive" in await client.fail("apply_proposal", number=number)

    run(work())


def test_what_cannot_be_served_ends_the_command(tree, tmp_path):
    for arguments in [[tmp_path / "none.ged"], [tmp_path], ["-"], []]:
        done = subprocess.run([ELF, "mcp", *arguments], input=b"", capture_output=True, timeout=60)
        assert done.returncode == 2 and done.stderr and not done.stdout, (arguments, done)
    assert subprocess.run([ELF, "mcp", tree], input=b"", capture_output=True, timeout=60).returncode == 0


async def changed_and_back(path, original):
    """Proposes, applies and undoes a change of a file. Returns whether the file can be changed."""
    async with served(path, options=["--allow-edits", "--living"]) as client:
        if "problem" in (await client.ask("file_info"))["files"][0]:
            return False
        people = (await client.ask("find_people", limit=1))["people"]
        if not people or "id" not in people[0]:
            return False
        edits = [{"op": "insert", "under": people[0]["id"], "tag": "NOTE", "value": "Checked"}]
        proposed = await client.result("propose_edits", {"reason": "test", "edits": edits})
        if proposed.isError:
            return False
        number = proposed.structuredContent["number"]
        await client.ask("apply_proposal", number=number)
        assert path.read_bytes() != original
    async with served(path, options=["--allow-edits", "--living"]) as client:
        await client.ask("undo", number=number)
    assert path.read_bytes() == original
    return True


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_examples_get_their_bytes_back(path, tmp_path):
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    run(changed_and_back(copy, path.read_bytes()))


@pytest.mark.skipif(not CORPUS or not LONG, reason="there is no corpus, or the tests are short")
def test_the_corpus_is_read_and_gets_its_bytes_back(tmp_path):
    changed = 0
    for number, path in enumerate(CORPUS):
        copy = tmp_path / f"{number}.ged"
        copy.write_bytes(path.read_bytes())

        async def read():
            async with served(copy, options=["--living"]) as client:
                if "problem" not in (await client.ask("file_info"))["files"][0]:
                    await read_all(client)

        run(read())
        changed += run(changed_and_back(copy, path.read_bytes()))
    assert changed > len(CORPUS) / 2, (changed, len(CORPUS))


@pytest.mark.skipif(not LONG, reason="this needs an optimized build")
@pytest.mark.parametrize("options", [[], ["--living"]], ids=["hiding", "living"])
def test_100_000_people_are_served_in_time(options, tmp_path):
    path = tmp_path / "big.ged"
    path.write_bytes(big_tree(100_000))

    async def work():
        async with served(path, options=["--allow-edits", *options]) as client:
            await client.ask("file_info")
            # Reading the file is not part of an answer.
            client.times.clear()
            await read_all(client)
            await client.ask("find_people", name="anna berg9", born="1700..1800")
            await client.ask("find_people", lacks=["SOUR"], place="Linz")
            await client.ask("search_notes", text="register Graz")
            await client.ask("search_notes", text="Bezirk 499", tags=["PLAC"])
            await client.ask("tree", id="@I1@", up=20, down=20)
            await client.ask("kinship", a="@I9@", b="@I900@")
            edits = [{"op": "set", "path": "@I5@/BIRT/DATE", "value": "1 JAN 1530"}]
            number = (await client.ask("propose_edits", reason="x", edits=edits))["number"]
            new = {"tags": ["PLAC"], "from": "Graz", "to": "Grätz"}
            await client.ask("propose_replacement", reason="x", **new)
            await client.ask("apply_proposal", number=number)
            # Nor is reading the file again after a change.
            applied = client.times
            client.times = []
            await client.ask("file_info")
            client.times = applied
            await client.ask("undo", number=number)
            for seconds, size, tool, arguments in sorted(client.times, key=lambda one: -one[0])[:6]:
                print(f"{seconds:.2f} s {size:6} bytes {tool} {arguments}")
            slow = [one for one in client.times if one[0] > SLOWEST]
            assert not slow, slow

    run(work())


@pytest.mark.skipif(not LONG, reason="it writes 300 MB")
def test_a_file_of_300_mb_is_refused_in_words(tree, tmp_path):
    path = tmp_path / "large.ged"
    line = b"1 NOTE " + b"x" * 200 + b"\n"
    with path.open("wb") as file:
        file.write(b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n")
        for _ in range(1500):
            file.write(line * 1000)
        file.write(b"0 TRLR\n")

    async def work():
        # While nobody knows who is hidden in one file, the others are not shown either.
        async with served(path, tree) as client:
            assert "nobody knows who is hidden" in await client.fail("find_people", file="tree.ged")
        async with served(path, tree, options=["--living"]) as client:
            problem = (await client.ask("file_info"))["files"][0]["problem"]
            assert "MB" in problem and "elf extract" in problem, problem
            assert problem in await client.fail("find_people", file="large.ged")
            assert (await client.ask("find_people", file="tree.ged"))["total"] == 2

    run(work())
