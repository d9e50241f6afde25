// Callers of the memberships' calls: a member's key, or a signed-in person.
import type { Caller } from "../../../proto/caller.ts";
import { AppError } from "../../../proto/codes.ts";
import { authenticate } from "../../identity/accounts/authenticate.ts";
import type { Identity } from "../../identity/accounts/rules.ts";
import type { App } from "../../kernel/app.ts";

/** Throws missing_key, invalid_key (also for a generation key from another source), account_suspended, membership_inactive. */
export async function authenticateMember(app: App, caller: Caller): Promise<Identity> {
  if (caller.kind === "key" && caller.source !== "member") throw new AppError("invalid_key");
  return authenticate(app, caller, "read");
}
