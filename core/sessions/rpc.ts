// Service Sessions: decodes, calls the verb, encodes.
import type { PersonInput } from "../../proto/types/atelier/v1/Person.ts";
import type { SessionInput } from "../../proto/types/atelier/v1/Session.ts";
import type { SignInLinkInput } from "../../proto/types/atelier/v1/SignInLink.ts";
import type { SessionsDefinition } from "../../proto/types/atelier/v1/Sessions.ts";
import { signedInAccount } from "../accounts/signed-in-account.ts";
import type { AccountDoc } from "../accounts/store.ts";
import type { App } from "../app.ts";
import type { Handlers } from "../rpc.ts";
import { checkSession, identifyByEmail } from "./check-session.ts";
import { createLink } from "./create-link.ts";
import { listSessions, revokeOtherSessions, revokeSession } from "./revoke-session.ts";
import { findUsableLink, signIn } from "./sign-in.ts";
import type { LinkDoc, SessionDoc } from "./store.ts";

export function sessionsHandlers(app: App): Handlers<SessionsDefinition> {
  return {
    async CreateLink({ email, token_sha256, network }) {
      const { link, overQuota } = await createLink(app, email, token_sha256, network);
      return { ...encodeLink(link), over_quota: overQuota };
    },

    async FindLink({ token_sha256 }) {
      return encodeLink(await findUsableLink(app, token_sha256));
    },

    async SignIn({ token_sha256, user_agent }) {
      const { session, account } = await signIn(app, token_sha256, user_agent);
      return { session: encodeSession(session), person: encodePerson(account) };
    },

    async CheckSession({ account_id, session_id }) {
      return encodePerson(await checkSession(app, account_id, session_id));
    },

    async IdentifyByEmail({ email, name }) {
      return encodePerson(await identifyByEmail(app, email, name));
    },

    async ListSessions(_request, { caller }) {
      const sessions = await listSessions(app, await signedInAccount(app, caller));
      return { sessions: sessions.map(encodeSession) };
    },

    async RevokeSession({ session_id }, { caller }) {
      return encodeSession(await revokeSession(app, await signedInAccount(app, caller), session_id));
    },

    async RevokeOtherSessions({ keep_session_id }, { caller }) {
      const accountId = await signedInAccount(app, caller);
      return { revoked: await revokeOtherSessions(app, accountId, keep_session_id) };
    },
  };
}

function encodeLink(link: LinkDoc): SignInLinkInput {
  return { email: link.email, expires_at: link.expires_at.toISOString() };
}

function encodePerson({ _id, email, name, plan }: AccountDoc): PersonInput {
  return { account_id: _id, email, name, plan };
}

function encodeSession(session: SessionDoc): SessionInput {
  return {
    session_id: session._id,
    account_id: session.account_id,
    user_agent: session.user_agent,
    created_at: session.created_at.toISOString(),
    last_seen_at: session.last_seen_at.toISOString(),
    expires_at: session.expires_at.toISOString(),
    ...(session.revoked_at && { revoked_at: session.revoked_at.toISOString() }),
  };
}
