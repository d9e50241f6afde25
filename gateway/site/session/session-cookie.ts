// The signed session cookie: it names session and account. Only core knows whether the session is still valid.
import { createHmac, timingSafeEqual } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { deriveKeys, type Secrets } from "../../../runtime/keys/secret.ts";

const ALGORITHM = "HS256";
const ISSUER = "atelier-site";
const DAY_SECONDS = 24 * 3_600;

export type SessionClaims = { accountId: string; sessionId: string };

export type SessionCookies = {
  /** The Set-Cookie header that signs in. */
  issue(claims: SessionClaims): Promise<string>;
  /** The contents of a Cookie header; undefined without a cookie that we signed. */
  read(header: string | undefined): Promise<SessionClaims | undefined>;
  /** The Set-Cookie header that signs out. */
  readonly clear: string;
  /** The CSRF token for forms and scripts of this session. */
  csrfToken(sessionId: string): string;
  /** Whether the token belongs to the session, with the current secret or one that is being replaced. */
  isCsrfToken(sessionId: string, sent: string): boolean;
};

/** Over https the cookie is Secure and bound to this host (`__Host-`), so that no subdomain can set one. */
export function createSessionCookies(secrets: Secrets, isHttps: boolean, days: number): SessionCookies {
  const lifetimeSeconds = days * DAY_SECONDS;
  const cookieKeys = deriveKeys(secrets, "atelier session cookie");
  const csrfKeys = deriveKeys(secrets, "atelier csrf token");
  const name = isHttps ? "__Host-atelier_session" : "atelier_session";
  const write = (value: string, seconds: number) => setCookie(name, value, { seconds, isHttps });
  return {
    issue: async ({ accountId, sessionId }) => {
      const token = await new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM })
        .setIssuer(ISSUER)
        .setSubject(accountId)
        .setIssuedAt()
        .setExpirationTime(`${lifetimeSeconds}s`)
        .sign(cookieKeys[0]);
      return write(token, lifetimeSeconds);
    },
    read: async (header) => {
      const token = readCookie(header, name);
      if (token === undefined) return undefined;
      for (const key of cookieKeys) {
        const claims = await readToken(token, key);
        if (claims) return claims;
      }
      return undefined;
    },
    clear: write("", 0),
    csrfToken: (sessionId) => csrfToken(csrfKeys[0], sessionId),
    isCsrfToken: (sessionId, sent) =>
      csrfKeys.some((key) => isSame(Buffer.from(sent), Buffer.from(csrfToken(key, sessionId)))),
  };
}

async function readToken(token: string, key: Uint8Array): Promise<SessionClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: [ALGORITHM], issuer: ISSUER });
    const { sub: accountId, sid: sessionId } = payload;
    return accountId !== undefined && typeof sessionId === "string" ? { accountId, sessionId } : undefined;
  } catch {
    return undefined;
  }
}

function csrfToken(key: Uint8Array, sessionId: string): string {
  return createHmac("sha256", key).update(sessionId).digest("base64url");
}

function isSame(sent: Buffer, wanted: Buffer): boolean {
  return sent.length === wanted.length && timingSafeEqual(sent, wanted);
}

/** The Set-Cookie header of a cookie that no script reads. It comes back with links from other sites, but with none of their forms. */
export function setCookie(
  name: string,
  value: string,
  { path = "/", seconds, isHttps }: { path?: string; seconds: number; isHttps: boolean },
): string {
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isHttps ? "; Secure" : ""}`;
}

/** The first cookie with this name in a Cookie header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const at = pair.indexOf("=");
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
