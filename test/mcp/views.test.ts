// Views for clients that show them (the extension MCP Apps): who sees them, and that a view is one self-contained document.
import { createHash } from "node:crypto";
import {
  getToolUiResourceUri,
  McpUiResourceMetaSchema,
  McpUiToolMetaSchema,
} from "@modelcontextprotocol/ext-apps/app-bridge";
import { beforeAll, describe, expect, test, beforeEach } from "vitest";
import { GENERATION_TOOLSET } from "../../mcp/generation/tools.ts";
import { choosePictures } from "../../mcp/jobs/preview.ts";
import { toMessage } from "../../proto/codec.ts";
import { AppError } from "../../proto/codes.ts";
import { type JobResource, outputSchema } from "../../proto/resources/job.ts";
import type { Job } from "../../proto/types/atelier/v1/Job.ts";
import type { Output } from "../../proto/types/atelier/v1/Output.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { AT } from "./core-in-memory.ts";
import {
  eventsOf,
  type Post,
  startEndpoint,
  type TestEndpoint,
  textOf,
  type ToolResult,
} from "./endpoint-server.ts";
import { startMemberEndpoint } from "./member/member-endpoint.ts";
import { asCurrent, callTool, INITIALIZE, request, PICTURE, TASKS } from "./messages.ts";
import { readView } from "./view-host.ts";

let post: Post;
const members = sharedByTests(() => startMemberEndpoint({ ATELIER_RATE_LIMITS: "off" }));
beforeAll(async () => {
  post = members.posts.generation;
});

const TYPE = "text/html;profile=mcp-app";
const capabilities = (settings: unknown) => ({ extensions: { "io.modelcontextprotocol/ui": settings } });
const SHOWS = capabilities({ mimeTypes: ["text/plain", TYPE] });
const hello = (told: object) => ({ ...INITIALIZE, params: { ...INITIALIZE.params, capabilities: told } });

type Listed = { name: string; _meta?: { ui?: { resourceUri?: string; visibility?: string[] } } };
const toolsOf = (json: unknown) => (json as { result: { tools: Listed[] } }).result.tools;

/** The list for a current client that declares these capabilities in its request. */
async function currentList(told: object, ask = post) {
  const { body, headers } = asCurrent(request("tools/list"), told);
  return ask(body, headers);
}

async function olderSession(told: object): Promise<string | null> {
  return (await post(hello(told))).headers.get("mcp-session-id");
}

const VIEWS = [
  ["connect_generate", "ui://atelier/gallery"],
  ["get_job", "ui://atelier/gallery"],
  ["list_models", "ui://atelier/form"],
  ["list_ledger", "ui://atelier/ledger"],
];
const viewsIn = (tools: readonly Listed[]) =>
  tools.flatMap(({ name, _meta }) => (_meta?.ui?.resourceUri ? [[name, _meta.ui.resourceUri]] : []));

describe("a client with views", () => {
  test("a client with views of the current protocol declares it in each request, and its tools name their views", async () => {
    const tools = toolsOf((await currentList(SHOWS)).json);
    expect(viewsIn(tools)).toEqual(VIEWS);
    for (const { name, _meta } of tools) {
      expect(getToolUiResourceUri({ _meta })).toBe(VIEWS.find(([of]) => of === name)?.[1]);
      if (_meta) expect(McpUiToolMetaSchema.strict().parse(_meta.ui)).toEqual(_meta.ui);
    }
    expect(tools.at(-1)).toMatchObject({ name: "prove_ledger", _meta: { ui: { visibility: ["app"] } } });
    const { _meta: _, ...plain } = tools.find(({ name }) => name === "get_job") ?? { name: "" };
    expect(GENERATION_TOOLSET.listing.tools).toContainEqual(plain);
  });

  test("a client with views of an older protocol declares it once, for its session in any process", async () => {
    const session = (await olderSession(SHOWS)) ?? "";
    expect(session).toMatch(/^views-[\x21-\x7e]{36}$/);
    expect(await olderSession(SHOWS)).not.toBe(session);
    const { json } = await post(request("tools/list"), { "mcp-session-id": session });
    expect(viewsIn(toolsOf(json))).toEqual(VIEWS);
    const events = await post(hello(SHOWS), { accept: "text/event-stream" });
    expect(events.headers.get("mcp-session-id")).toMatch(/^views-/);
    expect(eventsOf(events.text)[0]).toMatchObject({
      result: { capabilities: { extensions: { "io.modelcontextprotocol/ui": {} } } },
    });
  });

  test("gets the same tool results as any other", async () => {
    const answer = async (headers: Record<string, string>) =>
      (await post(callTool("list_ledger", { limit: 1 }), headers)).text;
    expect(await answer({ "mcp-session-id": "views-x" })).toBe(await answer({}));
  });

  test("may read the whole ledger with its hashes, unlike others", async () => {
    const ask = (args: object, headers = {}) => post(callTool("prove_ledger", args), headers);
    const session = { "mcp-session-id": "views-x" };
    const proof = ((await ask({}, session)).json as { result: { structuredContent: object } }).result;
    expect(proof.structuredContent).toMatchObject({
      head: { ledger_seq: 3, ledger_hash: "3".repeat(64), balance: 96, held: 6 },
      entries: [
        { seq: 3, entry_id: "ent_3", hash: "3".repeat(64), prev_hash: "2".repeat(64) },
        { seq: 2 },
        {},
      ],
      next_cursor: null,
    });
    const rest = (await ask({ cursor: "2" }, session)).json;
    expect(rest).toMatchObject({ result: { structuredContent: { head: null, entries: [{ seq: 1 }] } } });
    expect((await ask({})).json).toMatchObject({ error: { code: -32602 } });
  });
});

describe("a client without views", () => {
  test.each([
    ["nothing", {}],
    ["another extension", { extensions: { "io.modelcontextprotocol/tasks": { mimeTypes: [TYPE] } } }],
    ["views of another type", capabilities({ mimeTypes: ["text/html"] })],
    ["no types", capabilities({})],
    ["types that are not a list", capabilities({ mimeTypes: TYPE })],
    ["true", capabilities(true)],
    ["null", capabilities(null)],
    ["extensions that are a list", { extensions: ["io.modelcontextprotocol/ui"] }],
  ])(
    "a client without views that declares %s gets the usual list to the byte, and no session",
    async (_what, told) => {
      const plain = GENERATION_TOOLSET.listing.tools;
      const current = await currentList(told);
      if (current.status === 200) expect(toolsOf(current.json)).toEqual(plain);
      else expect(current.status).toBe(400);
      expect(current.text).not.toContain("ui://");
      expect(await olderSession(told)).toBeNull();
      const list = await post(request("tools/list"), { "mcp-session-id": "other" });
      expect(list.text).toBe(JSON.stringify({ jsonrpc: "2.0", id: 7, result: { tools: plain } }));
    },
  );
});

test("member tools have the views that they can fill, and tools without a key have none", async () => {
  expect(viewsIn(toolsOf((await currentList(SHOWS, members.post)).json)).toSorted()).toEqual(
    VIEWS.filter(([, uri]) => uri !== "ui://atelier/form").toSorted(),
  );
  expect(viewsIn(toolsOf((await currentList(SHOWS, members.posts.catalog)).json))).toEqual([]);
});

describe.each(["gallery", "form", "ledger"])("the view %s", (name) => {
  const uri = `ui://atelier/${name}`;
  const hashed = (html: string, tag: string) => {
    const [, text = ""] = new RegExp(`<${tag}[^>]*>([\\s\\S]*)</${tag}>`).exec(html) ?? [];
    return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  };

  test("is read by its URI, with its policy", async () => {
    const { json } = await post(request("resources/read", { uri }), { "mcp-session-id": "views-x" });
    const media = name === "ledger" ? {} : { resourceDomains: ["http://generate.atelier.test"] };
    expect(json).toMatchObject({
      result: { contents: [{ uri, mimeType: TYPE, _meta: { ui: { csp: media, prefersBorder: true } } }] },
    });
    const { html, csp } = await readView({ post }, uri);
    expect(csp).toEqual(media);
    expect(McpUiResourceMetaSchema.parse({ csp }).csp).toEqual(media);
    const origins = (csp.resourceDomains ?? []).map((origin) => ` ${origin}`).join("");
    expect(/content-security-policy" content="([^"]*)"/.exec(html)?.[1]).toBe(
      `default-src 'none'; script-src ${hashed(html, "script")}; style-src ${hashed(html, "style")}; img-src data:${origins}; media-src${origins || " 'none'"}; base-uri 'none'; form-action 'none'`,
    );
  });

  test("is one small document that loads nothing and renders its data as text", async () => {
    const { html } = await readView({ post }, uri);
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(Buffer.byteLength(html)).toBeLessThan(32 * 1024);
    expect(html).not.toMatch(
      /\bimport\b|<link|\bfetch\(|XMLHttpRequest|@import|url\(|innerHTML|outerHTML|insertAdjacentHTML|\beval\b|document\.write/,
    );
    const addresses = [...html.matchAll(/https?:\/\/[^\s"'`;]+/g)].map(([address]) => address);
    expect([...new Set(addresses)]).toEqual(name === "ledger" ? [] : ["http://generate.atelier.test"]);
  });

  test("is listed as a resource only for clients with views", async () => {
    const shown = await post(request("resources/list"), { "mcp-session-id": "views-x" });
    expect(shown.json).toMatchObject({
      result: { resources: expect.arrayContaining([expect.objectContaining({ uri, mimeType: TYPE })]) },
    });
    expect((await post(request("resources/list"))).text).not.toContain("ui://");
  });
});

// Previews: thumbnails of finished files as image content, within 64 kB, and a reason for each file without one.
const endpoint = sharedByTests(() => startEndpoint({ ATELIER_RATE_LIMITS: "off" }));
beforeEach(async () => {
  const { core } = endpoint;
  core.jobs.clear();
  core.files.clear();
  core.reset();
  await endpoint.post(callTool("connect_generate", PICTURE));
});

type OutputResource = JobResource["outputs"][number];

/** A file with thumbnails of these sizes, narrowest first. */
function output(id: string, thumbnailBytes: readonly number[], more: Partial<OutputResource> = {}) {
  return {
    output_id: id,
    url: `https://atelier.example/api/jobs/job_1/outputs/${id}?signature=x`,
    mime_type: "image/png",
    bytes: 5_000_000_000,
    sha256: "ab".repeat(32),
    width: 64,
    height: 32,
    duration_seconds: null,
    expires_at: AT,
    thumbnails: thumbnailBytes.map((bytes, at) => ({
      url: `https://atelier.example/api/jobs/job_1/outputs/${id}_${at}?signature=x`,
      mime_type: "image/webp",
      width: 320 * (at + 1),
      height: 160,
      bytes,
    })),
    ...more,
  } satisfies OutputResource;
}

/** Ends job_1 with these files, whose thumbnails core has. */
function complete(...outputs: OutputResource[]): void {
  const { core } = endpoint;
  core.complete("job_1");
  Object.assign(core.jobs.get("job_1") ?? {}, {
    outputs: outputs.map((one) => toMessage<typeof outputSchema, Output>(outputSchema, one)),
  });
  for (const { thumbnails } of outputs)
    for (const { url, bytes } of thumbnails)
      core.files.set(new URL(url).pathname.split("/").at(-1) ?? "", new Uint8Array(bytes).fill(7));
}

const call: TestEndpoint["call"] = (...how) => endpoint.call(...how);
const preview = () => call("get_job", { job_id: "job_1", preview: true });
const lastLine = (result: ToolResult) => textOf(result).split("\n").at(-1);
const kinds = ({ content }: ToolResult) => content.map(({ type }) => type);

describe("a preview", () => {
  test("is each file's thumbnail as an image between text and links, read as the caller", async () => {
    complete(output("out_1", [30, 90]), output("out_2", [60]));
    const result = await preview();
    expect(result.isError).toBeUndefined();
    expect(kinds(result)).toEqual(["text", "image", "image", "resource_link", "resource_link"]);
    expect(result.content[1]).toEqual({
      type: "image",
      data: Buffer.alloc(90, 7).toString("base64"),
      mimeType: "image/webp",
      _meta: { output_id: "out_1" },
    });
    expect(lastLine(result)).toBe("Preview: 2 of 2 files.");
    const reads = endpoint.core.calls.filter(({ method }) => method === "jobs.ReadOutput");
    expect(reads).toMatchObject([
      {
        request: { job_id: "job_1", output_id: "out_1_1", length: 90 },
        options: { caller: { kind: "key" } },
      },
      { request: { output_id: "out_2_0" } },
    ]);
  });

  test("is sent on request only", async () => {
    complete(output("out_1", [30]));
    const plain = await call("get_job", { job_id: "job_1" });
    expect(await call("get_job", { job_id: "job_1", preview: false })).toEqual(plain);
    expect(kinds(plain)).toEqual(["text", "resource_link"]);
    expect(lastLine(plain)).toMatch(/^File /);
    expect(endpoint.core.calls.map(({ method }) => method)).not.toContain("jobs.ReadOutput");
    expect((await preview()).structuredContent).toEqual(plain.structuredContent);
  });

  test("never reads a whole file, and no more of a thumbnail than its declared size", async () => {
    complete(output("out_1", [30]));
    endpoint.core.files.set("out_1_0", new Uint8Array(1_000_000).fill(7));
    const { content } = await preview();
    expect(content[1]?.data).toBe(Buffer.alloc(30, 7).toString("base64"));
  });

  test("a preview of a running, failed or cancelled job is a sentence", async () => {
    const running = await preview();
    expect([kinds(running), lastLine(running)]).toEqual([["text"], "No preview yet: the job has not ended."]);
    endpoint.core.addEvent("job_1", "progress", { fraction: 0.4 });
    expect((await preview())._meta).toEqual({ progress: 0.4 });
    const error = { code: "provider_timeout", message: "The model took too long." };
    Object.assign(endpoint.core.jobs.get("job_1") as Job, { state: "failed", ended_at: AT, error });
    const failed = await preview();
    expect([failed.isError, lastLine(failed)]).toEqual([undefined, "No preview: the job has no files."]);
    expect(failed._meta).toBeUndefined();
  });

  test("gives the reason for each file without one", async () => {
    complete(
      output("out_1", [30]),
      output("out_2", [30], { deleted_at: AT }),
      output("out_3", [], { mime_type: "audio/wav" }),
      output("out_4", [], { mime_type: "audio/wav" }),
      output("out_5", []),
      output("out_6", [30]),
    );
    endpoint.core.files.delete("out_6_0");
    const result = await preview();
    expect(result.isError).toBeUndefined();
    expect(kinds(result).filter((kind) => kind === "image")).toHaveLength(1);
    expect(lastLine(result)).toBe(
      "Preview: 1 of 6 files. Left out: 2 audio, which has no picture; 1 without a small picture; 2 deleted or expired.",
    );
  });

  test.each(["service_unavailable", "rate_limited", "internal"] as const)(
    "does not fail the tool when core answers %s",
    async (code) => {
      complete(output("out_1", [30]));
      endpoint.core.fail("jobs.ReadOutput", () => new AppError(code));
      const result = await preview();
      expect(result.structuredContent).toMatchObject({ state: "completed" });
      expect(lastLine(result)).toBe(
        "Preview: 0 of 1 file. Left out: 1 not readable just now: call get_job again.",
      );
    },
  );

  test("has 64 kB of base64 at most, and counts the files beyond it", async () => {
    complete(...Array.from({ length: 6 }, (_, at) => output(`out_${at}`, [12_000, 40_000])));
    const result = await preview();
    const images = result.content.filter(({ type }) => type === "image");
    expect(images.map(({ data }) => data?.length)).toEqual([16_000, 16_000, 16_000, 16_000]);
    expect(lastLine(result)).toBe("Preview: 4 of 6 files. Left out: 2 beyond the 64 kB of a preview.");
  });
});

test("wide thumbnails are used when all fit, then narrow ones, and a smaller one may follow one that is too large", () => {
  const widths = (outputs: OutputResource[]) => {
    const { pictures, leftOut } = choosePictures(outputs);
    return [pictures.map(({ outputId, thumbnail }) => `${outputId} ${thumbnail.width}`), leftOut];
  };
  expect(widths([output("a", [9_000, 48_000])])).toEqual([["a 640"], []]);
  expect(widths([output("a", [9_000, 48_001])])).toEqual([["a 320"], []]);
  expect(widths([output("a", [48_000]), output("b", [3])])).toEqual([["a 320"], ["limit"]]);
  expect(widths([output("a", [48_001]), output("b", [3])])).toEqual([["b 320"], ["limit"]]);
  expect(widths([])).toEqual([[], []]);
});

describe("connect_generate", () => {
  test("shows its files after a wait, and names get_job otherwise", async () => {
    const soon = await call("connect_generate", { ...PICTURE, preview: true });
    expect(lastLine(soon)).toBe(
      "Next: call get_job with this job_id, preview and wait_seconds up to 45 until the job has ended.",
    );
    const again = { ...PICTURE, idempotency_key: "once", preview: true };
    await call("connect_generate", again);
    const waiting = call("connect_generate", { ...again, wait_seconds: 45 });
    await waitFor("the wait", () => endpoint.core.calls.some(({ method }) => method === "jobs.GetJob"));
    endpoint.core.complete("job_3");
    expect(lastLine(await waiting)).toBe("Preview: 0 of 1 file. Left out: 1 without a small picture.");
    const generates = endpoint.core.calls.filter(({ method }) => method === "jobs.Generate");
    for (const { request: sent } of generates) expect(sent).not.toHaveProperty("preview");
  });

  test("creates a task with .preview in its id, whose result has the preview", async () => {
    const send = async (message: ReturnType<typeof request>) => {
      const { body, headers } = asCurrent(message, TASKS);
      const { json } = await endpoint.post(body, headers);
      return (json as { result: Record<string, unknown> }).result;
    };
    const generate = callTool("connect_generate", { ...PICTURE, preview: true });
    const { taskId } = (await send(generate)) as { taskId: string };
    expect(taskId).toBe("job_2.preview");
    expect(await send(request("tasks/get", { taskId }))).toMatchObject({ taskId, status: "working" });
    endpoint.core.complete("job_2");
    const ended = await send(request("tasks/get", { taskId }));
    expect(ended).toMatchObject({ taskId, status: "completed" });
    expect(lastLine(ended["result"] as ToolResult)).toMatch(/^Preview: 0 of 1 file/);
    const plain = await send(request("tasks/get", { taskId: "job_2" }));
    expect(lastLine(plain["result"] as ToolResult)).toMatch(/^File /);
    expect(await send(request("tasks/cancel", { taskId }))).toMatchObject({
      resultType: "complete",
    });
  });
});
