// Archives of the release before, whose facts contain traces of the owner: the deletion of such an account removes all of them.
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, inject, onTestFinished, test, beforeEach } from "vitest";
import { erasedFields } from "../../../../core/base/migrations/0007-erased-fields.ts";
import { inTx } from "../../../../core/base/mongo/in-tx.ts";
import { openObjectStore } from "../../../../core/base/objects/object-store.ts";
import { accounts } from "../../../../core/identity/accounts/store.ts";
import { readSegment } from "../../../../core/kernel/archive/read-segment.ts";
import { findAllSegments } from "../../../../core/kernel/archive/store.ts";
import { removeExpiredOutputs } from "../../../../core/kernel/outputs/expire.ts";
import { auditAccounts } from "../../../../core/operations/audit/audit-accounts.ts";
import { deleteAccount, eraseDeletedAccounts } from "../../../../core/operations/privacy/erase-accounts.ts";
import type { DeletionDoc } from "../../../../core/operations/privacy/store.ts";
import { archiveOld } from "../../../../core/operations/retention/archive-old.ts";
import { joinJob, splitJob } from "../../../../core/studio/jobs/archive-rules.ts";
import type { JobDoc } from "../../../../core/studio/jobs/store.ts";
import { joinWorkflow, splitWorkflow } from "../../../../core/studio/workflows/archive-rules.ts";
import { cancelWorkflow } from "../../../../core/studio/workflows/cancel.ts";
import type { WorkflowDoc } from "../../../../core/studio/workflows/store.ts";
import { loadConfig } from "../../../../runtime/config/config.ts";
import { jobDoc } from "../../../fixtures/docs.ts";
import { startS3Server } from "../../../support/s3-server.ts";
import { sharedByTests } from "../../../support/shared.ts";
import { picture, run, tune } from "../../studio/workflows/fixtures.ts";
import {
  createFixture,
  type Customer,
  DAY_MS,
  dyingAfter,
  live,
  readAuditFindings,
  type Fixture,
  endWaiting,
  life,
  shown,
  SMALL,
  type Step,
} from "./histories.ts";
import { archiveBefore, splitJobBefore, splitWorkflowBefore } from "./release-before.ts";

const TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

const world = sharedByTests(() => createFixture());

const deletions = () => world.app.mongo.db.collection<DeletionDoc>("account_deletions");

/** An account whose jobs and workflows had traces when the release before archived them. */
async function archivedBefore(place: Fixture): Promise<Customer & { email: string }> {
  const { app } = place;
  const { db } = app.mongo;
  const { accountId, caller } = await live(place, [{ what: "complete", count: 3, hours: 1 }]);
  for (let n = 0; n < 3; n++) {
    const { workflow } = await run(app, caller, { steps: [picture("a"), tune("b")] }, `key-${n}`);
    await cancelWorkflow(app, { accountId, workflowId: workflow._id });
  }
  for (const name of ["jobs", "workflows"])
    await db.collection(name).updateMany({ account_id: accountId }, { $set: { trace: TRACE } });
  await archiveBefore<JobDoc>(place, { accountId, kind: "jobs" }, splitJobBefore);
  await archiveBefore<WorkflowDoc>(place, { accountId, kind: "workflows" }, splitWorkflowBefore);
  const account = await accounts(db).findOne({ _id: accountId });
  return { accountId, caller, email: account?.email ?? "" };
}

/** Deletes it as the release before did: the text is gone, the facts stay, and the erasure counts as done. */
async function deleteBefore({ app }: Fixture, accountId: string): Promise<void> {
  const { db } = app.mongo;
  const at = app.clock.now();
  await accounts(db).updateOne(
    { _id: accountId },
    { $set: { status: "deleted", email: "", name: "", next_grant_at: null, due_at: null } },
  );
  await db
    .collection("archive_segments")
    .updateMany({ account_id: accountId }, { $set: { words_erased_at: at }, $unset: { grant_keys: "" } });
  await deletions().insertOne({ _id: accountId, deleted_at: at, erased_at: at });
}

async function migrate(): Promise<void> {
  const { app } = world;
  for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const from: string | null = after;
    after = await inTx(app, ({ session }) =>
      erasedFields.batch({ db: app.mongo.db, session, after: from, limit: 1 }),
    );
  }
}

/** The number of archive files with a trace. */
async function leaks(objects: ReadonlyMap<string, { bytes: Buffer }> | undefined): Promise<number> {
  const chunks = await world.app.mongo.db
    .collection<{ data: { buffer: Buffer } }>("outputs.chunks")
    .find()
    .toArray();
  const files = [
    ...chunks.map(({ data }) => data.buffer),
    ...[...(objects?.values() ?? [])].map(({ bytes }) => bytes),
  ];
  return files.filter((bytes) => gunzipSync(bytes).includes(TRACE)).length;
}

describe.each(["the database", "an object store"])("erasing with the archive in %s", (where) => {
  async function openPlace() {
    await world.empty();
    if (where === "the database") return { place: world };
    const s3 = await startS3Server();
    const objects = openObjectStore(loadConfig({ ATELIER_LOG_LEVEL: "silent", ...s3.env }));
    onTestFinished(() => objects?.close());
    return { place: { ...world, app: { ...world.app, objects } }, stored: s3.objects };
  }

  test("an account deleted by the release before is erased after the migration, whichever process is killed", async () => {
    const { place, stored } = await openPlace();
    const customer = await archivedBefore(place);
    const { accountId } = customer;
    await deleteBefore(place, accountId);
    const erasedAt = (await deletions().findOne({ _id: accountId }))?.erased_at;
    expect(await leaks(stored)).toBe(7);

    await migrate();
    const migrated = await deletions().find().toArray();
    expect(migrated).toMatchObject([{ _id: accountId, erased_at: erasedAt, fields_erased_at: null }]);
    await migrate();
    expect(await deletions().find().toArray()).toEqual(migrated);
    // The release before looks for these, and leaves the rest to this one.
    expect(await deletions().countDocuments({ erased_at: null })).toBe(0);

    // What late requests wrote can be there by now.
    place.clock.advance(3 * 60_000);
    // Killed after every command with --mode thorough, otherwise after some of them.
    const step = inject("isThorough") ? 1 : 5;
    let kills = 0;
    for (let commands = 1; ; commands += step) {
      const done = await eraseDeletedAccounts(dyingAfter(place.app, commands)).then(
        (erased) => erased === 1,
        () => false,
      );
      expect(await readAuditFindings(place, customer)).toEqual([]);
      if (done) break;
      kills += 1;
    }
    expect(kills * step).toBeGreaterThan(30);
    place.clock.advance(2 * DAY_MS);
    await removeExpiredOutputs(place.app);
    expect(await leaks(stored)).toBe(0);
    expect(await deletions().find().toArray()).toMatchObject([
      { erased_at: erasedAt, fields_erased_at: expect.any(Date) },
    ]);
    const segments = await findAllSegments(place.app.mongo.db, accountId);
    for (const segment of segments)
      expect(JSON.stringify(await readSegment(place.app, segment))).not.toContain("trace");
    expect(await eraseDeletedAccounts(place.app)).toBe(0);
    expect(await findAllSegments(place.app.mongo.db, accountId)).toEqual(segments);
  });

  test("an account that is deleted now leaves no trace, with two processes in parallel", async () => {
    const { place, stored } = await openPlace();
    const customer = await archivedBefore(place);
    const { accountId, email } = customer;
    await deleteAccount(place.app, accountId, email);
    place.clock.advance(3 * 60_000);
    for (;;) {
      await Promise.all([eraseDeletedAccounts(place.app), eraseDeletedAccounts(place.app)]);
      if (await deletions().findOne({ _id: accountId, fields_erased_at: { $ne: null } })) break;
    }
    place.clock.advance(2 * DAY_MS);
    await removeExpiredOutputs(place.app);
    expect(await leaks(stored)).toBe(0);
    expect(await readAuditFindings(place, customer)).toEqual([]);
  });
});

describe("segments of jobs and workflows", () => {
  const job: JobDoc = { ...jobDoc("completed"), trace: TRACE, metadata: { a: "b" }, max_credits: 7 };
  const workflow: WorkflowDoc = {
    _id: "wfl_1",
    account_id: "acc_1",
    key_id: null,
    source: "api",
    steps: ["a", "b"].map((id) => ({ id, job_id: `job_${id}`, needs: [], credits: 1 })),
    credits: 2,
    estimated_seconds: 3,
    callback_url: "https://example.com/hook",
    callback_on_steps: false,
    metadata: { a: "b" },
    state: "completed",
    version: 1,
    created_at: new Date(1),
    ended_at: new Date(2),
    trace: TRACE,
  };

  test("of the release before are read whole", () => {
    expect(joinJob(splitJobBefore(job))).toEqual({ ...job, deliveries: [] });
    expect(joinWorkflow(splitWorkflowBefore(workflow))).toEqual({ ...workflow, deliveries: [] });
  });

  test("have traces among the erasable text", () => {
    expect(JSON.stringify(splitJob(job, []).facts)).not.toContain(TRACE);
    expect(JSON.stringify(splitWorkflow(workflow, []).facts)).not.toContain(TRACE);
    expect(joinJob(splitJob(job, []))).toEqual({ ...job, deliveries: [] });
    expect(joinWorkflow(splitWorkflow(workflow, []))).toEqual({ ...workflow, deliveries: [] });
  });
});

// Old data move into sealed segments, and pages, exports, proofs and the audit stay the same.
beforeEach(() => world.empty());

const count = (name: string) => world.app.mongo.db.collection(name).countDocuments();
const audited = async (customer?: Customer) =>
  (await Array.fromAsync(auditAccounts(world.app, customer?.accountId))).at(-1);
const LIFE: readonly Step[] = [
  { what: "complete", count: 3, hours: 1 },
  { what: "fail", count: 2, hours: 30 },
  { what: "grant", count: 2, hours: 1 },
  { what: "cancel", count: 2, hours: 1 },
  { what: "complete", count: 3, hours: 40 },
];

describe("archiving", () => {
  test("changes no response of an account, for any history and any cut", async () => {
    const cuts = fc.integer({ min: 60, max: 220 });
    const property = fc.asyncProperty(life, cuts, cuts, async (steps, first, second) => {
      const customer = await live(world, steps);
      // At two times, so that there are several segments and a job's entries are on both sides of a cut.
      world.clock.advance(first * DAY_MS);
      await archiveOld(world.app, undefined, { least: SMALL.least, most: { jobs: 2, entries: 3 } });
      world.clock.advance(second * DAY_MS);
      const [before, books] = [await shown(world, customer), await audited(customer)];
      await archiveOld(world.app, undefined, SMALL);
      expect(await shown(world, customer)).toEqual(before);
      expect(await audited(customer)).toEqual(books);
      expect(books?.findings).toEqual([]);
      expect(before.proof).toEqual({ broken: undefined, ends: true, sum: true });
      await endWaiting(world, customer);
    });
    await fc.assert(property, { numRuns: inject("archivedLives") });
  });

  test("moves rows out of the collections, except those of the last days", async () => {
    await live(world, LIFE);
    world.clock.advance(90 * DAY_MS);
    expect(await archiveOld(world.app, undefined, SMALL)).toBe(0);
    world.clock.advance(9 * DAY_MS);
    expect(await archiveOld(world.app, undefined, SMALL)).toBeGreaterThan(0);
    // The last step was 99 days ago.
    expect(await count("jobs")).toBe(3);
    expect(await count("ledger")).toBe(6);
    world.clock.advance(9 * DAY_MS);
    await archiveOld(world.app, undefined, SMALL);
    expect([await count("jobs"), await count("ledger"), await count("deliveries")]).toEqual([0, 0, 0]);
    expect((await audited())?.findings).toEqual([]);
  });
});
