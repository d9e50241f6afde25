// Makes the website's sample works (gateway/site/samples/files) with the embedded provider, from their prompts and seeds: pictures in two
// widths, small clips, and sounds with a drawing of their waveform.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { createLocalProvider } from "../core/adapters/providers/local/provider.ts";
import type { Provider, ProviderInput, ProviderOutput } from "../core/adapters/providers/provider.ts";
import { LOCAL_MODELS } from "../core/studio/models/seed.ts";
import { PICTURE_WIDTHS, type Sample, SAMPLES } from "../gateway/site/samples/samples.ts";
import { createLog } from "../runtime/log/log.ts";
import { madeBy, ROOMY } from "../test/support/providers.ts";

const FOLDER = fileURLToPath(new URL("../gateway/site/samples/files/", import.meta.url));
const QUALITY = 50;
const SECONDS = 60;
/** The longer side of a clip on a page, in pixels. */
const CLIP_SIDE = 416;
const CLIP_SECONDS = 2;
const CLIP_FPS = 10;
const WAV_HEADER_BYTES = 44;
const BARS = 40;

const provider = createLocalProvider(createLog("error", "make-samples"));
const made = new Map<string, ProviderOutput>();
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
for (const sample of SAMPLES) {
  const output = await make(provider, sample);
  made.set(sample.id, output);
  for (const [name, bytes] of await filesOf(sample, output)) {
    writeFileSync(join(FOLDER, name), bytes);
    process.stdout.write(`${name.padEnd(44)}${String(bytes.length).padStart(8)} bytes\n`);
  }
}
await provider.close?.();

async function make(maker: Provider, { id, model, modality, prompt, params, seed, from }: Sample) {
  const source = from && made.get(from.sample);
  const inputs = new Map(from && source ? [[from.param, inputOf(source)]] : []);
  const started = maker.start(
    {
      modality,
      model: LOCAL_MODELS.find(({ _id }) => _id === model)?.provider_model ?? "",
      prompt,
      params: { ...shrunk(params), ...(model !== "atelier-voice" && { seed }) },
      options: {},
    },
    {
      ...ROOMY,
      signal: AbortSignal.timeout(SECONDS * 1000),
      idempotencyKey: `sample-${id}`,
      onProgress: () => {},
      inputs,
    },
  );
  const [output] = await madeBy(started);
  if (!output) throw new Error(`nothing was made of ${id}`);
  return output;
}

/** A clip for a page is smaller than the original. */
function shrunk(params: Sample["params"]): Sample["params"] {
  const { width, height } = params;
  if (params["duration_seconds"] === undefined || typeof width !== "number" || typeof height !== "number")
    return params;
  const scale = CLIP_SIDE / Math.max(width, height);
  const [w, h] = [width, height].map((side) => 2 * Math.round((side * scale) / 2));
  return { ...params, width: w ?? 0, height: h ?? 0, duration_seconds: CLIP_SECONDS, fps: CLIP_FPS };
}

function inputOf({ bytes, mimeType }: ProviderOutput): ProviderInput {
  return { mimeType, bytes: bytes.length, read: async () => bytes, url: "https://example.com/sample" };
}

async function filesOf({ id, modality }: Sample, output: ProviderOutput): Promise<[string, Uint8Array][]> {
  if (modality === "audio")
    return [
      [`${id}.wav`, output.bytes],
      [`${id}.svg`, Buffer.from(waveOf(output.bytes))],
    ];
  const picture = modality === "video" ? output.poster : output.bytes;
  if (!picture) throw new Error(`there is no picture of ${id}`);
  const pictures = await Promise.all(
    Object.entries(PICTURE_WIDTHS).map(async ([size, width]): Promise<[string, Uint8Array]> => [
      `${id}-${size}.webp`,
      await sharp(picture).resize({ width }).webp({ quality: QUALITY, effort: 6 }).toBuffer(),
    ]),
  );
  return modality === "video" ? [...pictures, [`${id}.mp4`, output.bytes]] : pictures;
}

/** Bars by loudness, on a background for light and dark pages, in the middle square, which is what small tiles show. */
function waveOf(wav: Uint8Array): string {
  const samples = new Int16Array(wav.slice(WAV_HEADER_BYTES).buffer);
  const length = Math.floor(samples.length / BARS);
  const loudness = Array.from({ length: BARS }, (_, i) => {
    const part = samples.subarray(i * length, (i + 1) * length);
    return Math.sqrt(part.reduce((sum, value) => sum + value * value, 0) / part.length);
  });
  const loudest = Math.max(...loudness);
  const [width, height] = [640, 360];
  const left = (width - height) / 2 + 30;
  const step = (width - 2 * left) / BARS;
  const bars = loudness.map((value, i) => {
    const tall = Math.max(6, (value / loudest) * (height - 120));
    return `<rect x="${(left + i * step).toFixed(1)}" y="${((height - tall) / 2).toFixed(1)}" width="${(step * 0.6).toFixed(1)}" height="${tall.toFixed(1)}" rx="2.6"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="#f3dfd3"/><g fill="#a83f1b">${bars.join("")}</g></svg>\n`;
}
