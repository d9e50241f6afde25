"""LangChain's adapters. They load resources and prompts that are named, and list none."""
import asyncio

from langchain_mcp_adapters.client import MultiServerMCPClient
from probe import ARGUMENTS, HAS_PROMPTS, HEADERS, PROMPT, RESOURCE, TOOL, URL, says, tell


async def main():
    client = MultiServerMCPClient({"atelier": {"transport": "http", "url": URL, "headers": HEADERS}})
    tools = await client.get_tools()
    tool = next(tool for tool in tools if tool.name == TOOL)
    done = {
        "tools": len(tools),
        "called": says(await tool.ainvoke({}), "atelier-canvas"),
        "resources": len(await client.get_resources("atelier")),
        "read": says((await client.get_resources("atelier", uris=[RESOURCE]))[0].as_string(), "# Quickstart"),
    }
    if HAS_PROMPTS:
        done["prompt"] = says(await client.get_prompt("atelier", PROMPT, arguments=ARGUMENTS), "a lighthouse")
    tell(**done)


asyncio.run(main())
