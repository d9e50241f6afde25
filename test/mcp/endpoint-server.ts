// The tool endpoint on a free port in front of a fake core, and a plain HTTP client.
import type { FastifyInstance } from "fastify";
import { expect } from "vitest";
import type { Load } from "../../edge/http/load.ts";
import { createRateLimits } from "../../edge/http/rate-limit.ts";
import { createHttpServer } from "../../edge/http/server.ts";
import { mcpRoutes, toolEndpoints } from "../../mcp/app.ts";
import { registerEndpoint } from "../../mcp/protocol/endpoint.ts";
import { createToolset, type Toolset } from "../../mcp/protocol/tool.ts";
import type { AppError } from "../../proto/codes.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { createLog } from "../../runtime/log/log.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { type CoreInMemory, createCoreInMemory } from "./core-in-memory.ts";
import { callTool } from "./messages.ts";

export type Reply = { status: number; headers: Headers; text: string; json: unknown };

export type Post = (body: unknown, headers?: Record<string, string | null>) => Promise<Reply>;

export type ToolResult = {
  isError?: boolean;
  content: { type: string; text?: string; uri?: string; data?: string; mimeType?: string; _meta?: object }[];
  structuredContent?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
};

export type TestEndpoint = {
  core: CoreInMemory;
  /** A key with write scope. */
  key: string;
  origin: string;
  url: string;
  /** Log lines at error level. */
  errors: string[];
  /** Creates a key for this endpoint, which core accepts, or refuses with `refusal`. */
  addKey(refusal?: AppError): string;
  /** See `send`. */
  post: Post;
  /** The result of a tool; `headers` as for `post`. */
  call(name: string, args?: object, headers?: Record<string, string>): Promise<ToolResult>;
  close(): Promise<void>;
};

/** What every endpoint gets in addition to its own. */
export type More = Pick<Toolset, "tools" | "resources" | "prompts">;

export async function startEndpoint(
  env: Record<string, string> = {},
  makeMore?: (core: CoreInMemory) => More,
  load?: Load,
): Promise<TestEndpoint> {
  const core = createCoreInMemory();
  const errors: string[] = [];
  const config = loadConfig({ ATELIER_LOG_LEVEL: "error", ...env });
  const log = createLog("error", "test", { write: (line) => void errors.push(line) });
  const app: FastifyInstance = createHttpServer({ config, log });
  const baseUrl = "http://atelier.test";
  const options = {
    core: core.client,
    config,
    limits: createRateLimits(config, createMetrics(), load ? { load } : {}),
    baseUrl,
    generationBaseUrl: "http://generate.atelier.test",
  };
  if (makeMore) {
    const withMore = createWithMore(makeMore(core));
    for (const endpoint of toolEndpoints(log, options)) {
      const { admit } = endpoint;
      await app.register(registerEndpoint, {
        ...endpoint,
        admit: async (...asked) => {
          const admission = await admit(...asked);
          const { toolset, prove } = admission;
          return {
            ...admission,
            toolset: withMore(toolset),
            prove: prove && (async () => withMore(await prove())),
          };
        },
      });
    }
  } else await app.register(mcpRoutes, options);
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });
  const url = `${origin}/api/mcp`;
  const key = core.addKey();
  const post: Post = (body, headers) => send(url, key, body, headers);
  return {
    core,
    key,
    origin,
    url,
    errors,
    addKey: (refusal) => core.addKey(refusal),
    post,
    call: callerOf(post),
    close: () => app.close(),
  };
}

function createWithMore(more: More): (toolset: Toolset) => Toolset {
  const known = new WeakMap<Toolset, Toolset>();
  return (toolset) => {
    const merged =
      known.get(toolset) ??
      createToolset([...more.tools, ...toolset.tools], {
        ...toolset,
        resources: [...more.resources, ...toolset.resources],
        prompts: [...more.prompts, ...toolset.prompts],
      });
    known.set(toolset, merged);
    return merged;
  };
}

export function callerOf(post: Post): TestEndpoint["call"] {
  return async (name, args, headers) => {
    const { status, text, json } = await post(callTool(name, args), headers);
    expect(status, text).toBe(200);
    return (json as { result: ToolResult }).result;
  };
}

/** The text for the model. */
export const textOf = ({ content }: ToolResult): string => content[0]?.text ?? "";

/**
 * Sends `body` (a string or bytes unchanged, anything else as JSON) with the key and content-type unless `headers` says otherwise; null
 * leaves one out.
 */
export async function send(
  url: string,
  key: string,
  body: unknown,
  headers: Record<string, string | null> = {},
): Promise<Reply> {
  const all = { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers };
  const sent = Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
  const bytes = body instanceof Uint8Array || typeof body === "string" ? body : JSON.stringify(body);
  return read(await fetch(url, { method: "POST", headers: sent, body: bytes }));
}

export async function read(response: Response): Promise<Reply> {
  const text = await response.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, text, json };
}

/** The JSON-RPC messages of an event stream. */
export function eventsOf(text: string): unknown[] {
  return text
    .split("\n")
    .flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice("data: ".length))] : []));
}
