// npm run bench -- waiting [JOBS]: one worker with as many jobs (5,000) that wait at a provider which gives handles: its memory, its
// processor time and the database's, and how long another job waits for its claim, with and without them.
import { setTimeout as sleep } from "node:timers/promises";
import { acceptJobs } from "../core/studio/jobs/accept.ts";
import type { JobsApp } from "../core/studio/jobs/intake.ts";
import { jobs, parked } from "../core/studio/jobs/store.ts";
import { startWorker } from "../core/studio/runs/worker.ts";
import { addModel } from "../core/studio/models/add-model.ts";
import type { Provider } from "../core/adapters/providers/provider.ts";
import { median, ms, quantile } from "./support/stats.ts";
import {
  createCustomers,
  openBenchApp,
  prepare,
  printMachine,
  requestsOf,
  startBenchMongod,
} from "./support/world.ts";

const DEFAULT_JOBS = 5_000;
const MOST_JOBS = 100_000;
const CUSTOMERS = 16;
const ACCEPTED_AT_ONCE = 256;
const CLAIMS = 300;
/** Until questions come as seldom as they ever do. */
const SETTLE_MS = 90_000;
const WINDOW_MS = 60_000;
const OUTPUT = { bytes: new Uint8Array(16), mimeType: "application/octet-stream" };

/** Works on everything until it is told to be ready. */
function createPatientProvider() {
  const seen = { questions: 0, isReady: false };
  const provider: Provider = {
    name: "patient",
    safeToRepeat: false,
    start: async (_request, { idempotencyKey }) => ({ handle: idempotencyKey }),
    poll: async () => {
      seen.questions += 1;
      return seen.isReady ? { state: "made", collect: async () => [OUTPUT] } : { state: "running" };
    },
  };
  return { provider, seen };
}

/** Answers at once, and tells when it was called. */
function createProbe() {
  let tell = (_atMs: number) => {};
  const provider: Provider = {
    name: "probe",
    safeToRepeat: true,
    start: async () => {
      tell(performance.now());
      return [OUTPUT];
    },
  };
  const nextCall = () => new Promise<number>((resolve) => (tell = resolve));
  return { provider, nextCall };
}

export async function run(): Promise<void> {
  const count = Number(process.argv[3] ?? DEFAULT_JOBS);
  if (!Number.isSafeInteger(count) || count < 1 || count > MOST_JOBS)
    throw new Error(`jobs: a number from 1 to ${MOST_JOBS}`);
  printMachine();
  const mongod = await startBenchMongod();
  const { provider, seen } = createPatientProvider();
  const probe = createProbe();
  const { app, close } = await openBenchApp(mongod.uri, "waiting", {}, [provider, probe.provider]);
  await prepare(app);
  for (const name of [provider.name, probe.provider.name]) await addBenchModel(app, name);
  const worker = startWorker(app, { concurrency: 64, leaseMs: 15_000 });
  // Jobs are to wait for their claim, even where the worker could take them as they are accepted.
  const outside = { ...app, intake: { worker: undefined } };
  const callers = await createCustomers(app, CUSTOMERS);

  const claim = () => timeClaims(outside, requestsOf(callers, { model_slug: "probe" }), probe.nextCall);
  await claim();
  const before = await claim();
  printUse("with none waiting", await measureUse(app, () => seen.questions));

  const began = performance.now();
  const requestOf = requestsOf(callers, { model_slug: "patient" });
  for (let n = 0; n < count; n += ACCEPTED_AT_ONCE)
    await acceptJobs(
      outside,
      Array.from({ length: Math.min(ACCEPTED_AT_ONCE, count - n) }, (_, i) => requestOf(n + i)),
    );
  while ((await parked(app.mongo.db).countDocuments()) < count) await sleep(100);
  console.log(`${count} jobs accepted, called and parked in ${secondsSince(began)} s\n`);

  await sleep(Math.min(SETTLE_MS, count * 100));
  printUse(`with ${count} waiting`, await measureUse(app, () => seen.questions));
  const during = await claim();
  console.log("from accepted to called, of another job, in ms: median, 95 of 100");
  console.log(`  with none waiting  ${before}\n  with ${count} waiting  ${during}\n`);

  seen.isReady = true;
  const ready = performance.now();
  while ((await jobs(app.mongo.db).countDocuments({ state: "running" })) > 0) await sleep(100);
  console.log(`all made: the last one was completed ${secondsSince(ready)} s later`);
  await worker.stop(5_000);
  await close();
  await mongod.stop();
}

async function addBenchModel(app: JobsApp, name: string): Promise<void> {
  await addModel(app, {
    model_slug: name,
    name,
    modality: "image",
    description: "For this measurement.",
    credits: 1,
    per: "generation",
    estimated_seconds: 1,
    max_prompt_length: 4000,
    params_schema: { type: "object", properties: {}, additionalProperties: false },
    provider: name,
    provider_model: name,
    run_timeout_ms: 3_600_000,
  });
}

const secondsSince = (began: number) => ((performance.now() - began) / 1000).toFixed(1);

/** One job after the other, from the answer to its request until its provider is called. */
async function timeClaims(
  app: JobsApp,
  requestOf: ReturnType<typeof requestsOf>,
  nextCall: () => Promise<number>,
): Promise<string> {
  const times: number[] = [];
  for (let i = 0; i < CLAIMS; i++) {
    const called = nextCall();
    const [result] = await acceptJobs(app, [requestOf(i)]);
    const acceptedAtMs = performance.now();
    if (result?.status !== "fulfilled") throw new Error("a job was not accepted", { cause: result?.reason });
    times.push(Math.max(0, (await called) - acceptedAtMs));
  }
  return `${ms(median(times))}, ${ms(quantile(times, 0.95))}`;
}

type Use = { worker: number; mongod: number; questions: number; rssMb: number };

/** Share of one processor, questions a second, memory. */
async function measureUse(app: JobsApp, questions: () => number): Promise<Use> {
  const mongodMs = async () => {
    const { extra_info: info } = (await app.mongo.db.command({ serverStatus: 1 })) as {
      extra_info: { user_time_us: number; system_time_us: number };
    };
    return (info.user_time_us + info.system_time_us) / 1000;
  };
  const [asked, server, own] = [questions(), await mongodMs(), process.cpuUsage()];
  await sleep(WINDOW_MS);
  const { user, system } = process.cpuUsage(own);
  return {
    worker: (user + system) / 1000 / WINDOW_MS,
    mongod: ((await mongodMs()) - server) / WINDOW_MS,
    questions: ((questions() - asked) * 1000) / WINDOW_MS,
    rssMb: process.memoryUsage().rss / 2 ** 20,
  };
}

function printUse(when: string, { worker, mongod, questions, rssMb }: Use): void {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  console.log(
    `${when}: worker ${percent(worker)} of a processor and ${Math.round(rssMb)} MiB, database ${percent(mongod)} of a processor, ${questions.toFixed(1)} questions a second`,
  );
}
