// Every page of the website as an answer: the document around its body, and the headers that keep it to itself.
import type { FastifyReply } from "fastify";
import { type Markup, renderToStaticMarkup } from "../design/markup.js";
import type { Assets } from "../assets/assets.ts";
import { pageShell, type ShellContents } from "./page-shell.ts";

export type Page = ShellContents & {
  status?: number;
  /** Origins, besides its own, that its scripts call. */
  callsTo?: readonly string[];
};

const policy = (callsTo: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
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
    /** Files of the website, within it. */
    siteAssets: Assets;
  }
}

/** Sends the page; no one keeps a copy of it. Pages that caches may keep go through site/catalog/serve-document.ts. */
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

/** Parts of a page for a script of that page, which puts them in the place of those that it has. */
export function renderFragments(reply: FastifyReply, fragments: Markup): FastifyReply {
  return reply
    .headers({ ...PAGE_HEADERS, "cache-control": "private, no-store" })
    .send(renderToStaticMarkup(fragments));
}

/** The whole document as text. */
export function renderDocument(page: Page, assets: Assets): string {
  return `<!doctype html>${renderToStaticMarkup(pageShell(page, assets))}`;
}
