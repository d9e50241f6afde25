// Thumbnails: their sources and sizes, that they are files of their job, and that none of them fails a job.
import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { beforeEach, describe, expect, test } from "vitest";
import type { ProviderOutput } from "../../../../core/adapters/providers/provider.ts";
import { inTx } from "../../../../core/base/mongo/in-tx.ts";
import { openObjectStore } from "../../../../core/base/objects/object-store.ts";
import type { App } from "../../../../core/kernel/app.ts";
import { removeExpiredOutputs } from "../../../../core/kernel/outputs/expire.ts";
import { openOutput } from "../../../../core/kernel/outputs/open.ts";
import { saveOutputs } from "../../../../core/kernel/outputs/save.ts";
import { insertFiles, type OutputDoc } from "../../../../core/kernel/outputs/store.ts";
import { makeThumbnails } from "../../../../core/kernel/outputs/thumbnails.ts";
import { loadConfig } from "../../../../runtime/config/config.ts";
import { useTestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { startS3Server } from "../../../support/s3-server.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const owner = { accountId: "acc_1", jobId: "job_1" };
const clock = createFakeClock("2026-01-01T00:00:00.000Z");

const { app } = useTestApp({ clock });
beforeEach(async () => {
  clock.set("2026-01-01T00:00:00.000Z");
  for (const name of ["outputs.files", "outputs.chunks"]) await app.mongo.db.collection(name).deleteMany({});
});

/** Half red, half blue, so that a thumbnail is recognizable. */
function halves(width: number, height: number): Sharp {
  const right = {
    create: { width: width - (width >> 1), height, channels: 3, background: "#0000ff" },
  } as const;
  return sharp({ create: { width, height, channels: 3, background: "#ff0000" } }).composite([
    { input: right, left: width >> 1, top: 0 },
  ]);
}

async function picture(width: number, height: number): Promise<ProviderOutput> {
  return { bytes: await halves(width, height).png().toBuffer(), mimeType: "image/png", width, height };
}

/** The same PNG with a larger size in its header. */
function claiming(png: Uint8Array, width: number, height: number): Uint8Array {
  const changed = Buffer.from(png);
  changed.writeUInt32BE(width, 16);
  changed.writeUInt32BE(height, 20);
  changed.writeUInt32BE(crc32(changed.subarray(12, 29)), 29);
  return changed;
}

const unsigned = (output: ProviderOutput) => ({ ...output, contentCredentials: "off" as const });

async function save(outputs: readonly ProviderOutput[], at: App = app): Promise<OutputDoc[]> {
  const saved = await saveOutputs(at, owner, outputs.map(unsigned), new AbortController().signal);
  await inTx(at, (tx) => insertFiles(at.mongo.db, saved.files, tx));
  return saved.outputs;
}

const sizes = (doc: OutputDoc | undefined) =>
  doc?.thumbnails?.map(({ width, height }) => `${width}x${height}`).join(" ");

async function read(fileId: string, at: App = app): Promise<Buffer> {
  const { stream, head } = await openOutput(at, { ...owner, outputId: fileId, offset: 0, length: 0 });
  expect(head.mimeType).toBe("image/webp");
  return buffer(stream());
}

/** The colours in the middle of the left and the right half. */
async function coloursOf(webp: Uint8Array): Promise<string[]> {
  const { data, info } = await sharp(webp).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return [0.25, 0.75].map((x) => {
    const at = ((info.height >> 1) * info.width + Math.floor(info.width * x)) * info.channels;
    const [red = 0, , blue = 0] = data.subarray(at, at + 3);
    return red > blue ? "red" : "blue";
  });
}

describe("[OUT-08] thumbnails of a picture", () => {
  test.each([
    ["wide", 1280, 720, "320x180 640x360"],
    ["between the two widths", 500, 250, "320x160 500x250"],
    ["as wide as the narrow one", 320, 200, "320x200"],
    ["tiny", 3, 2, "3x2"],
    ["a strip", 400, 8000, "128x2560"],
  ])("%s (%d x %d) are never larger than the picture", async (_what, width, height, expected) => {
    const [doc] = await save([await picture(width, height)]);
    expect(sizes(doc)).toBe(expected);
    for (const thumbnail of doc?.thumbnails ?? []) {
      const bytes = await read(thumbnail.file_id);
      expect(bytes).toHaveLength(thumbnail.bytes);
      expect(await sharp(bytes).metadata()).toMatchObject({
        format: "webp",
        width: thumbnail.width,
        height: thumbnail.height,
      });
      expect(await coloursOf(bytes)).toEqual(["red", "blue"]);
    }
  });

  test.each(["jpeg", "webp", "gif", "avif"] as const)("in %s", async (format) => {
    const bytes = await halves(700, 350).toFormat(format).toBuffer();
    const [doc] = await save([{ bytes, mimeType: `image/${format}` }]);
    expect(sizes(doc)).toBe("320x160 640x320");
  });

  test("are upright for a rotated camera, and keep transparency", async () => {
    const turned = await halves(700, 350).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const clear = await sharp({
      create: { width: 700, height: 350, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer();
    const [upright, through] = await save([
      { bytes: turned, mimeType: "image/jpeg" },
      { bytes: clear, mimeType: "image/png" },
    ]);
    expect(sizes(upright)).toBe("320x640 350x700");
    const { hasAlpha } = await sharp(await read(through?.thumbnails?.[0]?.file_id ?? "")).metadata();
    expect(hasAlpha).toBe(true);
  });

  test("belong to their own output when a job made several, in order", async () => {
    const docs = await save([
      await picture(640, 640),
      { bytes: randomBytes(50), mimeType: "audio/wav" },
      await picture(100, 50),
    ]);
    expect(docs.map(sizes)).toEqual(["320x320 640x640", undefined, "100x50"]);
    expect(
      new Set(
        docs.flatMap(({ output_id, thumbnails = [] }) => [
          output_id,
          ...thumbnails.map(({ file_id }) => file_id),
        ]),
      ).size,
    ).toBe(6);
  });
});

test("[OUT-08] thumbnails of a video show its poster, and are absent without one", async () => {
  const clip = { bytes: randomBytes(40_000), mimeType: "video/mp4", width: 1280, height: 720 };
  const { bytes: poster } = await picture(1280, 720);
  const [withPoster, without] = await save([{ ...clip, poster }, clip]);
  expect(sizes(withPoster)).toBe("320x180 640x360");
  expect(without).not.toHaveProperty("thumbnails");
  expect(await coloursOf(await read(withPoster?.thumbnails?.[1]?.file_id ?? ""))).toEqual(["red", "blue"]);
});

describe("thumbnails are absent", () => {
  test("for an invalid or truncated picture, and one of too many pixels", async () => {
    const { bytes } = await picture(1000, 1000);
    const bomb = claiming(bytes, 12_000, 12_000);
    const outputs = [
      { bytes: randomBytes(5000), mimeType: "image/png" },
      { bytes: bytes.subarray(0, bytes.length >> 1), mimeType: "image/png" },
      { bytes: bomb, mimeType: "image/png" },
      { bytes: randomBytes(900), mimeType: "video/mp4", poster: randomBytes(900) },
      await picture(10, 10),
    ];
    const docs = await save(outputs);
    expect(docs.map(sizes)).toEqual([undefined, undefined, undefined, undefined, "10x10"]);
  });

  test("for other kinds of files, and for one too small for a picture", async () => {
    const log = { ...app.log, warn: () => expect.unreachable("it was opened") } as unknown as App["log"];
    const made = await makeThumbnails({ log }, [
      { bytes: randomBytes(16), mimeType: "application/octet-stream" },
      { bytes: randomBytes(5000), mimeType: "audio/wav" },
      { bytes: randomBytes(16), mimeType: "image/png" },
    ]);
    expect(made.size).toBe(0);
  });
});

describe("thumbnail files", () => {
  test("are written in the finalizing transaction with a small picture, and swept with it", async () => {
    const { signal } = new AbortController();
    const small = await saveOutputs(app, owner, [unsigned(await picture(32, 32))], signal);
    expect(small.files).toHaveLength(2);
    const [doc] = await save([await picture(900, 900)]);
    expect(await app.mongo.db.collection("outputs.files").countDocuments()).toBe(3);
    clock.advance(30 * DAY_MS);
    await expect(read(doc?.thumbnails?.[0]?.file_id ?? "")).rejects.toThrow(
      "There is nothing at this address",
    );
    expect(await removeExpiredOutputs(app)).toBe(3);
    expect(await app.mongo.db.collection("outputs.chunks").countDocuments()).toBe(0);
  });

  test("are stored in the object store when there is one", async () => {
    const s3 = await startS3Server();
    const objects = openObjectStore(loadConfig(s3.env), 5000);
    if (!objects) throw new Error("no object store is configured");
    const at: App = { ...app, objects };
    const [doc] = await save([await picture(900, 450)], at);
    const fileId = doc?.thumbnails?.[0]?.file_id ?? "";
    expect([...s3.objects.values()].map(({ mimeType }) => mimeType).sort()).toEqual([
      "image/png",
      "image/webp",
      "image/webp",
    ]);
    expect(s3.objects.get(`acc_1/job_1/${fileId}`)?.bytes).toEqual(await read(fileId, at));
    clock.advance(30 * DAY_MS);
    expect(await removeExpiredOutputs(at)).toBe(3);
    expect(s3.objects.size).toBe(0);
    await objects.close();
  });
});
