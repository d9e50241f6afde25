// The tool endpoint against servers of the protocol's own libraries with the same tools: tools/call of a tool that needs no core, and
// tools/list, in the older protocol and the current one, in alternating rounds. Then the catalog endpoint, which needs no key, against
// those that check one.
import { useOf } from "../scripts/testbed/processes.ts";
import { type Child, startChild } from "./support/child.ts";
import { contest, type Loader, requestText, startLoader } from "./support/contest.ts";
import type { McpServerKind, Started } from "./support/mcp-server-process.ts";
import { ms, printTable, rate } from "./support/stats.ts";
import { printMachine } from "./support/world.ts";

const isQuick = process.argv.includes("--quick");
const CALLERS = 32;
const ROUNDS = isQuick ? 1 : 5;
const ROUND_MS = isQuick ? 200 : 1_500;

type Contender = {
  readonly label: string;
  readonly port: number;
  readonly path: string;
  /** Absent where no key is needed. */
  readonly key?: string;
  readonly cpuSeconds: () => Promise<number>;
};

type Message = {
  readonly title: string;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
  /** A part of the right response, which every contender must return. */
  readonly expected: string;
};

type ServerChild = Child<McpServerKind, Started>;

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

function calls(name: string, args: object, expected: string): { older: Message; current: Message } {
  return inBothProtocols(`tools/call ${name}`, { name, arguments: args }, { "mcp-name": name }, expected);
}

/** `what` starts with the method. */
function inBothProtocols(
  what: string,
  params: object,
  named: object,
  expected: string,
): { older: Message; current: Message } {
  const method = what.split(" ")[0] ?? "";
  const body = { jsonrpc: "2.0", id: 1, method };
  return {
    older: { title: `${what}, 2025-11-25`, body: { ...body, params }, headers: OLDER, expected },
    current: {
      title: `${what}, 2026-07-28`,
      body: { ...body, params: { ...params, _meta: META } },
      headers: { ...CURRENT, "mcp-method": method, ...named },
      expected,
    },
  };
}

export async function run(): Promise<void> {
  printMachine();
  const loader = await startLoader();
  await againstLibraries(loader);
  await againstEachOther(loader);
  await loader.stop();
}

async function againstLibraries(loader: Loader): Promise<void> {
  const servers = await Promise.all((["ours", "v1", "v2"] as const).map(startServer));
  const [ours, v1, v2] = servers.map(({ contender }) => contender) as [Contender, Contender, Contender];
  const counting = calls("count_text", { text: "How long is this?" }, '{"characters":17}');
  const listing = inBothProtocols("tools/list", {}, {}, '"count_text"');
  for (const { older, current } of [counting, listing]) {
    await compare(loader, older, [ours, v1, v2]);
    await compare(loader, current, [ours, v2]);
  }
  for (const { child } of servers) await child.stop();
}

async function startServer(name: keyof typeof NAMES): Promise<{ child: ServerChild; contender: Contender }> {
  const { child, started } = await startServerProcess(name);
  const { port, key } = started;
  return { child, contender: { label: NAMES[name], port, path: "/api/mcp", key, cpuSeconds: cpuOf(child) } };
}

/** One server with all endpoints, so that only the endpoints differ. */
async function againstEachOther(loader: Loader): Promise<void> {
  const { child, started } = await startServerProcess("endpoints");
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

async function startServerProcess(kind: McpServerKind): Promise<{ child: ServerChild; started: Started }> {
  const { child } = await startChild<string, McpServerKind, Started>("mcp-server-process.ts", {});
  return { child, started: await child.ask(kind) };
}

const cpuOf =
  ({ pid }: ServerChild) =>
  async (): Promise<number> =>
    useOf(pid).cpuSeconds;

/** Compares the first contender with the best of the others. */
async function compare(loader: Loader, message: Message, contenders: readonly Contender[]): Promise<void> {
  for (const contender of contenders) await expectAnswer(message, contender);
  const sides = contenders.map((contender) => ({
    order: {
      port: contender.port,
      connections: CALLERS,
      forMs: ROUND_MS,
      requests: [requestText(contender.path, headersOf(message, contender), JSON.stringify(message.body))],
      status: 200,
    },
    cpuSeconds: contender.cpuSeconds,
  }));
  const scores = await contest(loader, sides, ROUNDS);
  const [first, ...others] = scores;
  if (!first) throw new Error("there is a first contender");
  const fastest = Math.max(...others.map(({ perSecond }) => perSecond));
  const leanest = Math.min(...others.map(({ cpuMicrosEach }) => cpuMicrosEach));
  console.log(
    `\n${message.title}: ${CALLERS} connections, median of ${ROUNDS} rounds of ${ROUND_MS / 1000} s`,
  );
  const rows = scores.map(({ perSecond, p50Ms, p99Ms, cpuMicrosEach }, n) => [
    contenders[n]?.label ?? "",
    rate(perSecond),
    ms(p50Ms),
    ms(p99Ms),
    cpuMicrosEach.toFixed(0),
  ]);
  const ratios = [first.perSecond / fastest, leanest / first.cpuMicrosEach].map(
    (one) => `${one.toFixed(2)}x`,
  );
  printTable(
    ["", "responses/s", "p50 ms", "p99 ms", "CPU µs each"],
    [...rows, ["ratio to the better of the others", ratios[0] ?? "", "", "", ratios[1] ?? ""]],
  );
}

async function expectAnswer(message: Message, contender: Contender): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${contender.port}${contender.path}`, {
    method: "POST",
    headers: headersOf(message, contender),
    body: JSON.stringify(message.body),
  });
  const text = await response.text();
  if (response.status !== 200 || !text.includes(message.expected))
    throw new Error(`${contender.label} returned ${text}`);
}

function headersOf({ headers }: Message, { key }: Contender): Record<string, string> {
  return {
    ...headers,
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
}
