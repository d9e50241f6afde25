// One account requests 1,000 event streams, at a steady rate and in a burst: how many it gets, and the latency of other accounts' balance
// reads, with the default limits.
import { type ClientRequest, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { acceptJobs } from "../core/studio/jobs/accept.ts";
import type { JobsApp } from "../core/studio/jobs/local-dispatch.ts";
import { driveHttp, requestText, startLoader } from "./support/contest.ts";
import type { Answered } from "./support/http-load-process.ts";
import { openPlace } from "./support/place.ts";
import { ms, printTable } from "./support/stats.ts";
import { benchRequest, createCustomer, printMachine } from "./support/world.ts";

const STREAMS = 1_000;
const JOBS = 40;
/** The number that is asked for in parallel, the pause after it, and how long the reads are measured: no longer than it lasts. */
const PACES = [
  { words: "100 a second", parallel: 1, pauseMs: 10, forMs: 10_000 },
  { words: "50 at a time", parallel: 50, pauseMs: 0, forMs: 1_000 },
];
const READS_PER_SECOND = 200;
const READER_CONNECTIONS = 100;
/** So many that each stays below the rate of a key. */
const READERS = 20;
/** Closed streams have freed their slots. */
const FINALIZE_MS = 2_000;

export async function run(): Promise<void> {
  printMachine();
  const { app, port, close } = await openPlace(true);
  const reader = await startLoader();
  const readers = await Promise.all(Array.from({ length: READERS }, () => createCustomer(app)));
  const requests = readers.map(({ key }) =>
    requestText("/api/credits/balance", { authorization: `Bearer ${key}` }),
  );
  const read = (forMs: number): Promise<Answered> => {
    const arrivals = { perSecond: READS_PER_SECOND, forMs };
    const order = { port, connections: READER_CONNECTIONS, requests, status: 200 };
    return driveHttp(reader, { ...order, arrivals: [arrivals] });
  };
  await read(FINALIZE_MS);
  const rows: string[][] = [];
  for (const { words, parallel, pauseMs, forMs } of PACES) {
    const greedy = await requestsOfOne(app, port);
    const quiet = await read(forMs);
    const row = (title: string, { perSecond, p50Ms, p95Ms }: Answered, asked = "") =>
      rows.push([
        title,
        perSecond.toFixed(0),
        ms(p50Ms),
        ms(p95Ms),
        `${(p95Ms / quiet.p95Ms).toFixed(2)}x`,
        asked,
      ]);
    row(`quiet, before ${words}`, quiet);
    const open: ClientRequest[] = [];
    const [during, asked] = await Promise.all([read(forMs), askStreams(greedy, { parallel, pauseMs, open })]);
    row(`while asked for, ${words}`, during, asked);
    row("while those let in are open", await read(forMs));
    for (const sent of open) sent.destroy();
    await sleep(FINALIZE_MS);
  }
  await reader.stop();
  console.log(`${STREAMS} event streams of ${JOBS} jobs; other accounts read their balances\n`);
  printTable(["", "reads/s", "p50 ms", "p95 ms", "against quiet", "asked: status and count"], rows);
  await close();
}

/** Streams of an account's jobs, with a new key, which has no counted requests. */
async function requestsOfOne(app: JobsApp, port: number): Promise<(() => ClientRequest)[]> {
  const { caller, key } = await createCustomer(app);
  const jobs = await acceptJobs(
    app,
    Array.from({ length: JOBS }, () => benchRequest(caller)),
  );
  const headers = { authorization: `Bearer ${key}` };
  return jobs.flatMap((job) => {
    if (job.status !== "fulfilled") return [];
    const path = `/api/jobs/${job.value.job._id}/events`;
    return [() => request({ host: "127.0.0.1", port, path, agent: false, headers })];
  });
}

type Pace = { readonly parallel: number; readonly pauseMs: number; readonly open: ClientRequest[] };

/** Each on a new connection; those let in stay open. Returns the number of responses with each status. */
async function askStreams(
  wanted: readonly (() => ClientRequest)[],
  { parallel, pauseMs, open }: Pace,
): Promise<string> {
  const statuses: Record<string, number> = {};
  const askOne = async (i: number): Promise<void> => {
    const sent = wanted[i % wanted.length]?.();
    if (!sent) return;
    const status = await statusOf(sent);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === "200") open.push(sent);
  };
  const asked: Promise<void>[] = [];
  const startMs = performance.now();
  for (let i = 0; i < STREAMS; i++) {
    asked.push(askOne(i));
    if (pauseMs > 0) await sleep(Math.max(0, startMs + (i + 1) * pauseMs - performance.now()));
    else if (asked.length % parallel === 0) await Promise.all(asked);
  }
  await Promise.all(asked);
  return `${JSON.stringify(statuses)} in ${((performance.now() - startMs) / 1000).toFixed(1)} s`;
}

/** Or the code of the broken connection. */
function statusOf(sent: ClientRequest): Promise<string> {
  return new Promise((resolve) => {
    sent.once("response", (response) => {
      response.on("error", () => {}).resume();
      resolve(String(response.statusCode));
    });
    sent.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "error"));
    sent.end();
  });
}
