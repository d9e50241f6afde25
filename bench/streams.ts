// One account requests 1,000 event streams, at a steady rate and in a burst: how many it gets, and the latency of other accounts' balance
// reads. Once with the default limits, once with a rate so high that only the limit of streams refuses.
import { type ClientRequest, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { acceptJobs } from "../core/studio/jobs/accept.ts";
import type { JobsApp } from "../core/studio/jobs/local-dispatch.ts";
import { driveHttp, requestText, startLoader } from "./support/contest.ts";
import type { Answered } from "./support/http-load-process.ts";
import { openPlace, type Place } from "./support/place.ts";
import { ms, printTable } from "./support/stats.ts";
import { benchRequest, createCustomer, printMachine } from "./support/world.ts";

const STREAMS = 1_000;
const JOBS = 40;
const STEADY = { perSecond: 100 };
const BURST = { parallel: 50 };
/** During the requests at the steady rate. */
const MEASURE_MS = 10_000;
/** No longer than the burst, because later reads would hide its effect. */
const BURST_MEASURE_MS = 1_000;
const READS_PER_SECOND = 200;
const READER_CONNECTIONS = 100;
/** So many that each stays below the rate of a key. */
const READERS = 20;
/** Closed streams have freed their slots. */
const FINALIZE_MS = 2_000;

export async function run(): Promise<void> {
  printMachine();
  for (const [title, env] of [
    ["default limits", {}],
    ["a rate so high that only the cap of streams refuses", { ATELIER_RATE_API: "1000000" }],
  ] as const) {
    const world = await openPlace(true, env);
    try {
      await measure(world, title);
    } finally {
      await world.close();
    }
  }
}

type Row = { title: string; read: Answered; asked?: AskResult };

async function measure(world: Place, title: string): Promise<void> {
  const { app, port } = world;
  const reader = await startLoader();
  const requests = await balanceRequests(app);
  const read = (forMs: number): Promise<Answered> =>
    driveHttp(reader, {
      port,
      connections: READER_CONNECTIONS,
      arrivals: [{ perSecond: READS_PER_SECOND, forMs }],
      requests,
      status: 200,
    });
  await read(MEASURE_MS / 5);
  const rows: Row[] = [];
  for (const [pace, words] of [
    [STEADY, `${STEADY.perSecond} a second`],
    [BURST, `${BURST.parallel} at a time`],
  ] as const) {
    const forMs = pace === STEADY ? MEASURE_MS : BURST_MEASURE_MS;
    // A new key each time, without counted requests.
    const order = await orderOf(app, port, pace);
    rows.push({ title: `quiet, before ${words}`, read: await read(forMs) });
    const [during, asked] = await Promise.all([read(forMs), askStreams(order)]);
    rows.push({ title: `while asked for, ${words}`, read: during, asked });
    rows.push({ title: "while those let in are open", read: await read(forMs) });
    closeStreams();
    await sleep(FINALIZE_MS);
  }
  await reader.stop();
  const cost = await measureCost(world);
  closeStreams();
  print(title, rows);
  console.log(`${cost}\n`);
}

async function balanceRequests(app: JobsApp): Promise<string[]> {
  const readers = await Promise.all(Array.from({ length: READERS }, () => createCustomer(app)));
  return readers.map(({ key }) => requestText("/api/credits/balance", { authorization: `Bearer ${key}` }));
}

async function orderOf(app: JobsApp, port: number, pace: AskOrder["pace"]): Promise<AskOrder> {
  const greedy = await createCustomer(app);
  const jobs = await acceptJobs(
    app,
    Array.from({ length: JOBS }, () => benchRequest(greedy.caller)),
  );
  const asked = jobs.flatMap((job) =>
    job.status === "fulfilled" ? [{ path: `/api/jobs/${job.value.job._id}/events`, key: greedy.key }] : [],
  );
  return { port, asked, count: STREAMS, pace };
}

/** Processor time, which other load hardly changes. There are no readers during it. */
async function measureCost({ app, port, cpuSeconds }: Place): Promise<string> {
  const order = await orderOf(app, port, BURST);
  const before = await cpuSeconds();
  await askStreams(order);
  const after = await cpuSeconds();
  const each = after.map((seconds, i) => Math.round(((seconds - (before[i] ?? 0)) / STREAMS) * 1e6));
  return `processor time for each of ${STREAMS}: gateway ${each[0]} µs, core ${each[2]} µs`;
}

function print(title: string, rows: readonly Row[]): void {
  console.log(`${STREAMS} event streams of ${JOBS} jobs, ${title}; other accounts read their balances\n`);
  let quiet = Number.NaN;
  const cells = rows.map(({ title: row, read, asked }) => {
    const { perSecond, p50Ms, p95Ms } = read;
    if (row.startsWith("quiet")) quiet = p95Ms;
    const told = asked ? `${JSON.stringify(asked.statuses)} in ${(asked.tookMs / 1000).toFixed(1)} s` : "";
    return [row, perSecond.toFixed(0), ms(p50Ms), ms(p95Ms), `${(p95Ms / quiet).toFixed(2)} x`, told];
  });
  printTable(["", "reads/s", "p50 ms", "p95 ms", "against quiet", "asked: status and count"], cells);
  console.log("");
}

/** Event streams on separate connections; the granted ones stay open. */
type AskOrder = {
  port: number;
  /** Requested in turn. */
  asked: { path: string; key: string }[];
  count: number;
  /** The number per second, independent of responses; otherwise this many in parallel, as fast as they are answered. */
  pace: { perSecond: number } | { parallel: number };
};
type AskResult = {
  /** The number of responses with each status. */
  statuses: Record<string, number>;
  tookMs: number;
};

const open: ClientRequest[] = [];

/** Closes the streams that are open. */
function closeStreams(): void {
  for (const sent of open.splice(0)) sent.destroy();
}

async function askStreams({ port, asked: wanted, count, pace }: AskOrder): Promise<AskResult> {
  const statuses: Record<string, number> = {};
  const askOne = async (i: number): Promise<void> => {
    const one = wanted[i % wanted.length];
    if (!one) return;
    const status = await openOne(port, one);
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const startMs = performance.now();
  const asked: Promise<void>[] = [];
  for (let i = 0; i < count; i++) {
    asked.push(askOne(i));
    if ("perSecond" in pace)
      await sleep(Math.max(0, startMs + ((i + 1) * 1000) / pace.perSecond - performance.now()));
    else if (asked.length % pace.parallel === 0) await Promise.all(asked);
  }
  await Promise.all(asked);
  return { statuses, tookMs: performance.now() - startMs };
}

/** Its status, or the code of the broken connection. */
function openOne(port: number, { path, key }: AskOrder["asked"][number]): Promise<string> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${key}` };
    const sent = request({ host: "127.0.0.1", port, path, agent: false, headers });
    sent.once("response", (response) => {
      response.on("error", () => {});
      resolve(String(response.statusCode));
      response.resume();
      if (response.statusCode === 200) open.push(sent);
    });
    sent.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "error"));
    sent.end();
  });
}
