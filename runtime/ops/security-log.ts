// Logs events of accounts, keys, sessions and tokens, one line each, for monitoring the installation. Facts are ids, names and addresses;
// no field can hold a secret.
import type { Logger } from "../log/log.ts";

/** The meaning of each event. docs/operations/security-log.md lists them too. */
export const SECURITY_EVENTS = {
  sign_in: "a user signed in",
  bad_link: "a link to sign in was shown that is good for nothing",
  bad_passkey: "a passkey's response was refused",
  passkey_added: "a passkey was added to an account",
  passkey_removed: "a passkey was removed from an account",
  session_ended: "sessions were ended before their time",
  bad_key: "a request came with a key that is good for nothing",
  form_refused:
    "a form or a script's request did not come from a page of this site, or not from this session",
  key_made: "a key was made",
  key_seen: "a member key was shown, once, to its owner",
  key_changed: "a key got another name, spending limit or amount to confirm",
  key_replaced: "another key replaced a key, which expires",
  key_revoked: "a key was revoked",
  spending_confirmed: "a user approved what a key asked to spend",
  token_issued: "a service token was issued",
  service_token_refused: "a call of core came without a service token that allows it",
  credits_granted: "credits were granted, sold or adjusted",
  credits_held: "an internal service held, captured or released credits of an account",
  email_changed: "an account got another e-mail address, confirmed from its mailbox",
  email_restored: "a change of an account's e-mail address was undone from the mailbox before",
  account_suspended: "an account was suspended",
  account_restored: "a suspension was ended",
  account_deleted: "an account was deleted by its owner",
} as const;

export type SecurityEvent = keyof typeof SECURITY_EVENTS;

export type SecurityInfo = {
  account_id?: string | undefined;
  /** The client's address, as the public port saw it. */
  address?: string | undefined;
  request_id?: string | undefined;
  session_id?: string | undefined;
  key_id?: string | undefined;
  entry_id?: string | undefined;
  /** How many, if not one. */
  count?: number | undefined;
  /** The name of the internal service that called or tried to. */
  service?: string | undefined;
  /** The name of the service for which a token was issued. */
  target?: string | undefined;
  /** The RPC service that was called. */
  wanted?: string | undefined;
  /** The rule that refused the call. */
  why?: string | undefined;
  /** The operator who asked. The reason is in the audit trail, under the same request id. */
  operator?: string | undefined;
};

/** Events that may mean an attack. */
const SUSPICIOUS: readonly SecurityEvent[] = [
  "bad_link",
  "bad_passkey",
  "bad_key",
  "form_refused",
  "service_token_refused",
];

/** Every line has `event`. Facts that are unknown or empty are left out. */
export function logSecurity(
  log: Pick<Logger, "info" | "warn">,
  event: SecurityEvent,
  facts: SecurityInfo,
): void {
  const known = Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== "" && value !== undefined),
  );
  log[SUSPICIOUS.includes(event) ? "warn" : "info"]({ event, ...known }, SECURITY_EVENTS[event]);
}
