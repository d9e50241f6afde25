// The tool endpoint against servers made with the protocol's own libraries that have the same tools: tools/call of a tool that needs no
// core, and tools/list, in the older protocol and the current one, in alternating rounds. Then the endpoints against each other: the
// catalog's, which needs no key, beside those that check one.
import { type Child, startChild } from "./support/child.ts";
import type { LoadOrder, LoadResult } from "./support/http-load-process.ts";
import { compare, type Contender, type Contest } from "./support/mcp-contest.ts";
import type {
  McpServerKind,
  McpServerQuestion,
  McpServerReply,
  Started,
} from "./support/mcp-server-process.ts";
import { printMachine } from "./support/world.ts";

type ServerChild = Child<McpServerQuestion, McpServerReply>;

const NAMES: Record<"ours" | "v1" | "v2", string> = {
  ours: "this endpoint, with its key check",
  v1: "library 1.x, stateless, no key",
  v2: "library 2.x, createMcpHandler, no key",
};

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const OLDER = { "mcp-protocol-version": "2025-11-25" };
const CURRENT = { "mcp-protocol-version": "2026-07-28" };

function calls(name: string, args: object, expected: string): { older: Contest; current: Contest } {
  const params = { name, arguments: args };
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call" };
  return {
    older: {
      title: `tools/call ${name}, 2025-11-25`,
      body: { ...body, params },
      headers: OLDER,
      expected,
    },
    current: {
      title: `tools/call ${name}, 2026-07-28`,
      body: { ...body, params: { ...params, _meta: META } },
      headers: { ...CURRENT, "mcp-method": "tools/call", "mcp-name": name },
      expected,
    },
  };
}

function lists(expected: string): { older: Contest; current: Contest } {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  return {
    older: { title: "tools/list, 2025-11-25", body, headers: OLDER, expected },
    current: {
      title: "tools/list, 2026-07-28",
      body: { ...body, params: { _meta: META } },
      headers: { ...CURRENT, "mcp-method": "tools/list" },
      expected,
    },
  };
}

export async function run(): Promise<void> {
  printMachine();
  const { child: loader } = await startChild<string, LoadOrder, LoadResult>("http-load-process.ts", {});
  await againstLibraries(loader);
  await againstEachOther(loader);
  await loader.stop();
}

async function againstLibraries(loader: Child<LoadOrder, LoadResult>): Promise<void> {
  const servers = await Promise.all((["ours", "v1", "v2"] as const).map(startServer));
  const [ours, v1, v2] = servers.map(({ contender }) => contender) as [Contender, Contender, Contender];
  const counting = calls("count_text", { text: "How long is this?" }, '{"characters":17}');
  const listing = lists('"count_text"');
  for (const { older, current } of [counting, listing]) {
    await compare(loader, older, [ours, v1, v2]);
    await compare(loader, current, [ours, v2]);
  }
  for (const { child } of servers) await child.stop();
}

async function startServer(
  name: "ours" | "v1" | "v2",
): Promise<{ child: ServerChild; contender: Contender }> {
  const { child, started } = await startChildServer(name);
  const { port, key } = started;
  return { child, contender: { label: NAMES[name], port, path: "/api/mcp", key, cpuSeconds: cpuOf(child) } };
}

/** One server with all endpoints, so that only what an endpoint does itself differs. */
async function againstEachOther(loader: Child<LoadOrder, LoadResult>): Promise<void> {
  const { child, started } = await startChildServer("endpoints");
  const { port, key, memberKey } = started;
  const common = { port, cpuSeconds: cpuOf(child) };
  const catalog = { ...common, label: "/mcp, no key, counted by address", path: "/mcp" };
  const member = {
    ...common,
    label: "/api/member/mcp, with its key check",
    path: "/api/member/mcp",
    key: memberKey,
  };
  const generation = { ...common, label: "/api/mcp, with its key check", path: "/api/mcp", key };
  const searching = calls("search_catalog", { search: "icons" }, '"slug":"harbour-icons"');
  const showing = calls("get_product", { slug: "harbour-icons" }, '"slug":"harbour-icons"');
  for (const { older, current } of [searching, showing]) {
    await compare(loader, older, [catalog, member]);
    await compare(loader, current, [catalog, member]);
  }
  const { older, current } = calls("list_models", {}, '"model_slug":"canvas-one"');
  await compare(loader, older, [catalog, generation, member]);
  await compare(loader, current, [catalog, generation, member]);
  await child.stop();
}

async function startChildServer(kind: McpServerKind): Promise<{ child: ServerChild; started: Started }> {
  const { child } = await startChild<string, McpServerQuestion, McpServerReply>("mcp-server-process.ts", {});
  const started = await child.ask({ start: kind });
  if (!("port" in started)) throw new Error(`${kind} did not start`);
  return { child, started };
}

const cpuOf = (child: ServerChild) => async (): Promise<number> => {
  const reply = await child.ask({ use: true });
  if (!("cpuSeconds" in reply)) throw new Error("a server did not say what it used");
  return reply.cpuSeconds;
};
