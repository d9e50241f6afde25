// Workers that are killed with -9 at every step of a call to a queue provider: no call is repeated, no finished result is lost, every job
// is completed or refunded.
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { type LedgerDoc, ledger } from "../../core/identity/credits/store.ts";
import { isEnded } from "../../core/studio/jobs/rules.ts";
import { type JobDoc, jobs } from "../../core/studio/jobs/store.ts";
import { createCustomer } from "../support/app.ts";
import { documentedEntry, documentedEnv } from "../support/queues/documented.ts";
import { type FalQueue, startFalQueue } from "../support/queues/fal.ts";
import type { QueuedRequest, QueueOptions, QueueState, Step } from "../support/queues/queue.ts";
import { type ReplicateQueue, startReplicateQueue } from "../support/queues/replicate.ts";
import { startQueueService } from "../support/queues/service.ts";
import { type RoleProcess, startRole } from "../support/roles.ts";
import { waitFor } from "../support/wait-for.ts";
import type { WholeService } from "../support/whole-service.ts";

/** The number of parallel jobs of the plan studio. */
const JOBS_PER_ACCOUNT = 20;
const IS_THOROUGH = inject("killedJobs") > 100;
const WORKERS = IS_THOROUGH ? 3 : 1;
/** After this time a lost call is given up. */
const RUN_TIMEOUT_MS = IS_THOROUGH ? 60_000 : 10_000;

/** Where a worker is killed: during a request, or a little after the response. */
type Blow = { step: Step; phase: "done" | "answered"; afterMs?: number };
const BLOWS: readonly Blow[] = [
  { step: "submit", phase: "done" },
  { step: "submit", phase: "answered" },
  { step: "submit", phase: "answered", afterMs: 10 },
  { step: "status", phase: "done" },
  { step: "file", phase: "done" },
  { step: "file", phase: "answered", afterMs: 15 },
];
/** Each restarted worker takes seconds, and a killed one leaves its polls unanswered for a while. */
const plan = IS_THOROUGH
  ? Array.from({ length: 8 }, () => BLOWS).flat()
  : BLOWS.filter(({ step, afterMs }) => step !== "status" && afterMs === undefined);
const blows = plan.length;

let fal: FalQueue;
let replicate: ReplicateQueue;
let service: WholeService;
const workers = new Map<string, RoleProcess>();
const killed: string[] = [];
let isStriking = true;

const nthOf = ({ body }: QueuedRequest) =>
  Number(/\d+/.exec(JSON.stringify(body["prompt"] ?? body["input"]))?.[0]);

/** Each worker names itself in a header, so that the right one is killed. */
async function strike(step: Step, phase: Blow["phase"], name: string): Promise<void> {
  const next = plan.findIndex((blow) => blow.step === step && blow.phase === phase);
  const worker = workers.get(name);
  const blow = plan[next];
  // Not each time, so that the first one is not always hit.
  if (!isStriking || !worker || !blow || Math.random() < 0.5) return;
  plan.splice(next, 1);
  workers.delete(name);
  if (blow.afterMs !== undefined) await new Promise((resolve) => setTimeout(resolve, blow.afterMs));
  await worker.signal("SIGKILL");
  killed.push(`${step} ${phase}${blow.afterMs === undefined ? "" : " and a moment later"}`);
}

const queueOptions: QueueOptions = {
  endsAfterMs: () => 200 + Math.random() * 1_500,
  endsAs: (request): QueueState => (nthOf(request) % 10 === 9 ? "failed" : "made"),
  // Some providers report nothing beyond the handle.
  webhookTries: (request) => (nthOf(request) % 5 === 4 ? 0 : 20),
  onStep: (step, phase, headers) => strike(step, phase, String(headers["x-worker"])),
};

beforeEach(async () => {
  [fal, replicate] = await Promise.all([startFalQueue(queueOptions), startReplicateQueue(queueOptions)]);
  const doubles = { fal: fal.origin, replicate: replicate.origin, webhookSecret: replicate.webhookSecret };
  const entries = {
    fal: documentedEntry("fal", doubles),
    replicate: documentedEntry("replicate", doubles),
  };
  service = await startQueueService(entries, { worker: false, runTimeoutMs: RUN_TIMEOUT_MS });
});
afterEach(async () => {
  isStriking = false;
  await service.close();
  await Promise.all([fal.close(), replicate.close()]);
});

let started = 0;

async function startWorker(): Promise<void> {
  const name = `worker-${++started}`;
  const doubles = { fal: fal.origin, replicate: replicate.origin, webhookSecret: replicate.webhookSecret };
  const env = documentedEnv(doubles);
  const entries = JSON.parse(env["ATELIER_HTTP_QUEUE_PROVIDERS"] ?? "{}") as Record<
    string,
    { headers: object }
  >;
  for (const entry of Object.values(entries)) entry.headers = { ...entry.headers, "x-worker": name };
  const worker = await startRole(service, "worker", {
    ...env,
    ATELIER_HTTP_QUEUE_PROVIDERS: JSON.stringify(entries),
    ATELIER_PROVIDER_WEBHOOK_URL: service.url,
    // Calls that start in parallel have an unknown outcome when their worker is killed.
    ATELIER_WORKER_CONCURRENCY: "3",
    ATELIER_LEASE_MS: "1500",
    ATELIER_LOG_LEVEL: "error",
  });
  workers.set(name, worker);
}

const allJobs = () => jobs(service.app.mongo.db).find().toArray();

test(
  `[JOB-26] workers killed at every step of ${inject("killedJobs")} calls: no call is repeated, and no finished result is lost`,
  { timeout: 600_000 },
  async () => {
    const prompts = new Map<string, string>();
    for (let n = 0; n < inject("killedJobs");) {
      const { key } = await createCustomer(service.app, { plan: "studio", credits: 1000 });
      for (let k = 0; k < JOBS_PER_ACCOUNT && n < inject("killedJobs"); k++, n++) {
        const prompt = `boat ${n}`;
        const { body } = await service.generate(key, {
          prompt,
          model_slug: n % 2 === 0 ? "fal" : "replicate",
        });
        prompts.set(body.result.job_id, prompt);
      }
    }
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: WORKERS }, startWorker));
    await waitFor(
      "every job to end",
      async () => {
        while (workers.size < WORKERS) await startWorker();
        return (await allJobs()).every(({ state }) => isEnded(state));
      },
      500_000,
    );
    isStriking = false;
    const seconds = (performance.now() - startedAt) / 1000;
    const ended = await allJobs();
    const entries = await ledger(service.app.mongo.db).find().toArray();
    const wrong = ended.flatMap((job) => whatIsWrong(job, prompts.get(job._id) ?? "", entries));
    const completed = ended.filter(({ state }) => state === "completed").length;
    const unknown = ended.filter(({ error }) => error?.code === "outcome_unknown").length;
    const calls = fal.requests.length + replicate.requests.length;
    console.log(
      `${killed.length} workers killed (${summed(killed)}) under ${ended.length} jobs in ${seconds.toFixed(1)} s: ${calls} calls, ` +
        `${completed} completed, ${ended.length - completed} refunded, ${unknown} of them because nobody could tell`,
    );
    expect(wrong).toEqual([]);
    expect(ended).toHaveLength(inject("killedJobs"));
    expect(killed.length).toBeGreaterThanOrEqual(blows / 2);
    expect(completed).toBeGreaterThan(inject("killedJobs") / 3);
    expect(await service.audit()).toEqual([]);
    expect(service.errors).toEqual([]);
  },
);

function whatIsWrong(job: JobDoc, prompt: string, entries: readonly LedgerDoc[]): string[] {
  const asked = [...fal.requestsOf(prompt), ...replicate.requestsOf(prompt)];
  const [request] = asked;
  const kinds = entries
    .filter(({ job_id }) => job_id === job._id)
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ kind }) => kind)
    .join(" ");
  const isKnown = job.call?.handle !== undefined || request?.told.includes(200);
  const should = request?.state === "made" && isKnown ? "completed" : "failed";
  const money = job.state === "completed" ? "reserve debit" : "reserve debit refund";
  return [
    ...(asked.length > 1 ? [`${prompt} was asked for ${asked.length} times`] : []),
    ...(job.state === should
      ? []
      : [
          `${prompt} is ${job.state} (${job.error?.code}), the provider's ${request?.state}, rescues ${job.rescues}`,
        ]),
    ...(kinds === money ? [] : [`${prompt} is ${job.state} with ${kinds}`]),
  ];
}

function summed(all: readonly string[]): string {
  return [...Map.groupBy(all, (one) => one)].map(([one, them]) => `${them.length} at ${one}`).join(", ");
}
