// Bulk commands of the operator: dry runs, the exact set of jobs, and the skipped ones with their reason.
import { writeFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { accounts } from "../../core/identity/accounts/store.ts";
import { sweepCredits } from "../../core/identity/credits/sweep.ts";
import { findAnyJob } from "../../core/studio/jobs/get.ts";
import { jobs, type JobDoc } from "../../core/studio/jobs/store.ts";
import { claimJobs } from "../../core/studio/runs/claim.ts";
import { finalizeJobs } from "../../core/studio/runs/finalize.ts";
import type { Caller } from "../../proto/caller.ts";
import type { Bulk } from "../../proto/types/atelier/v1/Bulk.ts";
import { acceptMany, askFor } from "../support/accept.ts";
import { createCustomer } from "../support/app.ts";
import { auditFindings } from "../support/audit.ts";
import { createFakeClock } from "../support/clock.ts";
import { giveCredits } from "../support/credits.ts";
import { useFolder } from "../support/shared.ts";
import { useCli } from "./run-cli.ts";

const WHY = ["--reason", "incident 12", "--operator", "Grace"];
const DAY_MS = 86_400_000;
const clock = createFakeClock("2026-03-01T12:00:00.000Z");
let accountId: string;
let caller: Caller;

const inFolder = useFolder();
const { core, run, json } = useCli({ clock });
beforeEach(async () => {
  ({ accountId, caller } = await createCustomer(core.app, { plan: "studio" }));
});

/** The account's jobs with this state, in this order. */
async function endedJobs(ends: readonly ("completed" | "failed")[]): Promise<JobDoc[]> {
  const { app } = core;
  const made = await acceptMany(app, ends.length, askFor(caller));
  const claims = await claimJobs(app, { worker: "w", limit: 50, leaseMs: 60_000 });
  const endOf = new Map(made.map(({ _id }, i) => [_id, ends[i]]));
  await finalizeJobs(
    app,
    claims.map((claim) => ({
      claim,
      outcome:
        endOf.get(claim.job._id) === "completed"
          ? { kind: "completed", outputs: [] }
          : { kind: "failed", error: { code: "provider_failed", message: "x" } },
      files: [],
    })),
  );
  return made;
}

const available = async () => {
  const { balance = 0, held = 0 } = (await accounts(core.app.mongo.db).findOne({ _id: accountId })) ?? {};
  return balance - held;
};
const chargedOf = async (id: string) =>
  (await json<{ credits_charged: number }>("job", "show", id)).credits_charged;

test("a bulk refund is a dry run until its token is given, then refunds exactly those jobs once, each with an audit record", async () => {
  const [first, second, failed] = await endedJobs(["completed", "completed", "failed"]);
  const before = await available();
  const selection = ["--account", accountId, "--state", "completed,failed", "--model", "picture"];
  const dry = await run("jobs", "refund", ...selection);
  expect(dry.stdout).toMatch(
    new RegExp(
      `^dry run +jobs refund: account ${accountId}, state completed,failed, model picture
found +3 jobs
would be +2 jobs refunded, 20 credits
left alone +1 job that made nothing, so that its credits were refunded automatically
such as +${first?._id} ${second?._id}
token +(blk_\\w+)
to do it +npm run atelier -- jobs refund --go \\1 --reason "…"\n$`,
    ),
  );
  expect(await available()).toBe(before);
  const token = /blk_\w+/.exec(dry.stdout)?.[0] ?? "";
  // This job matches the filter, but was created after the dry run.
  const [later] = await endedJobs(["completed"]);

  expect((await run("jobs", "refund", "--go", token, "--reason", "")).exitCode).toBe(1);
  const done = await run("jobs", "refund", "--go", token, ...WHY);
  expect(done).toMatchObject({ exitCode: 0, stderr: "3 of 3 jobs: 2 jobs refunded, 20 credits\n" });
  expect(done.stdout).toMatch(/done +2 jobs refunded, 20 credits\nleft alone +1 job that made nothing/);
  expect(await available()).toBe(before - 10 + 20);
  expect(await chargedOf(first?._id ?? "")).toBe(0);
  expect(await chargedOf(later?._id ?? "")).toBe(10);
  expect((await findAnyJob(core.app, first?._id ?? "")).events.at(-1)).toMatchObject({
    type: "refunded",
    state: "completed",
  });

  // A repeat, and a second dry run, change nothing.
  expect((await run("jobs", "refund", "--go", token, ...WHY)).exitCode).toBe(0);
  const again = await json<Bulk>(
    "jobs",
    "refund",
    "--ids",
    [first, second, failed].map((job) => job?._id).join(","),
  );
  expect(again.planned).toMatchObject({
    acted: 0,
    left: [
      { why: "refunded", count: 2 },
      { why: "refunded_automatically", count: 1 },
    ],
  });
  expect(await available()).toBe(before + 10);
  expect(await json("audit-trail", "--bulk", token)).toMatchObject({
    entries: [
      {
        method: "RunBulk",
        outcome: "done",
        result: "planned 2, 20 credits; done 2, 20 credits; 1 left alone",
      },
      { method: "RefundJob", target: second?._id, outcome: "done", bulk_id: token },
      { method: "RefundJob", target: first?._id, operator: "Grace", detail: `10 credits of ${accountId}` },
      { method: "RunBulk", operator: "Grace", reason: "incident 12", outcome: "done" },
      { method: "RunBulk", target: token, outcome: "invalid_request" },
    ],
  });
  expect(
    (await json<{ entries: object[] }>("audit-trail", "--target", first?._id ?? "")).entries,
  ).toHaveLength(1);
  expect((await run("bulk", "list")).stdout).toMatch(
    new RegExp(`${token} +refund .* 2 jobs refunded, 20 credits +done`),
  );
  expect((await run("bulk", "show", token)).stdout).toContain("2 jobs refunded, 20 credits");
  expect(await auditFindings(core.app)).toEqual([]);
});

test("a refund to an expired grant lasts 30 days, and jobs of deleted accounts are skipped", async () => {
  const { app } = core;
  ({ accountId, caller } = await createCustomer(app, { plan: "studio", credits: 0 }));
  await giveCredits(app, accountId, 10, new Date(clock.now().getTime() + DAY_MS));
  const [job] = await endedJobs(["completed"]);
  clock.advance(2 * DAY_MS);
  await sweepCredits(app, new AbortController().signal);
  const dry = await run("jobs", "refund", "--ids", job?._id ?? "");
  expect(dry.stdout).toMatch(/expired +10 credits of grants that have expired come back for 30 days/);
  expect((await run("jobs", "refund", "--go", /blk_\w+/.exec(dry.stdout)?.[0] ?? "", ...WHY)).exitCode).toBe(
    0,
  );
  expect(await available()).toBe(10);

  const customer = await createCustomer(app, { plan: "studio" });
  ({ accountId, caller } = customer);
  const [gone] = await endedJobs(["completed"]);
  const { bulk_id: token } = await json<Bulk>("jobs", "refund", "--ids", gone?._id ?? "");
  await accounts(app.mongo.db).updateOne({ _id: accountId }, { $set: { status: "deleted", due_at: null } });
  expect((await run("jobs", "refund", "--go", token, ...WHY)).stdout).toMatch(
    /left alone +1 job of an account that was deleted/,
  );
  expect(await auditFindings(app)).toEqual([]);
});

test("bulk cancel ends waiting jobs and releases their credits, with ids from a file in any format", async () => {
  const [waiting, other] = await acceptMany(core.app, 2, askFor(caller));
  const before = await available();
  const file = inFolder("ids.txt");
  writeFileSync(
    file,
    `JOB  STATE\n${waiting?._id}  reserved\n${waiting?._id}\njob_00000000000000000000000000\n`,
  );
  const bulk = await json<Bulk>("jobs", "cancel", "--ids-from", file);
  expect(bulk).toMatchObject({
    items: 1,
    planned: { acted: 1, credits: 10, left: [{ why: "gone", count: 1 }] },
  });
  await json("jobs", "cancel", "--go", bulk.bulk_id, ...WHY);
  expect(await findAnyJob(core.app, waiting?._id ?? "")).toMatchObject({ state: "cancelled" });
  expect(await findAnyJob(core.app, other?._id ?? "")).toMatchObject({ state: "reserved" });
  expect(await available()).toBe(before + 10);
  // Waiting jobs of one account need no minimum age.
  const rest = await json<Bulk>("jobs", "cancel", "--account", accountId);
  await json("jobs", "cancel", "--go", rest.bulk_id, ...WHY);
  expect(await auditFindings(core.app)).toEqual([]);
});

test("bulk retry creates one new job for each failed one, and the new job names the old one", async () => {
  const [failed, completed] = await endedJobs(["failed", "completed"]);
  const since = new Date(clock.now().getTime() - 1_000).toISOString();
  const bulk = await json<Bulk>(
    "jobs",
    "retry",
    "--since",
    since,
    "--account",
    accountId,
    "--code",
    "provider_failed",
  );
  expect(bulk).toMatchObject({ items: 1, planned: { acted: 1, credits: 10 } });
  clock.advance(1_000);
  expect(await json("jobs", "retry", "--go", bulk.bulk_id, ...WHY)).toMatchObject({ done: { acted: 1 } });
  const made = await jobs(core.app.mongo.db).findOne({ retry_of: failed?._id ?? "" });
  expect(made).toMatchObject({
    state: "reserved",
    prompt: "a pier",
    source: "system",
    account_id: accountId,
  });
  const shown = await json<{ events: { detail: object }[] }>("job", "show", made?._id ?? "");
  expect(shown.events[0]?.detail).toEqual({ credits: 10, retry_of: failed?._id });
  clock.advance(1_000);
  const again = await json<Bulk>("jobs", "retry", "--ids", `${failed?._id},${completed?._id},${made?._id}`);
  expect(await json("jobs", "retry", "--go", again.bulk_id, ...WHY)).toMatchObject({
    done: {
      acted: 0,
      left: [{ why: "goes_on" }, { why: "made" }, { why: "retried" }].map((one) => ({ ...one, count: 1 })),
    },
  });
  expect(await jobs(core.app.mongo.db).countDocuments({ retry_of: failed?._id ?? "" })).toBe(1);
  expect(await json("audit-trail", "--target", failed?._id ?? "")).toMatchObject({
    entries: [{ method: "RetryJob", detail: `as ${made?._id}, 10 credits of ${accountId}` }],
  });
  await json("job", "cancel", made?._id ?? "");
  expect(await auditFindings(core.app)).toEqual([]);
});

test("bulk retry skips a job that cannot be paid and reports the error code", async () => {
  const [failed] = await endedJobs(["failed"]);
  await run("credits", "grant", accountId, String(-(await available())), "--kind", "adjustment", ...WHY);
  const { bulk_id: token } = await json<Bulk>("jobs", "retry", "--ids", failed?._id ?? "");
  expect((await run("jobs", "retry", "--go", token, ...WHY)).stdout).toMatch(
    /left alone +1 job that was not accepted again \(insufficient_credits\)/,
  );
});

test("bulk retry leaves a job that a passing limit refuses to the next run, and retries the others of its part", async () => {
  const { app } = core;
  const full = accountId;
  const [refused] = await endedJobs(["failed"]);
  ({ accountId, caller } = await createCustomer(app, { plan: "studio" }));
  const [other] = await endedJobs(["failed"]);
  const setWaiting = (waiting: number) =>
    accounts(app.mongo.db).updateOne({ _id: full }, { $set: { waiting } });
  await setWaiting(1_000);
  const { bulk_id: token } = await json<Bulk>("jobs", "retry", "--ids", `${refused?._id},${other?._id}`);
  const retriesOf = (id = "") => jobs(app.mongo.db).countDocuments({ retry_of: id });
  for (const round of [1, 2]) {
    const { exitCode, stdout, stderr } = await run("jobs", "retry", "--go", token, ...WHY);
    expect([round, exitCode, stderr]).toEqual([
      round,
      1,
      expect.stringMatching(/run the same command again/),
    ]);
    expect(stdout).toMatch(
      /done +1 job retried, 10 credits\nfor the next run +1 job that was not accepted again \(queue_full\)\nstate +begun .*, 1 of 2 processed\n/,
    );
    expect([await retriesOf(refused?._id), await retriesOf(other?._id)]).toEqual([0, 1]);
  }
  await setWaiting(0);
  const done = await run("jobs", "retry", "--go", token, ...WHY);
  expect(done).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/done +2 jobs retried, 20 credits\nstate +done/),
  });
  expect([await retriesOf(refused?._id), await retriesOf(other?._id)]).toEqual([1, 1]);
  const { entries } = await json<{ entries: { method: string }[] }>("audit-trail", "--bulk", token);
  expect(entries.filter(({ method }) => method === "RetryJob")).toHaveLength(2);
  expect(await auditFindings(app)).toEqual([]);
});

test("bulk commands reject invalid arguments and an expired dry run", async () => {
  const [job] = await endedJobs(["completed"]);
  const refused: readonly [string[], number, RegExp][] = [
    [["jobs", "refund"], 1, /since must be given, or account, or ids/],
    [["jobs", "refund", "--account", accountId, "--state", "odd"], 1, /state/],
    [["jobs", "refund", "--ids", "nonsense"], 1, /must be the id of a job/],
    [["jobs", "refund", "--account", "nobody@example.com"], 1, /No account/],
    [["jobs", "refund", "--ids-from", inFolder("none")], 2, /cannot be read/],
    [["jobs", "refund", "--go", "blk_x", "--model", "picture"], 2, /leave out --model/],
    [["jobs", "refund", "--go", "blk_x", ...WHY], 1, /no such bulk/],
    [["jobs", "refund", "--go", "blk_x", "--rate", "-1", ...WHY], 1, /per_second/],
    [["bulk", "show", "blk_x"], 1, /no such bulk/],
  ];
  for (const [args, exitCode, words] of refused) {
    const { stderr, ...rest } = await run(...args);
    expect([args, rest.exitCode, stderr]).toEqual([args, exitCode, expect.stringMatching(words)]);
  }
  const { bulk_id: token } = await json<Bulk>("jobs", "refund", "--ids", job?._id ?? "");
  expect((await run("jobs", "cancel", "--go", token, ...WHY)).stderr).toMatch(/is a dry run of refund/);
  clock.advance(DAY_MS + 1);
  expect((await run("jobs", "refund", "--go", token, ...WHY)).stderr).toMatch(/make it again/);
  expect(await chargedOf(job?._id ?? "")).toBe(10);
});
