// Service Sessions: decodes, calls the verb, encodes.
import { toMessage } from "../../../proto/codec.ts";
import { AppError } from "../../../proto/codes.ts";
import { sessionSchema } from "../../../proto/resources/session.ts";
import type { EmailLinkInput } from "../../../proto/types/atelier/v1/EmailLink.ts";
import type { PasskeyInput } from "../../../proto/types/atelier/v1/Passkey.ts";
import type { PersonInput } from "../../../proto/types/atelier/v1/Person.ts";
import type { SessionInput } from "../../../proto/types/atelier/v1/Session.ts";
import type { SessionsDefinition } from "../../../proto/types/atelier/v1/Sessions.ts";
import type { SignedInInput } from "../../../proto/types/atelier/v1/SignedIn.ts";
import type { SignInLinkInput } from "../../../proto/types/atelier/v1/SignInLink.ts";
import { logSecurity } from "../../../runtime/ops/security-log.ts";
import type { App } from "../../kernel/app.ts";
import { type Call, factsOf, type Handlers } from "../../kernel/rpc.ts";
import { decodeTime } from "../accounts/rpc.ts";
import { readSignedIn, signedInAccount } from "../accounts/signed-in-account.ts";
import { availableCredits, expireDue } from "../credits/rules.ts";
import { describeEmailChange, findUsableEmailLink, startEmailChange, useEmailLink } from "./change-email.ts";
import { checkSession, type Identified, identifyByEmail } from "./check-session.ts";
import { createLink } from "./create-link.ts";
import { addPasskey, removePasskey, signInByPasskey, startPasskey, startPasskeySignIn } from "./passkeys.ts";
import { listSessions, revokeOtherSessions, revokeSession } from "./revoke-session.ts";
import { endOf } from "./rules.ts";
import { findUsableLink, type SignedIn, signIn, tryCode } from "./sign-in.ts";
import type { EmailLinkDoc } from "./store-email-links.ts";
import { findPasskeysOf, type PasskeyDoc } from "./store-passkeys.ts";
import type { LinkDoc, SessionDoc } from "./store.ts";

export function sessionsHandlers(app: App): Handlers<SessionsDefinition> {
  return {
    ...emailHandlers(app, toldWhenBad),
    ...passkeyHandlers(app),

    async CreateLink({ email, token_sha256, network, code_digest }) {
      const secrets = { tokenSha256: token_sha256, codeDigest: code_digest };
      const { link, overQuota, givenUp } = await createLink(app, email, secrets, network);
      return { ...linkMessage(link), over_quota: overQuota, given_up: givenUp };
    },

    async FindLink({ token_sha256 }, call) {
      return linkMessage(await toldWhenBad(call, () => findUsableLink(app, token_sha256)));
    },

    async SignIn({ token_sha256, user_agent, network, code_digest }, call) {
      const browser = { userAgent: user_agent, network };
      const signedIn = await toldWhenBad(call, async () => {
        if (code_digest !== "") await tryCode(app, token_sha256, code_digest);
        return signIn(app, token_sha256, browser, call.address);
      });
      return signedInMessage(app, signedIn, call);
    },

    async CheckSession({ account_id, session_id }) {
      return personMessage(await checkSession(app, account_id, session_id), app.clock.now());
    },

    async IdentifyByEmail({ email, name, signed_in_at }, { address }) {
      const signedInAt = signed_in_at === "" ? undefined : decodeTime(signed_in_at);
      const wanted = { email, name, ...(signedInAt && { signedInAt }) };
      const found = await identifyByEmail(app, wanted, address);
      return personMessage(found, app.clock.now());
    },

    async ListSessions(_request, { caller }) {
      const sessions = await listSessions(app, await signedInAccount(app, caller));
      return { sessions: sessions.map((session) => sessionMessage(app, session)) };
    },

    async RevokeSession({ session_id }, call) {
      const accountId = await signedInAccount(app, call.caller);
      const revoked = await revokeSession(app, accountId, session_id);
      logSecurity(app.log, "session_ended", { ...factsOf(call), account_id: accountId, session_id });
      return sessionMessage(app, revoked);
    },

    async RevokeOtherSessions({ keep_session_id }, call) {
      const accountId = await signedInAccount(app, call.caller);
      const revoked = await revokeOtherSessions(app, accountId, keep_session_id);
      logSecurity(app.log, "session_ended", { ...factsOf(call), account_id: accountId, count: revoked });
      return { revoked };
    },
  };

  async function toldWhenBad<T>(call: Call, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError && error.code === "invalid_link")
        logSecurity(app.log, "bad_link", factsOf(call));
      throw error;
    }
  }
}

function signedInMessage(app: App, { session, account, newBrowser }: SignedIn, call: Call): SignedInInput {
  logSecurity(app.log, "sign_in", { ...factsOf(call), account_id: account._id, session_id: session._id });
  return {
    session: sessionMessage(app, session),
    person: personMessage({ account, fresh: true }, app.clock.now()),
    new_browser: newBrowser,
  };
}

function passkeyHandlers(app: App) {
  return {
    async StartPasskey({ host }, { caller }) {
      return { options_json: await startPasskey(app, await readSignedIn(app, caller), host) };
    },

    async AddPasskey({ name, challenge, response_json, origin }, call) {
      const account = await readSignedIn(app, call.caller);
      const answer = { challenge, responseJson: response_json, origin };
      const added = await addPasskey(app, account, { name, ...answer });
      logSecurity(app.log, "passkey_added", { ...factsOf(call), account_id: account._id });
      return passkeyMessage(added);
    },

    async StartPasskeySignIn({ host }) {
      return { options_json: await startPasskeySignIn(app, host) };
    },

    async SignInByPasskey({ challenge, response_json, origin, user_agent, network }, call) {
      const browser = { userAgent: user_agent, network };
      try {
        const answer = { challenge, responseJson: response_json, origin };
        return signedInMessage(app, await signInByPasskey(app, answer, browser), call);
      } catch (error) {
        if (error instanceof AppError && error.code === "invalid_request")
          logSecurity(app.log, "bad_passkey", factsOf(call));
        throw error;
      }
    },

    async ListPasskeys(_request, { caller }) {
      const passkeys = await findPasskeysOf(app.mongo.db, await signedInAccount(app, caller));
      return { passkeys: passkeys.map(passkeyMessage) };
    },

    async RemovePasskey({ passkey_id }, call) {
      const accountId = await signedInAccount(app, call.caller);
      await removePasskey(app, accountId, passkey_id);
      logSecurity(app.log, "passkey_removed", { ...factsOf(call), account_id: accountId });
      return {};
    },
  } satisfies Partial<Handlers<SessionsDefinition>>;
}

function passkeyMessage({ _id, name, created_at, last_used_at }: PasskeyDoc): PasskeyInput {
  return {
    passkey_id: _id,
    name,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString(),
  };
}

function emailHandlers(app: App, toldWhenBad: <T>(call: Call, work: () => Promise<T>) => Promise<T>) {
  return {
    async StartEmailChange({ email, token_sha256, network }, { caller }) {
      const accountId = await signedInAccount(app, caller);
      const wanted = { email, tokenSha256: token_sha256, network };
      const { link, refused } = await startEmailChange(app, accountId, wanted);
      return {
        email: link.to,
        expires_at: link.expires_at.toISOString(),
        over_quota: refused === "over quota",
        taken: refused === "taken",
      };
    },

    async FindEmailLink({ token_sha256 }, call) {
      return emailLinkMessage(await toldWhenBad(call, () => findUsableEmailLink(app, token_sha256)));
    },

    async UseEmailLink({ token_sha256 }, call) {
      const link = await toldWhenBad(call, () => useEmailLink(app, token_sha256));
      const event = link.kind === "change" ? "email_changed" : "email_restored";
      logSecurity(app.log, event, { ...factsOf(call), account_id: link.account_id });
      return emailLinkMessage(link);
    },

    async GetEmailChange(_request, { caller }) {
      const { wanted, done } = await describeEmailChange(app, await signedInAccount(app, caller));
      return {
        ...(wanted && { wanted_email: wanted.to, wanted_until: wanted.expires_at.toISOString() }),
        ...(done && {
          previous_email: done.to,
          changed_at: done.created_at.toISOString(),
          undo_until: done.expires_at.toISOString(),
        }),
      };
    },
  } satisfies Partial<Handlers<SessionsDefinition>>;
}

function emailLinkMessage({ kind, from, to, expires_at }: EmailLinkDoc): EmailLinkInput {
  return { kind, from, to, expires_at: expires_at.toISOString() };
}

function sessionMessage({ config }: Pick<App, "config">, session: SessionDoc): SessionInput {
  const resource = {
    session_id: session._id,
    user_agent: session.user_agent,
    created_at: session.created_at.toISOString(),
    last_seen_at: session.last_seen_at.toISOString(),
    expires_at: endOf(session, config).toISOString(),
  };
  return toMessage(sessionSchema, resource, {
    account_id: session.account_id,
    revoked_at: session.revoked_at?.toISOString(),
  });
}

function linkMessage(link: LinkDoc): SignInLinkInput {
  return { email: link.email, expires_at: link.expires_at.toISOString() };
}

function personMessage({ account, fresh }: Identified, now: Date): PersonInput {
  const { _id, email, name, plan, time_zone = "" } = account;
  const credits_available = availableCredits(expireDue(account, now)?.head ?? account);
  return { account_id: _id, email, name, plan, fresh, credits_available, time_zone };
}
