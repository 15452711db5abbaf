"""Drives `elf mcp` with the official client, and checks each answer on the way."""

import asyncio
import json
import os
import time
from contextlib import asynccontextmanager

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

ELF = os.environ["ELF"]
TODAY = ["--today", "2026-11-28"]

# The most bytes of an answer, and the most seconds until it comes.
LONGEST = 20_000
SLOWEST = 2.0


class Client:
    def __init__(self, session):
        self.session = session
        self.times = []

    async def result(self, tool, arguments):
        """Calls a tool. The client checks the answer against the schema of the tool."""
        start = time.monotonic()
        result = await self.session.call_tool(tool, arguments)
        seconds = time.monotonic() - start
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
    async with stdio_client(StdioServerParameters(command=ELF, args=arguments)) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            yield Client(session)


def run(work):
    """Runs a test."""
    return asyncio.run(asyncio.wait_for(work, 600))
