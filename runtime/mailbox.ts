// Which mailbox an e-mail address leads to: many spellings of an address can reach the same person. This file is pure.
import { createHmac } from "node:crypto";

/** Providers that ignore more than a `+tag`, by the domains that share their mailboxes. */
const PROVIDERS: readonly { readonly domains: readonly string[]; readonly ignored: RegExp | undefined }[] = [
  { domains: ["gmail.com", "googlemail.com"], ignored: /\./g },
  { domains: ["proton.me", "protonmail.com", "pm.me"], ignored: /[._-]/g },
  { domains: ["icloud.com", "me.com", "mac.com"], ignored: undefined },
];

/**
 * Returns the same text for every spelling of a normalised address that its provider delivers to one mailbox: without the `+tag` and the
 * characters that the provider ignores. It is used only for counting; mail is sent to the original address.
 */
export function foldMailbox(email: string): string {
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1);
  const local = email.slice(0, at);
  const provider = PROVIDERS.find(({ domains }) => domains.includes(domain));
  const untagged = /^[^+]+/.exec(local)?.[0] ?? local;
  const plain = provider?.ignored ? untagged.replaceAll(provider.ignored, "") : untagged;
  return `${plain || untagged}@${provider?.domains[0] ?? domain}`;
}

/** The stored form of a folded address. Without the installation's salt addresses can neither be tested against it nor read from it. */
export function hashMailbox(salt: string, folded: string): string {
  return createHmac("sha256", Buffer.from(salt, "hex")).update(folded).digest("hex");
}
