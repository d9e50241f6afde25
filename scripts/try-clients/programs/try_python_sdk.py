"""The protocol's own Python library, 2.x."""
import asyncio

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ResourceTemplateReference
from probe import ARGUMENTS, HAS_PROMPTS, HEADERS, PROMPT, RESOURCE, TEMPLATE, TOOL, URL, says, tell


async def main():
    http_client = httpx2.AsyncClient(headers=HEADERS, timeout=60)
    async with Client(streamable_http_client(URL, http_client=http_client)) as client:
        done = {
            "protocol": client.protocol_version,
            "tools": len((await client.list_tools()).tools),
            "called": says(await client.call_tool(TOOL, {}), "atelier-canvas"),
            "resources": len((await client.list_resources()).resources),
            "read": says(await client.read_resource(RESOURCE), "# Quickstart"),
            "completed": says(
                await client.complete(
                    ResourceTemplateReference(uri=TEMPLATE), {"name": "chapter", "value": "quick"}
                ),
                "quickstart",
            ),
        }
        if HAS_PROMPTS:
            done["prompts"] = len((await client.list_prompts()).prompts)
            done["prompt"] = says(await client.get_prompt(PROMPT, ARGUMENTS), "a lighthouse")
        tell(**done)


asyncio.run(main())
