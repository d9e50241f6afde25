import {
  Client as CurrentClient,
  type ClientOptions,
  StreamableHTTPClientTransport as CurrentTransport,
} from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GENERATION_TOOLSET } from "../../mcp/generation/tools.ts";
import { waitFor } from "../support/wait-for.ts";
import { startEndpoint, type TestEndpoint } from "./endpoint-server.ts";
import { PICTURE } from "./messages.ts";

let endpoint: TestEndpoint;
beforeAll(async () => {
  endpoint = await startEndpoint({ ATELIER_RATE_LIMITS: "off" });
});
afterAll(() => endpoint.close());

type Called = { isError?: unknown; content?: unknown; structuredContent?: unknown };
type AnyClient = {
  toolNames(): Promise<string[]>;
  call(name: string, args: Record<string, unknown>, onprogress?: (message: string) => void): Promise<Called>;
  version(): string | undefined;
  close(): Promise<void>;
};

const me = { name: "test", version: "1" };
const requestInit = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } });

async function connectOlder(url: string, key: string): Promise<AnyClient> {
  const client = new OlderClient(me);
  const transport = new OlderTransport(new URL(url), requestInit(key));
  await client.connect(transport as Transport);
  return {
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
  return async (url: string, key: string): Promise<AnyClient> => {
    const client = new CurrentClient(me, options);
    await client.connect(new CurrentTransport(new URL(url), requestInit(key)));
    return {
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

describe.each([
  ["the older library", connectOlder, "2025-11-25"],
  ["the current library by default", connectCurrent({}), "2025-11-25"],
  [
    "the current library that finds out the era",
    connectCurrent({ versionNegotiation: { mode: "auto" } }),
    "2026-07-28",
  ],
  [
    "the current library pinned to 2026-07-28",
    connectCurrent({ versionNegotiation: { mode: { pin: "2026-07-28" } } }),
    "2026-07-28",
  ],
])("%s", (_name, connect, version) => {
  test("connects, lists and calls the tools, and accepts every answer against their output schemas", async () => {
    const client = await connect(endpoint.url, endpoint.key);
    expect(client.version()).toBe(version);
    expect(await client.toolNames()).toEqual(GENERATION_TOOLSET.listing.tools.map(({ name }) => name));

    expect(await client.call("list_models", {})).toMatchObject({
      structuredContent: { models: [{ model_slug: "canvas-one", credits: 4 }] },
    });
    const made = await client.call("connect_generate", PICTURE);
    expect(made).toMatchObject({
      structuredContent: { state: "reserved", credits_reserved: 4, replayed: false },
    });
    const { job_id } = made.structuredContent as { job_id: string };
    endpoint.core.complete(job_id);
    const read = await client.call("get_job", { job_id });
    expect(read).toMatchObject({
      structuredContent: { job_id, state: "completed", outputs: [{ mime_type: "image/png" }] },
    });
    await client.close();
  });

  test("hears of progress while it waits, then gets the files", async () => {
    const client = await connect(endpoint.url, endpoint.key);
    await client.toolNames();
    const heard: string[] = [];
    const before = endpoint.core.jobs.size;
    const waiting = client.call("connect_generate", { ...PICTURE, wait_seconds: 45 }, (message) =>
      heard.push(message),
    );
    await waitFor("the first news", () => heard.length > 0);
    const jobId = `job_${before + 1}`;
    endpoint.core.addEvent(jobId, "progress", { fraction: 0.5 });
    await waitFor("the progress", () => heard.includes("50 % done"));
    endpoint.core.complete(jobId);
    const result = await waiting;
    expect(heard).toEqual(expect.arrayContaining(["reserved", "50 % done"]));
    expect(result.structuredContent).toMatchObject({
      job_id: jobId,
      state: "completed",
      credits_charged: 4,
      outputs: [{ output_id: "out_1" }],
    });
    expect(result.content).toContainEqual(
      expect.objectContaining({ type: "resource_link", uri: "https://atelier.example/out_1?sig=x" }),
    );
    await client.close();
  });

  test("gets a tool's failure as a result that its model can read", async () => {
    const client = await connect(endpoint.url, endpoint.key);
    await client.toolNames();
    const failed = await client.call("get_job", { job_id: "job_unknown" });
    expect(failed).toMatchObject({
      isError: true,
      content: [{ type: "text", text: expect.stringContaining("Code: job_not_found.") }],
    });
    expect(failed.structuredContent).toBeUndefined();
    await client.close();
  });

  test("reads why its key is refused", async () => {
    await expect(connect(endpoint.url, "atl_gen_wrong")).rejects.toThrow(
      /API key is not valid here|requires authorization \(HTTP 401\)/,
    );
  });
});
