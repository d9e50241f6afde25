// Failed webhooks, failed mails, and the overview with a command for each.
import { beforeEach, expect, test } from "vitest";
import { inTx } from "../../core/base/mongo/in-tx.ts";
import { NO_WORK, workDue } from "../../core/base/work/rules.ts";
import { queueMail } from "../../core/kernel/mail/queue.ts";
import type { MailDoc } from "../../core/kernel/mail/store.ts";
import { redeliver } from "../../core/studio/jobs/deliveries.ts";
import { jobs } from "../../core/studio/jobs/store.ts";
import { claimJobs } from "../../core/studio/runs/claim.ts";
import { finalizeJobs } from "../../core/studio/runs/finalize.ts";
import type { DeliveryDoc } from "../../core/studio/webhooks/store.ts";
import { STUCK } from "../../proto/resources/stuck.ts";
import type { Bulk } from "../../proto/types/atelier/v1/Bulk.ts";
import { acceptMany, askFor } from "../support/accept.ts";
import { createCustomer } from "../support/app.ts";
import { auditFindings } from "../support/audit.ts";
import { createFakeClock } from "../support/clock.ts";
import { useCli } from "./run-cli.ts";

const WHY = ["--reason", "incident 12", "--operator", "Grace"];
const HOUR_MS = 3_600_000;
const [A, B] = ["http://127.0.0.1:1", "http://127.0.0.1:2"];
const clock = createFakeClock("2026-03-01T12:00:00.000Z");
let accountId: string;

const { core, run, json } = useCli({ clock });
beforeEach(() => deliveries().deleteMany({}));

const deliveries = () => core.app.mongo.db.collection<DeliveryDoc>("deliveries");
const mails = () => core.app.mongo.db.collection<MailDoc>("mails");
/** The ids of permanently failed deliveries, oldest first. */
async function deadDeliveries(count: number, host: string): Promise<string[]> {
  const { app } = core;
  const customer = await createCustomer(app, { plan: "studio" });
  ({ accountId } = customer);
  const made = await acceptMany(app, count, askFor(customer.caller, { callback_url: `${host}/hook` }));
  const claims = await claimJobs(app, { worker: "w", limit: 20, leaseMs: HOUR_MS });
  await finalizeJobs(
    app,
    claims.map((claim) => ({ claim, outcome: { kind: "completed", outputs: [] }, files: [] })),
  );
  const ids = made.map(({ _id }) => `${_id.replace("job_", "dlv_")}_001`);
  const last = { number: 7, at: clock.now(), http_status: 500, duration_ms: 1, error: "HTTP 500" };
  await deliveries().updateMany(
    { _id: { $in: ids } },
    { $set: { status: "failed", next_attempt_at: null, attempt_count: 7, attempts: [last] } },
  );
  return ids;
}

const listed = async (...args: string[]) =>
  (await json<{ deliveries: { delivery_id: string }[] }>("delivery", "list", ...args)).deliveries.map(
    ({ delivery_id }) => delivery_id,
  );

test("failed webhooks are counted by endpoint, listed, resent once and given up once", async () => {
  const [first = "", second = ""] = await deadDeliveries(2, A);
  const owner = accountId;
  clock.advance(2 * HOUR_MS);
  const [third = ""] = await deadDeliveries(1, B);
  expect((await run("delivery", "endpoints")).stdout).toMatch(
    new RegExp(`${A} +2 +delivery list --host ${A}\n${B} +1 `),
  );
  expect(await listed()).toEqual([third, second, first]);
  expect(await listed("--host", A)).toEqual([second, first]);
  expect(await listed("--account", accountId)).toEqual([third]);
  expect(await listed("--since", new Date(clock.now().getTime() - HOUR_MS).toISOString())).toEqual([third]);
  expect((await run("delivery", "list", "--limit", "1")).stdout).toMatch(
    / +7 +HTTP 500 +\S+Z\nmore: --cursor/,
  );

  const dry = await run("delivery", "resend", "--host", A);
  expect(dry.stdout).toMatch(
    new RegExp(
      `^dry run +delivery resend: host ${A}\nfound +2 deliveries\nwould be +2 deliveries sent once more\n`,
    ),
  );
  const token = /blk_\w+/.exec(dry.stdout)?.[0] ?? "";
  // The account's owner resends one of them first.
  await redeliver(core.app, owner, second.replace(/^dlv_(\w+)_001$/, "job_$1"));
  for (const _ of ["once", "again"]) {
    const { stdout, exitCode } = await run("delivery", "resend", "--go", token, ...WHY);
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(
        /done +1 delivery sent once more\nleft alone +1 delivery that was dealt with already/,
      ),
    ]);
  }
  const again = await deliveries().find({ status: "pending" }).sort({ _id: 1 }).toArray();
  expect(again.map(({ _id }) => _id)).toEqual([first, second].map((id) => id.replace(/1$/, "2")));
  expect(await listed()).toEqual([third]);

  const bulk = await json<Bulk>("delivery", "give-up", "--ids", `${first},${third}`);
  expect(bulk.planned).toMatchObject({ acted: 1, left: [{ why: "closed", count: 1 }] });
  await json("delivery", "give-up", "--go", bulk.bulk_id, ...WHY);
  expect(await listed()).toEqual([]);
  expect(await json("audit-trail", "--target", third)).toMatchObject({
    entries: [{ method: "GiveUpCallback", operator: "Grace", detail: expect.stringContaining(B) }],
  });
  expect((await run("delivery", "resend", "--ids", "nonsense")).stderr).toContain(
    "must be the id of a delivery",
  );
});

test("deliveries that have succeeded, or were resent ten times, are skipped", async () => {
  const [arrived = "", often = "", gone = ""] = await deadDeliveries(3, A);
  const { bulk_id: token } = await json<Bulk>("delivery", "resend", "--host", A);
  const copies = (id: string, numbers: number[], status: DeliveryDoc["status"]) =>
    deliveries()
      .findOne({ _id: id })
      .then((doc) =>
        deliveries().insertMany(
          numbers.map((n) => ({
            ...(doc as DeliveryDoc),
            _id: id.replace(/001$/, String(n).padStart(3, "0")),
            status,
          })),
        ),
      );
  await copies(arrived, [2], "delivered");
  await copies(often, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11], "failed");
  await deliveries().deleteOne({ _id: gone });
  expect((await json<Bulk>("delivery", "resend", "--go", token, ...WHY)).done).toMatchObject({
    acted: 0,
    left: [{ why: "arrived" }, { why: "exhausted" }, { why: "gone" }].map((one) => ({ ...one, count: 1 })),
  });
});

test("failed mails are listed without their content, and sent again while they are still relevant", async () => {
  const { app } = core;
  const about = { accountId, to: "ada@example.com", subject: "my secret", text: "my secret" };
  await inTx(app, (tx) => queueMail(app, tx, { ...about, kind: "order.receipt", ref: "ord_1" }));
  expect((await run("mail", "list")).stdout).toBe("no mails were given up in the last week\n");
  expect((await run("mail", "resend", "ord_1:order.receipt", ...WHY)).stderr).toContain("was not given up");
  await mails().updateOne(
    { _id: "ord_1:order.receipt" },
    {
      $set: {
        status: "failed",
        work: { ...NO_WORK, attempts: 7 },
        last_error: "EAUTH 535",
        expires_at: new Date(clock.now().getTime() + 90 * 24 * HOUR_MS),
      },
    },
  );
  const { stdout } = await run("mail", "list");
  expect(stdout).toMatch(/ord_1:order\.receipt +acc_\w+ +order\.receipt +ord_1 +7 +EAUTH 535/);
  expect(stdout).not.toMatch(/secret|ada@/);
  expect(await json("mail", "resend", "ord_1:order.receipt", ...WHY)).toMatchObject({
    status: "queued",
    attempts: 0,
  });
  expect(await mails().findOne({ _id: "ord_1:order.receipt" })).toMatchObject({ expires_at: null });
  await mails().updateOne({ _id: "ord_1:order.receipt" }, { $set: { status: "failed" } });
  clock.advance(8 * 24 * HOUR_MS);
  expect((await run("mail", "resend", "ord_1:order.receipt", ...WHY)).stderr).toContain("a week old");
  expect((await run("mail", "resend", "none", ...WHY)).stderr).toContain("no such mail");
  await mails().deleteMany({});
});

test("stuck counts each kind of problem, and each command that it prints runs", async () => {
  const { app } = core;
  const { db } = app.mongo;
  expect((await run("stuck")).stdout).toBe("nothing needs attention\n");
  const { caller } = await createCustomer(app);
  await acceptMany(app, 1, askFor(caller));
  await claimJobs(app, { worker: "w", limit: 1, leaseMs: HOUR_MS });
  await acceptMany(app, 1, askFor(caller));
  clock.advance(2 * HOUR_MS);
  const soon = new Date(clock.now().getTime() + HOUR_MS);
  await db.collection("payments").insertMany([
    {
      _id: "x late" as never,
      state: "to_give_back",
      account_id: "acc_1",
      work: { ...workDue(soon), attempts: 3 },
    },
    {
      _id: "x new" as never,
      state: "to_give_back",
      account_id: "acc_1",
      work: { ...workDue(soon), attempts: 2 },
    },
    { _id: "x whose" as never, state: "unclaimed", account_id: null },
  ]);
  await db
    .collection("subscriptions")
    .insertOne({ account_id: "acc_1", ended_at: soon, work: { ...workDue(soon), attempts: 3 } });
  await db.collection("provider_calls").insertOne({
    _id: "job_parked" as never,
    provider: "test",
    poll_at: new Date(clock.now().getTime() + 90 * 24 * HOUR_MS),
    waits: { provider: "test", model: "m", why: "failing", since: clock.now() },
  });
  await mails().insertOne({
    _id: "m",
    status: "failed",
    expires_at: new Date(clock.now().getTime() + 90 * 24 * HOUR_MS),
  } as MailDoc);
  await core
    .client()
    .tickets.OpenTicket(
      { subject: "x", kind: "other", text: "x" },
      { caller: { kind: "account", accountId, source: "app" } },
    );
  const waiting = await jobs(db).countDocuments({ state: "reserved" });
  // Unfinished, so that the jump of the clock does not end it.
  await deliveries().insertOne({ _id: "dlv_1", job_id: "job_1", status: "failed", host: A } as DeliveryDoc);
  const stuck = await json<{ kind: string; count: number; command: string }[]>("stuck");
  expect(Object.fromEntries(stuck.map(({ kind, count }) => [kind, count]))).toEqual({
    jobs_waiting_long: waiting,
    jobs_over_time: 1,
    providers_failing: 1,
    deliveries_dead: 1,
    mails_failed: 1,
    refunds_late: 1,
    payments_unclaimed: 1,
    subscriptions_untold: 1,
    tickets_open: 1,
  });
  expect((await run("stuck")).stdout).toMatch(/^COUNT +WHAT +NEXT\n1 +jobs wait/);
  await db.collection("subscriptions").deleteMany({});
  await mails().deleteMany({});
  await deliveries().deleteMany({});
  for (const { command } of stuck)
    expect([command, (await run(...command.split(" "))).exitCode]).toEqual([command, 0]);
  expect(stuck.map(({ kind }) => kind).sort()).toEqual(Object.keys(STUCK).sort());
  expect(await json("stuck", "--all")).toHaveLength(Object.keys(STUCK).length);
  await db.collection("payments").deleteMany({});
  expect((await auditFindings(app)).filter((what) => !what.includes("delivery"))).toEqual([]);
});
