// The tool endpoint against servers made with the protocol's own libraries that have the same tools: tools/call of a tool that needs no
// core, and tools/list, in the older protocol and the current one, in alternating rounds.
import { type Child, startChild } from "./support/child.ts";
import type { LoadOrder, LoadResult } from "./support/http-load-process.ts";
import type {
  McpContender,
  McpServerQuestion,
  McpServerReply,
  Started,
} from "./support/mcp-server-process.ts";
import { type Load, median, medianLoad, ms, printTable, rate } from "./support/stats.ts";
import { printMachine } from "./support/world.ts";

const CALLERS = 32;
const ROUNDS = 5;
const ROUND_MS = 1_500;

const NAMES: Record<McpContender, string> = {
  ours: "this endpoint, with its key check",
  v1: "library 1.x, stateless, no key",
  v2: "library 2.x, createMcpHandler, no key",
};

type Contender = { name: McpContender; started: Started; child: Child<McpServerQuestion, McpServerReply> };
type Score = Load & { cpuMicrosEach: number };
type Contest = { title: string; body: object; headers: Record<string, string>; against: McpContender[] };

const CALL = { name: "count_text", arguments: { text: "How long is this?" } };
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const OLDER = { "mcp-protocol-version": "2025-11-25" };
const CURRENT = { "mcp-protocol-version": "2026-07-28" };

const CONTESTS: Contest[] = [
  {
    title: "tools/call, 2025-11-25",
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: CALL },
    headers: OLDER,
    against: ["v1", "v2"],
  },
  {
    title: "tools/call, 2026-07-28",
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...CALL, _meta: META } },
    headers: { ...CURRENT, "mcp-method": "tools/call", "mcp-name": CALL.name },
    against: ["v2"],
  },
  {
    title: "tools/list, 2025-11-25",
    body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    headers: OLDER,
    against: ["v1", "v2"],
  },
  {
    title: "tools/list, 2026-07-28",
    body: { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: META } },
    headers: { ...CURRENT, "mcp-method": "tools/list" },
    against: ["v2"],
  },
];

export async function run(): Promise<void> {
  printMachine();
  const { child: loader } = await startChild<string, LoadOrder, LoadResult>("http-load-process.ts", {});
  const contenders: Contender[] = [];
  for (const name of ["ours", "v1", "v2"] as const) {
    const { child } = await startChild<string, McpServerQuestion, McpServerReply>(
      "mcp-server-process.ts",
      {},
    );
    const started = await child.ask({ start: name });
    if (!("port" in started)) throw new Error(`${name} did not start`);
    contenders.push({ name, started, child });
  }
  for (const contest of CONTESTS) {
    const all = contenders.filter(({ name }) => name === "ours" || contest.against.includes(name));
    await compare(loader, contest, all);
  }
  for (const { child } of contenders) await child.stop();
  await loader.stop();
}

async function compare(
  loader: Child<LoadOrder, LoadResult>,
  contest: Contest,
  contenders: readonly Contender[],
): Promise<void> {
  const rounds = new Map<McpContender, Score[]>(contenders.map(({ name }) => [name, []]));
  for (const contender of contenders) await expectAnswer(contest, contender);
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const contender of contenders) {
      const score = await measure(loader, contest, contender);
      if (round > 0) rounds.get(contender.name)?.push(score);
    }
  }
  const scores = contenders.map(({ name }) => ({ name, ...medianScore(rounds.get(name) ?? []) }));
  const [ours, ...others] = scores;
  if (!ours) throw new Error("nobody was measured");
  const fastest = Math.max(...others.map(({ perSecond }) => perSecond));
  const leanest = Math.min(...others.map(({ cpuMicrosEach }) => cpuMicrosEach));
  console.log(
    `\n${contest.title}: ${CALLERS} connections, median of ${ROUNDS} rounds of ${ROUND_MS / 1000} s`,
  );
  printTable(
    ["", "answers/s", "p50 ms", "p99 ms", "CPU µs each"],
    [
      ...scores.map(({ name, perSecond, p50Ms, p99Ms, cpuMicrosEach }) => [
        NAMES[name],
        rate(perSecond),
        ms(p50Ms),
        ms(p99Ms),
        cpuMicrosEach.toFixed(0),
      ]),
      [
        "ratio to the better of the others",
        `${(ours.perSecond / fastest).toFixed(2)} x`,
        "",
        "",
        `${(leanest / ours.cpuMicrosEach).toFixed(2)} x`,
      ],
    ],
  );
}

/** Everybody has to give the same answer, or the comparison says nothing. */
async function expectAnswer(contest: Contest, { name, started }: Contender): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${started.port}/api/mcp`, {
    method: "POST",
    headers: headersOf(contest, started),
    body: JSON.stringify(contest.body),
  });
  const text = await response.text();
  const expected = contest.title.startsWith("tools/call") ? '{"characters":17}' : '"count_text"';
  if (response.status !== 200 || !text.includes(expected)) throw new Error(`${name} answered ${text}`);
}

function headersOf({ headers }: Contest, { key }: Started): Record<string, string> {
  return {
    ...headers,
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
}

async function measure(
  loader: Child<LoadOrder, LoadResult>,
  contest: Contest,
  { started, child }: Contender,
): Promise<Score> {
  const request = requestText(contest, started);
  const before = await cpuSeconds(child);
  const order = {
    port: started.port,
    connections: CALLERS,
    forMs: ROUND_MS,
    requests: [request],
    status: 200,
  };
  const { error, ...load } = await loader.ask(order);
  if (error !== undefined) throw new Error(error);
  const after = await cpuSeconds(child);
  const answers = (load.perSecond * ROUND_MS) / 1000;
  return { ...load, cpuMicrosEach: ((after - before) * 1e6) / answers };
}

async function cpuSeconds(child: Contender["child"]): Promise<number> {
  const reply = await child.ask({ use: true });
  if (!("cpuSeconds" in reply)) throw new Error("a server did not say what it used");
  return reply.cpuSeconds;
}

function requestText(contest: Contest, started: Started): string {
  const body = JSON.stringify(contest.body);
  const headers = {
    host: "localhost",
    ...headersOf(contest, started),
    "content-length": String(body.length),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return ["POST /api/mcp HTTP/1.1", ...lines, "", body].join("\r\n");
}

function medianScore(rounds: readonly Score[]): Score {
  return { ...medianLoad(rounds), cpuMicrosEach: median(rounds.map(({ cpuMicrosEach }) => cpuMicrosEach)) };
}
