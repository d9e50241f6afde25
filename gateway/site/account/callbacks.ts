// /account/callbacks: the signing secret of callbacks. The response that creates it shows it once.
import type { FastifyInstance, FastifyReply } from "fastify";
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import { AppError, ERROR_TABLE } from "../../../proto/codes.ts";
import { deliverySchema, testEventRequestSchema } from "../../../proto/resources/callback.ts";
import { endpointSchema } from "../../../proto/resources/event.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import { isObject } from "../../../runtime/json-object.ts";
import type { GatewayOptions } from "../../gateway.ts";
import { html, type Markup } from "../design/markup.js";
import { table } from "../design/table.ts";
import { timeOf } from "../design/time.ts";
import { refusalNotice } from "../layout/refusal-notice.ts";
import { type Person, personCall } from "../session/current-person.ts";
import { type Form, formOf } from "../session/forms.ts";
import { actionForm, confirmedAction, facts, sendAccountPage, shownOnce } from "./account-frame.ts";
import { ownDeliveries, testForm, type Tried } from "./deliveries.ts";
import { type AskedEndpoint, endpointsSection } from "./endpoints.ts";

const PATH = "/account/callbacks";
const SHOWN = 20;
/** The time limit for the receiver's response plus core's own work. */
const TEST_DEADLINE_MS = 20_000;
/** Errors that the form itself explains. */
const TOLD: ReadonlySet<string> = new Set([
  "invalid_request",
  "callback_url_refused",
  "rate_limited",
  "not_found",
]);

type Query = { readonly query: unknown };

function queryText({ query }: Query, name: string): string {
  const value: unknown = isObject(query) ? query[name] : undefined;
  return typeof value === "string" ? value : "";
}

export function callbackPages(app: FastifyInstance, { core }: GatewayOptions): void {
  async function show(
    reply: FastifyReply,
    { secret, endpointSecret, tried, asked, refused, status = 200 }: Shown = {},
  ): Promise<FastifyReply> {
    const { request } = reply;
    const call = personCall(request);
    const query = {
      limit: SHOWN,
      cursor: queryText(request, "cursor"),
      status: queryText(request, "status"),
    };
    const [state, page, listed] = await Promise.all([
      core.accounts.GetCallbackSecretState({}, call),
      core.callbacks.ListOwnDeliveries(query, call),
      core.callbacks.ListEndpoints({}, call),
    ]);
    const { person } = request;
    const log = { rows: fromMessages(deliverySchema, page.deliveries), next: page.next_cursor, ...query };
    return sendAccountPage(reply, {
      path: PATH,
      title: "Webhooks",
      styles: ["studio.css"],
      body: html`${refused && refusalNotice(refused)}
      ${endpointSecret !== undefined && endpointSecretNotice(endpointSecret)}
      ${callbacksBody(person, state, secret)} ${testForm(person, tried)}
      ${endpointsSection(person, fromMessages(endpointSchema, listed.endpoints), { asked, refused })}
      ${ownDeliveries(person, log)}`,
      status,
    });
  }

  app.get(PATH, async (request, reply) => {
    const kept = app.sessions.keptForms.take(request, reply);
    return show(reply, kept && { tried: { url: kept.get("callback_url") }, asked: askedEndpoint(kept) });
  });

  app.post(`${PATH}/test`, { config: { keepsForm: true } }, async (request, reply) => {
    const url = formOf(request).get("callback_url").trim();
    const call = { ...personCall(request), deadlineMs: TEST_DEADLINE_MS };
    try {
      const { callback_url } = parseRequest(testEventRequestSchema, { callback_url: url });
      const sent = await core.callbacks.SendTestEvent({ callback_url }, call);
      return await show(reply, { tried: { url, delivery: fromMessage(deliverySchema, sent) } });
    } catch (error) {
      if (!(error instanceof AppError) || !TOLD.has(error.code)) throw error;
      return show(reply, { tried: { url, refusal: error }, status: ERROR_TABLE[error.code].http });
    }
  });

  endpointActions(app, core, show);

  app.post(`${PATH}/secret`, async (request, reply) => {
    const { secret } = await core.accounts.RotateCallbackSecret({}, personCall(request));
    return show(reply, { secret, status: 201 });
  });

  app.post(`${PATH}/switch`, async (request, reply) => {
    await core.accounts.SwitchCallbackSecret({}, personCall(request));
    return reply.redirect(PATH, 303);
  });
}

function askedEndpoint(form: Form): { url: string; events: string[] } {
  return { url: form.get("url").trim(), events: [...form.all("events")] };
}

type Show = (reply: FastifyReply, shown?: Shown) => Promise<FastifyReply>;

/** Forms about the account's endpoints. A refusal is shown on the page. */
function endpointActions(app: FastifyInstance, core: GatewayOptions["core"], show: Show): void {
  async function orRefused(
    reply: FastifyReply,
    work: () => Promise<FastifyReply>,
    shown: Shown = {},
  ): Promise<FastifyReply> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError) || !TOLD.has(error.code)) throw error;
      return show(reply, { ...shown, refused: error, status: ERROR_TABLE[error.code].http });
    }
  }

  app.post(`${PATH}/endpoints`, { config: { keepsForm: true } }, async (request, reply) => {
    const asked = askedEndpoint(formOf(request));
    return orRefused(
      reply,
      async () => {
        const added = await core.callbacks.AddEndpoint(asked, personCall(request));
        return show(reply, { endpointSecret: added.secret, status: 201 });
      },
      { asked },
    );
  });

  app.post<{ Params: { endpoint_id: string; change: string } }>(
    `${PATH}/endpoints/:endpoint_id/:change`,
    async (request, reply) => {
      const { endpoint_id, change } = request.params;
      const call = personCall(request);
      return orRefused(reply, async () => {
        if (change === "test") {
          const testing = { ...call, deadlineMs: TEST_DEADLINE_MS };
          const sent = await core.callbacks.SendTestEvent({ endpoint_id }, testing);
          const delivery = fromMessage(deliverySchema, sent);
          return show(reply, { tried: { url: delivery.url, delivery } });
        }
        const { secret } = await core.callbacks.ChangeEndpoint({ endpoint_id, change }, call);
        if (secret !== "") return show(reply, { endpointSecret: secret, status: 201 });
        return reply.redirect(`${PATH}#endpoints`, 303);
      });
    },
  );

  app.post(`${PATH}/resend`, async (request, reply) => {
    const delivery_id = formOf(request).get("delivery_id");
    return orRefused(reply, async () => {
      await core.callbacks.ResendEvent({ delivery_id }, personCall(request));
      return reply.redirect(`${PATH}#deliveries-heading`, 303);
    });
  });
}

type Shown = {
  readonly secret?: string;
  readonly endpointSecret?: string;
  readonly tried?: Tried;
  readonly asked?: AskedEndpoint;
  readonly refused?: AppError;
  readonly status?: number;
};

function endpointSecretNotice(secret: string): Markup {
  return shownOnce({
    title: "This is the secret of your endpoint. Copy it now: it is shown only once.",
    secret,
    what: "the secret",
    body: "Give it to the program that receives the events.",
  });
}

type State = { known: boolean; switches_at: string; previous_until: string };

function callbacksBody(person: Person, state: State, secret: string | undefined): Markup {
  const rotating = state.previous_until !== "";
  return html`<p class="lead">
      Give a job a webhook URL, and we send it a message when the job ends. Each message is signed with your
      secret, so that your program knows it comes from us.
    </p>
    ${
      secret !== undefined &&
      shownOnce({
        title: "This is your webhook secret. Copy it now: it is shown only once.",
        secret,
        what: "the secret",
        body: rotating
          ? "Give it to the programs that receive your webhooks. They still need the old one for now."
          : "Give it to the program that receives your webhooks.",
      })
    }
    <section class="card stack">
      ${facts([["Secret", state.known ? "Created. Only you have it." : "None yet"]])}
      ${state.known && keyedWith(state)} ${state.switches_at !== "" && switchForm(person, state)}
      ${
        state.known
          ? confirmedAction(person, {
              action: `${PATH}/secret`,
              label: state.switches_at === "" ? "Create a new secret" : "Create another new secret",
              of: "",
              question: createQuestion(state),
            })
          : actionForm(person, { action: `${PATH}/secret`, label: "Create a secret", kind: "primary" })
      }
    </section>
    <p class="note">
      The <a href="/docs">documentation</a> shows how to check a signature and when we try again; each job’s
      page shows what was delivered.
    </p>`;
}

/** Says which header is signed with which secret now, and what changes automatically later. */
function keyedWith({ switches_at, previous_until }: State): Markup {
  const standard =
    previous_until === ""
      ? "your secret"
      : html`the new secret and the old one; the old one stops on ${timeOf(previous_until)}`;
  const plain =
    switches_at !== ""
      ? html`the old secret, until you switch, or automatically on ${timeOf(switches_at)}`
      : previous_until === ""
        ? "your secret"
        : "the new secret";
  return table({
    caption: "Which secret signs which header",
    columns: ["Header", "Signed with"],
    rows: [
      [html`<code>webhook-signature</code>`, standard],
      [html`<code>x-service-signature</code>`, plain],
    ],
  });
}

function switchForm(person: Person, { switches_at }: State): Markup {
  return html`<p>
      Next step: once your programs know the new secret, switch. Programs that check${" "}
      <code>webhook-signature</code> accept messages before and after.
    </p>
    ${actionForm(person, { action: `${PATH}/switch`, label: "Switch to the new secret", kind: "primary" })}
    <p class="note">If you do not switch, we do it for you on ${timeOf(switches_at)}.</p>`;
}

function createQuestion({ switches_at, previous_until }: State): string {
  if (switches_at !== "")
    return "This replaces the new secret that you have not switched to yet. The next one is shown once; the old one stays.";
  const first =
    "You see the new secret once. The current one keeps signing next to it until you switch, or for 24 hours, and for 24 hours more in webhook-signature.";
  return previous_until === "" ? first : `${first} The one before it stops working now.`;
}
