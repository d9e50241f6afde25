// Which mailbox an e-mail address leads to: many spellings of one address reach the same person. Pure.
import { createHmac } from "node:crypto";

/** Providers where more than a `+tag` can vary, by the domains that lead to one mailbox. */
const PROVIDERS: readonly { readonly domains: readonly string[]; readonly ignored: RegExp | undefined }[] = [
  { domains: ["gmail.com", "googlemail.com"], ignored: /\./g },
  { domains: ["proton.me", "protonmail.com", "pm.me"], ignored: /[._-]/g },
  { domains: ["icloud.com", "me.com", "mac.com"], ignored: undefined },
];

/**
 * The same text for every spelling of a normalised address that its provider delivers to one mailbox: without the `+tag`, and without what
 * the provider ignores. Only for counting: mail goes to the address as it was given.
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

/** What is kept of a folded address: without the installation's salt nobody can try out addresses, and from it none can be read. */
export function hashMailbox(salt: string, folded: string): string {
  return createHmac("sha256", Buffer.from(salt, "hex")).update(folded).digest("hex");
}
