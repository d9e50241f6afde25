"""The OpenAI Agents SDK."""
import asyncio

from agents.mcp import MCPServerStreamableHttp
from probe import ARGUMENTS, HAS_PROMPTS, HEADERS, PROMPT, RESOURCE, TOOL, URL, says, tell


async def main():
    async with MCPServerStreamableHttp(params={"url": URL, "headers": HEADERS}) as server:
        done = {
            "tools": len(await server.list_tools()),
            "called": says(await server.call_tool(TOOL, {}), "atelier-canvas"),
            "resources": len((await server.list_resources()).resources),
            "read": says(await server.read_resource(RESOURCE), "# Quickstart"),
        }
        if HAS_PROMPTS:
            done["prompts"] = len((await server.list_prompts()).prompts)
            done["prompt"] = says(await server.get_prompt(PROMPT, ARGUMENTS), "a lighthouse")
        tell(**done)


asyncio.run(main())
