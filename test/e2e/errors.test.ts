// Refusals that need a service in trouble, on REST and tools. declared-answers.test.ts provokes each declared one.
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, inject, test } from "vitest";
import { TooManyConflicts } from "../../core/base/mongo/errors.ts";
import { plans } from "../../core/identity/accounts/store.ts";
import { retireModel } from "../../core/studio/models/change-status.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { request } from "../mcp/messages.ts";
import { createCustomer, makeKey } from "../support/app.ts";
import { expectRefusal, GENERATE, PICTURE } from "../support/http-calls.ts";
import { sharedByTests } from "../support/shared.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";

let key: string;
// Jobs stay reserved: no worker runs unless a test starts one.
const service = sharedByTests(() => startWholeService({ worker: false }));
beforeAll(async () => {
  ({ key } = await createCustomer(service.app, { credits: 100_000 }));
});

const TOOLS_LIST = request("tools/list");
const NO_JOB = "job_00000000000000000000000000";
const post = (body: unknown) => service.call(GENERATE, { key, method: "POST", body });

test("[ERR-16] a model that is unknown or retired is model_not_available", async () => {
  const refused = (slug: string) => ({ message: `There is no live model ${JSON.stringify(slug)}.` });
  expectRefusal(await post({ ...PICTURE, model_slug: "nothing" }), "model_not_available", refused("nothing"));
  expect((await post({ modality: "audio", model_slug: "tune", prompt: "rain" })).status).toBe(202);
  await retireModel(service.app, "tune");
  // Models are read again every second.
  const answer = await waitFor("the retirement to be heard of", async () => {
    const told = await post({ modality: "audio", model_slug: "tune", prompt: "rain" });
    return told.status !== 202 && told;
  });
  expectRefusal(answer, "model_not_available", refused("tune"));
});

test("[AUTH-03] a read key's write that would read first is insufficient_scope, also where there is nothing to read", async () => {
  const { accountId } = await createCustomer(service.app);
  const { secret: readKey } = await makeKey(service.app, accountId, { scope: "read" });
  for (const [path, init] of [
    ["/v1/images/generations", { method: "POST", body: { prompt: "a", model: "none" } }],
    ["/v1/videos/job_01M8EJYV6KE8MQ9EHJ3N2YCMTX", { method: "DELETE" }],
  ] as const)
    expect(await service.call(path, { key: readKey, ...init })).toMatchObject({
      status: 403,
      body: { error: { code: "insufficient_scope" } },
    });
});

test("[ERR-22] an outage of the database is service_unavailable with Retry-After", async ({
  onTestFinished,
}) => {
  const proxy = await startTcpProxy(Number(/:(\d+)\//.exec(inject("mongodUri"))?.[1]));
  const cuttable = await startWholeService({
    worker: false,
    mongodbUri: `mongodb://127.0.0.1:${proxy.port}/?directConnection=true`,
  });
  onTestFinished(async () => {
    await cuttable.close();
    await proxy.cut();
  });
  const customer = await createCustomer(cuttable.app);
  expect((await cuttable.generate(customer.key)).status).toBe(202);
  await proxy.cut();
  const [tools, ...answers] = await Promise.all([
    cuttable.rpc(customer.key, TOOLS_LIST),
    cuttable.generate(customer.key),
    ...["/api/jobs", "/api/models", "/api/credits/balance"].map((path) =>
      cuttable.call(path, { key: customer.key }),
    ),
  ]);
  for (const answer of answers) expectRefusal(answer, "service_unavailable", { retry_after_seconds: 2 });
  expect(tools).toMatchObject({ status: 503, body: { error: { data: { code: "service_unavailable" } } } });
  expect(tools.headers.get("retry-after")).toBe("2");
  expect(cuttable.errors).toEqual([]);
  await proxy.restore();
  await waitFor("it to be back", async () => (await cuttable.generate(customer.key)).status === 202);
});

test("requests above core's capacity are service_unavailable, on REST and tools, until core is fast again", async ({
  onTestFinished,
}) => {
  const slow = await startWholeService({ worker: false });
  onTestFinished(() => slow.close());
  const customer = await createCustomer(slow.app);
  const { plans } = slow.app;
  Object.assign(slow.app, { plans: () => sleep(200).then(plans) });
  const balance = () => slow.call("/api/credits/balance", { key: customer.key });
  const refused: Awaited<ReturnType<typeof balance>>[] = [];
  let isOver = false;
  const keepAsking = async () => {
    while (!isOver) {
      const answer = await balance();
      if (answer.status !== 200) refused.push(answer);
    }
  };
  const callers = Array.from({ length: 100 }, keepAsking);
  const tool = await waitFor("a refusal of both", async () => {
    const answer = await slow.rpc(customer.key, TOOLS_LIST);
    return answer.status !== 200 && refused.length > 0 && answer;
  });
  // A cancel ends work, so it is accepted.
  const cancels = await Promise.all(
    Array.from({ length: 20 }, () =>
      slow.call(`/api/jobs/${NO_JOB}/cancel`, { key: customer.key, method: "POST" }),
    ),
  );
  expect(new Set(cancels.map(({ status }) => status))).toEqual(new Set([404]));
  isOver = true;
  await Promise.all(callers);
  const message = "More requests arrive than the service can serve. Nothing was done.";
  for (const answer of refused)
    expectRefusal(answer, "service_unavailable", { message, retry_after_seconds: 1 });
  expect(tool).toMatchObject({
    status: 503,
    body: { error: { data: { code: "service_unavailable", message } } },
  });
  expect(slow.lines.filter((line) => line.includes("unavailable"))).toEqual([]);
  Object.assign(slow.app, { plans });
  expect((await balance()).status).toBe(200);
});

test("a request that lost its write conflicts gets advice, and is not logged as an outage", async ({
  onTestFinished,
}) => {
  const busy = await startWholeService({ worker: false });
  onTestFinished(() => busy.close());
  const customer = await createCustomer(busy.app);
  Object.assign(busy.app, {
    plans: () => Promise.reject(new TooManyConflicts("lost 40 write conflicts in 41 tries")),
  });
  const answer = await busy.call(`/api/jobs/${NO_JOB}/cancel`, { key: customer.key, method: "POST" });
  expectRefusal(answer, "service_unavailable", {
    message: "Too many requests changed the same things at the same moment. Nothing was done.",
    hint: "Wait for the seconds in Retry-After, then try again, with fewer requests at the same time.",
    retry_after_seconds: 1,
  });
  const logged = busy.lines.filter((line) => /write conflicts/.test(line));
  expect(logged.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({
      msg: "a call lost its write conflicts to others, and did nothing",
      where: "Jobs.CancelJob",
      err: expect.objectContaining({ message: "lost 40 write conflicts in 41 tries" }),
    }),
  ]);
  expect(busy.lines.filter((line) => line.includes("the database is away"))).toEqual([]);
  expect(await busy.app.metrics.registry.getSingleMetricAsString("atelier_lost_calls_total")).toContain(
    'atelier_lost_calls_total{method="Jobs.CancelJob"} 1',
  );
});

test("[ERR-06] no refusal of this file reveals internals", async () => {
  const stored = await plans(service.app.mongo.db).findOne({ _id: "pro" });
  expect(stored).toMatchObject({ concurrency: 5 });
  const inside = /mongo|ECONN|at \w+ \(|node_modules|127\.0\.0\.1|grpc/i;
  for (const answer of [
    await post("{"),
    await service.call("/api/jobs/%00", { key }),
    await (
      await service.openEdge({ ATELIER_CORE_ADDRESS: `127.0.0.1:${await freePort()}` })
    ).call("/api/jobs", { key }),
  ])
    expect(answer.text).not.toMatch(inside);
});

test("no test of this file caused a 5xx", () => {
  expect(service.errors).toEqual([]);
});
