// Segments: a worker that is killed at any step, parallel workers, and changed files and records.
import { beforeAll, describe, expect, test } from "vitest";
import { openObjectStore } from "../../../../core/base/objects/object-store.ts";
import { archiveEntries } from "../../../../core/identity/credits/archive-entries.ts";
import { grantCredits } from "../../../../core/identity/credits/grant.ts";
import { PassLost, takePass } from "../../../../core/kernel/archive/pass.ts";
import { findAllSegments, type SegmentDoc } from "../../../../core/kernel/archive/store.ts";
import { writeSegment } from "../../../../core/kernel/archive/write-segment.ts";
import { removeExpiredOutputs } from "../../../../core/kernel/outputs/expire.ts";
import { archiveOld } from "../../../../core/operations/retention/archive-old.ts";
import { acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import { archiveJobs } from "../../../../core/studio/jobs/archive-jobs.ts";
import { deleteOutputs } from "../../../../core/studio/jobs/delete-outputs.ts";
import { listDeliveries, redeliver } from "../../../../core/studio/jobs/deliveries.ts";
import { findAnyJob, findOwnJob } from "../../../../core/studio/jobs/get.ts";
import { toJob } from "../../../../core/studio/jobs/resource.ts";
import { loadConfig } from "../../../../runtime/config/config.ts";
import { askFor, cancelJob } from "../../../support/accept.ts";
import { startS3Server } from "../../../support/s3-server.ts";
import { sharedByTests } from "../../../support/shared.ts";
import {
  createFixture,
  type Customer,
  DAY_MS,
  dyingAfter,
  live,
  readAuditFindings,
  shown,
  SMALL,
  type Step,
} from "./histories.ts";

const LIFE: readonly Step[] = [
  { what: "complete", count: 3, hours: 1 },
  { what: "grant", count: 7, hours: 1 },
  { what: "fail", count: 3, hours: 30 },
  { what: "cancel", count: 1, hours: 1 },
];

const world = sharedByTests(() => createFixture());

const collection = <T extends object>(name: string) =>
  world.app.mongo.db.collection<T & { _id: string }>(name);
const segmentsOf = ({ accountId }: Customer) => findAllSegments(world.app.mongo.db, accountId);
const audit = (customer: Customer) => readAuditFindings(world, customer);

/** A customer whose whole history is archived. */
async function archived(): Promise<Customer> {
  const customer = await live(world, LIFE);
  world.clock.advance(110 * DAY_MS);
  await archiveOld(world.app, undefined, SMALL);
  return customer;
}

test("a worker that is killed between any two commands leaves the rows or their segment, and files that expire", async () => {
  const customer = await live(world, LIFE);
  world.clock.advance(110 * DAY_MS);
  const before = await shown(world, customer);
  let kills = 0;
  for (let commands = 1; ; commands++) {
    const done = await archiveOld(dyingAfter(world.app, commands), undefined, SMALL).then(
      () => true,
      () => false,
    );
    expect(await audit(customer)).toEqual([]);
    if (done && (await collection("jobs").countDocuments({ account_id: customer.accountId })) === 0) break;
    kills += 1;
    // The next worker gets the pass when its lease ends.
    world.clock.advance(3 * 60_000);
  }
  // A segment alone needs more.
  expect(kills).toBeGreaterThan(15);
  expect(await shown(world, customer)).toEqual(before);
  expect(await collection("ledger").countDocuments({ account_id: customer.accountId })).toBe(0);
  world.clock.advance(2 * DAY_MS);
  await removeExpiredOutputs(world.app);
  const segments = await segmentsOf(customer);
  const named = segments.flatMap(({ facts, words }) => [facts.file_id, ...(words ? [words.file_id] : [])]);
  const stored = await collection("outputs.files")
    .find({ "metadata.account_id": customer.accountId })
    .toArray();
  expect(stored.map(({ _id }) => _id).sort()).toEqual(named.sort());
  expect(await audit(customer)).toEqual([]);
});

test("two workers that archive the same rows write each segment once", async () => {
  const customer = await live(world, LIFE);
  world.clock.advance(110 * DAY_MS);
  const { accountId } = customer;
  const before = await shown(world, customer);
  const cut = { accountId, before: new Date(world.clock.now().getTime() - 100 * DAY_MS), least: 1, most: 3 };
  for (let round = 0; round < 4; round++)
    await Promise.all([1, 2].flatMap(() => [archiveEntries(world.app, cut), archiveJobs(world.app, cut)]));
  const ids = (await segmentsOf(customer)).map(({ kind, number }) => `${kind} ${number}`);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(4);
  expect(await shown(world, customer)).toEqual(before);
  expect(await audit(customer)).toEqual([]);
  // A pass has one worker at a time.
  world.clock.advance(2 * DAY_MS);
  const both = await Promise.all([
    archiveOld(world.app, undefined, SMALL),
    archiveOld(world.app, undefined, SMALL),
  ]);
  expect(Math.min(...both)).toBe(0);
  expect(await audit(customer)).toEqual([]);
});

test("a worker whose pass was taken over changes nothing of it", async () => {
  world.clock.advance(2 * DAY_MS);
  const lost = await takePass(world.app);
  if (!lost) throw new Error("a pass is due");
  expect(await takePass(world.app)).toBeUndefined();
  world.clock.advance(2 * 60_000);
  const pass = await takePass(world.app);
  const before = await collection("archive_passes").find().toArray();
  lost.after = "acc_elsewhere";
  await expect(lost.beat()).rejects.toBeInstanceOf(PassLost);
  await lost.end();
  await lost.leave();
  expect(await collection("archive_passes").find().toArray()).toEqual(before);
  await pass?.end();
  expect(await takePass(world.app)).toBeUndefined();
});

test("rows that change before their deletion stay in place", async () => {
  const { accountId } = await live(world, []);
  const at = world.clock.now();
  const row = { facts: { seq: 1 }, words: { memo: "as it was read" } };
  const written = await writeSegment(world.app, {
    accountId,
    kind: "ledger",
    before: null,
    rows: [{ ...row, position: 1, from: at, until: at, subject: "led_1" }],
    take: async () => [{ ...row, words: null }],
  });
  expect(written).toBe(false);
  expect(await segmentsOf({ accountId, caller: { kind: "none" } })).toEqual([]);
});

describe("the audit of segments names", () => {
  let customer: Customer;
  beforeAll(async () => {
    customer = await archived();
  });

  type Pick = (segments: Awaited<ReturnType<typeof segmentsOf>>) => [string, string];
  const [FIRST, SECOND, LAST]: [Pick, Pick, Pick] = [
    (all) => idsOf(all, (one) => one.kind === "ledger" && one.number === 1),
    (all) => idsOf(all, (one) => one.kind === "ledger" && one.number === 2),
    (all) => idsOf(all.toReversed(), (one) => one.kind === "jobs"),
  ];
  const idsOf = (all: Awaited<ReturnType<typeof segmentsOf>>, is: (one: (typeof all)[number]) => boolean) => {
    const segment = all.find(is);
    if (!segment) throw new Error("no such segment");
    return [segment._id, segment.facts.file_id] as [string, string];
  };

  /** The deleted file is there again. */
  async function withChange<T extends { _id: string }>(
    name: string,
    id: string,
    change: (row: T) => T | null,
  ) {
    const rows = collection<T>(name);
    const row = (await rows.findOne({ _id: id } as never)) as T | null;
    if (!row) throw new Error(`${id} is not there`);
    const changed = change(structuredClone(row));
    if (changed) await rows.replaceOne({ _id: id } as never, changed as never);
    else await rows.deleteOne({ _id: id } as never);
    const wrong = await audit(customer);
    await rows.replaceOne({ _id: id } as never, row as never, { upsert: true });
    expect(await audit(customer)).toEqual([]);
    return wrong;
  }

  test("a file in which a byte was changed", async () => {
    const [id, file] = FIRST(await segmentsOf(customer));
    const chunks = collection<{ data: { buffer: Buffer } }>("outputs.chunks");
    const chunk = await chunks.findOne({ _id: `${file}:0` });
    if (!chunk) throw new Error("no chunk");
    const bytes = Buffer.from(chunk.data.buffer);
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    await chunks.updateOne({ _id: chunk._id }, { $set: { data: bytes as never } });
    const [wrong] = await audit(customer);
    await chunks.updateOne({ _id: chunk._id }, { $set: { data: chunk.data as never } });
    expect(wrong).toBe(`archive segment ${id}: its file ${file} is not what was sealed: its hash differs`);
    expect(await audit(customer)).toEqual([]);
  });

  test("a file that is missing, whole or in part", async () => {
    const [id, file] = SECOND(await segmentsOf(customer));
    const named = expect.stringContaining(`archive segment ${id}: its file ${file} cannot be read`) as string;
    expect((await withChange("outputs.chunks", `${file}:0`, () => null))[0]).toEqual(named);
    expect((await withChange("outputs.files", file, () => null))[0]).toEqual(named);
  });

  test("two segments with each other's files", async () => {
    const all = await segmentsOf(customer);
    const [[id, file], [otherId, other]] = [FIRST(all), SECOND(all)];
    const swap = (from: string, to: string) =>
      collection<{ facts: SegmentDoc["facts"] }>("archive_segments").updateOne(
        { _id: from },
        { $set: { facts: all.find(({ facts }) => facts.file_id === to)?.facts as SegmentDoc["facts"] } },
      );
    await swap(id, other);
    await swap(otherId, file);
    const wrong = await audit(customer);
    await swap(id, file);
    await swap(otherId, other);
    expect(wrong).toContainEqual(
      `archive segment ${id}: its file ${other} says another number than its record`,
    );
    expect(wrong).toContainEqual(
      `archive segment ${otherId}: its file ${file} says another number than its record`,
    );
    expect(await audit(customer)).toEqual([]);
  });

  test("a record that is missing, at the beginning or at the end", async () => {
    const all = await segmentsOf(customer);
    expect(await withChange("archive_segments", FIRST(all)[0], () => null)).toContainEqual(
      `archive segment ${SECOND(all)[0]}: number 1 was expected`,
    );
    expect(await withChange("archive_segments", LAST(all)[0], () => null)).toContainEqual(
      expect.stringMatching(/entries name jobs, and the jobs that are there have/),
    );
  });

  test("a record that says another end of the ledger than its file", async () => {
    const [id, file] = SECOND(await segmentsOf(customer));
    const wrong = await withChange<SegmentDoc>("archive_segments", id, (row) => ({
      ...row,
      ...(row.cut && { cut: { ...row.cut, balance: row.cut.balance + 1 } }),
    }));
    expect(wrong).toContainEqual(`archive segment ${id}: its file ${file} says another cut than its record`);
  });
});

describe("an archived job", () => {
  let customer: Customer;
  let jobId: string;
  beforeAll(async () => {
    customer = await live(world, LIFE);
    jobId =
      (
        await collection<{ callback_url: string | null }>("jobs").findOne({
          account_id: customer.accountId,
          callback_url: { $ne: null },
        })
      )?._id ?? "";
    world.clock.advance(110 * DAY_MS);
  });

  test("gives the same response, and shows that it ended long ago", async () => {
    const { accountId } = customer;
    const { app } = world;
    const seen = async () => ({
      job: await toJob(app, await findOwnJob(app, accountId, jobId)),
      operator: await toJob(app, await findAnyJob(app, jobId)),
      deliveries: await listDeliveries(app, accountId, jobId),
    });
    const before = await seen();
    await archiveOld(app, undefined, SMALL);
    expect(await collection("jobs").findOne({ _id: jobId })).toBeNull();
    expect(await seen()).toEqual(before);
    expect(before.job.callback).toMatchObject({ status: "failed", attempts: 1 });
    await expect(cancelJob(app, accountId, jobId)).rejects.toMatchObject({ code: "job_not_cancellable" });
    await expect(redeliver(app, accountId, jobId)).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("archived"),
    });
    await deleteOutputs(app, { accountId, jobId, outputIds: [] });
    await expect(findOwnJob(app, "acc_of_somebody_else", jobId)).rejects.toMatchObject({
      code: "job_not_found",
    });
  });
});

test("idempotency keys of grants are kept permanently, those of requests until their jobs are archived", async () => {
  const customer = await live(world, []);
  const { accountId, caller } = customer;
  const { app } = world;
  const grant = {
    accountId,
    amount: 7,
    kind: "grant",
    memo: "once",
    source: "system",
    idempotencyKey: "g",
  } as const;
  const first = await grantCredits(app, grant);
  const ask = () => acceptJobs(app, [askFor(caller, {}, "k")]);
  const jobOf = ([result]: Awaited<ReturnType<typeof acceptJobs>>) =>
    result?.status === "fulfilled" ? result.value.job._id : result?.reason;
  const made = jobOf(await ask());
  await cancelJob(app, accountId, made as string);
  world.clock.advance(90 * DAY_MS);
  await archiveOld(app, undefined, SMALL);
  expect(jobOf(await ask())).toBe(made);
  world.clock.advance(20 * DAY_MS);
  await archiveOld(app, undefined, SMALL);
  expect(await collection("ledger").countDocuments({ account_id: accountId })).toBe(0);
  expect(await grantCredits(app, grant)).toEqual(first);
  await expect(grantCredits(app, { ...grant, amount: 8 })).rejects.toMatchObject({
    code: "idempotency_mismatch",
  });
  const anew = jobOf(await ask());
  expect(anew).toMatch(/^job_/);
  expect(anew).not.toBe(made);
  await cancelJob(app, accountId, anew as string);
  expect(await audit(customer)).toEqual([]);
});

test("segments are in the object store, under their account, when there is one", async () => {
  await world.empty();
  const s3 = await startS3Server();
  const objects = openObjectStore(loadConfig({ ATELIER_LOG_LEVEL: "silent", ...s3.env }));
  const away = { ...world, app: { ...world.app, objects } };
  const customer = await live(away, LIFE);
  world.clock.advance(110 * DAY_MS);
  const before = await shown(away, customer);
  await archiveOld(away.app, undefined, SMALL);
  expect(await shown(away, customer)).toEqual(before);
  const keys = [...s3.objects.keys()];
  expect(keys.length).toBeGreaterThan(4);
  expect(keys.filter((key) => !key.startsWith(`${customer.accountId}/archive/arc_`))).toEqual([]);
  const [segment] = await segmentsOf(customer);
  s3.objects.delete(`${customer.accountId}/archive/${segment?.facts.file_id}`);
  expect(await readAuditFindings(away, customer)).toContainEqual(
    expect.stringContaining(
      `archive segment ${segment?._id}: its file ${segment?.facts.file_id} cannot be read`,
    ),
  );
  await objects?.close();
});
