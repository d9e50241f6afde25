// The cookie that a signed-in browser holds: which session of which account, signed. Whether that session is still good only core
// can say.
import { createHmac } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { deriveKey } from "../../../runtime/keys/secret.ts";

const ALGORITHM = "HS256";
const ISSUER = "atelier-site";
const DAY_SECONDS = 24 * 3_600;

export type SessionClaims = { accountId: string; sessionId: string };

export type SessionCookies = {
  /** The Set-Cookie header that signs in. */
  issue(claims: SessionClaims): Promise<string>;
  /** What a Cookie header says; undefined when it says nothing that we signed. */
  read(header: string | undefined): Promise<SessionClaims | undefined>;
  /** The Set-Cookie header that signs out. */
  readonly clear: string;
  /** What forms and scripts of this session send back; useless in any other. */
  csrfToken(sessionId: string): string;
};

/** Over https the cookie is Secure and bound to this host (`__Host-`), so that no neighbouring site can set one. */
export function createSessionCookies(secret: string, isHttps: boolean, days: number): SessionCookies {
  const lifetimeSeconds = days * DAY_SECONDS;
  const cookieKey = deriveKey(secret, "atelier session cookie");
  const csrfKey = deriveKey(secret, "atelier csrf token");
  const name = isHttps ? "__Host-atelier_session" : "atelier_session";
  const write = (value: string, seconds: number) =>
    `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isHttps ? "; Secure" : ""}`;
  return {
    issue: async ({ accountId, sessionId }) => {
      const token = await new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM })
        .setIssuer(ISSUER)
        .setSubject(accountId)
        .setIssuedAt()
        .setExpirationTime(`${lifetimeSeconds}s`)
        .sign(cookieKey);
      return write(token, lifetimeSeconds);
    },
    read: async (header) => {
      const token = readCookie(header, name);
      if (token === undefined) return undefined;
      try {
        const { payload } = await jwtVerify(token, cookieKey, { algorithms: [ALGORITHM], issuer: ISSUER });
        const { sub: accountId, sid: sessionId } = payload;
        return accountId !== undefined && typeof sessionId === "string"
          ? { accountId, sessionId }
          : undefined;
      } catch {
        return undefined;
      }
    },
    clear: write("", 0),
    csrfToken: (sessionId) => createHmac("sha256", csrfKey).update(sessionId).digest("base64url"),
  };
}

/** The first cookie of this name in a Cookie header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const at = pair.indexOf("=");
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
