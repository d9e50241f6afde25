// The whole service with its files in an S3-compatible store, as a job's owner sees it.
import { expect, onTestFinished, test } from "vitest";
import { generateApiKey } from "../../runtime/keys/api-key.ts";
import { picture } from "../core/studio/uploads/pictures.ts";
import { createCustomer } from "../support/app.ts";
import { expectRefusal } from "../support/http-calls.ts";
import { startOwnRedis } from "../support/redis.ts";
import { type S3Server, startS3Server } from "../support/s3-server.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";

let s3: S3Server;
let service: WholeService;

async function start(): Promise<string> {
  s3 = await startS3Server();
  service = await startWholeService({ env: { ...s3.env } });
  onTestFinished(() => service.close());
  return (await createCustomer(service.app)).key;
}

/** Path and query of the first file of a new job. */
async function make(key: string): Promise<string> {
  const job = await service.make(key);
  const { pathname, search } = new URL(job.outputs[0]?.url ?? "");
  return pathname + search;
}

test("[OUT-07] a lost object is a plain error that is not cached and names no host", async () => {
  const path = await make(await start());
  s3.objects.clear();
  const lost = await service.call(path);
  expect([lost.status, lost.headers.get("cache-control")]).toEqual([500, "no-store"]);
  expect(lost.body).toMatchObject({ ok: false, code: "internal" });
  expect(lost.text).not.toMatch(/127\.0\.0\.1|NoSuchKey|acc_/);
  expect(service.errors.join("")).toContain("NoSuchKey");
});

test("[ERR-22] while the object store is unavailable or refuses, reading and uploading are service_unavailable with Retry-After", async () => {
  const key = await start();
  const path = await make(key);
  const body = await picture();
  for (const status of [503, 403]) {
    s3.trouble = (method) => (method === "GET" ? status : 403);
    const sent = service.call("/api/uploads", {
      key,
      method: "POST",
      body,
      headers: { "content-type": "image/png" },
    });
    for (const answer of await Promise.all([service.call(path), sent]))
      expectRefusal(answer, "service_unavailable", { retry_after_seconds: 2 });
  }
  expect(service.errors).toEqual([]);
  s3.trouble = () => undefined;
  expect((await service.call(path)).status).toBe(200);
});

test("[OUT-07] a job whose file the store refuses fails, refunded in full", async () => {
  const key = await start();
  s3.trouble = () => 403;
  const job = await service.make(key);
  expect(job).toMatchObject({
    state: "failed",
    error: { code: "storage_failed", message: "The provider's output could not be stored." },
    outputs: [],
  });
  const entries = await service.ledger(key, job.job_id);
  expect(entries.map(({ kind }) => kind)).toEqual(["refund", "debit", "reserve"]);
  expect(await service.audit()).toEqual([]);
  expect(service.errors.join("")).toContain("was answered with 403");
});

// Two HTTP ports of one service, each with gateway and tool endpoint, that share one Redis.
test("[LIM-03] two gateways with one Redis share rate limits, over REST and tools", async () => {
  const { url } = await startOwnRedis();
  const env = {
    ATELIER_RATE_LIMITS: "on",
    ATELIER_REDIS_URL: url,
    ATELIER_RATE_CATALOG: "3",
    ATELIER_RATE_FAILED_KEYS: "2",
  };
  const one = await startWholeService({ worker: false, env });
  onTestFinished(() => one.close());
  const other = await one.openEdge({});

  const plans = [one, other, one, other, one].map((face) => () => face.call("/api/plans"));
  const statuses: number[] = [];
  for (const ask of plans) statuses.push((await ask()).status);
  expect(statuses).toEqual([200, 200, 200, 429, 429]);

  const bad = { key: generateApiKey("gen") };
  expect((await one.call("/api/mcp", { ...bad, method: "POST", body: {} })).status).toBe(401);
  expect((await other.call("/api/jobs", bad)).status).toBe(401);
  for (const face of [one, other]) {
    const refused = await face.call("/api/jobs", bad);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("ratelimit-policy")).toBe('"failedKeys";q=2;w=60');
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  }
});
