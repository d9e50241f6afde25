// The events of the account about its keys.
import type { NewEvent } from "../../kernel/events/record.ts";
import type { KeyDoc } from "./store.ts";

export function keyEvent(event: "key.created" | "key.revoked", key: KeyDoc): NewEvent {
  const { account_id: accountId, key_id, name, scope } = key;
  return { accountId, event, data: { key_id, name, scope } };
}
