"""Pydantic AI's toolset."""
from probe import ARGUMENTS, HEADERS, PROMPT, RESOURCE, TOOL, URL, probe
from pydantic_ai.mcp import MCPToolset

probe(
    MCPToolset(URL, headers=HEADERS),
    lambda toolset: {
        "tools": toolset.list_tools,
        "called": lambda: toolset.direct_call_tool(TOOL, {}),
        "resources": toolset.list_resources,
        "read": lambda: toolset.read_resource(RESOURCE),
        "prompts": toolset.list_prompts,
        "prompt": lambda: toolset.get_prompt(PROMPT, ARGUMENTS),
    },
)
