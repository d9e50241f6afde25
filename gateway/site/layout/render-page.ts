// Sends pages of the website: the document around the body, and the headers that keep it private.
import type { FastifyReply } from "fastify";
import type { Assets } from "../assets/assets.ts";
import { type Markup, renderToStaticMarkup } from "../design/markup.js";
import { pageShell, type ShellContents } from "./page-shell.ts";

export type Page = ShellContents & {
  status?: number;
  /** Origins that its scripts call, in addition to its own. */
  callsTo?: readonly string[];
};

const policy = (callsTo: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "media-src 'self'",
    ["connect-src 'self'", ...callsTo].join(" "),
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");

export const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy([]),
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
} as const;

declare module "fastify" {
  interface FastifyInstance {
    /** The assets of the website. */
    siteAssets: Assets;
  }
}

/** Sends the page with headers that forbid caching. Pages that caches may store use site/catalog/serve-document.ts. */
export function renderPage(reply: FastifyReply, page: Page): FastifyReply {
  return reply
    .code(page.status ?? 200)
    .headers({
      ...PAGE_HEADERS,
      "content-security-policy": policy(page.callsTo ?? []),
      "cache-control": "private, no-store",
    })
    .send(renderDocument(page, reply.server.siteAssets));
}

/** Sends parts of a page for its script, which replaces the old parts. */
export function renderFragments(reply: FastifyReply, fragments: Markup): FastifyReply {
  return reply
    .headers({ ...PAGE_HEADERS, "cache-control": "private, no-store" })
    .send(renderToStaticMarkup(fragments));
}

/** The complete document as text. */
export function renderDocument(page: Page, assets: Assets): string {
  return `<!doctype html>${renderToStaticMarkup(pageShell(page, assets))}`;
}
