// Separate worker processes that are killed with -9 at each step of a call with a handle, and their successor.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type JobDoc, jobs, suspended } from "../../core/studio/jobs/store.ts";
import { addTestModel, createCustomer } from "../support/app.ts";
import { createScriptedProvider } from "../support/providers.ts";
import { startRole } from "../support/roles.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";

/** Longer than the test: no worker takes over from a killed one before the last one does. */
const LEASE_MS = "120000";
const KINDS = ["queued", "keyed"] as const;
/** Steps at which a worker kills itself, and those at which the provider sees it die. */
const OWN_STEPS = ["before note", "before start", "before settling"] as const;
const SEEN_STEPS: readonly CallStep[] = [
  "start arrives",
  "start is done",
  "it is asked",
  "its file is fetched",
];

/** The outcome for a job of each kind, and the number of calls at the provider. */
const LOST = ["failed", "outcome_unknown"];
const DONE = ["completed", undefined];
const EXPECTED: Record<string, { queued: unknown[]; keyed: unknown[] }> = {
  "before note": { queued: [...LOST, 0], keyed: [...DONE, 1] },
  "before start": { queued: [...LOST, 0], keyed: [...DONE, 1] },
  "start arrives": { queued: [...LOST, 0], keyed: [...DONE, 1] },
  "start is done": { queued: [...LOST, 1], keyed: [...DONE, 2] },
  "it is asked": { queued: [...DONE, 1], keyed: [...DONE, 1] },
  "its file is fetched": { queued: [...DONE, 1], keyed: [...DONE, 1] },
  "before settling": { queued: [...DONE, 1], keyed: [...DONE, 1] },
};

let service: WholeService;
let double: CallDouble;
let key: string;
beforeAll(async () => {
  const known = KINDS.map((name) => ({ ...createScriptedProvider(), name }));
  service = await startWholeService({ worker: false, providers: known });
  double = await startCallDouble();
  for (const name of KINDS)
    await addTestModel(service.app, {
      model_slug: name,
      credits: 7,
      provider: name,
      run_timeout_ms: 120_000,
    });
  ({ key } = await createCustomer(service.app, { plan: "studio", credits: 1000 }));
});
afterAll(async () => {
  await double.close();
  await service.close();
});

const nameOf = (step: string, kind: string) => `${step.replaceAll(" ", "-")}-${kind}`;

/** Gives one job of each kind to a worker that dies at the step with both. */
async function dieAt(step: string): Promise<void> {
  const names = KINDS.map((kind) => nameOf(step, kind));
  const seen = SEEN_STEPS.find((one) => one === step);
  const reached = seen && names.map((name) => double.reached(name, seen));
  // Waiting when the worker starts, so that it claims them together.
  for (const kind of KINDS)
    await service.generate(key, { prompt: double.address(nameOf(step, kind)), model_slug: kind });
  const times = step === "before settling" ? [step, "2"] : [step];
  const worker = await startRole(service, "worker", { ATELIER_LEASE_MS: LEASE_MS }, seen ? [] : times);
  if (reached) {
    await Promise.all(reached);
    await worker.signal("SIGKILL");
  }
  await worker.ended;
}

test("[PARK-01] a worker that is killed at any step of a call repeats no call and loses no file", async () => {
  // Before anything is finished: workers with a handle leave it to their successors.
  for (const step of ["before note", "before start", "start arrives", "start is done", "it is asked"])
    await dieAt(step);
  double.finish();
  for (const step of ["its file is fetched", "before settling"]) await dieAt(step);
  expect(Object.keys(EXPECTED).toSorted()).toEqual([...OWN_STEPS, ...SEEN_STEPS].toSorted());
  const { db } = service.app.mongo;
  const over = new Date(0);
  await jobs(db).updateMany({ state: "running", lease: { $ne: null } }, { $set: { "lease.until": over } });
  await suspended(db).updateMany({}, { $set: { poll_at: over } });
  await startRole(service, "worker", { ATELIER_LEASE_MS: LEASE_MS });
  await waitFor(
    "every job to end",
    async () => (await jobs(db).countDocuments({ state: { $in: ["reserved", "running"] } })) === 0,
    60_000,
  );
  const found = new Map((await jobs(db).find().toArray()).map((job) => [job.prompt, job]));
  const ends = Object.keys(EXPECTED).map((step) => [
    step,
    Object.fromEntries(KINDS.map((kind) => [kind, endOf(step, kind, found)])),
  ]);
  expect(Object.fromEntries(ends)).toEqual(EXPECTED);
  expect(await suspended(db).countDocuments()).toBe(0);
  expect(await service.audit()).toEqual([]);
});

function endOf(step: string, kind: string, found: ReadonlyMap<string, JobDoc>): unknown[] {
  const name = nameOf(step, kind);
  const job = found.get(double.address(name));
  const begun = double.begun(name);
  // Under one key, so that a deduplicating provider makes it once.
  expect([name, new Set(begun).size]).toEqual([name, Math.min(1, begun.length)]);
  return [job?.state, job?.error?.code, begun.length];
}

/** The step of a request, as the provider sees it. */
type CallStep = "start arrives" | "start is done" | "it is asked" | "its file is fetched";

type CallDouble = {
  /** Named by the jobs' prompt, which separates observed calls. */
  address(name: string): string;
  /** Resolves when a request of this name has reached the step, which then gets no response. */
  reached(name: string, step: CallStep): Promise<void>;
  /** The keys of the calls under this name, once for each start. */
  begun(name: string): readonly string[];
  /** Makes everything ready. */
  finish(): void;
  close(): Promise<void>;
};

/** A provider with handles, over HTTP in this process: it remembers its calls, and stops at a given step. */
async function startCallDouble(): Promise<CallDouble> {
  const begun = new Map<string, string[]>();
  const stops = new Map<string, () => void>();
  let state = "running";

  /** Responds, unless it should stop here: the first time only. */
  function answer(response: ServerResponse, at: string, body: unknown): void {
    const stop = stops.get(at);
    stops.delete(at);
    if (stop) return stop();
    response.end(JSON.stringify(body));
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://double");
    const [, name = "", what, handle] = pathname.split("/");
    const at = (step: CallStep) => `${name} ${step}`;
    if (what === "files") return answer(response, at("its file is fetched"), {});
    if (what === "calls") return answer(response, at("it is asked"), { state, handle });
    if (stops.has(at("start arrives"))) return answer(response, at("start arrives"), {});
    const key = searchParams.get("key") ?? "";
    begun.set(name, [...(begun.get(name) ?? []), key]);
    answer(response, at("start is done"), { handle: key });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: (name) => `http://127.0.0.1:${port}/${name}`,
    reached: (name, step) => new Promise((resolve) => stops.set(`${name} ${step}`, resolve)),
    begun: (name) => begun.get(name) ?? [],
    finish: () => {
      state = "made";
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
