"""The protocol's own Python library, 2.x."""
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ResourceTemplateReference
from probe import ARGUMENTS, CHAPTER, HEADERS, PROMPT, RESOURCE, TEMPLATE, TOOL, URL, probe

probe(
    Client(streamable_http_client(URL, http_client=httpx2.AsyncClient(headers=HEADERS, timeout=60))),
    lambda client: {
        "tools": client.list_tools,
        "called": lambda: client.call_tool(TOOL, {}),
        "resources": client.list_resources,
        "read": lambda: client.read_resource(RESOURCE),
        "completed": lambda: client.complete(ResourceTemplateReference(uri=TEMPLATE), CHAPTER),
        "prompts": client.list_prompts,
        "prompt": lambda: client.get_prompt(PROMPT, ARGUMENTS),
    },
    protocol=lambda client: client.protocol_version,
)
