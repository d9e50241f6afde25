// Whose key a key is, for dividing requests by account before anybody is let in. A key never changes its account, so that this is kept.
import type { Caller } from "../../../proto/caller.ts";
import type { App } from "../../kernel/app.ts";
import { findKeysByHash } from "./store-keys.ts";

const MAX_KEPT = 100_000;

/** Answers the account that a caller speaks for; undefined for an unknown key and for nobody, who will both be refused. */
export function createKeyOwners(
  app: Pick<App, "mongo">,
): (caller: Caller) => string | undefined | Promise<string | undefined> {
  const owners = new Map<string, string>();

  async function find(hash: string): Promise<string | undefined> {
    const owner = (await findKeysByHash(app.mongo.db, [hash])).get(hash)?.account_id;
    if (owner === undefined) return undefined;
    if (owners.size >= MAX_KEPT) owners.clear();
    owners.set(hash, owner);
    return owner;
  }

  return (caller) => {
    if (caller.kind === "none") return undefined;
    return caller.kind === "account"
      ? caller.accountId
      : (owners.get(caller.keySha256) ?? find(caller.keySha256));
  };
}
