// Files in an S3-compatible store, with and without faults.
import { createHash, randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { inTx } from "../../../../core/base/mongo/in-tx.ts";
import {
  type ObjectStore,
  ObjectStoreError,
  openObjectStore,
} from "../../../../core/base/objects/object-store.ts";
import type { App } from "../../../../core/kernel/app.ts";
import { removeExpiredOutputs } from "../../../../core/kernel/outputs/expire.ts";
import { openOutput } from "../../../../core/kernel/outputs/open.ts";
import { saveOutputs } from "../../../../core/kernel/outputs/save.ts";
import { insertFiles } from "../../../../core/kernel/outputs/store.ts";
import { loadConfig } from "../../../../runtime/config/config.ts";
import { useTestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { startS3Server } from "../../../support/s3-server.ts";
import { waitFor } from "../../../support/wait-for.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Only a store that hangs takes longer. */
const ANSWER_MS = 20_000;
const owner = { accountId: "acc_1", jobId: "job_1" };
const clock = createFakeClock("2026-01-01T00:00:00.000Z");

const testApp = useTestApp({ clock });
beforeEach(async () => {
  clock.set("2026-01-01T00:00:00.000Z");
  for (const name of ["outputs.files", "outputs.chunks"])
    await testApp.app.mongo.db.collection(name).deleteMany({});
});

function open(env: Readonly<Record<string, string>>, answerMs = ANSWER_MS): ObjectStore {
  const objects = openObjectStore(loadConfig(env), answerMs);
  if (!objects) throw new Error("no object store is configured");
  onTestFinished(() => objects.close());
  return objects;
}

/** An App that keeps its files in the test's own S3 server. */
async function withS3(change: Readonly<Record<string, string>> = {}) {
  const s3 = await startS3Server();
  const app: App = { ...testApp.app, objects: open({ ...s3.env, ...change }) };
  return { s3, app };
}

/** Returns the file's id. */
async function save(app: App, bytes: Uint8Array, signal = new AbortController().signal): Promise<string> {
  const saved = await saveOutputs(
    app,
    owner,
    [{ bytes, mimeType: "image/png", contentCredentials: "off" }],
    signal,
  );
  await inTx(app, (session) => insertFiles(app.mongo.db, saved.files, session));
  return saved.outputs[0]?.output_id ?? "";
}

async function read(app: App, outputId: string, offset = 0, length = 0): Promise<Buffer> {
  return buffer((await openOutput(app, { ...owner, outputId, offset, length })).stream());
}

const countOf = (name: string) => testApp.app.mongo.db.collection(name).countDocuments();
const messageOf = (work: Promise<unknown>) => work.then(String, ({ message }: Error) => message);

describe("with an object store", () => {
  test.each([0, 1, 16 * 1024, 3_000_000])(
    "[OUT-06] a file of %d bytes is uploaded before its job is finalized, and reads back unchanged",
    async (size) => {
      const { s3, app } = await withS3();
      const bytes = randomBytes(size);
      const { signal } = new AbortController();
      const saved = await saveOutputs(
        app,
        owner,
        [{ bytes, mimeType: "image/png", contentCredentials: "off" }],
        signal,
      );
      const id = saved.outputs[0]?.output_id ?? "";
      expect(saved.files).toEqual([]);
      expect(s3.objects.get(`acc_1/job_1/${id}`)).toEqual({ bytes, mimeType: "image/png" });
      expect(await countOf("outputs.chunks")).toBe(0);
      const { head, stream } = await openOutput(app, { ...owner, outputId: id, offset: 0, length: 0 });
      expect(head).toMatchObject({ bytes: size, sha256: createHash("sha256").update(bytes).digest("hex") });
      expect(Buffer.compare(await buffer(stream()), bytes)).toBe(0);
    },
  );

  test("[OUT-06] a range requests only its bytes from the store", async () => {
    const { app } = await withS3();
    const bytes = randomBytes(100_000);
    const id = await save(app, bytes);
    expect(Buffer.compare(await read(app, id, 10, 50_000), bytes.subarray(10, 50_010))).toBe(0);
    expect(Buffer.compare(await read(app, id, -7), bytes.subarray(-7))).toBe(0);
    expect(await read(app, id, 100_000, 5)).toHaveLength(0);
  });

  test("a reader who disconnects midway leaks nothing", async () => {
    const { app } = await withS3();
    const id = await save(app, randomBytes(3_000_000));
    const { stream } = await openOutput(app, { ...owner, outputId: id, offset: 0, length: 0 });
    for await (const chunk of stream()) {
      expect(chunk.length).toBeLessThan(3_000_000);
      break;
    }
    expect(await read(app, id, 0, 10)).toHaveLength(10);
  });

  test("the sweep removes objects with their documents, failed uploads included", async () => {
    const { s3, app } = await withS3();
    await save(app, randomBytes(10));
    s3.trouble = () => 403;
    await expect(save(app, randomBytes(10))).rejects.toThrow("403");
    s3.trouble = () => undefined;
    expect([s3.objects.size, await countOf("outputs.files")]).toEqual([1, 2]);
    expect(await removeExpiredOutputs(app)).toBe(0);
    clock.advance(30 * DAY_MS);
    expect(await removeExpiredOutputs(app)).toBe(2);
    expect([s3.objects.size, await countOf("outputs.files")]).toEqual([0, 0]);
  });

  test("an object that cannot be removed keeps its document for the next sweep; the others are removed", async () => {
    const { s3, app } = await withS3();
    const stuck = await save(app, randomBytes(10));
    await save(app, randomBytes(10));
    clock.advance(30 * DAY_MS);
    s3.trouble = (_method, key) => (key.endsWith(stuck) ? 500 : undefined);
    await expect(removeExpiredOutputs(app)).rejects.toThrow("500");
    expect([...s3.objects.keys()]).toEqual([`acc_1/job_1/${stuck}`]);
    expect(await countOf("outputs.files")).toBe(1);
    s3.trouble = () => undefined;
    expect(await removeExpiredOutputs(app)).toBe(1);
    expect(s3.objects.size).toBe(0);
  });

  test("files that were stored before it was configured stay readable, and are swept", async () => {
    const { app } = await withS3();
    const bytes = randomBytes(50_000);
    const id = await save(testApp.app, bytes);
    expect(Buffer.compare(await read(app, id), bytes)).toBe(0);
    clock.advance(30 * DAY_MS);
    expect(await removeExpiredOutputs(app)).toBe(1);
    expect([await countOf("outputs.files"), await countOf("outputs.chunks")]).toEqual([0, 0]);
  });

  test("files in it are still listed when it is not configured any more", async () => {
    const { app, s3 } = await withS3();
    const id = await save(app, randomBytes(10));
    await expect(read(testApp.app, id)).rejects.toThrow("none is configured");
    clock.advance(30 * DAY_MS);
    expect(await removeExpiredOutputs(testApp.app)).toBe(0);
    expect(await removeExpiredOutputs(app)).toBe(1);
    expect(s3.objects.size).toBe(0);
  });
});

describe("a faulty object store", () => {
  test("is retried after a temporary failure", async () => {
    const { s3, app } = await withS3();
    s3.trouble = () => (s3.requests.length <= 2 ? 503 : undefined);
    const bytes = randomBytes(10);
    const id = await save(app, bytes);
    expect(s3.requests).toEqual(Array(3).fill(`PUT acc_1/job_1/${id}`));
    s3.requests.length = 1;
    expect(await read(app, id)).toEqual(bytes);
  });

  test("a faulty object store that refuses is reported immediately, with its message", async () => {
    const { s3, app } = await withS3({ ATELIER_S3_SECRET_ACCESS_KEY: "another" });
    expect(await messageOf(save(app, randomBytes(10)))).toMatch(
      /^PUT \S+ was answered with 403 \(SignatureDoesNotMatch\)$/,
    );
    expect(s3.requests).toHaveLength(1);
  });

  test("a faulty object store that hangs delays a caller to the deadline at most, and not one that has left", async () => {
    const { s3, app } = await withS3();
    const id = await save(app, randomBytes(10));
    s3.trouble = () => "hang";
    const hasty = { ...app, objects: open(s3.env, 200) };
    expect(await messageOf(read(hasty, id))).toContain("got no answer");
    const gone = new AbortController();
    const saving = save(app, randomBytes(10), gone.signal);
    gone.abort(new Error("the lease is lost"));
    expect(await messageOf(saving)).toBe("the lease is lost");
  });

  test("a faulty object store that hangs does not delay the end of the process", async () => {
    const { s3, app } = await withS3();
    s3.trouble = () => "hang";
    const saving = messageOf(save(app, randomBytes(10)));
    await waitFor("the request", () => s3.requests.length > 0);
    await app.objects?.close();
    expect(await saving).toContain("got no answer");
  });

  test("a faulty object store that loses an object fails only its readers", async () => {
    const { s3, app } = await withS3();
    const id = await save(app, randomBytes(10));
    s3.objects.clear();
    expect(await messageOf(read(app, id))).toContain("was answered with 404 (NoSuchKey)");
  });

  test("a faulty object store that ignores ranges, disconnects or sends too few bytes causes an error", async () => {
    const { s3, app } = await withS3();
    const id = await save(app, randomBytes(10));
    s3.trouble = () => "whole";
    expect(await messageOf(read(app, id, 2, 3))).toContain("more than the range");
    s3.trouble = () => "stop";
    await expect(read(app, id)).rejects.toThrow(ObjectStoreError);
    s3.trouble = () => undefined;
    s3.objects.set(`acc_1/job_1/${id}`, { bytes: randomBytes(4), mimeType: "image/png" });
    expect(await messageOf(read(app, id))).toContain("4 bytes of 10");
  });
});

test("an incomplete configuration is refused with the missing settings", () => {
  expect(() => loadConfig({ ATELIER_S3_BUCKET: "made-here" })).toThrow(
    "ATELIER_S3_ENDPOINT: required with the other settings of S3. ATELIER_S3_ACCESS_KEY_ID",
  );
  expect(openObjectStore(loadConfig({}))).toBeUndefined();
});
