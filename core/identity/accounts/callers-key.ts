// The key that a caller sent, as its owner sees it.
import type { Caller } from "../../../proto/caller.ts";
import type { ApiKeyResource } from "../../../proto/resources/api-key.ts";
import type { App } from "../../kernel/app.ts";
import { toApiKey } from "./resource.ts";
import { findKeysByHash } from "./store-keys.ts";

/** Null for callers without a key. The caller has already been let in. */
export async function callersKey(app: App, caller: Caller): Promise<ApiKeyResource | null> {
  if (caller.kind !== "key") return null;
  const key = (await findKeysByHash(app.mongo.db, [caller.keySha256])).get(caller.keySha256);
  return key ? toApiKey(key, app.clock.now()) : null;
}
