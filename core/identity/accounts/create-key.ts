// Creates keys: generation keys for their owner, member keys for support. The key itself is shown once and stored nowhere.
import { generateApiKey, hashApiKey, type KeyKind, maskApiKey } from "../../../runtime/keys/api-key.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { recordEvents } from "../../kernel/events/record.ts";
import { accountNotFound } from "./get-account.ts";
import { keyEvent } from "./resource.ts";
import { checkKeyAllowed, checkNewKey, type NewKey, planNow } from "./rules.ts";
import { countKeyMade, findLiveKeys, insertKey } from "./store-keys.ts";
import { findPlans } from "./store-plans.ts";
import { type KeyDoc } from "./store.ts";

/** `secret` is the whole key, which is shown only this once. */
export type MadeKey = { secret: string; key: KeyDoc };

/**
 * Creates a generation key. Throws invalid_request, not_found, account_suspended, plan_excludes_api, key_limit_reached; the limit holds
 * even if many keys are created at the same time.
 */
export async function createKey(app: App, accountId: string, wanted: NewKey): Promise<MadeKey> {
  return makeKey(app, accountId, "gen", wanted);
}

/**
 * Creates a member key, which only support may request. It has write scope, which matters if the plan includes the API. The membership is
 * checked when the key is used, so it may begin later. Throws the errors of createKey, except those about the plan.
 */
export async function provisionMemberKey(
  app: App,
  accountId: string,
  wanted: Omit<NewKey, "scope">,
): Promise<MadeKey> {
  return makeKey(app, accountId, "mem", { ...wanted, scope: "write" });
}

async function makeKey(app: App, accountId: string, kind: KeyKind, wanted: NewKey): Promise<MadeKey> {
  const now = app.clock.now();
  const { name, scope, expiresAt, maxCredits, caps, confirmAbove } = checkNewKey(wanted, now);
  const made = drawKey(app, now, {
    account_id: accountId,
    kind,
    name,
    scope,
    expires_at: expiresAt,
    ...(maxCredits !== undefined && { max_credits: maxCredits }),
    ...(caps && { caps }),
    ...(confirmAbove !== undefined && { confirm_above: confirmAbove }),
  });
  await inTx({ mongo: app.mongo, now }, (tx) => addKey(app, made.key, tx));
  return made;
}

/** What a key may do, and what a key that replaces it inherits. */
type KeyTerms = Pick<
  KeyDoc,
  | "account_id"
  | "kind"
  | "name"
  | "scope"
  | "expires_at"
  | "max_credits"
  | "caps"
  | "confirm_above"
  | "spent"
  | "spent_in"
>;

/** A new random key with these terms, not stored yet. */
export function drawKey(app: Pick<App, "newId">, now: Date, terms: KeyTerms): MadeKey {
  const secret = generateApiKey(terms.kind);
  const key: KeyDoc = {
    ...terms,
    _id: hashApiKey(secret),
    key_id: app.newId("key"),
    masked: maskApiKey(secret),
    created_at: now,
    last_used_at: null,
    revoked_at: null,
  };
  return { secret, key };
}

/** Throws not_found, and what checkKeyAllowed throws. */
export async function addKey(app: App, key: KeyDoc, tx: TxContext): Promise<void> {
  const { db } = app.mongo;
  const { account_id: accountId, kind, created_at: now } = key;
  // This comes first, so that of two concurrent creations the later one conflicts before it has counted.
  const account = await countKeyMade(db, accountId, tx);
  if (!account) throw accountNotFound();
  const plan = kind === "gen" ? planNow(account, await findPlans(db, tx), now) : undefined;
  const live = await findLiveKeys(db, accountId, kind, now, tx);
  checkKeyAllowed(account, kind, plan, live.length);
  await insertKey(db, key, tx);
  if (account.events_on) await recordEvents(app, tx, [keyEvent("key.created", key)]);
}
