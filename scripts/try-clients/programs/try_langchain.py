"""LangChain's adapters. They load resources and prompts that are named, and list none."""
from contextlib import nullcontext

from langchain_mcp_adapters.client import MultiServerMCPClient
from probe import ARGUMENTS, HEADERS, PROMPT, RESOURCE, TOOL, URL, probe


async def call(client):
    return await next(tool for tool in await client.get_tools() if tool.name == TOOL).ainvoke({})


async def read(client):
    return (await client.get_resources("atelier", uris=[RESOURCE]))[0].as_string()


probe(
    nullcontext(MultiServerMCPClient({"atelier": {"transport": "http", "url": URL, "headers": HEADERS}})),
    lambda client: {
        "tools": client.get_tools,
        "called": lambda: call(client),
        "resources": lambda: client.get_resources("atelier"),
        "read": lambda: read(client),
        "prompt": lambda: client.get_prompt("atelier", PROMPT, arguments=ARGUMENTS),
    },
)
