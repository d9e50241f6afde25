// The environment of a sample: keys in variables, a photo, and this repository's clients installed.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import type { Language } from "../../../gateway/site/docs/guide-text.ts";

const CLIENTS = fileURLToPath(new URL("../../../clients/", import.meta.url));
const PHOTO = { width: 640, height: 480, channels: 3, background: "#a83f1b" } as const;

export type Environment = { readonly folder: string; readonly env: Readonly<Record<string, string>> };

export type Secrets = {
  readonly generation_key: string;
  readonly callback_secret: string;
};

/** A new folder for the language below `folder`. */
export async function makeEnvironment(
  language: Language,
  { folder, secrets, callbackUrl }: { folder: string; secrets: Secrets; callbackUrl: string },
): Promise<Environment> {
  const own = join(folder, language);
  const scope = join(own, "node_modules/@atelier");
  mkdirSync(scope, { recursive: true });
  symlinkSync(join(CLIENTS, "js"), join(scope, "client"), "dir");
  writeFileSync(join(own, "photo.png"), await sharp({ create: PHOTO }).png().toBuffer());
  return {
    folder: own,
    env: {
      ATELIER_KEY: secrets.generation_key,
      ATELIER_CALLBACK_SECRET: secrets.callback_secret,
      CALLBACK_URL: callbackUrl,
      PYTHONPATH: join(CLIENTS, "python/src"),
      PYTHONDONTWRITEBYTECODE: "1",
    },
  };
}
