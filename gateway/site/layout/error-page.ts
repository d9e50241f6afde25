// The page for an error: words for people, links to continue, and a request number for support.
import type { FastifyRequest } from "fastify";
import type { ErrorPage } from "../../../edge/http/errors.ts";
import type { Assets } from "../assets/assets.ts";
import { linkButton } from "../design/button.ts";
import { html, type Markup } from "../design/markup.js";
import { errorWords, issueSentences } from "./error-words.ts";
import type { Viewer } from "./page-shell.ts";
import { PAGE_HEADERS, renderDocument } from "./render-page.ts";

type Context = {
  findViewer: (request: FastifyRequest, status: number) => Promise<Viewer | "unknown" | undefined>;
  /** The page with the form that was sent; empty if there is none. */
  pageOfForm: (request: FastifyRequest) => string;
};

export function errorPage(assets: Assets, { findViewer, pageOfForm }: Context): ErrorPage {
  return async (request, { status, path, body }) => {
    // A page of a signed-in person leads there through sign-in.
    if (body.code === "not_signed_in" && request.method === "GET")
      return { location: `/sign-in?next=${encodeURIComponent(request.url)}` };
    const { title, what, next } = errorWords(body);
    const sentences = issueSentences(body.issues ?? []);
    const person = await findViewer(request, status);
    const back = body.code === "request_forged" ? pageOfForm(request) : "";
    const page = renderDocument(
      {
        title,
        path,
        person,
        body: html`<section class="message-page">
          <h1>${title}</h1>
          <p class="lead">${what} ${next}</p>
          ${
            sentences.length > 0 &&
            html`<ul>
              ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
            </ul>`
          }
          ${body.retry_after_seconds !== undefined && html`<p>Try again in ${seconds(body.retry_after_seconds)}.</p>`}
          <p class="cluster">${waysOn(body.code, status, back)}</p>
          <p class="note">
            If you <a href="/help">ask support</a> about it, mention this number:${" "}
            <code>${body.request_id}</code>
          </p>
        </section>`,
      },
      assets,
    );
    return { headers: PAGE_HEADERS, html: page };
  };
}

/** The most helpful link, and one that always works. */
const HELPFUL: Readonly<Record<string, readonly [href: string, label: string]>> = {
  not_signed_in: ["/sign-in", "Sign in"],
  invalid_link: ["/sign-in", "Get a new link"],
  insufficient_credits: ["/credits/buy", "Buy credits"],
  plan_excludes_api: ["/account/plan", "Compare plans"],
  membership_inactive: ["/account/membership", "Your membership"],
  membership_required: ["/account/membership", "Your membership"],
  invalid_key: ["/account/keys", "Your keys"],
  job_not_found: ["/jobs", "Your jobs"],
  job_not_cancellable: ["/jobs", "Your jobs"],
  workflow_not_found: ["/workflows", "Your workflows"],
  workflow_not_cancellable: ["/workflows", "Your workflows"],
  already_owned: ["/library", "Your library"],
  order_not_payable: ["/account/orders", "Your orders"],
  trial_unavailable: ["/pricing", "Compare plans"],
  order_conflict: ["/account", "Your settings"],
  ticket_closed: ["/support/new", "Open a new ticket"],
  account_suspended: ["/help", "Write to support"],
};

function waysOn(code: string, status: number, back: string): Markup[] {
  const [href, label] =
    back !== ""
      ? [back, "Open the page again"]
      : (HELPFUL[code] ?? (status >= 500 ? ["/status", "See what works"] : ["/products", "Browse products"]));
  return [linkButton({ href, label }), linkButton({ href: "/", label: "Start page", kind: "quiet" })];
}

function seconds(count: number): string {
  return count === 1 ? "1 second" : `${count} seconds`;
}
