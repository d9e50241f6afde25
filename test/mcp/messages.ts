// JSON-RPC messages of both protocol eras, as clients write them.
export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
} as const;

/** The field of a current message's _meta with what its client supports. */
export const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
/** The capabilities of a client with the extension for tasks. */
export const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} } };

export const CURRENT_META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  [CAPABILITIES]: {},
} as const;

export function request(
  method: string,
  params?: object,
): { jsonrpc: "2.0"; id: number; method: string; params?: object } {
  return { jsonrpc: "2.0", id: 7, method, ...(params && { params }) };
}

export function callTool(name: string, args: object = {}, meta?: object): ReturnType<typeof request> {
  return request("tools/call", { name, arguments: args, ...(meta && { _meta: meta }) });
}

/** The same message as a current client with these capabilities sends it, with its headers. */
export function asCurrent(
  message: ReturnType<typeof request>,
  capabilities?: object,
): { body: object; headers: Record<string, string> } {
  const { _meta, ...rest } = (message.params ?? {}) as { _meta?: object };
  const declared = capabilities && { [CAPABILITIES]: capabilities };
  const params = { ...rest, _meta: { ...CURRENT_META, ..._meta, ...declared } };
  const { name: called, uri, taskId } = rest as { name?: string; uri?: string; taskId?: string };
  const asked = called ?? uri ?? taskId;
  const name = asked === undefined ? {} : { "mcp-name": asked };
  return {
    body: { ...message, params },
    headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": message.method, ...name },
  };
}

export const PICTURE = { modality: "image", model_slug: "canvas-one", prompt: "a lighthouse" } as const;
