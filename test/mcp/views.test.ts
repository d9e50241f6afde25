// Views for clients that show them (the extension MCP Apps): who sees them, and that a view is one self-contained document.
import { createHash } from "node:crypto";
import {
  getToolUiResourceUri,
  McpUiResourceMetaSchema,
  McpUiToolMetaSchema,
} from "@modelcontextprotocol/ext-apps/app-bridge";
import { beforeAll, describe, expect, test } from "vitest";
import { GENERATION_TOOLSET } from "../../mcp/generation/tools.ts";
import { sharedByTests } from "../support/shared.ts";
import { eventsOf, type Post } from "./endpoint-server.ts";
import { startMemberEndpoint } from "./member/member-endpoint.ts";
import { asCurrent, callTool, INITIALIZE, request } from "./messages.ts";
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
