"""The protocol's own Python library, 1.x."""
import asyncio

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client
from mcp.types import ResourceTemplateReference
from probe import ARGUMENTS, HAS_PROMPTS, HEADERS, PROMPT, RESOURCE, TEMPLATE, TOOL, URL, says, tell


async def main():
    async with streamablehttp_client(URL, headers=HEADERS) as (read, write, _):
        async with ClientSession(read, write) as session:
            done = {
                "protocol": (await session.initialize()).protocolVersion,
                "tools": len((await session.list_tools()).tools),
                "called": says(await session.call_tool(TOOL, {}), "atelier-canvas"),
                "resources": len((await session.list_resources()).resources),
                "read": says(await session.read_resource(RESOURCE), "# Quickstart"),
                "completed": says(
                    await session.complete(
                        ResourceTemplateReference(type="ref/resource", uri=TEMPLATE),
                        {"name": "chapter", "value": "quick"},
                    ),
                    "quickstart",
                ),
            }
            if HAS_PROMPTS:
                done["prompts"] = len((await session.list_prompts()).prompts)
                done["prompt"] = says(await session.get_prompt(PROMPT, ARGUMENTS), "a lighthouse")
            tell(**done)


asyncio.run(main())
