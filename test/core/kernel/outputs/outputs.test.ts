import { createHash, randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import * as fc from "fast-check";
import { type Binary, GridFSBucket, type ObjectId } from "mongodb";
import { beforeEach, describe, expect, test } from "vitest";
import type { ProviderOutput } from "../../../../core/adapters/providers/provider.ts";
import { inTx } from "../../../../core/base/mongo/in-tx.ts";
import { removeExpiredOutputs } from "../../../../core/kernel/outputs/expire.ts";
import { listMade } from "../../../../core/kernel/outputs/find-files.ts";
import { openOutput } from "../../../../core/kernel/outputs/open.ts";
import { clipRange } from "../../../../core/kernel/outputs/rules.ts";
import { saveOutputs } from "../../../../core/kernel/outputs/save.ts";
import { signOutputUrl, verifySignedAccess } from "../../../../core/kernel/outputs/sign.ts";
import { insertFiles, type OutputDoc } from "../../../../core/kernel/outputs/store.ts";
import { useTestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const owner = { accountId: "acc_1", jobId: "job_1" };

const START = "2026-01-01T00:10:00.000Z";
const clock = createFakeClock(START);
const { app } = useTestApp({ clock });
beforeEach(async () => {
  clock.set(START);
  for (const name of ["outputs.files", "outputs.chunks"]) await app.mongo.db.collection(name).deleteMany({});
});

const unsigned = (output: ProviderOutput) => ({ ...output, contentCredentials: "off" as const });

/** Saves as a finalizing job does: large files immediately, small ones in its transaction. */
async function saveAll(outputs: readonly ProviderOutput[]): Promise<OutputDoc[]> {
  const saved = await saveOutputs(app, owner, outputs.map(unsigned), new AbortController().signal);
  await inTx(app, (tx) => insertFiles(app.mongo.db, saved.files, tx));
  return saved.outputs;
}

async function save(bytes: Uint8Array): Promise<OutputDoc> {
  const [doc] = await saveAll([{ bytes, mimeType: "image/png", width: 3, height: 2 }]);
  if (!doc) throw new Error("nothing was saved");
  return doc;
}

async function read(outputId: string, offset = 0, length = 0): Promise<Buffer> {
  const { stream } = await openOutput(app, { ...owner, outputId, offset, length });
  return buffer(stream());
}

/** The numbers of file documents and of chunks. */
const count = async () =>
  Promise.all(
    ["outputs.files", "outputs.chunks"].map((name) => app.mongo.db.collection(name).countDocuments()),
  );

/** The maximum size of a small file. */
const SMALL = 16 * 1024;

/** Stores the bytes of a small file as releases before schema version 5 did. */
async function storeInChunk(fileId: string): Promise<void> {
  const { db } = app.mongo;
  const files = db.collection<{ _id: string; data?: Binary }>("outputs.files");
  const { data } = (await files.findOneAndUpdate({ _id: fileId }, { $unset: { data: "" } })) ?? {};
  if (!data) throw new Error(`${fileId} is not one document`);
  await db
    .collection<{ _id: string }>("outputs.chunks")
    .insertOne({ _id: `${fileId}/0`, files_id: fileId, n: 0, data } as { _id: string });
}

const refusal = (asked: Promise<unknown>) => asked.then(String, ({ code, message }) => `${code} ${message}`);
const NOT_FOUND = "not_found There is nothing at this address.";

describe("a saved output", () => {
  test("[OUT-01] is described by size, hash, dimensions and expiry", async () => {
    const bytes = randomBytes(1000);
    const docs = await saveAll([
      { bytes, mimeType: "image/png", width: 3, height: 2 },
      { bytes: randomBytes(5), mimeType: "audio/wav", durationSeconds: 1.5 },
    ]);
    expect(docs).toEqual([
      {
        output_id: expect.stringMatching(/^out_/),
        mime_type: "image/png",
        bytes: 1000,
        sha256: createHash("sha256").update(bytes).digest("hex"),
        width: 3,
        height: 2,
        duration_seconds: null,
        expires_at: new Date("2026-01-31T01:00:00.000Z"),
        content_credentials: "off",
      },
      expect.objectContaining({
        mime_type: "audio/wav",
        bytes: 5,
        width: null,
        height: null,
        duration_seconds: 1.5,
      }),
    ]);
  });

  test("reports what it shows of the prompt where the provider reports it, and otherwise the file's properties", async () => {
    const understood = { drawn: ["fox"], not_drawn: ["velvet"] };
    const [doc] = await saveAll([{ bytes: randomBytes(20_000), mimeType: "image/png", understood }]);
    expect(doc).toMatchObject({ understood });
    const file = await app.mongo.db.collection("outputs.files").findOne({ "metadata.sha256": doc?.sha256 });
    expect(file?.["metadata"]).not.toHaveProperty("understood");
  });

  test.each([
    ...[0, 1, SMALL, SMALL + 1, 255 * 1024 - 1, 255 * 1024, 255 * 1024 + 1, 6_000_000].map((size) => ({
      size,
      where: "as it is now" as const,
    })),
    ...[1, SMALL].map((size) => ({ size, where: "in a chunk" as const })),
  ])("a saved output of $size bytes reads back unchanged, stored $where", async ({ size, where }) => {
    const bytes = randomBytes(size);
    const { output_id, sha256 } = await save(bytes);
    if (where === "in a chunk") await storeInChunk(output_id);
    const { head, stream } = await openOutput(app, { ...owner, outputId: output_id, offset: 0, length: 0 });
    expect(head).toEqual({
      mimeType: "image/png",
      bytes: size,
      sha256,
      offset: 0,
      length: size,
      expiresAt: new Date("2026-01-31T01:00:00.000Z"),
    });
    expect(Buffer.compare(await buffer(stream()), bytes)).toBe(0);
  });

  test("a saved output that is small is written in the finalizing transaction, and not without it", async () => {
    const { signal } = new AbortController();
    const small = await saveOutputs(
      app,
      owner,
      [{ bytes: randomBytes(SMALL), mimeType: "image/png", contentCredentials: "off" }],
      signal,
    );
    const large = await saveOutputs(
      app,
      owner,
      [{ bytes: randomBytes(SMALL + 1), mimeType: "image/png", contentCredentials: "off" }],
      signal,
    );
    expect([small.files.length, large.files.length]).toEqual([1, 0]);
    const given = new Error("given up");
    await expect(
      inTx(app, async (tx) => {
        await insertFiles(app.mongo.db, small.files, tx);
        throw given;
      }),
    ).rejects.toBe(given);
    expect(await count()).toEqual([1, 1]);
  });

  test("is one document when small", async () => {
    const bytes = randomBytes(SMALL);
    await saveAll([{ bytes, mimeType: "image/png" }]);
    expect(await count()).toEqual([1, 0]);
    await saveAll([
      { bytes, mimeType: "image/png" },
      { bytes: randomBytes(SMALL + 1), mimeType: "image/png" },
    ]);
    expect(await count(), "beside a large one as well").toEqual([3, 1]);
  });

  test("is a GridFS file that other tools read", async () => {
    const bytes = randomBytes(600_000);
    const { output_id } = await save(bytes);
    const bucket = new GridFSBucket(app.mongo.db, { bucketName: "outputs" });
    expect(
      Buffer.compare(await buffer(bucket.openDownloadStream(output_id as unknown as ObjectId)), bytes),
    ).toBe(0);
  });

  test("a saved output that two workers save is two files, each readable under its own id", async () => {
    const first = await save(Buffer.from("first"));
    const second = await save(Buffer.from("second"));
    expect(first.output_id).not.toBe(second.output_id);
    expect([String(await read(first.output_id)), String(await read(second.output_id))]).toEqual([
      "first",
      "second",
    ]);
  });

  test("a saved output with a missing chunk fails to read", async () => {
    const { output_id } = await save(randomBytes(600_000));
    await app.mongo.db.collection("outputs.chunks").deleteOne({ files_id: output_id as never, n: 1 });
    await expect(read(output_id)).rejects.toThrow("part 1");
  });
});

describe("a range of an output", () => {
  test.each([1_000, 700_000])("of %i bytes returns exactly its bytes, across chunks", async (size) => {
    const bytes = randomBytes(size);
    const { output_id } = await save(bytes);
    const edge = 255 * 1024;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -size - 100, max: size + 100 }),
        fc.nat({ max: size + 100 }),
        async (offset, length) => {
          const range = clipRange(size, { offset, length });
          const expected = bytes.subarray(range.offset, range.offset + range.length);
          expect(Buffer.compare(await read(output_id, offset, length), expected)).toBe(0);
        },
      ),
      {
        numRuns: 50,
        examples: [
          [0, 1],
          [edge - 1, 2],
          [edge, edge],
          [10, 2 * edge],
          [-5, 0],
          [-edge, 7],
        ],
      },
    );
  });

  test("is clipped to the file", () => {
    expect(clipRange(100, { offset: 10, length: 0 })).toEqual({ offset: 10, length: 90 });
    expect(clipRange(100, { offset: 90, length: 50 })).toEqual({ offset: 90, length: 10 });
    expect(clipRange(100, { offset: -10, length: 0 })).toEqual({ offset: 90, length: 10 });
    expect(clipRange(100, { offset: -10, length: 3 })).toEqual({ offset: 90, length: 3 });
    expect(clipRange(100, { offset: 100, length: 1 })).toEqual({ offset: 100, length: 0 });
    fc.assert(
      fc.property(
        fc.nat(1000),
        fc.integer({ min: -2000, max: 2000 }),
        fc.integer({ min: -5, max: 2000 }),
        (bytes, offset, length) => {
          const range = clipRange(bytes, { offset, length });
          expect(range.offset).toBeGreaterThanOrEqual(0);
          expect(range.length).toBeGreaterThanOrEqual(0);
          expect(range.offset + range.length).toBeLessThanOrEqual(bytes);
        },
      ),
    );
  });
});

test("outputs of another account or job, unknown and expired ones get the same refusal", async () => {
  const { output_id: outputId } = await save(Buffer.from("x"));
  const whole = { offset: 0, length: 0 };
  const open = (key: { accountId: string; jobId: string; outputId: string }) =>
    refusal(openOutput(app, { ...key, ...whole }));
  expect(await open({ ...owner, outputId })).not.toBe(NOT_FOUND);
  expect(await open({ ...owner, accountId: "acc_2", outputId })).toBe(NOT_FOUND);
  expect(await open({ ...owner, jobId: "job_2", outputId })).toBe(NOT_FOUND);
  expect(await open({ ...owner, outputId: "out_unknown" })).toBe(NOT_FOUND);
  clock.advance(30 * DAY_MS + HOUR_MS);
  expect(await open({ ...owner, outputId })).toBe(NOT_FOUND);
});

const access = (url: string) => {
  const { pathname, searchParams } = new URL(url);
  const [, , , jobId = "", , outputId = ""] = pathname.split("/");
  const get = (name: string) => searchParams.get(name) ?? "";
  return {
    jobId,
    outputId,
    account: get("account"),
    expires: Number(get("expires")),
    signature: get("signature"),
  };
};

const sign = ({ output_id: outputId, expires_at: expiresAt }: OutputDoc) =>
  signOutputUrl(app, { ...owner, outputId, expiresAt, now: clock.now() });

describe("a signed URL", () => {
  test("[OUT-40] opens its file for a day, rounded up to the hour, and then reports that it has expired", async () => {
    const output = await save(Buffer.from("x"));
    const url = sign(output);
    expect(url).toContain(
      `http://localhost:8080/api/jobs/job_1/outputs/${output.output_id}?account=acc_1&expires=`,
    );
    expect(access(url).expires).toBe(Date.parse("2026-01-02T01:00:00.000Z") / 1000);
    expect(verifySignedAccess(app, access(url))).toBe("acc_1");
    clock.set("2026-01-02T00:59:59.999Z");
    expect(verifySignedAccess(app, access(url))).toBe("acc_1");
    clock.set("2026-01-02T01:00:00.000Z");
    expect(() => verifySignedAccess(app, access(url))).toThrow(
      expect.objectContaining({
        code: "not_found",
        message: "This address has expired.",
        hint: expect.stringMatching(/^Read the job again/),
      }),
    );
  });

  test("stays the same for an hour, so that it can be cached", async () => {
    const output = await save(Buffer.from("x"));
    const url = sign(output);
    clock.set("2026-01-01T01:00:00.000Z");
    expect(sign(output)).toBe(url);
    clock.set("2026-01-01T01:00:00.001Z");
    expect(sign(output)).not.toBe(url);
  });

  test("does not outlive the file", async () => {
    const output = await save(Buffer.from("x"));
    clock.set("2026-01-30T23:00:00.000Z");
    expect(access(sign(output)).expires).toBe(output.expires_at.getTime() / 1000);
  });

  test("[OUT-40] [OUT-02] is refused with a clear message when any part of it is changed", async () => {
    const ALTERED = expect.objectContaining({
      code: "not_found",
      message: "This address was altered or cut off: its signature does not fit.",
      hint: expect.stringContaining("Copy the whole address"),
    });
    const genuine = access(sign(await save(Buffer.from("x"))));
    const [letter, ...rest] = genuine.signature;
    const changed = [
      { jobId: "job_2" },
      { outputId: "out_other" },
      { account: "acc_2" },
      { expires: genuine.expires + 1 },
      { signature: "" },
      { signature: [letter === "A" ? "B" : "A", ...rest].join("") },
      { signature: `${genuine.signature}AAAA` },
    ];
    for (const change of changed) {
      expect(() => verifySignedAccess(app, { ...genuine, ...change })).toThrow(ALTERED);
    }
    expect(() => verifySignedAccess({ ...app, secrets: ["another secret"] }, genuine)).toThrow(ALTERED);
  });
});

test("files with certain bytes are found by one index lookup for each known ending", async () => {
  const [bytes, sha256] = [Buffer.from("wanted"), createHash("sha256").update("wanted").digest("hex")];
  const files = app.mongo.db.collection<{ _id: string }>("outputs.files");
  const like = await save(Buffer.from("any"));
  const [any] = await files.find({ _id: like.output_id }).toArray();
  await files.insertMany(
    Array.from({ length: 2_000 }, (_, n) => ({
      ...any,
      _id: `out_${n}`,
      metadata: {
        account_id: "acc_1",
        job_id: "job_1",
        sha256: createHash("sha256").update(`${n}`).digest("hex"),
        expires_at: new Date(Date.parse(START) + (1 + (n % 20)) * HOUR_MS),
      },
    })),
  );
  const made = [(await save(bytes)).output_id];
  clock.advance(DAY_MS);
  made.push((await save(bytes)).output_id);
  clock.set(START);
  expect((await listMade(app, sha256)).map(({ outputId }) => outputId)).toEqual(made);
  expect(await listMade(app, "0".repeat(64))).toEqual([]);
  const { executionStats } = await files
    .find({ "metadata.expires_at": { $gt: clock.now() }, "metadata.sha256": sha256 })
    .hint("expires_sha256")
    .explain("executionStats");
  // Some keys for each of the 22 file endings.
  expect(executionStats.totalKeysExamined).toBeLessThan(22 * 4);
  expect(executionStats.totalDocsExamined).toBe(2);
  clock.advance(32 * DAY_MS);
  expect(await listMade(app, sha256), "what is over is known no more").toEqual([]);
});

test("[OUT-05] the sweep of outputs removes expired files, finalized or not, and no others", async () => {
  for (let i = 0; i < 120; i++) await save(Buffer.from(`old ${i}`));
  clock.advance(DAY_MS);
  const fresh = await save(randomBytes(600_000));
  clock.advance(29 * DAY_MS);
  // All files that expire within an hour are removed together.
  expect(await removeExpiredOutputs(app)).toBe(0);
  clock.advance(HOUR_MS);
  expect(await removeExpiredOutputs(app)).toBe(120);
  expect(await count()).toEqual([1, 3]);
  expect(await read(fresh.output_id)).toHaveLength(600_000);
  clock.advance(DAY_MS);
  expect(await removeExpiredOutputs(app)).toBe(1);
  expect(await count()).toEqual([0, 0]);
});
