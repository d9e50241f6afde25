// Seeds the development profile, and writes its keys to the data folder for clients on this machine.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DemoSecrets, seedDevelopment, seedSignInLink } from "../../core/entry/seed.ts";
import type { App } from "../../core/kernel/app.ts";
import { newSignInLink } from "../../gateway/site/session/sign-in-link.ts";
import type { Config } from "../../runtime/config/config.ts";
import { publicUrls } from "../../runtime/public-urls.ts";

export type Seeded = { secrets: DemoSecrets; signInUrl: string };

export function demoFile(dataDir: string): string {
  return join(dataDir, "demo.json");
}

/** Writes the secrets so that only this user can read them. */
export async function seedDemo(app: App, config: Config, dataDir = config.dataDir): Promise<Seeded> {
  const path = demoFile(dataDir);
  const known = existsSync(path)
    ? (JSON.parse(readFileSync(path, "utf8")) as Partial<DemoSecrets>)
    : undefined;
  const { generation_key, read_key, member_key, callback_secret } = await seedDevelopment(app, known);
  const secrets = { generation_key, read_key, member_key, callback_secret };
  const { baseUrl, generationBaseUrl } = publicUrls(config);
  // Valid for 15 minutes; later, request one at /sign-in and find it in the log.
  const { url: sign_in_url, tokenSha256 } = newSignInLink(baseUrl, "");
  await seedSignInLink(app, tokenSha256);
  const demo = { base_url: baseUrl, generation_base_url: generationBaseUrl, ...secrets, sign_in_url };
  writeFileSync(`${path}.new`, `${JSON.stringify(demo, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return { secrets, signInUrl: sign_in_url };
}
