// The settings of deploy/providers that operators copy, with the provider's addresses replaced by those of its double.
import { readFileSync } from "node:fs";
import { loadConfig } from "../../../runtime/config/config.ts";
import type { HttpQueueEntry } from "../../../runtime/config/http-queue-settings.ts";
import { FAL_KEY } from "./fal.ts";
import { REPLICATE_TOKEN } from "./replicate.ts";

/** The file of deploy/providers with that name. */
export const documentedJson = (name: string): string =>
  readFileSync(new URL(`../../../deploy/providers/${name}.json`, import.meta.url), "utf8");

export type Doubles = { fal?: string; replicate?: string; webhookSecret?: string };

/** The environment of a process with these doubles, as the page says. */
export function documentedEnv({ fal, replicate, webhookSecret }: Doubles): Record<string, string> {
  const all: Record<string, unknown> = {};
  if (fal !== undefined)
    Object.assign(all, at(documentedJson("fal"), fal, /https:\/\/(?:queue\.fal\.run|rest\.fal\.ai)/g));
  if (replicate !== undefined)
    Object.assign(all, at(documentedJson("replicate"), replicate, /https:\/\/api\.replicate\.com/g));
  return {
    ATELIER_HTTP_QUEUE_PROVIDERS: JSON.stringify(all),
    FAL_KEY,
    REPLICATE_API_TOKEN: REPLICATE_TOKEN,
    REPLICATE_WEBHOOK_SECRET: webhookSecret ?? `whsec_${Buffer.alloc(24, 7).toString("base64")}`,
  };
}

export function documentedEntry(name: "fal" | "replicate", doubles: Doubles): HttpQueueEntry {
  const entry = loadConfig(documentedEnv(doubles)).httpQueueProviders[name];
  if (!entry) throw new Error(`the page has no provider ${name}`);
  return entry;
}

function at(block: string, origin: string, theirs: RegExp): object {
  return JSON.parse(block.replace(theirs, origin)) as object;
}
