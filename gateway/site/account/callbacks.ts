// /account/callbacks: the secret that callbacks are signed with. Shown in the answer that makes it, and never again.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { GatewayOptions } from "../../gateway.ts";
import { dateTime } from "../design/format.ts";
import { html, type Markup } from "../layout/markup.js";
import { type Person, personCall, requirePerson } from "../session/current-person.ts";
import { requireFormSender } from "../session/protect.ts";
import { actionForm, confirmedAction, facts, sendAccountPage, shownOnce } from "./account-frame.ts";

const PATH = "/account/callbacks";

export function callbackPages(app: FastifyInstance, { core, limits }: GatewayOptions): void {
  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    person: Person,
    secret?: string,
  ): Promise<FastifyReply> {
    const state = await core.accounts.GetCallbackSecretState({}, personCall(person, request));
    const body = callbacksBody(person, state, secret);
    return sendAccountPage(reply, person, {
      path: PATH,
      title: "Callbacks",
      body,
      status: secret ? 201 : 200,
    });
  }

  app.get(PATH, async (request, reply) => show(request, reply, await requirePerson(request, reply)));

  app.post(`${PATH}/secret`, async (request, reply) => {
    const person = await requireFormSender(request, reply, limits);
    const { secret } = await core.accounts.RotateCallbackSecret({}, personCall(person, request));
    return show(request, reply, person, secret);
  });
}

type State = { known: boolean; previous_until: string };

function callbacksBody(person: Person, { known, previous_until }: State, secret: string | undefined): Markup {
  return html`<p class="lead">
      A job that was made with a callback address tells it when it ends. Each message is signed with your
      secret, so that your program can tell ours from anybody else’s.
    </p>
    ${
      secret !== undefined &&
      shownOnce({
        title: "This is your callback secret. Copy it now: it is not shown again.",
        secret,
        what: "the secret",
        body: previous_until
          ? `The one before it signs too until ${dateTime(previous_until)}, so that you can change over without losing a message.`
          : "Give it to the program that receives your callbacks.",
      })
    }
    <section class="card stack">
      ${facts([
        ["Secret", known ? "made; only you have it" : "none that you know yet"],
        ...(previous_until
          ? [["The one before it", `signs too until ${dateTime(previous_until)}`] as const]
          : []),
      ])}
      ${
        known
          ? confirmedAction(person, {
              action: `${PATH}/secret`,
              label: "Replace the secret",
              of: "",
              question:
                "A new secret is made and shown once. The current one signs too for 24 hours; one that it replaced before ends now.",
            })
          : actionForm(person, { action: `${PATH}/secret`, label: "Make a secret", kind: "primary" })
      }
    </section>
    <p class="note">
      How messages are signed and repeated stands in the <a href="/docs">API reference</a>; each job’s page
      shows what was delivered.
    </p>`;
}
