"""FastMCP's client."""
import asyncio

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from mcp_types import ResourceTemplateReference
from probe import ARGUMENTS, HAS_PROMPTS, HEADERS, PROMPT, RESOURCE, TEMPLATE, TOOL, URL, says, tell


async def main():
    async with Client(StreamableHttpTransport(URL, headers=HEADERS)) as client:
        done = {
            "tools": len(await client.list_tools()),
            "called": says(await client.call_tool(TOOL, {}), "atelier-canvas"),
            "resources": len(await client.list_resources()),
            "read": says(await client.read_resource(RESOURCE), "# Quickstart"),
            "completed": says(
                await client.complete(
                    ResourceTemplateReference(uri=TEMPLATE), {"name": "chapter", "value": "quick"}
                ),
                "quickstart",
            ),
        }
        if HAS_PROMPTS:
            done["prompts"] = len(await client.list_prompts())
            done["prompt"] = says(await client.get_prompt(PROMPT, ARGUMENTS), "a lighthouse")
        tell(**done)


asyncio.run(main())
