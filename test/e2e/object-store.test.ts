// The whole service with its files in an S3-compatible store, as a job's owner sees it.
import { expect, onTestFinished, test } from "vitest";
import { createCustomer } from "../support/app.ts";
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
