"""FastMCP's client."""
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from mcp_types import ResourceTemplateReference
from probe import ARGUMENTS, CHAPTER, HEADERS, PROMPT, RESOURCE, TEMPLATE, TOOL, URL, probe

probe(
    Client(StreamableHttpTransport(URL, headers=HEADERS)),
    lambda client: {
        "tools": client.list_tools,
        "called": lambda: client.call_tool(TOOL, {}),
        "resources": client.list_resources,
        "read": lambda: client.read_resource(RESOURCE),
        "completed": lambda: client.complete(ResourceTemplateReference(uri=TEMPLATE), CHAPTER),
        "prompts": client.list_prompts,
        "prompt": lambda: client.get_prompt(PROMPT, ARGUMENTS),
    },
)
