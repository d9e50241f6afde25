// A member key that is handed over in a ticket: support puts it there, the person sees it once, and a key that no one looked at in time is
// removed.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { AppError } from "../../../proto/codes.ts";
import { type Secrets, deriveKeys } from "../../../runtime/keys/secret.ts";
import { provisionMemberKey } from "../../identity/accounts/create-key.ts";
import { getAccount } from "../../identity/accounts/get-account.ts";
import { membershipRights } from "../../identity/accounts/membership-rules.ts";
import { revokeMemberKey } from "../../identity/accounts/revoke-key.ts";
import type { App } from "../../kernel/app.ts";
import { changeTicket, withMessage } from "./change-ticket.ts";
import { getTicket } from "./read-tickets.ts";
import { checkKeyWanted, keyUntil } from "./rules.ts";
import { dropSealedKey, findUnseenKeys, markKeySeen, type TicketDoc } from "./store.ts";

const SWEPT_AT_A_TIME = 100;
const ON_THE_TICKET =
  "Your member key is on this ticket. You can look at it once, within seven days; keep it where your assistant can read it.";
const PURPOSE = "atelier ticket key v1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Throws not_found, invalid_request, ticket_closed, membership_required, and what making a key throws. */
export async function provisionTicketKey(
  app: App,
  ticketId: string,
  wanted: { name: string; expiresAt: Date | null },
): Promise<TicketDoc> {
  const ticket = await getTicket(app, { ticketId });
  const accountId = ticket.account_id;
  const at = app.clock.now();
  const [{ membership }, tiers] = await Promise.all([getAccount(app, accountId), app.tiers()]);
  const { memberTools } = membershipRights(membership, tiers.get(membership?.tier ?? ""), at);
  const check = (now: TicketDoc) =>
    checkKeyWanted({ ticket: { ...now, hasWaitingKey: now.key?.sealed !== undefined }, memberTools });
  check(ticket);
  const { secret, key } = await provisionMemberKey(app, accountId, wanted);
  const onTicket = {
    key_id: key.key_id,
    sealed: seal(app.secrets, ticketId, secret),
    until: keyUntil(at),
    seen_at: null,
  };
  try {
    return await changeTicket(app, { ticketId }, (now, at) => {
      check(now);
      const told = withMessage(now, { from: "support", text: ON_THE_TICKET, at });
      return { ticket: { ...told, key: onTicket }, news: "key" };
    });
  } catch (error) {
    // No one has this key, so no one shall be able to use it.
    await revokeMemberKey(app, key.key_id);
    throw error;
  }
}

/** Returns the key, this one time. Throws not_found if there is none, if it was seen, or if its time is over. */
export async function takeTicketKey(
  app: App,
  address: { ticketId: string; accountId: string },
): Promise<{ secret: string; keyId: string }> {
  const { key } = await getTicket(app, address);
  const now = app.clock.now();
  if (key?.sealed === undefined || key.until <= now) throw noKey();
  const secret = unseal(app.secrets, address.ticketId, key.sealed);
  if (secret === undefined) {
    throw new AppError("not_found", {
      message: "The key on this ticket cannot be opened any more.",
      hint: "Write on the ticket that you need another one.",
    });
  }
  const place = { ticketId: address.ticketId, keyId: key.key_id };
  if (!(await markKeySeen(app.mongo.db, place, now))) throw noKey();
  return { secret, keyId: key.key_id };
}

/** Revokes keys that no one looked at in time: no one has them. Safe in several processes at the same time. Returns how many. */
export async function dropUnseenKeys(app: App): Promise<number> {
  const found = await findUnseenKeys(app.mongo.db, app.clock.now(), SWEPT_AT_A_TIME);
  for (const { _id: ticketId, key } of found) {
    if (!key) continue;
    await revokeMemberKey(app, key.key_id);
    await dropSealedKey(app.mongo.db, { ticketId, keyId: key.key_id });
  }
  return found.length;
}

function noKey(): AppError {
  return new AppError("not_found", {
    message: "There is no key to look at on this ticket: it was seen already, or its time is over.",
    hint: "Write on the ticket that you need another one.",
  });
}

/** `owner` is what it belongs to: it can only be opened with the same owner. */
export function seal(secrets: Secrets, owner: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const [key] = deriveKeys(secrets, PURPOSE);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** Undefined if none of the secrets has sealed it, or the text was changed or moved. */
export function unseal(secrets: Secrets, owner: string, sealed: string): string | undefined {
  for (const key of deriveKeys(secrets, PURPOSE)) {
    const text = open(key, owner, sealed);
    if (text !== undefined) return text;
  }
  return undefined;
}

function open(key: Uint8Array, owner: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  const [nonce, tag, text] = [
    bytes.subarray(0, NONCE_BYTES),
    bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES),
    bytes.subarray(NONCE_BYTES + TAG_BYTES),
  ];
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(owner))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
