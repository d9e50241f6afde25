// This release opens data that earlier releases made with their own code, and loses or doubles nothing.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FIRST_VERSION, MIGRATIONS } from "../../../../core/base/migrations/list.ts";
import { runMigrations } from "../../../../core/base/migrations/run.ts";
import { findSchemaVersion } from "../../../../core/base/migrations/schema-version.ts";
import { startEntry } from "../../../../scripts/testbed/processes.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { GENERATE, type GenerateResult } from "../../../support/http-calls.ts";
import { laterMigration } from "../../../support/later-migration.ts";
import { putReleaseData, type ReleaseData } from "../../../support/release-data.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { startWholeService, type WholeService } from "../../../support/whole-service.ts";

const NEWEST = FIRST_VERSION + MIGRATIONS.length;

type JobRow = { _id: string; account_id: string; state: string; callback_url: string | null };

describe.each(["version-1", "version-12"])("data of %s", (name) => {
  let receiver: Server;
  /** Ids of the jobs whose webhooks arrived. */
  let received: string[];
  let database: TestDatabase;
  let data: ReleaseData;
  let service: WholeService;
  /** The monthly credits that the release had granted. */
  let granted: number;

  beforeEach(async () => {
    received = [];
    receiver = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        received.push(/job_[0-9A-Z]{26}/.exec(body)?.[0] ?? "");
        response.end();
      });
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    database = await createTestDatabase();
    const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    data = await putReleaseData(database.mongo.db, name, receiverUrl);
    granted = await grants();
    service = await startWholeService({ env: { ATELIER_MONGO_DATABASE: database.name }, worker: false });
  });
  afterEach(async () => {
    await service.close();
    await database.drop();
    receiver.close();
  });

  const jobs = () => database.mongo.db.collection<JobRow>("jobs");
  const count = (collection: string, filter = {}) =>
    database.mongo.db.collection(collection).countDocuments(filter);
  const grants = () => count("ledger", { _id: /_monthly_/ });
  const keyOf = (accountId: string) => data.customers.find((one) => one.accountId === accountId)?.key ?? "";
  const live = () => jobs().countDocuments({ state: { $in: ["reserved", "running"] } });

  test("is opened, and its audit is clean", async () => {
    expect(await findSchemaVersion(database.mongo.db)).toBe(NEWEST);
    expect(await live()).toBe(7);
    expect(await service.audit()).toEqual([]);
    // Monthly credits start with the next period. Past periods grant none.
    const open = { status: { $ne: "deleted" } };
    expect(await count("accounts", { ...open, next_grant_at: { $gt: new Date() } })).toBe(
      await count("accounts", open),
    );
    expect(await grants()).toBe(granted);
  });

  test("returns the same jobs for repeated Idempotency-Keys, and writes nothing", async () => {
    const repeatable = data.requests.filter(({ request }) => request.idempotencyKey !== null);
    expect(repeatable).toHaveLength(19);
    const counts = () => Promise.all(["jobs", "ledger", "idempotency_keys"].map((one) => count(one)));
    const before = await counts();
    for (const { accountId, jobId, request } of repeatable) {
      const answer = await service.call<GenerateResult>(GENERATE, {
        key: keyOf(accountId),
        method: "POST",
        body: {
          modality: request.modality,
          model_slug: request.modelSlug,
          prompt: request.prompt,
          params: request.params,
          metadata: request.metadata,
          ...(request.callbackUrl !== null && { callback_url: request.callbackUrl }),
        },
        headers: { "idempotency-key": request.idempotencyKey ?? "" },
      });
      expect(answer).toMatchObject({ status: 202, body: { result: { job_id: jobId } } });
      expect(answer.headers.get("idempotency-replayed")).toBe("true");
    }
    expect(await counts()).toEqual(before);
  });

  test("completes its waiting and running jobs, delivers and resends webhooks, and its audit is clean", async () => {
    const withCallback = await jobs()
      .find({ callback_url: { $ne: null } })
      .toArray();
    service.startWorker();
    await waitFor("every job to end", async () => (await live()) === 0);
    const lost = { "error.code": { $in: ["outcome_unknown", "queue_timeout"] } };
    expect(await jobs().countDocuments(lost)).toBe(0);
    const pending = () => database.mongo.db.collection("deliveries").countDocuments({ status: "pending" });
    await waitFor("every delivery to end", async () => (await pending()) === 0);
    for (const { _id, account_id } of withCallback) {
      const heard = () => received.filter((job) => job === _id).length;
      const before = heard();
      const path = `/api/jobs/${_id}/callbacks/redeliver`;
      const answer = await service.call(path, { key: keyOf(account_id), method: "POST" });
      expect(answer.status, answer.text).toBeLessThan(300);
      await waitFor("the redelivery", () => heard() > before);
    }
    expect(await service.audit()).toEqual([]);
    expect(service.errors).toEqual([]);
  });

  test("keeps its files", async () => {
    const large = data.requests.filter(({ request }) => request.prompt.startsWith("large"));
    expect(large).toHaveLength(2);
    for (const { accountId, jobId } of large) {
      const { body } = await service.call<{ result: { outputs: { url: string }[] } }>(`/api/jobs/${jobId}`, {
        key: keyOf(accountId),
      });
      const { pathname, search } = new URL(body.result.outputs[0]?.url ?? "", service.url);
      const file = await service.call(pathname + search);
      expect([file.status, file.text.length]).toEqual([200, 300 * 1024]);
    }
  });

  test("accepts a later schema change that is killed midway and resumed, next to a process of this version", async () => {
    service.startWorker();
    const { mongo, uri } = database;
    const migrating = startEntry("test/support/migrating-process.ts", {}, { args: [uri, database.name] });
    await migrating.until("a batch to be changed", () => migrating.stdout() !== "");
    await migrating.signal("SIGKILL");
    const changed = () => count("jobs", { prompt_length: { $exists: true } });
    expect(await changed()).toBe(6);
    expect(await findSchemaVersion(mongo.db)).toBe(NEWEST);

    let rest = 0;
    const later = laterMigration(async () => void (rest += 1));
    const made = service.generate(data.customers[1]?.key ?? "");
    await runMigrations(mongo, { migrations: [...MIGRATIONS, later], onDone: () => {} });
    expect(await findSchemaVersion(mongo.db)).toBe(NEWEST + 1);
    // Two at a time from the seventh on, plus one batch that finds nothing left. A job that is running may cause more.
    expect(rest).toBeGreaterThanOrEqual(9);
    const written = await count("jobs", { $expr: { $eq: ["$prompt_length", { $strLenCP: "$prompt" }] } });
    // Documents that this release has written meanwhile may lack the field: the later release would read both.
    expect(written).toBeGreaterThanOrEqual(data.requests.length);

    const { job_id: jobId } = (await made).body.result;
    expect((await service.waitForEnd(data.customers[1]?.key ?? "", jobId)).state).toBe("completed");
    await waitFor("every job to end", async () => (await live()) === 0);
    expect(await service.audit()).toEqual([]);
    expect(service.errors).toEqual([]);
  });
});
