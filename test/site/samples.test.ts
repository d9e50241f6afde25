// Sample files on pages: each exists, is small, and has the right type.
import fastify, { type FastifyInstance } from "fastify";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOCAL_MODELS } from "../../core/studio/models/seed.ts";
import { sampleRoutes } from "../../gateway/site/samples/sample-files.ts";
import {
  findSample,
  mediaOf,
  pictureOf,
  SAMPLES,
  SAMPLES_PATH,
  samplesOf,
} from "../../gateway/site/samples/samples.ts";

const MOST_BYTES = { small: 8_000, medium: 24_000, large: 46_000, media: 320_000 };

let server: FastifyInstance;

beforeAll(async () => {
  server = fastify();
  sampleRoutes(server);
  await server.ready();
});
afterAll(() => server.close());

describe("sample files", () => {
  test("show what each model makes, with valid params", () => {
    for (const { _id, params_schema_json, modality } of LOCAL_MODELS) {
      const { properties } = JSON.parse(params_schema_json) as { properties: object };
      const samples = samplesOf(_id);
      expect(samples.length, _id).toBeGreaterThan(0);
      for (const sample of samples) {
        expect(sample.modality).toBe(modality);
        expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(sample.params)));
        expect(findSample(sample.id)).toBe(sample);
      }
    }
  });

  test.each(SAMPLES.map((sample) => [sample.id, sample] as const))(
    "%s has its pictures in their size",
    async (_id, sample) => {
      for (const size of ["small", "medium", "large"] as const) {
        const { address, width, height } = pictureOf(sample, size);
        const { statusCode, headers, rawPayload } = await server.inject(address);
        expect(statusCode, address).toBe(200);
        expect(headers["content-type"]).toBe(sample.modality === "audio" ? "image/svg+xml" : "image/webp");
        expect(rawPayload.length).toBeLessThan(MOST_BYTES[size]);
        const real = await sharp(rawPayload).metadata();
        expect((real.width * height) / (real.height * width)).toBeCloseTo(1, 1);
        if (sample.modality !== "audio") expect([real.width, real.height]).toEqual([width, height]);
      }
    },
  );

  test("sample files of sound and video are served in ranges", async () => {
    const media = SAMPLES.flatMap((sample) => mediaOf(sample) ?? []);
    expect(media.length).toBeGreaterThan(5);
    for (const url of media) {
      const whole = await server.inject(url);
      expect(whole.headers["content-type"]).toBe(url.endsWith(".mp4") ? "video/mp4" : "audio/wav");
      expect(whole.rawPayload.length).toBeLessThan(MOST_BYTES.media);
      const part = await server.inject({ url, headers: { range: "bytes=4-7" } });
      expect(part.statusCode).toBe(206);
      expect(part.headers["content-range"]).toBe(`bytes 4-7/${whole.rawPayload.length}`);
      expect(part.rawPayload).toEqual(whole.rawPayload.subarray(4, 8));
      const known = await server.inject({ url, headers: { "if-none-match": whole.headers.etag ?? "" } });
      expect(known.statusCode).toBe(304);
    }
  });

  test.each(["none.webp", "..%2fsamples.ts", "%2e%2e/serve.ts"])("%s does not exist", async (name) => {
    expect((await server.inject(`${SAMPLES_PATH}/${name}`)).statusCode).toBeGreaterThanOrEqual(400);
  });
});
