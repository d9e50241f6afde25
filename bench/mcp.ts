// The tool endpoint against servers of the protocol's own libraries with the same tools: tools/call of a tool that needs no core, and
// tools/list, in the older protocol and the current one, in alternating rounds. Then the real core, and three tools as others measure them.
import { useOf } from "../scripts/testbed/processes.ts";
import { type Child, startChild } from "./support/child.ts";
import { contest, driveHttp, type Loader, requestText, startLoader } from "./support/contest.ts";
import type { McpServerKind, McpServerQuestion, Shop, Started } from "./support/mcp-server-process.ts";
import { openPlace } from "./support/place.ts";
import { openShop, shopMessages, startShopRivals } from "./support/shop-rivals.ts";
import { byTurns, median, medianLoad, ms, printTable, rate } from "./support/stats.ts";
import { printMachine } from "./support/world.ts";

const isQuick = process.argv.includes("--quick");
const CALLERS = 32;
const ROUNDS = isQuick ? 1 : 5;
const ROUND_MS = isQuick ? 200 : 1_500;
/** A limit that is never reached is still counted. */
const UNREACHED = "1000000000";
const SHOP_CALLERS = 50;
const SHOP_MS = isQuick ? 500 : 3_000;

type Contender = {
  readonly label: string;
  readonly port: number;
  readonly path: string;
  readonly key: string;
  readonly pid: number;
};

type Message = {
  readonly title: string;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
  /** A part of the right response, which every contender must return. */
  readonly expected: string;
};

type ServerChild = Child<McpServerQuestion, Started>;

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
  await overTheCore(loader);
  await inTheShop(loader);
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

async function startServer(
  name: "ours" | "v1" | "v2",
): Promise<{ child: ServerChild; contender: Contender }> {
  const { child, started } = await startChildServer(name);
  const { port, key } = started;
  return { child, contender: { label: NAMES[name], port, path: "/api/mcp", key, pid: child.pid } };
}

/** The service's endpoint and a server of the library, in separate processes, with the same tools over the same core and mongod. */
async function overTheCore(loader: Loader): Promise<void> {
  const place = await openPlace(true, { ATELIER_RATE_API: UNREACHED, ATELIER_RATE_GENERATE: UNREACHED });
  const { key } = await place.createCustomer();
  const { child, started } = await startServerProcess({ overCore: place.env });
  const common = { key, path: "/api/mcp" };
  const ours = {
    ...common,
    label: "this endpoint, real core",
    port: place.mcpPort,
    pid: place.pids[1] ?? 0,
  };
  const theirs = {
    ...common,
    label: "library 2.x, same tools, core and key check",
    port: started.port,
    pid: child.pid,
  };
  const prompt = "a lighthouse on a cliff at dusk";
  for (const { older } of [
    inBothProtocols("tools/list", {}, {}, '"get_credits"'),
    calls("get_credits", {}, '"available"'),
    calls("list_models", {}, '"atelier-canvas"'),
    calls("connect_generate", { modality: "image", model_slug: "atelier-canvas", prompt }, '"job_id"'),
  ])
    await compare(loader, older, [ours, theirs]);
  await child.stop();
  console.log(await place.audit());
  await place.close();
}

/** The tools and load of TM Dev Lab's measurement, also against servers in other languages. */
async function inTheShop(loader: Loader): Promise<void> {
  const shop = await openShop();
  const inNode = await Promise.all(
    (["ours", "v1", "v2"] as const).map(async (kind) => {
      const { child, started } = await startChildServer(kind, shop);
      const { port, key } = started;
      return { name: NAMES[kind], port, pid: child.pid, path: "/api/mcp", key, stop: () => child.stop() };
    }),
  );
  const others = (await startShopRivals(shop)).map((rival) => ({ ...rival, path: "/mcp", key: "none" }));
  const servers = [...inNode, ...others];
  const bodies = shopMessages().map((body) => JSON.stringify(body));
  const rounds = await byTurns(servers, ROUNDS, async ({ name, port, path, key, pid }) => {
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-06-18",
    };
    const requests = bodies.map((body) => requestText(path, headers, body));
    const order = { port, connections: SHOP_CALLERS, forMs: SHOP_MS, requests, status: 200, uncounted: 202 };
    const before = useOf(pid);
    const load = await driveHttp(loader, { ...order, refusal: '"isError":true' }).catch((error: unknown) => {
      throw new Error(`${name}: ${String(error)}`);
    });
    const { megabytes, cpuSeconds } = useOf(pid);
    const micros = ((cpuSeconds - before.cpuSeconds) * 1e9) / (load.perSecond * SHOP_MS);
    return { ...load, megabytes, micros };
  });
  console.log(
    `\nThree tools with Redis and HTTP, ${SHOP_CALLERS} connections, median of ${ROUNDS} rounds of ${SHOP_MS / 1000} s`,
  );
  const first = medianLoad(rounds[0] ?? []).perSecond;
  printTable(
    ["", "responses/s", "p50 ms", "p99 ms", "CPU µs each", "MB", "this endpoint is"],
    rounds.map((own, n) => {
      const { perSecond, p50Ms, p99Ms } = medianLoad(own);
      return [
        servers[n]?.name ?? "",
        rate(perSecond),
        ms(p50Ms),
        ms(p99Ms),
        median(own.map(({ micros }) => micros)).toFixed(0),
        Math.max(...own.map(({ megabytes }) => megabytes)).toFixed(0),
        n === 0 ? "" : `${(first / perSecond).toFixed(2)}x`,
      ];
    }),
  );
  for (const { stop } of servers) await stop();
  await shop.close();
}

const startChildServer = (kind: McpServerKind, shop?: Shop) =>
  startServerProcess({
    start: kind,
    ...(shop && { shop: { apiPort: shop.apiPort, redisPort: shop.redisPort } }),
  });

async function startServerProcess(
  question: McpServerQuestion,
): Promise<{ child: ServerChild; started: Started }> {
  const child: ServerChild = await startChild("mcp-server-process.ts");
  return { child, started: await child.ask(question) };
}

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
    pid: contender.pid,
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
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
}
