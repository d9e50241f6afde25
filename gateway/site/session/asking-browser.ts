// Detects whether a sign-in link is opened in the browser that requested it. The browser stores a random mark, and the link contains a
// proof made of the mark and the token. Nothing is stored on the server.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { readCookie, setCookie } from "./session-cookie.ts";

const MARK_BYTES = 16;
const MARK = /^[A-Za-z0-9_-]{22}$/;
/** Longer than a link is valid. */
const KEPT_SECONDS = 3_600;

export type AskingBrowser = {
  /** Marks the browser that requests a link, or keeps its mark. Returns the proof for the link. */
  mark(reply: FastifyReply, tokenSha256: string): string;
  isSame(request: FastifyRequest, link: { tokenSha256: string; proof: string }): boolean;
};

/** `keys` serve this purpose only. The first creates proofs; proofs of any of them are accepted. */
export function createAskingBrowser(
  keys: readonly [Uint8Array, ...Uint8Array[]],
  isHttps: boolean,
): AskingBrowser {
  const name = isHttps ? "__Host-atelier_sign_in" : "atelier_sign_in";
  const markOf = ({ headers }: FastifyRequest): string | undefined => {
    const mark = readCookie(headers.cookie, name);
    return mark !== undefined && MARK.test(mark) ? mark : undefined;
  };
  return {
    mark: (reply, tokenSha256) => {
      const mark = markOf(reply.request) ?? randomBytes(MARK_BYTES).toString("base64url");
      // SameSite is Lax, because the link is opened from a mail on another site.
      reply.header("set-cookie", setCookie(name, mark, { seconds: KEPT_SECONDS, isHttps }));
      return prove(keys[0], mark, tokenSha256).toString("base64url");
    },
    isSame: (request, { tokenSha256, proof }) => {
      const mark = markOf(request);
      const sent = Buffer.from(proof, "base64url");
      return (
        mark !== undefined &&
        keys.some((key) => {
          const wanted = prove(key, mark, tokenSha256);
          return sent.length === wanted.length && timingSafeEqual(sent, wanted);
        })
      );
    },
  };
}

function prove(key: Uint8Array, mark: string, tokenSha256: string): Buffer {
  return createHmac("sha256", key).update(`${mark}.${tokenSha256}`).digest();
}
