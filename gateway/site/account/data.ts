// /account/data: exporting the data of an account, and deleting the account.
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { clientGone } from "../../../edge/http/client-gone.ts";
import type { RateLimits } from "../../../edge/http/rate-limit.ts";
import type { CoreClient } from "../../../proto/client.ts";
import { AppError } from "../../../proto/codes.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { button, linkButton } from "../design/button.ts";
import { textField } from "../design/field.ts";
import { html, type Markup } from "../design/markup.js";
import { renderPage } from "../layout/render-page.ts";
import { type Person, personCall } from "../session/current-person.ts";
import { formOf } from "../session/forms.ts";
import { deletedNotice, sendNotice } from "../session/notices.ts";
import { signInAgain } from "../session/protect.ts";
import { narrow } from "../session/sign-in-pages.ts";
import { forgetSession } from "../session/sign-out.ts";
import { actionForm, csrfField, sendAccountPage } from "./account-frame.ts";

const PATH = "/account/data";
const TITLE = "Your data";
const DELETED_TITLE = "Your account is deleted";

export function dataPages(app: GatewayApp, options: GatewayOptions): void {
  const { core, config } = options;

  const show = (reply: FastifyReply, wrong?: { typed: string; error: string }) =>
    sendAccountPage(reply, {
      path: PATH,
      title: TITLE,
      body: dataBody(reply.request.person, wrong),
      status: wrong ? 400 : 200,
    });

  const leave = (reply: FastifyReply, person: Person) => {
    forgetSession(reply, person, config);
    return reply.redirect("/account-deleted", 303);
  };

  app.get(PATH, async (_request, reply) => show(reply));
  app.post(`${PATH}/export`, (request, reply) => sendExport(request, reply, options));

  app.post(`${PATH}/delete`, async (request, reply) => {
    const { person } = request;
    if (!person.fresh) return reply.redirect(signInAgain(PATH), 303);
    const typed = formOf(request).get("email");
    try {
      await core.accounts.DeleteAccount({ email: typed }, personCall(request));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const issue = error.issues?.find(({ path }) => path === "email");
      if (issue) return show(reply, { typed, error: `This ${issue.message}.` });
      // An earlier press has deleted it a moment ago, and sends the notice.
      if (error.code !== "not_found" && error.code !== "not_signed_in") throw error;
      return leave(reply, person);
    }
    sendNotice(request, person.email, deletedNotice());
    return leave(reply, person);
  });
}

/** The page after deletion, when the person is signed out. */
export function deletedPage(app: GatewayApp): void {
  app.get("/account-deleted", { schema: { querystring: z.object({}) } }, async (_request, reply) =>
    renderPage(reply, {
      title: DELETED_TITLE,
      path: PATH,
      body: deletedBody(),
      styles: ["account.css"],
    }),
  );
}

function dataBody(person: Person, wrong: { typed: string; error: string } | undefined): Markup {
  return html`<section class="card stack" aria-labelledby="export">
      <h2 id="export">Download your data</h2>
      <p>
        Everything in one JSON file: your account, jobs and their prompts, the ledger, licences, downloads,
        reviews, tickets, sessions, keys (masked) and the webhooks that were sent. The files that jobs made
        are listed with links that work for a day.
      </p>
      ${actionForm(person, { action: `${PATH}/export`, label: "Download your data" })}
    </section>
    <section class="card stack" aria-labelledby="delete">
      <h2 id="delete">Delete the account</h2>
      <p>This cannot be undone. Right away:</p>
      <ul>
        <li>you are signed out everywhere, and every key is refused;</li>
        <li>your email address, keys, licences, reviews, membership and webhook secret are gone;</li>
        <li>waiting jobs are cancelled, and the credits you have left are lost.</li>
      </ul>
      <p>
        Prompts, files and delivery logs go within minutes; those of a running job, once it has ended. The
        ledger keeps its numbers and times, and nothing in it says whose they were.
      </p>
      <form class="stack" method="post" action=${`${PATH}/delete`}>
        ${csrfField(person)}
        ${textField({
          name: "email",
          label: "Your email address, to confirm",
          hint: `Type ${person.email}`,
          value: wrong?.typed ?? "",
          autocomplete: "off",
          maxLength: 254,
          required: true,
          error: wrong?.error,
        })}
        <p>${button({ label: "Delete the account permanently", kind: "danger" })}</p>
      </form>
    </section>`;
}

function deletedBody(): Markup {
  return narrow(
    DELETED_TITLE,
    html`<p class="lead">
        You are signed out everywhere. If you sign in with the same address again, a new account is made that
        knows nothing of this one.
      </p>
      <p>${linkButton({ href: "/", label: "Start page", kind: "quiet" })}</p>`,
  );
}

/** Streams the export from core at the speed of the client. Throws rate_limited. */
async function sendExport(
  request: FastifyRequest,
  reply: FastifyReply,
  { core, limits }: { core: CoreClient; limits: RateLimits },
): Promise<FastifyReply> {
  const decision = await limits.count("export", request.person.accountId);
  limits.enforce(decision, reply);
  const call = { ...personCall(request), signal: clientGone(reply) };
  const parts = core.accounts.ExportAccount({}, call)[Symbol.asyncIterator]();
  // Errors are thrown before the response begins.
  const first = await parts.next();
  const day = new Date().toISOString().slice(0, 10);
  return reply
    .type("application/json; charset=utf-8")
    .header("content-disposition", `attachment; filename="atelier-${day}.json"`)
    .send(Readable.from(inOrder(first, parts), { objectMode: false }));
}

async function* inOrder(
  first: IteratorResult<{ json: Uint8Array }>,
  rest: AsyncIterator<{ json: Uint8Array }>,
): AsyncGenerator<Uint8Array> {
  for (let part = first; part.done !== true; part = await rest.next()) yield part.value.json;
}
