// All deliveries of an account: their order, and the cost of a page with many jobs and few webhooks.
import type { CommandStartedEvent } from "mongodb";
import { expect, test } from "vitest";
import { listOwnDeliveries } from "../../../../core/studio/jobs/deliveries.ts";
import type { JobDoc } from "../../../../core/studio/jobs/store.ts";
import { deliveryId } from "../../../../core/studio/webhooks/delivery-id.ts";
import { listDeliveriesApart } from "../../../../core/studio/webhooks/log.ts";
import { newDelivery } from "../../../../core/studio/webhooks/queue.ts";
import type { DeliveryDoc } from "../../../../core/studio/webhooks/store.ts";
import { useTestApp } from "../../../support/app.ts";
import { watchCommands } from "../../../support/watch-commands.ts";

const testApp = useTestApp();

const AT = new Date("2026-03-01T12:00:00.000Z");
const rows = () => testApp.app.mongo.db.collection<DeliveryDoc>("deliveries");
const jobs = () => testApp.app.mongo.db.collection<Pick<JobDoc, "_id" | "account_id">>("jobs");
/** Ids in order of creation, of equal length. */
const idOf = (prefix: string, n: number) => `${prefix}_${String(n).padStart(26, "0")}`;

function ended(accountId: string, n: number, number = 1): DeliveryDoc {
  const at = {
    accountId,
    jobId: idOf("job", n),
    url: "https://example.com/",
    event: "job.completed" as const,
    at: AT,
  };
  return { ...newDelivery(at, number), status: "delivered", next_attempt_at: null };
}
function tried(accountId: string, n: number): DeliveryDoc {
  const [row, status] = [ended(accountId, n), "failed" as const];
  return { ...row, _id: deliveryId(idOf("evt", n), 1), job_id: null, event: "test", status };
}
const addJobs = (accountId: string, ns: readonly number[]) =>
  jobs().insertMany(ns.map((n) => ({ _id: idOf("job", n), account_id: accountId })));

type Asked = { limit?: number; status?: string; jobId?: string; cursor?: string };
const page = (
  accountId: string,
  { limit = 100, status = "", jobId = "", cursor = "" }: Asked = {},
  maxRead?: number,
) => listOwnDeliveries(testApp.app, { accountId, limit, cursor, status, jobId }, maxRead);
/** Every page, and their number. */
async function walk(
  accountId: string,
  asked: Asked,
  maxRead?: number,
): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = [];
  let cursor = "";
  for (let pages = 1; ; pages++) {
    const { rows: found, nextCursor } = await page(accountId, { ...asked, cursor }, maxRead);
    ids.push(...found.map(({ _id }) => _id));
    if (nextCursor === "") return { ids, pages };
    expect(nextCursor, "a page that leads to itself").not.toBe(cursor);
    cursor = nextCursor;
  }
}

test("deliveries are listed newest job first, with resends next to their job and test events by time, across pages", async () => {
  await addJobs("acc_a", [10, 20, 30, 40, 50]);
  await addJobs("acc_b", [11, 41]);
  const own = [ended("acc_a", 10), ended("acc_a", 30), ended("acc_a", 30, 2), ended("acc_a", 50)];
  const tests = [tried("acc_a", 5), tried("acc_a", 35), tried("acc_a", 60)];
  const others = [ended("acc_b", 11), ended("acc_b", 41), tried("acc_b", 36)];
  await rows().insertMany([...own, ...tests, ...others]);
  const inOrder = [...own, ...tests]
    .map(({ _id }) => _id)
    .sort()
    .toReversed();
  expect((await page("acc_a")).rows.map(({ _id }) => _id)).toEqual(inOrder);
  for (const limit of [1, 2, 3, 7])
    for (const maxRead of [1, 2, 3, undefined])
      expect((await walk("acc_a", { limit }, maxRead)).ids, `${limit} by ${maxRead}`).toEqual(inOrder);
  const failed = tests.map(({ _id }) => _id).toReversed();
  for (const maxRead of [1, 2, undefined])
    expect((await walk("acc_a", { limit: 2, status: "failed" }, maxRead)).ids).toEqual(failed);
  expect((await walk("acc_a", { limit: 1, jobId: idOf("job", 30) })).ids).toEqual([
    deliveryId(idOf("job", 30), 2),
    deliveryId(idOf("job", 30), 1),
  ]);
  expect((await page("acc_a", { jobId: idOf("job", 41) })).rows).toEqual([]);
  expect((await page("acc_a", { jobId: "job_.*" })).rows).toEqual([]);
  // A cursor comes from a client and may be anything.
  const none = await page("acc_a", { cursor: Buffer.from("c1:dlv_(").toString("base64url") });
  expect(none.rows).toEqual([]);
  const events = await listDeliveriesApart(testApp.app, "tests_newest", "acc_a", { limit: 2, cursor: "" });
  const rest = await listDeliveriesApart(testApp.app, "tests_newest", "acc_a", {
    limit: 2,
    cursor: events.nextCursor,
  });
  expect([...events.rows, ...rest.rows].map(({ _id }) => _id)).toEqual(failed);
  expect(rest.nextCursor).toBe("");
});

test("a page examines a bounded number of jobs, and reads no unused jobs or deliveries", async () => {
  const MANY = 3_000;
  await addJobs(
    "acc_many",
    Array.from({ length: MANY }, (_, n) => 1_000 + n),
  );
  await rows().insertMany([ended("acc_many", 1_000), ended("acc_many", 3_999)]);
  const finds: Record<string, unknown>[] = [];
  const watched = await watchCommands(testApp, ({ commandName, command }: CommandStartedEvent) => {
    if (commandName === "find") finds.push(command);
  });
  const ask = (cursor: string) =>
    listOwnDeliveries(
      watched.app,
      { accountId: "acc_many", limit: 10, cursor, status: "", jobId: "" },
      1_000,
    );
  const first = await ask("");
  await watched.close();
  expect(first.rows.map(({ job_id }) => job_id)).toEqual([idOf("job", 3_999)]);
  expect(first.nextCursor).not.toBe("");
  let [examined, fetched] = [0, 0];
  for (const { find, filter, sort, limit, hint, projection } of finds) {
    const command = { find, filter, sort, limit, hint, projection };
    const { executionStats } = (await testApp.app.mongo.db.command({
      explain: Object.fromEntries(Object.entries(command).filter(([, value]) => value !== undefined)),
      verbosity: "executionStats",
    })) as { executionStats: { totalKeysExamined: number; totalDocsExamined: number } };
    examined += executionStats.totalKeysExamined;
    fetched += executionStats.totalDocsExamined;
  }
  // One key for each job's id, and one for its deliveries.
  expect(examined).toBeLessThan(3_500);
  expect(fetched).toBe(1);
  expect((await walk("acc_many", { limit: 10 }, 1_000)).ids).toHaveLength(2);
  expect((await walk("acc_many", { limit: 10 }, 1_000)).pages).toBe(3);
});
