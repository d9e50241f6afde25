// Third-party clients that a tool endpoint must serve unmodified, behind one interface.
import {
  Client as CurrentClient,
  type ClientOptions,
  StreamableHTTPClientTransport as CurrentTransport,
} from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

type Called = { isError?: unknown; content?: unknown; structuredContent?: unknown };
/** The common methods of both libraries. */
type Reader = {
  listResources(): Promise<{ resources: { uri: string }[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: object[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<{ messages: object[] }>;
  complete(params: {
    ref: { type: "ref/resource"; uri: string } | { type: "ref/prompt"; name: string };
    argument: { name: string; value: string };
  }): Promise<{ completion: { values: string[] } }>;
};
export type AnyClient = {
  reader: Reader;
  toolNames(): Promise<string[]>;
  call(name: string, args: Record<string, unknown>, onprogress?: (message: string) => void): Promise<Called>;
  version(): string | undefined;
  close(): Promise<void>;
};

const me = { name: "test", version: "1" };
const requestInit = (key: string | undefined) =>
  key === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${key}` } } };

/** For clients of 2026-07-28. */
export const PINNED = { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const;

/** The current library itself. `prepare` may set the client's handlers before it connects. */
export async function connectClient(
  url: string,
  key: string | undefined,
  options: ClientOptions = PINNED,
  prepare: (client: CurrentClient) => void = () => {},
): Promise<CurrentClient> {
  const client = new CurrentClient(me, options);
  prepare(client);
  await client.connect(new CurrentTransport(new URL(url), requestInit(key)));
  return client;
}

async function connectOlder(url: string, key?: string): Promise<AnyClient> {
  const client = new OlderClient(me);
  const transport = new OlderTransport(new URL(url), requestInit(key));
  await client.connect(transport as Transport);
  return {
    reader: client as Reader,
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, onprogress) =>
      (await client.callTool(
        { name, arguments: args },
        undefined,
        onprogress && { onprogress: ({ message }) => onprogress(message ?? "") },
      )) as Called,
    version: () => transport.protocolVersion,
    close: () => client.close(),
  };
}

function connectCurrent(options: ClientOptions) {
  return async (url: string, key?: string): Promise<AnyClient> => {
    const client = await connectClient(url, key, options);
    return {
      reader: client as Reader,
      toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: (name, args, onprogress) =>
        client.callTool(
          { name, arguments: args },
          onprogress && { onprogress: ({ message }) => onprogress(message ?? "") },
        ),
      version: () => client.getNegotiatedProtocolVersion(),
      close: () => client.close(),
    };
  };
}

/** Each with the protocol version that it negotiates here. */
export const MCP_CLIENTS: readonly [
  name: string,
  connect: (url: string, key?: string) => Promise<AnyClient>,
  version: string,
][] = [
  ["the older library", connectOlder, "2025-11-25"],
  ["the current library by default", connectCurrent({}), "2025-11-25"],
  [
    "the current library that finds out the era",
    connectCurrent({ versionNegotiation: { mode: "auto" } }),
    "2026-07-28",
  ],
  ["the current library pinned to 2026-07-28", connectCurrent(PINNED), "2026-07-28"],
];
