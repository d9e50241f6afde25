// The connection to the database is cut while a provider works, for longer than a lease, and the paid result is not lost.
import { setTimeout as sleep } from "node:timers/promises";
import { inject, onTestFinished, test, expect } from "vitest";
import { connectMongo } from "../../core/base/mongo/client.ts";
import { findOwnJob } from "../../core/studio/jobs/get.ts";
import { startWorker } from "../../core/studio/runs/worker.ts";
import { acceptOne } from "../support/accept.ts";
import { createCustomer, createTestApp } from "../support/app.ts";
import { auditFindings } from "../support/audit.ts";
import { uriByPort } from "../support/database.ts";
import { createScriptedProvider, SMALL_OUTPUT } from "../support/providers.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { waitFor } from "../support/wait-for.ts";

const LEASE_MS = 1_500;
const LARGE_OUTPUT = { ...SMALL_OUTPUT, bytes: new Uint8Array(300_000) };
/** After the first report, progress is stored every half second. */
const PROGRESS_GAP_MS = 600;

test.each([
  ["small, and written with the job", SMALL_OUTPUT],
  ["large, and written before", LARGE_OUTPUT],
])(
  "a result that is %s, made during a database outage, is kept and stored when it is back",
  async (_what, output) => {
    // The provider must not be called twice: without the result the job would end as outcome_unknown.
    const provider = createScriptedProvider({ safeToRepeat: false });
    const { app, database, close } = await createTestApp({ provider });
    const proxy = await startTcpProxy(Number(new URL(inject("mongodUri")).port));
    const mongo = await connectMongo(uriByPort(proxy.port), database.name);
    const worker = startWorker({ ...app, mongo }, { concurrency: 4, leaseMs: LEASE_MS });
    onTestFinished(async () => {
      await worker.stop(0);
      await mongo.client.close();
      await proxy.cut().catch(() => {});
      await close();
    });

    const { accountId, caller } = await createCustomer(app);
    const { _id: jobId } = await acceptOne(app, caller);
    const job = () => findOwnJob(app, accountId, jobId);
    const { call, finish } = await waitFor("the provider's call", () => provider.calls[0]);
    await sleep(PROGRESS_GAP_MS);

    await proxy.cut();
    call.onProgress(0.5);
    finish([output]);
    // Its lease ends, and cannot be extended.
    await waitFor("the lease to end", async () => ((await job()).lease?.until ?? 0) < app.clock.now());
    await sleep(LEASE_MS);
    expect(await job()).toMatchObject({ state: "running", rescues: 0 });
    await proxy.restore();

    const done = await waitFor("the job to end", async () => (await job()).state !== "running" && job());
    expect(done).toMatchObject({ state: "completed", rescues: 0, epoch: 1 });
    expect(done.events.map(({ type }) => type)).toEqual([
      "reserved",
      "debited",
      "running",
      "progress",
      "completed",
    ]);
    expect(done.outputs).toMatchObject([{ bytes: output.bytes.length }]);
    expect(provider.calls).toHaveLength(1);
    expect(await auditFindings(app)).toEqual([]);
  },
);
