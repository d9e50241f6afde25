// Keeps a sign-in link that is about to be sent. Nothing is said about whether the address has an account.
import type { App } from "../app.ts";
import { newLink } from "./rules.ts";
import { insertLink, type LinkDoc } from "./store.ts";

/** `tokenSha256` is all that is kept of the token. Throws invalid_request for what is no e-mail address. */
export async function createLink(app: App, email: string, tokenSha256: string): Promise<LinkDoc> {
  const link = newLink(email, tokenSha256, app.clock.now());
  await insertLink(app.mongo.db, link);
  return link;
}
