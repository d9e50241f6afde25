// What was typed into a form whose session had ended meanwhile. The browser keeps it in cookies that only this installation can read, for
// the page of the form alone, until the person has signed in and is back there; nothing is stored here.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { Form, formOf } from "./forms.ts";
import { readCookie } from "./session-cookie.ts";
import { safeNext } from "./sign-in-link.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The form of this route is kept when its session has ended, and its page takes it back. */
    keepsForm?: true;
  }
}

/** A field of forms that visitors may send: what the form asks for is done when the visitor is back and signed in. */
export const VISITOR_FIELD = "visitor";

const KEPT_SECONDS = 1_800;
/** Browsers take some 4 kB a cookie; together they stay well below what a request's head may have. */
const PIECE_BYTES = 3_500;
const MAX_PIECES = 3;
const MAX_TEXT_BYTES = 64 * 1024;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Belongs to the session that is gone. Nothing else secret is ever typed into a form here; should it be, it is not kept. */
const NEVER_KEPT = /csrf|secret|password|token/i;
/** What may stand in the path of a cookie. */
const COOKIE_PATH = /^\/[\w\-.~%/]*$/;

const keptSchema = z.object({
  /** Whose session it was, where that can still be told. */
  account: z.string().nullable(),
  path: z.string(),
  until: z.number(),
  fields: z.array(z.tuple([z.string(), z.string()])),
});
type Kept = z.output<typeof keptSchema>;

export type KeptForms = {
  /** Keeps the form of a request for the page at `path`. Returns false if there is nothing to keep, or too much. */
  keep(request: FastifyRequest, reply: FastifyReply, kept: { path: string; account: string | null }): boolean;
  /** The form that was kept for the page that is asked for, once; undefined where there is none, or it is another person's. */
  take(request: FastifyRequest, reply: FastifyReply): Form | undefined;
};

/** `keys` are for this purpose alone. The first seals; what any of them has sealed is taken. */
export function createKeptForms(keys: readonly [Uint8Array, ...Uint8Array[]], isHttps: boolean): KeptForms {
  const nameOf = (piece: number) => `atelier_form_${piece}`;
  const write = (reply: FastifyReply, path: string, values: readonly string[]) => {
    for (let i = 0; i < MAX_PIECES; i++) {
      const value = values[i];
      reply.header(
        "set-cookie",
        `${nameOf(i)}=${value ?? ""}; Path=${path}; Max-Age=${value === undefined ? 0 : KEPT_SECONDS}; HttpOnly; SameSite=Lax${isHttps ? "; Secure" : ""}`,
      );
    }
  };
  return {
    keep: (request, reply, { path, account }) => {
      const { pathname } = new URL(path, "http://here.invalid");
      const fields = formOf(request)
        .entries()
        .filter(([name]) => !NEVER_KEPT.test(name));
      if (fields.length === 0 || !COOKIE_PATH.test(pathname)) return false;
      const until = Date.now() + KEPT_SECONDS * 1000;
      const pieces = toPieces(seal(keys[0], { account, path: pathname, until, fields }));
      if (pieces.length > MAX_PIECES) return false;
      write(reply, pathname, pieces);
      return true;
    },
    take: (request, reply) => {
      const { cookie } = request.headers;
      const pieces = Array.from({ length: MAX_PIECES }, (_, i) => readCookie(cookie, nameOf(i)) ?? "");
      const kept = pieces[0] === "" ? undefined : unsealAny(keys, pieces.join(""));
      if (!kept) return undefined;
      const pathname = request.url.split("?")[0] ?? "";
      write(reply, pathname, []);
      const isTheirs = kept.account === null || kept.account === request.person.accountId;
      if (!isTheirs || kept.path !== pathname || kept.until < Date.now()) return undefined;
      return new Form(new URLSearchParams(kept.fields).toString());
    },
  };
}

/** Where a person is led back to: the page with the form, as the browser names it, else the page at the address of the form. */
export function pageOfForm(request: FastifyRequest): string {
  const { referer } = request.headers;
  if (referer !== undefined && URL.canParse(referer)) {
    const { host, pathname, search } = new URL(referer);
    const next = host === request.host ? safeNext(pathname + search) : "";
    if (next !== "") return next;
  }
  const { url } = request.routeOptions;
  const hasPage = url !== undefined && request.server.hasRoute({ method: "GET", url });
  return hasPage ? safeNext(request.url) : "";
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

/** undefined where it was not sealed here, or was changed. */
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
