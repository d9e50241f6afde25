// Files of every format that jobs make, and an installation that signs them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import sharp from "sharp";
import { createContentCredentials } from "../../../../core/kernel/content-credentials/credentials.ts";
import type { EngineOptions } from "../../../../core/kernel/content-credentials/engine.ts";
import type { GENERATION_LABEL } from "../../../../core/kernel/content-credentials/manifest.ts";
import type { Manifest, ManifestReport } from "../../../../core/kernel/content-credentials/report.ts";
import { SAMPLE_RATE, toWav } from "../../../../core/adapters/providers/local/sound.ts";
import { createVideoMaker, LOOP } from "../../../../core/adapters/providers/local/video.ts";
import { loadConfig } from "../../../../runtime/config.ts";

const SILENT = pino({ level: "silent" });

/** A data folder of its own, for the authority that development makes. */
export function newDataDir(): { dataDir: string; remove: () => void } {
  const dataDir = mkdtempSync(join(tmpdir(), "atelier-credentials-"));
  return { dataDir, remove: () => rmSync(dataDir, { recursive: true, force: true }) };
}

export function openCredentials(
  dataDir: string,
  env: Record<string, string> = {},
  options: Partial<EngineOptions> = {},
) {
  const config = loadConfig({ ATELIER_DATA_DIR: dataDir, ...env });
  return createContentCredentials(config, { log: SILENT, ...options });
}

/** One file of each kind, with what providers tell about it. */
export async function filesOfAllKinds() {
  const size = { width: 48, height: 32 };
  const picture = sharp({ create: { ...size, channels: 3, background: "#336699" } });
  const clip = await createVideoMaker(LOOP)({
    prompt: "a boat",
    params: { width: 64, height: 48, duration_seconds: 1, fps: 5 },
    onProgress: () => {},
    checkpoint: () => {},
  });
  const [{ bytes: mp4 } = { bytes: new Uint8Array() }] = clip;
  const bytesOf = (format: "png" | "jpeg" | "webp" | "gif" | "avif") =>
    picture.clone().toFormat(format).toBuffer();
  return [
    { mimeType: "image/png", bytes: await bytesOf("png"), ...size },
    { mimeType: "image/jpeg", bytes: await bytesOf("jpeg"), ...size },
    { mimeType: "image/webp", bytes: await bytesOf("webp"), ...size },
    { mimeType: "image/gif", bytes: await bytesOf("gif"), ...size },
    { mimeType: "image/avif", bytes: await bytesOf("avif"), ...size },
    { mimeType: "video/mp4", bytes: mp4 },
    { mimeType: "audio/wav", bytes: toWav(new Float32Array(SAMPLE_RATE / 10)) },
    { mimeType: "audio/mpeg", bytes: mp3() },
  ];
}

/** Four silent frames of MPEG-1 layer III, 128 kbit/s at 44.1 kHz. */
function mp3(): Buffer {
  const frame = Buffer.alloc(417);
  Buffer.from([0xff, 0xfb, 0x90, 0x64]).copy(frame);
  return Buffer.concat([frame, frame, frame, frame]);
}

export function activeManifest(report: ManifestReport | undefined): Manifest | undefined {
  return report?.store?.manifests[report.store.active_manifest ?? ""];
}

export function assertionOf(
  report: ManifestReport | undefined,
  label: typeof GENERATION_LABEL | "c2pa.actions.v2",
): unknown {
  return activeManifest(report)?.assertions?.find((one) => one.label === label)?.data;
}
