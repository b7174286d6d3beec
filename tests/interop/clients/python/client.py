"""The Python SDK: client.py legacy|auto|modern http|stdio TARGET… See tests/interop/driven.rs for the lines it reads and writes."""

import asyncio
import json
import os
import sys

from mcp import Client, StdioServerParameters, types

answers = asyncio.Queue()


def say(line):
    print(json.dumps(line), flush=True)


def dump(model):
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


async def ask(_context, params):
    say({"asked": dump(params)})
    return types.ElicitResult(**await answers.get())


async def obey(client, line):
    try:
        if line["do"] == "list":
            say({"tools": [tool.name for tool in (await client.list_tools()).tools]})
        else:
            say({"result": dump(await client.call_tool(line["tool"], line["arguments"]))})
    except Exception as error:
        say({"error": repr(error)})


async def main(mode, transport, *target):
    mode = "2026-07-28" if mode == "modern" else mode
    if transport == "http":
        server = target[0]
    else:
        server = StdioServerParameters(command=target[0], args=list(target[1:]), env=dict(os.environ))
    async with Client(server, mode=mode, elicitation_callback=ask) as client:
        say({"connected": {"version": client.protocol_version}})
        lines = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
        tasks = set()
        while text := await lines.readline():
            line = json.loads(text)
            if "answer" in line:
                await answers.put(line["answer"])
            else:
                tasks.add(asyncio.create_task(obey(client, line)))


asyncio.run(main(*sys.argv[1:]))
