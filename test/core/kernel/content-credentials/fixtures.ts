// Files of every format that jobs make, and an installation that signs them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import sharp from "sharp";
import { createVideoMaker, LOOP } from "../../../../core/adapters/providers/local/clip.ts";
import type { ProviderOutput } from "../../../../core/adapters/providers/provider.ts";
import { createContentCredentials } from "../../../../core/kernel/content-credentials/credentials.ts";
import type { EngineOptions } from "../../../../core/kernel/content-credentials/engine.ts";
import type { GENERATION_LABEL } from "../../../../core/kernel/content-credentials/manifest.ts";
import type { C2paManifest, ManifestReport } from "../../../../core/kernel/content-credentials/report.ts";
import { loadConfig } from "../../../../runtime/config/config.ts";
import { wholeFiles } from "../../../support/signed-files.ts";

const SILENT = pino({ level: "silent" });

/** A separate data folder for the development authority. */
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

/** One file of each kind, with its provider's report. */
export async function filesOfAllKinds(): Promise<readonly ProviderOutput[]> {
  // The clips of the samples already declare that they were generated.
  const [clip] = await createVideoMaker(LOOP)({
    prompt: "a boat",
    params: { width: 64, height: 48, duration_seconds: 1, fps: 5 },
    onProgress: () => {},
    checkpoint: () => {},
  });
  if (!clip) throw new Error("no clip was made");
  const files = new Map<string, Uint8Array>([...(await wholeFiles()), ["video/mp4", clip.bytes]]);
  return Promise.all(
    [...files].map(async ([mimeType, bytes]) => {
      if (!mimeType.startsWith("image/")) return { mimeType, bytes };
      const { width, height } = await sharp(bytes).metadata();
      return { mimeType, bytes, width, height };
    }),
  );
}

export function activeManifest(report: ManifestReport | undefined): C2paManifest | undefined {
  return report?.store?.manifests[report.store.active_manifest ?? ""];
}

export function assertionOf(
  report: ManifestReport | undefined,
  label: typeof GENERATION_LABEL | "c2pa.actions.v2",
): unknown {
  return activeManifest(report)?.assertions?.find((one) => one.label === label)?.data;
}
