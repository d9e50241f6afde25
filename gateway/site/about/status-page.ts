// /status: what works now, for people. Core is asked when the page is opened, with a short time limit, so that the page appears even if core does not answer.
import type { FastifyRequest } from "fastify";
import type { CallOptions } from "../../../proto/client.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { countAddress } from "../../http/auth.ts";
import { OPEN } from "../../http/crawlers.ts";
import { badge, type BadgeTone } from "../design/badge.ts";
import { counted } from "../design/format.ts";
import { html } from "../design/markup.js";
import { standingNotice } from "../design/notice.ts";
import { renderPage } from "../layout/render-page.ts";
import { viewerOf } from "../session/current-person.ts";

const PATH = "/status";
const BOUND_MS = 2_000;
/** A job that has waited longer than this counts as slow, or as a sign that no worker runs. */
const SLOW_SECONDS = 60;
const STUCK_SECONDS = 600;

type State = "works" | "slow" | "off" | "away";
type Part = { readonly name: string; readonly state: State; readonly says: string };

const BADGES: Readonly<Record<State, { label: string; tone: BadgeTone }>> = {
  works: { label: "Works", tone: "success" },
  slow: { label: "Slow", tone: "warning" },
  off: { label: "Switched off", tone: "neutral" },
  away: { label: "Not working", tone: "danger" },
};

export function statusPage(app: GatewayApp, { core, limits, baseUrl }: GatewayOptions): void {
  const { sessions, mailer } = app;

  async function askParts(request: FastifyRequest): Promise<Part[]> {
    const call: CallOptions = { requestId: request.id, deadlineMs: BOUND_MS };
    const [shop, catalog, making] = await Promise.all([
      core.orders.DescribeShop({}, call).then(({ payments }) => paymentsPart(payments), away("Payments")),
      core.catalog
        .ListTaxonomy({}, call)
        .then(() => works("Catalog", "Products can be searched and opened."), away("Catalog")),
      core.jobs.DescribeStudio({}, call).then(studioParts, () => [gone("Generation"), gone("Queue")]),
    ]);
    return [
      catalog,
      ...making,
      shop,
      mailer
        ? works("Sign-in", "Sign-in links are mailed immediately.")
        : {
            name: "Sign-in",
            state: "off",
            says: "This site sends no mail, so no one can sign in by mail.",
          },
    ];
  }

  app.get(PATH, OPEN, async (request, reply) => {
    await countAddress(request, reply, limits, "catalog");
    const parts = await askParts(request);
    const isCoreAway = parts.every(({ name, state }) => name === "Sign-in" || state === "away");
    const person = await viewerOf(sessions, request, isCoreAway ? 503 : 200);
    return renderPage(reply, {
      title: "Status",
      description: "The current state of the catalog, generation, the queue, payments and sign-in.",
      path: PATH,
      styles: ["about.css"],
      person,
      head: html`<link rel="canonical" href=${baseUrl + PATH} />`,
      body: html`<div class="prose">
        <h1>Status</h1>
        ${summary(parts)}
        <ul class="status">
          ${parts.map(
            ({ name, state, says }) =>
              html`<li>
                <div>
                  <h2>${name}</h2>
                  <p class="note">${says}</p>
                </div>
                ${badge(BADGES[state])}
              </li>`,
          )}
        </ul>
        <p class="note">
          Checked just now; reload the page to check again. If something is listed as working and does not
          work for you, please <a href="/help">tell support</a>.
        </p>
      </div>`,
    });
  });
}

function summary(parts: readonly Part[]) {
  const bad = parts.filter(({ state }) => state === "away" || state === "slow");
  return bad.length === 0
    ? standingNotice({ tone: "success", title: "Everything works" })
    : standingNotice({
        tone: "warning",
        title: `${bad.map(({ name }) => name).join(", ")}: not as it should be`,
        body: "What you have bought and made is safe, and nothing is charged twice.",
      });
}

function works(name: string, says: string): Part {
  return { name, state: "works", says };
}

function gone(name: string): Part {
  return { name, state: "away", says: "It does not answer at the moment. We are told when that happens." };
}

function away(name: string): () => Part {
  return () => gone(name);
}

function paymentsPart(provider: string): Part {
  const name = "Payments";
  if (provider === "")
    return { name, state: "off", says: "No payments are taken here. What is free can be had." };
  return works(
    name,
    provider === "demo" ? "Only play money is taken here; nothing is charged." : "Orders can be paid.",
  );
}

function studioParts({
  live_models: live,
  paused_models: paused,
  longest_wait_seconds: wait,
}: {
  live_models: number;
  paused_models: number;
  longest_wait_seconds: number;
}): Part[] {
  const makes =
    paused === 0
      ? `${counted(live, "model")} can be used.`
      : `${counted(live, "model")} can be used; ${counted(paused, "other")} ${paused === 1 ? "is" : "are"} paused.`;
  const minutes = counted(Math.max(1, Math.round(wait / 60)), "minute");
  return [
    live === 0
      ? { name: "Generation", state: "away", says: "No model can be used at the moment." }
      : works("Generation", makes),
    wait < SLOW_SECONDS
      ? works("Queue", "Jobs begin within a minute.")
      : {
          name: "Queue",
          state: wait < STUCK_SECONDS ? "slow" : "away",
          says: `The job that waits longest has waited for ${minutes}.`,
        },
  ];
}
