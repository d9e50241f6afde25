// What the embedded provider makes of a given picture: other styles, and clips that move over it.
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLocalProvider } from "../../../../core/adapters/providers/local/provider.ts";
import { readPicture } from "../../../../core/adapters/providers/local/source-picture.ts";
import { inspectMedia } from "../../../../core/adapters/providers/media.ts";
import type {
  Provider,
  ProviderInput,
  ProviderOutput,
} from "../../../../core/adapters/providers/provider.ts";
import type { Modality } from "../../../../proto/resources/job.ts";
import { createLog } from "../../../../runtime/log/log.ts";
import { callOf, madeBy } from "../../../support/providers.ts";

let provider: Provider;
let photo: Uint8Array;
beforeAll(async () => {
  provider = createLocalProvider(createLog("error", "test"));
  photo = await sharp(Buffer.from(SCENE)).jpeg().toBuffer();
});
afterAll(() => provider.close?.());

/** A red sun over a dark hill, in landscape format. */
const SCENE = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400" viewBox="0 0 600 400">
  <rect width="600" height="400" fill="#bcd8ee"/><circle cx="150" cy="120" r="70" fill="#e0492f"/>
  <path d="M0 330 Q180 200 330 300 T600 280 V400 H0Z" fill="#2e5d3a"/></svg>`;

const inputOf = (bytes: Uint8Array): ProviderInput => ({
  mimeType: "image/jpeg",
  bytes: bytes.length,
  read: async () => bytes,
  url: "https://example.com/never-asked",
});

type Asked = { modality: Modality; model: string; prompt?: string; params?: Record<string, unknown> };

async function make(
  { modality, model, prompt = "as it comes", params = {} }: Asked,
  image: Uint8Array | undefined = photo,
): Promise<ProviderOutput> {
  const [made] = await madeBy(
    provider.start(
      { modality, model, prompt, params, options: {} },
      callOf({ inputs: new Map(image ? [["image", inputOf(image)]] : []) }),
    ),
  );
  if (!made) throw new Error("nothing was made");
  return made;
}

const restyled = (prompt: string, params: Record<string, unknown> = {}, image?: Uint8Array) =>
  make({ modality: "image", model: "restyle", prompt, params: { max_side: 240, ...params } }, image);
const clip = (prompt: string, params: Record<string, unknown> = {}, image?: Uint8Array) =>
  make(
    {
      modality: "video",
      model: "drift",
      prompt,
      params: { width: 160, height: 90, duration_seconds: 1, fps: 6, ...params },
    },
    image,
  );

async function pixels(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, ...info };
}

/** The average colour difference of two pictures of one size. */
async function distance(a: Uint8Array, b: Uint8Array): Promise<number> {
  const [{ data: one, width }, { data: other }] = [await pixels(a), await pixels(b)];
  expect(one.length, `${width} wide`).toBe(other.length);
  return one.reduce((sum, value, i) => sum + Math.abs(value - (other[i] ?? 0)), 0) / one.length;
}

const same = (a: ProviderOutput, b: ProviderOutput) => Buffer.from(a.bytes).equals(b.bytes);
const shrunk = () => sharp(photo).resize(240, 160).png().toBuffer();

describe("a restyled picture", () => {
  test.each(["watercolour", "poster", "line", "duotone", "night"])(
    "%s keeps its form, is deterministic, and differs from the other styles",
    async (style) => {
      const [made, again, other] = await Promise.all([
        restyled("a hill", { style }),
        restyled("a hill", { style }),
        restyled("a hill", { style: style === "line" ? "poster" : "line" }),
      ]);
      const size = { width: 240, height: 160 };
      expect(await inspectMedia(made.bytes, "image")).toMatchObject({ mimeType: "image/png", ...size });
      expect(made).toMatchObject(size);
      expect(same(made, again)).toBe(true);
      expect(await distance(made.bytes, other.bytes)).toBeGreaterThan(10);
      expect(await distance(made.bytes, await shrunk())).toBeGreaterThan(5);
    },
  );

  test.each([
    ["an ink sketch of this", "line"],
    ["at midnight", "night"],
    ["a watercolor please", "watercolour"],
  ])('asked for as "%s" is of the style %s', async (prompt, style) => {
    const [asked, named] = await Promise.all([
      restyled(prompt, { style: "auto" }),
      restyled(prompt, { style }),
    ]);
    expect(same(asked, named)).toBe(true);
  });

  test("differs from the original as strength says: not at all at 0", async () => {
    const [none, half, full] = await Promise.all(
      [0, 0.5, 1].map(async (strength) =>
        distance((await restyled("x", { style: "night", strength })).bytes, await shrunk()),
      ),
    );
    expect(none).toBeLessThan(3);
    expect(half).toBeGreaterThan(15);
    expect(full).toBeGreaterThan((half ?? 0) * 1.5);
  });

  test("uses the prompt's colour as one of its two tones", async () => {
    const { data } = await pixels((await restyled("green ink", { style: "duotone", strength: 1 })).bytes);
    const darkest = [...Array(data.length / 3).keys()].reduce((best, i) =>
      sumAt(data, i) < sumAt(data, best) ? i : best,
    );
    const [red = 0, green = 0, blue = 0] = data.subarray(darkest * 3, darkest * 3 + 3);
    expect(green).toBeGreaterThan(red);
    expect(green).toBeGreaterThan(blue);
  });

  test.each(["watercolour", "poster", "line", "duotone", "night"])(
    "%s is made of a picture of a few pixels",
    async (style) => {
      for (const [width, height] of [
        [9, 6],
        [1, 1],
        [2, 3],
        [240, 1],
      ] as const) {
        const tiny = await sharp(photo).resize(width, height, { fit: "fill" }).png().toBuffer();
        expect(await restyled("x", { style }, tiny)).toMatchObject({ width, height });
      }
    },
  );

  test("is never larger than the original, is upright, and is white where the original is transparent", async () => {
    const small = await sharp(photo).resize(60, 40).toBuffer();
    expect(await restyled("x", { style: "line" }, small)).toMatchObject({ width: 60, height: 40 });
    const turned = await sharp(photo).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await restyled("x", { style: "line" }, turned)).toMatchObject({ width: 160, height: 240 });
    const create = { width: 40, height: 40, channels: 4, background: "#00000000" } as const;
    const clear = await sharp({ create }).png().toBuffer();
    const { data } = await pixels((await restyled("x", { strength: 0 }, clear)).bytes);
    expect(data[0]).toBe(255);
  });
});

function sumAt(data: Uint8Array, i: number): number {
  return (data[i * 3] ?? 0) + (data[i * 3 + 1] ?? 0) + (data[i * 3 + 2] ?? 0);
}

describe("a picture turned into a clip", () => {
  test("is 1280 x 720 by default, with its first frame as poster", async () => {
    const size = { width: 1280, height: 720 };
    const params = { width: undefined, height: undefined, duration_seconds: 0.1, fps: 20 };
    const made = await clip("zoom in", params);
    expect(await inspectMedia(made.bytes, "video")).toMatchObject({ mimeType: "video/mp4", ...size });
    expect(await sharp(made.poster).metadata()).toMatchObject({ format: "webp", ...size });
  });

  test("has the requested length, is deterministic, and begins with its movement's first frame", async () => {
    const [made, again] = await Promise.all([clip("from left to right"), clip("from left to right")]);
    const asked = { width: 160, height: 90, durationSeconds: 1 };
    expect(await inspectMedia(made.bytes, "video")).toMatchObject(asked);
    expect(same(made, again)).toBe(true);
  });

  test.each([
    ["pan_right", "pan_left"],
    ["pan_down", "pan_up"],
    ["zoom_in", "zoom_out"],
  ])("%s begins where %s ends", async (move, back) => {
    const [there, here] = await Promise.all([clip("x", { move }), clip("x", { move: back })]);
    expect(same(there, here)).toBe(false);
    expect(await distance(there.poster ?? there.bytes, here.poster ?? here.bytes)).toBeGreaterThan(8);
  });

  test("moves as the prompt says", async () => {
    const [asked, named] = await Promise.all([
      clip("slowly towards the sun", { seed: 1 }),
      clip("slowly towards the sun", { seed: 1, move: "zoom_in" }),
    ]);
    expect(same(asked, named)).toBe(true);
  });

  test("fills the frame for a picture of any form", async () => {
    for (const size of [
      { width: 40, height: 800 },
      { width: 800, height: 40 },
      { width: 1, height: 1 },
    ]) {
      const plain = sharp({ create: { ...size, channels: 3, background: "#ff0000" } });
      const strip = await plain.png().toBuffer();
      const { poster } = await clip("x", { move: "pan_up" }, strip);
      const { data } = await pixels(poster ?? new Uint8Array());
      expect(Math.min(...data.filter((_, i) => i % 3 === 0))).toBeGreaterThan(200);
    }
  });
});

test.each([
  [3000, 1, 160, 10],
  [1, 3000, 20, 80],
  [3000, 1000, 30, 10],
])("a picture of %i x %i fills a frame of 20 x 10 as one of %i x %i", async (width, height, across, down) => {
  const line = sharp({ create: { width, height, channels: 3, background: "#ff0000" } });
  const inputs = new Map([["image", await line.png().toBuffer()]]);
  const read = await readPicture({ inputs }, { width: 20, height: 10, fit: "outside" });
  expect(read).toMatchObject({ width: across, height: down });
});

describe("an unusable input", () => {
  test.each([
    ["is not there", undefined, "image must name a file."],
    [
      "is not a picture",
      Buffer.from("not a picture at all, but long enough to look"),
      "image must be a picture that can be opened.",
    ],
  ])(
    "an unusable input that %s fails the job with a message for its owner",
    async (_what, bytes, message) => {
      for (const [modality, model] of [
        ["image", "restyle"],
        ["video", "drift"],
      ] as const) {
        const image = bytes ?? undefined;
        const asked = image
          ? make({ modality, model }, image)
          : madeBy(provider.start({ modality, model, prompt: "x", params: {}, options: {} }, callOf()));
        await expect(asked).rejects.toMatchObject({ failure: "provider_failed", message });
      }
    },
  );

  test("an unusable input that is large waits for the memory budget", async () => {
    const order: string[] = [];
    const large: ProviderInput = {
      ...inputOf(photo),
      bytes: 20 * 2 ** 20,
      read: async () => {
        order.push("read");
        return photo;
      },
    };
    await madeBy(
      provider.start(
        { modality: "image", model: "restyle", prompt: "x", params: { max_side: 64 }, options: {} },
        callOf({ reserveMemory: async () => void order.push("room"), inputs: new Map([["image", large]]) }),
      ),
    );
    expect(order).toEqual(["room", "read"]);
  });
});
