// A signed-in browser without a browser: its cookie, and requests as its pages send them.
import { createHash, randomBytes } from "node:crypto";
import { createAccount } from "../../../core/identity/accounts/create-account.ts";
import { createSessionCookies } from "../../../gateway/site/session/session-cookie.ts";
import type { CallOptions } from "../../../proto/client.ts";
import type { ApiKey } from "../../../proto/types/atelier/v1/ApiKey.ts";
import { loadSecrets } from "../../../runtime/keys/secret.ts";
import type { Answer, CallInit, HttpCalls } from "../../support/http-calls.ts";
import type { WholeService } from "../../support/whole-service.ts";

export type Browser = {
  readonly accountId: string;
  readonly sessionId: string;
  /** name=value, as in a Cookie header. */
  readonly cookie: string;
  readonly csrfToken: string;
  /** Of the service that it is signed in at. */
  readonly url: string;
  /** A request with the cookie; unsafe ones come from a page of the site and carry the token, unless the headers say otherwise. */
  call<Body = Record<string, unknown>>(path: string, init?: CallInit, at?: HttpCalls): Promise<Answer<Body>>;
};

/** Signs in by a link for `email`; creates an account without credits when there is none. */
export async function signInAs(service: WholeService, email: string, userAgent = "test"): Promise<Browser> {
  // Refused when there is one.
  await createAccount(service.app, { email, name: email.split("@")[0] ?? "", plan: "free" }).catch(() => {});
  const tokenSha256 = createHash("sha256").update(randomBytes(32)).digest("hex");
  await service.core.sessions.CreateLink({ email, token_sha256: tokenSha256 });
  const { session } = await service.core.sessions.SignIn({
    token_sha256: tokenSha256,
    user_agent: userAgent,
  });
  if (!session) throw new Error("core signed in without a session");
  const cookies = createSessionCookies(loadSecrets(service.config), false, service.config.sessionDays);
  const { account_id: accountId, session_id: sessionId } = session;
  const [cookie = ""] = (await cookies.issue({ accountId, sessionId })).split(";");
  const csrfToken = cookies.csrfToken(sessionId);
  return {
    accountId,
    sessionId,
    cookie,
    csrfToken,
    url: service.url,
    call: (path, { headers = {}, method = "GET", ...init } = {}, at = service) => {
      const fromPage = method === "GET" ? {} : { "sec-fetch-site": "same-origin", "x-csrf-token": csrfToken };
      return at.call(path, { ...init, method, headers: { cookie, ...fromPage, ...headers } });
    },
  };
}

/** Calls core as the website does for this person, with a deadline that only a hang reaches. */
export const callOf = ({ accountId }: Pick<Browser, "accountId">): CallOptions => ({
  caller: { kind: "account", accountId, source: "app" },
  deadlineMs: 90_000,
});

/** Creates a key as the page of keys does. */
export async function makeKey(
  service: WholeService,
  who: Browser,
  fields: Record<string, unknown> = {},
): Promise<{ secret: string; key: ApiKey }> {
  const asked = { name: "ci", scope: "write", ...fields };
  const { secret, key } = await service.core.accounts.CreateKey(asked, callOf(who));
  if (!key) throw new Error("core made a key and did not say which");
  return { secret, key };
}

/** As if the person had signed in two days ago, and been active since. */
export async function makeOld(service: WholeService, { sessionId }: Browser): Promise<void> {
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
  await service.app.mongo.db
    .collection<{ _id: string }>("sessions")
    .updateOne({ _id: sessionId }, { $set: { created_at: twoDaysAgo } });
}
