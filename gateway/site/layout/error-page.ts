// What a person sees in the place of an ApiError: the same values as words on a page.
import { html } from "../design/markup.js";
import type { FastifyReply } from "fastify";
import type { ErrorPage } from "../../../runtime/http/errors.ts";
import type { Assets } from "../assets/assets.ts";
import { linkButton } from "../design/button.ts";
import { PAGE_HEADERS, renderDocument } from "./render-page.ts";

const TITLES: Readonly<Record<number, string>> = {
  401: "Sign in first",
  403: "That is not possible",
  404: "There is nothing here",
  405: "This page cannot be used that way",
  429: "A little slower, please",
  500: "That went wrong on our side",
  503: "We are away for a moment",
  504: "That took too long",
};

export function errorPage(assets: Assets): ErrorPage {
  return (reply: FastifyReply, { status, path, body }) => {
    // A page that is the person's own leads there by way of signing in.
    if (body.code === "not_signed_in" && reply.request.method === "GET")
      return reply.redirect(`/sign-in?next=${encodeURIComponent(reply.request.url)}`, 303);
    const title = TITLES[status] ?? "That did not work";
    const page = renderDocument(
      {
        title,
        path,
        body: html`<section class="message-page">
          <p class="message-page__status">${status}</p>
          <h1>${title}</h1>
          <p>${body.message} ${body.hint}</p>
          ${
            body.issues &&
            html`<ul>
              ${body.issues.map(({ path, message }) => html`<li><code>${path}</code> ${message}</li>`)}
            </ul>`
          }
          ${body.retry_after_seconds !== undefined && html`<p>Try again in ${seconds(body.retry_after_seconds)}.</p>`}
          <p class="cluster">
            ${linkButton({ href: "/products", label: "Browse products" })}
            ${linkButton({ href: "/", label: "Start page", kind: "quiet" })}
          </p>
          <p class="note">If you write to support, name this request: <code>${body.request_id}</code></p>
        </section>`,
      },
      assets,
    );
    return reply.headers(PAGE_HEADERS).send(page);
  };
}

function seconds(count: number): string {
  return count === 1 ? "1 second" : `${count} seconds`;
}
