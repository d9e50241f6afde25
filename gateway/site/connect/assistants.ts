// How to connect each assistant to the tool endpoint. docs/connect.md says the same; a test compares them.

/** When the vendors' documentation was last checked. */
export const CHECKED_ON = "2026-11-22";

export type Assistant = {
  /** The assistant's name in the address of the page. */
  readonly slug: string;
  readonly name: string;
  /** Where the code goes; shown above it. */
  readonly place: string;
  readonly code: string;
  /** A link that opens the program, which then asks whether to add the endpoint. It never contains a key. */
  readonly add?: { readonly label: string; readonly href: string };
  /** Notes shown below the code. */
  readonly note?: string;
};

/**
 * `endpoint` is the address of the tool endpoint, `catalog` that of the one that needs no key. Without a `key`, each one says where it
 * reads the key from.
 */
export function assistants(endpoint: string, catalog: string, key?: string): Assistant[] {
  return [
    claude(endpoint, key),
    chatGpt(catalog),
    {
      slug: "claude-code",
      name: "Claude Code",
      place: key === undefined ? "In a terminal, with the key in ATELIER_KEY:" : "In a terminal:",
      code: `claude mcp add --transport http atelier ${endpoint} --header "Authorization: Bearer ${key ?? "$ATELIER_KEY"}"`,
    },
    cursor(endpoint, key),
    vsCode(endpoint),
    windsurf(endpoint, key),
    zed(endpoint, key),
    {
      slug: "codex",
      name: "Codex",
      place: "In ~/.codex/config.toml. It reads the key from the variable that is named:",
      code: `[mcp_servers.atelier]
url = "${endpoint}"
bearer_token_env_var = "ATELIER_KEY"`,
    },
    {
      slug: "gemini-cli",
      name: "Gemini CLI",
      place: key === undefined ? "In a terminal, with the key in ATELIER_KEY:" : "In a terminal:",
      code: `gemini mcp add --scope user --transport http --header "Authorization: Bearer ${key ?? "$ATELIER_KEY"}" atelier ${endpoint}`,
    },
    goose(endpoint, key),
    {
      slug: "scripts",
      name: "Scripts",
      place: "Any HTTP client; no session and no initialize:",
      code: `curl -s ${endpoint} \\
  -H "Authorization: Bearer ${key ?? "$ATELIER_KEY"}" -H 'content-type: application/json' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_models","arguments":{}}}'`,
    },
  ];
}

function claude(endpoint: string, key: string | undefined): Assistant {
  return {
    slug: "claude",
    name: "Claude",
    place:
      "On claude.ai or in the desktop app: Settings, Connectors, Add custom connector. Under Request headers add one:",
    code: `Name              Atelier
URL               ${endpoint}
Request headers   Authorization: Bearer ${key ?? "YOUR_KEY"}`,
    note: "Request headers are a beta for Pro, Max and Team; phones use the connectors that were added there. Where the dialog does not show them, and on the free plan, install the bundle for the desktop app instead.",
  };
}

function chatGpt(catalog: string): Assistant {
  return {
    slug: "chatgpt",
    name: "ChatGPT",
    place:
      "On chatgpt.com: Settings, Apps, Advanced settings, turn on Developer mode, then create an app. It can look around, and not generate:",
    code: `Name             Atelier
MCP Server URL   ${catalog}
Authentication   No authentication`,
    note: "Its apps take OAuth or nothing and have no field for a header, so a key cannot be given to it. Developer mode is for Plus, Pro, Business, Enterprise and Education, on the web.",
  };
}

function cursor(endpoint: string, key: string | undefined): Assistant {
  const server = (bearer: string) => ({ url: endpoint, headers: { Authorization: `Bearer ${bearer}` } });
  const config = Buffer.from(JSON.stringify(server("${env:ATELIER_KEY}"))).toString("base64");
  const query = new URLSearchParams({ name: "atelier", config });
  return {
    slug: "cursor",
    name: "Cursor",
    place: "In ~/.cursor/mcp.json, or .cursor/mcp.json of a project:",
    code: `{
  "mcpServers": {
    "atelier": {
      "url": "${endpoint}",
      "headers": { "Authorization": "Bearer ${key ?? "${env:ATELIER_KEY}"}" }
    }
  }
}`,
    add: {
      label: "Add to Cursor",
      href: `cursor://anysphere.cursor-deeplink/mcp/install?${query.toString()}`,
    },
    note: "The button writes the same without the key: Cursor reads it from the variable ATELIER_KEY when it starts.",
  };
}

function vsCode(endpoint: string): Assistant {
  const inputs = [
    { type: "promptString", id: "atelier-key", description: "Atelier generation key", password: true },
  ];
  const headers = { Authorization: "Bearer ${input:atelier-key}" };
  const server = { name: "atelier", type: "http", url: endpoint, headers, inputs };
  return {
    slug: "vs-code",
    name: "VS Code",
    place: "In .vscode/mcp.json. It asks for the key once and keeps it in its secret storage:",
    code: `{
  "inputs": [
    { "type": "promptString", "id": "atelier-key", "description": "Atelier generation key", "password": true }
  ],
  "servers": {
    "atelier": {
      "type": "http",
      "url": "${endpoint}",
      "headers": { "Authorization": "Bearer \${input:atelier-key}" }
    }
  }
}`,
    add: {
      label: "Add to VS Code",
      href: `vscode:mcp/install?${encodeURIComponent(JSON.stringify(server))}`,
    },
  };
}

function windsurf(endpoint: string, key: string | undefined): Assistant {
  return {
    slug: "windsurf",
    name: "Windsurf",
    place: "In ~/.codeium/windsurf/mcp_config.json:",
    code: `{
  "mcpServers": {
    "atelier": {
      "serverUrl": "${endpoint}",
      "headers": { "Authorization": "Bearer ${key ?? "${env:ATELIER_KEY}"}" }
    }
  }
}`,
    note: "Its extensions for other editors read ~/.codeium/mcp_config.json.",
  };
}

function zed(endpoint: string, key: string | undefined): Assistant {
  return {
    slug: "zed",
    name: "Zed",
    place: "In settings.json, which then contains the key:",
    code: `{
  "context_servers": {
    "atelier": {
      "url": "${endpoint}",
      "headers": { "Authorization": "Bearer ${key ?? "YOUR_KEY"}" }
    }
  }
}`,
    note: "It takes tools and prompts, not resources.",
  };
}

/** Frameworks for building agents. Each sample reads the key from a variable, and `npm run try-clients` runs it unchanged. */
export function libraries(endpoint: string): Assistant[] {
  const place = "With the key in ATELIER_KEY:";
  return [
    {
      slug: "langchain",
      name: "LangChain",
      place,
      code: `import asyncio, os
from langchain_mcp_adapters.client import MultiServerMCPClient

client = MultiServerMCPClient({"atelier": {
    "transport": "http",
    "url": "${endpoint}",
    "headers": {"Authorization": f"Bearer {os.environ['ATELIER_KEY']}"},
}})
tools = asyncio.run(client.get_tools())
print([tool.name for tool in tools])`,
    },
    {
      slug: "openai-agents",
      name: "OpenAI Agents SDK",
      place,
      code: `import asyncio, os
from agents.mcp import MCPServerStreamableHttp

async def main():
    async with MCPServerStreamableHttp(params={
        "url": "${endpoint}",
        "headers": {"Authorization": f"Bearer {os.environ['ATELIER_KEY']}"},
    }) as server:  # Agent(…, mcp_servers=[server])
        print([tool.name for tool in await server.list_tools()])

asyncio.run(main())`,
    },
    {
      slug: "pydantic-ai",
      name: "Pydantic AI",
      place,
      code: `import asyncio, os
from pydantic_ai.mcp import MCPToolset

toolset = MCPToolset(
    "${endpoint}",
    headers={"Authorization": f"Bearer {os.environ['ATELIER_KEY']}"},
)  # Agent(…, toolsets=[toolset])
print([tool.name for tool in asyncio.run(toolset.list_tools())])`,
    },
    {
      slug: "fastmcp",
      name: "FastMCP",
      place,
      code: `import asyncio, os
from fastmcp import Client

async def main():
    async with Client("${endpoint}", auth=os.environ["ATELIER_KEY"]) as client:
        print([tool.name for tool in await client.list_tools()])

asyncio.run(main())`,
    },
  ];
}

function goose(endpoint: string, key: string | undefined): Assistant {
  return {
    slug: "goose",
    name: "Goose",
    place: "In ~/.config/goose/config.yaml:",
    code: `extensions:
  atelier:
    type: streamable_http
    name: atelier
    enabled: true
    uri: ${endpoint}
    headers:
      Authorization: Bearer ${key ?? "${ATELIER_KEY}"}${key === undefined ? "\n    env_keys: [ATELIER_KEY]" : ""}
    timeout: 300`,
  };
}
