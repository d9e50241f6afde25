// How to connect each assistant to the tool endpoint. docs/connect.md says the same; a test compares them.

/** The date on which the vendors' own pages said this. */
export const CHECKED_ON = "2026-11-22";

export type Assistant = {
  /** In the address of the page. */
  readonly slug: string;
  readonly name: string;
  /** Where it goes, before the code. */
  readonly place: string;
  readonly code: string;
  /** A link that the program itself opens, and asks whether it may add the endpoint. No key is ever in it. */
  readonly add?: { readonly label: string; readonly href: string };
  /** What is good to know, after the code. */
  readonly note?: string;
};

/** `endpoint` is the address of the tool endpoint. Without a `key`, each one says where it reads the key from. */
export function assistants(endpoint: string, key?: string): Assistant[] {
  return [
    claude(endpoint, key),
    {
      slug: "claude-code",
      name: "Claude Code",
      place: key === undefined ? "In a terminal, with the key in ATELIER_KEY:" : "In a terminal:",
      code: `claude mcp add --transport http atelier ${endpoint} --header "Authorization: Bearer ${key ?? "$ATELIER_KEY"}"`,
    },
    cursor(endpoint, key),
    vsCode(endpoint),
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
