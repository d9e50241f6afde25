"""Pydantic AI's toolset."""
import asyncio

from probe import ARGUMENTS, HAS_PROMPTS, HEADERS, PROMPT, RESOURCE, TOOL, URL, says, tell
from pydantic_ai.mcp import MCPToolset


async def main():
    async with MCPToolset(URL, headers=HEADERS) as toolset:
        done = {
            "tools": len(await toolset.list_tools()),
            "called": says(await toolset.direct_call_tool(TOOL, {}), "atelier-canvas"),
            "resources": len(await toolset.list_resources()),
            "read": says(await toolset.read_resource(RESOURCE), "# Quickstart"),
        }
        if HAS_PROMPTS:
            done["prompts"] = len(await toolset.list_prompts())
            done["prompt"] = says(await toolset.get_prompt(PROMPT, ARGUMENTS), "a lighthouse")
        tell(**done)


asyncio.run(main())
