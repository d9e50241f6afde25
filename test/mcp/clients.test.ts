import { describe, expect, test } from "vitest";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { KEYED_ENDPOINTS } from "./keyed-endpoints.ts";
import { MCP_CLIENTS } from "./mcp-clients.ts";
import { PICTURE } from "./messages.ts";

const ROWS = MCP_CLIENTS.flatMap(([client, connect, version]) =>
  KEYED_ENDPOINTS.map((endpoint) => ({ client, connect, version, ...endpoint })),
);

describe.each(ROWS)(
  "[MEM-02] $client at the $name endpoint",
  ({ connect, version, start, toolset, kind }) => {
    const endpoint = sharedByTests(() => start({ ATELIER_RATE_LIMITS: "off" }));

    test("connects, lists and calls the tools, and validates every result against the output schemas", async () => {
      const client = await connect(endpoint.url, endpoint.key);
      expect(client.version()).toBe(version);
      expect(await client.toolNames()).toEqual(toolset.listing.tools.map(({ name }) => name));

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

    test("gets progress while it waits, then the files", async () => {
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
      await waitFor("the progress", () => heard.includes("50% done"));
      endpoint.core.complete(jobId);
      const result = await waiting;
      expect(heard).toEqual(expect.arrayContaining(["reserved", "50% done"]));
      expect(result.structuredContent).toMatchObject({
        job_id: jobId,
        state: "completed",
        credits_charged: 4,
        outputs: [{ mime_type: "image/png" }],
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

    test("gets the reason when its key is refused", async () => {
      await expect(connect(endpoint.url, `atl_${kind}_wrong`)).rejects.toThrow(
        /key is not valid here|requires authorization \(HTTP 401\)/,
      );
    });
  },
);
