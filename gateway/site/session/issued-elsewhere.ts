// Accepts sessions that another system of the installation issues: a JWT in a cookie or as a bearer token, verified with the key set that
// the system publishes, and mapped to an account by its verified email address.
import type { FastifyRequest } from "fastify";
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from "jose";
import { AppError } from "../../../proto/codes.ts";
import type { Config } from "../../../runtime/config/config.ts";
import { readCookie } from "./session-cookie.ts";
import { hashToken } from "./sign-in-link.ts";

const BEARER = /^Bearer[ \t]+(\S+)$/i;
const AWAY_RETRY_SECONDS = 2;

export type OutsideIdentity = {
  /** Takes the place of a session id. */
  sessionId: string;
  email: string;
  /** May be empty. */
  name: string;
  /** When the issuer authenticated the person, if the token says so; otherwise when it was issued, or empty. */
  signedInAt: string;
};

/** Finds the person of a token; undefined without a valid token, and always if no key set is configured. */
export type IdentifyOutside = (request: FastifyRequest) => Promise<OutsideIdentity | undefined>;

export function createIdentifyOutside(config: Config): IdentifyOutside {
  const { sessionJwksUrl, sessionIssuer, sessionAudience } = config;
  if (sessionJwksUrl === undefined || sessionIssuer === undefined || sessionAudience === undefined)
    return async () => undefined;
  const keySet = createRemoteJWKSet(new URL(sessionJwksUrl));
  return async (request) => {
    const { cookie, authorization } = request.headers;
    const token = readCookie(cookie, config.sessionCookie) ?? BEARER.exec(authorization ?? "")?.[1];
    if (token === undefined) return undefined;
    try {
      const { payload } = await jwtVerify(token, keySet, {
        issuer: sessionIssuer,
        audience: sessionAudience,
        requiredClaims: ["exp", "email"],
      });
      return toIdentity(token, payload);
    } catch (error) {
      if (isTokensFault(error)) return undefined;
      request.log.warn(
        { err: error, request_id: request.id },
        "the key set of sessions issued elsewhere cannot be had",
      );
      throw new AppError("service_unavailable", { retryAfterSeconds: AWAY_RETRY_SECONDS });
    }
  };
}

function toIdentity(
  token: string,
  { email, email_verified, name, auth_time, iat }: JWTPayload,
): OutsideIdentity | undefined {
  // An unverified address could open the account of another person.
  if (typeof email !== "string" || email_verified !== true) return undefined;
  return {
    sessionId: `ext_${hashToken(token)}`,
    email,
    name: typeof name === "string" ? name : "",
    signedInAt: toTime(auth_time ?? iat),
  };
}

function toTime(seconds: unknown): string {
  const time = new Date(typeof seconds === "number" ? seconds * 1_000 : Number.NaN);
  return Number.isNaN(time.getTime()) ? "" : time.toISOString();
}

function isTokensFault(error: unknown): boolean {
  return (
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported
  );
}
