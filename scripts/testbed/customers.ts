// Customers of a service: accounts with credits, keys, a membership and a session each.
import { createHash, randomBytes } from "node:crypto";
import type { App } from "../../core/kernel/app.ts";
import { loadCode, type ReleaseCode } from "./release.ts";

/** A plan with so many slots that only the service is measured. */
const PLAN = "studio";
const CREDITS = 1_000_000;
const YEAR_MS = 365 * 86_400_000;

export type Customer = {
  readonly accountId: string;
  readonly email: string;
  readonly generationKey: string;
  readonly memberKey: string;
  /** A session as name=value; replaced when the person signs in again. */
  cookie: string;
};

/** Uses the code of `app`'s release; this one by default. */
export async function createCustomers(
  app: App,
  url: string,
  count: number,
  code?: ReleaseCode,
): Promise<Customer[]> {
  const release = code ?? (await loadCode());
  const all: Customer[] = [];
  while (all.length < count) all.push(await createCustomer(app, url, release));
  return all;
}

async function createCustomer(app: App, url: string, code: ReleaseCode): Promise<Customer> {
  const { createAccount, createKey, grantCredits, provisionMemberKey, setMembership } = code;
  const email = `client-${randomBytes(6).toString("hex")}@example.com`;
  const { _id: accountId } = await createAccount(app, { email, name: "Client", plan: PLAN });
  await grantCredits(app, { accountId, amount: CREDITS, kind: "grant", memo: null, source: "system" });
  await setMembership(app, accountId, { tier: "plus", until: new Date(app.clock.now().getTime() + YEAR_MS) });
  const { secret: generationKey } = await createKey(app, accountId, {
    name: "load",
    scope: "write",
    expiresAt: null,
  });
  const { secret: memberKey } = await provisionMemberKey(app, accountId, { name: "load", expiresAt: null });
  return { accountId, email, generationKey, memberKey, cookie: await signIn(app, url, email, code) };
}

/** Signs in by a link, as from a mail. */
export async function signIn(
  app: App,
  url: string,
  email: string,
  { createLink }: Pick<ReleaseCode, "createLink">,
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const tokenSha256 = createHash("sha256").update(token).digest("hex");
  // Releases before the codes of mails take the hash alone, and refuse anything else before they write.
  await createLink(app, email, { tokenSha256 }).catch(() => createLink(app, email, tokenSha256 as never));
  const answer = await fetch(`${url}/sign-in/confirm`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ token, next: "", other_browser: "yes" }),
  });
  const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
  if (answer.status !== 303 || cookie === "") throw new Error(`signing in was answered ${answer.status}`);
  return cookie;
}
