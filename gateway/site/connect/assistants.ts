// How each assistant is told of the tool endpoint. docs/connect.md says the same; a test compares them.

export type Assistant = {
  readonly name: string;
  /** Where it goes, before the code. */
  readonly place: string;
  readonly code: string;
};

/** `endpoint` is the address of the tool endpoint. The key itself is in none of them. */
export function assistants(endpoint: string): Assistant[] {
  return [
    {
      name: "Claude Code",
      place: "In a terminal, with the key in ATELIER_KEY:",
      code: `claude mcp add --transport http atelier ${endpoint} --header "Authorization: Bearer $ATELIER_KEY"`,
    },
    {
      name: "Cursor",
      place: "In ~/.cursor/mcp.json, or .cursor/mcp.json of a project:",
      code: `{
  "mcpServers": {
    "atelier": {
      "url": "${endpoint}",
      "headers": { "Authorization": "Bearer \${env:ATELIER_KEY}" }
    }
  }
}`,
    },
    {
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
    },
    {
      name: "Codex",
      place: "In ~/.codex/config.toml. It reads the key from the variable that is named:",
      code: `[mcp_servers.atelier]
url = "${endpoint}"
bearer_token_env_var = "ATELIER_KEY"`,
    },
    {
      name: "Scripts",
      place: "Any HTTP client; no session and no initialize:",
      code: `curl -s ${endpoint} \\
  -H "Authorization: Bearer $ATELIER_KEY" -H 'content-type: application/json' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_models","arguments":{}}}'`,
    },
  ];
}
