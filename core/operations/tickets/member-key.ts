// A member key that is handed over in a ticket: support puts it there, the person sees it once, and a key that no one looked at in time is
// removed.
import { AppError } from "../../../proto/codes.ts";
import { revokeMemberKey } from "../../identity/accounts/change-key.ts";
import { provisionMemberKey } from "../../identity/accounts/create-key.ts";
import { getAccount } from "../../identity/accounts/get-account.ts";
import { membershipRights } from "../../identity/accounts/membership-rules.ts";
import type { App } from "../../kernel/app.ts";
import { changeTicket, withMessage } from "./change-ticket.ts";
import { getTicket } from "./read-tickets.ts";
import { checkKeyWanted, keyUntil } from "./rules.ts";
import { seal, unseal } from "./seal.ts";
import { dropSealedKey, findUnseenKeys, markKeySeen, type TicketDoc } from "./store.ts";

const SWEPT_AT_A_TIME = 100;
const ON_THE_TICKET =
  "Your member key is on this ticket. You can look at it once, within seven days; keep it where your assistant can read it.";

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
