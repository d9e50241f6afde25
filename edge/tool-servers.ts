// The tool endpoints as programs find them: address, names and key of each, for the endpoints themselves and for the documents that announce them.
import type { Addresses } from "./guide.ts";

/** The header that a client must send. */
type Key = { readonly prefix: string; readonly description: string };

type ToolServer = {
  readonly path: string;
  readonly at: keyof Addresses;
  /** As it introduces itself. */
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  /** At most 100 characters. */
  readonly description: string;
  readonly key: Key | undefined;
};

export const TOOL_SERVERS = {
  catalog: {
    path: "/mcp",
    at: "baseUrl",
    info: { name: "atelier-catalog", title: "Atelier catalog", version: "1.0.0" },
    description: "Finds digital products, generation models and plans, without a key.",
    key: undefined,
  },
  generation: {
    path: "/api/mcp",
    at: "generationBaseUrl",
    info: { name: "atelier-generation", title: "Atelier generation", version: "1.0.0" },
    description: "Makes images, videos and audio from text prompts, for credits.",
    key: {
      prefix: "atl_gen_",
      description: "A generation key with the write scope, from the account settings.",
    },
  },
  member: {
    path: "/api/member/mcp",
    at: "baseUrl",
    info: { name: "atelier-member", title: "Atelier membership", version: "1.0.0" },
    description: "Serves members: products, purchase pages, licences, credits and generation jobs.",
    key: { prefix: "atl_mem_", description: "A member key, which support gives out." },
  },
} as const satisfies Record<string, ToolServer>;

/** Revisions of the protocol that every endpoint serves, the newest first. */
export const PROTOCOL_VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"];

export const CARD_TYPE = "application/mcp-server-card+json";
const CARD_SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";

/** Where the card of an endpoint is, as the draft reserves it. */
export function cardPath({ path }: ToolServer): string {
  return `${path}/server-card`;
}

/** The server card of an endpoint (draft SEP-2127). */
export function serverCard({ path, at, info, description, key }: ToolServer, addresses: Addresses): object {
  const url = addresses[at] + path;
  const namespace = hostOf(url).split(".").toReversed().join(".");
  return {
    $schema: CARD_SCHEMA,
    ...info,
    name: `${namespace}/${info.name}`,
    description,
    websiteUrl: `${addresses.baseUrl}/connect`,
    remotes: [
      {
        type: "streamable-http",
        url,
        supportedProtocolVersions: PROTOCOL_VERSIONS,
        ...(key && { headers: [headerFor(key)] }),
      },
    ],
  };
}

function headerFor({ prefix, description }: Key): object {
  return {
    name: "Authorization",
    description,
    isRequired: true,
    isSecret: true,
    value: "Bearer {api_key}",
    variables: {
      api_key: {
        description: `The key, which begins with ${prefix}.`,
        isRequired: true,
        isSecret: true,
        placeholder: `${prefix}…`,
      },
    },
  };
}

/** The catalog of the server cards (draft AI Catalog). Its drafts differ in the name of the media type: both are there. */
export function aiCatalog(addresses: Addresses): object {
  return {
    specVersion: "1.0",
    host: { displayName: "Atelier", documentationUrl: `${addresses.baseUrl}/docs` },
    entries: Object.values<ToolServer>(TOOL_SERVERS).map((server) => ({
      identifier: `urn:air:${hostOf(addresses[server.at])}:mcp:${server.info.name}`,
      displayName: server.info.title,
      description: server.description,
      type: CARD_TYPE,
      mediaType: CARD_TYPE,
      url: addresses[server.at] + cardPath(server),
    })),
  };
}

/** Letters, digits, dots and hyphens. */
function hostOf(url: string): string {
  return new URL(url).hostname.replaceAll(/[^\w.-]/g, "-");
}
