// /account/sessions: the browsers in which the person is signed in, and signing them out.
import { z } from "zod";
import { markCurrent, type SessionResource } from "../../../proto/resources/session.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { badge } from "../design/badge.ts";
import { html, type Markup } from "../design/markup.js";
import { emptyState, notice, standingNotice } from "../design/notice.ts";
import { table } from "../design/table.ts";
import { dateOf, timeOf } from "../design/time.ts";
import { browserName } from "../session/browser-name.ts";
import { type Person, personCall } from "../session/current-person.ts";
import { actionForm, sendAccountPage } from "./account-frame.ts";

const PATH = "/account/sessions";
const NOTICES = new Map([
  ["one", "That browser is signed out."],
  ["others", "Every other browser is signed out."],
]);

export function sessionPages(app: GatewayApp, { core }: GatewayOptions): void {
  app.get(
    PATH,
    { schema: { querystring: z.object({ done: z.string().catch("") }) } },
    async (request, reply) => {
      const { person } = request;
      const { sessions } = await core.sessions.ListSessions({}, personCall(request));
      const body = sessionsBody(
        person,
        sessions.map((session) => markCurrent(session, person.sessionId)),
        NOTICES.get(request.query.done),
      );
      return sendAccountPage(reply, { path: PATH, title: "Sessions", body });
    },
  );

  const params = z.object({ session_id: z.string() });
  app.post(`${PATH}/:session_id/revoke`, { schema: { params } }, async (request, reply) => {
    await core.sessions.RevokeSession({ session_id: request.params.session_id }, personCall(request));
    return reply.redirect(`${PATH}?done=one`, 303);
  });

  app.post(`${PATH}/revoke-others`, async (request, reply) => {
    const { person } = request;
    await core.sessions.RevokeOtherSessions({ keep_session_id: person.sessionId }, personCall(request));
    return reply.redirect(`${PATH}?done=others`, 303);
  });
}

function sessionsBody(
  person: Person,
  sessions: readonly SessionResource[],
  news: string | undefined,
): Markup {
  const others = sessions.filter(({ current }) => !current);
  return html`<p class="lead">
      Every browser you are signed in with. A session ends on the day shown, or earlier if it is not used;
      sign out any that you do not recognise.
    </p>
    ${news !== undefined && notice({ tone: "success", title: news })}
    ${
      person.issuedElsewhere &&
      standingNotice({
        tone: "info",
        title: "You came with a session of another system. It ends there, not here.",
      })
    }
    ${
      sessions.length === 0
        ? emptyState({ title: "No sessions", body: "No session was opened by a mailed link." })
        : table({
            caption: "Where you are signed in, the last used first",
            columns: ["Browser", "Last used", "Signed in", "Ends", "End it"],
            rows: sessions.map((session) => [
              browserName(session.user_agent),
              timeOf(session.last_seen_at),
              timeOf(session.created_at),
              dateOf(session.expires_at),
              session.current
                ? badge({ label: "this browser", tone: "accent" })
                : actionForm(person, {
                    action: `${PATH}/${session.session_id}/revoke`,
                    label: "Sign out",
                    of: browserName(session.user_agent),
                  }),
            ]),
          })
    }
    ${others.length > 0 && actionForm(person, { action: `${PATH}/revoke-others`, label: "Sign out everywhere else", kind: "danger" })}`;
}
