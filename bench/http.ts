// What a client sees: REST routes and tools over HTTP, with the real core and a real mongod. First at full speed, on 64 connections and on
// one; then with requests at random times, at half, four fifths and 120% of the 64 connections' rate, and again at half. npm run bench --
// http [--apart] [--against FOLDER] [--only NAME,…] [--quick]: each role in a separate process; in turn with another checkout that has its
// dependencies; only cases whose names contain one of these texts; short rounds, as a test.
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { useOf } from "../scripts/testbed/processes.ts";
import { requestText, startLoader, type Loader } from "./support/contest.ts";
import { type Answered, LATE_MS, type LoadOrder, ONCE } from "./support/http-load-process.ts";
import { openPlace, type Place } from "./support/place.ts";
import { byTurns, median, medianLoad, ms, printTable, rate } from "./support/stats.ts";
import { type Customer, printMachine } from "./support/world.ts";

const CONNECTIONS = 64;
/** The connections of requests that do not wait for responses. */
const MOST_CONNECTIONS = 1_000;
const CUSTOMERS = 50;
/** Of each customer, before the measurement: a page. */
const JOBS = 20;
/** Shares of the measured capacity. The last shows the recovery. */
const PARTS = [0.5, 0.8, 1.2, 0.5];
/** Before them, at the first share and not counted: the connections open. */
const WARM_MS = 1_000;
const FULL = { rounds: 5, roundMs: 2_000, loneMs: 1_000, openRounds: 3, partMs: 5_000 };
const QUICK = { rounds: 1, roundMs: 500, loneMs: 200, openRounds: 1, partMs: 1_000 };

type Asked = { customer: Customer; jobId: string };
type Case = {
  readonly name: string;
  /** Measured with requests at random times too. */
  readonly isOpen?: true;
  readonly status: number;
  readonly isTool?: true;
  text(asked: Asked): string;
};
type Side = { readonly name: string; readonly place: Place; readonly asked: readonly Asked[] };
type Plan = typeof FULL & { cases: readonly Case[] };

const GENERATE = {
  modality: "image",
  model_slug: "atelier-canvas",
  prompt: "a lighthouse on a cliff at dusk",
};
/** Those that read come first: jobs that are requested stay in the queue, and a list counts those before its own. */
const CASES: readonly Case[] = [
  { ...rest("REST balance", "/api/credits/balance", 200), isOpen: true },
  rest("REST job list", "/api/jobs", 200),
  { ...message("tools/list", "/api/mcp", "tools/list", () => ({})), isOpen: true },
  { ...tool("get_credits"), isOpen: true },
  { ...tool("list_models"), isOpen: true },
  tool("estimate_generation", () => GENERATE),
  tool("get_job", (jobId) => ({ job_id: jobId })),
  tool("list_jobs"),
  tool("list_ledger"),
  tool("search_catalog", () => ({ search: "icons" }), "/mcp"),
  { ...rest("REST generate", "/api/v1/connect/generate", 202, GENERATE), isOpen: true },
  {
    ...rest("REST generate, Idempotency-Key", "/api/v1/connect/generate", 202, GENERATE, {
      "idempotency-key": ONCE,
    }),
    isOpen: true,
  },
  { ...tool("connect_generate", () => GENERATE), isOpen: true },
];

function rest(name: string, path: string, status: number, body?: object, headers: object = {}): Case {
  const text = ({ customer }: Asked) => {
    const type = body && { "content-type": "application/json" };
    const all = { authorization: `Bearer ${customer.key}`, ...type, ...headers };
    return requestText(path, all, body && JSON.stringify(body));
  };
  return { name, status, text };
}

function tool(name: string, argumentsFor: (jobId: string) => object = () => ({}), path = "/api/mcp"): Case {
  return message(name, path, "tools/call", (jobId) => ({ name, arguments: argumentsFor(jobId) }));
}

function message(name: string, path: string, method: string, paramsFor: (jobId: string) => object): Case {
  const text = ({ customer, jobId }: Asked) => {
    const headers = {
      ...(path !== "/mcp" && { authorization: `Bearer ${customer.key}` }),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    };
    return requestText(
      path,
      headers,
      JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: paramsFor(jobId) }),
    );
  };
  return { name, status: 200, isTool: true, text };
}

export async function run(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      apart: { type: "boolean", default: false },
      against: { type: "string" },
      only: { type: "string", default: "" },
      quick: { type: "boolean", default: false },
    },
  });
  const cases = CASES.filter(({ name }) => values.only.split(",").some((text) => name.includes(text)));
  const plan: Plan = { ...(values.quick ? QUICK : FULL), cases };
  printMachine();
  console.log(
    values.apart
      ? "gateway, mcp and core apart, no worker\n"
      : "npm start in one process, without its worker\n",
  );
  const loader = await startLoader();
  const sides = [await openSide("this", values.apart)];
  if (values.against !== undefined)
    sides.push(await openSide(basename(values.against), values.apart, values.against));
  const capacity = await measureClosed(loader, sides, plan, CONNECTIONS);
  await measureClosed(loader, sides, plan, 1);
  await measureOpen(loader, sides, plan, capacity);
  await loader.stop();
  for (const { name, place } of sides) {
    console.log(`${name}: ${await place.audit()}`);
    await place.close();
  }
}

async function openSide(name: string, isApart: boolean, checkout?: string): Promise<Side> {
  const place = await openPlace(isApart, { ATELIER_RATE_LIMITS: "off" }, checkout);
  const asked = Array.from({ length: CUSTOMERS }, async () => {
    const customer = await place.createCustomer();
    const request = async () => {
      const answer = await fetch(`http://127.0.0.1:${place.port}/api/v1/connect/generate`, {
        method: "POST",
        headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json" },
        body: JSON.stringify(GENERATE),
      });
      await answer.arrayBuffer();
      return answer.headers.get("location")?.split("/").at(-1) ?? "";
    };
    let jobId = "";
    for (let n = 0; n < JOBS; n++) jobId = await request();
    return { customer, jobId };
  });
  return { name, place, asked: await Promise.all(asked) };
}

function orderOf({ place, asked }: Side, { status, isTool, text }: Case): Omit<LoadOrder, "connections"> {
  const port = isTool ? place.mcpPort : place.port;
  return { port, requests: asked.map(text), status, ...(isTool && { refusal: '"isError":true' }) };
}

function cpuSecondsOf({ place }: Side): number[] {
  return place.pids.map((pid) => useOf(pid).cpuSeconds);
}

type Round = Answered & { cpuMicros: number[]; cpuShare: number };

/** At full speed. Returns each side's rate for each case. */
async function measureClosed(
  loader: Loader,
  sides: readonly Side[],
  { cases, rounds, roundMs, loneMs }: Plan,
  connections: number,
): Promise<number[][]> {
  const forMs = connections === 1 ? loneMs : roundMs;
  const rows: string[][] = [];
  const capacity: number[][] = [];
  for (const one of cases) {
    const all = await byTurns(sides, rounds, async (side): Promise<Round> => {
      const before = cpuSecondsOf(side);
      const { parts, cpuShare } = await loader.ask({ ...orderOf(side, one), connections, forMs });
      const [answered] = parts;
      if (!answered) throw new Error("there is one part");
      const used = cpuSecondsOf(side).map((after, i) => after - (before[i] ?? 0));
      const answers = (answered.perSecond * forMs) / 1000;
      return { ...answered, cpuShare, cpuMicros: used.map((seconds) => (seconds * 1e6) / answers) };
    });
    for (const [n, own] of all.entries()) {
      const ratios = (all[0] ?? []).map((ours, i) => ours.perSecond / (own[i]?.perSecond ?? Number.NaN));
      const { perSecond, p50Ms, p99Ms } = medianLoad(own);
      const micros = (own[0]?.cpuMicros ?? []).map((_, i) =>
        median(own.map((round) => round.cpuMicros[i] ?? 0)).toFixed(0),
      );
      rows.push([
        n === 0 ? one.name : "",
        sides[n]?.name ?? "",
        rate(perSecond),
        ms(p50Ms),
        ms(p99Ms),
        micros.join(" + "),
        percent(median(own.map(({ cpuShare }) => cpuShare))),
        others(own, one.status),
        n === 0 ? "" : `${median(ratios).toFixed(2)}x`,
      ]);
    }
    capacity.push(all.map((own) => medianLoad(own).perSecond));
  }
  console.log(
    `${connections} connections, each asking when it is answered; median of ${rounds} rounds of ${forMs / 1000} s`,
  );
  const head = ["", "of", "answers/s", "p50 ms", "p99 ms", "CPU µs each", "load's CPU", "else", "this is"];
  printTable(head, rows);
  console.log();
  return capacity;
}

/** At random times, in turn; the medians of the rounds. Latency is measured from the due time of the request. */
async function measureOpen(
  loader: Loader,
  sides: readonly Side[],
  plan: Plan,
  capacity: number[][],
): Promise<void> {
  const { cases, openRounds, partMs } = plan;
  const rows: string[][] = [];
  for (const [c, one] of cases.entries()) {
    if (!one.isOpen) continue;
    const rounds = sides.map((): { parts: Answered[]; cpuShare: number }[] => []);
    for (let round = 0; round < openRounds; round++)
      for (const [n, side] of sides.entries()) {
        const perSecond = (part: number) => part * (capacity[c]?.[n] ?? 0);
        const counted = PARTS.map((part) => ({ perSecond: perSecond(part), forMs: partMs }));
        const arrivals = [{ perSecond: perSecond(PARTS[0] ?? 0), forMs: WARM_MS }, ...counted];
        const order = { ...orderOf(side, one), connections: MOST_CONNECTIONS, arrivals };
        const { parts, cpuShare } = await loader.ask(order);
        rounds[n]?.push({ parts: parts.slice(1), cpuShare });
      }
    for (const [n, own] of rounds.entries())
      for (const [p, part] of PARTS.entries()) {
        const results = own.flatMap(({ parts }) => parts[p] ?? []);
        const middle = (name: "perSecond" | "p50Ms" | "p99Ms" | "p999Ms" | "lastBadMs") =>
          median(results.map((result) => result[name]));
        const isLast = p === PARTS.length - 1;
        rows.push([
          n + p === 0 ? one.name : "",
          p === 0 ? (sides[n]?.name ?? "") : "",
          `${isLast ? "then " : ""}${percent(part)}`,
          rate(part * (capacity[c]?.[n] ?? 0)),
          rate(middle("perSecond")),
          ms(middle("p50Ms")),
          ms(middle("p99Ms")),
          ms(middle("p999Ms")),
          others(results, one.status),
          isLast ? (middle("lastBadMs") / 1000).toFixed(2) : "",
          isLast ? percent(median(own.map(({ cpuShare }) => cpuShare))) : "",
        ]);
      }
  }
  console.log(
    `Requests at random times, ${partMs / 1000} s each, after ${WARM_MS / 1000} s in which connections open, on at most ${MOST_CONNECTIONS} connections; medians of ${openRounds} rounds. Recovered: ` +
      `how long after 120% the last request was due that was refused or took over ${LATE_MS} ms`,
  );
  const times = ["p50 ms", "p99 ms", "p99.9 ms", "else", "recovered s", "load's CPU"];
  printTable(["", "of", "load", "asked/s", "answered/s", ...times], rows);
  console.log();
}

function percent(part: number): string {
  return `${Math.round(part * 100)}%`;
}

/** Unexpected responses of all rounds together. */
function others(rounds: readonly Answered[], wanted: number): string {
  const counts = new Map<string, number>();
  for (const [what, count] of rounds.flatMap(({ statuses }) => Object.entries(statuses)))
    if (what !== String(wanted)) counts.set(what, (counts.get(what) ?? 0) + count);
  return [...counts].map(([what, count]) => `${what}: ${rate(count)}`).join("; ");
}
