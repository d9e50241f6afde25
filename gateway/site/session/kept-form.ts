// Keeps a submitted form whose session had ended. The browser stores it in cookies that only this installation can decrypt, for the page of
// the form alone, until the person has signed in and returned. Nothing is stored on the server.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { pathOf } from "../../../edge/http/errors.ts";
import { Form, formOf } from "./forms.ts";
import { readCookie, setCookie } from "./session-cookie.ts";
import { safeNext } from "./sign-in-link.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The form of this route is kept if the session has ended, and its page restores it. */
    keepsForm?: true;
  }
}

/** A field of forms that visitors may send: the action is carried out once the visitor has signed in and returned. */
export const VISITOR_FIELD = "visitor";

const KEPT_SECONDS = 1_800;
/** Browsers accept about 4 kB per cookie; all pieces together stay below the limit for request headers. */
const PIECE_BYTES = 3_500;
const MAX_PIECES = 3;
const MAX_TEXT_BYTES = 64 * 1024;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** These fields belong to the ended session or could be secret, so they are not kept. */
const NEVER_KEPT = /csrf|secret|password|token/i;
/** Characters that are valid in the path of a cookie. */
const COOKIE_PATH = /^\/[\w\-.~%/]*$/;

const keptSchema = z.object({
  /** The account of the ended session, if it is still known. */
  account: z.string().nullable(),
  path: z.string(),
  until: z.number(),
  fields: z.array(z.tuple([z.string(), z.string()])),
});
type Kept = z.output<typeof keptSchema>;

export type KeptForms = {
  /** Keeps a form, that of the request unless another is given, for the page at `path`. Returns false if it is empty or too large. */
  keep(
    request: FastifyRequest,
    reply: FastifyReply,
    kept: { path: string; account: string | null; form?: Form },
  ): boolean;
  /**
   * Returns the form that was kept for the requested page, once; undefined if there is none or it belongs to another person. Pages that
   * everyone may see pass the person.
   */
  take(
    request: FastifyRequest,
    reply: FastifyReply,
    person?: { readonly accountId: string },
  ): Form | undefined;
};

/** `keys` serve this purpose only. The first encrypts; all of them decrypt. */
export function createKeptForms(keys: readonly [Uint8Array, ...Uint8Array[]], isHttps: boolean): KeptForms {
  const nameOf = (piece: number) => `atelier_form_${piece}`;
  const write = (reply: FastifyReply, path: string, values: readonly string[]) => {
    for (let i = 0; i < MAX_PIECES; i++) {
      const value = values[i];
      const seconds = value === undefined ? 0 : KEPT_SECONDS;
      reply.header("set-cookie", setCookie(nameOf(i), value ?? "", { path, seconds, isHttps }));
    }
  };
  return {
    keep: (request, reply, { path, account, form = formOf(request) }) => {
      const { pathname } = new URL(path, "http://here.invalid");
      const fields = form.entries().filter(([name]) => !NEVER_KEPT.test(name));
      if (fields.length === 0 || !COOKIE_PATH.test(pathname)) return false;
      const until = Date.now() + KEPT_SECONDS * 1000;
      const pieces = toPieces(seal(keys[0], { account, path: pathname, until, fields }));
      if (pieces.length > MAX_PIECES) return false;
      write(reply, pathname, pieces);
      return true;
    },
    take: (request, reply, person = request.person) => {
      const { cookie } = request.headers;
      const pieces = Array.from({ length: MAX_PIECES }, (_, i) => readCookie(cookie, nameOf(i)) ?? "");
      const kept = pieces[0] === "" ? undefined : unsealAny(keys, pieces.join(""));
      if (!kept) return undefined;
      const pathname = pathOf(request.url);
      write(reply, pathname, []);
      const isTheirs = kept.account === null || kept.account === person.accountId;
      if (!isTheirs || kept.path !== pathname || kept.until < Date.now()) return undefined;
      return new Form(new URLSearchParams(kept.fields).toString());
    },
  };
}

/** The page to return to: the page with the form according to the browser, otherwise the page at the form's address; or the one above. */
export function pageOfForm(request: FastifyRequest): string {
  const { headers, host, server, url, routeOptions } = request;
  const { referer = "" } = headers;
  const from = URL.canParse(referer) ? new URL(referer) : undefined;
  const next = from?.host === host ? pageAt(server, safeNext(from.pathname + from.search)) : "";
  const isPage = server.hasRoute({ method: "GET", url: routeOptions.url ?? "" });
  return next || pageAt(server, isPage ? safeNext(url) : above(safeNext(url)));
}

/** A page that shows a refused form has the address of the form, which may be no page: then the page above it has the form. */
function pageAt(server: FastifyInstance, address: string): string {
  if (address === "" || server.methodsAt(pathOf(address)).includes("GET")) return address;
  return pageAt(server, above(address));
}

function above(address: string): string {
  const path = pathOf(address);
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

function seal(key: Uint8Array, kept: Kept): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const text = deflateRawSync(JSON.stringify(kept));
  const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

function unsealAny(keys: readonly Uint8Array[], text: string): Kept | undefined {
  for (const key of keys) {
    const kept = unseal(key, text);
    if (kept) return kept;
  }
  return undefined;
}

/** Returns undefined if this installation did not encrypt it, or it was changed. */
function unseal(key: Uint8Array, text: string): Kept | undefined {
  const bytes = Buffer.from(text, "base64url");
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    }).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const packed = Buffer.concat([
      decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
      decipher.final(),
    ]);
    const json = inflateRawSync(packed, { maxOutputLength: MAX_TEXT_BYTES }).toString("utf8");
    return keptSchema.parse(JSON.parse(json));
  } catch {
    return undefined;
  }
}

function toPieces(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / PIECE_BYTES) }, (_, i) =>
    text.slice(i * PIECE_BYTES, (i + 1) * PIECE_BYTES),
  );
}
