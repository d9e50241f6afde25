// Large answers of a provider: what memory a worker takes for one and for twelve at a time, until they are stored. Linux only, whose kernel
// counts the most that a process has held.
import { setTimeout as sleep } from "node:timers/promises";
import type { JobsApp } from "../core/studio/jobs/intake.ts";
import { acceptJobs } from "../core/studio/jobs/accept.ts";
import { addModel } from "../core/studio/models/add-model.ts";
import type { HeldMemory } from "./support/answers-worker-process.ts";
import { startChild } from "./support/child.ts";
import { printTable } from "./support/stats.ts";
import { createHolder } from "./support/stream-world.ts";
import {
  type BenchMongod,
  instantProvider,
  openBenchApp,
  prepare,
  printMachine,
  startBenchMongod,
} from "./support/world.ts";

const DATABASE = "answers";
/** Known to the workers; here it only has to be there for models to name it. */
const PROVIDER = "large";
const ANSWER_BYTES = 120 * 2 ** 20;
const AT_ONCE = [1, 12];
const KINDS = ["address", "base64"] as const;
const LOOK_MS = 200;
const BOUND_MS = 180_000;
const SDK = new URL("support/large-answer-sdk.ts", import.meta.url).href;

export async function run(): Promise<void> {
  printMachine();
  const mongod = await startBenchMongod();
  const { app, close } = await openBenchApp(mongod.uri, DATABASE, {}, [
    { ...instantProvider, name: PROVIDER },
  ]);
  await prepare(app);
  for (const kind of KINDS) await addLargeModel(app, kind);
  const { hello: port, child: server } = await startChild<number, object, object>(
    "large-answers-process.ts",
    {
      ANSWER_BYTES: String(ANSWER_BYTES),
    },
  );
  const rows: string[][] = [];
  for (const kind of KINDS)
    for (const count of AT_ONCE) rows.push(await measure(app, mongod, { kind, count, port }));
  await server.stop();
  await close();
  await mongod.stop();
  console.log(`Answers of ${ANSWER_BYTES / 2 ** 20} MiB, a fresh worker for each row\n`);
  printTable(["as", "at once", "completed", "MB before", "MB at most", "seconds"], rows);
}

async function addLargeModel(app: JobsApp, kind: string): Promise<void> {
  await addModel(app, {
    model_slug: kind,
    name: kind,
    modality: "video",
    description: "Answers with much.",
    credits: 1,
    per: "generation",
    estimated_seconds: 1,
    max_prompt_length: 4000,
    params_schema: { type: "object", properties: {}, additionalProperties: false },
    provider: PROVIDER,
    provider_model: kind,
    run_timeout_ms: BOUND_MS,
  });
}

type Case = { kind: string; count: number; port: number };

async function measure(app: JobsApp, { uri }: BenchMongod, { kind, count, port }: Case): Promise<string[]> {
  const options = { address: `http://127.0.0.1:${port}/${ANSWER_BYTES}` };
  const { child: worker } = await startChild<string, object, HeldMemory>("answers-worker-process.ts", {
    MONGODB_URI: uri,
    ATELIER_MONGO_DATABASE: DATABASE,
    ATELIER_SECRET: "only for measurements on this machine",
    ATELIER_AI_SDK_PROVIDERS: JSON.stringify({
      [PROVIDER]: { package: SDK, export: "createLargeAnswers", options },
    }),
  });
  const { caller } = await createHolder(app);
  const before = await worker.ask({});
  const startMs = performance.now();
  const request = { modality: "video", model_slug: kind, prompt: "a boat" } as const;
  const accepted = await acceptJobs(
    app,
    Array.from({ length: count }, () => ({ caller, request, idempotencyKey: null })),
  );
  const ids = accepted.flatMap((job) => (job.status === "fulfilled" ? [job.value.job._id] : []));
  const completed = await waitForEnds(app, ids);
  const seconds = (performance.now() - startMs) / 1000;
  const after = await worker.ask({});
  await worker.stop();
  return [kind, count, completed, before.nowMb, after.mostMb, seconds].map((cell) =>
    typeof cell === "number" ? cell.toFixed(0) : cell,
  );
}

/** How many of the jobs have completed, once all have ended. */
async function waitForEnds(app: JobsApp, ids: readonly string[]): Promise<number> {
  const jobs = app.mongo.db.collection<{ _id: string; state: string }>("jobs");
  const countIn = (...states: string[]) =>
    jobs.countDocuments({ _id: { $in: [...ids] }, state: { $in: states } });
  const ended = () => countIn("completed", "failed", "cancelled");
  for (const endMs = performance.now() + BOUND_MS; performance.now() < endMs; await sleep(LOOK_MS))
    if ((await ended()) === ids.length) break;
  return countIn("completed");
}
