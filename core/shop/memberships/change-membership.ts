// What operators decide about a membership: its tier and its end. Both take effect from the next request on, at every core.
import { endMembership, renewMembership } from "../../identity/accounts/membership-rules.ts";
import { changeMembership, type TermsCheck } from "../../identity/accounts/set-terms.ts";
import type { AccountDoc } from "../../identity/accounts/store.ts";
import type { App } from "../../kernel/app.ts";
import { loadTiers } from "./tiers.ts";

/** `account` is an id or an e-mail address. Throws not_found, and invalid_request for an unknown tier or a time that has passed. */
export async function setMembership(
  app: App,
  account: string,
  wanted: { tier: string; until: Date },
  check?: TermsCheck,
): Promise<AccountDoc> {
  const tiers = await loadTiers(app);
  const now = app.clock.now();
  return changeMembership(app, account, (current) => renewMembership(current, wanted, tiers, now), check);
}

/** Ends it now; repeating it changes nothing. Licences stay. Throws not_found if there is no such account, or it never had a membership. */
export async function stopMembership(app: App, account: string, check?: TermsCheck): Promise<AccountDoc> {
  const now = app.clock.now();
  return changeMembership(app, account, (current) => endMembership(current, now), check);
}
