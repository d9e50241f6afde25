"""The OpenAI Agents SDK."""
from agents.mcp import MCPServerStreamableHttp
from probe import ARGUMENTS, HEADERS, PROMPT, RESOURCE, TOOL, URL, probe

probe(
    MCPServerStreamableHttp(params={"url": URL, "headers": HEADERS}),
    lambda server: {
        "tools": server.list_tools,
        "called": lambda: server.call_tool(TOOL, {}),
        "resources": server.list_resources,
        "read": lambda: server.read_resource(RESOURCE),
        "prompts": server.list_prompts,
        "prompt": lambda: server.get_prompt(PROMPT, ARGUMENTS),
    },
)
