"""The protocol's own Python library, 1.x."""
from contextlib import asynccontextmanager

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client
from mcp.types import ResourceTemplateReference
from probe import ARGUMENTS, CHAPTER, HEADERS, PROMPT, RESOURCE, TEMPLATE, TOOL, URL, probe


@asynccontextmanager
async def connect():
    async with streamablehttp_client(URL, headers=HEADERS) as (read, write, _):
        async with ClientSession(read, write) as session:
            session.protocol = (await session.initialize()).protocolVersion
            yield session


probe(
    connect(),
    lambda session: {
        "tools": session.list_tools,
        "called": lambda: session.call_tool(TOOL, {}),
        "resources": session.list_resources,
        "read": lambda: session.read_resource(RESOURCE),
        "completed": lambda: session.complete(
            ResourceTemplateReference(type="ref/resource", uri=TEMPLATE), CHAPTER
        ),
        "prompts": session.list_prompts,
        "prompt": lambda: session.get_prompt(PROMPT, ARGUMENTS),
    },
    protocol=lambda session: session.protocol,
)
