// Processes whose clocks are ten minutes fast or slow use the database's time and share the work.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { jobs } from "../../core/studio/jobs/store.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { startEntry } from "../../scripts/testbed/processes.ts";
import { addTestModel, createCustomer } from "../support/app.ts";
import { createScriptedProvider } from "../support/providers.ts";
import { startRole } from "../support/roles.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";

const JOBS = 30;
const MINUTES_10 = 600_000;
const SKEWED_DATE = fileURLToPath(new URL("../support/skewed-date-process.ts", import.meta.url));
const LIBFAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

let service: WholeService;
beforeEach(async () => {
  // A lease that is judged wrongly becomes outcome_unknown.
  const once = { ...createScriptedProvider({ safeToRepeat: false }), name: "once" };
  service = await startWholeService({ worker: false, providers: [once] });
  await addTestModel(service.app, { model_slug: "once", provider: "once", run_timeout_ms: 120_000 });
});
afterEach(() => service.close());

const skewedBy = (skewMs: number) => ({
  NODE_OPTIONS: `--import ${SKEWED_DATE}`,
  TEST_CLOCK_SKEW_MS: String(skewMs),
});
/** Shifts the whole process, including its monotonic clock. */
const fakedBy = (minutes: number) => ({
  LD_PRELOAD: LIBFAKETIME,
  FAKETIME: `${minutes > 0 ? "+" : ""}${minutes}m`,
});

async function expectJobsToEnd(first: Record<string, string>, second: Record<string, string>): Promise<void> {
  const { key } = await createCustomer(service.app, { plan: "studio", credits: 1000 });
  await Promise.all(
    Array.from({ length: JOBS }, () => service.generate(key, { prompt: "takes 700 ms", model_slug: "once" })),
  );
  const env = { ATELIER_WORKER_CONCURRENCY: "4", ATELIER_LEASE_MS: "6000" };
  await Promise.all([first, second].map((own) => startRole(service, "worker", { ...env, ...own })));
  const ended = { state: { $in: ["completed", "failed"] as const } };
  await waitFor(
    "every job to end",
    async () => (await jobs(service.app.mongo.db).countDocuments(ended as object)) === JOBS,
  );
  const all = await jobs(service.app.mongo.db).find().toArray();
  expect(all.map(({ state, error, rescues }) => [state, error, rescues])).toEqual(
    Array(JOBS).fill(["completed", null, 0]),
  );
  for (const { events } of all) {
    const times = events.map(({ at }) => at.getTime());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  }
  expect(await service.audit()).toEqual([]);
}

test("[CLOCK-01] workers whose clocks differ by twenty minutes share the work: no job is outcome_unknown", async () => {
  await expectJobsToEnd(skewedBy(MINUTES_10), skewedBy(-MINUTES_10));
});

test.skipIf(!existsSync(LIBFAKETIME))(
  "workers under faketime (Debian package faketime) share the work in the same way",
  async () => {
    await expectJobsToEnd(fakedBy(10), fakedBy(-10));
  },
);

test("[CLOCK-02] a worker on a machine with a wrong clock reports not ready with the reason, and still works", async () => {
  const opsPort = await freePort();
  const worker = startEntry("core/entry/worker.ts", {
    MONGODB_URI: service.mongodbUri,
    ATELIER_MONGO_DATABASE: service.config.mongoDatabase,
    ATELIER_DATA_DIR: service.config.dataDir,
    ATELIER_OPS_PORT: String(opsPort),
    ...skewedBy(MINUTES_10),
  });
  onTestFinished(async () => void (await worker.stop()));
  const body = await waitFor("the worker to be up", async () => {
    const answer = await fetch(`http://127.0.0.1:${opsPort}/readyz`);
    const said = (await answer.json()) as { not_ready: string[] };
    return !said.not_ready.includes("started") && said;
  });
  expect(body).toEqual({
    ready: false,
    not_ready: ["clock"],
    reasons: [
      expect.stringMatching(
        /^clock: this machine's clock is (599|600|601)\.\d s ahead of the database's; up to 2 s are allowed$/,
      ),
    ],
  });
});
