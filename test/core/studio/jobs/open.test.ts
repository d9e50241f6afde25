// The limits of open event streams and waits, and the shared reads of one job. Over gRPC, as gateways call.
import { afterEach, describe, expect, test } from "vitest";
import { claimJobs } from "../../../../core/studio/runs/claim.ts";
import { finalizeJobs } from "../../../../core/studio/runs/finalize.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { AppError } from "../../../../proto/codes.ts";
import type { JobEvent } from "../../../../proto/types/atelier/v1/JobEvent.ts";
import { acceptOne } from "../../../support/accept.ts";
import { createCustomer } from "../../../support/app.ts";
import { startTestCore, type TestCore } from "../../../support/core.ts";
import { waitFor } from "../../../support/wait-for.ts";

let core: TestCore;
afterEach(() => core.close());

const CAPS = { ATELIER_OPEN_PER_JOB: "3", ATELIER_OPEN_PER_ACCOUNT: "5", ATELIER_OPEN_PER_PROCESS: "7" };

async function begin(env: Record<string, string> = CAPS) {
  core = await startTestCore({ env });
  return core.client();
}

const accept = async (caller: Caller) => (await acceptOne(core.app, caller))._id;

type Watch = { begun: Promise<string>; ended: Promise<JobEvent[]>; leave: () => void };

/** `begun` is "open", or the code and message of the refusal. */
function watch(client: ReturnType<TestCore["client"]>, caller: Caller, jobId: string): Watch {
  const stop = new AbortController();
  const { promise: begun, resolve } = Promise.withResolvers<string>();
  const read = async () => {
    const events: JobEvent[] = [];
    const options = { caller, signal: stop.signal, onBegin: () => resolve("open") };
    for await (const event of client.jobs.WatchJob({ job_id: jobId, after_seq: 100 }, options))
      events.push(event);
    return events;
  };
  const ended = read().catch((error: unknown) => {
    resolve(error instanceof AppError ? `${error.code}: ${error.message}` : String(error));
    return [];
  });
  return { begun, ended, leave: () => stop.abort() };
}

describe("open event streams and waits", () => {
  test("[LIM-20] are limited for a job, for an account and for the process, across keys", async () => {
    const client = await begin();
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => createCustomer(core.app)));
    if (!one || !two || !three) throw new Error("no customers");
    const person: Caller = { kind: "account", accountId: one.accountId, source: "app" };
    const [first, second] = [await accept(one.caller), await accept(one.caller)];
    const opened = [first, first, first, second, second].map((job, i) =>
      watch(client, i % 2 ? person : one.caller, job),
    );
    expect(await Promise.all(opened.map(({ begun }) => begun))).toEqual(Array(5).fill("open"));
    const forJob = /^rate_limited: There are already 3 event streams and waits open for this job/;
    const forAccount = /^rate_limited: There are already 5 event streams and waits open for this account/;
    expect(await watch(client, person, first).begun).toMatch(forJob);
    expect(await watch(client, one.caller, second).begun).toMatch(forAccount);
    // A wait takes a slot as a stream does; a read without a wait does not.
    const { caller } = one;
    const wait = client.jobs.GetJob({ job_id: second, wait_seconds: 5 }, { caller });
    await expect(wait).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 5 });
    expect((await client.jobs.GetJob({ job_id: second }, { caller })).state).toBe("reserved");

    const other = await accept(two.caller);
    opened.push(watch(client, two.caller, other), watch(client, two.caller, other));
    expect(await Promise.all(opened.map(({ begun }) => begun))).toEqual(Array(7).fill("open"));
    expect(await watch(client, three.caller, await accept(three.caller)).begun).toMatch(
      /^rate_limited: There are already 7 event streams and waits open here/,
    );
    for (const { leave } of opened) leave();
  });

  test("[LIM-20] free their slots when they end and when their reader leaves", async () => {
    const client = await begin();
    const { caller } = await createCustomer(core.app);
    const job = await accept(caller);
    const opened = [1, 2, 3].map(() => watch(client, caller, job));
    expect(await Promise.all(opened.map(({ begun }) => begun))).toEqual(Array(3).fill("open"));
    opened[0]?.leave();
    const next = await waitFor("a place", async () => {
      const tried = watch(client, caller, job);
      return (await tried.begun) === "open" ? tried : undefined;
    });
    next.leave();
    await waitFor("the place of a wait", async () =>
      client.jobs.GetJob({ job_id: job, wait_seconds: 1 }, { caller }).catch(() => undefined),
    );
    for (const { leave } of opened) leave();
  });

  test("[LIM-21] open event streams and waits of one job share one read of each change", async () => {
    const client = await begin({ ATELIER_OPEN_PER_JOB: "20" });
    const { caller } = await createCustomer(core.app);
    const jobId = await accept(caller);
    const opened = Array.from({ length: 20 }, () => watch(client, caller, jobId));
    await Promise.all(opened.map(({ begun }) => begun));
    const { db } = core.app.mongo;
    await db.command({ profile: 2 });
    const [claim] = await claimJobs(core.app, { worker: "worker_1", limit: 1, leaseMs: 60_000 });
    if (!claim) throw new Error("nothing was claimed");
    const outcome = { kind: "failed", error: { code: "provider_failed", message: "It failed." } } as const;
    await finalizeJobs(core.app, [{ claim, outcome, files: [] }]);
    await Promise.all(opened.map(({ ended }) => ended));
    await db.command({ profile: 0 });
    const reads = await db
      .collection("system.profile")
      .find({ op: "query", "command.find": "jobs", "command.projection": { $exists: false } })
      .toArray();
    const ofKeys = await db
      .collection("system.profile")
      .countDocuments({ op: "query", "command.find": "api_keys" });
    // Claimed and finalized: two changes, each seen by up to two reads, plus the reads of claiming and finalizing.
    expect(reads.length).toBeLessThan(10);
    expect(ofKeys).toBeLessThan(10);
  });
});

test("[LIM-22] files being read are limited for an account, across keys and signed URLs", async () => {
  const client = await begin({ ATELIER_DOWNLOADS_PER_ACCOUNT: "2" });
  const { caller } = await createCustomer(core.app);
  const jobId = await accept(caller);
  const [claim] = await claimJobs(core.app, { worker: "worker_1", limit: 1, leaseMs: 60_000 });
  if (!claim) throw new Error("nothing was claimed");
  const { saveOutputs } = await import("../../../../core/kernel/outputs/save.ts");
  const { outputs } = await saveOutputs(
    core.app,
    { accountId: claim.job.account_id, jobId },
    [{ bytes: new Uint8Array(8_000_000), mimeType: "image/png", contentCredentials: "off" }],
    new AbortController().signal,
  );
  await finalizeJobs(core.app, [{ claim, outcome: { kind: "completed", outputs }, files: [] }]);
  const job = await client.jobs.GetJob({ job_id: jobId }, { caller });
  const [output] = job.outputs;
  const { searchParams: query } = new URL(output?.url ?? "");
  const asked = { job_id: jobId, output_id: output?.output_id ?? "" };
  const signed = {
    account: query.get("account") ?? "",
    expires: Number(query.get("expires")),
    signature: query.get("signature") ?? "",
  };
  const open = async (ask: object, options: object) => {
    const stream = client.jobs.ReadOutput(ask, options)[Symbol.asyncIterator]();
    await stream.next();
    return stream;
  };
  const first = await open(asked, { caller });
  await open({ ...asked, signed }, {});
  await expect(open({ ...asked, signed }, {})).rejects.toMatchObject({ code: "rate_limited" });
  // A read of the current events takes no slot.
  await open({ ...asked, head_only: true }, { caller });
  await first.return?.();
  await waitFor("a place", () => open(asked, { caller }).catch(() => undefined));
});
