"""Drives `elf mcp` with the official client, and checks each answer on the way."""

import asyncio
import json
import os
import time
from contextlib import asynccontextmanager
from pathlib import Path

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

ELF = os.environ["ELF"]
TODAY = ["--today", "2026-11-28"]

# The most bytes of an answer, and the most seconds of processor time until it comes.
LONGEST = 20_000
SLOWEST = 2.0


def children():
    """The numbers of the processes that this one has started. Only Linux tells."""
    lists = Path("/proc/self/task").glob("*/children")
    return {int(number) for one in lists for number in one.read_text().split()}


class Client:
    def __init__(self, session, process):
        self.session = session
        self.process = process
        self.times = []

    def seconds(self):
        """The processor time of the server so far; elapsed time where it is not known."""
        if self.process is None:
            return time.monotonic()
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def result(self, tool, arguments):
        """Calls a tool. The client checks the answer against the schema of the tool."""
        start = self.seconds()
        result = await self.session.call_tool(tool, arguments)
        seconds = self.seconds() - start
        size = len(result.model_dump_json(by_alias=True, exclude_none=True).encode())
        self.times.append((seconds, size, tool, arguments))
        assert size <= LONGEST, (tool, arguments, size)
        return result

    async def ask(self, tool, **arguments):
        result = await self.result(tool, arguments)
        assert not result.isError, (tool, arguments, result.content[0].text)
        assert json.loads(result.content[0].text) == result.structuredContent
        return result.structuredContent

    async def fail(self, tool, **arguments):
        result = await self.result(tool, arguments)
        assert result.isError, (tool, arguments, result.structuredContent)
        return result.content[0].text

    async def all(self, tool, key, **arguments):
        """The items of all pages."""
        items, page = [], await self.ask(tool, **arguments)
        items += page[key]
        while "next_cursor" in page:
            page = await self.ask(tool, **arguments, cursor=page["next_cursor"])
            items += page[key]
        return items


@asynccontextmanager
async def served(*files, options=()):
    arguments = ["mcp", *map(str, files), *TODAY, *options]
    others = children()
    async with stdio_client(StdioServerParameters(command=ELF, args=arguments)) as (read, write):
        started = children() - others
        async with ClientSession(read, write) as session:
            await session.initialize()
            yield Client(session, started.pop() if len(started) == 1 else None)


def run(work):
    """Runs a test."""
    return asyncio.run(asyncio.wait_for(work, 600))
