// Core or the database is killed while clients send: a repeat with the same Idempotency-Key gives exactly one job.
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, inject, onTestFinished, test } from "vitest";
import { accounts } from "../../core/identity/accounts/store.ts";
import { type IdempotencyDoc, jobs } from "../../core/studio/jobs/store.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { createCustomer } from "../support/app.ts";
import { uriByPort } from "../support/database.ts";
import { type Answer, expectRefusal, GENERATE, type GenerateResult, PICTURE } from "../support/http-calls.ts";
import { startOwnMongod } from "../support/own-mongod.ts";
import { startRole } from "../support/roles.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { expectPrompt } from "../support/thorough.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService, type WholeService, type WholeServiceOptions } from "../support/whole-service.ts";

const REQUESTS = 300;
/** An upper limit for one response: the deadline of a call to core, plus a margin for a busy machine. */
const ANSWER_BOUND_MS = 20_000;

async function begin(options: WholeServiceOptions): Promise<WholeService> {
  const service = await startWholeService(options);
  onTestFinished(() => service.close());
  return service;
}

type Sent = { key: string; idempotencyKey: string; answers: Answer<GenerateResult>[]; slowestMs: number };

/** A correct client: it repeats its request with the Idempotency-Key while the service is away. */
async function send(
  service: WholeService,
  key: string,
  idempotencyKey: string,
  after: (sent: Sent) => void,
): Promise<Sent> {
  const sent: Sent = { key, idempotencyKey, answers: [], slowestMs: 0 };
  for (;;) {
    const from = performance.now();
    const answer = await service.generate(key, {}, { "idempotency-key": idempotencyKey });
    sent.slowestMs = Math.max(sent.slowestMs, performance.now() - from);
    sent.answers.push(answer);
    after(sent);
    if (answer.status === 202) return sent;
    if (answer.status !== 503 && answer.status !== 504) throw new Error(`unexpected answer: ${answer.text}`);
    await delay(Number(answer.headers.get("retry-after")) * 1000);
  }
}

/** Sends all requests, a few in parallel, and triggers the fault when a third of them has been accepted. */
async function sendAll(service: WholeService, strike: () => Promise<void>): Promise<Sent[]> {
  const customers = await Promise.all(
    Array.from({ length: 5 }, () => createCustomer(service.app, { plan: "studio", credits: 10_000 })),
  );
  const todo = Array.from({ length: REQUESTS }, (_, n) => ({
    key: customers[n % 5]?.key ?? "",
    idempotencyKey: `request-${n}`,
  }));
  let accepted = 0;
  let struck: Promise<void> | undefined;
  const after = ({ answers }: Sent): void => {
    if (answers.at(-1)?.status === 202) accepted += 1;
    if (accepted >= REQUESTS / 3) struck ??= strike();
  };
  const done: Sent[] = [];
  const client = async (): Promise<void> => {
    for (let next = todo.pop(); next; next = todo.pop()) {
      done.push(await send(service, next.key, next.idempotencyKey, after));
    }
  };
  await Promise.all(Array.from({ length: 30 }, client));
  expect(struck).toBeDefined();
  await struck;
  return done;
}

async function expectOneJobEach(service: WholeService, sent: readonly Sent[]): Promise<void> {
  const made = await jobs(service.app.mongo.db).find().toArray();
  expect(made).toHaveLength(REQUESTS);
  const keys = await service.app.mongo.db.collection<IdempotencyDoc>("idempotency_keys").find().toArray();
  const byKey = new Map(
    keys.map(({ _id, account_id, job_id }) => [_id.slice(account_id.length + 1), job_id]),
  );
  expect(byKey.size).toBe(REQUESTS);
  expect(new Set(byKey.values())).toEqual(new Set(made.map(({ _id }) => _id)));
  for (const { idempotencyKey, answers } of sent) {
    expect(answers.at(-1)?.body.result.job_id).toBe(byKey.get(idempotencyKey));
  }
  for (const answer of sent.flatMap(({ answers }) => answers.slice(0, -1))) {
    const code = answer.status === 503 ? "service_unavailable" : "deadline_exceeded";
    expectRefusal(answer, code, { retry_after_seconds: Number(answer.headers.get("retry-after")) });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  }
  expectPrompt(Math.max(...sent.map(({ slowestMs }) => slowestMs)), ANSWER_BOUND_MS);
  expect(await service.audit()).toEqual([]);
}

test("[GEN-15] kill -9 of core during accepts: a client that repeats its Idempotency-Key has one job", async () => {
  const port = String(await freePort());
  const service = await begin({
    core: false,
    worker: false,
    env: { ATELIER_CORE_ADDRESS: `127.0.0.1:${port}` },
  });
  const first = await startRole(service, "core", { ATELIER_GRPC_PORT: port });
  const sent = await sendAll(service, async () => {
    await first.signal("SIGKILL");
    await startRole(service, "core", { ATELIER_GRPC_PORT: port });
  });
  await expectOneJobEach(service, sent);
  const interrupted = sent.filter(({ answers }) => answers.length > 1);
  console.log(`${interrupted.length} of ${REQUESTS} requests were interrupted by the end of core`);
  expect(interrupted.length).toBeGreaterThan(0);
});

test("[GEN-15] a response lost after the job was created: the repeat gets the same job, marked as a replay", async () => {
  const service = await begin({ worker: false });
  const { accountId, key } = await createCustomer(service.app);
  const body = JSON.stringify(PICTURE);
  const { port } = new URL(service.url);
  // The client sends its whole request and disconnects before reading.
  const socket = connect(Number(port), "127.0.0.1");
  socket.write(
    [
      `POST ${GENERATE} HTTP/1.1`,
      "host: localhost",
      `authorization: Bearer ${key}`,
      "content-type: application/json",
      "idempotency-key: lost",
      `content-length: ${body.length}`,
      "",
      body,
    ].join("\r\n"),
  );
  const made = await waitFor("the job to be made", () =>
    jobs(service.app.mongo.db).findOne({ account_id: accountId }),
  );
  socket.destroy();
  const again = await service.generate(key, {}, { "idempotency-key": "lost" });
  expect([again.status, again.headers.get("idempotency-replayed"), again.body.result.job_id]).toEqual([
    202,
    "true",
    made._id,
  ]);
  expect(await jobs(service.app.mongo.db).countDocuments()).toBe(1);
  expect(await service.audit()).toEqual([]);
});

test("an open transaction of a killed process blocks its account for seconds, not for mongod's default of a minute", async () => {
  const service = await begin({ worker: false });
  const { accountId, key } = await createCustomer(service.app);
  const { client, db } = service.app.mongo;
  const session = client.startSession();
  onTestFinished(() => session.endSession());
  session.startTransaction();
  await accounts(db).updateOne({ _id: accountId }, { $inc: { served_at: 1 } }, { session });

  expect((await service.generate(key)).status).toBe(202);
  await expect(session.commitTransaction()).rejects.toThrow(/has been aborted/);
  expect(await service.audit()).toEqual([]);
});

test("[ERR-20] kill -9 of the database under load: no request hangs, and every job is accepted once and ends", async () => {
  const mongod = await startOwnMongod();
  const service = await begin({ mongodbUri: mongod.uri });
  const sent = await sendAll(service, mongod.killAndComeBack);
  await waitFor(
    "every job to complete",
    async () => (await jobs(service.app.mongo.db).countDocuments({ state: "completed" })) === REQUESTS,
  );
  await expectOneJobEach(service, sent);
});

test("no job is created for callers who timed out while the database hung", async () => {
  const proxy = await startTcpProxy(Number(new URL(inject("mongodUri")).port));
  onTestFinished(() => proxy.cut());
  const service = await begin({ worker: false, mongodbUri: uriByPort(proxy.port) });
  const { accountId } = await createCustomer(service.app, { credits: 10_000 });
  const generate = (deadlineMs: number) =>
    service.core.jobs.Generate(
      { ...PICTURE, params_json: "{}" },
      {
        deadlineMs,
        caller: { kind: "account", accountId, source: "app" },
      },
    );
  await generate(30_000);

  proxy.blackHole();
  const given = await Promise.allSettled(Array.from({ length: 50 }, () => generate(1_000)));
  expect(new Set(given.map((one) => one.status === "rejected" && one.reason.code))).toEqual(
    new Set(["deadline_exceeded"]),
  );
  await proxy.restore();
  // All earlier work ends before this.
  await waitFor("core to accept again", () => generate(30_000));
  expect(await jobs(service.app.mongo.db).countDocuments({})).toBe(2);
});
