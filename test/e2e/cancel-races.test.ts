// Cancelling against completing, as a client sees it: the first wins, with one outcome, one webhook, and matching credits.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createLocalProvider } from "../../core/adapters/providers/local/provider.ts";
import { seedModels } from "../../core/studio/models/seed.ts";
import type { JobResource } from "../../proto/resources/job.ts";
import { createLog } from "../../runtime/log/log.ts";
import { addTestModel, createCustomer } from "../support/app.ts";
import {
  createHandleProvider,
  createScriptedProvider,
  madeNow,
  SMALL_OUTPUT,
  STILL_RUNNING,
} from "../support/providers.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";

/** All three kinds together: 60 with all tests; with `--mode thorough` 510. */
const RACES_EACH = inject("cancelRaces") / 3;
/** Few in parallel, so that one race's duration predicts the next. */
const AT_ONCE = 5;
/** Long enough that the embedded provider speaks for a moment. */
const PROMPT = "Whoever is first has won, and that is told once. ".repeat(2).trim();

/** Its own model, and the price of a job. */
const KINDS = {
  scripted: { model_slug: "picture", modality: "image", credits: 10 },
  handle: { model_slug: "queued", modality: "image", credits: 7 },
  local: { model_slug: "atelier-voice", modality: "audio", credits: 2 },
} as const;
type Kind = keyof typeof KINDS;

let service: WholeService;
const receiver = createServer();
/** Webhook events of each job. */
const told = new Map<string, string[]>();
/** The last duration of a cancel and of an uncancelled job: the moments to draw from, on any machine. */
let cancelMs = 100;
let runMs = 500;

/** By job: resolves `begun` once it runs at one of the providers below, which finish it after `done`. */
type Start = { begun: () => void; hasBegun: Promise<void>; done: () => void; isDone: Promise<void> };
const starts = new Map<string, Start>();
function startOf(jobId: string): Start {
  const known = starts.get(jobId);
  if (known) return known;
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const start = { begun: one.resolve, hasBegun: one.promise, done: other.resolve, isDone: other.promise };
  starts.set(jobId, start);
  return start;
}

/** Stops immediately when it is aborted. */
const scripted = createScriptedProvider({
  stopsWhenAborted: true,
  answer: async (_request, { idempotencyKey }) => {
    startOf(idempotencyKey).begun();
    await startOf(idempotencyKey).isDone;
    return [SMALL_OUTPUT];
  },
});

/** Stops when cancelled in time, mostly. */
function createQueue() {
  const made = new Set<string>();
  const provider = createHandleProvider({
    onStart: (work) => {
      const { begun, isDone } = startOf(work.idempotencyKey);
      void isDone.then(() => made.add(work.handle));
      work.answer = () => {
        if (work.calledOff) return { state: "cancelled" };
        return made.has(work.handle) ? madeNow() : STILL_RUNNING;
      };
      begun();
    },
  });
  const cancel = async (handle: string) => {
    provider.work(handle).calledOff = !made.has(handle) && Math.random() < 0.8;
  };
  return { ...provider, name: "queue", cancel };
}

beforeAll(async () => {
  receiver.on("request", (request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const { event, job } = JSON.parse(body) as { event: string; job: JobResource };
      told.set(job.job_id, [...(told.get(job.job_id) ?? []), `${event} ${job.state}`]);
      response.end();
    });
  });
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  const providers = [createQueue(), createLocalProvider(createLog("silent", "test"))];
  service = await startWholeService({ provider: scripted, providers });
  await seedModels(service.app);
  await addTestModel(service.app, {
    model_slug: "queued",
    credits: KINDS.handle.credits,
    provider: "queue",
    run_timeout_ms: 60_000,
  });
});
afterAll(async () => {
  await service.close();
  receiver.close();
});

type Raced = { readonly jobId: string; readonly answer: string };

async function generate(key: string, kind: Kind): Promise<string> {
  const { model_slug, modality } = KINDS[kind];
  const { port } = receiver.address() as AddressInfo;
  const callback_url = `http://127.0.0.1:${port}/hooks`;
  const made = await service.generate(key, { model_slug, modality, prompt: PROMPT, callback_url });
  expect(made.status).toBe(202);
  return made.body.result.job_id;
}

async function cancel(key: string, jobId: string): Promise<string> {
  const startedAt = performance.now();
  const { status, body } = await service.call<{ code?: string; result?: JobResource }>(
    `/api/jobs/${jobId}/cancel`,
    { key, method: "POST" },
  );
  cancelMs = performance.now() - startedAt;
  return `${status} ${body.code ?? body.result?.state}`;
}

/** Creates a job, and cancels it twice at a random moment. */
async function race(key: string, kind: Kind): Promise<Raced> {
  const jobId = await generate(key, kind);
  if (kind === "local") await sleep(Math.random() * runMs);
  else {
    const { hasBegun, done } = startOf(jobId);
    // Some before they run.
    if (Math.random() < 0.9) await hasBegun;
    void sleep(Math.random() * 2 * cancelMs).then(done);
  }
  const [answer] = await Promise.all([cancel(key, jobId), cancel(key, jobId)]);
  return { jobId, answer };
}

async function waitForEnd(key: string, jobId: string): Promise<JobResource> {
  return waitFor(`${jobId} to end`, async () => {
    const job = await service.read<JobResource>(`/api/jobs/${jobId}`, key);
    return job.ended_at !== null && job;
  });
}

/** The possible outcomes of a job after this response to the cancel. */
const ENDS: Record<string, readonly string[]> = {
  "200 cancelled": ["cancelled"],
  "202 cancelling": ["cancelled", "completed"],
  "409 job_not_cancellable": ["completed"],
  // The job finished between the request and the response.
  "200 completed": ["completed"],
};

const ENTRIES: Record<string, readonly string[]> = {
  completed: ["reserve debit"],
  cancelled: ["reserve release", "reserve debit refund"],
};

async function judge(key: string, { jobId, answer }: Raced): Promise<{ state: string; entries: string }> {
  const job = await waitForEnd(key, jobId);
  expect([answer, job.state, ENDS[answer]?.includes(job.state)]).toEqual([answer, job.state, true]);
  expect(job.events.map(({ seq }) => seq)).toEqual(job.events.map((_, i) => i + 1));
  expect(job.events.filter(({ type }) => type === "cancelling").length).toBeLessThan(2);
  expect(job.outputs.length > 0).toBe(job.state === "completed");
  const entries = (await service.ledger(key, jobId))
    .map((entry) => entry.kind)
    .reverse()
    .join(" ");
  expect(ENTRIES[job.state]).toContain(entries);
  return { state: job.state, entries };
}

/** Some uncancelled jobs, to measure their duration. Returns their number. */
async function leaveAlone(key: string): Promise<number> {
  const ids = await Promise.all(Array.from({ length: AT_ONCE }, () => generate(key, "local")));
  for (const jobId of ids) {
    const { state, created_at, ended_at } = await waitForEnd(key, jobId);
    expect(state).toBe("completed");
    runMs = Date.parse(ended_at ?? "") - Date.parse(created_at);
  }
  return ids.length;
}

test.each(Object.keys(KINDS) as Kind[])(
  "[JOB-36] %s provider: each job has one outcome, one webhook and matching credits under racing cancels",
  { timeout: 900_000 },
  async (kind) => {
    const { key } = await createCustomer(service.app, { plan: "studio", credits: 100_000 });
    await waitFor("the models to be known", async () => {
      const { model_slug, modality } = KINDS[kind];
      const path = "/api/v1/connect/estimate";
      const body = { model_slug, modality, prompt: "a race" };
      return (await service.call(path, { key, method: "POST", body })).status === 200;
    });
    // The first jobs are slower, because they load modules.
    const alone = kind === "local" ? (await leaveAlone(key)) + (await leaveAlone(key)) : 0;
    const raced: Raced[] = [];
    while (raced.length < RACES_EACH) {
      const count = Math.min(AT_ONCE, RACES_EACH - raced.length);
      raced.push(...(await Promise.all(Array.from({ length: count }, () => race(key, kind)))));
    }
    const ends: Awaited<ReturnType<typeof judge>>[] = [];
    for (const one of raced) ends.push(await judge(key, one));
    const completed = ends.filter(({ state }) => state === "completed").length;
    console.log(
      `${kind}: ${raced.length} races, ${completed} completed, ` +
        `${ends.filter(({ entries }) => entries.endsWith("refund")).length} cancelled while they ran`,
    );
    expect(await service.read("/api/credits/balance", key)).toMatchObject({
      balance: 100_000 - (alone + completed) * KINDS[kind].credits,
      held: 0,
    });
    await waitFor("a callback of each", () => raced.every(({ jobId }) => told.has(jobId)));
    const wanted = raced.map(({ jobId }, i) => [jobId, [`job.${ends[i]?.state} ${ends[i]?.state}`]]);
    expect(raced.map(({ jobId }) => [jobId, told.get(jobId)])).toEqual(wanted);
    expect(await service.audit()).toEqual([]);
  },
);
