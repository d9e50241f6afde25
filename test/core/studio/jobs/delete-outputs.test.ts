// Files that their owner deletes: unreadable immediately, known as made here, and kept for a job that uses them.
import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { inTx } from "../../../../core/base/mongo/in-tx.ts";
import type { App } from "../../../../core/kernel/app.ts";
import { forgetOutputs, removeExpiredOutputs } from "../../../../core/kernel/outputs/expire.ts";
import { keepForJob, readKept } from "../../../../core/kernel/outputs/keep.ts";
import { findOwnOutput, openFile } from "../../../../core/kernel/outputs/open.ts";
import { saveOutputs } from "../../../../core/kernel/outputs/save.ts";
import { insertFiles } from "../../../../core/kernel/outputs/store.ts";
import { deleteOutputs } from "../../../../core/studio/jobs/delete-outputs.ts";
import { findOwnJob } from "../../../../core/studio/jobs/get.ts";
import { findFileNaming, openJobOutput } from "../../../../core/studio/jobs/open-output.ts";
import { toJob } from "../../../../core/studio/jobs/resource.ts";
import { type JobDoc, jobs } from "../../../../core/studio/jobs/store.ts";
import { verifyOutput } from "../../../../core/studio/jobs/verify-file.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { acceptOne } from "../../../support/accept.ts";
import { createCustomer, useTestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WHOLE = { offset: 0, length: 0 };
const clock = createFakeClock("2026-01-01T00:10:00.000Z");
let accountId: string;
let caller: Caller;
const testApp = useTestApp({ clock });
const { app } = testApp;
beforeAll(async () => {
  ({ accountId, caller } = await createCustomer(app));
});

/** A job with two pictures and thumbnails; those of 100 pixels are small files, stored in one document. */
async function made(
  on: App = app,
  width: 350 | 100 = 350,
): Promise<{ jobId: string; first: string; second: string; sha256: string }> {
  const { _id: jobId } = await acceptOne(testApp.app, caller, { prompt: "a pier at dawn" });
  const raw = { width, height: 20, channels: 3 } as const;
  const picture = async () => {
    const bytes = await sharp(randomBytes(width * 20 * 3), { raw })
      .png()
      .toBuffer();
    return { bytes, mimeType: "image/png", width, height: 20, contentCredentials: "off" as const };
  };
  const made = [await picture(), await picture()];
  const saved = await saveOutputs(on, { accountId, jobId }, made, new AbortController().signal);
  await inTx(app, (tx) => insertFiles(app.mongo.db, saved.files, tx));
  const ended: Partial<JobDoc> = { state: "completed", ended_at: clock.now(), outputs: saved.outputs };
  await jobs(app.mongo.db).updateOne({ _id: jobId }, { $set: ended });
  const [first, second] = saved.outputs;
  return {
    jobId,
    first: first?.output_id ?? "",
    second: second?.output_id ?? "",
    sha256: first?.sha256 ?? "",
  };
}

const remove = (jobId: string, outputIds: readonly string[] = [], on: App = app, by = accountId) =>
  deleteOutputs(on, { accountId: by, jobId, outputIds });
const outputsOf = async (jobId: string) =>
  (await toJob(app, await findOwnJob(app, accountId, jobId))).outputs;
const open = (jobId: string, outputId: string) =>
  openJobOutput(app, { accountId, jobId, outputId, ...WHOLE });
const stored = async (jobId: string) => {
  const facts = await app.mongo.db
    .collection<{ _id: string }>("outputs.files")
    .find({ "metadata.job_id": jobId })
    .toArray();
  const ids = facts.map(({ _id }) => _id);
  const chunks = await app.mongo.db.collection("outputs.chunks").countDocuments({ files_id: { $in: ids } });
  const small = facts.filter((file) => "data" in file).length;
  return { facts: ids.toSorted(), parts: chunks + small };
};

describe("a file that is deleted", () => {
  test("[OUT-50] is removed with its thumbnails, and its job stays and shows it", async () => {
    const { jobId, first, second } = await made();
    const before = await outputsOf(jobId);
    const whole = await stored(jobId);
    expect(whole.facts).toHaveLength(6);
    await remove(jobId, [first]);
    const [gone, kept] = await outputsOf(jobId);
    expect(gone).toEqual({
      ...before[0],
      expires_at: clock.now().toISOString(),
      deleted_at: clock.now().toISOString(),
      thumbnails: [],
    });
    expect(kept).toEqual(before[1]);
    const left = await stored(jobId);
    expect(left.facts).toHaveLength(4);
    expect(left.parts).toBeLessThan(whole.parts);
    await expect(open(jobId, first)).rejects.toMatchObject({
      code: "not_found",
      message: "This file was deleted by its owner.",
    });
    const [thumbnail] = before[0]?.thumbnails ?? [];
    const thumbnailId = thumbnail?.url.match(/outputs\/(thm_\w+)/)?.[1] ?? "";
    await expect(open(jobId, thumbnailId)).rejects.toMatchObject({ message: /deleted by its owner/ });
    expect(await buffer((await open(jobId, second)).stream())).toHaveLength(before[1]?.bytes ?? 0);
    // An unknown file gets the same response as before.
    await expect(open(jobId, "out_never")).rejects.toMatchObject({ message: /nothing at this address/ });
    expect(await findOwnOutput(app, { accountId, outputId: first })).toBeUndefined();
    expect(await openFile(app, first, WHOLE)).toBeUndefined();
  });

  test.each([350, 100] as const)(
    "[OUT-51] of %d pixels stays known as made here until it would have expired",
    async (width) => {
      const { jobId, first, sha256 } = await made(app, width);
      expect((await stored(jobId)).parts).toBeGreaterThan(0);
      await remove(jobId);
      expect(await stored(jobId)).toMatchObject({ facts: expect.arrayContaining([first]), parts: 0 });
      expect(await verifyOutput(app, sha256)).toMatchObject({ made: true, model_slug: "picture" });
      expect(await removeExpiredOutputs(app)).toBe(0);
      clock.advance(29 * DAY_MS);
      await removeExpiredOutputs(app);
      expect(await verifyOutput(app, sha256)).toMatchObject({ made: true });
      clock.advance(DAY_MS + 60 * MINUTE_MS);
      expect(await verifyOutput(app, sha256)).toMatchObject({ made: false });
      await removeExpiredOutputs(app);
      expect(await stored(jobId)).toEqual({ facts: [], parts: 0 });
      clock.set("2026-01-01T00:10:00.000Z");
    },
  );

  test("[OUT-50] is deleted once, and refused for an unfinished or foreign job", async () => {
    const { jobId, first, second } = await made();
    await Promise.all([remove(jobId, [first]), remove(jobId, [first])]);
    const once = await outputsOf(jobId);
    clock.advance(MINUTE_MS);
    await remove(jobId, [first]);
    expect(await outputsOf(jobId)).toEqual(once);
    await remove(jobId);
    expect((await outputsOf(jobId)).map(({ output_id, deleted_at }) => [output_id, deleted_at])).toEqual([
      [first, once[0]?.deleted_at],
      [second, clock.now().toISOString()],
    ]);
    await expect(remove(jobId, ["out_never"])).rejects.toMatchObject({ code: "not_found" });
    await expect(remove(jobId, [], app, "acc_other")).rejects.toMatchObject({ code: "job_not_found" });
    const { _id: waiting } = await acceptOne(testApp.app, caller);
    await expect(remove(waiting)).rejects.toMatchObject({ code: "job_not_ended" });
  });

  test("is removed with its digests when its account is erased", async () => {
    const { jobId, first, second } = await made();
    await remove(jobId, [first]);
    await forgetOutputs(app, [first, second]);
    expect((await stored(jobId)).facts.filter((id) => id.startsWith("out_"))).toEqual([]);
  });
});

describe("a file that is the input of a job", () => {
  /** A waiting job of the account with this file as its input. */
  async function given(fileId: string): Promise<string> {
    const until = new Date(clock.now().getTime() + DAY_MS);
    expect(await keepForJob(app, [fileId], until)).toBe(true);
    const { _id } = await acceptOne(testApp.app, caller);
    const input = { param: "image", file_id: fileId } as NonNullable<JobDoc["inputs"]>[number];
    await jobs(app.mongo.db).updateOne({ _id }, { $set: { inputs: [input] } });
    return _id;
  }
  const length = async (jobId: string) => (await outputsOf(jobId))[0]?.bytes ?? 0;

  test("[OUT-52] is kept for that job alone while it waits or runs, and swept once it has ended", async () => {
    const { jobId, first, second, sha256 } = await made();
    const bytes = await length(jobId);
    await given(first);
    clock.advance(60 * MINUTE_MS);
    await remove(jobId);
    expect((await stored(jobId)).facts.toSorted()).toEqual([first, second].toSorted());
    await expect(open(jobId, first)).rejects.toMatchObject({ code: "not_found" });
    const read = () => buffer(readKept(app, first, { offset: 0, length: bytes }));
    expect(await read()).toHaveLength(bytes);
    expect((await openFile(app, first, WHOLE))?.head.bytes).toBe(bytes);
    // No further job may use it.
    expect(await keepForJob(app, [first], new Date(clock.now().getTime() + DAY_MS))).toBe(false);
    await removeExpiredOutputs(app);
    expect(await read()).toHaveLength(bytes);
    expect(await verifyOutput(app, sha256)).toMatchObject({ made: true });
    clock.advance(DAY_MS + 60 * MINUTE_MS);
    await removeExpiredOutputs(app);
    expect((await stored(jobId)).parts).toBe(0);
    expect(await openFile(app, first, WHOLE)).toBeUndefined();
    expect(await verifyOutput(app, sha256)).toMatchObject({ made: true });
  });

  test("is removed immediately when that job has ended, unless a request with it may be in flight", async () => {
    const { jobId, first, second } = await made();
    for (const fileId of [first, second]) {
      const other = await given(fileId);
      await jobs(app.mongo.db).updateOne({ _id: other }, { $set: { state: "failed" } });
      if (fileId === first) clock.advance(11 * MINUTE_MS);
    }
    await remove(jobId);
    const left = await app.mongo.db.collection("outputs.chunks").distinct("files_id");
    expect([left.includes(first), left.includes(second)]).toEqual([false, true]);
  });
});

test("[OUT-50] bytes are removed from an object store, or by the next sweep when it refuses", async () => {
  const objects = new Map<string, Uint8Array>();
  let refuses = true;
  const store: Pick<NonNullable<App["objects"]>, "put" | "remove"> = {
    put: async ({ key, bytes }) => {
      objects.set(key, bytes as Uint8Array);
    },
    remove: async (key) => {
      if (refuses) throw new Error("not now");
      objects.delete(key);
    },
  };
  const there = { ...app, objects: store as NonNullable<App["objects"]> };
  const { jobId, sha256 } = await made(there);
  expect(objects.size).toBe(6);
  await remove(jobId, [], there);
  expect(objects.size).toBe(6);
  await expect(open(jobId, (await outputsOf(jobId))[0]?.output_id ?? "")).rejects.toMatchObject({
    code: "not_found",
  });
  expect(await verifyOutput(app, sha256)).toMatchObject({ made: true });
  refuses = false;
  clock.advance(60 * MINUTE_MS);
  await removeExpiredOutputs(there);
  expect(objects.size).toBe(0);
  expect(await verifyOutput(app, sha256)).toMatchObject({ made: true });
});

test("a file and its thumbnails are named by prompt and position", async () => {
  const { jobId, second } = await made();
  const thumbnail = (await outputsOf(jobId))[1]?.thumbnails[0]?.url.match(/outputs\/(thm_\w+)/)?.[1] ?? "";
  const naming = { prompt: "a pier at dawn", ordinal: 2 };
  expect(await findFileNaming(app, { accountId, jobId, outputId: second })).toEqual(naming);
  expect(await findFileNaming(app, { accountId, jobId, outputId: thumbnail })).toEqual(naming);
  expect(await findFileNaming(app, { accountId, jobId, outputId: "out_never" })).toBeUndefined();
});
